# SPDX-License-Identifier: MIT
"""The work of statistics.cpp."""
from compare import Table, finish, functional, jax, np, pt, torch, uniform


def both(f, tolerance, title, *arrays):
    """What NumPy, JAX and PyTensor spell alike."""
    return lambda of_torch: Table(title).everybody(arrays, tolerance, lambda *a: f(np, *a), of_torch, lambda *a: f(jax.numpy, *a), lambda *a: f(pt, *a))


def layer_norm(library, x, g, b):
    mean = x.mean(1, keepdims=True)
    return (x - mean) / library.sqrt(x.var(1, keepdims=True) + np.float32(1e-5)) * g + b


for n in (1000, 10_000):
    x = uniform(-1, 1, n)
    both(lambda _, x: x.var(), 1e-4, f"var of a vector of {n} float32", x)(lambda x: x.var(correction=0))
    both(lambda library, x: library.sqrt((x * x).sum()) if library is pt else library.linalg.norm(x), 1e-4, f"norm of a vector of {n} float32", x)(lambda x: torch.linalg.vector_norm(x))
for rows, columns in ((1, 1000), (100, 1000), (1000, 1000), (1, 4_000_000)):
    x, g, b = uniform(-1, 1, rows, columns), uniform(-1, 1, columns), uniform(-1, 1, columns)
    of = f" of the rows of {rows} x {columns} float32"
    both(lambda _, x: x.var(1), 1e-4, "var" + of, x)(lambda x: x.var(1, correction=0))
    both(layer_norm, 1e-3, "layer norm" + of, x, g, b)(lambda x, g, b: functional.layer_norm(x, (x.shape[1],), g, b))
    both(lambda library, x: library.sqrt((x * x).sum(1)) if library is pt else library.linalg.norm(x, axis=1), 1e-4, "norm" + of, x)(lambda x: torch.linalg.vector_norm(x, dim=1))
for rows, columns in ((100, 1000), (1000, 1000), (10_000, 1000), (40_000, 64)):
    x = uniform(-1, 1, rows, columns)
    both(lambda _, x: x.var(0), 1e-4, f"var of the columns of {rows} x {columns} float32", x)(lambda x: x.var(0, correction=0))
    both(lambda _, x: x.var(), 1e-3, f"var of all of {rows} x {columns} float32", x)(lambda x: x.var(correction=0))
for images, channels, side in ((32, 64, 28), (8, 64, 56)):
    x = uniform(-1, 1, images, channels, side, side)
    both(lambda _, x: x.var((0, 2, 3)), 1e-4, f"var of {channels} channels of {images} x {side} x {side} float32", x)(
        lambda x: x.var((0, 2, 3), correction=0))
for batches, heads, length, depth in ((4, 8, 128, 64), (1, 12, 512, 64)):
    q, k = (uniform(-1, 1, batches, heads, length, depth) for _ in range(2))
    p = uniform(-1, 1, batches, heads, length, length)
    for formula, arrays in (("bhqd,bhkd->bhqk", (q, k)), ("bhqk,bhkd->bhqd", (p, k))):
        both(lambda library, a, b: library.einsum(formula, a, b, **({} if library is pt else {"optimize": True})), 1e-3, f"einsum {formula}: {batches} x {heads} heads, {length} x {depth} float32", *arrays)(
            lambda a, b: torch.einsum(formula, a, b))
finish(Eigen="the raw loops are the measure here")
