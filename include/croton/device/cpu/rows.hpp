// SPDX-License-Identifier: MIT
// Rows that indices lead to: fetched before they are read, and copied as they lie where nothing else is done with them.
#ifndef CROTON_DEVICE_CPU_ROWS_HPP
#define CROTON_DEVICE_CPU_ROWS_HPP

#include <croton/kernel/argument.hpp>
#include <croton/kernel/blocks.hpp>
#include <croton/kernel/registers.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace croton::inline v0_1::detail::cpu_device {

/// How many rows before it is read a row is fetched, and how many bytes of it: the rest follows in order, and the processor sees that.
inline constexpr std::int64_t rows_ahead = 16, bytes_ahead = 64;

/// Brings the first bytes of a row on their way: rows that indices lead to lie anywhere.
template <bool Written> CROTON_INLINE void fetch_row(const std::byte* row, std::int64_t bytes) {
    for (std::int64_t b = 0; b < bytes; b += 64) __builtin_prefetch(row + b, Written ? 1 : 0);
}

/// Copies two pieces of `Piece` bytes, the second one so many bytes behind the first: they have bytes in common where that is less than a piece.
template <std::size_t Piece> CROTON_INLINE void copy_two_pieces(std::byte* to, const std::byte* from, std::int64_t second) {
    struct piece {
        std::byte bytes[Piece];
    } first, last;
    std::memcpy(&first, from, Piece);
    std::memcpy(&last, from + second, Piece);
    std::memcpy(to, &first, Piece);
    std::memcpy(to + second, &last, Piece);
}

/// Whether a kernel only copies rows that indices lead to, `Outer` loops over rows and one along them: its slots.
template <class Row, class Element> struct row_copy {
    static constexpr bool found = false;
};
template <class I, int Indices, class T, int Table, int To>
struct row_copy<kernel::block<kernel::load<I, Indices>>, kernel::block<kernel::load_at<T, Table, kernel::r<0, I>>, kernel::store<T, To, kernel::e<0, T>>>> {
    static constexpr bool found = true;
    static constexpr int indices = Indices, table = Table, to = To;

    /// `count` rows of `bytes` bytes; strides in bytes, that of the axis which the indices go along in elements.
    static void run(std::byte* const* base, const std::int64_t* stride, kernel::index_axis axis, std::int64_t count, std::int64_t bytes) {
        axis.stride *= static_cast<std::int64_t>(sizeof(T));
        // Of short rows as many are on their way at once as a processor looks ahead, and a call for each takes longer than they do.
        if (bytes > 32 || bytes < 4) walk<true>(base, stride, axis, count, std::min(bytes, bytes_ahead), [bytes](std::byte* out, const std::byte* from) { std::memcpy(out, from, static_cast<std::size_t>(bytes)); });
        else if (bytes >= 16) walk_pieces<16>(base, stride, axis, count, bytes);
        else if (bytes >= 8) walk_pieces<8>(base, stride, axis, count, bytes);
        else walk_pieces<4>(base, stride, axis, count, bytes);
    }

private:
    template <bool Fetches, class F>
    CROTON_INLINE static void walk(std::byte* const* base, const std::int64_t* stride, const kernel::index_axis& axis, std::int64_t count, std::int64_t fetched, const F& copy) {
        const std::byte *index = base[indices], *table_row = base[table];
        std::byte* out = base[to];
        const std::int64_t step = stride[indices], step_of_table = stride[table], step_to = stride[to];
        const auto place = [&](std::int64_t ahead) CROTON_INLINED {
            I i;
            std::memcpy(&i, index + ahead * step, sizeof i);
            return table_row + ahead * step_of_table + axis.offset(i);
        };
        for (std::int64_t left = count; left > 0; --left) {
            if (Fetches && left > rows_ahead) fetch_row<false>(place(rows_ahead), fetched);
            copy(out, place(0));
            index += step;
            table_row += step_of_table;
            out += step_to;
        }
    }
    /// Rows of at most two pieces.
    template <std::size_t Piece>
    [[gnu::noinline]] static void walk_pieces(std::byte* const* base, const std::int64_t* stride, const kernel::index_axis& axis, std::int64_t count, std::int64_t bytes) {
        const std::int64_t second = bytes - static_cast<std::int64_t>(Piece);
        walk<false>(base, stride, axis, count, 0, [second](std::byte* out, const std::byte* from) CROTON_INLINED { copy_two_pieces<Piece>(out, from, second); });
    }
};

/// Moves the slots of a phase to where the indices of this row lead.
template <class Setup, class Registers, class... Load>
CROTON_INLINE void displace(const Setup& s, std::byte** moved, const Registers& rs, kernel::block<Load...>) {
    const auto one = [&]<class T, int Slot, class Index>(kernel::load_at<T, Slot, Index>) {
        moved[Slot] += s.displacement[Slot].along.offset(kernel::fetch<kernel::one_lane>(Index{}, s.uniforms, rs, kernel::nothing{})) *
                       static_cast<std::int64_t>(sizeof(T));
    };
    (one(Load{}), ...);
}

/// Fetches the row that the loops reach a little later: its index is known long before.
template <class Rows, class Setup, class... Load>
CROTON_INLINE void fetch_ahead(const Setup& s, std::byte* const* base, std::int64_t left, kernel::block<Load...>) {
    // g++ leaves out a call of what only fetches, unless it never sees it as one.
    [[maybe_unused]] const auto one = [&]<class T, int Slot, int N, class Index>(kernel::load_at<T, Slot, kernel::r<N, Index>>) CROTON_INLINED {
        using index = kernel::instruction_t<Rows, N>;
        if constexpr (index::does == kernel::role_load) {
            constexpr int from = index::slot;
            const int last = s.outer.rank - 1;
            if (left <= rows_ahead) return;
            Index i;
            std::memcpy(&i, base[from] + rows_ahead * s.outer.stride[from][last], sizeof(Index));
            const std::byte* const row = base[Slot] + rows_ahead * s.outer.stride[Slot][last] +
                                         s.displacement[Slot].along.offset(i) * static_cast<std::int64_t>(sizeof(T));
            fetch_row<false>(row, std::min(s.inner.extent[s.inner.rank - 1] * static_cast<std::int64_t>(sizeof(T)), bytes_ahead));
        }
    };
    [[maybe_unused]] const auto each = [&](auto load) CROTON_INLINED {
        if constexpr (requires { one(load); }) one(load);
    };
    (each(Load{}), ...);
}

}  // namespace croton::inline v0_1::detail::cpu_device

#endif
