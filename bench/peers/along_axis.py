# SPDX-License-Identifier: MIT
"""The work of along_axis.cpp."""
from compare import Table, finish, jax, np, pt, torch, uniform

for axis, words, extents in ((1, "last", ((1000, 1000), (1, 1_000_000), (100_000, 10))), (0, "first", ((1000, 1000), (100_000, 10), (100, 20_000)))):
    for rows, columns in extents:
        Table(f"cumsum along the {words} axis, {rows} x {columns} float32").everybody(
            [uniform(-1, 1, rows, columns)], 1e-2, lambda x: np.cumsum(x, axis), lambda x: torch.cumsum(x, axis), lambda x: jax.numpy.cumsum(x, axis),
            lambda x: pt.cumsum(x, axis))
for name, kind, extents in (("sort", "float32", ((1000, 1000), (1, 1_000_000), (20_000, 30), (4000, 200))), ("sort", "float64", ((1000, 1000), (1, 1_000_000))),
                            ("argsort", "float32", ((1000, 1000),)), ("argsort", "float64", ((1000, 1000), (10_000, 100)))):
    for rows, columns in extents:
        def by(library, name=name):
            return lambda x: getattr(library, name)(x, 1)

        Table(f"{name} along the last axis, {rows} x {columns} {kind}").everybody(
            [uniform(-1, 1, rows, columns).astype(kind)], None, by(np), (lambda x: torch.sort(x, 1)[0]) if name == "sort" else by(torch), by(jax and jax.numpy), by(pt))
def few(x):
    some = np.argpartition(-x, 5, 1)[:, :5]
    return np.take_along_axis(some, np.argsort(-np.take_along_axis(x, some, 1), 1), 1)


for rows, columns in ((1000, 1000), (1, 1_000_000), (10_000, 100)):
    Table(f"places of the 5 largest along the last axis, {rows} x {columns} float32").everybody(
        [uniform(-1, 1, rows, columns)], None, few, lambda x: torch.topk(x, 5, 1)[1], lambda x: jax.lax.top_k(x, 5)[1], lambda x: pt.argsort(-x, 1)[:, :5])
for rows, columns in ((1000, 1000), (1, 1_000_000)):
    Table(f"cummax along the last axis, {rows} x {columns} float32").everybody(
        [uniform(-1, 1, rows, columns)], 0, lambda x: np.maximum.accumulate(x, 1), lambda x: torch.cummax(x, 1)[0], lambda x: jax.lax.cummax(x, 1), None)
for rows, columns, kind in ((1000, 1001, "float32"), (1, 1_000_001, "float32"), (10_000, 9, "float32"), (1, 100_001, "float64")):
    Table(f"median along the last axis, {rows} x {columns} {kind}").everybody(
        [uniform(-1, 1, rows, columns).astype(kind)], 0, lambda x: np.median(x, 1, keepdims=True), lambda x: torch.median(x, 1, keepdim=True)[0],
        lambda x: jax.numpy.median(x, 1, keepdims=True), None)
finish(PyTensor="it has no running extremes", Eigen="it has neither running sums nor sorting")
