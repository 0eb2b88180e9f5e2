# SPDX-License-Identifier: MIT
"""The work of w6_ntm.cpp in PyTorch and JAX."""
import numpy as np

from compare import Table, difference, finish, functional, jax, torch, uniform


def turing_machine(title, circle):
    """The work of w6_ntm.cpp; heads turn by one slot at most, or round the whole circle."""
    if not torch:
        return
    batch, length, bits, controller, slots, wide = 4, 20, 8, 100, 128, 20
    shifts = slots if circle else 3
    turns, head = 2 * length + 2, wide + 3 + shifts
    shapes = dict(gates=(bits + 2 + wide + controller, 4 * controller), bias=(4 * controller,), heads=(controller, 2 * head + 2 * wide),
                  heads_bias=(2 * head + 2 * wide,), output=(controller + wide, bits), output_bias=(bits,), memory=(slots, wide))
    start = {name: uniform(-0.2, 0.2, *shape) for name, shape in shapes.items()}
    wanted = (uniform(0, 1, length, batch, bits) < 0.5).astype(np.float32)
    x = np.zeros((turns, batch, bits + 2), np.float32)
    x[0, :, bits] = x[length + 1, :, bits + 1] = 1
    x[1:length + 1, :, :bits] = wanted
    rate, decay, momentum, epsilon = 1e-4, 0.95, 0.9, 1e-4
    ends = np.cumsum([wide, 1, 1, shifts]).tolist()
    parts = np.cumsum([head, head, wide]).tolist()

    def in_jax():
        def address(memory, asked, before):
            key, beta, gate, shift, gamma = jnp.split(asked, ends, axis=1)
            key, gate, shift = jnp.tanh(key), jax.nn.sigmoid(gate), jax.nn.softmax(shift, axis=1)
            norms = jnp.sqrt((memory * memory).sum(2) + 1e-12) * jnp.sqrt((key * key).sum(1, keepdims=True) + 1e-12)
            found = jax.nn.softmax(jax.nn.softplus(beta) * jnp.einsum("bnd,bd->bn", memory, key) / (norms + 1e-8), axis=1)
            gated = gate * found + (1 - gate) * before
            if circle:
                both = jnp.concatenate([gated[:, 1:], gated], 1)[None]
                moved = jax.lax.conv_general_dilated(both, shift[:, None, ::-1], (1,), "VALID", feature_group_count=batch)[0]
            else:
                moved = shift[:, 0:1] * jnp.roll(gated, -1, 1) + shift[:, 1:2] * gated + shift[:, 2:3] * jnp.roll(gated, 1, 1)
            sharp = (moved + 1e-8) ** (1 + jax.nn.softplus(gamma))
            return sharp / sharp.sum(1, keepdims=True)

        def cost_of(p):
            def turn(state, xt):
                h, c, r, memory, written, looked = state
                i, f, g, o = jnp.split(jnp.concatenate([xt, r, h], 1) @ p["gates"] + p["bias"], 4, axis=1)
                c = jax.nn.sigmoid(f) * c + jax.nn.sigmoid(i) * jnp.tanh(g)
                h = jax.nn.sigmoid(o) * jnp.tanh(c)
                to_write, to_look, erase, add = jnp.split(h @ p["heads"] + p["heads_bias"], parts, axis=1)
                written = address(memory, to_write, written)
                memory = memory * (1 - written[:, :, None] * jax.nn.sigmoid(erase)[:, None]) + written[:, :, None] * jnp.tanh(add)[:, None]
                looked = address(memory, to_look, looked)
                r = jnp.einsum("bn,bnd->bd", looked, memory)
                return (h, c, r, memory, written, looked), jnp.concatenate([h, r], 1) @ p["output"] + p["output_bias"]

            even = jnp.full((batch, slots), 1 / slots)
            nothing = jnp.zeros((batch, controller))
            state = nothing, nothing, jnp.zeros((batch, wide)), jnp.broadcast_to(p["memory"], (batch, slots, wide)), even, even
            logits = jax.lax.scan(turn, state, jnp.asarray(x))[1][-length:]
            return jnp.mean(jax.nn.softplus(logits) - logits * wanted)

        def step(p, square, velocity):
            cost, gradient = jax.value_and_grad(cost_of)(p)
            gradient = {k: jnp.clip(g, -10, 10) for k, g in gradient.items()}
            square = {k: decay * square[k] + (1 - decay) * g * g for k, g in gradient.items()}
            velocity = {k: momentum * velocity[k] + g / jnp.sqrt(square[k] + epsilon) for k, g in gradient.items()}
            return cost, {k: p[k] - rate * velocity[k] for k in p}, square, velocity

        return jax.jit(step, donate_argnums=(0, 1, 2))

    leaves = {name: torch.from_numpy(value.copy()).requires_grad_() for name, value in start.items()}
    squares, velocities = [[torch.zeros_like(p) for p in leaves.values()] for _ in range(2)]
    tx, twanted = torch.from_numpy(x), torch.from_numpy(wanted)

    def address(memory, asked, before):
        key, beta, gate, shift, gamma = asked.split([wide, 1, 1, shifts, 1], 1)
        key, gate, shift = torch.tanh(key), torch.sigmoid(gate), torch.softmax(shift, 1)
        norms = torch.sqrt((memory * memory).sum(2) + 1e-12) * torch.sqrt((key * key).sum(1, keepdim=True) + 1e-12)
        found = torch.softmax(functional.softplus(beta) * torch.bmm(memory, key.unsqueeze(2)).squeeze(2) / (norms + 1e-8), 1)
        gated = gate * found + (1 - gate) * before
        if circle:
            moved = functional.conv1d(torch.cat([gated[:, 1:], gated], 1)[None], shift.flip(1)[:, None], groups=batch)[0]
        else:
            moved = shift[:, 0:1] * torch.roll(gated, -1, 1) + shift[:, 1:2] * gated + shift[:, 2:3] * torch.roll(gated, 1, 1)
        sharp = (moved + 1e-8) ** (1 + functional.softplus(gamma))
        return sharp / sharp.sum(1, keepdim=True)

    def turn(p, xt, state):
        h, c, r, memory, written, looked = state
        i, f, g, o = torch.addmm(p["bias"], torch.cat([xt, r, h], 1), p["gates"]).chunk(4, 1)
        c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
        h = torch.sigmoid(o) * torch.tanh(c)
        to_write, to_look, erase, add = torch.addmm(p["heads_bias"], h, p["heads"]).split([head, head, wide, wide], 1)
        written = address(memory, to_write, written)
        memory = memory * (1 - written[:, :, None] * torch.sigmoid(erase)[:, None]) + written[:, :, None] * torch.tanh(add)[:, None]
        looked = address(memory, to_look, looked)
        r = torch.bmm(looked.unsqueeze(1), memory).squeeze(1)
        return (h, c, r, memory, written, looked), torch.addmm(p["output_bias"], torch.cat([h, r], 1), p["output"])

    def with_torch(turn=turn):
        p = leaves
        nothing, even = torch.zeros(batch, controller), torch.full((batch, slots), 1 / slots)
        state = nothing, nothing, torch.zeros(batch, wide), p["memory"].expand(batch, slots, wide).contiguous(), even, even
        logits = []
        for t in range(turns):
            state, asked = turn(p, tx[t], state)
            if t >= turns - length:
                logits.append(asked)
        cost = functional.binary_cross_entropy_with_logits(torch.stack(logits), twanted)
        gradient = torch.autograd.grad(cost, list(p.values()))
        with torch.no_grad():
            gradient = [g.clamp(-10, 10) for g in gradient]
            torch._foreach_mul_(squares, decay)
            torch._foreach_addcmul_(squares, gradient, gradient, 1 - decay)
            torch._foreach_mul_(velocities, momentum)
            torch._foreach_addcdiv_(velocities, gradient, torch._foreach_sqrt(torch._foreach_add(squares, epsilon)))
            torch._foreach_add_(list(p.values()), velocities, alpha=-rate)
        return cost

    table = Table(title)
    if jax:
        jnp = jax.numpy
        step = in_jax()
        state = [{k: jnp.asarray(v) for k, v in start.items()}] + [{k: jnp.zeros(v.shape) for k, v in start.items()} for _ in range(2)]

        def with_jax():
            cost, *state[:] = step(*state)
            return jax.block_until_ready(cost)

        for _ in range(3):
            cost, torch_cost = with_jax(), with_torch()
        table.check("cost of step 3: PyTorch, JAX", difference([torch_cost.detach()], [np.asarray(cost)]), 1e-5)
        worst = max(float(np.max(np.abs(t.numpy() - state[1][name])) / np.max(state[1][name])) for name, t in zip(leaves, squares))
        table.check("squares of gradients: PyTorch, JAX", worst, 1e-3)
        table.row("JAX: jit of lax.scan", with_jax)
    table.row("PyTorch, autograd", with_torch)
    compiled = torch.compile(turn)
    table.row("PyTorch, each turn compiled", lambda: with_torch(compiled))
    table.measure()


sizes = "one training step, 42 turns, batch 4, memory 128 x 20, LSTM of 100, float32"
turing_machine(f"W6 ntm: {sizes}", circle=False)
turing_machine(f"W6 ntm, heads that turn round the whole circle: {sizes}", circle=True)
finish(Eigen="it has no derivatives", NumPy="it has no derivatives", PyTensor="not written in it")
