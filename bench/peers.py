#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The work and the table of the programs beside this file: W1 to W5 in NumPy and, where it is installed, PyTorch, and W6, W7 and W9 in
PyTorch and, where it is installed, JAX.

usage: python bench/peers.py [threads] [names of W1, ...]
"""
import os
import platform
import statistics
import sys
import time

threads = int(sys.argv[1]) if len(sys.argv) > 1 else 1
# BLAS reads these once, while NumPy is imported.
for name in ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "OMP_NUM_THREADS"):
    os.environ[name] = str(threads)

import numpy as np  # noqa: E402

try:
    import torch
    from torch.nn import functional
    torch.set_num_threads(threads)
except ImportError:
    torch = None

try:
    if threads == 1:  # it takes no number of threads, and asks which cores it may use while it is imported
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    import jax
except ImportError:
    jax = None

random = np.random.default_rng(1)
wrong = False


def uniform(low, high, *shape):
    return random.uniform(low, high, shape).astype(np.float32)


def difference(a, b):
    """The largest |a - b| / max(1, |b|) of two lists of arrays; infinite where a number is none."""
    worst = max(float(np.max(np.abs(np.asarray(x) - y) / np.maximum(1, np.abs(y)))) for x, y in zip(a, b, strict=True))
    return worst if worst == worst else float("inf")


class Table:
    """Rows timed in turn, round after round; every row is compared with the first."""
    rounds = 31
    sample_seconds = 5e-3

    def __init__(self, title):
        print(f"{title}, threads {threads}")
        self.rows = []

    def row(self, name, call):
        self.rows.append((name, call))

    def check(self, what, found, tolerance):
        global wrong
        right = found <= tolerance
        wrong = wrong or not right
        print(f"  check {what:<34} max difference {found:.1e} (at most {tolerance:.0e})  {'ok' if right else 'WRONG'}")

    @staticmethod
    def time(call, count):
        begin = time.perf_counter()
        for _ in range(count):
            call()
        return time.perf_counter() - begin

    def calls_per_sample(self, call):
        self.time(call, 1)
        count = 1
        while (taken := self.time(call, count)) < self.sample_seconds / 4:
            count *= 2
        return max(1, int(self.sample_seconds / taken * count))

    def measure(self):
        counts = [self.calls_per_sample(call) for _, call in self.rows]
        samples = [[] for _ in self.rows]
        for turn in range(self.rounds):
            for i in range(len(self.rows)):
                i = (i + turn) % len(self.rows)
                if threads > 1:  # waiting workers of the row before spin for a while
                    time.sleep(0.04)
                call = self.rows[i][1]
                call()
                samples[i].append(self.time(call, counts[i]) / counts[i])
        print(f"  {'':<40} {'median':>11} {'best':>11} {'first/this':>12}")
        for (name, _), times in zip(self.rows, samples):
            ratio = statistics.median(first / this for first, this in zip(samples[0], times))
            print(f"  {name:<40} {in_units(statistics.median(times)):>11} {in_units(min(times)):>11} {ratio:>12.2f}")


def in_units(t):
    unit, scale = ("ns", 1e9) if t < 1e-6 else ("us", 1e6) if t < 1e-3 else ("ms", 1e3)
    return f"{t * scale:.2f} {unit}"


def gemm_bias():
    m, x, b = (uniform(-1, 1, 1000, 1000) for _ in range(3))
    y = np.empty_like(b)

    def with_numpy():
        np.dot(m, x, out=y)
        np.add(y, b, out=y)

    table = Table("W1 gemm_bias: y = dot(m, x) + b, 1000 x 1000 float32")
    table.row("NumPy", with_numpy)
    if torch:
        tm, tx, tb = map(torch.from_numpy, (m, x, b))
        ty = torch.empty_like(tb)

        def with_torch():
            torch.addmm(tb, tm, tx, out=ty)

        with_numpy(), with_torch()
        table.check("PyTorch, NumPy", difference([ty], [y]), 1e-4)
        table.row("PyTorch: addmm", with_torch)
    table.measure()


def exponential():
    x = uniform(-3, 3, 230_400)
    y = np.empty_like(x)
    table = Table("W2 exp: y = exp(x), 230400 float32")
    table.row("NumPy", lambda: np.exp(x, out=y))
    if torch:
        tx = torch.from_numpy(x)
        ty = torch.empty_like(tx)
        np.exp(x, out=y), torch.exp(tx, out=ty)
        table.check("PyTorch, NumPy", difference([ty], [y]), 1e-6)
        table.row("PyTorch", lambda: torch.exp(tx, out=ty))
    table.measure()


def logistic(samples):
    features = 784
    x = uniform(-1, 1, samples, features)
    y = (uniform(0, 1, samples) >= 0.5).astype(np.float32)
    start = uniform(-0.1, 0.1, features)

    w, b = start.copy(), np.zeros((), np.float32)

    def with_numpy():
        """The gradient written by hand: p - y."""
        z = x @ w + b
        e = np.exp(-np.abs(z))
        error = np.maximum(z, 0) - y * z + np.log1p(e)
        p = np.where(z > 0, 1, e) / (1 + e)
        residual = p - y
        np.subtract(0.998 * w, residual @ x * np.float32(0.1 / samples), out=w)
        np.subtract(b, np.float32(0.1) * residual.mean(), out=b)
        return p > 0.5, error

    table = Table(f"W3 logistic: one training step, {samples} x 784 float32")
    table.row("NumPy, gradient by hand", with_numpy)
    if torch:
        tx, ty = torch.from_numpy(x), torch.from_numpy(y)
        tw = torch.from_numpy(start.copy()).requires_grad_()
        tb = torch.zeros((), requires_grad=True)

        def with_torch():
            z = tx @ tw + tb
            error = functional.binary_cross_entropy_with_logits(z, ty, reduction="none")
            cost = error.mean() + 0.01 * (tw * tw).sum()
            gw, gb = torch.autograd.grad(cost, (tw, tb))
            with torch.no_grad():
                tw.sub_(gw, alpha=0.1)
                tb.sub_(gb, alpha=0.1)
                return z > 0, error

        for _ in range(3):
            _, error = with_numpy()
            _, torch_error = with_torch()
        table.check("PyTorch, NumPy after 3 steps",
                    difference([tw.detach(), tb.detach(), torch_error.detach()], [w, b, error]), 1e-4)
        table.row("PyTorch, autograd", with_torch)
    table.measure()


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
    table.measure()


def composite():
    a, b, c, d, e, f, g = operands = [uniform(0.1, 1, 1_000_000) for _ in range(7)]

    def with_numpy():
        return a * b - (c * d) / np.sqrt(c + e + f + g * g)

    table = Table("W5 composite: y = a*b - (c*d) / sqrt(c + e + f + g*g), 1e6 float32")
    table.row("NumPy", with_numpy)
    if torch:
        ta, tb, tc, td, te, tf, tg = map(torch.from_numpy, operands)

        def with_torch():
            return ta * tb - (tc * td) / torch.sqrt(tc + te + tf + tg * tg)

        table.check("PyTorch, NumPy", difference([with_torch()], [with_numpy()]), 1e-6)
        table.row("PyTorch", with_torch)
    table.measure()


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
    table.row("the same, fused Adam", lambda: with_torch(fused))
    if jax:
        jnp = jax.numpy
        letters_in, letters_out = jnp.asarray(read.numpy()), jnp.asarray(following.numpy())
        start = [uniform(-0.06, 0.06, *shape) for shape in
                 ((characters, width), (width, 4 * width), (width, 4 * width), (4 * width,), (width, characters), (characters,))]

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
    table.measure()


def adam_of_jax(parameters, gradients, state, rate=1e-3, beta1=0.9, beta2=0.999, epsilon=1e-8):
    """The next parameters and the next state of Adam; the state is the number of steps, and the two means of each gradient."""
    step, means, squares = state
    step = step + 1
    means = [beta1 * m + (1 - beta1) * g for m, g in zip(means, gradients)]
    squares = [beta2 * v + (1 - beta2) * g * g for v, g in zip(squares, gradients)]
    first, second = 1 - beta1**step, 1 - beta2**step
    return [p - rate * (m / first) / (jax.numpy.sqrt(v / second) + epsilon) for p, m, v in zip(parameters, means, squares)], (step, means, squares)


def lenet():
    """The first table of w7_conv.cpp."""
    samples = 100
    image = torch.from_numpy(uniform(0, 1, samples, 1, 28, 28))
    label = torch.arange(samples) * 7 % 10
    nn = torch.nn
    net = nn.Sequential(nn.Conv2d(1, 6, 5, padding=2), nn.ReLU(), nn.MaxPool2d(2), nn.Conv2d(6, 16, 5), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(),
                        nn.Linear(400, 120), nn.ReLU(), nn.Linear(120, 84), nn.ReLU(), nn.Linear(84, 10))
    start = [p.detach().numpy().copy() for p in net.parameters()]

    def with_torch(optimizer):
        cost = functional.cross_entropy(net(image), label)
        optimizer.zero_grad()
        cost.backward()
        optimizer.step()
        return cost

    plain, fused = (torch.optim.Adam(net.parameters(), lr=1e-3, fused=fused) for fused in (False, True))
    table = Table("W7 lenet: one training step of LeNet-5 with Adam, 100 images of 28 x 28, float32")
    table.row("PyTorch, autograd and optim.Adam", lambda: with_torch(plain))
    table.row("the same, fused Adam", lambda: with_torch(fused))
    if jax:
        jnp, lax = jax.numpy, jax.lax
        x, of_x = jnp.asarray(image.numpy()), jnp.asarray(label.numpy())

        def cost_of(p):
            def layer(x, w, b, padding):
                y = lax.conv_general_dilated(x, w, (1, 1), [(padding, padding)] * 2, dimension_numbers=("NCHW", "OIHW", "NCHW"))
                return lax.reduce_window(jax.nn.relu(y + b[:, None, None]), -jnp.inf, lax.max, (1, 1, 2, 2), (1, 1, 2, 2), "VALID")

            h = layer(layer(x, p[0], p[1], 2), p[2], p[3], 0).reshape(samples, -1)
            h = jax.nn.relu(jax.nn.relu(h @ p[4].T + p[5]) @ p[6].T + p[7]) @ p[8].T + p[9]
            return -jnp.mean(jax.nn.log_softmax(h)[jnp.arange(samples), of_x])

        @jax.jit
        def step(p, state):
            cost, gradients = jax.value_and_grad(cost_of)(p)
            return *adam_of_jax(p, gradients, state), cost

        parameters = [jnp.asarray(p) for p in start]
        state = (0, [jnp.zeros_like(p) for p in parameters], [jnp.zeros_like(p) for p in parameters])

        def with_jax():
            nonlocal parameters, state
            parameters, state, cost = step(parameters, state)
            return cost.block_until_ready()

        with torch.no_grad():
            expected = functional.cross_entropy(net(image), label)
        table.check("cost of step 1: JAX, PyTorch", difference([with_jax()], [expected.numpy()]), 1e-5)
        table.row("JAX, jit", with_jax)
    table.measure()


def convolutions():
    """The other tables of w7_conv.cpp."""
    def compare(what, x, w, padding, gradients):
        tx, tw = torch.from_numpy(x), torch.from_numpy(w)
        c = torch.from_numpy(uniform(-1, 1, *functional.conv2d(tx, tw, padding=padding).shape))

        def backward(mask):
            return torch.ops.aten.convolution_backward(c, tx, tw, None, (1, 1), (padding, padding), (1, 1), False, (0, 0), 1, mask)

        calls = [("forward", lambda: functional.conv2d(tx, tw, padding=padding), lambda x, w, c: forward(x, w))]
        if gradients:
            calls += [("gradient of the images", lambda: backward((True, False, False))[0],
                       lambda x, w, c: jax.vjp(lambda x: forward(x, w), x)[1](c)[0]),
                      ("gradient of the kernels", lambda: backward((False, True, False))[1],
                       lambda x, w, c: jax.vjp(lambda w: forward(x, w), w)[1](c)[0])]

        def forward(x, w):
            return jax.lax.conv_general_dilated(x, w, (1, 1), [(padding, padding)] * 2, dimension_numbers=("NCHW", "OIHW", "NCHW"))

        for name, of_torch, of_jax in calls:
            table = Table(f"{what}, {name}")
            with torch.inference_mode():
                table.row("PyTorch", of_torch)
                if jax:
                    compiled, arguments = jax.jit(of_jax), [jax.numpy.asarray(a) for a in (x, w, c.numpy())]
                    table.check("JAX, PyTorch", difference([compiled(*arguments)], [of_torch().numpy()]), 1e-3)
                    table.row("JAX, jit", lambda compiled=compiled, arguments=arguments: compiled(*arguments).block_until_ready())
                table.measure()

    compare("W7 signals: 4 kernels of 1 x 128 over 4 signals of 255 numbers, float32", uniform(-1, 1, 4, 1, 1, 255),
            uniform(-1, 1, 4, 1, 1, 128), 0, False)
    for channels, extent in ((64, 56), (128, 28)):
        compare(f"W7 layer: {channels} kernels of 3 x 3 over 8 images of {channels} x {extent} x {extent}, padding 1, float32",
                uniform(-1, 1, 8, channels, extent, extent), uniform(-1, 1, channels, channels, 3, 3), 1, True)


def conv():
    if torch:
        lenet()
        convolutions()


def turing_machine():
    """The work of w6_ntm.cpp."""
    if not torch:
        return
    batch, length, bits, controller, slots, wide = 4, 20, 8, 100, 128, 20
    turns, head = 2 * length + 2, wide + 6
    shapes = dict(gates=(bits + 2 + wide + controller, 4 * controller), bias=(4 * controller,), heads=(controller, 2 * head + 2 * wide),
                  heads_bias=(2 * head + 2 * wide,), output=(controller + wide, bits), output_bias=(bits,), memory=(slots, wide))
    start = {name: uniform(-0.2, 0.2, *shape) for name, shape in shapes.items()}
    wanted = (uniform(0, 1, length, batch, bits) < 0.5).astype(np.float32)
    x = np.zeros((turns, batch, bits + 2), np.float32)
    x[0, :, bits] = x[length + 1, :, bits + 1] = 1
    x[1:length + 1, :, :bits] = wanted
    rate, decay, momentum, epsilon = 1e-4, 0.95, 0.9, 1e-4
    ends = np.cumsum([wide, 1, 1, 3]).tolist()
    parts = np.cumsum([head, head, wide]).tolist()

    def in_jax():
        def address(memory, asked, before):
            key, beta, gate, shift, gamma = jnp.split(asked, ends, axis=1)
            key, gate, shift = jnp.tanh(key), jax.nn.sigmoid(gate), jax.nn.softmax(shift, axis=1)
            norms = jnp.sqrt((memory * memory).sum(2) + 1e-12) * jnp.sqrt((key * key).sum(1, keepdims=True) + 1e-12)
            found = jax.nn.softmax(jax.nn.softplus(beta) * jnp.einsum("bnd,bd->bn", memory, key) / (norms + 1e-8), axis=1)
            gated = gate * found + (1 - gate) * before
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
        key, beta, gate, shift, gamma = asked.split([wide, 1, 1, 3, 1], 1)
        key, gate, shift = torch.tanh(key), torch.sigmoid(gate), torch.softmax(shift, 1)
        norms = torch.sqrt((memory * memory).sum(2) + 1e-12) * torch.sqrt((key * key).sum(1, keepdim=True) + 1e-12)
        found = torch.softmax(functional.softplus(beta) * torch.bmm(memory, key.unsqueeze(2)).squeeze(2) / (norms + 1e-8), 1)
        gated = gate * found + (1 - gate) * before
        moved = shift[:, 0:1] * torch.roll(gated, -1, 1) + shift[:, 1:2] * gated + shift[:, 2:3] * torch.roll(gated, 1, 1)
        sharp = (moved + 1e-8) ** (1 + functional.softplus(gamma))
        return sharp / sharp.sum(1, keepdim=True)

    def with_torch():
        p = leaves
        h = c = torch.zeros(batch, controller)
        r, memory = torch.zeros(batch, wide), p["memory"].expand(batch, slots, wide)
        written = looked = torch.full((batch, slots), 1 / slots)
        logits = []
        for t in range(turns):
            i, f, g, o = torch.addmm(p["bias"], torch.cat([tx[t], r, h], 1), p["gates"]).chunk(4, 1)
            c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
            h = torch.sigmoid(o) * torch.tanh(c)
            to_write, to_look, erase, add = torch.addmm(p["heads_bias"], h, p["heads"]).split([head, head, wide, wide], 1)
            written = address(memory, to_write, written)
            memory = memory * (1 - written[:, :, None] * torch.sigmoid(erase)[:, None]) + written[:, :, None] * torch.tanh(add)[:, None]
            looked = address(memory, to_look, looked)
            r = torch.bmm(looked.unsqueeze(1), memory).squeeze(1)
            if t >= turns - length:
                logits.append(torch.addmm(p["output_bias"], torch.cat([h, r], 1), p["output"]))
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

    table = Table("W6 ntm: one training step, 42 turns, batch 4, memory 128 x 20, LSTM of 100, float32")
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
    table.measure()


def processor():
    try:
        with open("/proc/cpuinfo") as info:
            return next(line.split(":", 1)[1].strip() for line in info if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or "unknown processor"


works = {"W1": gemm_bias, "W2": exponential, "W3": lambda: [logistic(count) for count in (400, 4_000, 40_000)], "W4": mlp_adam, "W5": composite,
         "W6": turing_machine, "W7": conv, "W9": lstm}
for name in sys.argv[2:] or works:
    works[name]()
print(f"Python {platform.python_version()}; NumPy {np.__version__}; "
      f"PyTorch {torch.__version__ if torch else 'not installed'}; "
      f"JAX {jax.__version__ if jax else 'not installed'}; {processor()}, {os.cpu_count()} cores")
sys.exit(1 if wrong else 0)
