# SPDX-License-Identifier: MIT
# Writes values/operators.txt: for every element type the arguments, and what every operator of the table that takes it makes of them: python3 make_operators.py
# Arithmetic is NumPy's in the very type, mathematical functions are mpmath's of what is finite and SciPy's of what is not. half and bfloat16 are computed with as float,
# where NumPy stays in half and has no bfloat16. NumPy's quotient of integers is rounded down, or a number of double: that of C++ is towards 0.
import ml_dtypes
import mpmath
import numpy as np
import scipy.special as special

from written import here

np.seterr(all="ignore")
mpmath.mp.dps = 60
nan, inf = np.nan, np.inf
mp = mpmath

FLOATING = dict(half=np.float16, bfloat16=ml_dtypes.bfloat16, float=np.float32, double=np.float64)
INTEGER = dict(int8=np.int8, uint8=np.uint8, int16=np.int16, uint16=np.uint16, int=np.int32, uint32=np.uint32, int64=np.int64, uint64=np.uint64)

COMPARISONS = {name: (2, getattr(np, name)) for name in ("equal", "not_equal", "less", "less_equal", "greater", "greater_equal")}
LOGICAL = {name: (2, getattr(np, name)) for name in ("logical_and", "logical_or", "logical_xor")} | dict(logical_not=(1, np.logical_not))
ANY = dict(copy=(1, np.copy))
NUMERIC = dict(
    add=(2, np.add), subtract=(2, np.subtract), multiply=(2, np.multiply), negative=(1, np.negative), abs=(1, np.abs), sign=(1, np.sign), sqr=(1, np.square),
    relu=(1, lambda x: np.maximum(x, x.dtype.type(0))), maximum=(2, np.maximum), minimum=(2, np.minimum), clip=(3, lambda x, y, z: np.minimum(np.maximum(x, y), z)),
    fmod=(2, np.fmod), remainder=(2, np.remainder), floor_divide=(2, np.floor_divide))


def towards_zero(x, y):
    down = np.floor_divide(x, y)
    return np.where((y != 0) & (np.fmod(x, y) != 0) & ((x < 0) != (y < 0)), down + down.dtype.type(1), down)


OF_INTEGERS = dict(divide=(2, towards_zero), bitwise_not=(1, np.invert), bitwise_count=(1, lambda x: np.bitwise_count(x).astype(x.dtype))) | {
    name: (2, getattr(np, name)) for name in ("bitwise_and", "bitwise_or", "bitwise_xor", "left_shift", "right_shift")}


def fma(x, y, z):
    """Rounded once. What is no finite number, and the sign of a zero, is that of the sum of a product."""
    def once(a, b, c):
        if np.isfinite([a, b]).all() and np.isinf(c):
            return c
        exact = mp.mpf(float(a)) * mp.mpf(float(b)) + mp.mpf(float(c)) if np.isfinite([a, b, c]).all() else 0
        return np.longdouble(mp.nstr(exact, 40)) if exact != 0 else np.longdouble(a * b + c)
    return np.array([once(*v) for v in zip(x, y, z)], np.longdouble).astype(x.dtype)


OF_FLOATING = dict(
    divide=(2, np.divide), sqrt=(1, np.sqrt), floor=(1, np.floor), ceil=(1, np.ceil), trunc=(1, np.trunc), round=(1, np.rint), copysign=(2, np.copysign),
    heaviside=(2, np.heaviside), nextafter=(2, np.nextafter), fma=(3, fma))


def polygamma(n, x):
    """SciPy's is that of any number n, and does not know numbers below 0; of numbers that are no orders there is none."""
    if not (n >= 0 and n == np.floor(n)) or np.isinf(n) or np.isnan(x) or x == -inf:
        return nan
    if n == 0:
        return special.psi(x)
    if x == inf:
        return 0.0 if n % 2 == 1 else -0.0
    if x <= 0 and x == np.floor(x):
        return inf if n % 2 == 1 else nan
    if n > 1000 and 0 < x < n / 3:  # n! / x^(n + 1) is more than any number
        return inf if n % 2 == 1 else -inf
    return None


def logistic(x):
    return 1 / (1 + mp.exp(-x))


def tanh_argument(x):
    return 2 * mp.sqrt(2 / mp.pi) * (x + mp.mpf("0.044715") * x**3)


def gelu(x):
    return x * special.ndtr(x) if np.isfinite(x) else x if not x < 0 else nan


def product_of_zero(f):
    """Of a zero croton gives that zero; SciPy's has lost its sign."""
    return lambda x, y: x if x == 0 and not np.isnan(y) else f(x, y)


# A function of mpmath for finite numbers, and one of NumPy or SciPy for the others. Of -infinity gammaln is -infinity, and the logarithm of |gamma| of C and of PyTorch infinity.
# softsign is NaN at the infinities, and gelu at -infinity, as they are in PyTorch.
TRANSCENDENTAL = dict(
    exp=(1, mp.exp, np.exp), expm1=(1, mp.expm1, np.expm1), log=(1, mp.log, np.log), log1p=(1, mp.log1p, np.log1p), tanh=(1, mp.tanh, np.tanh),
    sigmoid=(1, logistic, special.expit), softplus=(1, lambda x: mp.log1p(mp.exp(x)), lambda x: np.logaddexp(0, x)), erf=(1, mp.erf, special.erf),
    ndtr=(1, mp.ncdf, special.ndtr), gelu=(1, lambda x: x * mp.ncdf(x), gelu), gelu_tanh=(1, lambda x: x * logistic(tanh_argument(x)), gelu),
    log1mexp=(1, lambda x: mp.log(-mp.expm1(x)), lambda x: np.log1p(-np.exp(x)) if x <= 0 else nan), exp2=(1, lambda x: mp.mpf(2)**x, np.exp2),
    log2=(1, lambda x: mp.log(x, 2), np.log2), log10=(1, mp.log10, np.log10), cbrt=(1, lambda x: mp.sign(x) * mp.cbrt(abs(x)), np.cbrt),
    sin=(1, mp.sin, np.sin), cos=(1, mp.cos, np.cos), tan=(1, mp.tan, np.tan), asin=(1, mp.asin, np.arcsin), acos=(1, mp.acos, np.arccos), atan=(1, mp.atan, np.arctan),
    sinh=(1, mp.sinh, np.sinh), cosh=(1, mp.cosh, np.cosh), asinh=(1, mp.asinh, np.arcsinh), acosh=(1, mp.acosh, np.arccosh), atanh=(1, mp.atanh, np.arctanh),
    erfc=(1, mp.erfc, special.erfc), erfinv=(1, mp.erfinv, lambda x: np.copysign(special.erfinv(x), x)), lgamma=(1, lambda x: mp.re(mp.loggamma(x)), lambda x: abs(special.gammaln(x)) if np.isinf(x) else special.gammaln(x)),
    digamma=(1, lambda x: mp.psi(0, x), special.psi), logit=(1, lambda x: mp.log(x / (1 - x)), special.logit), softsign=(1, lambda x: x / (1 + abs(x)), lambda x: x / (1 + abs(x))),
    pow=(2, mp.power, np.power), logaddexp=(2, lambda x, y: max(x, y) + mp.log1p(mp.exp(-abs(x - y))), np.logaddexp), xlogy=(2, lambda x, y: x * mp.log(y), product_of_zero(special.xlogy)),
    xlog1py=(2, lambda x, y: x * mp.log1p(y), product_of_zero(special.xlog1py)), hypot=(2, mp.hypot, np.hypot), atan2=(2, mp.atan2, np.arctan2), polygamma=(2, lambda n, x: mp.psi(int(n), x), polygamma))
# Periodic ones have digits of large numbers, too.
PERIODIC = ("sin", "cos", "tan")


def exactly(name, *x):
    """One value: SciPy's where it is no number or 0, of no finite numbers, of -0, and of numbers so large that series take forever; else mpmath's."""
    _, precise, usual = TRANSCENDENTAL[name]
    value = usual(*(np.float64(v) for v in x))
    large = max(abs(v) for v in x) > 1e6 and name not in PERIODIC
    negative_zero = any(v == 0 and np.signbit(v) for v in x)
    if value is not None and (not np.isfinite(x).all() or large or negative_zero or value == 0 or np.isnan(value)):
        return float(value)
    try:
        with mp.workdps(400 if name in PERIODIC else 60):
            result = precise(*(mp.mpf(float(v)) for v in x))
    except (ValueError, ZeroDivisionError):  # at a pole
        return float(value)
    return float(value) if isinstance(result, mp.mpc) else result


def text(v, digits):
    if isinstance(v, mp.mpf) and mp.isfinite(v):
        return mp.nstr(v, digits, min_fixed=-3, max_fixed=6).removesuffix(".0")
    if not np.isfinite(float(v)):
        return str(float(v))
    return np.format_float_scientific(v, trim="-") if v != 0 and not 1e-3 < abs(v) < 1e6 else np.format_float_positional(v, trim="-")


def write(lines, name, rows, digits=17):
    for key, values in rows.items():
        values = list(values)
        words = [str(int(v)) if isinstance(v, (bool, np.bool_, np.integer)) else text(v, digits) for v in values]
        lines.append(f"{name} {key} " + " ".join(words))


def results(functions, *x):
    return {name: f(*x[:arity]) for name, (arity, f) in functions.items()}


def main():
    lines = ["# By make_operators.py: an element type, then the name of an argument or of an operator, then numbers."]
    a = np.array([False, False, True, True, True], np.bool_)
    b = np.array([False, True, False, True, True], np.bool_)
    chooses = np.array([True, False, False, True, False])
    write(lines, "bool", dict(a=a, b=b, c=b ^ a, chooses=chooses) | results(ANY | COMPARISONS | LOGICAL, a, b) | dict(where=np.where(chooses, a, b)))

    for name, kind in INTEGER.items():
        least, most, bits = np.iinfo(kind).min, np.iinfo(kind).max, np.iinfo(kind).bits
        pairs = [(0, 0), (1, 0), (0, 1), (5, 3), (-5, 3), (5, -3), (-7, -2), (7, 2), (most, 1), (most, most), (least, -1), (least, 1), (least, most), (100, 7), (3, bits - 1),
                 (1, bits), (most // 2 + 1, 2), (most - 1, 5), (9, 9)]
        a, b = (np.array([v & (2**bits - 1) for v in column], np.uint64).astype(kind) for column in zip(*pairs))
        c = np.resize(np.array([3, 0, most, 1, 8], kind), len(a))
        chooses = np.arange(len(a)) % 3 == 0
        write(lines, name, dict(a=a, b=b, c=c, chooses=chooses) | results(ANY | COMPARISONS | NUMERIC | OF_INTEGERS, a, b, c) | dict(where=np.where(chooses, a, b)))

    for name, kind in FLOATING.items():
        limits = ml_dtypes.finfo(kind)
        most, tiny, least = (float(v) for v in (limits.max, limits.tiny, limits.smallest_subnormal))
        pairs = [(nan, 1), (1, nan), (inf, 2), (-inf, -3), (2, inf), (0.5, -inf), (0, 0), (-0.0, 0), (0, -0.0), (1, 1), (-1, 1), (0.5, 0.25), (-0.5, 2), (2, 0.5), (-2.5, 3),
                 (3.25, -2.5), (7, 3), (2**-10, -1024), (most, 2), (-most, most), (tiny, 0.5), (-least, 1), (0.75, 0.75), (-0.75, -0.75), (20, -0.125), (-20, 20), (2, 3.25),
                 (1, 0.75), (3, -1.25), (0, 1.5), (1.5, 0)]
        stored = [np.array(column, kind) for column in zip(*pairs)]
        c = np.resize(np.array([0.5, -1, 2, nan, 0, inf, 3], kind), len(pairs))
        computed = np.float64 if kind is np.float64 else np.float32
        x = [v.astype(computed) for v in (*stored, c)]
        chooses = np.arange(len(pairs)) % 3 == 0
        write(lines, name, dict(a=x[0], b=x[1], c=x[2], chooses=chooses) | results(ANY | COMPARISONS | NUMERIC | OF_FLOATING, *x) | dict(where=np.where(chooses, x[0], x[1])))
        write(lines, name, {key: [exactly(key, *v) for v in zip(*x[:arity])] for key, (arity, *_) in TRANSCENDENTAL.items()}, 19 if computed is np.float64 else 11)

    (here / "operators.txt").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
