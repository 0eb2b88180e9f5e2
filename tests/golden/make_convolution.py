# SPDX-License-Identifier: MIT
# Writes values/part_convolution_*.npy, what PyTorch makes of convolutions and of both gradients, in the format of make_parts.py: python3 make_convolution.py
import math

import numpy as np
import torch
import torch.nn.functional as F

from written import packed

random = np.random.default_rng(20240401)
CONVOLVE = {1: F.conv1d, 2: F.conv2d, 3: F.conv3d}
TRANSPOSE = {1: F.conv_transpose1d, 2: F.conv_transpose2d, 3: F.conv_transpose3d}


def along(value, axes):
    return [value] * axes if isinstance(value, int) else list(value)


def pairs(padding, image, kernel, stride, dilation):
    """(before, after) of each axis."""
    axes = len(image)
    if padding == "same":
        missing = [max((math.ceil(n / s) - 1) * s + d * (k - 1) + 1 - n, 0) for n, k, s, d in zip(image, kernel, stride, dilation)]
        return [(m // 2, m - m // 2) for m in missing]
    if padding == "full":
        return [(d * (k - 1),) * 2 for k, d in zip(kernel, dilation)]
    return [(p, p) if isinstance(p, int) else p for p in along(padding, axes)]


def case(name, image, kernel, n=2, stride=1, padding=0, dilation=1, groups=1, channels=2, out=3, last=False, flip=False, output_padding=None, biased=False):
    axes = len(image)
    stride, dilation = along(stride, axes), along(dilation, axes)
    before = pairs(padding, image, kernel, stride, dilation)
    back = output_padding is not None
    x = torch.tensor(random.normal(size=(n, channels, *image)), requires_grad=True)
    w = torch.tensor(random.normal(size=(channels, out // groups, *kernel) if back else (out, channels // groups, *kernel)), requires_grad=True)
    spatial = tuple(range(2, 2 + axes))
    seen = torch.flip(w, spatial) if flip else w
    if back:
        y = TRANSPOSE[axes](x, seen, stride=stride, padding=[b for b, _ in before], output_padding=output_padding, dilation=dilation, groups=groups)
    else:
        padded = F.pad(x, [side for pair in reversed(before) for side in pair])
        y = CONVOLVE[axes](padded, seen, stride=stride, dilation=dilation, groups=groups)
    if biased:
        b = torch.tensor(random.normal(size=out), requires_grad=True)
        y = torch.relu(y + b[(slice(None),) + (None,) * axes])
    c = torch.tensor(random.normal(size=tuple(y.shape)))
    (y * c).sum().backward()

    def images(a):
        a = a.detach().numpy()
        return np.moveaxis(a, 1, -1) if last else a

    def kernels(a):
        a = a.detach().numpy()
        return np.moveaxis(a, (0, 1), (-1, -2)) if last else a

    written.setdefault(name, []).extend((images(x), kernels(w), *([b.detach()] if biased else []), images(c), images(y), images(x.grad), kernels(w.grad), *([b.grad] if biased else [])))


written = {}
for k in (1, 3, 4, 7):
    case("plain", (9, 7 + k), (k, 8 - k))
    case("strided", (8, 11), (k, (k + 2) % 5 + 1), stride=2, padding=1)
    case("pairs", (7 + k, 13), (k, 3), stride=(2, 3), padding=((1, 2), (0, 1)), dilation=(1, 2))
    case("same", (5, 8), (k, 3), padding="same")
    case("same_by_3", (7, 8 + k), (k, 4), padding="same", stride=3)
    case("full", (4, 3), (k, 2), padding="full", stride=(1, 2), dilation=(2, 1))
    case("groups", (9, 8), (k, 3), padding=1, groups=2, channels=4, out=6)
    case("depthwise", (10, 9), (3, k), stride=3, padding=2, groups=4, channels=4, out=4)
    case("last", (9, 8), (k, 3), stride=2, padding=1, groups=2, channels=4, out=6, last=True)
    case("flipped", (9, 8), (k, 2), padding="full", flip=True)
    case("back", (4, 5), (k, 4), stride=3, output_padding=(1, 1), out=4)
case("line", (40,), (5,), stride=2, padding=3, dilation=2)
case("line", (255,), (128,), stride=2, padding=3, dilation=2, channels=1, out=4, n=1)
case("volume", (5, 6, 4), (3, 2, 3), stride=(1, 2, 1), padding=1)
case("volume", (3, 4, 7), (1, 3, 5), stride=(1, 2, 1), padding=1, channels=1, out=1, n=1)
case("back_groups", (4, 3), (3, 2), stride=2, padding=1, dilation=2, groups=2, channels=4, out=6, output_padding=(0, 0), last=True)
case("back_line", (9,), (4,), stride=2, padding=((1, 1),), output_padding=(1,))
case("plain", (1, 1), (1, 1), n=1, channels=1, out=1)

# What has ways of its own: kernels of one element, three by three in tiles, channels that lie side by side, results and channels that fill registers, and a
# bias and relu behind it.
for image in ((1, 1), (5, 3), (13, 11)):
    case("pointwise", image, (1, 1), channels=5, out=7)
    case("pointwise_groups", image, (1, 1), channels=4, out=6, groups=2)
    case("pointwise_last", image, (1, 1), channels=5, out=7, last=True)
    case("pointwise_by_2", image, (1, 1), stride=2, padding=1, channels=3, out=5)
    case("pointwise_biased", image, (1, 1), channels=3, out=18, biased=True)
for image in ((3, 3), (5, 7), (9, 4), (13, 14)):
    case("tiles", image, (3, 3), padding=1, channels=3, out=5)
    case("tiles_groups", image, (3, 3), channels=4, out=6, groups=2)
    case("tiles_last", image, (3, 3), padding=1, channels=3, out=4, last=True, n=1)
for k in range(1, 8):
    case("last_plain", (6 + k, 9), (k, 8 - k), last=True)
    case("last_by_3", (9, 5 + k), (k, (k + 3) % 7 + 1), stride=3, padding=3, last=True)
    case("last_apart", (3 + 2 * k, 11), (k, 3), stride=(1, 2), padding=(0, 2), dilation=2, last=True, n=1)
    case("last_depthwise", (7, 9), (k, (k + 1) % 5 + 1), stride=2, padding=3, groups=5, channels=5, out=5, last=True)
    case("biased", (9, 8), (k, 3), padding=3, biased=True)
    case("biased_last", (8, 9), (3, k), stride=2, padding=3, channels=2, out=5, last=True, biased=True)
for by in (1, 2, 3):
    case(f"wide_by_{by}", (4, 37), (3, 3), stride=by, padding=1, channels=9, out=17, n=1)
    case(f"wide_by_{by}", (5, 19), (2, 5), stride=by, padding=1, channels=4, out=8, n=3)

for name, arrays in written.items():
    packed(f"convolution_{name}", *arrays)
