# SPDX-License-Identifier: MIT
"""The work of w5_composite.cpp."""
from compare import Table, finish, jax, np, pt, torch, uniform


def composite(library):
    return library and (lambda a, b, c, d, e, f, g: a * b - (c * d) / library.sqrt(c + e + f + g * g))


table = Table("W5 composite: y = a*b - (c*d) / sqrt(c + e + f + g*g), 1e6 float32")
table.everybody([uniform(0.1, 1, 1_000_000) for _ in range(7)], 1e-6, composite(np), composite(torch), composite(jax and jax.numpy), composite(pt))
finish()
