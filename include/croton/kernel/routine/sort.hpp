// SPDX-License-Identifier: MIT
// Rows in order: their elements, or where these lie.
#ifndef CROTON_KERNEL_ROUTINE_SORT_HPP
#define CROTON_KERNEL_ROUTINE_SORT_HPP

#include <type_traits>

#include <croton/core/literals.hpp>
#include <croton/kernel/routine.hpp>

namespace croton::inline v0_1::kernel {

/// Operations to sort `count` elements in rows of `length`: for each the digits of its row's length.
constexpr std::int64_t sort_operations(std::int64_t count, std::int64_t length) {
    std::int64_t digits = 1;
    for (; length > 2; length /= 2) ++digits;
    return count * digits;
}

/// The order of numbers, NaN behind all others in either direction.
template <bool Descending, class T> CROTON_HD constexpr bool stands_before(T a, T b) {
    return (Descending ? a > b : a < b) || (b != b && a == a);
}

/// Heap sort: in place, also where nothing can be allocated. `before(i, j)` compares the elements at two places, `exchange(i, j)` swaps
/// them; the first `n` places are sorted.
template <class Before, class Exchange> CROTON_HD void sort_heap(std::int64_t n, const Before& before, const Exchange& exchange) {
    const auto sink = [&](std::int64_t at, std::int64_t count) {
        for (std::int64_t below = 2 * at + 1; below < count; below = 2 * at + 1) {
            if (below + 1 < count && before(below, below + 1)) ++below;
            if (!before(at, below)) return;
            exchange(at, below);
            at = below;
        }
    };
    for (std::int64_t i = n / 2; i-- > 0;) sink(i, n);
    for (std::int64_t i = n; i-- > 1;) {
        exchange(0, i);
        sink(0, i);
    }
}

/// The elements, the smallest first.
struct sort {
    static constexpr std::string_view name = "sort"sv;
    static constexpr int arguments = 1;
    static std::int64_t operations(std::int64_t count, std::int64_t length) { return sort_operations(count, length); }

    template <class T, class In> CROTON_HD static void row(std::int64_t, vector<T> y, vector<const In> x) {
        for (std::int64_t i = 0; i < y.size; ++i) y.data[i * y.stride] = static_cast<T>(x.data[i * x.stride]);
        sort_heap(
            y.size, [&](std::int64_t i, std::int64_t j) { return stands_before<false>(y.data[i * y.stride], y.data[j * y.stride]); },
            [&](std::int64_t i, std::int64_t j) {
                const T kept = y.data[i * y.stride];
                y.data[i * y.stride] = y.data[j * y.stride];
                y.data[j * y.stride] = kept;
            });
    }
};

/// The elements as they stand when they are sorted at the places in the second argument, no larger ones before each of these and no smaller ones
/// behind it: NumPy's `partition`. More may be sorted than that.
struct partition {
    static constexpr std::string_view name = "partition"sv;
    static constexpr int arguments = 2;
    static constexpr unsigned whole = 2;
    static constexpr int measured = 1;
    static std::int64_t operations(std::int64_t count, std::int64_t) { return 4 * count; }

    template <class T, class In, class I> CROTON_HD static void row(std::int64_t attributes, vector<T> y, vector<const In> x, vector<const I>) {
        sort::row(attributes, y, x);
    }
};

/// Where the first elements of the order lie, as many as the result has room for; of equal ones the first is first.
template <bool Descending> struct sorted_places {
    static constexpr int arguments = 1;
    static std::int64_t operations(std::int64_t count, std::int64_t length) { return sort_operations(count, length); }

    template <class I, class In> CROTON_HD static void row(std::int64_t, vector<I> y, vector<const In> x) {
        using T = arithmetic_t<In>;
        const auto before_at = [&](std::int64_t i, std::int64_t j) {
            const T a = x.data[i * x.stride], b = x.data[j * x.stride];
            if (stands_before<Descending>(a, b)) return true;
            return !stands_before<Descending>(b, a) && i < j;
        };
        const auto place = [&](std::int64_t i) -> I& { return y.data[i * y.stride]; };
        const auto before = [&](std::int64_t i, std::int64_t j) { return before_at(place(i), place(j)); };
        const auto exchange = [&](std::int64_t i, std::int64_t j) {
            const I kept = place(i);
            place(i) = place(j);
            place(j) = kept;
        };
        for (std::int64_t i = 0; i < y.size; ++i) place(i) = static_cast<I>(i);
        sort_heap(y.size, before, exchange);
        // What stands before the last one takes its place, and sinks to its own.
        for (std::int64_t i = y.size; i < x.size; ++i) {
            if (!before_at(i, place(y.size - 1))) continue;
            place(y.size - 1) = static_cast<I>(i);
            for (std::int64_t at = y.size - 1; at > 0 && before(at, at - 1); --at) exchange(at, at - 1);
        }
    }
};

struct argsort : sorted_places<false> {
    static constexpr std::string_view name = "argsort"sv;
};
struct topk : sorted_places<true> {
    static constexpr std::string_view name = "topk"sv;
};

/// A row in the order of the places in the first argument; reversed, each element goes to its place.
struct permute {
    static constexpr std::string_view name = "permute"sv;
    static constexpr int arguments = 2;
    static constexpr std::string_view attribute[2] = {"back"sv, ""sv};
    static constexpr std::int64_t back = 1;
    static std::int64_t operations(std::int64_t count, std::int64_t) { return count; }

    template <class T, class I, class In> CROTON_HD static void row(std::int64_t attributes, vector<T> y, vector<const I> places, vector<const In> x) {
        for (std::int64_t i = 0; i < y.size; ++i) {
            const std::int64_t place = places.data[i * places.stride];
            if ((attributes & back) != 0) y.data[place * y.stride] = static_cast<T>(x.data[i * x.stride]);
            else y.data[i * y.stride] = static_cast<T>(x.data[place * x.stride]);
        }
    }
};

/// Where each element would be put into a row that is sorted: before its equals, or behind them. Or, where that is a truth value, whether it is one of them.
struct search {
    static constexpr std::string_view name = "searchsorted"sv;
    static constexpr int arguments = 2;
    static constexpr unsigned whole = 1;
    static constexpr std::string_view attribute[2] = {"right"sv, "among"sv};
    static constexpr std::int64_t right = 1, among = 2;
    static std::int64_t operations(std::int64_t count, std::int64_t length) { return sort_operations(count, length); }

    template <class I, class S, class In> CROTON_HD static void row(std::int64_t attributes, vector<I> y, vector<const S> sorted, vector<const In> x) {
        using T = arithmetic_t<In>;
        for (std::int64_t i = 0; i < y.size; ++i) {
            const T v = x.data[i * x.stride];
            std::int64_t low = 0, count = sorted.size;
            while (count > 0) {
                const std::int64_t half = count / 2;
                const T s = sorted.data[(low + half) * sorted.stride];
                const bool behind = (attributes & right) != 0 ? !stands_before<false>(v, s) : stands_before<false>(s, v);
                low = behind ? low + half + 1 : low;
                count = behind ? count - half - 1 : half;
            }
            if constexpr (std::is_same_v<I, bool>) y.data[i * y.stride] = low < sorted.size && static_cast<T>(sorted.data[low * sorted.stride]) == v;
            else y.data[i * y.stride] = static_cast<I>(low);
        }
    }
};

}  // namespace croton::inline v0_1::kernel

#endif
