# SPDX-License-Identifier: MIT
# Writes values/part_einsum_*.npy, what NumPy makes of contractions, in the format of make_parts.py: python3 make_einsum.py
import numpy as np

from written import packed

random = np.random.default_rng(20240104)


def save(name, *results):
    packed(f"einsum_{name}", *results)


def whole(*shape):
    return random.integers(-4, 5, shape) * 1.0


# Whole numbers, whose sums are exact in whatever order.
for name, (i, j, k, b) in {"usual": (3, 4, 5, 2), "ones": (1, 1, 1, 1), "column": (4, 1, 3, 1), "none": (3, 0, 2, 2), "no_rows": (0, 3, 2, 1)}.items():
    x, y, s, t, u, v = whole(i, j), whole(j, k), whole(i, i), whole(b, i, j), whole(b, j, k), whole(j)
    q = whole(b, i, j, k)
    save(f"of_{name}", x, y, s, t, u, v, q)
    e = np.einsum
    save(f"two_{name}", e("ij,jk->ik", x, y), e("ij,jk->ki", x, y), e("ij,jk", x, y), e("ij,j->i", x, v), e("j,jk", v, y), e("ij,ij->", x, x), e("ij,ij->i", x, x), e("i,j->ij", x.sum(1), v),
         e("bij,jk->bik", t, y), e("bij,bjk->bik", t, u), e("bij,bjk->ikb", t, u), e("bij,bjk->ik", t, u), e("bij,kj->bik", t, y.T), e("bij,cij->bc", t, t), e("bij,bij->j", t, t), e("bijk,jk->bi", q, y),
         e("bijk,jk->ib", q, y), e("bijk,bi->jk", q, t.sum(-1)), e("bijk,lj->blik", q, x), e("b...,b...->...", t, t), e("...ij,jk->...ik", t, y), e("...j,j", t, v), e("ij,kl->ijkl", x, y))
    save(f"one_{name}", e("ij->ji", x), e("ij->", x), e("ii", s), e("ii->i", s), e("ij->j", x), e("bij->ib", t), e("ba", x), e("...i->i...", t), e("bijk->kb", q), e("Ba", x), e("i...", t))
    save(f"many_{name}", e("ij,jk,kl->il", x, y, y.T), e("bij,jk,bik->b", t, y, e("bij,jk->bik", t, y)), e("ij,j,jk->ik", x, v, y), e("ab,bc,cd,de,ea->", x, y, y.T, x.T, s), e("i,i,i->i", x.sum(1), x.sum(1), x.sum(1)), np.linalg.multi_dot([x, y, y.T]), np.linalg.multi_dot([v, y, y.T, v]),
         np.linalg.multi_dot([x, y, y.T, v]), np.tensordot(t, y, 1), np.tensordot(q, y), np.tensordot(x, v, 0), np.tensordot(q, t, ((0, 2), (0, 2))), np.tensordot(t, q, ((2, 0), (-2, -4))), np.inner(t, x), np.inner(x, v),
         np.vdot(t, t), np.linalg.matrix_power(s, 0), np.linalg.matrix_power(s, 1), np.linalg.matrix_power(s, 5))
