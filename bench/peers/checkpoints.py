# SPDX-License-Identifier: MIT
"""The work of checkpoints.cpp, with every state stored."""
from compare import Table, finish, jax, jitted, torch, uniform

turns, batch, states = 1000, 16, 64
arrays = [uniform(-1, 1, turns, batch, states), uniform(-0.1, 0.1, states, states), uniform(-0.15, 0.15, states, states), uniform(-0.1, 0.1, states)]
table = Table("gradient of 1000 turns of a cell of 64 states, 16 at a time")
if torch:
    tx, *leaves = [torch.from_numpy(a) for a in arrays]
    for leaf in leaves:
        leaf.requires_grad_()

    def with_torch():
        w, u, b = leaves
        h, of_x = torch.zeros(batch, states), tx @ w + b
        for t in range(turns):
            h = torch.tanh(of_x[t] + h @ u)
        cost = (h * h).mean()
        return cost, *torch.autograd.grad(cost, leaves)

    table.row("PyTorch, autograd", with_torch, 1e-4)
if jax:
    def cost_of(parameters, x):
        w, u, b = parameters
        h = jax.lax.scan(lambda h, xt: (jax.numpy.tanh(xt + h @ u), None), jax.numpy.zeros((batch, states)), x @ w + b)[0]
        return jax.numpy.mean(h * h)

    def with_jax(x, w, u, b):
        cost, gradients = jax.value_and_grad(cost_of)((w, u, b), x)
        return cost, *gradients

    table.row("JAX, jit of lax.scan", jitted(with_jax, *arrays), 1e-4)
table.measure()
finish(raw="croton with every state kept is the measure here, and how much memory is saved", Eigen="it has no derivatives of loops", NumPy="it has no derivatives",
       PyTorch_compiled="it has no loops: it would compile 1000 turns written out", PyTensor="not written: what is measured is the memory of croton's checkpoints")
