# SPDX-License-Identifier: MIT
"""The work of pooling.cpp."""
from compare import Table, finish, functional, jax, torch, uniform


def pool_of_jax(mean, kernel):
    def pool(x):
        lax = jax.lax
        start, law = (0.0, lax.add) if mean else (-jax.numpy.inf, lax.max)
        y = lax.reduce_window(x, start, law, (1, 1, kernel, kernel), (1, 1, 2, 2), "VALID")
        return y / (kernel * kernel) if mean else y
    return pool


def slope_of_torch(mean, kernel):
    def slope(x, c):
        if mean:
            return torch.ops.aten.avg_pool2d_backward(c, x, (kernel, kernel), (2, 2), (0, 0), False, True, None)
        indices = functional.max_pool2d(x, kernel, 2, return_indices=True)[1]
        return torch.ops.aten.max_pool2d_with_indices_backward(c, x, (kernel, kernel), (2, 2), (0, 0), (1, 1), False, indices)
    return slope


for mean in (False, True):
    for kernel, samples, channels, extent in ((2, 100, 6, 28), (2, 100, 16, 10), (3, 32, 16, 27)):
        count = (extent - kernel) // 2 + 1
        x, c = uniform(-1, 1, samples, channels, extent, extent), uniform(-1, 1, samples, channels, count, count)
        title = f"{'mean' if mean else 'max'} pooling of windows of {kernel} x {kernel} by 2 of {samples} x {channels} x {extent} x {extent} float32"
        of_torch = torch and (functional.avg_pool2d if mean else functional.max_pool2d)
        of_jax = pool_of_jax(mean, kernel)
        Table(title).everybody([x], 1e-6, None, lambda x, f=of_torch: f(x, kernel, 2), of_jax)
        Table(title + ", derivative").everybody([x, c], 1e-6, None, slope_of_torch(mean, kernel), lambda x, c, f=of_jax: jax.vjp(f, x)[1](c)[0])
finish(NumPy="it has no pooling", PyTensor="it has no pooling", Eigen="it has no pooling",)
