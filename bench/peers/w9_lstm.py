# SPDX-License-Identifier: MIT
"""The work of w9_lstm.cpp in PyTorch, JAX and PyTensor."""
import numpy as np

from compare import Table, adam_of_jax, adam_of_pytensor, finish, functional, jax, pt, pytensor, torch, uniform


def lstm():
    """The work of w9_lstm.cpp."""
    if not torch:
        return
    characters, width, letters, texts = 64, 256, 100, 32
    turn, text = np.arange(letters + 1)[:, None], np.arange(texts)[None]
    places = torch.from_numpy((turn * turn + 7 * text) % characters)
    read, following = places[:-1], places[1:].reshape(-1)
    embedding = torch.nn.Embedding(characters, width)
    layer, output = torch.nn.LSTM(width, width), torch.nn.Linear(width, characters)
    parameters = [*embedding.parameters(), *layer.parameters(), *output.parameters()]

    def with_torch(optimizer):
        hidden, _ = layer(embedding(read))
        cost = functional.cross_entropy(output(hidden).reshape(-1, characters), following)
        optimizer.zero_grad()
        cost.backward()
        optimizer.step()

    plain, fused = (torch.optim.Adam(parameters, lr=1e-3, fused=fused) for fused in (False, True))
    table = Table("W9 lstm: one training step, 100 letters of 32 texts, 256-256-64, float32")
    table.row("PyTorch, nn.LSTM and optim.Adam", lambda: with_torch(plain))
    table.row("PyTorch, fused Adam", lambda: with_torch(fused))
    start = [uniform(-0.06, 0.06, *shape) for shape in
             ((characters, width), (width, 4 * width), (width, 4 * width), (4 * width,), (width, characters), (characters,))]
    if jax:
        jnp = jax.numpy
        letters_in, letters_out = jnp.asarray(read.numpy()), jnp.asarray(following.numpy())

        def cost_of(p):
            embedded, of_input, recurrent, bias, of_output, output_bias = p
            nothing = jnp.zeros((texts, width), jnp.float32)

            def turn_of(known, x):
                h, c = known
                i, f, g, o = jnp.split(x + h @ recurrent, 4, 1)
                c = jax.nn.sigmoid(f) * c + jax.nn.sigmoid(i) * jnp.tanh(g)
                h = jax.nn.sigmoid(o) * jnp.tanh(c)
                return (h, c), h

            _, hidden = jax.lax.scan(turn_of, (nothing, nothing), embedded[letters_in] @ of_input + bias)
            scores = jax.nn.log_softmax((hidden @ of_output + output_bias).reshape(-1, characters))
            return -jnp.mean(jnp.take_along_axis(scores, letters_out[:, None], 1))

        @jax.jit
        def step(p, state):
            cost, gradients = jax.value_and_grad(cost_of)(p)
            return cost, *adam_of_jax(p, gradients, state)

        now = [[jnp.asarray(p) for p in start], (0, [jnp.zeros_like(p) for p in start], [jnp.zeros_like(p) for p in start])]

        def with_jax():
            cost, *now[:] = step(*now)
            cost.block_until_ready()

        table.row("JAX, jit and lax.scan", with_jax)
    if pytensor:
        embedded, of_input, recurrent, bias, of_output, output_bias = leaves = [pytensor.shared(each) for each in start]

        def turn_of(x, h, c, recurrent):
            i, f, g, o = ((x + h @ recurrent)[:, k * width:(k + 1) * width] for k in range(4))
            c = pt.sigmoid(f) * c + pt.sigmoid(i) * pt.tanh(g)
            return pt.sigmoid(o) * pt.tanh(c), c

        xs = (embedded[read.numpy().ravel()] @ of_input + bias).reshape((letters, texts, 4 * width))
        nothing = pt.zeros((texts, width), dtype="float32")
        hidden, _ = pytensor.scan(turn_of, sequences=[xs], outputs_info=[nothing, nothing], non_sequences=[recurrent], return_updates=False)
        scores = pt.special.log_softmax(hidden.reshape((letters * texts, width)) @ of_output + output_bias, axis=1)
        cost = -pt.mean(scores[np.arange(letters * texts), following.numpy()])
        table.row("PyTensor, scan", pytensor.function([], cost, updates=adam_of_pytensor(cost, leaves)))
    table.measure()


lstm()
finish(Eigen="it has no derivatives", NumPy="it has no derivatives", PyTorch_compiled="it does not compile nn.LSTM, whose loop is one of C++")
