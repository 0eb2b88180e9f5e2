# SPDX-License-Identifier: MIT
# Writes values/part_pooling_*.npy, what PyTorch makes of pooling and upsampling and of their gradients: python3 make_pooling.py
import numpy as np
import torch
import torch.nn.functional as F

from written import packed

random = np.random.default_rng(20240402)


def image(*shape):
    """Small whole numbers, so that many are equal."""
    return torch.tensor(np.round(random.normal(size=shape) * 2), dtype=torch.float64, requires_grad=True)


def slopes(y, x):
    """The gradient of the sum of the squares of y, weighted by what differs from element to element, and that of the sum of its squares."""
    weights = torch.cos(torch.arange(y.numel(), dtype=y.dtype)).reshape(y.shape)
    first, = torch.autograd.grad((weights * y * y).sum(), x, create_graph=True)
    return first, *torch.autograd.grad((first ** 2).sum(), x)


def save(name, *results):
    packed(f"pooling_{name}", *(r.detach().numpy() for r in results))


def largest(name, f, x, **how):
    y, indices = f(x, return_indices=True, **how)
    save(f"max_{name}", x, y, indices, *slopes(y, x))


def means(name, f, x, **how):
    y = f(x, **how)
    save(f"avg_{name}", x, y, *slopes(y, x))


largest("plain", F.max_pool2d, image(2, 3, 4, 6), kernel_size=2)
largest("rest", F.max_pool2d, image(2, 3, 5, 7), kernel_size=2)
largest("overlapping", F.max_pool2d, image(2, 2, 7, 9), kernel_size=3, stride=2)
largest("padded", F.max_pool2d, image(2, 2, 6, 5), kernel_size=3, stride=2, padding=1)
largest("by_one", F.max_pool2d, image(1, 2, 5, 4), kernel_size=(2, 3), stride=1, padding=(1, 0))
largest("apart", F.max_pool2d, image(2, 1, 8, 9), kernel_size=2, stride=3)
largest("dilated", F.max_pool2d, image(1, 2, 7, 8), kernel_size=3, stride=2, padding=1, dilation=2)
largest("line", F.max_pool1d, image(2, 3, 9), kernel_size=3, stride=2, padding=1)
largest("volume", F.max_pool3d, image(1, 2, 4, 5, 4), kernel_size=2)

means("plain", F.avg_pool2d, image(2, 3, 4, 6), kernel_size=2)
means("rest", F.avg_pool2d, image(2, 3, 5, 7), kernel_size=(2, 3))
means("overlapping", F.avg_pool2d, image(2, 2, 7, 9), kernel_size=3, stride=2)
means("padded", F.avg_pool2d, image(2, 2, 6, 5), kernel_size=3, stride=2, padding=1)
means("uncounted", F.avg_pool2d, image(2, 2, 6, 5), kernel_size=3, stride=2, padding=1, count_include_pad=False)
means("line", F.avg_pool1d, image(2, 3, 9), kernel_size=3, stride=1, padding=1)
means("volume", F.avg_pool3d, image(1, 2, 4, 5, 4), kernel_size=2)

x = image(2, 3, 4, 5)
y = torch.amax(x, (2, 3))
save("global", x, F.adaptive_max_pool2d(x, 1).flatten(1), *slopes(F.adaptive_max_pool2d(x, 1), x), F.adaptive_avg_pool2d(x, 1), *slopes(F.adaptive_avg_pool2d(x, 1), x))

x = image(2, 2, 6, 4)
y, indices = F.max_pool2d(x, 2, return_indices=True)
v = image(*y.shape)
z = F.max_unpool2d(v, indices, 2)
save("unpooled", x, v, z, *slopes(z, v))


def upsampled(name, x, f):
    y = f(x)
    save(f"upsample_{name}", x, y, *slopes(y, x))


upsampled("nearest", image(2, 3, 3, 4), lambda x: F.interpolate(x, scale_factor=(2, 3), mode="nearest"))
upsampled("nearest_volume", image(1, 2, 2, 1, 3), lambda x: F.interpolate(x, scale_factor=2, mode="nearest"))
upsampled("bilinear", image(2, 3, 3, 4), lambda x: F.interpolate(x, scale_factor=(2, 3), mode="bilinear", align_corners=False))
upsampled("corners", image(2, 3, 3, 4), lambda x: F.interpolate(x, scale_factor=(2, 3), mode="bilinear", align_corners=True))
upsampled("linear", image(2, 3, 1), lambda x: F.interpolate(x, scale_factor=4, mode="linear", align_corners=False))

largest("ceil", F.max_pool2d, image(2, 2, 6, 8), kernel_size=3, stride=2, ceil_mode=True)
largest("ceil_padded", F.max_pool2d, image(2, 2, 7, 10), kernel_size=(2, 3), stride=3, padding=1, dilation=(2, 1), ceil_mode=True)
means("ceil", F.avg_pool2d, image(2, 2, 6, 8), kernel_size=3, stride=2, padding=1, ceil_mode=True)
means("ceil_uncounted", F.avg_pool2d, image(2, 2, 6, 9), kernel_size=(3, 4), stride=(2, 3), padding=1, ceil_mode=True, count_include_pad=False)
means("ceil_apart", F.avg_pool2d, image(2, 1, 7, 8), kernel_size=2, stride=3, padding=(1, 0), ceil_mode=True)
means("ceil_line", F.avg_pool1d, image(2, 3, 8), kernel_size=5, stride=4, padding=2, ceil_mode=True)
