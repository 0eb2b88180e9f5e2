# SPDX-License-Identifier: MIT
# Writes values/*.npy, inputs and what NumPy computes from them: python3 make_golden.py
import decimal
import math

import numpy as np

from written import here, in_double, pairs, table

random = np.random.default_rng(20240101)


def save(name, array):
    np.save(here / f"{name}.npy", array)


def softmax(x, axis):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


def logsumexp(x, axis):
    m = x.max(axis=axis, keepdims=True)
    return (m + np.log(np.exp(x - m).sum(axis=axis, keepdims=True))).squeeze(axis)


# one step of logistic regression
x = random.normal(size=(40, 7))
y = (random.random(40) > 0.5).astype(float)
w = random.normal(size=7)
b = np.array(0.25)
z = x @ w + b
p = 1 / (1 + np.exp(-z))
xent = np.logaddexp(0, z) - y * z
gw = x.T @ (p - y) / 40 + 0.02 * w
gb = (p - y).mean()
for name, value in dict(x=x, y=y, w=w, b=b, xent=xent, prediction=(p > 0.5), new_w=w - 0.1 * gw, new_b=b - 0.1 * gb).items():
    save(f"logistic_{name}", value)

# the gradients of a network of two layers
x = random.normal(size=(12, 5))
label = random.integers(0, 3, size=12).astype(np.int32)
w1, b1 = random.normal(size=(5, 6)), random.normal(size=6)
w2, b2 = random.normal(size=(6, 3)), random.normal(size=3)
a = x @ w1 + b1
h = np.maximum(a, 0)
logits = h @ w2 + b2
loss = (logsumexp(logits, 1) - logits[np.arange(12), label]).mean()
d = (softmax(logits, 1) - np.eye(3)[label]) / 12
dh = (d @ w2.T) * (a > 0)
for name, value in dict(x=x, label=label, w1=w1, b1=b1, w2=w2, b2=b2, loss=np.array(loss), gw1=x.T @ dh, gb1=dh.sum(0), gw2=h.T @ d, gb2=d.sum(0)).items():
    save(f"mlp_{name}", value)

# rows, reductions, broadcasting
x = random.normal(size=(3, 4, 5)) * 3
save("array_x", x)
for axis in (0, 1, 2):
    save(f"array_softmax_{axis}", softmax(x, axis))
    save(f"array_log_softmax_{axis}", np.log(softmax(x, axis)))
    save(f"array_logsumexp_{axis}", logsumexp(x, axis))
    save(f"array_sum_{axis}", x.sum(axis))
    save(f"array_max_{axis}", x.max(axis))
    save(f"array_argmin_{axis}", x.argmin(axis).astype(np.int64))
save("array_mean", np.array(x.mean()))
save("array_prod_02", x.prod((0, 2)))
save("array_all", (x > -2).all(1))
row, column = random.normal(size=5), random.normal(size=(4, 1))
save("array_row", row)
save("array_column", column)
save("array_broadcast", np.where(x > row, x * column - row, np.tanh(x / (1 + column**2))))

# special numbers: a row for each argument, then one for each function
np.seterr(all="ignore")
erf = np.vectorize(math.erf, otypes=[np.float64])


def xlogy(x, y, log):
    return np.where((x == 0) & ~np.isnan(y), x, x * log)


def log_softmax(x):
    most = x.max(axis=1, keepdims=True)
    x = x - np.where(np.isfinite(most), most, 0)
    return x - np.log(np.exp(x).sum(axis=1, keepdims=True))


@np.vectorize
def ndtr(x):
    t = -x / math.sqrt(2)
    rest = float(-decimal.Decimal(float(x)) / decimal.Decimal(2).sqrt() - decimal.Decimal(float(t))) if abs(t) < 1e3 else 0
    return 0.5 * math.erfc(t) - math.exp(-t * t) * rest / math.sqrt(math.pi)


def sigmoid(x):
    return np.where(x < 0, np.exp(x), 1) / (1 + np.exp(-abs(x)))


UNARY = dict(
    negative=np.negative, abs=np.abs, sign=np.sign, exp=np.exp, expm1=np.expm1, log=np.log, log1p=np.log1p, sqrt=np.sqrt, sqr=np.square,
    tanh=np.tanh, isnan=np.isnan, relu=lambda x: np.maximum(x, 0), softplus=in_double(lambda x: np.logaddexp(0, x)), sigmoid=in_double(sigmoid),
    erf=in_double(erf), ndtr=in_double(ndtr), gelu=in_double(lambda x: x * ndtr(x)),
    gelu_tanh=in_double(lambda x: x * sigmoid(2 * math.sqrt(2 / math.pi) * (x + 0.044715 * x**3))),
    log1mexp=in_double(lambda x: np.where(x < -0.7, np.log1p(-np.exp(x)), np.log(-np.expm1(x)))))
BINARY = dict(
    add=np.add, subtract=np.subtract, multiply=np.multiply, divide=np.divide, pow=np.power, logaddexp=np.logaddexp, maximum=np.maximum,
    minimum=np.minimum, xlogy=lambda x, y: xlogy(x, y, np.log(y)), xlog1py=lambda x, y: xlogy(x, y, np.log1p(y)), equal=np.equal,
    not_equal=np.not_equal, less=np.less, less_equal=np.less_equal, greater=np.greater, greater_equal=np.greater_equal,
    where=lambda x, y: np.where(x < y, x, y), clip_low=lambda x, y: np.clip(x, y, x.dtype.type(1)),
    clip_high=lambda x, y: np.clip(x, x.dtype.type(-1), y))
INTEGER = dict(
    add=np.add, subtract=np.subtract, multiply=np.multiply, floor_divide=np.floor_divide, negative=lambda x, y: -x, abs=lambda x, y: np.abs(x),
    sign=lambda x, y: np.sign(x), sqr=lambda x, y: np.square(x), relu=lambda x, y: np.maximum(x, 0), maximum=np.maximum, minimum=np.minimum,
    equal=np.equal, less=np.less, where=lambda x, y: np.where(x < y, x, y), clip=lambda x, y: np.clip(x, y, 3))


for kind in (np.float32, np.float64):
    name, limits = np.dtype(kind).name, np.finfo(kind)
    inf, nan, huge, tiny, denormal = np.inf, np.nan, limits.max, limits.tiny, limits.smallest_subnormal
    edge = math.log(float(huge))  # exp of more overflows
    x = np.array([nan, inf, -inf, 0.0, -0.0, huge, -huge, tiny, -tiny, denormal, -denormal, tiny / 8, 1, -1, 0.5, -0.5, 2, -3, limits.eps, -limits.eps,
                  1e-10, -1e-10, edge * 0.999, -edge * 0.98, edge * 1.01, -edge * 1.2, 20, -20, 6, -6, 1e6, -1e6], kind)
    save(f"special_unary_{name}", table(UNARY, x))
    x = np.array([nan, inf, -inf, 0.0, -0.0, huge, -huge, tiny, denormal, -denormal, 1, -1, 0.5, 2, -3, 1e20], kind)
    save(f"special_binary_{name}", table(BINARY, *pairs(x)))

    # each row of a matrix has special numbers of its own among others
    x = random.normal(size=(20, 19)).astype(kind)
    for row, numbers in enumerate([[], [nan], [inf], [-inf], [inf, -inf], [nan, inf], [huge / 1e6, 1], [huge, huge], [-huge, -huge], [tiny, tiny], [denormal], [0.0],
                                   [-0.0], [1e20, 1], [-1e20], [1e6, 2e6]]):
        x[row, 5:5 + len(numbers)] = numbers
    x[16], x[17], x[18], x[19] = nan, inf, -inf, 0
    rows = [x.sum(1), x.prod(1), x.max(1), x.min(1), x.mean(1), x.argmax(1), x.argmin(1), (x > 0).all(1), (x > 0).any(1),
            np.logaddexp.reduce(x.astype(np.float64), axis=1)]
    save(f"special_rows_{name}", x)
    save(f"special_reduced_{name}", np.stack([r.astype(kind) for r in rows]))
    save(f"special_softmax_{name}", in_double(lambda v: np.exp(log_softmax(v)))(x))
    save(f"special_log_softmax_{name}", in_double(log_softmax)(x))

    # products: small enough for loops, and left to a BLAS
    for size in (3, 40):
        a, b = random.normal(size=(size, size)).astype(kind), random.normal(size=(size, size)).astype(kind)
        a[0, 1], a[1, 0], b[1, 1], b[2, 2], b[2, 0] = inf, nan, 0, -inf, denormal
        if size > 3:
            a[5, 6], a[5, 7], a[7], b[9, 9], b[6] = inf, -inf, 0, huge, 0
        save(f"special_product_{size}_{name}", np.stack([a, b, a @ b, 0 * (a @ b) + b]))

for kind in (np.int32, np.int64):
    name, limits = np.dtype(kind).name, np.iinfo(kind)
    x = np.array([0, 1, -1, 2, -2, 3, -7, 7, limits.max, limits.min, limits.max - 1, limits.min + 1], kind)
    save(f"special_integer_{name}", table(INTEGER, *pairs(x)))
    x = np.tile(x, (12, 1))
    x[np.tri(12, dtype=bool)] = 5
    save(f"special_integer_rows_{name}", x)
    save(f"special_integer_reduced_{name}", np.stack([x.sum(1), x.prod(1), x.max(1), x.min(1), x.argmax(1), x.argmin(1)]).astype(np.int64))
