# SPDX-License-Identifier: MIT
"""The work of decompositions.cpp. NumPy has no slopes."""
from compare import Table, finish, jax, np, of_pytensor, pt, pytensor, torch, uniform

if jax:
    jax.config.update("jax_enable_x64", True)
if pytensor:
    pytensor.config.floatX = "float64"
names = "{} x {} float64"


def size(a):
    return names.format(*a.shape)


for m, n in ((500, 50), (1000, 20), (100, 100)):
    x, y = uniform(-1, 1, m, n).astype(np.float64), uniform(-1, 1, m).astype(np.float64)
    x[np.arange(n), np.arange(n)] += 2
    # The signs of columns are each library's choice.
    Table(f"qr of {size(x)}").everybody(
        [x], 1e-12, lambda a: np.abs(np.linalg.qr(a)[0]), torch and (lambda a: torch.linalg.qr(a)[0].abs()), jax and (lambda a: jax.numpy.abs(jax.numpy.linalg.qr(a)[0])),
        pt and (lambda a: pt.abs(pt.linalg.qr(a, mode="economic")[0])))
    Table(f"svd of {size(x)}").everybody(
        [x], 1e-9, lambda a: np.abs(np.linalg.svd(a, full_matrices=False)[0]), torch and (lambda a: torch.linalg.svd(a, full_matrices=False)[0].abs()),
        jax and (lambda a: jax.numpy.abs(jax.numpy.linalg.svd(a, full_matrices=False)[0])), pt and (lambda a: pt.abs(pt.linalg.svd(a, full_matrices=False)[0])))
    Table(f"least squares of {size(x)}").everybody(
        [x, y], 1e-10, lambda a, b: np.linalg.lstsq(a, b, rcond=None)[0], torch and (lambda a, b: torch.linalg.lstsq(a, b[:, None]).solution[:, 0]),
        jax and (lambda a, b: jax.numpy.linalg.lstsq(a, b)[0]))
    Table(f"pseudo-inverse of {size(x)}").everybody([x], 1e-10, np.linalg.pinv, torch and torch.linalg.pinv, jax and jax.numpy.linalg.pinv, pt and pt.linalg.pinv)
for n in (60, 500):
    w = uniform(-1, 1, n, n).astype(np.float64)
    a = w @ w.T + 2 * np.eye(n)

    def in_torch(b, c):
        b = b.clone().requires_grad_()
        return torch.autograd.grad((torch.linalg.cholesky(b) * c).sum(), b)[0]

    table = Table(f"slope through Cholesky's factor of {size(a)}")
    if torch:
        of_a, of_w = torch.from_numpy(a), torch.from_numpy(w)
        table.row("PyTorch", lambda: in_torch(of_a, of_w), 1e-9)
    if jax:
        slope = jax.jit(jax.grad(lambda b, c: (jax.numpy.linalg.cholesky(b, symmetrize_input=True) * c).sum()))
        table.row("JAX, jit", lambda: jax.block_until_ready(slope(a, w)), 1e-9)
    if pytensor:
        def in_pytensor(b, c):
            of_triangle = pt.grad((pt.linalg.cholesky(b) * c).sum(), b)
            return (of_triangle + of_triangle.T) / 2

        table.row("PyTensor", of_pytensor(in_pytensor, a, w), 1e-9)
    table.measure()
finish(raw="LAPACK has no function for it, or the one that croton calls", Eigen="the raw code is LAPACK's", NumPy="it has no derivatives", PyTorch_compiled="its derivatives run as they are",
       PyTensor="it has no least squares")
