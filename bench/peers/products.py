# SPDX-License-Identifier: MIT
"""The work of products.cpp."""
from compare import Table, finish, jax, jitted, np, of_pytensor, pytensor, torch, uniform

if jax:
    jax.config.update("jax_enable_x64", True)

sizes = [(n, n, n) for n in (4, 6, 8, 12, 16, 24, 32, 48, 64)] + [(4, 64, 4), (64, 4, 64), (4, 64, 64), (64, 64, 4), (5, 33, 17)]
sizes += [(n, n, n) for n in (100, 128, 256, 512, 1000)] + [(100, 784, 1000), (784, 100, 1000), (100, 1000, 1000)]
cases = [(*size, np.float32, "") for size in sizes]
cases += [(*size, np.float32, "") for size in ((4, 100, 400), (8, 784, 1000), (32, 400, 100), (1000, 784, 10), (100_000, 3, 64))]
cases += [(*size, np.float32, "second") for size in ((4, 400, 100), (8, 1000, 784), (1000, 784, 10))]
cases += [(1000, 1000, 1000, kind, layout) for kind in (np.float32, np.float64) for layout in ("", "first", "second") if layout or kind == np.float64]
for m, k, n, kind, layout in cases:
    a, b = uniform(-1, 1, m, k).astype(kind), uniform(-1, 1, k, n).astype(kind)
    if layout == "first":
        a = np.asfortranarray(a)
    elif layout == "second":
        b = np.asfortranarray(b)
    y = np.empty((m, n), kind)
    table = Table(f"product {m} x {k} x {n}, {2 * m * k * n} operations, {np.dtype(kind).name}" + (f", the {layout} factor by columns" if layout else ""))
    table.row("NumPy", lambda: np.dot(a, b, out=y), 2e-4)
    if torch:
        ta, tb, ty = torch.from_numpy(a), torch.from_numpy(b), torch.from_numpy(np.empty((m, n), kind))
        table.row("PyTorch", lambda: torch.mm(ta, tb, out=ty), 2e-4)
    if jax:
        # Its arrays lie by rows: what lies by columns is turned within the call.
        ja, jb = np.ascontiguousarray(a.T) if layout == "first" else a, np.ascontiguousarray(b.T) if layout == "second" else b
        table.row("JAX, jit", jitted(lambda a, b: (a.T if layout == "first" else a) @ (b.T if layout == "second" else b), ja, jb), 2e-4)
    if pytensor:
        table.row("PyTensor", of_pytensor(lambda a, b: a @ b, a, b), 2e-4)
    table.measure()
finish(PyTorch_compiled="it would be the same call of BLAS")
