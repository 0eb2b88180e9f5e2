# SPDX-License-Identifier: MIT
"""The work of black_scholes.cpp: the greeks as derivatives of the price, as each library takes them; in NumPy, which has none, the closed forms."""
from compare import Table, finish, jax, jitted, np, of_pytensor, pt, pytensor, torch, uniform

try:
    from scipy.special import ndtr
except ImportError:
    ndtr = None

count = 1_000_000
market = [uniform(low, high, count) for low, high in ((50, 150), (50, 150), (0.1, 2), (0, 0.1), (0.1, 0.5))]
tolerance = 5e-4  # the results of float, of which theta has the size of 20 and is a difference


def price(library, normal, spot, strike, expiry, rate, volatility):
    spread = volatility * library.sqrt(expiry)
    d1 = (library.log(spot / strike) + (rate + volatility**2 / 2) * expiry) / spread
    return spot * normal(d1) - strike * library.exp(-rate * expiry) * normal(d1 - spread)


def closed_forms(spot, strike, expiry, rate, volatility):
    root = np.sqrt(expiry)
    spread = volatility * root
    d1 = (np.log(spot / strike) + (rate + volatility**2 / 2) * expiry) / spread
    n1, now = ndtr(d1), strike * np.exp(-rate * expiry) * ndtr(d1 - spread)
    slope = spot * np.exp(-d1 * d1 / 2) / np.float32(np.sqrt(2 * np.pi))
    return spot * n1 - now, n1, slope / (spot * spot * spread), slope * root, -slope * volatility / (2 * root) - rate * now, expiry * now


def of_torch(*market):
    spot, strike, expiry, rate, volatility = market
    value = price(torch, torch.special.ndtr, *market)
    delta, vega, decay, rho = torch.autograd.grad(value.sum(), (spot, volatility, expiry, rate), create_graph=True)
    gamma, = torch.autograd.grad(delta.sum(), spot)
    return value, delta, gamma, vega, -decay, rho


def in_torch(*option):
    func = torch.func

    def value(*option):
        return price(torch, torch.special.ndtr, *option)

    (delta, vega, decay, rho), now = func.grad_and_value(value, (0, 4, 2, 3))(*option)
    return now, delta, func.grad(func.grad(value))(*option), vega, -decay, rho


def of_jax(*option):
    def value(*option):
        return price(jax.numpy, jax.scipy.stats.norm.cdf, *option)

    now, (delta, vega, decay, rho) = jax.value_and_grad(value, (0, 4, 2, 3))(*option)
    return now, delta, jax.grad(jax.grad(value))(*option), vega, -decay, rho


def in_pytensor(*market):
    spot, strike, expiry, rate, volatility = market
    half = np.float32(0.5)
    value = price(pt, lambda x: half * pt.erfc(-x * np.float32(np.sqrt(0.5))), *market)
    delta, vega, decay, rho = pt.grad(value.sum(), [spot, volatility, expiry, rate])
    return value, delta, pt.grad(delta.sum(), spot), vega, -decay, rho


table = Table("Black-Scholes: price and 5 greeks of 1e6 options, float32")
if ndtr:
    table.row("NumPy and SciPy, closed forms", lambda: closed_forms(*market), tolerance)
if torch:
    tensors = [torch.from_numpy(x).requires_grad_() for x in market]
    table.row("PyTorch, autograd", lambda: of_torch(*tensors), tolerance)
    plain = [t.detach() for t in tensors]
    compiled = torch.compile(torch.func.vmap(in_torch))
    table.row("PyTorch, compiled torch.func", lambda: compiled(*plain), tolerance)
if jax:
    table.row("JAX, jit of vmap", jitted(jax.vmap(of_jax), *market), tolerance)
if pytensor:
    table.row("PyTensor", of_pytensor(in_pytensor, *market), tolerance)
table.measure()
finish()
