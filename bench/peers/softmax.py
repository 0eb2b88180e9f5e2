# SPDX-License-Identifier: MIT
"""The work of softmax.cpp."""
from compare import Table, finish, functional, jax, np, pt, pytensor, torch, uniform

for rows, columns in ((5_000, 10), (1_000, 256), (64, 4_096)):
    x, g = uniform(-2, 2, rows, columns), uniform(-1, 1, rows, columns)
    labels = (np.arange(rows) * 7 % columns).astype(np.int32)
    of = f" of {rows} x {columns} float32"

    def softmax_of_numpy(x):
        e = np.exp(x - x.max(1, keepdims=True))
        return e / e.sum(1, keepdims=True)

    def slope_of_numpy(x, g):
        p = softmax_of_numpy(x)
        return p * (g - (p * g).sum(1, keepdims=True))

    def log_slope_of_numpy(x, g):
        return g - softmax_of_numpy(x) * g.sum(1, keepdims=True)

    def entropy_slope_of_numpy(x, labels):
        p = softmax_of_numpy(x)
        p[np.arange(len(p)), labels] -= 1
        return p / len(p)

    def slope_of(cost, by):
        of, by = torch.from_numpy(x).requires_grad_(), torch.from_numpy(by)
        return lambda: torch.autograd.grad(cost(of, by), of)[0]

    def by_jax(cost):
        return jax.grad(lambda x, by: cost(x, by)) if jax else None

    def by_pytensor(cost):
        return lambda x, by: pytensor.grad(cost(x, by), x)

    tables = (("softmax", g, slope_of_numpy, lambda x, g: (functional.softmax(x, 1) * g).sum(), lambda x, g: (jax.nn.softmax(x, axis=1) * g).sum(),
               lambda x, g: (pt.special.softmax(x, axis=1) * g).sum()),
              ("log_softmax", g, log_slope_of_numpy, lambda x, g: (functional.log_softmax(x, 1) * g).sum(), lambda x, g: (jax.nn.log_softmax(x, axis=1) * g).sum(),
               lambda x, g: (pt.special.log_softmax(x, axis=1) * g).sum()),
              ("cross_entropy", labels, entropy_slope_of_numpy, lambda x, y: functional.cross_entropy(x, y.long()),
               lambda x, y: -jax.numpy.take_along_axis(jax.nn.log_softmax(x, axis=1), y[:, None], 1).mean(),
               lambda x, y: -pt.special.log_softmax(x, axis=1)[pt.arange(x.shape[0]), y].mean()))
    for name, by, numpy_slope, torch_cost, jax_cost, pytensor_cost in tables:
        table = Table("gradient of " + name + of)
        if torch:
            table.row("PyTorch", slope_of(torch_cost, by), 1e-4)
            table.row("PyTorch, compiled", slope_of(torch.compile(torch_cost, dynamic=False), by), 1e-4)
        table.everybody([x, by], 1e-4, numpy_slope, None, by_jax(jax_cost), by_pytensor(pytensor_cost))
finish(Eigen="it has no derivatives")
