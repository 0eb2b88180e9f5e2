# SPDX-License-Identifier: MIT
"""The work of vae.cpp in PyTorch, JAX and PyTensor, each with its own random numbers."""
import numpy as np

from compare import Table, adam_of_jax, adam_of_pytensor, difference, finish, functional, jax, pt, pytensor, torch, uniform

images, pixels, hidden, latent, rate = 100, 784, 400, 20, 1e-3
image = uniform(0, 1, images, pixels)
start = []
for i, o in ((pixels, hidden), (hidden, 2 * latent), (latent, hidden), (hidden, pixels)):
    start += [uniform(-1, 1, i, o) * np.float32((6 / (i + o)) ** 0.5), np.zeros(o, np.float32)]


def bound_in(relu, exp, split, likelihood, draw, p, image):
    mean, log_variance = split(relu(image @ p[0] + p[1]) @ p[2] + p[3])
    code = mean + exp(0.5 * log_variance) * draw(mean)
    logits = relu(code @ p[4] + p[5]) @ p[6] + p[7]
    return (likelihood(logits) - 0.5 * (mean**2 + exp(log_variance) - log_variance - 1).sum(-1)).mean()


table = Table("variational autoencoder: one training step, 784-400-20-400-784, batch 100, float32")
if torch:
    of_torch = torch.from_numpy(image)

    def cost_in_torch(p, draw=torch.randn_like):
        def likelihood(logits):
            return -functional.binary_cross_entropy_with_logits(logits, of_torch, reduction="none").sum(-1)

        return -bound_in(torch.relu, torch.exp, lambda x: x.chunk(2, -1), likelihood, draw, p, of_torch)

    def step_of_torch(cost_of):
        p = [torch.from_numpy(each.copy()).requires_grad_() for each in start]
        optimizer = torch.optim.Adam(p, lr=rate, fused=True)

        def step():
            optimizer.zero_grad()
            cost = cost_of(p)
            cost.backward()
            optimizer.step()
            return cost

        return step

    table.row("PyTorch, autograd and fused Adam", step_of_torch(cost_in_torch))
    table.row("PyTorch, compiled", step_of_torch(torch.compile(cost_in_torch)))
if jax:
    jnp = jax.numpy
    of_jax = jnp.asarray(image)

    def cost_in_jax(p, draw):
        def likelihood(logits):
            return (of_jax * logits - jnp.logaddexp(0, logits)).sum(-1)

        return -bound_in(jax.nn.relu, jnp.exp, lambda x: jnp.split(x, 2, -1), likelihood, draw, p, of_jax)

    def step(p, state, key):
        key, used = jax.random.split(key)
        cost, gradients = jax.value_and_grad(cost_in_jax)(p, lambda mean: jax.random.normal(used, mean.shape))
        return cost, *adam_of_jax(p, gradients, state, rate), key

    if torch:  # what can be compared: without draws
        slopes = jax.grad(cost_in_jax)(start, jnp.zeros_like)
        p = [torch.from_numpy(each.copy()).requires_grad_() for each in start]
        cost_in_torch(p, torch.zeros_like).backward()
        table.check("gradients without draws: JAX, PyTorch", difference(slopes, [each.grad for each in p]), 1e-4)
    compiled = jax.jit(step, donate_argnums=(0, 1))
    now = [[jnp.asarray(p) for p in start], (0.0, *([jnp.zeros(p.shape) for p in start] for _ in range(2))), jax.random.key(1)]

    def with_jax():
        cost, *now[:] = compiled(*now)
        cost.block_until_ready()

    table.row("JAX, jit", with_jax)
if pytensor:
    leaves, of_pytensor, state = [pytensor.shared(each) for each in start], pytensor.shared(image), pytensor.shared(np.random.default_rng(1))
    following, numbers = pt.random.normal(0, 1, size=(images, latent), rng=state).owner.outputs

    def likelihood_in_pytensor(logits):
        return (of_pytensor * logits - pt.softplus(logits)).sum(-1)

    cost = -bound_in(lambda x: pt.maximum(x, 0), pt.exp, lambda x: (x[:, :latent], x[:, latent:]), likelihood_in_pytensor,
                     lambda mean: numbers.astype("float32"), leaves, of_pytensor)
    table.row("PyTensor", pytensor.function([], cost, updates=[(state, following), *adam_of_pytensor(cost, leaves, rate)]))
table.measure()
finish(Eigen="it has no derivatives", NumPy="it has no derivatives")
