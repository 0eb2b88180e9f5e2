# SPDX-License-Identifier: MIT
"""What all of peers/ share: the number of threads, the libraries that are installed, checks of results, and the table, which is that of common.hpp."""
import ctypes
import os
import platform
import statistics
import sys
import time

threads = int(sys.argv[2]) if len(sys.argv) > 2 else 1
# BLAS reads these once, while NumPy is imported.
for name in ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "OMP_NUM_THREADS"):
    os.environ[name] = str(threads)

import numpy as np  # noqa: E402

try:
    import torch
    from torch.nn import functional
    torch.set_num_threads(threads)
except ImportError:
    torch = functional = None

try:
    if threads == 1:  # it takes no number of threads, and asks which cores it may use while it is imported
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    import jax
except ImportError:
    jax = None

try:
    import pytensor
    from pytensor import tensor as pt
    pytensor.config.floatX = "float32"
except ImportError:
    pytensor = pt = None

random = np.random.default_rng(1)
wrong = False


def uniform(low, high, *shape):
    return random.uniform(low, high, shape).astype(np.float32)


def number(x):
    return np.asarray(x.detach() if torch and isinstance(x, torch.Tensor) else x)


def difference(a, b):
    """The largest |a - b| / max(1, |b|) of two lists of arrays; infinite where a number is none."""
    pairs = [(number(x).astype(np.float64), number(y).astype(np.float64)) for x, y in zip(a, b, strict=True)]
    worst = max(float(np.max(np.abs(x - y) / np.maximum(1, np.abs(y)))) for x, y in pairs)
    return worst if worst == worst else float("inf")


def as_list(results):
    return list(results) if isinstance(results, (list, tuple)) else [results]


def jitted(f, *arguments):
    """A call of `f` compiled by JAX, on arrays of its own, that waits for the results."""
    compiled, own = jax.jit(f), [jax.numpy.asarray(a) for a in arguments]
    return lambda: jax.block_until_ready(compiled(*own))


def of_pytensor(f, *arguments):
    """A call of `f`, which makes an expression or a list of them, compiled by PyTensor."""
    symbols = [pt.tensor(f"argument{i}", dtype=a.dtype.name, shape=(None,) * a.ndim) for i, a in enumerate(arguments)]
    results = f(*symbols)
    compiled = pytensor.function(symbols, list(results) if isinstance(results, (list, tuple)) else results)
    compiled.trust_input = True
    return lambda: compiled(*arguments)


class Table:
    """Rows timed in turn, round after round; every row is compared with the first."""
    rounds = int(os.environ.get("BENCH_ROUNDS", "31"))
    sample_seconds = 5e-3

    def __init__(self, title):
        print(f"{title}, threads {threads}", flush=True)
        self.rows = []

    def row(self, name, call, tolerance=None):
        """Adds a row; with a tolerance, what it returns is compared with what the first row did."""
        if tolerance is not None and (results := self.try_to(name, call)) is not None:
            if self.rows:
                self.check(f"{name}, {self.rows[0][0]}", difference(as_list(results), self.expected), tolerance)
            else:
                self.expected = [number(r).copy() for r in as_list(results)]
        if tolerance is None or results is not None:
            self.rows.append((name, call))

    @staticmethod
    def try_to(name, call):
        """What a call gives; none where it fails, as what a peer compiles may on a machine that lacks a compiler."""
        try:
            return call()
        except Exception as error:  # noqa: BLE001
            print(f"  {name}: left out, {type(error).__name__}: {(str(error).strip().splitlines() or [''])[0][:120]}", flush=True)
            return None

    def everybody(self, arrays, tolerance, with_numpy=None, with_torch=None, with_jax=None, with_pytensor=None):
        """The same function of the same arrays in each library that is there: PyTorch's as it is and compiled, JAX's compiled."""
        if with_numpy:
            self.row("NumPy", lambda: with_numpy(*arrays), tolerance)
        if torch and with_torch:
            tensors, compiled = [torch.from_numpy(a) for a in arrays], torch.compile(with_torch, dynamic=False)
            self.row("PyTorch", lambda: with_torch(*tensors), tolerance)
            self.row("PyTorch, compiled", lambda: compiled(*tensors), tolerance)
        if jax and with_jax:
            self.row("JAX, jit", jitted(with_jax, *arrays), tolerance)
        if pytensor and with_pytensor:
            self.row("PyTensor", of_pytensor(with_pytensor, *arrays), tolerance)
        self.measure()

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
        counts = [self.try_to(name, lambda call=call: self.calls_per_sample(call)) for name, call in self.rows]
        self.rows = [row for row, count in zip(self.rows, counts) if count]
        counts = [count for count in counts if count]
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
            print(f"  {name:<40} {in_units(statistics.median(times)):>11} {in_units(min(times)):>11} {ratio:>12.2f}", flush=True)


def in_units(t):
    unit, scale = ("ns", 1e9) if t < 1e-6 else ("us", 1e6) if t < 1e-3 else ("ms", 1e3)
    return f"{t * scale:.2f} {unit}"


def adam_of_jax(parameters, gradients, state, rate=1e-3, beta1=0.9, beta2=0.999, epsilon=1e-8):
    """The next parameters and the next state of Adam; the state is the number of steps, and the two means of each gradient."""
    step, means, squares = state
    step = step + 1
    means = [beta1 * m + (1 - beta1) * g for m, g in zip(means, gradients)]
    squares = [beta2 * v + (1 - beta2) * g * g for v, g in zip(squares, gradients)]
    first, second = 1 - beta1**step, 1 - beta2**step
    return [p - rate * (m / first) / (jax.numpy.sqrt(v / second) + epsilon) for p, m, v in zip(parameters, means, squares)], (step, means, squares)


def adam_of_pytensor(cost, parameters, rate=1e-3, beta1=0.9, beta2=0.999, epsilon=1e-8):
    """The updates of shared parameters and of a state of their own by Adam."""
    f = np.float32
    turn = pytensor.shared(f(0))
    changes = [(turn, turn + 1)]
    for p, g in zip(parameters, pt.grad(cost, parameters)):
        mean, square = (pytensor.shared(np.zeros_like(p.get_value())) for _ in range(2))
        next_mean, next_square = f(beta1) * mean + f(1 - beta1) * g, f(beta2) * square + f(1 - beta2) * g * g
        moved = f(rate) * (next_mean / (1 - f(beta1) ** (turn + 1))) / (pt.sqrt(next_square / (1 - f(beta2) ** (turn + 1))) + f(epsilon))
        changes += [(mean, next_mean), (square, next_square), (p, p - moved)]
    return [(old, new.astype(old.dtype)) for old, new in changes]


def processor():
    try:
        with open("/proc/cpuinfo") as info:
            return next(line.split(":", 1)[1].strip() for line in info if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or "unknown processor"


def kernels_of_openblas():
    """The kernels that the OpenBLAS which NumPy brought along has chosen for this processor."""
    try:
        with open("/proc/self/maps") as maps:
            path = next(line.split()[-1] for line in maps if "openblas" in line and "numpy" in line)
        library = ctypes.CDLL(path)
        name = getattr(library, "scipy_openblas_get_corename64_", None) or library.openblas_get_corename
        name.restype = ctypes.c_char_p
        return " " + name().decode()
    except (OSError, StopIteration, AttributeError):
        return ""


def finish(**without):
    """The lines that say why a column has no row in some tables of this program, by its name with _ for a space or `others`, the line that says where the
    numbers come from, and the end of the program."""
    for column, why in without.items():
        print(f"without {column.replace('_', ' ')}: {why}")
    blas = np.show_config(mode="dicts")["Build Dependencies"]["blas"]
    said = {"NumPy": f" ({blas.get('name')} {blas.get('version')}{kernels_of_openblas()})",
            "PyTorch": f" ({'MKL' if torch.backends.mkl.is_available() else 'no MKL'}, {torch.backends.cpu.get_cpu_capability()})" if torch else "",
            "PyTensor": f" ({type(pytensor.compile.mode.get_default_mode().linker).__name__})" if pytensor else ""}
    versions = [f"{name} {library.__version__ + said.get(name, '') if library else 'not installed'}"
                for name, library in (("NumPy", np), ("PyTorch", torch), ("JAX", jax), ("PyTensor", pytensor))]
    print(f"Python {platform.python_version()}; {'; '.join(versions)}; {processor()}, {os.cpu_count()} cores")
    sys.exit(1 if wrong else 0)
