# SPDX-License-Identifier: MIT
# Writes values/part_norm_layers_*.npy, what PyTorch makes of normalisation layers, their running statistics and their gradients: python3 make_norm_layers.py
import numpy as np
import torch
import torch.nn.functional as F

from written import packed

random = np.random.default_rng(20240401)


def tensor(*shape, at=0.0, scale=1.0):
    return torch.tensor(random.normal(size=shape) * scale + at, dtype=torch.float64, requires_grad=True)


def slopes(y, *of):
    """The gradients of y, weighted by what differs from element to element."""
    weights = torch.cos(torch.arange(y.numel(), dtype=y.dtype)).reshape(y.shape)
    return torch.autograd.grad((weights * y).sum(), of, create_graph=True)


def save(name, inputs, *results):
    packed(f"norm_layers_{name}", *(r.detach().numpy() for r in (*inputs, *results)))


def both(name, f, x, *parameters):
    """What is given, its gradients, and that of the sum of the squares of the gradient of x."""
    y = f(x, *parameters)
    first = slopes(y, x, *parameters)
    save(name, (x, *parameters), y, *first, torch.autograd.grad((first[0] ** 2).sum(), x)[0])


# Two steps of training, then the running statistics at work.
for name, shape in {"matrix": (5, 3), "image": (4, 3, 2, 5), "volume": (2, 2, 3, 2, 2)}.items():
    c = shape[1]
    layer = torch.nn.BatchNorm1d(c) if len(shape) == 2 else torch.nn.BatchNorm2d(c) if len(shape) == 4 else torch.nn.BatchNorm3d(c)
    layer = layer.double()
    scale, offset = tensor(c, at=1), tensor(c)
    layer.weight, layer.bias = torch.nn.Parameter(scale.detach()), torch.nn.Parameter(offset.detach())
    x, second = tensor(*shape, at=2, scale=3), tensor(*shape, at=-1)
    y = layer(x)
    first = slopes(y, x, layer.weight, layer.bias)
    again = torch.autograd.grad((first[0] ** 2).sum(), x)[0]
    after = layer.running_mean.clone(), layer.running_var.clone()
    z = layer(second)
    layer.eval()
    w = layer(x)
    save(f"batch_{name}", (x, second, scale, offset), y, *first, again, *after, z, layer.running_mean, layer.running_var, w, *slopes(w, x, layer.weight))

both("layer", lambda x, s, b: F.layer_norm(x, (7,), s, b), tensor(2, 3, 7, at=10), tensor(7, at=1), tensor(7))
both("layer_two", lambda x, s, b: F.layer_norm(x, (3, 7), s, b, eps=1e-3), tensor(2, 3, 7), tensor(3, 7, at=1), tensor(3, 7))
both("group", lambda x, s, b: F.group_norm(x, 2, s, b), tensor(2, 4, 3, 5, at=1), tensor(4, at=1), tensor(4))
both("instance", lambda x, s, b: F.instance_norm(x, weight=s, bias=b), tensor(2, 3, 4, 2, at=1), tensor(3, at=1), tensor(3))
both("rms", lambda x, s: F.rms_norm(x, (6,), s, eps=1e-6), tensor(4, 6), tensor(6, at=1))
