# SPDX-License-Identifier: MIT
"""The work of gaussian_mixture.cpp: what belongs to which part is the gradient of a logsumexp, except in NumPy, which has none."""
from compare import Table, finish, jax, np, torch

points, log_two_pi = 20_000, np.log(2 * np.pi)
i = np.arange(points)
u, v = (i + 1) * np.sqrt(2) % 1, (i + 1) * np.sqrt(3) % 1
x = np.stack([np.sqrt(-2 * np.log(u)) * np.cos(2 * np.pi * v) + 3 * (i % 3 == 0), np.sqrt(-2 * np.log(u)) * np.sin(2 * np.pi * v) + 4 * (i % 3 == 1)], 1)
start = np.full(3, 1 / 3), np.array([[2.0, 0], [0, 2], [0, 0]]), np.tile(np.eye(2), (3, 1, 1))


def in_numpy(share, mean, covariance):
    l = np.linalg.cholesky(covariance)
    whitened = np.linalg.solve(l, (x[None] - mean[:, None]).transpose(0, 2, 1))
    joint = np.log(share)[:, None] - np.log(np.diagonal(l, axis1=1, axis2=2)).sum(1)[:, None] - log_two_pi - 0.5 * (whitened**2).sum(1)
    most = joint.max(0)
    odds = np.exp(joint - most)
    total = odds.sum(0)
    belongs = odds / total
    weight = belongs.sum(1)
    mean = belongs @ x / weight[:, None]
    off = x[None] - mean[:, None]
    return (np.log(total) + most).sum(), weight / points, mean, (belongs[:, :, None] * off).transpose(0, 2, 1) @ off / weight[:, None, None]


table = Table("Gaussian mixture: a turn of 3 parts, 20000 points of 2 numbers, float64")
table.row("NumPy", lambda: in_numpy(*start), 1e-7)
if torch:
    of_torch, torch_start = torch.from_numpy(x), [torch.from_numpy(each) for each in start]

    def in_torch(share, mean, covariance):
        l = torch.linalg.cholesky(covariance)
        whitened = torch.linalg.solve_triangular(l, (of_torch[None] - mean[:, None]).transpose(1, 2), upper=False)
        joint = share.log()[:, None] - torch.diagonal(l, dim1=1, dim2=2).log().sum(1)[:, None] - log_two_pi - 0.5 * (whitened**2).sum(1)
        # The derivative of its sum; autograd of a graph that only begins here is no quicker.
        belongs = torch.softmax(joint, 0)
        weight = belongs.sum(1)
        mean = belongs @ of_torch / weight[:, None]
        off = of_torch[None] - mean[:, None]
        return torch.logsumexp(joint, 0).sum(), weight / points, mean, (belongs[:, :, None] * off).transpose(1, 2) @ off / weight[:, None, None]

    compiled = torch.compile(in_torch)
    table.row("PyTorch", lambda: in_torch(*torch_start), 1e-7)
    table.row("PyTorch, compiled", lambda: compiled(*torch_start), 1e-7)
if jax:
    jax.config.update("jax_enable_x64", True)
    jnp = jax.numpy

    def in_jax(share, mean, covariance):
        l = jnp.linalg.cholesky(covariance)
        whitened = jax.vmap(lambda l, off: jax.scipy.linalg.solve_triangular(l, off, lower=True))(l, (x[None] - mean[:, None]).transpose(0, 2, 1))
        joint = jnp.log(share)[:, None] - jnp.log(jnp.diagonal(l, axis1=1, axis2=2)).sum(1)[:, None] - log_two_pi - 0.5 * (whitened**2).sum(1)
        likelihood, belongs = jax.value_and_grad(lambda joint: jax.scipy.special.logsumexp(joint, axis=0).sum())(joint)
        weight = belongs.sum(1)
        mean = belongs @ x / weight[:, None]
        off = x[None] - mean[:, None]
        return likelihood, weight / points, mean, (belongs[:, :, None] * off).transpose(0, 2, 1) @ off / weight[:, None, None]

    compiled_turn, jax_start = jax.jit(in_jax), [jnp.asarray(each) for each in start]
    table.row("JAX, jit", lambda: jax.block_until_ready(compiled_turn(*jax_start)), 1e-7)
table.measure()
finish(Eigen="the raw loops are the measure here", PyTensor="not written in it")
