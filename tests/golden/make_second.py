# SPDX-License-Identifier: MIT
# Writes values/second_derivatives.txt, by mpmath: at ordinary and special points, at kinks and ties, of each operator of one and of two arguments: python3 make_second.py
# Where an operator has no real value, or an essential singularity, there is nothing to compare, a question mark.
import mpmath as mp

from make_operators import TRANSCENDENTAL
from written import here

mp.mp.dps = 60
nan, inf = mp.nan, mp.inf
X = ["0", "-0", "1", "-1", "0.5", "-0.5", "2", "-2", "2.5", "-3.25", "0.001", "20", "-20", "inf", "-inf", "nan"]
# What is made of pieces of straight lines has no second derivative but 0, at its kinks and of NaN too.
STRAIGHT = {name: 0 for name in "copy negative abs sign relu floor ceil trunc round".split()}
PERIODIC = ("sin", "cos", "tan")


def real(f, *x):
    try:
        y = f(*x)
    except (ValueError, ZeroDivisionError):
        return None
    return y if isinstance(y, mp.mpf) and mp.isfinite(y) else None


def second(name, f, x):
    """At an infinity and at the end of a domain what it goes to, from the inside."""
    if mp.isnan(x):
        return nan
    if mp.isinf(x):
        if name in PERIODIC:
            return nan
        far = mp.sign(x) * 10**4
        if real(f, far) is None or name in ("digamma", "lgamma") and x < 0:
            return None
        there = mp.diff(f, far, 2)
        return mp.mpf(0) if abs(there) < mp.mpf("1e-3") else inf * mp.sign(there) if abs(there) > 10**3 else there
    step = mp.mpf("1e-12")
    sides = [real(f, x - step) is not None, real(f, x + step) is not None]
    if not any(sides):
        return None
    if all(sides) and real(f, x) is not None and name != "cbrt" or all(sides) and x != 0 and real(f, x) is not None:
        return mp.diff(f, x, 2)
    if name in ("digamma", "lgamma", "cbrt", "log1mexp") or (all(sides) and real(f, x) is None):
        return None
    near = mp.diff(f, x + step if sides[1] else x - step, 2, h=mp.mpf("1e-30"))
    return inf * mp.sign(near) if abs(near) > 10**6 else near


def word(v):
    return "?" if v is None else "nan" if mp.isnan(v) else ("inf" if v > 0 else "-inf") if mp.isinf(v) else mp.nstr(v, 17)


def number(text):
    return mp.mpf(text) if text != "-0" else mp.mpf(0)


lines = ["# By make_second.py: arguments, then the second derivatives of each operator."]
lines.append("unary x " + " ".join(X))
for name, value in STRAIGHT.items():
    lines.append(f"{name} xx " + " ".join(["0"] * len(X)))
lines.append("sqr xx " + " ".join(["2"] * len(X)))
ONE = {name: f for name, (arity, f, _) in TRANSCENDENTAL.items() if arity == 1} | dict(sqrt=mp.sqrt, softsign=lambda x: x / (1 + abs(x)))
for name, f in ONE.items():
    if name == "softsign":
        row = [nan if mp.isnan(x) else -2 * mp.sign(x) / (1 + abs(x))**3 for x in map(number, X)]
    elif name == "digamma":
        row = [second(name, lambda x: mp.psi(0, x), x) if mp.isnan(x) or mp.isinf(x) else None if x <= 0 and x == mp.floor(x) else mp.psi(2, x) for x in map(number, X)]
    elif name == "lgamma":
        row = [nan if mp.isnan(x) else mp.mpf(0) if x == inf else None if x <= 0 and x == mp.floor(x) or x == -inf else mp.psi(1, x) for x in map(number, X)]
    else:
        row = [second(name, f, x) for x in map(number, X)]
    lines.append(f"{name} xx " + " ".join(map(word, row)))

PAIRS = [(0, 0), (1, 1), (-1, -1), (0, 1), (1, 0), (0, -1), (0, 2), (0, 3), (2, 0), (0.5, 0.5), (2, 3), (3, 2), (-0.5, 2), (2, -0.75), (-2.5, -1.5), (1.5, 1), (20, -20)]
pairs = [(mp.mpf(x), mp.mpf(y)) for x, y in PAIRS]
lines.append("binary x " + " ".join(f"{float(x):g}" for x, _ in pairs))
lines.append("binary y " + " ".join(f"{float(y):g}" for _, y in pairs))


def power(x, y, of):
    """The derivative by the exponent is that of x > 0, and elsewhere 0."""
    log = mp.log(x) if x > 0 else None
    if of == "xx":
        return mp.mpf(0) if y in (0, 1) else None if x == 0 and y < 2 else real(lambda: y * (y - 1) * x**(y - 2))
    if of == "yy":
        return x**y * log**2 if x > 0 else mp.mpf(0)
    return x**(y - 1) * (1 + y * log) if x > 0 else None


def quotient(x, y, of):
    return None if y == 0 else mp.mpf(0) if of == "xx" else -1 / y**2 if of == "xy" else 2 * x / y**3


def hypot(x, y, of):
    r = mp.hypot(x, y)
    return None if r == 0 else (y * y if of == "xx" else x * x if of == "yy" else -x * y) / r**3


def atan2(y, x, of):
    r = x * x + y * y
    return None if r == 0 else (-2 * x * y if of == "xx" else 2 * x * y if of == "yy" else y * y - x * x) / r**2


def logaddexp(x, y, of):
    s = 1 / (1 + mp.exp(y - x))
    return s * (1 - s) * (-1 if of == "xy" else 1)


def entropy(shift):
    def f(x, y, of):
        y += shift
        return None if y <= 0 else mp.mpf(0) if of == "xx" else 1 / y if of == "xy" else -x / y**2
    return f


TWO = dict(pow=power, divide=quotient, hypot=hypot, atan2=atan2, logaddexp=logaddexp, xlogy=entropy(0), xlog1py=entropy(1),
           multiply=lambda x, y, of: mp.mpf(1 if of == "xy" else 0))
for name in "add subtract maximum minimum fmod remainder floor_divide copysign heaviside nextafter".split():
    # Of quotients by 0 nothing is said.
    TWO[name] = lambda x, y, of, divides=name in ("fmod", "remainder", "floor_divide"): None if divides and y == 0 else mp.mpf(0)
for name, f in TWO.items():
    for of in ("xx", "xy", "yy"):
        lines.append(f"{name} {of} " + " ".join(word(f(x, y, of)) for x, y in pairs))
(here / "second_derivatives.txt").write_text("\n".join(lines) + "\n")
