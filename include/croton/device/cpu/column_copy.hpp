// SPDX-License-Identifier: MIT
// Columns that indices choose, of rows of memory: copied one after the other.
#ifndef CROTON_DEVICE_CPU_COLUMN_COPY_HPP
#define CROTON_DEVICE_CPU_COLUMN_COPY_HPP

#include <croton/device/cpu/nest.hpp>
#include <croton/kernel/kernel.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace croton::inline v0_1::detail::cpu_device {

/// Where the indices of columns are: in memory, or they are the numbers of the columns.
template <class Instruction, int O> struct column_index {
    static constexpr bool found = false;
};
template <class Number, int Slot, int O> struct column_index<kernel::load<Number, Slot>, O> {
    static constexpr bool found = true;
    template <class Setup> static bool is_same(const Setup& s) { return s.outer.stride[Slot][0] == 0; }
    template <class Setup> static Number of(const Setup& s, const operand* slot, std::int64_t j) { return *reinterpret_cast<const Number*>(slot[Slot].data + j * s.inner.stride[Slot][0]); }
};
template <class Number, int O> struct column_index<kernel::iota<Number, O>, O> {
    static constexpr bool found = true;
    template <class Setup> static bool is_same(const Setup&) { return true; }
    template <class Setup> static Number of(const Setup&, const operand*, std::int64_t j) { return static_cast<Number>(j); }
};

/// Of a kernel that stores what an index of each element leads to, and does nothing else.
template <class Kernel> struct column_copy {
    static constexpr bool found = false;
};
template <int O, class T, class Number, class Index, int Table, int To>
    requires(O > 0 && column_index<Index, O>::found)
struct column_copy<kernel::kernel<O, 1, kernel::block<>, kernel::block<>,
                                  kernel::phase<kernel::block<Index, kernel::gather<T, Table, kernel::e<0, Number>>, kernel::store<T, To, kernel::e<1, T>>>, kernel::block<>, kernel::block<>>>> {
    static constexpr bool found = true;

    /// The rows begin .. end; false where their indices differ, or are too many for memory to be read once.
    template <class Setup> [[gnu::noinline]] static bool run(const Setup& s, const operand* slot, std::int64_t begin, std::int64_t end) {
        constexpr std::int64_t most = 64, rows_at_once = 64;
        if (s.outer.rank != 1 || s.inner.rank != 1 || s.inner.extent[0] > most || !column_index<Index, O>::is_same(s)) return false;
        const std::int64_t count = s.inner.extent[0], from_row = s.outer.stride[Table][0], to_row = s.outer.stride[To][0];
        std::int64_t from_column[most];
        for (std::int64_t j = 0; j < count; ++j) {
            const std::int64_t chosen = slot[Table].along.offset(column_index<Index, O>::of(s, slot, j));
            from_column[j] = j * s.inner.stride[Table][0] + chosen * static_cast<std::int64_t>(sizeof(T));
        }
        for (std::int64_t first = begin; first < end; first += rows_at_once) {
            const std::int64_t rows = std::min(rows_at_once, end - first);
            for (std::int64_t j = 0; j < count; ++j) {
                const std::byte* from = slot[Table].data + first * from_row + from_column[j];
                std::byte* to = slot[To].data + first * to_row + j * s.inner.stride[To][0];
                for (std::int64_t i = 0; i < rows; ++i, from += from_row, to += to_row) *reinterpret_cast<T*>(to) = *reinterpret_cast<const T*>(from);
            }
        }
        return true;
    }
};

}  // namespace croton::inline v0_1::detail::cpu_device

#endif
