# SPDX-License-Identifier: MIT
"""The work of heat.cpp. Without a loop of its own, PyTorch compiles a step."""
from compare import Table, finish, jax, np, of_pytensor, pt, pytensor, torch

points, steps, rate = 65, 1000, 0.2048
i, j = np.arange(1, points - 1)[:, None], np.arange(1, points - 1)[None]
plate = np.zeros((points, points))
plate[1:-1, 1:-1] = 1 + 0.5 * np.sin(0.1 * i * i + 0.3 * j)
conductivity = 0.7


def moved(u, by):
    return u[1:-1, 1:-1] + rate * by * (u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2] - 4 * u[1:-1, 1:-1])


def with_numpy():
    u = plate.copy()
    for _ in range(steps):
        u[1:-1, 1:-1] = moved(u, conductivity)
    return u


if torch:
    of_torch = torch.from_numpy(plate)

    def step(u, by):
        return torch.nn.functional.pad(moved(u, by), (1, 1, 1, 1))

    compiled = torch.compile(step)

    def along(turn, by):
        u = of_torch
        for _ in range(steps):
            u = turn(u, by)
        return u

    def gradient_of(turn):
        by = torch.tensor(conductivity, dtype=torch.float64, requires_grad=True)
        cost = (along(turn, by) ** 2).mean()
        cost.backward()
        return cost, by.grad

if jax:
    jax.config.update("jax_enable_x64", True)
    of_jax = jax.numpy.asarray(plate)

    def along_jax(by):
        return jax.lax.scan(lambda u, _: (jax.numpy.pad(moved(u, by), 1), None), of_jax, length=steps)[0]

    forward, gradient = jax.jit(along_jax), jax.jit(jax.value_and_grad(lambda by: (along_jax(by) ** 2).mean()))

if pytensor:
    pytensor.config.floatX = "float64"

    def along_pytensor(by):
        def following(u, by):
            return pt.set_subtensor(u[1:-1, 1:-1], moved(u, by))

        return pytensor.scan(following, outputs_info=[pt.as_tensor(plate)], non_sequences=[by], n_steps=steps, return_updates=False)[-1]

    def slope_of_pytensor(by):
        cost = (along_pytensor(by) ** 2).mean()
        return cost, pt.grad(cost, by)

    number = np.asarray(conductivity)

table = Table("heat equation: 1000 steps on 65 x 65 float64")
table.row("NumPy, in place", with_numpy, 1e-12)
if torch:
    by = torch.tensor(conductivity, dtype=torch.float64)
    table.row("PyTorch", lambda: along(step, by), 1e-12)
    table.row("PyTorch, compiled step", lambda: along(compiled, by), 1e-12)
if jax:
    table.row("JAX, jit and lax.scan", lambda: jax.block_until_ready(forward(conductivity)), 1e-12)
if pytensor:
    table.row("PyTensor, scan", of_pytensor(along_pytensor, number), 1e-12)
table.measure()

table = Table("heat equation: gradient through 1000 steps on 65 x 65 float64")
if torch:
    table.row("PyTorch, autograd", lambda: gradient_of(step), 1e-9)
    table.row("PyTorch, compiled step", lambda: gradient_of(compiled), 1e-9)
if jax:
    table.row("JAX, jit and lax.scan", lambda: jax.block_until_ready(gradient(conductivity)), 1e-9)
if pytensor:
    table.row("PyTensor, scan", of_pytensor(slope_of_pytensor, number), 1e-9)
table.measure()
finish(Eigen="the raw loops are the measure here", NumPy="it has no derivatives")
