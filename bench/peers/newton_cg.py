# SPDX-License-Identifier: MIT
"""The work of newton_cg.cpp: products with the Hessian as each library takes them. PyTorch's conjugate gradients are a loop of Python, and where nothing is compiled one call takes
it more than ten seconds: that is not measured."""
from compare import Table, finish, jax, np, torch

cells, turns, tolerance = 64, 8, 1e-12
width = 2.4 / cells
place = np.arange(cells + 1) * width - 1.2
border = np.log(np.cos(place)[:, None] / np.cos(place)[None])
border[1:-1, 1:-1] = 0


def area(sqrt, u):
    a, b, c, d = u[:-1, :-1], u[1:, :-1], u[:-1, 1:], u[1:, 1:]

    def triangles(along, across):
        return sqrt(width * width + along * along + across * across).sum()

    return 0.5 * width * (triangles(b - a, c - a) + triangles(d - c, d - b))


table = Table("Newton's method: a film of 63 x 63 points by 8 turns of conjugate gradients, float64")
if torch:
    around = torch.from_numpy(border)

    def cost(u):
        return area(torch.sqrt, around + torch.nn.functional.pad(u, (1, 1, 1, 1)))

    slope_of = torch.compile(torch.func.grad(cost))
    product = torch.compile(lambda u, v: torch.func.jvp(torch.func.grad(cost), (u,), (v,))[1])

    def film():
        u = torch.zeros(cells - 1, cells - 1, dtype=torch.float64)
        for _ in range(turns):
            left = slope = slope_of(u)
            direction, move, size = slope, torch.zeros_like(u), (slope * slope).sum()
            enough = tolerance**2 * size
            while size > enough:
                image = product(u, direction)
                length = size / (direction * image).sum()
                move, left = move + length * direction, left - length * image
                size, before = (left * left).sum(), size
                direction = left + size / before * direction
            u = u - move
        return u, cost(u)

    table.row("PyTorch, compiled torch.func", film, 1e-9)
if jax:
    jax.config.update("jax_enable_x64", True)
    jnp, edge = jax.numpy, border

    def cost_in_jax(u):
        return area(jnp.sqrt, edge + jnp.pad(u, 1))

    def turn(u, _):
        slope = jax.grad(cost_in_jax)(u)
        _, product_with = jax.linearize(jax.grad(cost_in_jax), u)
        return u - jax.scipy.sparse.linalg.cg(product_with, slope, tol=tolerance, maxiter=1000)[0], None

    def film_in_jax():
        u = jax.lax.scan(turn, jnp.zeros((cells - 1, cells - 1)), length=turns)[0]
        return u, cost_in_jax(u)

    compiled_film = jax.jit(film_in_jax)
    table.row("JAX, jit and its cg", lambda: jax.block_until_ready(compiled_film()), 1e-9)
table.measure()
finish(Eigen="it has no derivatives", NumPy="it has no derivatives", PyTorch="a call takes more than ten seconds", PyTensor="not written in it")
