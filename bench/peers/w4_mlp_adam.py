# SPDX-License-Identifier: MIT
"""The work of w4_mlp_adam.cpp."""
from compare import Table, adam_of_jax, adam_of_pytensor, difference, finish, functional, jax, np, pt, pytensor, torch, uniform


def mlp_adam():
    samples, width = 100, (784, 1000, 1000, 10)
    rate, beta1, beta2, epsilon = 1e-3, 0.9, 0.999, 1e-8
    x = uniform(0, 1, samples, width[0])
    label = np.arange(samples) * 7 % width[-1]
    rows = np.arange(samples)
    parameters = []
    for inputs, outputs in zip(width, width[1:]):
        parameters += [uniform(-0.05, 0.05, inputs, outputs), np.zeros(outputs, np.float32)]
    torch_parameters = [p.copy() for p in parameters]
    first = [np.zeros_like(p) for p in parameters]
    second = [np.zeros_like(p) for p in parameters]
    scratch = [np.empty_like(p) for p in parameters]
    step = 0

    def with_numpy():
        nonlocal step
        step += 1
        w1, b1, w2, b2, w3, b3 = parameters
        h1 = np.maximum(x @ w1 + b1, 0)
        h2 = np.maximum(h1 @ w2 + b2, 0)
        z = h2 @ w3 + b3
        z -= z.max(axis=1, keepdims=True)
        e = np.exp(z)
        sums = e.sum(axis=1, keepdims=True)
        cost = np.mean(np.log(sums[:, 0]) - z[rows, label])
        d3 = e / sums
        d3[rows, label] -= 1
        d3 /= samples
        d2 = (d3 @ w3.T) * (h2 > 0)
        d1 = (d2 @ w2.T) * (h1 > 0)
        gradients = (x.T @ d1, d1.sum(axis=0), h1.T @ d2, d2.sum(axis=0), h2.T @ d3, d3.sum(axis=0))
        step_size = rate / (1 - beta1**step)
        correction = 1 / (1 - beta2**step)
        for p, g, m, v, t in zip(parameters, gradients, first, second, scratch):
            m *= beta1
            np.multiply(g, 1 - beta1, out=t)
            m += t
            v *= beta2
            np.multiply(g, g, out=t)
            t *= 1 - beta2
            v += t
            np.multiply(v, correction, out=t)
            np.sqrt(t, out=t)
            t += epsilon
            np.divide(m, t, out=t)
            t *= step_size
            p -= t
        return cost

    table = Table("W4 mlp_adam: one training step, 784-1000-1000-10, batch 100, float32")
    table.row("NumPy, gradient and Adam by hand", with_numpy)
    if torch:
        tx, tlabel = torch.from_numpy(x), torch.from_numpy(label)
        leaves = [torch.from_numpy(p).requires_grad_() for p in torch_parameters]
        optimizer = torch.optim.Adam(leaves, lr=rate, betas=(beta1, beta2), eps=epsilon)

        def with_torch():
            w1, b1, w2, b2, w3, b3 = leaves
            h1 = torch.relu(torch.addmm(b1, tx, w1))
            h2 = torch.relu(torch.addmm(b2, h1, w2))
            cost = functional.cross_entropy(torch.addmm(b3, h2, w3), tlabel)
            optimizer.zero_grad()
            cost.backward()
            optimizer.step()
            return cost

        for _ in range(3):
            cost, torch_cost = with_numpy(), with_torch()
        table.check("cost of step 3: PyTorch, NumPy", difference([torch_cost.detach()], [cost]), 1e-5)
        # Adam divides by the size of a gradient, so where that is nothing but rounding the step is not small.
        found = difference([p.detach() for p in leaves], parameters)
        table.check("parameters after it: PyTorch, NumPy", found, rate / 3)
        table.row("PyTorch, autograd and optim.Adam", with_torch)

        fused = torch.optim.Adam(leaves, lr=rate, betas=(beta1, beta2), eps=epsilon, fused=True)

        @torch.compile
        def cost_of_leaves(x, label, w1, b1, w2, b2, w3, b3):
            h = torch.relu(torch.relu(x @ w1 + b1) @ w2 + b2)
            return functional.cross_entropy(h @ w3 + b3, label)

        def with_compiled():
            cost = cost_of_leaves(tx, tlabel, *leaves)
            fused.zero_grad()
            cost.backward()
            fused.step()
            return cost

        table.row("PyTorch, compiled, fused Adam", with_compiled)
    if jax:
        jnp = jax.numpy

        def cost_of(p, x, label):
            w1, b1, w2, b2, w3, b3 = p
            h = jax.nn.relu(jax.nn.relu(x @ w1 + b1) @ w2 + b2)
            return -jnp.mean(jax.nn.log_softmax(h @ w3 + b3)[jnp.arange(samples), label])

        def jax_step(p, state, x, label):
            cost, gradients = jax.value_and_grad(cost_of)(p, x, label)
            return *adam_of_jax(p, gradients, state), cost

        step_of_jax = jax.jit(jax_step, donate_argnums=(0, 1))
        own = [jnp.asarray(a) for a in (x, label)]
        zeros = [[jnp.zeros_like(p) for p in parameters] for _ in range(2)]
        state = [[jnp.asarray(p) for p in torch_parameters], (0, *zeros)]

        def with_jax():
            *state[:], cost = step_of_jax(*state, *own)
            return jax.block_until_ready(cost)

        table.row("JAX, jit", with_jax)
    if pytensor:
        leaf = [pytensor.shared(p.copy()) for p in torch_parameters]
        w1, b1, w2, b2, w3, b3 = leaf
        h = pt.maximum(pt.maximum(pytensor.shared(x) @ w1 + b1, 0) @ w2 + b2, 0)
        cost = -pt.mean(pt.special.log_softmax(h @ w3 + b3, axis=1)[rows, label])
        table.row("PyTensor", pytensor.function([], cost, updates=adam_of_pytensor(cost, leaf, rate, beta1, beta2, epsilon)))
    table.measure()


mlp_adam()
finish()
