// SPDX-License-Identifier: MIT
// Searches on the CPU: of many elements at once, which do not wait for each other, of neighbours where those before them were found, and of few places by counting.
#ifndef CROTON_DEVICE_CPU_SEARCH_HPP
#define CROTON_DEVICE_CPU_SEARCH_HPP

#include <croton/device/cpu/routines.hpp>
#include <croton/kernel/routine/sort.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <type_traits>

namespace croton::inline v0_1::detail::cpu_device {

/// `search` of a row in blocks.
struct searches : kernel::search {
    static constexpr int block = 32;
    /// So many places are sooner counted than halved.
    static constexpr std::int64_t few = 24;

    template <class I, class S, class In> static void row(std::int64_t attributes, kernel::vector<I> y, kernel::vector<const S> sorted, kernel::vector<const In> x) {
        using T = arithmetic_t<In>;
        if (y.size < block) return kernel::search::row(attributes, y, sorted, x);
        if constexpr (std::is_same_v<I, bool>) {
            if (sorted.size <= static_cast<std::int64_t>(256 / sizeof(T))) return find_among_few<T>(y, sorted, x);
            if constexpr (std::is_integral_v<T>)
                if (const auto last = as_offset(static_cast<T>(sorted.data[(sorted.size - 1) * sorted.stride]), static_cast<T>(sorted.data[0])); last < table::size) {
                    const table of(sorted);
                    return each_block<T>(attributes, y, sorted, x, [&](const T* v, std::int64_t* found) { of.find(v, found); });
                }
        }
        if ((attributes & right) != 0) find_rows<true, T>(attributes, y, sorted, x);
        else find_rows<false, T>(attributes, y, sorted, x);
    }

private:
    template <class T> static std::uint64_t as_offset(T v, T first) { return static_cast<std::uint64_t>(v) - static_cast<std::uint64_t>(first); }

    /// Whole numbers that lie near each other, as bits.
    struct table {
        static constexpr std::uint64_t size = 1 << 16;
        std::uint64_t first;
        std::uint32_t bits[size / 32] = {};

        template <class S> explicit table(const kernel::vector<const S>& sorted) : first(static_cast<std::uint64_t>(sorted.data[0])) {
            for (std::int64_t i = 0; i < sorted.size; ++i) {
                const std::uint64_t at = static_cast<std::uint64_t>(sorted.data[i * sorted.stride]) - first;
                bits[at / 32] |= 1u << at % 32;
            }
        }
        template <class T> void find(const T* v, std::int64_t* found) const {
            for (int b = 0; b < block; ++b) {
                const std::uint64_t at = static_cast<std::uint64_t>(v[b]) - first;
                found[b] = at < size ? bits[at / 32] >> at % 32 & 1 : 0;
            }
        }
    };

    /// `find` for every block. A NaN is 0 for it, and is looked for by itself.
    template <class T, class I, class S, class In, class F>
    static void each_block(std::int64_t attributes, const kernel::vector<I>& y, const kernel::vector<const S>& sorted, const kernel::vector<const In>& x, const F& find) {
        const bool dense = x.stride == 1 && y.stride == 1;
        for (std::int64_t i = 0; i < y.size; i += block) {
            const kernel::vector<I> to{y.data + i * y.stride, std::min<std::int64_t>(block, y.size - i), y.stride};
            const kernel::vector<const In> from{x.data + i * x.stride, to.size, x.stride};
            const bool numbers = dense && to.size == block ? one_block<true, T>(to, from, find) : one_block<false, T>(to, from, find);
            for (std::int64_t b = 0; b < to.size && !numbers; ++b)
                if (const T e = from.data[b * from.stride]; e != e) kernel::search::row(attributes, kernel::vector<I>{to.data + b * to.stride, 1, 1}, sorted, kernel::vector<const In>{from.data + b * from.stride, 1, 1});
        }
    }
    /// One, and whether it has no NaN.
    template <bool Dense, class T, class I, class In, class F> CROTON_INLINE static bool one_block(const kernel::vector<I>& y, const kernel::vector<const In>& x, const F& find) {
        const std::int64_t count = Dense ? block : y.size, step = Dense ? 1 : x.stride, step_to = Dense ? 1 : y.stride;
        T v[block] = {};
        std::int64_t found[block];
        int numbers = 0;
        for (std::int64_t b = 0; b < count; ++b) {
            const T e = x.data[b * step];
            numbers += e == e ? 1 : 0;
            v[b] = e == e ? e : T();
        }
        find(v, found);
        for (std::int64_t b = 0; b < count; ++b) y.data[b * step_to] = static_cast<I>(found[b]);
        return numbers == count;
    }

    /// Whether elements are among few. What a NaN is beside is never equal.
    template <class T, class S, class In> static void find_among_few(const kernel::vector<bool>& y, const kernel::vector<const S>& sorted, const kernel::vector<const In>& x) {
        for (std::int64_t i = 0; i < y.size; i += block) {
            const std::int64_t count = std::min<std::int64_t>(block, y.size - i);
            if (x.stride == 1 && y.stride == 1 && count == block) among_few<true, T>(y.data + i, sorted, x.data + i, 1, 1, block);
            else among_few<false, T>(y.data + i * y.stride, sorted, x.data + i * x.stride, y.stride, x.stride, count);
        }
    }
    template <bool Dense, class T, class S, class In>
    CROTON_INLINE static void among_few(bool* y, const kernel::vector<const S>& sorted, const In* x, std::int64_t step_to, std::int64_t step, std::int64_t count) {
        using whole = std::conditional_t<sizeof(T) == 8, std::int64_t, std::conditional_t<sizeof(T) == 4, std::int32_t, std::conditional_t<sizeof(T) == 2, std::int16_t, std::int8_t>>>;
        T v[block] = {};
        whole hit[block] = {};
        for (std::int64_t b = 0; b < (Dense ? block : count); ++b) v[b] = x[b * (Dense ? 1 : step)];
        for (std::int64_t k = 0; k < sorted.size; ++k) {
            const T s = sorted.data[k * sorted.stride];
            for (int b = 0; b < block; ++b) hit[b] = static_cast<whole>(hit[b] | (v[b] == s ? 1 : 0));
        }
        for (std::int64_t b = 0; b < (Dense ? block : count); ++b) y[b * (Dense ? 1 : step_to)] = hit[b] != 0;
    }

    template <bool Right, class T> CROTON_INLINE static bool is_behind(T s, T v) { return Right ? s <= v : s < v; }

    /// The places of `Count` elements, which lie from `first` to `first + n`.
    template <bool Right, int Count, class T, class S>
    CROTON_INLINE static void find_places(const kernel::vector<const S>& sorted, const T* v, std::int64_t first, std::int64_t n, std::int64_t* found) {
        std::fill(found, found + Count, first);
        for (std::int64_t half = n / 2; n > 1; n -= half, half = n / 2)
            for (int b = 0; b < Count; ++b) found[b] += is_behind<Right>(static_cast<T>(sorted.data[(found[b] + half - 1) * sorted.stride]), v[b]) ? half : 0;
        if (n == 1)
            for (int b = 0; b < Count; ++b) found[b] += is_behind<Right>(static_cast<T>(sorted.data[found[b] * sorted.stride]), v[b]) ? 1 : 0;
    }

    /// The least and the largest, several at a time.
    template <class T> CROTON_INLINE static std::array<T, 2> ends_of(const T* v) {
        constexpr int width = 8;
        T least[width], most[width];
        std::copy(v, v + width, least);
        std::copy(v, v + width, most);
        for (int b = width; b < block; b += width)
            for (int l = 0; l < width; ++l) {
                least[l] = v[b + l] < least[l] ? v[b + l] : least[l];
                most[l] = v[b + l] > most[l] ? v[b + l] : most[l];
            }
        return {*std::min_element(least, least + width), *std::max_element(most, most + width)};
    }

    /// Adds for each element how many of the places from `first` on to before `last` stand before it.
    template <bool Right, class T, class S> CROTON_INLINE static void count_places(const kernel::vector<const S>& sorted, const T* v, std::int64_t first, std::int64_t last, std::int64_t* found) {
        std::fill(found, found + block, first);
        for (std::int64_t k = first; k < last; ++k) {
            const T s = sorted.data[k * sorted.stride];
            for (int b = 0; b < block; ++b) found[b] += is_behind<Right>(s, v[b]) ? 1 : 0;
        }
    }

    template <bool Right, class T, class I, class S, class In>
    static void find_rows(std::int64_t attributes, const kernel::vector<I>& y, const kernel::vector<const S>& sorted, const kernel::vector<const In>& x) {
        const std::int64_t n = sorted.size;
        const auto behind = [&](std::int64_t place, T v) { return is_behind<Right>(static_cast<T>(sorted.data[place * sorted.stride]), v); };
        bool near = false;
        std::int64_t last = 0;
        each_block<T>(attributes, y, sorted, x, [&](const T* v, std::int64_t* found) {
            // Elements in order go on where those before them ended.
            const auto ends = near ? ends_of(v) : std::array<T, 2>();
            std::int64_t until = last;
            while (near && until < n && until - last < few && behind(until, ends[1])) ++until;
            if (near && (last == 0 || behind(last - 1, ends[0])) && (until == n || !behind(until, ends[1]))) {
                count_places<Right>(sorted, v, last, until, found);
            } else if (n <= few) {
                count_places<Right>(sorted, v, 0, n, found);
            } else {
                std::int64_t between[2] = {0, n};
                if (near) find_places<Right, 2>(sorted, ends.data(), 0, n, between);
                find_places<Right, block>(sorted, v, between[0], between[1] - between[0], found);
            }
            last = found[block - 1];
            near = std::abs(last - found[0]) <= n / 16;
            if constexpr (std::is_same_v<I, bool>)
                for (int b = 0; b < block; ++b) found[b] = found[b] < n && static_cast<T>(sorted.data[found[b] * sorted.stride]) == v[b];
        });
    }
};

template <class I, class S, class In, class Arch> struct routine_body<kernel::search, kernel::routine_types<I, S, In>, Arch> {
    static std::int64_t room(const kernel::routine_call&) { return 0; }
    static void run(const kernel::routine_call& c, std::byte*) {
        if (c.rows() > 1) return run_plain_rows<searches, kernel::routine_types<I, S, In>, Arch>(c);
        // One long row is shared as well.
        const std::int64_t count = c.along();
        const int parts = parts_of(searches::operations(count, c.length), count / 1024);
        parallel(parts, [&](int part) {
            kernel::routine_call of = c;
            const std::int64_t first = count * part / parts;
            const int axis = std::max(c.rank - 1, 0);
            of.extent[axis] = count * (part + 1) / parts - first;
            of.data[1] += first * c.stride[1][axis] * static_cast<std::int64_t>(sizeof(In));
            of.data[2] += first * c.stride[2][axis] * static_cast<std::int64_t>(sizeof(I));
            kernel::run_row<searches, kernel::routine_types<I, S, In>>(of, 0);
        });
    }
};

}  // namespace croton::inline v0_1::detail::cpu_device

#endif
