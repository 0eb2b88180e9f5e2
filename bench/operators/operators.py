#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""One table of every elementwise operator: croton, its raw loop on xsimd, NumPy (SciPy for what it has not) and PyTorch, one thread.

usage: python bench/operators/operators.py PROGRAM_FLOAT PROGRAM_DOUBLE [operator...]      NumPy, SciPy and PyTorch where they are installed
"""
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
    from scipy import special
except ImportError:
    special = None
try:
    import torch
    torch.set_num_threads(1)
except ImportError:
    torch = None

COUNT, ROUNDS, CALLS = 16384, int(os.environ.get("BENCH_ROUNDS", "15")), 40

# Where a library calls an operator otherwise than croton; None where it has nothing of the kind in one call.
NUMPY = {"asin": "arcsin", "acos": "arccos", "atan": "arctan", "asinh": "arcsinh", "acosh": "arccosh", "atanh": "arctanh", "atan2": "arctan2",
         "pow": "power", "sqr": "square", "round": "rint", "abs": "absolute"}
SCIPY = {"erf": "erf", "erfc": "erfc", "erfinv": "erfinv", "lgamma": "gammaln", "digamma": "psi", "logit": "logit", "sigmoid": "expit",
         "ndtr": "ndtr", "xlogy": "xlogy", "xlog1py": "xlog1py"}
TORCH = {"pow": "pow", "sqr": "square", "softplus": "nn.functional.softplus", "gelu": "nn.functional.gelu", "ndtr": "special.ndtr", "xlogy": "xlogy",
         "xlog1py": "special.xlog1py", "relu": "relu", "softsign": "nn.functional.softsign", "clip": "clip"}


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
    if name in SCIPY and special is not None:
        g = getattr(special, SCIPY[name])
        return lambda out, *a: g(*a, out=out)
    return None


def with_torch(name):
    if torch is None:
        return None
    f = find(torch, TORCH.get(name, name))
    return f if callable(f) else None


def nanoseconds(call):
    best = 1e9
    for _ in range(CALLS):
        begin = time.perf_counter()
        call()
        best = min(best, time.perf_counter() - begin)
    return best * 1e9 / COUNT


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
    print(f"an elementwise operator of {COUNT} {element}, geometric mean of {len(common)}, threads 1")
    for who in names:
        mean = math.exp(sum(math.log(times[who]) for times in common) / max(1, len(common))) * COUNT * 1e-3
        print(f"  {who:<40} {mean:>8.2f} us {mean:>8.2f} us ")


def main():
    only = set(sys.argv[3:])
    columns = ["raw xsimd", "NumPy", "PyTorch"]
    print(f"{'operator':<14} {'type':<7} {'croton':>10}" + "".join(f" {'x ' + c:>11}" for c in columns) + "   croton's time by theirs")
    slower, measured = [], {"float": [], "double": []}
    programs = [(t, subprocess.Popen([p], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)) for t, p in zip(("float", "double"), sys.argv[1:3])]
    lists = []
    for _, program in programs:
        found = []
        while (line := program.stdout.readline().split()):
            found.append((line[0], int(line[1]), float(line[2]), float(line[3]), line[4]))
        lists.append(found)
    for row in zip(*lists):
        for (element, program), (name, arity, low, high, wrong) in zip(programs, row):
            if only and name not in only:
                continue
            times = {c: [] for c in ["croton", *columns]}
            calls = {}
            if np is not None:
                random = np.random.default_rng(1)
                arrays = [random.uniform(low, high, COUNT).astype(np.float32 if element == "float" else np.float64) for _ in range(arity)]
                out = np.empty_like(arrays[0])
                with np.errstate(all="ignore"):
                    if (f := with_numpy(name)) is not None:
                        try:
                            f(out, *arrays)
                            calls["NumPy"] = lambda f=f: f(out, *arrays)
                        except TypeError:
                            pass
                if (g := with_torch(name)) is not None and (call := torch_call(g, name, arrays)) is not None:
                    calls["PyTorch"] = call
            for _ in range(ROUNDS):
                program.stdin.write(f"{name} 1\n")
                program.stdin.flush()
                mine, raw = map(float, program.stdout.readline().split())
                times["croton"].append(mine)
                if raw > 0:
                    times["raw xsimd"].append(raw)
                if np is not None:
                    with np.errstate(all="ignore"):
                        for who, call in calls.items():
                            times[who].append(nanoseconds(call))
            measured[element].append({who: min(values) for who, values in times.items() if values})
            text = f"{name:<14} {element:<7} {min(times['croton']):>7.2f} ns"
            for c in columns:
                if times[c]:
                    # What else runs on the machine only adds to a time.
                    ratio = min(times["croton"]) / min(times[c])
                    text += f" {ratio:>11.2f}"
                    if ratio > (1.05 if c == "raw xsimd" else 1.0):
                        slower.append(f"{name} {element} {ratio:.2f} x {c}" + (", which is wrong" if c == "raw xsimd" and wrong != "-" else ""))
                else:
                    text += f" {'':>11}"
            print(text + (f"   the raw one is wrong at {wrong}" if wrong != "-" else ""), flush=True)
    print("\nslower: " + ("; ".join(slower) if slower else "none"))
    for element, times in measured.items():
        summary(element, times)
    for _, program in programs:
        program.stdin.close()
        program.wait()
    versions = [f"{m.__name__} {m.__version__}" for m in (np, torch) if m is not None]
    print(f"{COUNT} elements, one thread, the best of {ROUNDS} rounds of {CALLS} calls; a ratio below 1: croton is faster; {', '.join(versions)}")


main()
