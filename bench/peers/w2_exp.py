# SPDX-License-Identifier: MIT
"""The work of w2_exp.cpp."""
from compare import Table, finish, jax, np, pt, torch, uniform

Table("W2 exp: y = exp(x), 230400 float32").everybody([uniform(-3, 3, 230_400)], 1e-6, np.exp, torch and torch.exp, jax and jax.numpy.exp, pt and pt.exp)
finish()
