# SPDX-License-Identifier: MIT
"""The work of copies.cpp: results that lie by rows, which NumPy and PyTorch would leave where they are and see in another way."""
from compare import Table, finish, jax, np, pt, torch


def numbers(kind, *shape):
    return (np.arange(np.prod(shape)) * 7 % 251).reshape(shape).astype(kind)


def everybody(title, x, part, of_torch=None):
    Table(title).everybody([x], 0, lambda x: np.ascontiguousarray(part(x)), lambda x: (of_torch or part)(x).contiguous(), lambda x: part(x) + 0, lambda x: part(x) + 0)


for n in (300, 1000):
    of = f"{n} x {n} float32"
    everybody("columns in reverse of " + of, numbers("float32", n, n), lambda x: x[:, ::-1], lambda x: torch.flip(x, (1,)))
    everybody(f"every second column of {n} x {2 * n} float32", numbers("float32", n, 2 * n), lambda x: x[:, ::2])
    Table(f"each column twice of {n} x {n // 2} float32").everybody([numbers("float32", n, n // 2)], 0, lambda x: np.repeat(x, 2, 1), lambda x: torch.repeat_interleave(x, 2, 1),
                                                                    lambda x: jax.numpy.repeat(x, 2, 1), lambda x: pt.repeat(x, 2, 1))
for n in (10_000, 300_000):
    for kind in ("float32", "uint8"):
        everybody(f"columns in reverse of {n} x 3 {kind}", numbers(kind, n, 3), lambda x: x[:, ::-1], lambda x: torch.flip(x, (1,)))
        everybody(f"three columns of four of {n} x 4 {kind}", numbers(kind, n, 4), lambda x: x[:, :3])
        everybody(f"the transpose of {n} x 3 {kind}", numbers(kind, n, 3), lambda x: x.T)
        everybody(f"the transpose of 3 x {n} {kind}", numbers(kind, 3, n), lambda x: x.T)
    for name, count in (("two", 2), ("three", 3)):
        Table(f"{name} vectors of {n} float32, as columns").everybody(list(numbers("float32", 3, n)[:count]), 0, lambda *x: np.stack(x, 1), lambda *x: torch.stack(x, 1), lambda *x: jax.numpy.stack(x, 1),
                                                                      lambda *x: pt.stack(x, 1))
finish(Eigen="the raw loops are the measure here")
