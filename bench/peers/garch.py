# SPDX-License-Identifier: MIT
"""The work of garch.cpp: the derivatives backwards through all days, as each library takes them."""
from compare import Table, finish, jax, np, of_pytensor, pt, pytensor, torch

returns = 0.02 * np.sin(0.7 * np.arange(5000))
parameters = (1e-6, 0.1, 0.85)


def next_variance(x, variance, omega, alpha, beta):
    return omega + alpha * x**2 + beta * variance


values, gradients = [], []
if torch:
    of_torch = torch.from_numpy(returns)

    def cost_of_torch(p):
        variance, variances = torch.tensor(1e-4, dtype=torch.float64), []
        for x in of_torch:
            variance = next_variance(x, variance, *p)
            variances.append(variance)
        all = torch.stack(variances)
        return 0.5 * (torch.log(all) + of_torch**2 / all).sum()

    def gradient_of_torch():
        p = [torch.tensor(x, dtype=torch.float64, requires_grad=True) for x in parameters]
        cost = cost_of_torch(p)
        cost.backward()
        return cost, *(x.grad for x in p)

    values.append(("PyTorch, a loop of Python", lambda: cost_of_torch(parameters)))
    gradients.append(("PyTorch, autograd", gradient_of_torch))
if jax:
    jax.config.update("jax_enable_x64", True)
    jnp = jax.numpy
    of_jax = jnp.asarray(returns)

    def cost_of_jax(omega, alpha, beta):
        def turn(variance, x):
            after = next_variance(x, variance, omega, alpha, beta)
            return after, jnp.log(after) + x**2 / after

        return 0.5 * jax.lax.scan(turn, 1e-4, of_jax)[1].sum()

    compiled = jax.jit(cost_of_jax)
    compiled_gradient = jax.jit(jax.value_and_grad(cost_of_jax, (0, 1, 2)))

    def gradient_of_jax():
        cost, found = jax.block_until_ready(compiled_gradient(*parameters))
        return cost, *found

    values.append(("JAX, jit and lax.scan", lambda: jax.block_until_ready(compiled(*parameters))))
    gradients.append(("JAX, jit and lax.scan", gradient_of_jax))
if pytensor:
    pytensor.config.floatX = "float64"

    def cost_of_pytensor(omega, alpha, beta):
        all = pytensor.scan(next_variance, sequences=[pt.as_tensor(returns)], outputs_info=[pt.as_tensor(np.float64(1e-4))], non_sequences=[omega, alpha, beta], return_updates=False)
        return 0.5 * (pt.log(all) + returns**2 / all).sum()

    def gradient_of_pytensor(omega, alpha, beta):
        cost = cost_of_pytensor(omega, alpha, beta)
        return cost, *pt.grad(cost, [omega, alpha, beta])

    values.append(("PyTensor, scan", of_pytensor(cost_of_pytensor, *map(np.asarray, parameters))))
    gradients.append(("PyTensor, scan", of_pytensor(gradient_of_pytensor, *map(np.asarray, parameters))))
for rows, title in ((values, "garch: likelihood of 5,000 returns, float64"), (gradients, "garch: likelihood of 5,000 returns and its 3 derivatives, float64")):
    table = Table(title)
    for who, call in rows:
        table.row(who, call, 1e-9)
    table.measure()
finish(Eigen="it has no derivatives of loops", NumPy="its loop is one of Python", PyTorch_compiled="it would compile 5,000 days written out")
