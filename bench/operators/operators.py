#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""One table of every elementwise operator: croton, its raw loop on xsimd, a loop by hand over croton's own formula, NumPy (SciPy for what it has not) and
PyTorch, one thread.

usage: python bench/operators/operators.py FOLDER "TYPE..." [operator...]      programs of FOLDER named by their types; NumPy, SciPy and PyTorch where they are installed
"""
import contextlib
import math
import os
import subprocess
import sys
import time

for variable in ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "OMP_NUM_THREADS"):
    os.environ[variable] = "1"
try:
    import numpy as np
except ImportError:
    np = None
try:
    import scipy
    from scipy import special
except ImportError:
    scipy = special = None
try:
    import torch
    torch.set_num_threads(1)
except ImportError:
    torch = None

COUNTS, ROUNDS, CALLS = {"uint8": 65536, "bool": 65536}, int(os.environ.get("BENCH_ROUNDS", "10")), 40
# What is above its limit is measured again, up to so often: other programs only add to a time.
AGAIN = 4
ORDER = 2  # of polygamma, as in operators.cpp
COLUMNS = ["raw xsimd", "by hand", "NumPy", "PyTorch"]

# Where a library calls an operator otherwise than croton; None where it has nothing of the kind in one call.
NUMPY = {"asin": "arcsin", "acos": "arccos", "atan": "arctan", "asinh": "arcsinh", "acosh": "arccosh", "atanh": "arctanh", "atan2": "arctan2",
         "pow": "power", "sqr": "square", "round": "rint", "abs": "absolute", "bitwise_not": "invert", "where": "where", "clip": "clip", "nan_to_num": "nan_to_num"}
SCIPY = {"erf": "erf", "erfc": "erfc", "erfinv": "erfinv", "lgamma": "gammaln", "digamma": "psi", "logit": "logit", "sigmoid": "expit",
         "ndtr": "ndtr", "xlogy": "xlogy", "xlog1py": "xlog1py"}
TORCH = {"pow": "pow", "sqr": "square", "softplus": "nn.functional.softplus", "gelu": "nn.functional.gelu", "ndtr": "special.ndtr", "xlogy": "xlogy",
         "xlog1py": "special.xlog1py", "relu": "relu", "softsign": "nn.functional.softsign", "clip": "clip",
         "equal": "eq", "not_equal": "ne", "less": "lt", "less_equal": "le", "greater": "gt", "greater_equal": "ge", "left_shift": "bitwise_left_shift",
         "right_shift": "bitwise_right_shift", "degrees": "rad2deg", "radians": "deg2rad", "lerp": "lerp", "prelu": "prelu",
         **{f: "nn.functional." + f for f in ("silu", "mish", "leaky_relu", "elu", "celu", "selu")}, "hard_sigmoid": "nn.functional.hardsigmoid",
         "hard_swish": "nn.functional.hardswish"}


def find(module, path):
    for name in path.split("."):
        module = getattr(module, name, None)
    return module


def with_numpy(name):
    if np is None:
        return None
    f = getattr(np, NUMPY.get(name, name), None)
    if isinstance(f, np.ufunc):
        return lambda out, *a: f(*a, out=out)
    if name == "where":
        return lambda out, *a: np.where(a[0] < a[1], a[1], a[2])
    if name == "clip":
        return lambda out, *a: np.clip(*a, out=out)
    if name in ("nan_to_num", "reciprocal"):
        return lambda out, *a: f(*a)
    if name == "polygamma" and special is not None:
        return lambda out, n, x: special.polygamma(ORDER, x)
    if name in SCIPY and special is not None:
        g = getattr(special, SCIPY[name])
        return lambda out, *a: g(*a, out=out)
    return None


def with_torch(name):
    if torch is None:
        return None
    if name == "where":
        return lambda a, b, c: torch.where(a < b, b, c)
    if name == "polygamma":
        return lambda n, x: torch.polygamma(ORDER, x)
    f = find(torch, TORCH.get(name, name))
    return f if callable(f) else None


def count_of(element):
    return COUNTS.get(element, 16384)


def nanoseconds(call, element):
    best = 1e9
    for _ in range(CALLS):
        begin = time.perf_counter()
        call()
        best = min(best, time.perf_counter() - begin)
    return best * 1e9 / count_of(element)


def torch_call(f, name, arrays):
    tensors = [torch.from_numpy(a) if np is not None else a for a in arrays]
    for out in (True, False):
        try:
            result = f(*tensors)
            if not out:
                return lambda: f(*tensors)
            f(*tensors, out=result)
            return lambda: f(*tensors, out=result)
        except (TypeError, RuntimeError):
            continue
    return None


def summary(element, measured):
    """The operators that all have which were measured, as one table of the form that the other benchmarks have."""
    names = [who for who in ("croton", "raw xsimd", "NumPy", "PyTorch") if any(who in times for times in measured)]
    common = [times for times in measured if all(who in times for who in names)]
    if not common:
        return
    print(f"an elementwise operator of {count_of(element)} {element}, geometric mean of {len(common)}, threads 1")
    for who in names:
        mean = math.exp(sum(math.log(times[who]) for times in common) / len(common)) * count_of(element) * 1e-3
        print(f"  {who:<40} {mean:>8.2f} us {mean:>8.2f} us ")


def peers(element, name, arity, low, high):
    """The calls of NumPy and PyTorch on numbers drawn from the same range."""
    calls = {}
    if np is None:
        return calls
    random = np.random.default_rng(1)
    kind = {"float": np.float32, "double": np.float64}.get(element) or np.dtype(element)
    arrays = [random.uniform(low, high, count_of(element)).astype(kind) if element in ("float", "double") else random.integers(low, high, count_of(element), endpoint=True).astype(kind) for _ in range(arity)]
    if (f := with_numpy(name)) is not None:
        try:
            out = getattr(np, NUMPY.get(name, name), None)
            out = np.empty_like((out if isinstance(out, np.ufunc) else lambda *a: a[0])(*arrays))
            f(out, *arrays)
            calls["NumPy"] = lambda: f(out, *arrays)
        except TypeError:
            pass
    if (g := with_torch(name)) is not None and (call := torch_call(g, name, arrays)) is not None:
        calls["PyTorch"] = call
    return calls


LIMITS = {"raw xsimd": 1.05, "by hand": 1.05, "NumPy": 1, "PyTorch": 1}


def ratios(times, wrong):
    """croton's time by that of each that is a measure, which a raw loop that gives wrong numbers is not."""
    return {c: min(times["croton"]) / min(times[c]) for c in COLUMNS if times[c] and (c != "raw xsimd" or wrong == "-")}


def too_slow(times, wrong):
    """Against whom croton is above its limit."""
    return [(c, ratio) for c, ratio in ratios(times, wrong).items() if ratio > LIMITS[c]]


def main():
    elements, only = sys.argv[2].split(), set(sys.argv[3:])
    print(f"{'operator':<14} {'type':<7} {'croton':>10}" + "".join(f" {'x ' + c:>11}" for c in COLUMNS) + "   croton's time by theirs")
    slower, measured, counts = [], {}, {c: [0, 0] for c in COLUMNS}
    for element in elements:
        measured[element] = []
        program = subprocess.Popen([os.path.join(sys.argv[1], element)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        found = []
        while (line := program.stdout.readline().split()):
            found.append((line[0], int(line[1]), float(line[2]), float(line[3]), line[4]))
        for name, arity, low, high, wrong in found:
            if only and name not in only:
                continue
            times = {c: [] for c in ["croton", *COLUMNS]}
            with np.errstate(all="ignore") if np is not None else contextlib.nullcontext():
                calls = peers(element, name, arity, low, high)
                for turn in range(1 + AGAIN):
                    for _ in range(ROUNDS):
                        program.stdin.write(f"{name} 1\n")
                        program.stdin.flush()
                        for who, taken in zip(("croton", "raw xsimd", "by hand"), map(float, program.stdout.readline().split())):
                            if taken > 0:
                                times[who].append(taken)
                        for who, call in calls.items():
                            times[who].append(nanoseconds(call, element))
                    if not too_slow(times, wrong):
                        break
            measured[element].append({who: min(values) for who, values in times.items() if values})
            text = f"{name:<14} {element:<7} {min(times['croton']):>7.3f} ns"
            for c in COLUMNS:
                text += f" {min(times['croton']) / min(times[c]):>11.2f}" if times[c] else f" {'':>11}"
            print(text + (f"   the raw one is wrong at {wrong}" if wrong != "-" else ""), flush=True)
            slower += [f"{name} {element} {ratio:.3f} x {c}" for c, ratio in too_slow(times, wrong)]
            for c, ratio in ratios(times, wrong).items():
                counts[c][0] += ratio > LIMITS[c]
                counts[c][1] += 1
        program.stdin.close()
        program.wait()
    print("\nslower: " + ("; ".join(slower) if slower else "none"))
    print("; ".join(f"above {LIMITS[c]} x {c}: {above} of {all_}" for c, (above, all_) in counts.items()))
    for element in elements:
        summary(element, measured[element])
    print("without raw: of integers and bools the loop by hand is the measure")
    print("without Eigen: it has few of them; expressions.cpp compares those")
    for who in ("JAX", "PyTensor", "PyTorch compiled"):
        print(f"without {who}: not measured, its call takes longer than the work")
    versions = [f"{m.__name__} {m.__version__}" for m in (np, scipy, torch) if m is not None]
    print(f"16384 elements, of bytes 65536, one thread, the best of {ROUNDS} rounds of {CALLS} calls; a ratio below 1: croton is faster; {', '.join(versions)}")


main()
