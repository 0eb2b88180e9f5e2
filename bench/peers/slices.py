# SPDX-License-Identifier: MIT
"""The step of the heat equation of slices.cpp."""
from compare import Table, finish, functional, jax, np, torch, uniform


def inner(u):
    return u[1:-1, 1:-1] + np.float32(0.25) * (u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2] - 4 * u[1:-1, 1:-1])


for n in (200, 2000):
    Table(f"a step of the heat equation on {n} x {n} float32").everybody(
        [uniform(-1, 1, n, n)], 1e-5, lambda u: np.pad(inner(u), 1), lambda u: functional.pad(inner(u), (1, 1, 1, 1)), lambda u: jax.numpy.pad(inner(u), 1))
finish()
