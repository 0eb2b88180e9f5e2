# SPDX-License-Identifier: MIT
# Writes values/part_loops_*.npy, what JAX makes of loops and their derivatives, in the format of make_parts.py: python3 make_loops.py
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from written import packed

jax.config.update("jax_enable_x64", True)
random = np.random.default_rng(20240401)


def normal(*shape):
    return 0.6 * random.normal(size=shape)


def weighed(*results):
    """A number of all results, whose slope differs from element to element."""
    return sum((k + 1) * jnp.sum(jnp.sin(r)) for k, r in enumerate(results))


def loop(name, run, *arguments):
    """The arguments, what the loop gives, and the gradients of a cost of that; in another file what its Hessian makes of directions that are
    the arguments, moved and scaled."""
    gradients = jax.grad(lambda *a: weighed(*run(*a)), tuple(range(len(arguments))))
    packed(f"loops_{name}", *arguments, *run(*arguments), *gradients(*arguments))
    _, products = jax.jvp(gradients, arguments, tuple(0.5 * a - 0.25 for a in arguments))
    packed(f"loops_hvp_{name}", *arguments, *products)


# Sums and powers
def cumulative(x):
    last, sums = lax.scan(lambda s, e: (s + e, s + e), jnp.zeros(x.shape[1:]), x)
    return last, sums


def polynomial(coefficients, x):
    value, _ = lax.scan(lambda p, c: (p * x + c, None), jnp.zeros_like(x), coefficients)
    return (value,)


# Recurrent networks over a batch: x[time, batch, input]
def rnn(x, h, w, u, b):
    def turn(h, e):
        h = jnp.tanh(e @ w + h @ u + b)
        return h, h
    return lax.scan(turn, h, x)


def lstm(x, h, c, w, u, b):
    def turn(state, e):
        h, c = state
        gates = e @ w + h @ u + b
        i, f, o, z = jnp.split(gates, 4, axis=1)
        c = jax.nn.sigmoid(f) * c + jax.nn.sigmoid(i) * jnp.tanh(z)
        h = jax.nn.sigmoid(o) * jnp.tanh(c)
        return (h, c), h
    (h, c), hs = lax.scan(turn, (h, c), x)
    return h, c, hs


# From the last element to the first, and loops in loops
def backwards(x, y, s):
    def turn(s, e):
        a, b = e
        return s * a + jnp.sum(b), s * s
    return lax.scan(turn, s, (x, y), reverse=True)


def nested(x, w):
    def row_turn(s, row):
        def turn(t, e):
            return jnp.tanh(t + e * jnp.sum(w * s)), t * jnp.sum(s)
        total, parts = lax.scan(turn, jnp.sum(row * row), row)
        return 0.5 * s * total + w, (total, parts)
    s, (totals, parts) = lax.scan(row_turn, w, x)
    return s, totals, parts


# An equation by the method of Runge and Kutta: Lotka and Volterra
def orbit(p, start):
    h = 0.1

    def slope(s):
        return jnp.stack([p[0] * s[0] - p[1] * s[0] * s[1], p[2] * s[0] * s[1] - p[3] * s[1]])

    def turn(s, _):
        a = slope(s)
        b = slope(s + h / 2 * a)
        c = slope(s + h / 2 * b)
        d = slope(s + h * c)
        s = s + h / 6 * (a + 2 * b + 2 * c + d)
        return s, s
    return lax.scan(turn, start, None, length=60)


# Derivatives that go back through the last three turns only
def truncated(x, h, w, u):
    def turn(h, e, w, u):
        h = jnp.tanh(e @ w + h @ u)
        return h, jnp.sum(h)
    stop = lax.stop_gradient
    middle, early = lax.scan(lambda h, e: turn(h, e, stop(w), stop(u)), stop(h), stop(x[:-3]))
    last, late = lax.scan(lambda h, e: turn(h, e, w, u), stop(middle), x[-3:])
    return last, jnp.concatenate([stop(early), late])


loop("cumulative", cumulative, normal(6, 3))
loop("polynomial", polynomial, normal(5), normal(4))
loop("rnn", rnn, normal(7, 4, 3), normal(4, 5), normal(3, 5), normal(5, 5), normal(5))
loop("lstm", lstm, normal(6, 3, 2), normal(3, 4), normal(3, 4), normal(2, 16), normal(4, 16), normal(16))
loop("backwards", backwards, normal(5, 2), normal(5, 3), normal(2))
loop("nested", nested, normal(4, 3), normal(2))
loop("orbit", orbit, np.array([1.1, 0.4, 0.1, 0.4]), np.array([2.0, 1.0]))
loop("truncated", truncated, normal(7, 2, 3), normal(2, 4), normal(3, 4), normal(4, 4))


# Loops that a value ends. JAX goes back through none of them: what it has is the derivative forwards.
def newton(a):
    def better(state):
        x, turns = state
        return 0.5 * (x + a / x), turns + 1
    return lax.while_loop(lambda s: jnp.abs(s[0] * s[0] - a) > 1e-3, better, (a, 0))


def root_and_slopes(a):
    root = lambda a: newton(a)[0]
    slope = lambda a: jax.jvp(root, (a,), (1.0,))[1]
    return root(a), newton(a)[1], slope(a), jax.jvp(slope, (a,), (1.0,))[1]


packed("loops_while", *(result for a in (2.0, 9.0, 1e4, 1.0) for result in (a, *root_and_slopes(a))))


# The branch that is taken
def branch(x, a):
    return (lax.cond(a > 0, lambda x: jnp.log(jnp.abs(a)) * jnp.exp(x), lambda x: x * jnp.sqrt(jnp.abs(a)), x),)


loop("cond_first", branch, normal(5), np.float64(1.7))
loop("cond_second", branch, normal(5), np.float64(-2.3))
