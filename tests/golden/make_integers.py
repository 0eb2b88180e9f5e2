# SPDX-License-Identifier: MIT
# Writes values/special_*.npy of the integers besides int and int64, at the ends of their range: python3 make_integers.py
import numpy as np

from written import here, pairs, table

np.seterr(all="ignore")

INTEGER = dict(
    add=np.add, subtract=np.subtract, multiply=np.multiply, floor_divide=np.floor_divide, negative=lambda x, y: -x, abs=lambda x, y: np.abs(x),
    sign=lambda x, y: np.sign(x), sqr=lambda x, y: x * x, relu=lambda x, y: np.maximum(x, x.dtype.type(0)), maximum=np.maximum, minimum=np.minimum,
    equal=np.equal, less=np.less, greater_equal=np.greater_equal, where=lambda x, y: np.where(x < y, x, y),
    clip=lambda x, y: np.minimum(np.maximum(x, y), x.dtype.type(3)))
REST = dict(
    fmod=np.fmod, remainder=np.remainder, bitwise_and=np.bitwise_and, bitwise_or=np.bitwise_or, bitwise_xor=np.bitwise_xor,
    bitwise_not=lambda x, y: ~x, left_shift=np.left_shift, right_shift=np.right_shift)

for kind in (np.int8, np.uint8, np.int16, np.uint16, np.uint32, np.uint64):
    name, limits = np.dtype(kind).name, np.iinfo(kind)
    bits = limits.bits
    half = limits.max // 2
    numbers = [0, 1, 2, 3, 7, bits - 1, bits, bits + 1, 100, limits.max, limits.min, limits.max - 1, limits.min + 1, half, half + 1, half + 2]
    if limits.min < 0:
        numbers += [-1, -2, -3, -7, -100]
    x = np.array(numbers, kind)
    np.save(here / f"special_integer_{name}.npy", table(INTEGER, *pairs(x)))
    np.save(here / f"special_bits_{name}.npy", table(REST, *pairs(x)))
    n = len(x)
    rows = np.tile(x, (n, 1))
    rows[np.tri(n, dtype=bool)] = 5
    np.save(here / f"special_integer_rows_{name}.npy", rows)
    wide = np.uint64 if limits.min == 0 else np.int64
    reduced = [rows.sum(1), rows.prod(1), rows.max(1), rows.min(1), rows.argmax(1), rows.argmin(1), np.count_nonzero(rows, 1)]
    assert reduced[0].dtype == wide and reduced[2].dtype == kind
    np.save(here / f"special_integer_reduced_{name}.npy", np.stack([r.astype(wide) for r in reduced]).view(np.int64))
    along = [rows.cumsum(1), rows.cumprod(1), np.sort(rows, 1), np.argsort(rows, 1, kind="stable"), np.sort(rows, 0)]
    np.save(here / f"special_integer_along_{name}.npy", np.stack([r.astype(wide).ravel() for r in along]).view(np.int64))
