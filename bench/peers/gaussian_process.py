# SPDX-License-Identifier: MIT
"""The work of gaussian_process.cpp: the gradient by each library's derivatives, and in NumPy, which has none, by the closed form."""
from compare import Table, finish, jax, np, of_pytensor, pt, pytensor, torch

start = tuple(np.asarray(each) for each in (-0.2, -0.1, -1.5))
if jax:
    jax.config.update("jax_enable_x64", True)
if pytensor:
    pytensor.config.floatX = "float64"


def measure(count):
    i = np.arange(count)
    x = 6 * i / (count - 1)
    y = np.sin(2 * x) + 0.1 * np.sin(37.0 * i)
    difference, same = x[:, None] - x[None], np.eye(count)

    def in_numpy(length, amplitude, noise):
        square = (difference / np.exp(length)) ** 2
        known = np.exp(2 * amplitude - 0.5 * square)
        factor = np.linalg.cholesky(known + np.exp(2 * noise) * same)
        of_factor = np.linalg.inv(factor)
        whitened = of_factor @ y
        weights = of_factor.T @ whitened
        slope = 0.5 * (of_factor.T @ of_factor - weights[:, None] * weights)
        of_known = slope * known
        return (0.5 * (whitened**2).sum() + np.log(np.diagonal(factor)).sum(), (of_known * square).sum(), 2 * of_known.sum(),
                2 * np.exp(2 * noise) * np.trace(slope))

    table = Table(f"Gaussian process: likelihood of {count} samples and 3 derivatives, float64")
    table.row("NumPy, closed forms", lambda: in_numpy(*start), 1e-10)
    if torch:
        tdifference, tsame, ty = map(torch.from_numpy, (difference, same, y))

        def cost_in_torch(length, amplitude, noise):
            known = torch.exp(2 * amplitude - 0.5 * (tdifference / length.exp()) ** 2)
            factor = torch.linalg.cholesky(known + torch.exp(2 * noise) * tsame)
            whitened = torch.linalg.solve_triangular(factor, ty[:, None], upper=False)
            return 0.5 * (whitened**2).sum() + torch.diagonal(factor).log().sum()

        def gradient_of(cost_of):
            p = [torch.tensor(float(each), dtype=torch.float64, requires_grad=True) for each in start]
            cost = cost_of(*p)
            cost.backward()
            return cost, *(each.grad for each in p)

        compiled = torch.compile(cost_in_torch)
        table.row("PyTorch, autograd", lambda: gradient_of(cost_in_torch), 1e-10)
        table.row("PyTorch, compiled", lambda: gradient_of(compiled), 1e-10)
    if jax:
        jnp = jax.numpy

        def cost_in_jax(length, amplitude, noise):
            known = jnp.exp(2 * amplitude - 0.5 * (difference / jnp.exp(length)) ** 2)
            factor = jnp.linalg.cholesky(known + jnp.exp(2 * noise) * same)
            whitened = jax.scipy.linalg.solve_triangular(factor, y, lower=True)
            return 0.5 * (whitened**2).sum() + jnp.log(jnp.diagonal(factor)).sum()

        compiled_gradient = jax.jit(jax.value_and_grad(cost_in_jax, (0, 1, 2)))

        def with_jax():
            cost, slopes = jax.block_until_ready(compiled_gradient(*start))
            return cost, *slopes

        table.row("JAX, jit", with_jax, 1e-10)
    if pytensor:

        def in_pytensor(length, amplitude, noise):
            known = pt.exp(2 * amplitude - 0.5 * (difference / pt.exp(length)) ** 2)
            factor = pt.linalg.cholesky(known + pt.exp(2 * noise) * same)
            whitened = pt.linalg.solve_triangular(factor, y, lower=True)
            cost = 0.5 * (whitened**2).sum() + pt.log(pt.diagonal(factor)).sum()
            return cost, *pt.grad(cost, [length, amplitude, noise])

        table.row("PyTensor", of_pytensor(in_pytensor, *start), 1e-10)
    table.measure()


measure(60)
measure(500)
finish(Eigen="the raw code is LAPACK's")
