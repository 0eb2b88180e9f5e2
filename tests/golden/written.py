# SPDX-License-Identifier: MIT
# What the scripts that write values/ have in common.
import pathlib

import numpy as np

here = pathlib.Path(__file__).parent / "values"


def packed(name, *results):
    """One file of all results, one behind the other: the rank, the extents and the elements of each, as numbers of double."""
    parts = []
    for r in map(np.asarray, results):
        parts += [[r.ndim], r.shape, r.astype(np.float64).ravel()]
    np.save(here / f"part_{name}.npy", np.concatenate([np.asarray(p, np.float64) for p in parts]))


def table(functions, *arguments):
    """The arguments and what each function makes of them, a row each."""
    return np.stack([*arguments, *(f(*arguments).astype(arguments[0].dtype) for f in functions.values())])


def pairs(x):
    return np.repeat(x, len(x)), np.tile(x, len(x))


def in_double(f):
    """What NumPy has no function for: computed in double, rounded once."""
    return lambda *x: f(*(v.astype(np.float64) for v in x)).astype(x[0].dtype)
