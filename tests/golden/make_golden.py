# SPDX-License-Identifier: MIT
# Writes values/*.npy, inputs and what NumPy computes from them in double: python3 make_golden.py
import pathlib

import numpy as np

here = pathlib.Path(__file__).parent / "values"
here.mkdir(exist_ok=True)

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
