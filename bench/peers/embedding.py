# SPDX-License-Identifier: MIT
"""What embedding.cpp reads and adds; JAX is given the table, so that it need not copy it."""
from compare import Table, finish, jax, np, random, torch, uniform

rows, picked, width = 1_000_000, 1000, 64
table_of_rows, v = uniform(-1, 1, rows, width), uniform(-1, 1, picked, width)
ids = random.integers(0, rows, picked).astype(np.int32)
table = Table("take: 1000 rows of 64 floats from a table of 1000000")
table.everybody([table_of_rows, ids], 0, lambda t, i: np.take(t, i, 0), lambda t, i: t[i], lambda t, i: t[i])

table = Table("add_at: 1000 rows of 64 floats into a table of 1000000")
table.row("NumPy", lambda: np.add.at(table_of_rows, ids, v))
if torch:
    t, i, tv = torch.from_numpy(table_of_rows), torch.from_numpy(ids), torch.from_numpy(v)
    table.row("PyTorch", lambda: t.index_add_(0, i, tv))
if jax:
    add = jax.jit(lambda t, i, v: t.at[i].add(v), donate_argnums=0)
    state, own = [jax.numpy.asarray(table_of_rows)], [jax.numpy.asarray(a) for a in (ids, v)]

    def with_jax():
        state[0] = jax.block_until_ready(add(state[0], *own))

    table.row("JAX, jit", with_jax)
table.measure()
finish()
