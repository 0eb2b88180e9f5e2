#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""W1 to W5 in NumPy and, where it is installed, PyTorch, and W9 in PyTorch: the work and the table of the programs beside this file.

usage: python bench/peers.py [threads]
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
    table.measure()


def processor():
    try:
        with open("/proc/cpuinfo") as info:
            return next(line.split(":", 1)[1].strip() for line in info if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or "unknown processor"


gemm_bias()
exponential()
for count in (400, 4_000, 40_000):
    logistic(count)
mlp_adam()
composite()
lstm()
print(f"Python {platform.python_version()}; NumPy {np.__version__}; "
      f"PyTorch {torch.__version__ if torch else 'not installed'}; {processor()}, {os.cpu_count()} cores")
sys.exit(1 if wrong else 0)
