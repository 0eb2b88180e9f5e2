# SPDX-License-Identifier: MIT
# Writes values/part_aliased_*.npy, what NumPy leaves in an array by statements that read the memory that they write: python3 make_aliased.py
# Each file holds the array after each statement, which all begin with the same one. All numbers are whole, so that sums have no rounding.
import numpy as np
from numpy.lib.stride_tricks import as_strided, sliding_window_view

from written import packed as save


def shifted(y): y[1:] = y[:-1] * 2
def shifted_back(y): y[:-1] = y[1:] * 2
def shifted_sum(y): y[1:] += y[:-1]
def shifted_difference(y): y[:-1] -= y[1:]
def shifted_copy(y): y[1:] = y[:-1]
def shifted_back_copy(y): y[:-1] = y[1:]
def between_neighbours(y): y[1:-1] = y[:-2] - 2 * y[1:-1] + y[2:]
def reversed_product(y): y[:] = y[::-1] * 3
def written_backwards(y): y[::-1] = y * 2
def by_reversed(y): y *= y[::-1]
def reversed_copy(y): y[:] = y[::-1]
def spread(y): y[::2] = y[:(len(y) + 1) // 2] + 1
def drawn_together(y): y[:(len(y) + 1) // 2] = y[::2] + 1
def between_each_other(y): y[1::2] = y[0:len(y) // 2 * 2:2] * 3
def first_everywhere(y): y += as_strided(y, y.shape, (0,))
def less_sum(y): y -= y.sum()
def running(y): y[:] = np.cumsum(y) - y
def running_back(y): y[:] = np.cumsum(y[::-1])
def windows(y): y[:len(y) - min(len(y), 3) + 1] = sliding_window_view(y, min(len(y), 3)).sum(1)
def turned_round(y): y[:] = np.roll(y, 1) - y
def chosen(y): y[:] = np.where(y > 0, y[::-1], y)
def halves(y): y[:] = np.concatenate([y[len(y) // 2:], y[:len(y) // 2]])
def picked(y): y[:] = y[(np.arange(len(y)) * 3 + 1) % len(y)] * 2
def span_shifted(y): y[1:] = y[:-1] + 5
def span_reversed(y): y[::-1] += y


def transposed(y): y[:] = y.T * 2
def plus_transposed(y): y += y.T
def written_transposed(y): y.T[:] = y + 1
def transposed_copy(y): y[:] = y.T
def turned(y): y[:] = y[::-1].T + 0
def point_mirrored(y): y[:] = y[::-1, ::-1] + y
def columns_backwards(y): y[:, ::-1] = y * y
def own_row(y): y[:] = y[0] * 1
def own_row_copy(y): y[:] = y[0]
def less_own_row(y): y -= y[-1]
def by_own_column(y): y[:] = y * y[:, :1]
def plus_own_column(y): y += y[:, -1:]
def row_to_column(y): y[:, 0] = y[0] + 1
def column_to_row(y): y[0] = y[:, 0] + y[-1]
def down_right(y): y[1:, 1:] = y[:-1, :-1] + y[1:, :-1]
def up_right(y): y[:-1, 1:] -= y[1:, :-1]
def squared(y): y[:] = y @ y
def plus_squared(y): y += y @ y
def by_transposed(y): y[:] = y @ y.T + y
def into_row(y): y[0] = y @ y[0]
def into_column(y): y[:, 0] -= y @ y[:, 0]
def into_first_of_last(y): y[:1] = y[-1:] @ y
def row_by_column(y): y[:] = np.outer(y[0], y[:, 0])
def less_sums(y): y -= y.sum(0)
def less_largest(y): y[:] = y - y.max(1, keepdims=True)
def sums_to_row(y): y[0] = y.sum(0)
def sums_to_column(y): y[:, -1] = y.sum(1)
def sums_everywhere(y): y[:] = y.sum(1) + 0
def as_line(y): y[:] = y + y.ravel()[:len(y)]
def product_to_line(y): y.ravel()[:len(y)] = y @ y[:, -1]
def triangles(y): y[:] = np.tril(y) + np.triu(y).T
def diagonal(y): as_strided(y, (len(y),), ((len(y) + 1) * y.itemsize,))[:] += y[0]


LINES = [shifted, shifted_back, shifted_sum, shifted_difference, shifted_copy, shifted_back_copy, between_neighbours, reversed_product, written_backwards, by_reversed,
         reversed_copy, spread, drawn_together, between_each_other, first_everywhere, less_sum, running, running_back, windows, turned_round, chosen, halves, picked,
         span_shifted, span_reversed]
GRIDS = [transposed, plus_transposed, written_transposed, transposed_copy, turned, point_mirrored, columns_backwards, own_row, own_row_copy, less_own_row, by_own_column,
         plus_own_column, row_to_column, column_to_row, down_right, up_right, squared, plus_squared, by_transposed, into_row, into_column, into_first_of_last, row_by_column,
         less_sums, less_largest, sums_to_row, sums_to_column, sums_everywhere, as_line, product_to_line, triangles, diagonal]


def after(statements, start):
    for statement in statements:
        y = start.copy()
        statement(y)
        yield y


def counted(n):
    return (np.arange(n) * 7 + 3) % 11 - 4.0


for n in (2, 3, 8, 17, 64):
    save(f"aliased_line_{n}", *after(LINES, counted(n)))
for n in (1, 2, 5, 16):
    save(f"aliased_grid_{n}", *after(GRIDS, counted(n * n).reshape(n, n)))
