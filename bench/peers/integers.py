# SPDX-License-Identifier: MIT
"""The work of integers.cpp."""
from compare import Table, finish, jax, np, pt, random, torch

for n in (10_000, 1_000_000):
    x = random.integers(0, 256, n).astype(np.uint8)
    f32, half, ten, wide = np.float32, np.float32(0.5), np.float32(10), np.uint16(257)

    def each(title, with_numpy, with_torch, with_jax, with_pytensor, tolerance=0):
        Table(f"{title} of {n} uint8").everybody([x], tolerance, with_numpy, with_torch, with_jax, with_pytensor)

    each("x / 255 as float", lambda x: x.astype(f32) / f32(255), lambda x: x.float() / 255, *[lambda x: x.astype(f32) / f32(255)] * 2, 1e-6)
    each("x > 128", *[lambda x: x > np.uint8(128)] * 4)
    each("where(x > 128, x, 0)", lambda x: np.where(x > 128, x, np.uint8(0)), lambda x: torch.where(x > 128, x, 0),
         lambda x: jax.numpy.where(x > 128, x, np.uint8(0)), lambda x: pt.switch(x > np.uint8(128), x, np.uint8(0)))
    each("x * 0.5 + 10 and back", lambda x: (x.astype(f32) * half + ten).astype(np.uint8), lambda x: (x.float() * 0.5 + 10).to(torch.uint8),
         *[lambda x: (x.astype(f32) * half + ten).astype("uint8")] * 2)
    each("uint16 of x, * 257", lambda x: x.astype(np.uint16) * wide, lambda x: x.to(torch.int32).mul(257).to(torch.uint16), *[lambda x: x.astype("uint16") * wide] * 2)
finish(Eigen="its arrays of one type, and a loop of each cast, are the raw loops that are there")
