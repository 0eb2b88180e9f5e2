# SPDX-License-Identifier: MIT
"""What embedding.cpp reads and adds; JAX is given the table, so that it need not copy it."""
from compare import Table, finish, jax, np, pt, pytensor, random, torch, uniform

rows, picked, width = 1_000_000, 1000, 64
table_of_rows, v = uniform(-1, 1, rows, width), uniform(-1, 1, picked, width)
ids = random.integers(0, rows, picked).astype(np.int32)
table = Table("take: 1000 rows of 64 floats from a table of 1000000")
table.everybody([table_of_rows, ids], 0, lambda t, i: np.take(t, i, 0), *[lambda t, i: t[i]] * 3)


def changes(title, with_numpy, with_torch, with_jax, with_pytensor):
    """What each does to its own table, where it lies."""
    table = Table(title)
    table.row("NumPy", lambda: with_numpy(table_of_rows))
    if torch:
        table.row("PyTorch", lambda: with_torch(t))
        compiled = torch.compile(with_torch)
        table.row("PyTorch, compiled", lambda: compiled(t))
    if jax:
        change = jax.jit(with_jax, donate_argnums=0)

        def of_jax():
            state[0] = jax.block_until_ready(change(state[0], *own))

        table.row("JAX, jit", of_jax)
    if pytensor:
        table.row("PyTensor", pytensor.function([], [], updates=[(shared, with_pytensor(shared))]))
    table.measure()


if torch:
    t, i, tv = torch.from_numpy(table_of_rows), torch.from_numpy(ids), torch.from_numpy(v)
if jax:
    state, own = [jax.numpy.asarray(table_of_rows)], [jax.numpy.asarray(a) for a in (ids, v)]
if pytensor:
    shared, si, sv = (pytensor.shared(a) for a in (table_of_rows, ids, v))
changes("add_at: 1000 rows of 64 floats into a table of 1000000", lambda t: np.add.at(t, ids, v), lambda t: t.index_add_(0, i, tv), lambda t, i, v: t.at[i].add(v),
        lambda t: pt.inc_subtensor(t[si], sv))


def step_of_jax(t, i, v):
    off = t[i] - v
    return t.at[i].add(np.float32(-0.02) * off)


changes("update by the gradient of take: 1000 rows of 64 floats of a table of 1000000", lambda t: np.add.at(t, ids, np.float32(-0.02) * (t[ids] - v)),
        lambda t: t.index_add_(0, i, -0.02 * (t[i] - tv)), step_of_jax, lambda t: pt.inc_subtensor(t[si], np.float32(-0.02) * (t[si] - sv)))
if torch:
    embedding = torch.nn.Embedding.from_pretrained(t, freeze=False, sparse=True)
    optimizer = torch.optim.SparseAdam(embedding.parameters(), lr=1e-3)

    def lazily():
        optimizer.zero_grad()
        ((embedding(i) - tv) ** 2).sum().backward()
        optimizer.step()

    table = Table("lazy_adam by the gradient of take: 1000 rows of 64 floats of a table of 1000000")
    table.row("PyTorch, a sparse embedding and SparseAdam", lazily)
    table.measure()
finish(Eigen="the raw loops are the measure here", PyTorch_compiled="it does not compile gradients that are sparse", NumPy="it has no optimisers", JAX="it has no optimisers",
       PyTensor="it has no optimisers")
