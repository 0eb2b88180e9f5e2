# SPDX-License-Identifier: MIT
# Writes values/special_fused_*.npy and the like, what has three arguments, two results, an order or truth values: python3 make_fused.py
import itertools

import mpmath
import numpy as np
import torch

from written import here, pairs

np.seterr(all="ignore")


def fma(a, b, c):
    """a b + c, rounded once to the type."""
    kind = type(a)
    if not np.isfinite([a, b, c]).all() or a == 0 or b == 0:
        return a * b + c
    exact = mpmath.fadd(mpmath.fmul(mpmath.mpf(float(a)), mpmath.mpf(float(b)), exact=True), mpmath.mpf(float(c)), prec=np.finfo(kind).nmant + 1)
    return kind(float(exact)) if exact != 0 else a * b + c


def polygamma(n, x):
    """SciPy's takes no x below 0."""
    if np.isnan(x) or (x <= 0 and x == np.floor(x)):
        return np.nan if np.isnan(x) or n % 2 == 0 else np.inf
    if np.isinf(x):
        return 0.0 if n % 2 == 1 else -0.0  # SciPy's, from below
    with mpmath.workdps(40):
        return float(mpmath.polygamma(int(n), mpmath.mpf(float(x))))


for kind in (np.float32, np.float64):
    name, limits = np.dtype(kind).name, np.finfo(kind)
    x = [np.nan, np.inf, -np.inf, 0.0, -0.0, 1 + limits.eps, 1 - limits.epsneg, -1 - limits.eps, -3.1, 7.25, 1e-5, limits.eps, 1e15]
    a, b, c = (np.array(v, kind) for v in zip(*itertools.product(x, x, x)))
    fused = np.array([fma(*t) for t in zip(a, b, c)], kind)
    np.save(here / f"special_fused_{name}.npy", np.stack([a, b, c, fused]))
    x = [0.0, 1, -2.5, 7.25, 0.3, 0.5, -100]
    a, b, c = (np.array(v, kind) for v in zip(*itertools.product(x, x, [0.0, 0.25, 0.49, 0.5, 0.75, 1])))
    between = torch.lerp(*map(torch.from_numpy, (a, b, c))).numpy()
    np.save(here / f"special_between_{name}.npy", np.stack([a, b, c, between]))
    x = np.array([np.nan, np.inf, 0.0, -1, -2, 1e-3, 0.3, 1, 1.5, 2, 7.25, 30, 1e4, -0.3, -0.75, -2.4, -7.6], kind)
    order, of = np.repeat(np.arange(1, 6).astype(kind), len(x)), np.tile(x, 5)
    np.save(here / f"special_polygamma_{name}.npy", np.stack([order, of, np.array([polygamma(n, v) for n, v in zip(order, of)], kind)]))
    x = np.array([np.nan, np.inf, -np.inf, 0.0, -0.0, 1, -1, 0.5, -0.75, 7.5, -3, limits.max, limits.tiny], kind)
    np.save(here / f"special_divmod_{name}.npy", np.stack([*pairs(x), *np.divmod(*pairs(x))]))
for kind in (np.int32, np.int64):
    limits = np.iinfo(kind)
    x = np.array([0, 1, -1, 2, -7, 7, 100, limits.max, limits.min], kind)
    np.save(here / f"special_divmod_{np.dtype(kind).name}.npy", np.stack([*pairs(x), *np.divmod(*pairs(x))]))
x, y = pairs(np.array([False, True]))
np.save(here / "special_truth.npy", np.stack([x, y, np.logical_and(x, y), np.logical_or(x, y), np.logical_xor(x, y), np.logical_not(x), x == y, x != y, x < y, x >= y]))
