# SPDX-License-Identifier: MIT
"""The work of expressions.cpp."""
from compare import Table, finish, jax, np, pt, torch, uniform

scale = np.float32(0.25)


def norm(x):
    return x / library_of(x).sqrt((x * x).sum())


def library_of(x):
    if isinstance(x, np.ndarray):
        return np
    if torch and isinstance(x, torch.Tensor):
        return torch
    return pt if pt and isinstance(x, pt.TensorVariable) else jax.numpy


def softmax(x):
    library = library_of(x)
    e = library.exp(x - (x.amax(1, keepdim=True) if library is torch else x.max(1, keepdims=True)))
    return e / (e.sum(1, keepdim=True) if library is torch else e.sum(1, keepdims=True))


for n in (4, 16, 64, 256, 1024, 10_000, 1_000_000):
    x, b = uniform(0.1, 1, n), uniform(0.1, 1, n)
    two, three, one = map(np.float32, (2, 3, 1))
    for title, f, arrays in (("triad: y = x + s * b", lambda x, b: x + scale * b, (x, b)), ("axpy: y += s * x", lambda y, x: y + scale * x, (x, b)),
                             ("polynomial: y = ((x + 2) * x - 3) * x + 1", lambda x: ((x + two) * x - three) * x + one, (x,)),
                             ("normalise: y = x / norm(x)", norm, (x,))):
        Table(f"{title}, {n} float32").everybody(arrays, 1e-5, *[f] * 4)
for rows, columns in ((8, 10), (100, 100), (1000, 1000)):
    Table(f"softmax of rows: y = softmax<1>(x), {rows} x {columns} float32").everybody([uniform(-1, 1, rows, columns)], 1e-5, *[softmax] * 4)
finish(Eigen="it has no softmax")
