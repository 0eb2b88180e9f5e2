# SPDX-License-Identifier: MIT
"""The work of w10_transformer.cpp in PyTorch and JAX."""
import numpy as np

from compare import Table, difference, finish, functional, jax, torch, uniform


def transformer():
    """The work of w10_transformer.cpp."""
    if not torch:
        return
    characters, width, heads, blocks, length, texts = 64, 128, 4, 2, 64, 16
    rate, decay, beta1, beta2, epsilon = 1e-3, 0.01, 0.9, 0.999, 1e-8
    start = {"letters": uniform(-0.2, 0.2, characters, width), "positions": uniform(-0.2, 0.2, length, width)}
    layers = {"asked": (width, 3 * width), "told": (width, width), "wide": (width, 4 * width), "narrow": (4 * width, width)}
    for name, shape in [(f"{b}.{name}", shape) for b in range(blocks) for name, shape in layers.items()] + [("output", (width, characters))]:
        start[name] = uniform(-0.1, 0.1, *shape)
        start[name + ".bias"] = np.zeros(shape[1], np.float32)
    for name in [f"{b}.{name}" for b in range(blocks) for name in ("attention", "thought")] + ["last"]:
        start[name + ".scale"], start[name + ".offset"] = np.ones(width, np.float32), np.zeros(width, np.float32)
    t, b = np.arange(length), np.arange(texts)[:, None]
    read, following = (t * t + 7 * b) % characters, ((t + 1) ** 2 + 7 * b) % characters

    def logits_in(numbers, norm, gelu, look_back, p, x):
        for block in range(blocks):
            def through(x, name):
                return x @ p[f"{block}.{name}"] + p[f"{block}.{name}.bias"]

            asked = through(norm(x, p[f"{block}.attention.scale"], p[f"{block}.attention.offset"]), "asked").reshape(texts, length, 3, heads, -1)
            parts = numbers(asked)
            x = x + through(look_back(parts[0], parts[1], parts[2]), "told")
            x = x + through(gelu(through(norm(x, p[f"{block}.thought.scale"], p[f"{block}.thought.offset"]), "wide")), "narrow")
        return norm(x, p["last.scale"], p["last.offset"]) @ p["output"] + p["output.bias"]

    leaves = {name: torch.from_numpy(value.copy()).requires_grad_() for name, value in start.items()}
    tread, tfollowing = torch.from_numpy(read), torch.from_numpy(following.ravel())

    def cost_in_torch(p):
        logits = logits_in(lambda asked: asked.permute(2, 0, 3, 1, 4), lambda x, scale, offset: functional.layer_norm(x, (width,), scale, offset), functional.gelu,
                           lambda q, k, v: functional.scaled_dot_product_attention(q, k, v, is_causal=True).transpose(1, 2).reshape(texts, length, width),
                           p, functional.embedding(tread, p["letters"]) + p["positions"])
        return functional.cross_entropy(logits.view(-1, characters), tfollowing)

    table = Table("W10 transformer: one training step, 64 letters of 16 texts, 2 blocks of 4 heads, width 128, float32")

    def step_of_torch(p, cost_of):
        optimizer = torch.optim.AdamW(p.values(), lr=rate, betas=(beta1, beta2), eps=epsilon, weight_decay=decay, fused=True)

        def step():
            optimizer.zero_grad()
            cost = cost_of(p)
            cost.backward()
            torch.nn.utils.clip_grad_norm_(p.values(), 1.0)
            optimizer.step()
            return cost

        return step

    eager = step_of_torch(leaves, cost_in_torch)
    torch_costs = [float(eager().detach()) for _ in range(3)]
    table.row("PyTorch, autograd and fused AdamW", eager)
    copies = {name: torch.from_numpy(value.copy()).requires_grad_() for name, value in start.items()}
    compiled = step_of_torch(copies, torch.compile(cost_in_torch))
    table.check("cost of step 3: compiled, PyTorch", difference([[float(compiled().detach()) for _ in range(3)]], [np.array(torch_costs)]), 1e-4)
    table.row("PyTorch, compiled", compiled)
    if jax:
        jnp = jax.numpy

        def norm(x, scale, offset):
            mean = x.mean(-1, keepdims=True)
            return (x - mean) / jnp.sqrt(((x - mean) ** 2).mean(-1, keepdims=True) + 1e-5) * scale + offset

        def look_back(q, k, v):
            odds = jnp.where(jnp.tri(length, dtype=bool), jnp.einsum("bhqd,bhkd->bhqk", q, k) / (width // heads) ** 0.5, -jnp.inf)
            return jnp.einsum("bhqk,bhkd->bqhd", jax.nn.softmax(odds), v).reshape(texts, length, width)

        def cost_of(p):
            logits = logits_in(lambda asked: asked.transpose(2, 0, 3, 1, 4), norm, lambda x: jax.nn.gelu(x, approximate=False), look_back, p,
                               p["letters"][read] + p["positions"])
            return -jnp.mean(jnp.take_along_axis(jax.nn.log_softmax(logits), jnp.asarray(following)[:, :, None], -1))

        def step(p, means, squares, count):
            cost, g = jax.value_and_grad(cost_of)(p)
            factor = jnp.minimum(1 / jnp.sqrt(sum((each * each).sum() for each in g.values())), 1)
            g, count = {k: each * factor for k, each in g.items()}, count + 1
            means = {k: beta1 * means[k] + (1 - beta1) * g[k] for k in p}
            squares = {k: beta2 * squares[k] + (1 - beta2) * g[k] * g[k] for k in p}
            first, second = 1 - beta1**count, 1 - beta2**count
            p = {k: p[k] * (1 - rate * decay) - rate * (means[k] / first) / (jnp.sqrt(squares[k] / second) + epsilon) for k in p}
            return cost, p, means, squares, count

        compiled_step = jax.jit(step, donate_argnums=(0, 1, 2))
        nothing = [{k: jnp.zeros(v.shape) for k, v in start.items()} for _ in range(2)]
        state = [{k: jnp.asarray(v) for k, v in start.items()}, *nothing, 0.0]

        def with_jax():
            cost, *state[:] = compiled_step(*state)
            return float(cost)

        table.check("cost of step 3: JAX, PyTorch", difference([[with_jax() for _ in range(3)]], [np.array(torch_costs)]), 1e-4)
        table.row("JAX, jit", with_jax)
    table.measure()


transformer()
finish(Eigen="it has no derivatives", NumPy="it has no derivatives", PyTensor="not written in it")
