#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""W1 to W5 and W8 on the GPU in PyTorch (eager and compiled) and JAX, where they are installed: the work, the sizes and
the units of the programs cuda_*.cu beside this file. Arrays lie on the GPU; calls are queued, then waited for.

usage: python3 cuda_peers.py          on the GPU
       python3 cuda_peers.py --try    small, on whatever device there is: whether the script works, and no measurement
"""
import importlib
import os
import statistics
import sys
import time

trying = "--try" in sys.argv[1:]
# croton, PyTorch and JAX share the memory of one GPU.
os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")

features = 784
rate, beta1, beta2, epsilon = 1e-3, 0.9, 0.999, 1e-8
wrong = False


def installed(module, name):
    try:
        return importlib.import_module(module)
    except ImportError:
        print(f"{name}: not installed")
        return None


np = installed("numpy", "NumPy")
torch = installed("torch", "PyTorch")
jax = installed("jax", "JAX")
if not np:
    sys.exit(77)
if torch and not trying and not torch.cuda.is_available():
    print("PyTorch: sees no GPU")
    torch = None
if jax and not trying and jax.default_backend() != "gpu":
    print("JAX: sees no GPU")
    jax = None
if not torch and not jax:
    sys.exit(77)
if torch:
    device = "cuda" if torch.cuda.is_available() else "cpu"
    # float32 is float32, as in croton unless it is told otherwise.
    torch.backends.cuda.matmul.allow_tf32 = False
    functional = torch.nn.functional
if jax:
    jax.config.update("jax_default_matmul_precision", "highest")
    jnp = jax.numpy

random = np.random.default_rng(1)


def uniform(low, high, *shape):
    return random.uniform(low, high, shape).astype(np.float32)


def on_torch(*arrays):
    return [torch.from_numpy(np.array(a)).to(device) for a in arrays]


def on_jax(*arrays):
    return [jax.device_put(a) for a in arrays]


def to_numpy(x):
    return x.detach().cpu().numpy() if torch and isinstance(x, torch.Tensor) else np.asarray(x)


class Torch:
    """Rows of PyTorch: what waits for the GPU."""

    @staticmethod
    def wait(_):
        if device == "cuda":
            torch.cuda.synchronize()


class Jax:
    @staticmethod
    def wait(result):
        jax.block_until_ready(result)


class Table:
    """Rows timed in turn; a row is a call and what waits for its end. The results of the first calls are compared."""
    rounds = 3 if trying else 15
    sample_seconds = 1e-3 if trying else 0.02

    def __init__(self, title, tolerance, bytes=0, flops=0):
        self.title, self.tolerance, self.bytes, self.flops = title, tolerance, bytes, flops
        self.rows, self.first = [], None

    def row(self, name, library, call):
        """`call` returns what it computes, as a list."""
        global wrong
        try:
            for _ in range(3):  # compilers, clocks; steps of training go on from here
                result = call()
            library.wait(result)
        except Exception as error:  # a row that cannot run must not take the others with it
            print(f"  {name}: {type(error).__name__}: {(str(error).strip().splitlines() or [''])[0]}")
            return
        values = [to_numpy(x).astype(np.float64) for x in result]
        if self.first is None:
            self.first = values
        for value, other in zip(values, self.first):
            found = float(np.max(np.abs(value - other) / np.maximum(1, np.abs(other)))) if value.size else 0.0
            if not found <= self.tolerance:
                wrong = True
                print(f"  {name}: differs from the first row by {found:.3g}  WRONG")
        self.rows.append((name, library, call, []))

    @staticmethod
    def time(library, call, count):
        begin = time.perf_counter()
        for _ in range(count):
            result = call()
        library.wait(result)
        return (time.perf_counter() - begin) / count

    def finish(self):
        counts = [min(2000, max(2, int(self.sample_seconds / self.time(library, call, 2))))
                  for _, library, call, _ in self.rows]
        for _ in range(self.rounds):
            for (_, library, call, times), count in zip(self.rows, counts):
                times.append(self.time(library, call, count))
        print(self.title)
        for name, _, _, times in self.rows:
            median = statistics.median(times)
            line = f"  {name:<44} {median * 1e6:10.2f} us  ({min(times) * 1e6:.2f} to {max(times) * 1e6:.2f})"
            if self.bytes:
                line += f"  {self.bytes / median * 1e-9:7.1f} GB/s"
            if self.flops:
                line += f"  {self.flops / median * 1e-9:8.1f} GFLOP/s"
            print(line, flush=True)


def functions(table, name, torch_function, jax_function, arguments):
    """A row of each library for a function of arrays that gives one array."""
    if torch:
        given = on_torch(*arguments)
        table.row(f"PyTorch{name}", Torch, lambda: [torch_function(*given)])
        compiled = torch.compile(torch_function)
        table.row(f"PyTorch{name}, compiled", Torch, lambda: [compiled(*given)])
    if jax:
        there = on_jax(*arguments)
        jitted = jax.jit(jax_function)
        table.row(f"JAX{name}", Jax, lambda: [jitted(*there)])


def gemm_bias(n):
    arguments = [uniform(-1, 1, n, n) for _ in range(3)]
    table = Table(f"W1 gemm_bias, {n} x {n} float32", 1e-3, flops=2.0 * n**3)
    functions(table, ", resident", lambda m, x, b: torch.addmm(b, m, x), lambda m, x, b: m @ x + b, arguments)
    if torch:
        table.row("PyTorch, arguments and result on the host", Torch,
                  lambda: [torch.addmm(*on_torch(arguments[2], *arguments[:2])).cpu()])
    if jax:
        jitted = jax.jit(lambda m, x, b: m @ x + b)
        table.row("JAX, arguments and result on the host", Jax, lambda: [np.asarray(jitted(*arguments))])
    table.finish()


def exponential(n):
    table = Table(f"W2 exp, {n} float32", 1e-5, bytes=8.0 * n)
    functions(table, "", lambda x: torch.exp(x), lambda x: jnp.exp(x), [uniform(-2, 2, n)])
    table.finish()


def composite(n):
    table = Table(f"W5 composite, {n} float32", 1e-5, bytes=32.0 * n)

    def expression(sqrt):
        return lambda a, b, c, d, e, f, g: a * b - (c * d) / sqrt(c + e + f + g * g)

    functions(table, "", expression(torch.sqrt if torch else None), expression(jnp.sqrt if jax else None),
              [uniform(0.1, 1, n) for _ in range(7)])
    table.finish()


def logistic(n):
    x = uniform(-1, 1, n, features)
    y = (uniform(-1, 1, n) > 0).astype(np.float32)
    start = uniform(-0.1, 0.1, features)
    table = Table(f"W3 logistic, {n} x {features} float32", 1e-4, bytes=2.0 * 4 * features * n)
    if torch:
        tx, ty = on_torch(x, y)

        def step(w, b):
            z = tx @ w + b
            error = functional.binary_cross_entropy_with_logits(z, ty, reduction="none")
            cost = error.mean() + 0.01 * (w * w).sum()
            gw, gb = torch.autograd.grad(cost, (w, b))
            with torch.no_grad():
                w.sub_(gw, alpha=0.1)
                b.sub_(gb, alpha=0.1)
                return w, z > 0, error

        def by_hand(w, b):
            """The gradient written by hand, so that nothing but fusion is left to a compiler."""
            z = tx @ w + b
            error = functional.binary_cross_entropy_with_logits(z, ty, reduction="none")
            residual = torch.sigmoid(z) - ty
            new_w = 0.998 * w - (0.1 / n) * (residual @ tx)
            new_b = b - 0.1 * residual.mean()
            w.copy_(new_w)
            b.copy_(new_b)
            return w, z > 0, error

        def row(name, function, differentiates):
            (w,) = on_torch(start)
            b = torch.zeros((), device=device)
            if differentiates:
                w.requires_grad_()
                b.requires_grad_()
            table.row(name, Torch, lambda: function(w, b))

        row("PyTorch, autograd", step, True)
        row("PyTorch, gradient by hand, compiled", torch.compile(by_hand), False)
    if jax:
        jx, jy = on_jax(x, y)

        def cost_of(state):
            w, b = state
            z = jx @ w + b
            error = jnp.maximum(z, 0) - jy * z + jnp.log1p(jnp.exp(-jnp.abs(z)))
            return error.mean() + 0.01 * (w * w).sum(), (z > 0, error)

        def jax_step(state):
            (_, extra), (gw, gb) = jax.value_and_grad(cost_of, has_aux=True)(state)
            return (state[0] - 0.1 * gw, state[1] - 0.1 * gb), extra

        jitted = jax.jit(jax_step, donate_argnums=0)
        held = {"state": tuple(on_jax(start, np.float32(0)))}

        def call():
            held["state"], extra = jitted(held["state"])
            return [held["state"][0], *extra]

        table.row("JAX, grad", Jax, call)
    table.finish()


def network():
    samples, widths = 100, (784, 1000, 1000, 10)
    x = uniform(0, 1, samples, widths[0])
    label = np.arange(samples) * 7 % widths[-1]
    start = []
    for inputs, outputs in zip(widths, widths[1:]):
        start += [uniform(-0.05, 0.05, inputs, outputs), np.zeros(outputs, np.float32)]
    table = Table("W4 mlp_adam, 784-1000-1000-10, 100 samples, float32", 1e-4)
    if torch:
        tx, tlabel = on_torch(x, label)

        def cost_of(w1, b1, w2, b2, w3, b3):
            h1 = torch.relu(torch.addmm(b1, tx, w1))
            h2 = torch.relu(torch.addmm(b2, h1, w2))
            return functional.cross_entropy(torch.addmm(b3, h2, w3), tlabel)

        def row(name, function, fused):
            leaves = [p.requires_grad_() for p in on_torch(*start)]
            how = {"fused": True} if fused and device == "cuda" else {}
            optimizer = torch.optim.Adam(leaves, lr=rate, betas=(beta1, beta2), eps=epsilon, **how)

            def call():
                cost = function(*leaves)
                optimizer.zero_grad()
                cost.backward()
                optimizer.step()
                return [cost]

            table.row(name, Torch, call)

        row("PyTorch, autograd and optim.Adam", cost_of, False)
        row("PyTorch, compiled, fused optim.Adam", torch.compile(cost_of), True)
    if jax:
        jx, jlabel = on_jax(x, label)

        def jax_cost(p):
            w1, b1, w2, b2, w3, b3 = p
            h1 = jax.nn.relu(jx @ w1 + b1)
            h2 = jax.nn.relu(h1 @ w2 + b2)
            logits = jax.nn.log_softmax(h2 @ w3 + b3)
            return -jnp.mean(jnp.take_along_axis(logits, jlabel[:, None], axis=1))

        def jax_step(state):
            parameters, first, second, steps = state
            cost, gradients = jax.value_and_grad(jax_cost)(parameters)
            steps = steps + 1
            first = [beta1 * m + (1 - beta1) * g for m, g in zip(first, gradients)]
            second = [beta2 * v + (1 - beta2) * g * g for v, g in zip(second, gradients)]
            size, correction = rate / (1 - beta1**steps), 1 / (1 - beta2**steps)
            parameters = [p - size * m / (jnp.sqrt(v * correction) + epsilon)
                          for p, m, v in zip(parameters, first, second)]
            return (parameters, first, second, steps), cost

        jitted = jax.jit(jax_step, donate_argnums=0)
        zeros = [[np.zeros_like(p) for p in start] for _ in range(2)]
        held = {"state": (on_jax(*start), on_jax(*zeros[0]), on_jax(*zeros[1]), jnp.float32(0))}

        def call():
            held["state"], cost = jitted(held["state"])
            return [cost]

        table.row("JAX, grad and Adam by hand", Jax, call)
    table.finish()


def one_number():
    table = Table("W8 call: y = x + 1 of one number that lies on the device", 0)
    functions(table, "", lambda x: x + 1, lambda x: x + 1, [np.float32(1)])
    if torch:
        table.row("PyTorch, the number on the host", Torch, lambda: [torch.tensor(1.0, device=device) + 1])
    if jax:
        jitted = jax.jit(lambda x: x + 1)
        table.row("JAX, the number on the host", Jax, lambda: [jitted(np.float32(1))])
    table.finish()


for size in (64,) if trying else (1000, 4096):
    gemm_bias(size)
for size in (1000,) if trying else (230_400, 16 << 20, 256 << 20):
    exponential(size)
for size in (40,) if trying else (400, 4_000, 40_000):
    logistic(size)
network()
for size in (1000,) if trying else (1_000_000, 64 << 20):
    composite(size)
one_number()
versions = [f"Python {sys.version.split()[0]}"]
if torch:
    name = torch.cuda.get_device_name(0) if device == "cuda" else "the CPU"
    versions.append(f"PyTorch {torch.__version__} on {name}")
if jax:
    versions.append(f"JAX {jax.__version__} on {jax.devices()[0].device_kind}")
print("; ".join(versions))
sys.exit(1 if wrong else 0)
