# SPDX-License-Identifier: MIT
"""The work of scan.cpp; PyTorch has no loop but that of Python."""
from compare import Table, finish, jax, np, pt, pytensor, torch, uniform

turns = 1000
number, x, a = uniform(-1, 1, 1)[0:1], uniform(-1, 1, 64), uniform(-0.5, 0.5, 64)


def loop(x, a, keep):
    def turn(state, _):
        following = state * a + 1
        return following, following if keep else None
    last, kept = jax.lax.scan(turn, x, None, turns)
    return kept if keep else last


def loop_of_torch(x, a, keep):
    kept = []
    for _ in range(turns):
        x = x * a + 1
        if keep:
            kept.append(x)
    return torch.stack(kept) if keep else x


def loop_of_pytensor(x, a, keep):
    kept = pytensor.scan(lambda state, a: state * a + 1, outputs_info=[x], non_sequences=[a], n_steps=turns, return_updates=False)
    return kept if keep else kept[-1]


numbers = Table("1000 turns that carry one float32 (aim: raw)")
factor = np.full(1, -0.75, np.float32)
if torch:
    tn, tf = torch.from_numpy(number), torch.from_numpy(factor)
    numbers.row("PyTorch, a loop of Python", lambda: loop_of_torch(tn, tf, False), 1e-5)
numbers.everybody([number, factor], 1e-5, with_jax=lambda x, a: loop(x, a, False), with_pytensor=lambda x, a: loop_of_pytensor(x, a, False))
for title, keep in (("1000 turns of one loop over 64 float32 (aim: raw + 15 us)", False), ("1000 turns of one loop over 64 float32, each of them kept", True)):
    table = Table(title)
    if torch:
        tx, ta = torch.from_numpy(x), torch.from_numpy(a)
        table.row("PyTorch, a loop of Python", lambda: loop_of_torch(tx, ta, keep), 1e-5)
    table.everybody([x, a], 1e-5, with_jax=lambda x, a: loop(x, a, keep), with_pytensor=lambda x, a: loop_of_pytensor(x, a, keep))
finish(Eigen="it has no loops", NumPy="it has no loops", PyTorch="it has no loops", PyTorch_compiled="it would compile 1000 turns written out")
