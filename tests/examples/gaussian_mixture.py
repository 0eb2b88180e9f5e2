#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prints examples/13_gaussian_mixture.txt: the same points and the same turns of expectation and maximisation in NumPy.

usage: python tests/examples/gaussian_mixture.py > examples/13_gaussian_mixture.txt
"""
import numpy as np

parts, axes, points = 3, 2, 600
i = np.arange(points)
u, v = np.fmod((i + 1) * np.sqrt(2.0), 1), np.fmod((i + 1) * np.sqrt(3.0), 1)
radius, angle = np.sqrt(-2 * np.log(u)), 2 * np.pi * v
part = np.where(i % 6 < 3, 0, np.where(i % 6 < 5, 1, 2))
centres, stretch = np.array([[0.0, 0], [2, 1], [-1, 2]]), np.array([[1, 0.5], [0.5, 1], [0.7, 0.7]])
off = stretch[part] * np.stack([radius * np.cos(angle), radius * np.sin(angle)], 1)
off[:, 1] += 0.5 * off[:, 0]
x = centres[part] + off

share, mean, covariance = np.full(parts, 1 / parts), np.array([[0.0, 1], [1, 0], [-1, 1]]), np.stack([np.eye(axes)] * parts)
print("turn  logarithm of the likelihood")
for turn in range(81):
    d = x[None] - mean[:, None]
    square = np.einsum("kni,kij,knj->kn", d, np.linalg.inv(covariance), d)
    joint = np.log(share)[:, None] - 0.5 * (square + np.log(np.linalg.det(2 * np.pi * covariance))[:, None])
    evidence = np.logaddexp.reduce(joint, axis=0)
    if turn % 20 == 0:
        print(f"{turn:4d}  {evidence.sum():.4f}")
    belongs = np.exp(joint - evidence)
    weight = belongs.sum(1)
    mean = belongs @ x / weight[:, None]
    d = x[None] - mean[:, None]
    covariance = np.einsum("kn,kni,knj->kij", belongs, d, d) / weight[:, None, None]
    share = weight / points
print("\nshare    mean             covariance")
for k in range(parts):
    c = covariance[k]
    print(f"{share[k]:.4f}  {mean[k, 0]:7.4f} {mean[k, 1]:7.4f}  {c[0, 0]:7.4f} {c[0, 1]:7.4f} {c[1, 1]:7.4f}")
print("\nsaved to mixture.npz; loaded again, the likelihood is the same")
