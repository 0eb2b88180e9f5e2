# SPDX-License-Identifier: MIT
"""The work of w3_logistic.cpp."""
from compare import Table, difference, finish, functional, jax, jitted, np, of_pytensor, pt, pytensor, torch, uniform


def logistic(samples):
    features = 784
    x = uniform(-1, 1, samples, features)
    y = (uniform(0, 1, samples) >= 0.5).astype(np.float32)
    start = uniform(-0.1, 0.1, features)

    w, b = start.copy(), np.zeros((), np.float32)

    def with_numpy():
        """The gradient written by hand: p - y."""
        z = x @ w + b
        e = np.exp(-np.abs(z))
        error = np.maximum(z, 0) - y * z + np.log1p(e)
        p = np.where(z > 0, 1, e) / (1 + e)
        residual = p - y
        np.subtract(0.998 * w, residual @ x * np.float32(0.1 / samples), out=w)
        np.subtract(b, np.float32(0.1) * residual.mean(), out=b)
        return p > 0.5, error

    table = Table(f"W3 logistic: one training step, {samples} x 784 float32")
    table.row("NumPy, gradient by hand", with_numpy)
    if torch:
        tx, ty = torch.from_numpy(x), torch.from_numpy(y)
        tw = torch.from_numpy(start.copy()).requires_grad_()
        tb = torch.zeros((), requires_grad=True)

        def with_torch():
            z = tx @ tw + tb
            error = functional.binary_cross_entropy_with_logits(z, ty, reduction="none")
            cost = error.mean() + 0.01 * (tw * tw).sum()
            gw, gb = torch.autograd.grad(cost, (tw, tb))
            with torch.no_grad():
                tw.sub_(gw, alpha=0.1)
                tb.sub_(gb, alpha=0.1)
                return z > 0, error

        for _ in range(3):
            _, error = with_numpy()
            _, torch_error = with_torch()
        table.check("PyTorch, NumPy after 3 steps",
                    difference([tw.detach(), tb.detach(), torch_error.detach()], [w, b, error]), 1e-4)
        table.row("PyTorch, autograd", with_torch)

        @torch.compile
        def errors_of(x, y, w, b):
            z = x @ w + b
            error = functional.binary_cross_entropy_with_logits(z, y, reduction="none")
            return error.mean() + 0.01 * (w * w).sum(), z > 0, error

        def with_compiled():
            cost, prediction, error = errors_of(tx, ty, tw, tb)
            gw, gb = torch.autograd.grad(cost, (tw, tb))
            with torch.no_grad():
                tw.sub_(gw, alpha=0.1)
                tb.sub_(gb, alpha=0.1)
            return prediction, error

        table.row("PyTorch, compiled", with_compiled)
    if jax:
        jnp = jax.numpy
        jx, jy, state = jnp.asarray(x), jnp.asarray(y), [jnp.asarray(start), jnp.zeros((), jnp.float32)]

        def cost_of(w, b):
            z = jx @ w + b
            error = jax.nn.softplus(z) - jy * z
            return jnp.mean(error) + 0.01 * jnp.sum(w * w), (z > 0, error)

        @jax.jit
        def step(w, b):
            (_, results), (gw, gb) = jax.value_and_grad(cost_of, (0, 1), has_aux=True)(w, b)
            return w - 0.1 * gw, b - 0.1 * gb, results

        def with_jax():
            *state[:], results = step(*state)
            return jax.block_until_ready(results)

        table.row("JAX, jit", with_jax)
    if pytensor:
        sx, sy = pytensor.shared(x), pytensor.shared(y)
        sw, sb = pytensor.shared(start.copy()), pytensor.shared(np.zeros((), np.float32))
        p = pt.sigmoid(sx @ sw + sb)
        error = -sy * pt.log(p) - (1 - sy) * pt.log(1 - p)
        gw, gb = pt.grad(error.mean() + np.float32(0.01) * (sw * sw).sum(), [sw, sb])
        rate = np.float32(0.1)
        table.row("PyTensor", pytensor.function([], [p > 0.5, error], updates=[(sw, sw - rate * gw), (sb, sb - rate * gb)]))
    table.measure()


for samples in (400, 4_000, 40_000):
    logistic(samples)
finish()
