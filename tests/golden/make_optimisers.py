# SPDX-License-Identifier: MIT
# Writes values/optimisers.npy and values/optimisers_of_rows.npy by PyTorch's optimisers, and values/schedules.npy: python3 make_optimisers.py
import numpy as np
import torch

from written import here

torch.set_default_dtype(torch.float64)
o, steps = torch.optim, 6
ways = [
    lambda w: o.SGD(w, lr=0.05, momentum=0.9, nesterov=True),
    lambda w: o.Adam(w, lr=0.05),
    lambda w: o.AdamW(w, lr=0.05, weight_decay=0.1),
    lambda w: o.Adagrad(w, lr=0.1),
    lambda w: o.Adadelta(w, lr=0.5, rho=0.8, eps=1e-5),
    lambda w: o.RMSprop(w, lr=0.05, alpha=0.9, eps=1e-8),
    lambda w: o.RMSprop(w, lr=0.02, alpha=0.95, eps=1e-4, momentum=0.9),
    lambda w: o.RMSprop(w, lr=0.02, alpha=0.95, eps=1e-4, momentum=0.9, centered=True),
    lambda w: o.SGD(w, lr=0.05),
    lambda w: o.SGD(w, lr=0.05, momentum=0.8),
    lambda w: o.SGD(w, lr=0.02, momentum=0.95, nesterov=True),
    lambda w: o.Adam(w, lr=0.1, betas=(0.8, 0.95), eps=1e-3),
    lambda w: o.Adagrad(w, lr=0.2, eps=1e-2),
]
way = np.empty((len(ways), steps, 3))
for k, make in enumerate(ways):
    w = torch.tensor([1.0, -2.0, 0.5], requires_grad=True)
    optimiser = make([w])
    for i in range(steps):
        optimiser.zero_grad()
        (torch.sin(w) + torch.tensor([1.0, 0.3, 2.0]) * w * w).sum().backward()
        optimiser.step()
        way[k, i] = w.detach().numpy()
np.save(here / "optimisers.npy", way)

# Rows of a table, some of them read twice in a step, and some in no step.
table = torch.tensor([[1.0, 2.0], [3.0, -4.0], [0.5, 6.0], [-7.0, 8.0], [9.0, 1.0]], requires_grad=True)
optimiser = o.SparseAdam([table], lr=0.1, betas=(0.8, 0.95), eps=1e-15)  # which it adds before moments are corrected
rows = np.array([[3, 1, 3], [1, 1, 1], [0, 3, 1], [3, 0, 0]])
way = np.empty((len(rows), *table.shape))
for i, row in enumerate(rows):
    optimiser.zero_grad()
    torch.sin(torch.nn.functional.embedding(torch.from_numpy(row), table, sparse=True)).sum().backward()
    optimiser.step()
    way[i] = table.detach().numpy()
np.save(here / "optimisers_of_rows.npy", way)


def rates(*schedulers):
    """The learning rate of each step, of schedulers of PyTorch that are chained."""
    w = torch.zeros(1, requires_grad=True)
    optimiser = o.SGD([w], lr=0.1)
    chained = [s(optimiser) for s in schedulers]
    found = []
    for _ in range(20):
        found.append(optimiser.param_groups[0]["lr"])
        optimiser.step()
        for s in chained:
            s.step()
    return found


l = o.lr_scheduler
np.save(here / "schedules.npy", np.array([
    rates(lambda w: l.LinearLR(w, start_factor=0.25, end_factor=1.0, total_iters=8)),
    rates(lambda w: l.PolynomialLR(w, total_iters=12, power=2.0)),
    rates(lambda w: l.LambdaLR(w, lambda i: 0.02 + 0.98 * 0.5 * (1 + np.cos(np.pi * min(i, 15) / 15)))),
    rates(lambda w: l.ExponentialLR(w, gamma=0.9)),
    rates(lambda w: l.StepLR(w, step_size=4, gamma=0.5)),
    rates(lambda w: l.MultiStepLR(w, milestones=[5, 11], gamma=0.1)),
    rates(lambda w: l.SequentialLR(w, [l.LinearLR(w, start_factor=0.1, total_iters=5), l.CosineAnnealingLR(w, T_max=15, eta_min=0.01)], [5])),
]))
