# SPDX-License-Identifier: MIT
# Writes values/functions_*.npy, special numbers and what NumPy, SciPy and PyTorch make of them: python3 make_functions.py
import mpmath
import numpy as np
import scipy.special as special
import torch

from written import here, in_double, pairs, table

np.seterr(all="ignore")


def gammaln(x):
    """SciPy's, which loses digits around 1."""
    near = np.abs(x - 1) < 0.1
    return np.where(near, [float(mpmath.loggamma(v)) if n else 0 for v, n in zip(x, near)], special.gammaln(x))


F = torch.nn.functional
UNARY = dict(
    exp2=np.exp2, log2=np.log2, log10=np.log10, cbrt=np.cbrt, rsqrt=lambda x: 1 / np.sqrt(x), reciprocal=np.reciprocal,
    sin=in_double(np.sin), cos=in_double(np.cos), tan=in_double(np.tan), asin=np.arcsin, acos=np.arccos, atan=np.arctan, sinh=np.sinh, cosh=np.cosh,
    asinh=np.arcsinh, acosh=np.arccosh, atanh=np.arctanh, erfc=in_double(special.erfc), erfinv=in_double(lambda x: np.copysign(special.erfinv(x), x)), lgamma=in_double(gammaln),
    digamma=in_double(special.psi), logit=in_double(special.logit), degrees=np.degrees, radians=np.radians, floor=np.floor, ceil=np.ceil, trunc=np.trunc,
    round=np.round, isinf=np.isinf, isfinite=np.isfinite, nan_to_num=np.nan_to_num)
ACTIVATIONS = dict(
    elu=F.elu, elu2=lambda x: F.elu(x, 2.0), selu=F.selu, celu2=lambda x: F.celu(x, 2.0), silu=F.silu, mish=F.mish, leaky_relu=F.leaky_relu,
    leaky_relu2=lambda x: F.leaky_relu(x, 0.2), prelu=lambda x: F.prelu(x, torch.tensor([0.25], dtype=x.dtype)), hard_sigmoid=F.hardsigmoid,
    hard_swish=F.hardswish, softsign=F.softsign)
BINARY = dict(
    atan2=np.arctan2, hypot=np.hypot, fmod=np.fmod, remainder=np.remainder, floor_divide=np.floor_divide, copysign=np.copysign, heaviside=np.heaviside,
    nextafter=np.nextafter)
INTEGER = dict(
    fmod=np.fmod, remainder=np.remainder, floor_divide=np.floor_divide, bitwise_and=np.bitwise_and, bitwise_or=np.bitwise_or, bitwise_xor=np.bitwise_xor,
    bitwise_not=lambda x, y: ~x, left_shift=np.left_shift, right_shift=np.right_shift)


for kind in (np.float32, np.float64):
    name, limits = np.dtype(kind).name, np.finfo(kind)
    inf, nan, huge, tiny, denormal = np.inf, np.nan, limits.max, limits.tiny, limits.smallest_subnormal
    x = np.array([nan, inf, -inf, 0.0, -0.0, huge, -huge, tiny, -tiny, denormal, -denormal, tiny / 8, 1, -1, 0.5, -0.5, 1.5, 2.5, -2.5, 3.5, 2, -2, 3, -3, limits.eps,
                  -limits.eps, 1 - limits.epsneg, 1 + limits.eps, 1e-10, -1e-10, np.pi / 2, -np.pi, 100, 355, -710.4, 89.2, -126.5, -1075, 1e6, 1e15, -1e22, 0.99, 7.25], kind)
    np.save(here / f"special_functions_{name}.npy", table(UNARY, x))
    # Smooth and ordinary, the kinks, and beyond the range of exp; with the slopes. PyTorch computes in double, rounded once; its slope of
    # softsign at infinity is NaN, and that of hard_sigmoid has the digits of a float.
    x = np.array([0.0, -0.0, 3, -3, 1, -1, 0.5, -0.5, 2.75, -2.75, 4, -4, 20, -20, 800, -800, 1e30, -1e30, inf], kind)
    rows = [x]
    for f in ACTIVATIONS.values():
        t = torch.from_numpy(x.astype(np.float64)).requires_grad_()
        y = f(t)
        y.sum().backward()
        slope = t.grad.numpy().astype(kind)
        if f is F.hardsigmoid:
            slope = np.where(slope == 0, 0, 1 / 6).astype(kind)
        rows += [y.detach().numpy().astype(kind), np.where(np.isnan(slope) & (f is F.softsign), 0, slope)]
    np.save(here / f"special_activations_{name}.npy", np.stack(rows))
    x = np.array([nan, inf, -inf, 0.0, -0.0, huge, -huge, tiny, denormal, -denormal, 1, -1, 0.5, -0.75, 2, -3, 7.5, 1e20, 1e-20], kind)
    np.save(here / f"special_divided_{name}.npy", table(BINARY, *pairs(x)))

for kind in (np.int32, np.int64):
    name, limits = np.dtype(kind).name, np.iinfo(kind)
    x = np.array([0, 1, -1, 2, -2, 3, -7, 7, 31, 32, 63, 64, 100, limits.max, limits.min, limits.max - 1, limits.min + 1], kind)
    np.save(here / f"special_bits_{name}.npy", table(INTEGER, *pairs(x)))
