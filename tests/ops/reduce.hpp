// SPDX-License-Identifier: MIT
// Reductions of an array of rank 3 by plain loops, for any set of axes.
#ifndef CROTON_TESTS_OPS_REDUCE_HPP
#define CROTON_TESTS_OPS_REDUCE_HPP

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "support.hpp"

namespace reduce_check {

using namespace croton;
using support::layout;

/// For each output in row-major order, the elements it is made of in row-major order; axes left out of the mask stay.
template <class T, int Rank> std::vector<std::vector<T>> groups(view<T, Rank> x, unsigned mask) {
    std::int64_t outputs = 1;
    for (int a = 0; a < Rank; ++a)
        if (((mask >> a) & 1u) == 0) outputs *= x.extent(a);
    std::vector<std::vector<T>> result(static_cast<std::size_t>(outputs));
    const std::int64_t size = x.size();
    for (std::int64_t i = 0; i < size; ++i) {
        std::int64_t rest = i, to = 0, stride = 1;
        const T* at = x.data();
        for (int a = Rank; a-- > 0; rest /= x.extent(a)) {
            const std::int64_t k = rest % x.extent(a);
            at += k * x.stride(a);
            if (((mask >> a) & 1u) == 0) {
                to += k * stride;
                stride *= x.extent(a);
            }
        }
        result[static_cast<std::size_t>(to)].push_back(*at);
    }
    return result;
}

template <int... Axes> constexpr unsigned mask_of(int rank) {
    return sizeof...(Axes) == 0 ? (1u << rank) - 1 : (0u | ... | (1u << Axes));
}

/// Every output against the function of its group.
template <class R, class T, class F>
void compare(const R& got, const std::vector<std::vector<T>>& groups, F&& wanted, const char* what) {
    REQUIRE(got.size() == static_cast<std::int64_t>(groups.size()));
    bool same = true;
    for (std::size_t i = 0; i < groups.size(); ++i) {
        const auto g = got.data()[i];
        const auto w = wanted(groups[i]);
        same = same &&
               (g == w || (g != g && w != w) ||
                (std::isfinite(static_cast<double>(w)) && std::fabs(static_cast<double>(g) - static_cast<double>(w)) <=
                                                              1e-6 * std::fabs(static_cast<double>(w)) + 1e-6));
    }
    CHECK_MESSAGE(same, what);
}

// What NumPy gives for one group.
inline const auto sum_of = [](const auto& g) {
    long double s = 0;
    for (auto x : g) s += x;
    return static_cast<double>(s);
};
inline const auto product_of = [](const auto& g) {
    long double p = 1;
    for (auto x : g) p *= x;
    return static_cast<double>(p);
};
inline const auto mean_of = [](const auto& g) { return sum_of(g) / static_cast<double>(g.size()); };
inline const auto max_of = [](const auto& g) {
    auto m = g.at(0);
    for (auto x : g) m = m != m ? m : x != x || x > m ? x : m;
    return m;
};
inline const auto min_of = [](const auto& g) {
    auto m = g.at(0);
    for (auto x : g) m = m != m ? m : x != x || x < m ? x : m;
    return m;
};
template <class F> auto position_of(F extreme) {
    return [extreme](const auto& g) {
        const auto m = extreme(g);
        std::int64_t i = 0;
        for (auto x : g) {
            if (x == m || x != x) break;
            ++i;
        }
        return i;
    };
}
inline const auto logsumexp_of = [](const auto& g) {
    const long double m = max_of(g);
    if (std::isinf(m)) return m;
    long double s = 0;
    for (auto x : g) s += std::exp(x - m);
    return m + std::log(s);
};

/// The reductions of floats over one set of axes, with and without keeping them.
template <class T, int Rank, int... Axes> struct program {
    using parameter = symbol<T, Rank>;
    constexpr auto operator()(parameter x) const {
        if constexpr (std::is_floating_point_v<T>)
            return std::tuple(sum<Axes...>(x), mean<Axes...>(x), max<Axes...>(x), min<Axes...>(x), prod<Axes...>(x),
                              argmax<Axes...>(x), argmin<Axes...>(x), logsumexp<Axes...>(x), sum<Axes...>(x, keepdims),
                              max<Axes...>(x, keepdims));
        else
            return std::tuple(sum<Axes...>(x), max<Axes...>(x), min<Axes...>(x), prod<Axes...>(x), argmax<Axes...>(x),
                              argmin<Axes...>(x), sum<Axes...>(x, keepdims));
    }
};

template <class Device, class T, int Rank, int... Axes> void check(const array<T, Rank>& x) {
    auto f = function<Device>(program<T, Rank, Axes...>());
    constexpr unsigned mask = mask_of<Axes...>(Rank);
    for (int l = 0; l < static_cast<int>(layout::count); ++l) {
        INFO(support::device_name<Device>() << " mask " << mask << " " << support::name_of(static_cast<layout>(l)));
        const support::placed<T, Rank> p(x, static_cast<layout>(l));
        const auto wanted = groups(p.get(), mask);
        if constexpr (std::is_floating_point_v<T>) {
            const auto [s, m, largest, smallest, product, first_largest, first_smallest, lse, kept, kept_largest] =
                f(p.get());
            compare(s, wanted, sum_of, "sum");
            compare(m, wanted, mean_of, "mean");
            compare(largest, wanted, max_of, "max");
            compare(smallest, wanted, min_of, "min");
            compare(product, wanted, product_of, "prod");
            compare(first_largest, wanted, position_of(max_of), "argmax");
            compare(first_smallest, wanted, position_of(min_of), "argmin");
            compare(lse, wanted, logsumexp_of, "logsumexp");
            compare(kept, wanted, sum_of, "sum, axes kept");
            compare(kept_largest, wanted, max_of, "max, axes kept");
            for (int a = 0; a < Rank; ++a) CHECK(kept.extent(a) == (((mask >> a) & 1u) != 0 ? 1 : x.extent(a)));
        } else {
            const auto [s, largest, smallest, product, first_largest, first_smallest, kept] = f(p.get());
            static_assert(std::is_same_v<typename std::remove_cvref_t<decltype(s)>::value_type, std::int64_t>);
            static_assert(std::is_same_v<typename std::remove_cvref_t<decltype(largest)>::value_type, T>);
            const auto whole = [](auto&& of) {
                return [of](const auto& g) { return static_cast<std::int64_t>(of(g)); };
            };
            compare(s, wanted, whole(sum_of), "sum");
            compare(largest, wanted, max_of, "max");
            compare(smallest, wanted, min_of, "min");
            compare(product, wanted, whole(product_of), "prod");
            compare(first_largest, wanted, position_of(max_of), "argmax");
            compare(first_smallest, wanted, position_of(min_of), "argmin");
            compare(kept, wanted, whole(sum_of), "sum, axes kept");
        }
    }
}

/// Numbers with ties, and a few large ones.
template <class T, int Rank> array<T, Rank> with_ties(const extents_of<Rank>& extents) {
    array<T, Rank> x(extents);
    support::numbers random(11);
    for (T& e : x) e = static_cast<T>(std::floor(random.next(-3, 4)) / (std::is_floating_point_v<T> ? 2 : 1));
    return x;
}

template <class T, int Rank> array<T, Rank> with_nan(const extents_of<Rank>& extents) {
    auto x = with_ties<T, Rank>(extents);
    for (std::int64_t i = 4; i < x.size(); i += 11) x.data()[i] = std::numeric_limits<T>::quiet_NaN();
    return x;
}

}  // namespace reduce_check

#endif
