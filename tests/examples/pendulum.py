#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prints examples/10_pendulum.txt: the same record, solver and steps of Adam in NumPy, with derivatives by complex steps, which have no error of their own.
The solver is looked at beside SciPy's.

usage: python tests/examples/pendulum.py > examples/10_pendulum.txt
"""
import numpy as np
from scipy.integrate import solve_ivp

turns, duration, tiny = 200, 0.05, 1e-40


def angles(stiffness, damping, start):
    def slope(angle, speed):
        return speed, -stiffness * np.sin(angle) - damping * speed

    angle, speed, course = start, 0 * start, []
    for _ in range(turns):
        course.append(angle)
        a1, s1 = slope(angle, speed)
        a2, s2 = slope(angle + duration / 2 * a1, speed + duration / 2 * s1)
        a3, s3 = slope(angle + duration / 2 * a2, speed + duration / 2 * s2)
        a4, s4 = slope(angle + duration * a3, speed + duration * s3)
        angle, speed = angle + duration / 6 * (a1 + 2 * a2 + 2 * a3 + a4), speed + duration / 6 * (s1 + 2 * s2 + 2 * s3 + s4)
    return np.array(course)


truth = np.array([4.0, 0.3, 1.2])
exact = solve_ivp(lambda t, y: (y[1], -truth[0] * np.sin(y[0]) - truth[1] * y[1]), (0, turns * duration), (truth[2], 0.0),
                  t_eval=np.arange(turns) * duration, rtol=1e-10, atol=1e-12).y[0]
assert np.abs(angles(*truth) - exact).max() < 1e-5, np.abs(angles(*truth) - exact).max()

k = np.arange(1, turns + 1)
errors = np.sqrt(-2 * np.log(np.fmod(k * np.sqrt(2.0), 1))) * np.cos(2 * np.pi * np.fmod(k * np.sqrt(3.0), 1))
measured = angles(*truth) + 0.05 * errors
p, mean, square = np.array([3.0, 0.0, 1.0]), np.zeros(3), np.zeros(3)
print(" step    cost  stiffness  damping  start")
for step in range(401):
    costs = ((angles(*(p[:, None] + 1j * tiny * np.eye(3))) - measured[:, None]) ** 2).mean(0)
    if step % 100 == 0:
        print(f"{step:5d}  {costs[0].real:6.4f}  {p[0]:9.3f}  {p[1]:7.3f}  {p[2]:5.3f}")
    gradient = costs.imag / tiny
    mean, square = 0.9 * mean + 0.1 * gradient, 0.999 * square + 0.001 * gradient**2
    p = p - 0.02 * (mean / (1 - 0.9 ** (step + 1))) / (np.sqrt(square / (1 - 0.999 ** (step + 1))) + 1e-8)
print(f"truth          {truth[0]:9.3f}  {truth[1]:7.3f}  {truth[2]:5.3f}")
print("saved to pendulum.npz; loaded again, it is the same")
