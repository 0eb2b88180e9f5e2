// SPDX-License-Identifier: MIT
// Functions of arrays whose results have as many elements as the values decide: computed at once, and in the lambda of no function.
#ifndef CROTON_LAZY_FOUND_HPP
#define CROTON_LAZY_FOUND_HPP

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <tuple>
#include <type_traits>
#include <utility>

#include <croton/array/places.hpp>
#include <croton/device/cpu/sort.hpp>
#include <croton/lazy/equality.hpp>
#include <croton/lazy/operands.hpp>
#include <croton/ops/refused.hpp>

namespace croton::inline v0_1 {

namespace detail {

/// What `f` makes of the values of `x`, which are computed first where it is an expression.
template <lazy_array X, class F> constexpr auto with_values(const X& x, F&& f) {
    using traits = operand_traits<X>;
    constexpr bool read = memory<array_device<typename traits::device>>::on_host;
    static_assert(read, "croton: the host reads the elements to find out how many there are; copy the array there, as in nonzero(x.to<cpu>())");
    if constexpr (!read) {
        return wrong_result();
    } else {
        decltype(auto) values = computed(x);
        return f(view<const std::remove_const_t<typename traits::element>, rank_of_array<X>>(values));
    }
}
template <traced X, class F> constexpr auto with_values(const X& x, F&&) {
    static_assert(sizeof(X) == 0, "croton: how many elements the result has depends on those of the argument, so that it is computed outside of functions; in one, where(mask, x, 0) keeps them all");
    return refused(x);
}

template <class T> bool is_nonzero(const T& x) { return static_cast<arithmetic_t<T>>(x) != 0; }

/// The elements in one row.
template <class T, int Rank> array<T, 1> elements_of(const view<const T, Rank>& x) {
    auto all = array<T, 1>::uninitialized({x.size()});
    T* to = all.data();
    visit_each(x, [&](const T& element) { *to++ = element; });
    return all;
}

template <class T> using element_order = cpu_device::order_of<arithmetic_t<T>>;

/// Values in order, the place of the first of each, the places of elements in them, and how many each stands for.
template <class T, int Rank> struct distinct {
    array<T, 1> values;
    array<std::int64_t, 1> firsts, counts;
    array<std::int64_t, Rank> inverse;

    explicit distinct(const view<const T, Rank>& x) : inverse(array<std::int64_t, Rank>::uninitialized(x.extents())) {
        const array<T, 1> all = elements_of(x);
        const auto key = [from = all.data()](std::int64_t i) { return element_order<T>::template in<false>(static_cast<arithmetic_t<T>>(from[i])); };
        const auto words = std::make_unique_for_overwrite<std::int64_t[]>(2 * static_cast<std::size_t>(x.size()));
        std::int64_t* const order = words.get();
        cpu_device::placed_keys keys;
        keys.take(order, x.size(), key);
        cpu_device::sort_words<simd::native>(order, order + x.size(), x.size(), x.size());
        keys.settle(order, x.size(), x.size(), key);
        const auto begins = [&](std::int64_t q) { return q == 0 || !keys.have_one_key(order[q - 1], order[q], key); };
        std::int64_t count = 0;
        for (std::int64_t q = 0; q < all.size(); ++q) count += begins(q) ? 1 : 0;
        values = array<T, 1>::uninitialized({count});
        firsts = array<std::int64_t, 1>::uninitialized({count});
        counts = array<std::int64_t, 1>(count);
        std::int64_t value = -1;
        for (std::int64_t q = 0; q < all.size(); ++q) {
            const std::int64_t place = keys.place(order[q]);
            if (begins(q)) {
                values(++value) = all(place);
                firsts(value) = place;
            }
            ++counts(value);
            inverse.data()[place] = value;
        }
    }
};

/// An array, a view, an expression on them, what another library has, or a traced expression, which is refused.
template <class X> concept searched = lazy_array<X> || traced<X>;

}  // namespace detail

/// The places of the elements that are not 0: NumPy's `nonzero`. Of a vector they are one array, `v(nonzero(v))`, of others one for each axis, `auto [i, j] = nonzero(m > 0);`.
template <detail::searched X> constexpr auto nonzero(const X& x) {
    return detail::with_values(x, []<class T, int Rank>(const view<const T, Rank>& values) {
        static_assert(Rank > 0, "croton: nonzero looks for places along axes; one number is asked by if");
        auto found = detail::places_where(values, detail::is_nonzero<T>);
        if constexpr (Rank == 1) {
            return array<std::int64_t, 1>(std::move(found[0]));
        } else {
            std::array<array<std::int64_t, 1>, static_cast<std::size_t>(Rank)> places;
            for (std::size_t axis = 0; axis < places.size(); ++axis) places[axis] = std::move(found[axis]);
            return places;
        }
    });
}
/// The same, counted through all elements in row-major order.
template <detail::searched X> constexpr auto flatnonzero(const X& x) {
    return detail::with_values(x, []<class T, int Rank>(const view<const T, Rank>& values) {
        const array<T, 1> all = detail::elements_of(values);
        return array<std::int64_t, 1>(std::move(detail::places_where(view<const T, 1>(all), detail::is_nonzero<T>)[0]));
    });
}
/// The same, as one row for each of them: [count, rank].
template <detail::searched X> constexpr auto argwhere(const X& x) {
    return detail::with_values(x, []<class T, int Rank>(const view<const T, Rank>& values) {
        static_assert(Rank > 0, "croton: argwhere looks for places along axes; one number is asked by if");
        const auto found = detail::places_where(values, detail::is_nonzero<T>);
        auto rows = array<std::int64_t, 2>::uninitialized({found[0].size(), Rank});
        for (int axis = 0; axis < Rank; ++axis) rows.as_view()(slice(), axis).copy_from(found[static_cast<std::size_t>(axis)]);
        return rows;
    });
}

/// The distinct elements in order: NumPy's `unique`. A NaN is behind all numbers, and there is one of them.
template <detail::searched X> constexpr auto unique(const X& x) {
    return detail::with_values(x, []<class T, int Rank>(const view<const T, Rank>& values) {
        using order = detail::element_order<T>;
        using key = typename order::key;
        const auto words = std::make_unique_for_overwrite<key[]>(2 * static_cast<std::size_t>(values.size()));
        key *const keys = words.get(), *at = keys;
        detail::visit_each(values, [&](const T& element) { *at++ = order::template in<true>(static_cast<arithmetic_t<T>>(element)); });
        detail::cpu_device::sort_words<simd::native>(keys, at, values.size(), values.size());
        // 0 and -0 are two of them.
        key* const end = std::unique(keys, keys + values.size(), [](key a, key b) { return a == b || order::out(a) == order::out(b); });
        auto found = array<T, 1>::uninitialized({end - keys});
        std::transform(keys, end, found.data(), [](key k) { return static_cast<T>(order::out(k)); });
        return found;
    });
}
/// These, and how often each stands there: `auto [values, counts] = unique_counts(x);`.
template <detail::searched X> constexpr auto unique_counts(const X& x) {
    return detail::with_values(x, []<class T, int Rank>(const view<const T, Rank>& values) {
        detail::distinct found(values);
        return std::tuple(std::move(found.values), std::move(found.counts));
    });
}
/// These, and where among them each element is, in the extents of `x`: `values(inverse)` is `x`.
template <detail::searched X> constexpr auto unique_inverse(const X& x) {
    return detail::with_values(x, []<class T, int Rank>(const view<const T, Rank>& values) {
        detail::distinct found(values);
        return std::tuple(std::move(found.values), std::move(found.inverse));
    });
}
/// All of it: values, the place of the first of each in row-major order, inverse and counts.
template <detail::searched X> constexpr auto unique_all(const X& x) {
    return detail::with_values(x, []<class T, int Rank>(const view<const T, Rank>& values) {
        detail::distinct found(values);
        return std::tuple(std::move(found.values), std::move(found.firsts), std::move(found.inverse), std::move(found.counts));
    });
}

}  // namespace croton::inline v0_1

#endif
