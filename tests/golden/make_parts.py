# SPDX-License-Identifier: MIT
# Writes values/part_*.npy, what NumPy and, of derivatives, PyTorch make of parts of arrays, of joined and picked ones and along an axis: python3 make_parts.py
# Each file holds all results of one function, one behind the other: the rank, the extents and the elements of each, as numbers of double.
import numpy as np
import torch

from written import here, packed as save

random = np.random.default_rng(20240102)
nan, inf = np.nan, np.inf

SHAPES = [(5, 6), (1, 1), (0, 3), (4, 1), (2, 7), (3, 0)]
for shape in SHAPES:
    x = np.arange(shape[0] * shape[1]).reshape(shape) * 1.5 - 3
    v = x.sum(0)
    name = f"{shape[0]}x{shape[1]}"
    save(f"slices_{name}", x[1:-1, ::-1], x[::2, -3:], x[10:], x[-100:100:3], x[::-2], x[3:1], x[3:1:-1], x[:-100:-1], x[100::-3, -2::-1], x[..., ::-1], x[None, 1:],
         x[:, None, -1:], x.T[2:0:-1], x[1:][::-1][:2], x[::3][:, 1::2], v[-2::-2], x[:0], x[-1:-3:-1, 1:2])
    save(f"turned_{name}", np.flip(x), np.flip(x, 0), np.rot90(x), np.rot90(x, 2), np.rot90(x, -1), np.roll(x, 3, 0), np.roll(x, -8, 1), np.roll(v, 1), np.diff(x, axis=0),
         np.diff(x * x, 2), np.diff(x > 2, axis=0), np.tril(x), np.tril(x, -1), np.tril(x, 2), np.triu(x), np.triu(x, 1), np.triu(x, -2), np.diagonal(x), np.diagonal(x, 2),
         np.diagonal(x, -1), np.trace(x), np.trace(x, -2))
    save(f"repeated_{name}", np.tile(x, (2, 3)), np.tile(x, 2), np.tile(v, (2, 1, 2)), np.tile(x, (1, 0)), np.repeat(x, 3, 0), np.repeat(x, 2, 1), np.repeat(x, 0, 1),
         np.kron(x, x + 1), np.kron(v, v), *np.meshgrid(v, x.sum(1)), np.pad(x, 1), np.pad(x, ((0, 2), (1, 0)), constant_values=7), np.concatenate([x, x[:1], x]),
         np.concatenate([x, -x], 1), np.stack([x, -x], 1), np.stack([x, -x], -1), np.outer(v, v), np.swapaxes(np.stack([x, -x]), 0, 2), np.moveaxis(np.stack([x, -x]), 0, -1))
    if min(shape) > 0:
        save(f"edge_{name}", np.pad(x, 3, "edge"), np.pad(x, ((1, 0), (0, 2)), "edge"), np.pad(x, ((1, 1), (0, 1)), "wrap"))
    if min(shape) > 1:
        save(f"reflect_{name}", np.pad(x, 1, "reflect"), np.pad(x, ((1, 1), (0, 5)), "reflect"), np.pad(x, ((2, 1), (1, 2)), "wrap"))

# Picked by indices: some occur twice, some count from the end. Of the values that are put in one place the last stays.
x = np.arange(15.0).reshape(5, 3) ** 2
y = np.arange(60.0).reshape(3, 4, 5)
rows, columns = np.array([4, 0, -1, 2, 0, 4, -5]), np.array([0, -1, 2, 1, 1, -3, 0])
grid, along = np.array([[1, -1, 1], [0, 2, -3]]), np.array([[0, -1, 2], [4, 4, -5]])
v, w = random.integers(-9, 9, (7, 3)) * 1.0, random.integers(-9, 9, (3, 2, 3, 5)) * 1.0


def changed(f, a, at, values):
    a = a.copy()
    f(a, at, values)
    return a


def put(a, at, values):
    a[at] = values


nothing = rows[:0]
save("values", v, w)
save("picked", np.take(x, rows, 0), np.take(x, columns, 1), np.take(y, grid, 1), y[..., -2], np.take(x, nothing, 0), np.take_along_axis(x, along, 0),
     np.take_along_axis(x, columns[:5, None], 1), x[rows], x[:, columns], x[rows, columns], y[1:, grid], y[np.array([1, 0]), :, 2], y[..., rows], y[:, rows % 4, columns],
     y[None, 0, grid], y[:, ::-1, :][:, grid])
save("brought", changed(np.add.at, x, rows, v), changed(put, x, rows, v), changed(np.add.at, x, rows, v[0]), changed(put, x, rows, 7), changed(put, x, nothing, v[:0]),
     changed(np.add.at, y, (slice(None), grid), w), changed(put, y, (slice(None), grid), w), changed(np.add.at, x, slice(-1, None), v[1:2]), np.bincount(rows % 5, minlength=9),
     np.bincount(nothing, minlength=4), changed(np.add.at, np.zeros((6, 3)), rows % 5, v), changed(np.add.at, np.zeros(3, bool), columns, np.array([0, 1, 0, 0, 0, 0, 0], bool)))


def ordered(x, axis, k, largest):
    """The places of the `k` first; NaN behind all numbers."""
    return np.take(np.argsort(np.where(np.isnan(x), nan, -x if largest else x), axis, kind="stable"), range(k), axis)


for kind in (np.float32, np.float64):
    limits = np.finfo(kind)
    x = random.normal(size=(9, 8)).astype(kind)
    for row, numbers in enumerate([[], [nan], [inf], [-inf], [inf, -inf], [nan, inf, nan], [limits.max, limits.max], [0.0, -0.0, 0.0, -0.0], [limits.smallest_subnormal, limits.tiny, 0.0]]):
        x[row, 2:2 + len(numbers)] = numbers
    x[0, :4] = x[0, 4:]
    save(f"numbers_{x.dtype.name}", x)
    with np.errstate(all="ignore"):
        save(f"along_{x.dtype.name}", np.cumsum(x, 0), np.cumsum(x, 1), np.cumprod(x, 0), np.cumprod(x, 1), np.sort(x, 0), np.sort(x, 1), np.argsort(x, 0, kind="stable"), np.argsort(x, 1, kind="stable"), np.take_along_axis(x, ordered(x, 1, 3, True), 1),
             ordered(x, 1, 3, True), ordered(x, 0, 9, True), np.searchsorted(np.sort(x.ravel()), x), np.searchsorted(np.sort(x.ravel()), x, "right"))
x = np.array([[3, -1, 3, 0], [2**31 - 1, -2**31, 5, 3], [0, 0, 2, -7]])
for kind in (bool, np.int32, np.int64):
    z = x.astype(kind)
    save(f"whole_{z.dtype.name}", z, np.cumsum(z, 0, dtype=np.int64), np.cumsum(z, 1, dtype=np.int64), np.cumprod(z, 1, dtype=np.int64), np.sort(z, 0), np.argsort(z, 1, kind="stable"),
         ordered(z.astype(float), 1, 2, True), np.searchsorted(np.sort(z[0]), z), np.searchsorted(np.sort(z[0]), z, "right"))

# Derivatives: of indices that occur twice, of elements that are 0 or infinite.
x = random.integers(-9, 9, (5, 3)) * 0.25
x[1] = 0
x[2:4, 0] = 0
v = random.integers(-9, 9, (7, 3)) * 0.5


def slopes(*values):
    """The gradient of each, weighted by what differs from element to element."""
    at = torch.tensor(x, requires_grad=True)
    each = []
    for f in values:
        y = f(at)
        weights = torch.arange(1.0, y.numel() + 1, dtype=torch.float64).reshape(y.shape)
        each.append(torch.autograd.grad((weights * y).sum(), at)[0].numpy())
    return each


save("slopes", x, v, *slopes(
    lambda t: t[torch.tensor(rows)], lambda t: t[torch.tensor(rows), torch.tensor(columns)], lambda t: t[:, torch.tensor(columns)].square(),
    lambda t: torch.take_along_dim(t, torch.tensor(along % 5), 0), lambda t: t.index_add(0, torch.tensor(rows % 5), torch.tensor(v)).square(),
    lambda t: t.cumsum(0), lambda t: t.cumprod(0), lambda t: t.cumprod(1), lambda t: t.logcumsumexp(0), lambda t: t.sort(dim=1, stable=True)[0], lambda t: t.sort(dim=0, stable=True)[0] ** 2,
    lambda t: torch.nn.functional.pad(t[None], (2, 1, 3, 0), "reflect")[0], lambda t: torch.nn.functional.pad(t[None], (1, 2, 2, 2), "replicate")[0], lambda t: t.roll(2, 0) * t, lambda t: t[1::2],
    lambda t: t.flip(0)[::2] ** 2, lambda t: t.diff(dim=0) ** 2, lambda t: t.tril(-1) + t.triu(1), lambda t: torch.kron(t, t)))
x = np.array([[0, -inf, 1, 2, -1], [-inf, -inf, 3, -inf, 1e3], [inf, 1, 2, -inf, 0], [1e3, -1e3, 999, 0.5, nan], [0.1, 0.2, 0.3, -700, 700]])
for kind in (torch.float32, torch.float64):
    t = torch.tensor(x, dtype=kind)
    save(f"log_sums_{str(kind)[6:]}", t, t.logcumsumexp(0), t.logcumsumexp(1))

# Numbers, and arrays of eight axes.
x, v = np.array(3.0), np.array([1.0, 2, 3])
save("number", np.stack([x, x]), x[None], np.tile(x, 3), np.tile(x, (2, 3)), np.concatenate([x[None], v]), np.take(v, -1), np.searchsorted(v, x), x[None, None])
for a, b in ((2, 3), (1, 1), (0, 2), (2, 0)):
    x = random.integers(-9, 9, (1, a, 1, 2, 1, b, 1, 2)) * 0.5
    at = np.arange(a) - a
    save(f"eight_axes_{a}_{b}", x, x[:, ::-1], np.concatenate([x, x], 1), np.roll(x, 1, 5), np.flip(x), np.take(x, at, 1), x[:, at], np.cumsum(x, 5), np.sort(x, -1), np.argsort(x, 3, kind="stable"),
         np.diff(x, axis=1), np.pad(x, 1), np.tril(x), np.rot90(x, 1, (1, 5)), np.diagonal(x, 0, -2, -1), np.trace(x, 0, -2, -1), np.take_along_axis(x, np.argsort(x, 5, kind="stable"), 5),
         changed(np.add.at, x, (slice(None), at), 1), np.split(x, 2, 3)[1], np.moveaxis(x, 0, -1), np.swapaxes(x, 1, 5))
