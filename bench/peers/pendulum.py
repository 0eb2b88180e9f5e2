# SPDX-License-Identifier: MIT
"""The work of pendulum.cpp: the derivatives backwards through all steps, as each library takes them."""
from compare import Table, finish, jax, np, of_pytensor, pt, pytensor, torch

turns, h = 200, 0.05
t = np.arange(turns)
measured = 1.2 * np.cos(0.1 * t) * np.exp(-0.0075 * t)
start = (3.0, 0.1, 1.0)


def runge_kutta(sin, stiffness, damping, angle, speed):
    def slope(angle, speed):
        return speed, -stiffness * sin(angle) - damping * speed

    a, b = slope(angle, speed)
    c, d = slope(angle + h / 2 * a, speed + h / 2 * b)
    e, f = slope(angle + h / 2 * c, speed + h / 2 * d)
    g, i = slope(angle + h * e, speed + h * f)
    return angle + h / 6 * (a + 2 * c + 2 * e + g), speed + h / 6 * (b + 2 * d + 2 * f + i)


table = Table("pendulum: cost and 3 derivatives through 200 steps of Runge and Kutta, float64")
if torch:
    of_torch = torch.from_numpy(measured)

    def step(stiffness, damping, angle, speed):
        return runge_kutta(torch.sin, stiffness, damping, angle, speed)

    def gradient_of(turn):
        p = [torch.tensor(x, dtype=torch.float64, requires_grad=True) for x in start]
        angle, speed, angles = p[2], 0 * p[2], []
        for _ in range(turns):
            angles.append(angle)
            angle, speed = turn(p[0], p[1], angle, speed)
        cost = ((torch.stack(angles) - of_torch) ** 2).mean()
        cost.backward()
        return cost, *(x.grad for x in p)

    compiled = torch.compile(step)
    table.row("PyTorch, autograd", lambda: gradient_of(step), 1e-9)
    table.row("PyTorch, compiled step", lambda: gradient_of(compiled), 1e-9)
if jax:
    jax.config.update("jax_enable_x64", True)
    jnp = jax.numpy
    of_jax = jnp.asarray(measured)

    def cost_of(stiffness, damping, angle):
        def turn(now, _):
            return runge_kutta(jnp.sin, stiffness, damping, *now), now[0]

        return ((jax.lax.scan(turn, (angle, 0 * angle), length=turns)[1] - of_jax) ** 2).mean()

    compiled_gradient = jax.jit(jax.value_and_grad(cost_of, (0, 1, 2)))

    def with_jax():
        cost, slopes = jax.block_until_ready(compiled_gradient(*start))
        return cost, *slopes

    table.row("JAX, jit and lax.scan", with_jax, 1e-9)
if pytensor:
    pytensor.config.floatX = "float64"

    def in_pytensor(stiffness, damping, angle):
        def turn(angle, speed, stiffness, damping):
            return runge_kutta(pt.sin, stiffness, damping, angle, speed)

        later = pytensor.scan(turn, outputs_info=[angle, 0 * angle], non_sequences=[stiffness, damping], n_steps=turns - 1, return_updates=False)[0]
        cost = ((pt.concatenate([angle[None], later]) - measured) ** 2).mean()
        return cost, *pt.grad(cost, [stiffness, damping, angle])

    table.row("PyTensor, scan", of_pytensor(in_pytensor, *map(np.asarray, start)), 1e-9)
table.measure()
finish(Eigen="it has no derivatives of loops", NumPy="it has no derivatives")
