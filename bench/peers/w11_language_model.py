# SPDX-License-Identifier: MIT
"""The work of w11_language_model.cpp in PyTorch and JAX."""
import numpy as np

from compare import Table, adam_of_jax, finish, functional, jax, torch, uniform


def language_model():
    """The work of w11_language_model.cpp."""
    if not torch:
        return
    characters, width, letters, texts, dropped = 64, 256, 64, 32, 0.1
    turn, text = np.arange(letters + 1)[:, None], np.arange(texts)[None]
    places = torch.from_numpy((turn * turn + 7 * text) % characters)
    read, following = places[:-1], places[1:].reshape(-1)
    embedding = torch.nn.Embedding(characters, width)
    layers, output = torch.nn.LSTM(width, width, num_layers=2, dropout=dropped), torch.nn.Linear(width, characters)
    parameters = [*embedding.parameters(), *layers.parameters(), *output.parameters()]
    known = [torch.zeros(2, texts, width), torch.zeros(2, texts, width)]

    def cost_of():
        hidden, after = layers(functional.dropout(embedding(read), dropped), tuple(known))
        known[:] = [each.detach() for each in after]
        return functional.cross_entropy(output(functional.dropout(hidden, dropped)).reshape(-1, characters), following)

    optimizer = torch.optim.Adam(parameters, lr=1e-3, fused=True)

    def with_torch():
        cost = cost_of()
        optimizer.zero_grad()
        cost.backward()
        torch.nn.utils.clip_grad_norm_(parameters, 1.0)
        optimizer.step()

    table = Table("W11 language model: one training step, 64 letters of 32 texts, two layers of 256, dropout, float32")
    table.row("PyTorch, nn.LSTM and fused Adam", with_torch)
    if jax:
        jnp = jax.numpy
        letters_in, letters_out = jnp.asarray(read.numpy()), jnp.asarray(following.numpy())
        layer = ((width, 4 * width), (width, 4 * width), (4 * width,))
        start = [uniform(-0.06, 0.06, *shape) for shape in ((characters, width), *layer, *layer, (width, characters), (characters,))]

        def lstm(of_input, recurrent, bias, known, xs):
            def turn_of(known, x):
                h, c = known
                f, i, g, o = jnp.split(x + h @ recurrent, 4, 1)
                c = jax.nn.sigmoid(f) * c + jax.nn.sigmoid(i) * jnp.tanh(g)
                h = jax.nn.sigmoid(o) * jnp.tanh(c)
                return (h, c), h

            return jax.lax.scan(turn_of, known, xs @ of_input + bias)

        def drop(x, key):
            return jnp.where(jax.random.bernoulli(key, 1 - dropped, x.shape), x / (1 - dropped), 0)

        def cost_in_jax(p, known, key):
            keys = jax.random.split(key, 3)
            last1, first = lstm(*p[1:4], known[0], drop(p[0][letters_in], keys[0]))
            last2, second = lstm(*p[4:7], known[1], drop(first, keys[1]))
            scores = jax.nn.log_softmax((drop(second, keys[2]) @ p[7] + p[8]).reshape(-1, characters))
            return -jnp.mean(jnp.take_along_axis(scores, letters_out[:, None], 1)), (last1, last2)

        @jax.jit
        def step(p, state, known, key):
            key, here = jax.random.split(key)
            (cost, known), gradients = jax.value_and_grad(cost_in_jax, has_aux=True)(p, known, here)
            factor = jnp.minimum(1 / jnp.sqrt(sum((each * each).sum() for each in gradients)), 1)
            return cost, *adam_of_jax(p, [each * factor for each in gradients], state), known, key

        nothing = (jnp.zeros((texts, width)), jnp.zeros((texts, width)))
        now = [[jnp.asarray(p) for p in start], (0, [jnp.zeros_like(p) for p in start], [jnp.zeros_like(p) for p in start]), (nothing, nothing), jax.random.key(1)]

        def with_jax():
            cost, *now[:] = step(*now)
            cost.block_until_ready()

        table.row("JAX, jit and lax.scan", with_jax)
    table.measure()


language_model()
finish(Eigen="it has no derivatives", NumPy="it has no derivatives", PyTorch_compiled="it does not compile nn.LSTM, whose loop is one of C++", PyTensor="not written in it")
