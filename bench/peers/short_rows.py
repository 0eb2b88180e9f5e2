# SPDX-License-Identifier: MIT
"""The work of short_rows.cpp."""
from compare import Table, finish, functional, jax, np, pt, torch, uniform

if jax:
    jax.config.update("jax_enable_x64", True)


def norms(library, x):
    return library.sqrt((x * x).sum(1, keepdims=True))


def normalised(root, x, v):
    c = x - x.mean(1, keepdims=True)
    return c / root((c * c).mean(1, keepdims=True) + 0.01) * v + v


def softmax_of_numpy(x):
    e = np.exp(x - x.max(1, keepdims=True))
    return e / e.sum(1, keepdims=True)


for columns, kind in (*((count, np.float32) for count in (1, 2, 3, 7, 12, 48)), (2, np.float64), (3, np.float64)):
    x, v, w = uniform(1, 2, 20_000, columns).astype(kind), uniform(-1, 1, columns).astype(kind), uniform(-1, 1, 20_000).astype(kind)
    of = f" of 20000 x {columns} {np.dtype(kind).name}"
    alike = (("x - v", (x, v), lambda x, v: x - v), ("w * (x - v)", (x, v, w), lambda x, v, w: w[:, None] * (x - v)),
             ("sum of (x - v)^2", (x, v), lambda x, v: ((x - v) * (x - v)).sum(1)))
    for name, arrays, f in alike:
        Table(name + of).everybody(arrays, 1e-5, f, f, f, f)
    Table("x by its norm" + of).everybody([x], 1e-5, lambda x: x / norms(np, x), lambda x: x / norms(torch, x), lambda x: x / norms(jax.numpy, x),
                                          lambda x: x / norms(pt, x))
    Table("softmax" + of).everybody([x], 1e-5, softmax_of_numpy, lambda x: functional.softmax(x, 1), lambda x: jax.nn.softmax(x, axis=1),
                                    lambda x: pt.special.softmax(x, axis=1))
    Table("layer normalisation" + of).everybody([x, v], 1e-5, lambda x, v: normalised(np.sqrt, x, v),
                                                lambda x, v: functional.layer_norm(x, x.shape[1:], v, v, 0.01),
                                                lambda x, v: normalised(jax.numpy.sqrt, x, v), lambda x, v: normalised(pt.sqrt, x, v))
for centres, columns in ((8, 3), (10, 2), (64, 3)):
    x, c = uniform(1, 2, 20_000, columns), uniform(1, 2, centres, columns)
    of = f" of 20000 x {columns}"
    among = of + f" from {centres} centres float32"
    Table("squared distances" + among).everybody([x, c], 1e-5, *[lambda x, c: ((x[:, None] - c[None]) ** 2).sum(2)] * 4)
    Table("the nearest" + among).everybody([x, c], 0, *[lambda x, c: ((x[:, None] - c[None]) ** 2).sum(2).argmin(1)] * 4)
    Table("argmax of rows" + of + " float32").everybody([x], 0, *[lambda x: x.argmax(1)] * 4)
    Table("flip of rows" + of + " float32").everybody([x], 0, lambda x: np.ascontiguousarray(x[:, ::-1]), lambda x: torch.flip(x, (1,)), lambda x: x[:, ::-1], lambda x: x[:, ::-1] + 0)
for columns in (1, 3, 12):
    x = uniform(1, 2, 20_000, columns)
    of = f" of the columns of 20000 x {columns} float32"
    Table("mean" + of).everybody([x], 1e-5, *[lambda x: x.mean(0)] * 4)
    Table("var" + of).everybody([x], 1e-5, lambda x: x.var(0), lambda x: x.var(0, correction=0), lambda x: x.var(0), lambda x: x.var(0))
    Table("logsumexp" + of).everybody([x], 1e-5, lambda x: np.log(np.exp(x).sum(0)), lambda x: torch.logsumexp(x, 0), lambda x: jax.nn.logsumexp(x, axis=0),
                                      lambda x: pt.log(pt.exp(x).sum(0)))
    Table("argmax" + of).everybody([x], 0, *[lambda x: x.argmax(0)] * 4)
for columns in (1, 3, 12):
    x, wide, v, w = uniform(1, 2, 20_000, columns), uniform(1, 2, 20_000, 2 * columns), uniform(-1, 1, columns), uniform(0, 1, 20_000)
    pairs = uniform(1, 2, 20_000, columns, 2)
    of = f" of 20000 x {columns}"
    Table("mean of logsumexp of rows" + of + " float32").everybody([x], 1e-5, lambda x: (np.log(np.exp(x - x.max(1, keepdims=True)).sum(1)) + x.max(1)).mean(),
                                                                   lambda x: torch.logsumexp(x, 1).mean(), lambda x: jax.nn.logsumexp(x, axis=1).mean(),
                                                                   lambda x: pt.logsumexp(x, axis=1).mean())
    Table("sum of w (x - v)^2 over all" + of + " float32").everybody([x, v, w], 1e-5, *[lambda x, v, w: (w[:, None] * (x - v) ** 2).sum()] * 4)
    Table("exp(x - v) of every second column" + of + " float32").everybody([wide, v], 1e-5, lambda x, v: np.exp(x[:, ::2] - v), lambda x, v: torch.exp(x[:, ::2] - v),
                                                                           lambda x, v: jax.numpy.exp(x[:, ::2] - v), lambda x, v: pt.exp(x[:, ::2] - v))
    Table("sum along the first and the last axis" + of + " x 2 float32").everybody([pairs], 1e-5, *[lambda x: x.sum((0, 2))] * 4)
for n in (2, 3, 4, 8):
    a, b, x = uniform(-1, 1, 5_000, n, n), uniform(-1, 1, 5_000, n, n), uniform(-1, 1, 5_000, n)
    of = f" of 5000 matrices of {n} x {n}"
    Table("products" + of + " float32").everybody([a, b], 1e-5, np.matmul, torch.matmul, jax.numpy.matmul, pt.matmul)
    Table("products" + of + " with vectors float32").everybody([a, x], 1e-5, lambda a, x: np.einsum("bij,bj->bi", a, x), lambda a, x: torch.einsum("bij,bj->bi", a, x),
                                                               lambda a, x: jax.numpy.einsum("bij,bj->bi", a, x), lambda a, x: pt.einsum("bij,bj->bi", a, x))
for columns in (3, 10):
    x, at, label = uniform(1, 2, 20_000, columns), np.array([columns - 1, 0]), (np.arange(20_000) * 7 % columns)[:, None]
    of = f" of 20000 x {columns} float32"
    Table("two columns" + of).everybody([x, at], 0, *[lambda x, i: x[:, i]] * 4)
    Table("mean of -log of one of each row" + of).everybody([x, label], 1e-5, lambda x, i: -np.log(np.take_along_axis(x, i, 1)).mean(), lambda x, i: -torch.log(torch.gather(x, 1, i)).mean(),
                                                            lambda x, i: -jax.numpy.log(jax.numpy.take_along_axis(x, i, 1)).mean(), lambda x, i: -pt.log(pt.take_along_axis(x, i, 1)).mean())
for n in (2, 3, 8):
    a = uniform(-1, 1, 5_000, n, n)
    of = f" of 5000 matrices of {n} x {n} float32"
    Table("trace" + of).everybody([a], 1e-5, lambda a: np.trace(a, axis1=1, axis2=2), lambda a: torch.diagonal(a, 0, 1, 2).sum(1), lambda a: jax.numpy.trace(a, axis1=1, axis2=2),
                                  lambda a: pt.diagonal(a, 0, 1, 2).sum(1))
    Table("determinant" + of).everybody([a], 1e-4, np.linalg.det, torch.linalg.det, jax.numpy.linalg.det, pt.linalg.det)
for n in (2, 3, 8):
    a, b = uniform(-1, 1, 5_000, n, n) + 2 * n * np.eye(n, dtype="float32"), uniform(-1, 1, 5_000, n)
    of = f" of 5000 matrices of {n} x {n} float32"
    Table("inverse" + of).everybody([a], 1e-4, np.linalg.inv, torch.linalg.inv, jax.numpy.linalg.inv, pt.linalg.inv)
    Table("equations" + of).everybody([a, b], 1e-4, lambda a, b: np.linalg.solve(a, b[..., None])[..., 0], lambda a, b: torch.linalg.solve(a, b), lambda a, b: jax.numpy.linalg.solve(a, b[..., None])[..., 0],
                                      lambda a, b: pt.linalg.solve(a, b, b_ndim=1))
x = uniform(-1, 1, 1_000, 1_000)
of = " of 1000 x 1000 float32"
Table("each row twice" + of).everybody([x], 0, lambda x: np.repeat(x, 2, 0), lambda x: torch.repeat_interleave(x, 2, 0), lambda x: jax.numpy.repeat(x, 2, 0), lambda x: pt.repeat(x, 2, 0))
Table("2 x 3 tiles" + of).everybody([x], 0, lambda x: np.tile(x, (2, 3)), lambda x: x.repeat(2, 3), lambda x: jax.numpy.tile(x, (2, 3)), lambda x: pt.tile(x, (2, 3)))
finish(Eigen="it has no arrays of three axes and finds places in one row or column at a time; flip, what goes down columns or comes of all rows, many small products, indices and repeats are not written")
