# SPDX-License-Identifier: MIT
# Writes values/part_derivatives_*.npy, what JAX makes of the derivatives of functions of many kinds, in the format of make_parts.py: python3 make_derivatives.py
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.scipy.linalg import solve_triangular

from written import packed

jax.config.update("jax_enable_x64", True)
random = np.random.default_rng(20241124)


def derivatives(name, f, x, w):
    """Of y = f(x, w): the arguments, directions for both, weights for y, three more of x; then what each transformation makes of y, and of a cost of y."""
    y = np.asarray(f(x, w))
    vx, vw, u, xs = (random.normal(size=s) for s in (x.shape, w.shape, y.shape, (3, *x.shape)))

    def cost(x, w):
        return jnp.sum(u * jnp.sin(f(x, w)))

    gradients = jax.grad(cost, (0, 1))
    value, of_cost = jax.value_and_grad(cost, (0, 1))(x, w)
    _, along = jax.jvp(f, (x, w), (vx, vw))
    _, pull = jax.vjp(f, x, w)
    _, products = jax.jvp(gradients, (x, w), (vx, vw))
    (xx, xw), (wx, ww) = jax.hessian(cost, (0, 1))(x, w)
    packed(f"derivatives_{name}", x, w, vx, vw, u, xs, value, *of_cost, along, *pull(u), *jax.jacobian(f, (0, 1))(x, w), xx, xw, wx, ww, *products,
           jax.vmap(lambda e: f(e, w))(xs), jax.vmap(lambda e: jax.grad(cost)(e, w))(xs), jax.vmap(lambda e: jax.jacobian(f, 1)(e, w))(xs))


def normal(*shape):
    return random.normal(size=shape)


def turns(x, w):
    def turn(h, e):
        h = jnp.tanh(w @ h + e)
        return h, h * e
    last, given = lax.scan(turn, jnp.ones(x.shape[1]), x)
    return jnp.concatenate([given, last[None]])


def of_triangle(x, w):
    l = jnp.linalg.cholesky(x @ x.T + 2 * jnp.eye(3))
    return l @ solve_triangular(l, jnp.sin(l) @ w, lower=True)


derivatives("einsum", lambda x, w: jnp.tanh(jnp.einsum("ij,jk,il->kl", x, w, x)), normal(3, 4), normal(4, 2))
derivatives("cumulated", lambda x, w: jnp.cumsum(x * w, 1) + jnp.cumprod(x, 0), normal(3, 4), normal(4))
derivatives("where", lambda x, w: jnp.where(x > w, x * w, jnp.sin(x)) + jnp.maximum(x, 0.2 * w) * jnp.clip(x, -0.5, 0.7) + jnp.abs(x), normal(3, 4), normal(4))
derivatives("sort", lambda x, w: jnp.sort(x * x * x, 1) * w + x[:, ::-1], normal(3, 4), normal(4))
derivatives("norm", lambda x, w: x / jnp.linalg.norm(x, axis=1, keepdims=True) * w + jnp.linalg.norm(x * w, 1, axis=0), normal(3, 4), normal(4))
derivatives("spreads", lambda x, w: jnp.var(x, 1, ddof=1) * jnp.quantile(x, 0.3, 1) + jax.nn.logsumexp(x * w, 1) + jnp.max(x, 1) * jnp.prod(x, 1), normal(3, 4), normal(4))
derivatives("picked", lambda x, w: jax.nn.softmax(jnp.asarray(x)[jnp.array([2, 0, 2])], 1) @ jnp.asarray(w).at[jnp.array([1, 1, 3])].add(x[1, :3]), normal(3, 4), normal(4))
derivatives("solve", lambda x, w: jnp.linalg.solve(x + 3 * jnp.eye(3), w) * jnp.linalg.slogdet(x + 3 * jnp.eye(3))[1] + jnp.linalg.inv(x + 3 * jnp.eye(3)) @ jnp.sin(w), normal(3, 3), normal(3))
derivatives("cholesky", of_triangle, normal(3, 4), normal(3))
derivatives("scan", turns, normal(4, 2), normal(2, 2))
