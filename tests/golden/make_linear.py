# SPDX-License-Identifier: MIT
# Writes values/part_linear_*.npy, what NumPy and SciPy make of matrices, in the format of make_parts.py: python3 make_linear.py
import numpy as np
from scipy.linalg import solve_triangular

from written import packed

random = np.random.default_rng(20240311)


def equations(a, b, v):
    spd = a @ np.swapaxes(a, -1, -2)
    sign, logabsdet = np.linalg.slogdet(a)
    one = a if a.ndim == 2 else a[0]
    return (a, b, v, np.linalg.cholesky(spd), np.linalg.solve(a, b), np.linalg.solve(a, v[:, None])[..., 0], np.linalg.inv(a), np.linalg.det(a), sign, logabsdet,
            solve_triangular(one, b), solve_triangular(one, b, lower=True), solve_triangular(one, b, trans=1, unit_diagonal=True), solve_triangular(one, v, trans=1, lower=True))


for name, shape, m in (("1x1", (1, 1), 1), ("4x4", (4, 4), 3), ("7x7", (7, 7), 2)):
    a = random.normal(size=shape) + 2 * np.eye(shape[-1])[::-1]
    packed(f"linear_equations_{name}", *equations(a, random.normal(size=(shape[-1], m)), random.normal(size=shape[-1])))
