# SPDX-License-Identifier: MIT
# Writes values/part_linear_*.npy, what NumPy and SciPy make of matrices, in the format of make_parts.py: python3 make_linear.py
import numpy as np
from scipy.linalg import cho_solve, solve_triangular

from written import packed

random = np.random.default_rng(20240311)


def equations(a, b, v):
    spd = a @ np.swapaxes(a, -1, -2)
    sign, logabsdet = np.linalg.slogdet(a)
    one = a if a.ndim == 2 else a[0]
    return (a, b, v, np.linalg.cholesky(spd), np.linalg.solve(a, b), np.linalg.solve(a, v[:, None])[..., 0], np.linalg.inv(a), np.linalg.det(a), sign, logabsdet,
            solve_triangular(one, b), solve_triangular(one, b, lower=True), solve_triangular(one, b, trans=1, unit_diagonal=True), solve_triangular(one, v, trans=1, lower=True),
            cho_solve((np.linalg.cholesky(one @ one.T), True), b))


def decompositions(a, b):
    q, r = np.linalg.qr(a)
    w, v = np.linalg.eigh(a.T @ a)
    u, s, vt = np.linalg.svd(a, full_matrices=False)
    x, _, rank, values = np.linalg.lstsq(a, b, rcond=None)
    inverse, measured = np.linalg.pinv(a, rtol=None), np.linalg.cond(a)
    return (a, b, q, r, w, v * v, u * u, s, vt * vt, x, ((a @ x - b) ** 2).sum(0), rank, values, inverse, measured)


for name, shape in (("1x1", (1, 1)), ("6x4", (6, 4)), ("3x5", (3, 5)), ("5x5", (5, 5)), ("15x11", (15, 11))):
    a = random.normal(size=shape)
    if name == "5x5":
        a[3] = a[1] - 2 * a[2]  # singular
    packed(f"linear_decompositions_{name}", *decompositions(a, random.normal(size=(shape[0], 2))))

random = np.random.default_rng(20240312)
for name, shape, m in (("1x1", (1, 1), 1), ("4x4", (4, 4), 3), ("7x7", (7, 7), 2), ("12x12", (12, 12), 3)):
    a = random.normal(size=shape) + 2 * np.eye(shape[-1])[::-1]
    packed(f"linear_equations_{name}", *equations(a, random.normal(size=(shape[-1], m)), random.normal(size=shape[-1])))
