# SPDX-License-Identifier: MIT
"""The work of kalman.cpp: the derivatives backwards through all measurements, as each library takes them."""
from compare import Table, finish, jax, np, torch

measured = np.sin(0.05 * np.arange(1000))
a, p0, c, m0 = np.array([[1, 0.1], [0, 1]]), np.eye(2), np.array([1.0, 0]), np.zeros(2)
q, r = np.array([[0.01, 0.001], [0.001, 0.02]]), np.float64(0.1)


def turn(z, m, p, q, r, a, c, outer, log):
    ahead = a @ m
    spread = a @ p @ a.T + q
    seen = spread @ c
    variance = c @ seen + r
    off = z - c @ ahead
    gain = seen / variance
    return ahead + gain * off, spread - outer(gain, seen), log(variance) + off**2 / variance


values, gradients = [], []


def cost_of_numpy():
    m, p, cost = m0, p0, 0.0
    for z in measured:
        m, p, part = turn(z, m, p, q, r, a, c, np.outer, np.log)
        cost += part
    return 0.5 * cost


values.append(("NumPy, a loop of Python", cost_of_numpy))
if torch:
    ta, tp, tc, tm = map(torch.from_numpy, (a, p0, c, m0))
    tz = torch.from_numpy(measured)

    def cost_of_torch(q, r):
        m, p, cost = tm, tp, 0.0
        for z in tz:
            m, p, part = turn(z, m, p, q, r, ta, tc, torch.outer, torch.log)
            cost = cost + part
        return 0.5 * cost

    def gradient_of_torch():
        tq, tr = torch.from_numpy(q).requires_grad_(), torch.tensor(float(r), dtype=torch.float64, requires_grad=True)
        cost = cost_of_torch(tq, tr)
        cost.backward()
        return cost, tq.grad, tr.grad

    values.append(("PyTorch, a loop of Python", lambda: cost_of_torch(torch.from_numpy(q), torch.tensor(float(r), dtype=torch.float64))))
    gradients.append(("PyTorch, autograd", gradient_of_torch))
if jax:
    jax.config.update("jax_enable_x64", True)
    jnp = jax.numpy
    ja, jp, jc, jm, jz = map(jnp.asarray, (a, p0, c, m0, measured))

    def cost_of_jax(q, r):
        def one(state, z):
            m, p, part = turn(z, *state, q, r, ja, jc, jnp.outer, jnp.log)
            return (m, p), part

        return 0.5 * jax.lax.scan(one, (jm, jp), jz)[1].sum()

    compiled = jax.jit(cost_of_jax)
    compiled_gradient = jax.jit(jax.value_and_grad(cost_of_jax, (0, 1)))

    def gradient_of_jax():
        cost, found = jax.block_until_ready(compiled_gradient(q, r))
        return cost, *found

    values.append(("JAX, jit and lax.scan", lambda: jax.block_until_ready(compiled(q, r))))
    gradients.append(("JAX, jit and lax.scan", gradient_of_jax))
for rows, title in ((values, "kalman: likelihood of 1,000 measurements, 2 states, float64"), (gradients, "kalman: likelihood of 1,000 measurements and its 5 derivatives, 2 states, float64")):
    table = Table(title)
    for who, call in rows:
        table.row(who, call, 1e-9)
    table.measure()
finish(Eigen="it has no derivatives of loops", NumPy="it has no derivatives", PyTensor="Numba refuses what it makes of a turn", PyTorch_compiled="it would compile 1,000 turns written out")
