# SPDX-License-Identifier: MIT
"""The work of w2_exp.cpp."""
from compare import Table, finish, jax, jitted, np, of_pytensor, pt, pytensor, torch, uniform

x = uniform(-3, 3, 230_400)
y = np.empty_like(x)
table = Table("W2 exp: y = exp(x), 230400 float32")
table.row("NumPy", lambda: np.exp(x, out=y), 1e-6)
if torch:
    tx = torch.from_numpy(x)
    ty = torch.empty_like(tx)
    table.row("PyTorch", lambda: torch.exp(tx, out=ty), 1e-6)
    compiled = torch.compile(torch.exp)
    table.row("PyTorch, compiled", lambda: compiled(tx), 1e-6)
if jax:
    table.row("JAX, jit", jitted(jax.numpy.exp, x), 1e-6)
if pytensor:
    table.row("PyTensor", of_pytensor(pt.exp, x), 1e-6)
table.measure()
finish()
