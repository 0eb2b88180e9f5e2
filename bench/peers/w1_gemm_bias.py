# SPDX-License-Identifier: MIT
"""The work of w1_gemm_bias.cpp."""
from compare import Table, finish, jax, jitted, np, of_pytensor, pytensor, torch, uniform

m, x, b = arrays = [uniform(-1, 1, 1000, 1000) for _ in range(3)]
y = np.empty_like(b)


def with_numpy():
    np.dot(m, x, out=y)
    return np.add(y, b, out=y)


table = Table("W1 gemm_bias: y = dot(m, x) + b, 1000 x 1000 float32")
table.row("NumPy", with_numpy, 1e-4)
if torch:
    tm, tx, tb = map(torch.from_numpy, arrays)
    ty = torch.empty_like(tb)
    table.row("PyTorch: addmm", lambda: torch.addmm(tb, tm, tx, out=ty), 1e-4)
    compiled = torch.compile(lambda m, x, b: m @ x + b)
    table.row("PyTorch, compiled", lambda: compiled(tm, tx, tb), 1e-4)
if jax:
    table.row("JAX, jit", jitted(lambda m, x, b: m @ x + b, *arrays), 1e-4)
if pytensor:
    table.row("PyTensor", of_pytensor(lambda m, x, b: m @ x + b, *arrays), 1e-4)
table.measure()
finish()
