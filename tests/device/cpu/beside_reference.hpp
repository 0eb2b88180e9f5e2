// SPDX-License-Identifier: MIT
// Results beside those of the reference: how far apart numbers may be, as parts of one more than their size.
#ifndef CROTON_TESTS_DEVICE_CPU_BESIDE_REFERENCE_HPP
#define CROTON_TESTS_DEVICE_CPU_BESIDE_REFERENCE_HPP

#include <doctest/doctest.h>

#include <cmath>
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

template <class A, class B> void check_same(const A& is, const B& wanted, double of_float = 1e-5, double of_double = 1e-13) {
    REQUIRE(is.extents() == wanted.extents());
    using T = std::remove_cvref_t<decltype(*is.data())>;
    double most = 0;
    auto j = wanted.begin();
    for (auto i = is.begin(); i != is.end(); ++i, ++j) {
        if (*i == *j || (*i != *i && *j != *j)) continue;
        const double off = std::abs(static_cast<double>(*i) - static_cast<double>(*j)) / (1 + std::abs(static_cast<double>(*j)));
        most = off <= most ? most : off;
    }
    CHECK(most <= (std::is_integral_v<T> ? 0 : sizeof(T) == 8 ? of_double : of_float));
}
template <class... A, class... B> void check_same(const std::tuple<A...>& is, const std::tuple<B...>& wanted, double of_float = 1e-5, double of_double = 1e-13) {
    [&]<std::size_t... K>(std::index_sequence<K...>) { (check_same(std::get<K>(is), std::get<K>(wanted), of_float, of_double), ...); }(std::index_sequence_for<A...>{});
}

#endif
