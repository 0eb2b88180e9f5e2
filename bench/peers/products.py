# SPDX-License-Identifier: MIT
"""The work of products.cpp."""
from compare import Table, finish, jax, jitted, np, of_pytensor, pytensor, torch, uniform

sizes = [(n, n, n) for n in (4, 6, 8, 12, 16, 24, 32, 48, 64)] + [(4, 64, 4), (64, 4, 64), (4, 64, 64), (64, 64, 4), (5, 33, 17)]
sizes += [(n, n, n) for n in (100, 128, 256, 512, 1000)] + [(100, 784, 1000), (784, 100, 1000), (100, 1000, 1000)]
for m, k, n in sizes:
    a, b = uniform(-1, 1, m, k), uniform(-1, 1, k, n)
    y = np.empty((m, n), np.float32)
    table = Table(f"product {m} x {k} x {n}, {2 * m * k * n} operations, float32")
    table.row("NumPy", lambda: np.dot(a, b, out=y), 2e-4)
    if torch:
        ta, tb, ty = torch.from_numpy(a), torch.from_numpy(b), torch.empty(m, n)
        table.row("PyTorch", lambda: torch.mm(ta, tb, out=ty), 2e-4)
    if jax:
        table.row("JAX, jit", jitted(lambda a, b: a @ b, a, b), 2e-4)
    if pytensor:
        table.row("PyTensor", of_pytensor(lambda a, b: a @ b, a, b), 2e-4)
    table.measure()
finish(PyTorch_compiled="it would be the same call of BLAS")
