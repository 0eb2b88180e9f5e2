// SPDX-License-Identifier: MIT
// What one turn reads and leaves in memory: a part of what lies there for all turns.
#ifndef CROTON_FUNCTION_TURN_MEMORY_HPP
#define CROTON_FUNCTION_TURN_MEMORY_HPP

#include <cstddef>
#include <cstdint>

#include <croton/function/layout.hpp>
#include <croton/kernel/argument.hpp>

namespace croton::inline v0_1::detail {

/// Reads a number that lies in `Memory`.
template <class Memory, class T> void read_from(T& value, const std::byte* from) {
    if constexpr (Memory::on_host) value = *reinterpret_cast<const T*>(from);
    else Memory::copy_to_host(&value, from, sizeof value);
}

inline void set_extents(bound_array& a, const shape& s, const std::int64_t* sizes) {
    for (int i = 0; i < s.rank; ++i) a.extent[static_cast<std::size_t>(i)] = size_value(s[i], sizes);
}
inline void take_strides(bound_array& a, const kernel::operand& slot, int rank, int from) {
    for (int i = 0; i < rank; ++i) a.stride[static_cast<std::size_t>(i)] = slot.stride[static_cast<std::size_t>(i + from)];
}

/// The bytes of the axes from `axis` on where they lie in one piece, or -1.
inline std::int64_t contiguous_bytes(const bound_array& one, int rank, std::size_t bytes, int axis) {
    std::int64_t count = 1;
    for (int i = rank; i-- > axis;) {
        const auto a = static_cast<std::size_t>(i);
        if (one.extent[a] > 1 && one.stride[a] != count) return -1;
        count *= one.extent[a];
    }
    return count * static_cast<std::int64_t>(bytes);
}
template <class Memory> void clear_elements(std::byte* to, const bound_array& one, int rank, std::size_t bytes, int axis = 0) {
    if (const std::int64_t whole = contiguous_bytes(one, rank, bytes, axis); whole >= 0) return Memory::zero(to, static_cast<std::size_t>(whole));
    const auto a = static_cast<std::size_t>(axis);
    for (std::int64_t i = 0; i < one.extent[a]; ++i) clear_elements<Memory>(to + i * one.stride[a] * static_cast<std::int64_t>(bytes), one, rank, bytes, axis + 1);
}
/// The rows from `from` to `to`, each as `one`.
template <class Memory>
void clear_rows(std::byte* data, std::int64_t row, const bound_array& one, int rank, std::size_t bytes, std::int64_t from, std::int64_t to) {
    if (const std::int64_t own = contiguous_bytes(one, rank, bytes, 0); from < to && own == row) return Memory::zero(data + from * row, static_cast<std::size_t>((to - from) * row));
    for (std::int64_t t = from; t < to; ++t) clear_elements<Memory>(data + t * row, one, rank, bytes);
}

}  // namespace croton::inline v0_1::detail

#endif
