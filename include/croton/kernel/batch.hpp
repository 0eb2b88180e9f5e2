// SPDX-License-Identifier: MIT
// A product of matrices repeated along further axes, as few calls of a device as their strides allow.
#ifndef CROTON_KERNEL_BATCH_HPP
#define CROTON_KERNEL_BATCH_HPP

#include <croton/kernel/argument.hpp>

#include <type_traits>

#include <cstdint>

namespace croton::inline v0_1::kernel {

/// One axis along which a product is repeated: how often, and how far, in elements, each matrix moves on; 0 stays.
struct batch {
    std::int64_t count = 1, a = 0, b = 0, c = 0;
};

namespace detail {

/// Takes an axis of a batch as further rows (or columns) of two matrices, of which there are `lines` with these strides, where
/// it moves both on by just so many.
inline bool takes_up(std::int64_t& lines, std::int64_t& stride_x, std::int64_t& stride_c, std::int64_t count, std::int64_t x, std::int64_t c) {
    if (lines == 1) {
        stride_x = x;
        stride_c = c;
    } else if (x != lines * stride_x || c != lines * stride_c) {
        return false;
    }
    lines *= count;
    return true;
}

/// Makes the axis part of one larger product where one of its factors is the same all along.
template <class T, class In> bool enlarge(matrix<const In>& a, matrix<const In>& b, matrix<T>& c, const batch& axis) {
    if (axis.b == 0 && takes_up(c.rows, a.row_stride, c.row_stride, axis.count, axis.a, axis.c)) {
        a.rows = c.rows;
        return true;
    }
    if (axis.a == 0 && takes_up(c.cols, b.col_stride, c.col_stride, axis.count, axis.b, axis.c)) {
        b.cols = c.cols;
        return true;
    }
    return false;
}

}  // namespace detail

/// The axes of a batch that are left when those that move on alike are one axis, and those along which a factor stays the same
/// are rows or columns of the other: none of them, where `empty`.
struct batch_axes {
    batch axis[max_rank];
    int count = 0;
    bool empty = false;
};

/// The batch axes have `extents`; the strides of a, b and c along them stand in `slots[0..2]` behind those of rows and columns.
template <class T, class In>
batch_axes merge_batches(int axes, const std::int64_t* extents, const operand* slots, matrix<const In>& a, matrix<const In>& b, matrix<T>& c) {
    batch_axes left;
    for (int i = 0; i < axes; ++i) {
        const auto at = static_cast<std::size_t>(i + 2);
        const batch next{extents[i], slots[0].stride[at], slots[1].stride[at], slots[2].stride[at]};
        if (next.count == 0) {
            left.empty = true;
            return left;
        }
        if (next.count == 1) continue;
        batch* const last = left.count > 0 ? left.axis + left.count - 1 : nullptr;
        if (last != nullptr && last->a == next.count * next.a && last->b == next.count * next.b && last->c == next.count * next.c)
            *last = {last->count * next.count, next.a, next.b, next.c};
        else left.axis[left.count++] = next;
    }
    while (left.count > 0 && detail::enlarge(a, b, c, left.axis[left.count - 1])) --left.count;
    return left;
}

/// Takes the longest of the axes out; one product where there is none.
inline batch take_longest(batch_axes& left) {
    if (left.count == 0) return {};
    int longest = 0;
    for (int i = 1; i < left.count; ++i)
        if (left.axis[i].count > left.axis[longest].count) longest = i;
    const batch taken = left.axis[longest];
    left.axis[longest] = left.axis[--left.count];
    return taken;
}

/// Calls `f(a, b, c, batch)` until every product of the batch is asked for. The longest of the axes that are left is the one of `f`.
template <class T, class In, class F>
void for_each_batch(int axes, const std::int64_t* extents, const operand* slots, matrix<const In> a, std::type_identity_t<matrix<const In>> b,
                    matrix<T> c, F&& f) {
    if (c.rows == 0 || c.cols == 0) return;
    batch_axes left = merge_batches(axes, extents, slots, a, b, c);
    if (left.empty) return;
    const batch inner = take_longest(left);
    std::int64_t index[max_rank] = {};
    for (;;) {
        f(a, b, c, inner);
        int i = left.count - 1;
        for (; i >= 0; --i) {
            const batch& along = left.axis[i];
            const std::int64_t steps = ++index[i] < along.count ? 1 : 1 - along.count;
            a.data += steps * along.a;
            b.data += steps * along.b;
            c.data += steps * along.c;
            if (steps == 1) break;
            index[i] = 0;
        }
        if (i < 0) return;
    }
}

}  // namespace croton::inline v0_1::kernel

#endif
