# SPDX-License-Identifier: MIT
"""The work of w5_composite.cpp."""
from compare import Table, finish, jax, jitted, np, of_pytensor, pt, pytensor, torch, uniform

operands = [uniform(0.1, 1, 1_000_000) for _ in range(7)]


def composite(library):
    return lambda a, b, c, d, e, f, g: a * b - (c * d) / library.sqrt(c + e + f + g * g)


table = Table("W5 composite: y = a*b - (c*d) / sqrt(c + e + f + g*g), 1e6 float32")
table.row("NumPy", lambda: composite(np)(*operands), 1e-6)
if torch:
    tensors = [torch.from_numpy(x) for x in operands]
    table.row("PyTorch", lambda: composite(torch)(*tensors), 1e-6)
    compiled = torch.compile(composite(torch))
    table.row("PyTorch, compiled", lambda: compiled(*tensors), 1e-6)
if jax:
    table.row("JAX, jit", jitted(composite(jax.numpy), *operands), 1e-6)
if pytensor:
    table.row("PyTensor", of_pytensor(composite(pt), *operands), 1e-6)
table.measure()
finish()
