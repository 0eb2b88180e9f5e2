# SPDX-License-Identifier: MIT
# Writes values/part_statistics_*.npy, what NumPy makes of spreads, norms and quantiles, in the format of make_parts.py: python3 make_statistics.py
import warnings

import numpy as np

from written import here, packed

random = np.random.default_rng(20240103)
nan, inf = np.nan, np.inf
warnings.simplefilter("ignore")


def save(name, *results):
    packed(f"statistics_{name}", *results)


def spreads(x):
    y = x[0] if x.shape[0] else x.sum(0)
    return (x.var(), x.var(0), x.var(1, keepdims=True), x.var(0, ddof=1), x.std(), x.std(1, ddof=1), x.std((0, 1), keepdims=True), np.linalg.norm(x), np.linalg.norm(x, axis=0),
            *(np.linalg.norm(x, p, 1) for p in (1, 2, 3, 0.5, 0)), np.count_nonzero(x), np.count_nonzero(x, 0), np.nansum(x, 0), np.nanprod(x, 1), np.nanmean(x, 0), np.nanvar(x, 1),
            np.nanvar(x, 0, ddof=1), np.nanstd(x), np.cov(x), np.cov(x, ddof=0), np.cov(y), np.corrcoef(x), np.corrcoef(y, y * y))


def norms(x):
    w = np.arange(1.0, x.shape[1] + 1)
    return (*(np.linalg.norm(x, p, 1) for p in (inf, -inf, -1)), *(np.linalg.norm(x, p) for p in (1, -1, inf, -inf)), *(np.linalg.norm(x.T, p) for p in (1, -inf)), np.ptp(x), np.ptp(x, 0),
            np.ptp(x, 1, keepdims=True), np.nanmax(x), np.nanmin(x, 0), np.nanmax(x, 1, keepdims=True), np.average(x, 1, w), np.average(x, weights=x * x + 1), np.average(x, 0, x * x + 1))


def quantiles(x):
    return (np.median(x), np.median(x, 0), np.median(x, 1, keepdims=True), *(np.quantile(x, q, 0) for q in (0, 0.25, 0.9, 1)), np.quantile(x, 0.7), np.quantile(x, 0.1, 1, keepdims=True),
            np.nanmedian(x), np.nanmedian(x, 0), np.nanmedian(x, 1, keepdims=True), np.nanquantile(x, 0.3, 0), np.nanquantile(x, 0.8, 1))


matrices = {
    "5x6": random.normal(size=(5, 6)) * 3 + 1,
    "1x1": np.array([[2.5]]),
    "4x1": np.array([[3.0], [-1.0], [0.0], [3.0]]),
    "2x7": np.round(random.normal(size=(2, 7)) * 2),
    "7x2": random.normal(size=(7, 2)) + 1e6,
    "nan": np.where(random.uniform(size=(6, 5)) < 0.3, nan, np.round(random.normal(size=(6, 5)) * 4)),
    "inf": np.array([[inf, 1, 2, inf], [0, -inf, 3, 4], [1, 2, 3, 4]]),
    "0x3": np.zeros((0, 3)),
    "3x0": np.zeros((3, 0)),
}
matrices["nan"][:, 2] = nan
for name, x in matrices.items():
    np.save(here / f"part_statistics_of_{name}.npy", x)
    for type in (np.float32, np.float64):
        # Of float the result in double: what it is compared with has no rounding of its own.
        y = x.astype(type).astype(np.float64)
        save(f"spreads_{name}_{type.__name__}", *spreads(y))
        if min(x.shape) > 0:
            save(f"norms_{name}_{type.__name__}", *norms(y))
            save(f"quantiles_{name}_{type.__name__}", *quantiles(y))

x = np.where(random.uniform(size=(3, 4, 5)) < 0.1, nan, np.round(random.normal(size=(3, 4, 5)) * 4))
np.save(here / "part_statistics_of_3x4x5.npy", x)
save("axes", x.var((0, 2)), np.nanstd(x, (1, 2), keepdims=True), np.nanmedian(x, (0, 2)), np.nanquantile(x, 0.35, (2, 1), keepdims=True), np.nanquantile(x, 0.5, (0, 1, 2)),
     np.median(x, (0, 1)), np.linalg.norm(x, axis=(1, 2)), np.linalg.norm(x, 1, (2, 0)), np.linalg.norm(x, inf, (0, 1), keepdims=True), np.nanmax(x, (0, 2)), np.nansum(x, 1))

x = random.normal(size=(3, 4, 5))
np.save(here / "part_statistics_of_normal.npy", x)
norm = np.linalg.norm
save("more", norm(x[0], 2), norm(x[0], -2), norm(x, 2, (0, 1)), norm(x, -2, (2, 0), keepdims=True), np.cov(x[0], x[1]), np.cov(x[0, 0], x[1]), np.corrcoef(x[1], x[2, 0]),
     np.average(x), np.average(x, 1), np.average(x, (0, 2), keepdims=True), np.percentile(x, 30), np.percentile(x, 12.5, (0, 1), keepdims=True), np.argmax(x, 1, keepdims=True),
     np.argmin(x, 0, keepdims=True), np.argmax(x, keepdims=True))
x = np.where(random.uniform(size=(3, 4, 5)) < 0.3, nan, np.round(x * 4))
x[1] = np.arange(20).reshape(4, 5)
np.save(here / "part_statistics_of_gaps.npy", x)
save("gaps", np.nanargmax(x, 0), np.nanargmin(x), np.nanargmax(x), np.nanargmin(x, 0, keepdims=True), np.nanpercentile(x, 30, 0), np.nanpercentile(x, 60, (0, 2), keepdims=True))
