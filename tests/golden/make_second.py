# SPDX-License-Identifier: MIT
# Writes values/second_derivatives.txt, by mpmath: the first and second derivatives of each operator of one and of two arguments at ordinary points, signed zeros, kinks, ties, ends of
# domains, infinities and NaN: python3 make_second.py
# Where a derivative goes to no limit, or an operator has no real value, there is nothing to compare, a question mark.
import math

import mpmath as mp

from make_operators import TRANSCENDENTAL
from written import here

mp.mp.dps = 60
nan, inf = mp.nan, mp.inf
X = ["0", "-0", "1", "-1", "0.5", "-0.5", "2", "-2", "2.5", "-3.25", "0.001", "20", "-20", "inf", "-inf", "nan"]
# What is made of pieces of straight lines has no second derivative but 0, at its kinks and of NaN too. What is a step has no slope either.
STRAIGHT = dict(copy=lambda x: mp.mpf(1), negative=lambda x: mp.mpf(-1), abs=lambda x: x if mp.isnan(x) else mp.sign(x), sign=lambda x: mp.mpf(0),
                relu=lambda x: mp.mpf(x > 0), floor=lambda x: mp.mpf(0), ceil=lambda x: mp.mpf(0), trunc=lambda x: mp.mpf(0), round=lambda x: mp.mpf(0))
PERIODIC = ("sin", "cos", "tan")


def real(f, *x):
    try:
        y = f(*x)
    except (ValueError, ZeroDivisionError):
        return None
    return y if isinstance(y, mp.mpf) and mp.isfinite(y) else None


def derivative(name, f, x, order):
    """At an infinity and at the end of a domain what it goes to, from the inside."""
    if mp.isnan(x):
        return nan
    if mp.isinf(x):
        if name in PERIODIC:
            return nan
        far = mp.sign(x) * 10**8
        if real(f, far) is None:
            return None
        there = mp.diff(f, far, order)
        return mp.mpf(0) if abs(there) < mp.mpf("1e-3") else inf * mp.sign(there) if abs(there) > 10**3 else there
    step = mp.mpf("1e-12")
    sides = [real(f, x - step) is not None, real(f, x + step) is not None]
    if not any(sides):
        return None
    if all(sides) and real(f, x) is not None and (name != "cbrt" or x != 0):
        return mp.diff(f, x, order)
    if name == "cbrt":
        return inf if order == 1 else None
    if name == "log1mexp" or (all(sides) and real(f, x) is None):
        return None
    near = mp.diff(f, x + step if sides[1] else x - step, order, h=mp.mpf("1e-30"))
    return inf * mp.sign(near) if abs(near) > 10**5 else near


def polygamma(n, x):
    """Of odd n there is a limit at the poles, of even n at none; at a zero that has a sign digamma has one from its side."""
    if mp.isnan(x):
        return nan
    if x == inf:
        return inf if n == 0 else mp.mpf(0)
    if x == -inf or x <= 0 and x == mp.floor(x) and n % 2 == 0:
        return None
    return inf if x <= 0 and x == mp.floor(x) else mp.psi(n, x)


def word(v):
    return "?" if v is None else "nan" if mp.isnan(v) else ("inf" if v > 0 else "-inf") if mp.isinf(v) else mp.nstr(v, 17).removesuffix(".0")


def number(text):
    return mp.mpf(text) if text != "-0" else mp.mpf(0)


lines = ["# By make_second.py: arguments, then the derivatives of each operator: x and y the first ones, xx, xy and yy the second ones."]
lines.append("unary x " + " ".join(X))


def row(name, of, values):
    lines.append(f"{name} {of} " + " ".join(map(word, values)))


for name, slope in STRAIGHT.items():
    row(name, "x", [slope(number(x)) for x in X])
    row(name, "xx", [mp.mpf(0)] * len(X))
row("sqr", "x", [2 * number(x) for x in X])
row("sqr", "xx", [mp.mpf(2)] * len(X))
ONE = {name: f for name, (arity, f, _) in TRANSCENDENTAL.items() if arity == 1} | dict(sqrt=mp.sqrt)
for name, f in ONE.items():
    for of, order in (("x", 1), ("xx", 2)):
        if name == "softsign":
            values = [nan if mp.isnan(x) else 1 / (1 + abs(x))**2 if order == 1 else -2 * mp.sign(x) / (1 + abs(x))**3 for x in map(number, X)]
        elif name in ("digamma", "lgamma"):
            values = [polygamma(order - (name == "lgamma"), x) for x in map(number, X)]
        else:
            values = [derivative(name, f, x, order) for x in map(number, X)]
        row(name, of, values)

# Of floats, which have signs of zeros.
SPECIAL = [0.0, -0.0, 1.0, -1.0, 0.5, 2.0, -2.5, 3.0, math.inf, -math.inf, math.nan]
PAIRS = [(x, y) for x in SPECIAL for y in SPECIAL] + [(0.5, 0.5), (-0.5, 2.0), (2.0, -0.75), (-2.5, -1.5), (1.5, 1.0), (20.0, -20.0), (3.25, 0.125)]
lines.append("binary x " + " ".join(f"{x:g}" for x, _ in PAIRS))
lines.append("binary y " + " ".join(f"{y:g}" for _, y in PAIRS))


def towards(v, moves, near):
    """Numbers on the way to an argument, `near` of it: the number itself, and where it moves those on both sides, of a zero on that of its sign."""
    if math.isinf(v):
        return [math.copysign(1, v) / near]
    if not moves:
        return [mp.mpf(v)]
    return [mp.mpf(v)] + [mp.mpf(v) + sign * near for sign in ((1, -1) if v != 0 else (math.copysign(1, v),))]


def gone_to(way):
    """What three numbers go to, each on the way twice as far as the one before."""
    _, b, c = way
    if c == 0 or abs(c) < abs(b) / mp.mpf(1.5):
        return mp.mpf(0)
    if abs(c) > abs(b) * mp.mpf(1.5):
        return inf * mp.sign(c)
    return c if abs(c - b) <= abs(c) * mp.mpf("1e-12") else None


def limit(f, x, y):
    """What f goes to at a pair: a number, an infinity, or nothing where that depends on the way. A finite argument stays where it is, if f has values there."""
    if math.isnan(x) or math.isnan(y):
        tried = [limit(f, v if math.isnan(x) else x, w if math.isnan(y) else y) for v, w in ((0.25, 1.75), (1.5, 0.75), (5.0, 2.5), (-2.0, -3.0))]
        tried = [v for v in tried if v is not None]
        same = len(tried) > 1 and all(v == tried[0] for v in tried)
        # NaN beside a 0 or an infinity may do nothing.
        beside = y if math.isnan(x) else x
        return None if not tried else nan if not same else None if math.isinf(beside) or beside == 0 else tried[0]
    if not math.isinf(x) and not math.isinf(y) and real(f, mp.mpf(x), mp.mpf(y)) is not None:
        return f(mp.mpf(x), mp.mpf(y))
    steps = [mp.mpf(10)**-k for k in (20, 40, 80)]
    moves = all(real(f, a, b) is None for a in towards(x, False, steps[0]) for b in towards(y, False, steps[0]))
    found = []
    for rate_x, rate_y in ((1, 1), (4, 1), (1, 4)):
        ways = zip(*([real(f, a, b) for a in towards(x, moves, near**rate_x) for b in towards(y, moves, near**rate_y)] for near in steps))
        found += [gone_to(way) for way in ways if None not in way]
    if not found or None in found:
        return None
    return found[0] if all(v == found[0] or abs(v - found[0]) < mp.mpf("1e-15") for v in found) else None


def power(x, y, of):
    """The derivative by the exponent is that of x > 0, and elsewhere 0: of its own derivative by x nothing is said there."""
    if of == "x":
        return mp.mpf(0) if y == 0 else y * x**(y - 1)
    if of == "xx":
        return mp.mpf(0) if y == 0 or y == 1 else y * (y - 1) * x**(y - 2)
    if x <= 0:
        raise ValueError
    log = mp.log(x)
    if of == "xy":
        return x**(y - 1) * (1 + y * log)
    return x**y * (log if of == "y" else log**2)


def power_said(x, y, of):
    if of in ("y", "yy") and x <= 0:
        return mp.mpf(0)
    if of == "xy" and x <= 0:
        return mp.mpf(0) if x == 0 and y > 1 else None
    # Of 1 to what is no number, of that to 1, and of infinite powers of 1 and of negative numbers nothing is said.
    if x == 1 and not math.isfinite(y) or math.isnan(x) and y == 1 or x < 0 and math.isinf(y):
        return None
    return limit(lambda x, y: power(x, y, of), x, y)


def quotient(x, y, of):
    return {"x": 1 / y, "y": -x / y**2, "xx": mp.mpf(0), "xy": -1 / y**2, "yy": 2 * x / y**3}[of]


def hypot(x, y, of):
    r = mp.hypot(x, y)
    return {"x": x / r, "y": y / r, "xx": y * y / r**3, "xy": -x * y / r**3, "yy": x * x / r**3}[of]


def atan2(y, x, of):
    r = x * x + y * y
    return {"x": x / r, "y": -y / r, "xx": -2 * x * y / r**2, "xy": (y * y - x * x) / r**2, "yy": 2 * x * y / r**2}[of]


def logaddexp(x, y, of):
    s, rest = 1 / (1 + mp.exp(y - x)), 1 / (1 + mp.exp(x - y))
    return {"x": s, "y": rest, "xx": s * rest, "xy": -s * rest, "yy": s * rest}[of]


def entropy(shift):
    def f(x, y, of):
        y += shift
        if y <= 0:
            raise ValueError
        return {"x": mp.log(y), "y": x / y, "xx": mp.mpf(0), "xy": 1 / y, "yy": -x / y**2}[of]
    return f


TWO = dict(divide=quotient, hypot=hypot, atan2=atan2, logaddexp=logaddexp, xlogy=entropy(0), xlog1py=entropy(1), multiply=lambda x, y, of: {"x": y, "y": x, "xy": mp.mpf(1)}.get(of, mp.mpf(0)))
# Where the first argument and what the logarithm is of are 0, the second one counts as that of which the logarithm is 0.
BOTH_ZERO = dict(xlogy=(0, 0), xlog1py=(0, -1))
SAID = {name: lambda x, y, of, name=name, f=f: None if BOTH_ZERO.get(name) == (x, y) else limit(lambda x, y: f(x, y, of), x, y) for name, f in TWO.items()} | dict(pow=power_said)


def larger(x, y):
    return 0.5 if x == y else float(x > y)


def rest(x, y, floors):
    """The derivative of the rest by what divides."""
    if y == 0 or math.isinf(x):
        return None
    if math.isinf(y):
        return float(floors and x != 0 and (x < 0) != (y < 0))
    return -float(math.floor(x / y) if floors else math.trunc(x / y))


# The slopes of what is straight, by x and by y.
SLOPES = dict(
    add=(lambda x, y: 1, lambda x, y: 1), subtract=(lambda x, y: 1, lambda x, y: -1), maximum=(larger, lambda x, y: larger(y, x)),
    minimum=(lambda x, y: larger(y, x), larger), fmod=(lambda x, y: 1, lambda x, y: rest(x, y, False)), remainder=(lambda x, y: 1, lambda x, y: rest(x, y, True)),
    floor_divide=(lambda x, y: 0, lambda x, y: 0), copysign=(lambda x, y: 0 if x == 0 else math.copysign(1, x) * math.copysign(1, y), lambda x, y: 0),
    heaviside=(lambda x, y: 0, lambda x, y: x == 0), nextafter=(lambda x, y: 1, lambda x, y: 0))
for name, (by_x, by_y) in SLOPES.items():
    for of, f in (("x", by_x), ("y", by_y)):
        values = [None if math.isnan(x) or math.isnan(y) else f(x, y) for x, y in PAIRS]
        row(name, of, [None if v is None else mp.mpf(v) for v in values])
    for of in ("xx", "xy", "yy"):
        row(name, of, [mp.mpf(0)] * len(PAIRS))
for name, f in SAID.items():
    for of in ("x", "y", "xx", "xy", "yy"):
        row(name, of, [f(x, y, of) for x, y in PAIRS])

ORDERS = [(n, x) for n in (0, 1, 2, 3, 8) for x in ("0", "-0", "-1", "-2", "0.001", "0.5", "1", "1.5", "2.5", "20", "1e6", "-0.5", "-2.75", "-3.25", "inf", "-inf", "nan")]
lines.append("orders x " + " ".join(str(n) for n, _ in ORDERS))
lines.append("orders y " + " ".join(x for _, x in ORDERS))
row("polygamma", "y", [polygamma(n + 1, number(x)) for n, x in ORDERS])
row("polygamma", "yy", [polygamma(n + 2, number(x)) for n, x in ORDERS])
(here / "second_derivatives.txt").write_text("\n".join(lines) + "\n")
