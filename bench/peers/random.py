# SPDX-License-Identifier: MIT
"""The work of random.cpp; each library draws numbers of its own."""
from compare import Table, finish, functional, jax, np, pt, pytensor, torch, uniform

generator = np.random.default_rng(1)


def drawn(table, with_torch, draw_of_jax, draw_of_pytensor):
    """Rows that draw, where nothing can be compared; in JAX the key is an argument, and splitting it is part of the call."""
    if torch:
        compiled = torch.compile(with_torch, dynamic=False)
        table.row("PyTorch", with_torch)
        table.row("PyTorch, compiled", compiled)
    if jax:
        def next_of(key):
            key, mine = jax.random.split(key)
            return key, draw_of_jax(mine)

        step, state = jax.jit(next_of), [jax.random.key(1)]

        def with_jax():
            state[0], result = step(state[0])
            return jax.block_until_ready(result)

        table.row("JAX, jit", with_jax)
    if pytensor:
        state = pytensor.shared(np.random.default_rng(1))
        following, numbers = draw_of_pytensor(state)
        table.row("PyTensor", pytensor.function([], numbers, updates=[(state, following)]))
    table.measure()


def of_pytensor(law, shape):
    """Numbers of a law, of float32; PyTensor draws them of float64."""
    def draw(state):
        following, numbers = law(0, 1, size=shape, rng=state).owner.outputs
        return following, numbers.astype("float32")
    return draw


for n in (6400, 1_024_000):
    y = np.empty(n, np.float32)
    table = Table(f"uniform: {n} float32")
    table.row("NumPy", lambda: generator.random(out=y, dtype=np.float32))
    drawn(table, lambda: torch.rand(n), lambda key: jax.random.uniform(key, (n,)), pt and of_pytensor(pt.random.uniform, (n,)))
    table = Table(f"normal: {n} float32")
    table.row("NumPy", lambda: generator.standard_normal(out=y, dtype=np.float32))
    drawn(table, lambda: torch.randn(n), lambda key: jax.random.normal(key, (n,)), pt and of_pytensor(pt.random.normal, (n,)))
for percent, rows, columns in ((50, 128, 512), (50, 128, 500), (50, 1024, 4096), (30, 128, 512), (30, 1024, 4096)):
    x, b, rate = uniform(-1, 1, rows, columns), uniform(-1, 1, columns), np.float32(percent / 100)
    if torch:
        tx, tb = torch.from_numpy(x), torch.from_numpy(b)
    if jax:
        jx, jb = jax.numpy.asarray(x), jax.numpy.asarray(b)
    if pytensor:
        px, pb = pytensor.shared(x), pytensor.shared(b)

    def in_pytensor(state):
        following, numbers = of_pytensor(pt.random.uniform, (rows, columns))(state)
        return following, pt.switch(numbers >= rate, pt.tanh(px + pb) / (1 - rate), np.float32(0))

    drawn(Table(f"dropout(tanh(x + b)), rate 0.{percent}: {rows} x {columns} float32"), lambda: functional.dropout(torch.tanh(tx + tb), float(rate)),
          lambda key: jax.numpy.where(jax.random.bernoulli(key, 1 - rate, jx.shape), jax.numpy.tanh(jx + jb) / (1 - rate), 0), in_pytensor)
finish(raw="croton without dropout is the measure of it", Eigen="its random numbers are those of rand()", NumPy="it has no dropout")
