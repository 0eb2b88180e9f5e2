# SPDX-License-Identifier: MIT
"""The work of slices.cpp."""
from compare import Table, finish, jax, np, pt, torch, uniform


def inner(u):
    return u[1:-1, 1:-1] + np.float32(0.1) * (u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2] - np.float32(4) * u[1:-1, 1:-1])


def squared(part):
    """The square of a part of a matrix and 1, which all libraries spell alike; PyTorch has no negative steps."""
    def of(x):
        y = part(x)
        return y * y + np.float32(1)
    return of


def roughness(u):
    lap = u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2] - np.float32(4) * u[1:-1, 1:-1]
    return (lap * lap).sum()


for n in (200, 2000):
    x = [uniform(-1, 1, n, n)]
    for title, part, of_torch in (("the inner part", lambda x: x[1:-1, 1:-1], None), ("rows upside down", lambda x: x[::-1], lambda x: torch.flip(x, (0,))),
                                  ("columns flipped", lambda x: x[:, ::-1], lambda x: torch.flip(x, (1,))), ("every second row", lambda x: x[::2], None),
                                  ("every second column", lambda x: x[:, ::2], None)):
        f = squared(part)
        Table(f"{title} of {n} x {n} float32, squared").everybody(x, 1e-6, f, squared(of_torch or part), f, f)
    # The result lies by rows in all of them: NumPy and PyTorch would leave it in the order of the transpose, and turn nothing.
    f = squared(lambda x: x.T[1:])
    Table(f"the transpose of {n} x {n} float32, squared").everybody(
        x, 1e-6, squared(lambda x: np.ascontiguousarray(x.T[1:])), squared(lambda x: x.T[1:].contiguous()), f, f)
    Table(f"the lower triangle of {n} x {n} float32").everybody(x, 0, np.tril, torch and torch.tril, jax and jax.numpy.tril, pt and pt.tril)
    Table(f"a step of the heat equation on {n} x {n} float32").everybody(
        x, 1e-5, *[inner] * 4)
    Table(f"the slope of squared Laplacians of {n} x {n} float32").everybody(
        x, 1e-4, None, torch and torch.func.grad(roughness), jax and jax.grad(roughness), pt and (lambda u: pt.grad(roughness(u), u)))


def pieces(join):
    return lambda v: join([v * np.float32(2), v * v, np.float32(1) - v])


for n in (1000, 100_000, 2_000_000):
    Table(f"three pieces of {n} float32, joined").everybody(
        [uniform(-1, 1, n)], 0, pieces(np.concatenate), torch and pieces(torch.cat), jax and pieces(jax.numpy.concatenate), pt and pieces(pt.concatenate))
finish(Eigen="the raw loops are the measure here", NumPy="it has no derivatives")
