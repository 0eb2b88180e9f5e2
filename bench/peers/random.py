# SPDX-License-Identifier: MIT
"""The work of random.cpp; each library draws numbers of its own."""
from compare import Table, finish, functional, jax, np, torch, uniform

generator = np.random.default_rng(1)


def drawn(table, with_torch, draw_of_jax):
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
    table.measure()


for n in (6400, 1_024_000):
    y = np.empty(n, np.float32)
    table = Table(f"uniform: {n} float32")
    table.row("NumPy", lambda: generator.random(out=y, dtype=np.float32))
    drawn(table, lambda: torch.rand(n), lambda key: jax.random.uniform(key, (n,)))
    table = Table(f"normal: {n} float32")
    table.row("NumPy", lambda: generator.standard_normal(out=y, dtype=np.float32))
    drawn(table, lambda: torch.randn(n), lambda key: jax.random.normal(key, (n,)))
for rows, columns in ((128, 512), (128, 500), (1024, 4096)):
    x, b = uniform(-1, 1, rows, columns), uniform(-1, 1, columns)
    if torch:
        tx, tb = torch.from_numpy(x), torch.from_numpy(b)
    if jax:
        jx, jb = jax.numpy.asarray(x), jax.numpy.asarray(b)
    drawn(Table(f"dropout(tanh(x + b)): {rows} x {columns} float32"), lambda: functional.dropout(torch.tanh(tx + tb), 0.5),
          lambda key: jax.numpy.where(jax.random.bernoulli(key, 0.5, jx.shape), 2 * jax.numpy.tanh(jx + jb), 0))
finish()
