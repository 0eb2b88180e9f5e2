// SPDX-License-Identifier: MIT
// Arrays of small numbers, and all results of one function beside those of another.
#ifndef CROTON_TESTS_SCAN_CLOSE_HPP
#define CROTON_TESTS_SCAN_CLOSE_HPP

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <tuple>
#include <utility>

#include <croton/croton.hpp>

namespace test {

template <class T, int R> void fill(croton::array<T, R>& a, int seed) {
    for (std::int64_t i = 0; i < a.size(); ++i) a.data()[i] = 0.1 * static_cast<double>((7 * i + seed) % 11) - 0.45;
}
template <class A> void check_close(const A& a, const A& b) {
    REQUIRE(a.size() == b.size());
    for (std::int64_t i = 0; i < a.size(); ++i) CHECK(a.data()[i] == doctest::Approx(b.data()[i]).epsilon(1e-9));
}
template <class... A> void check_all(const std::tuple<A...>& a, const std::tuple<A...>& b) {
    [&]<std::size_t... I>(std::index_sequence<I...>) { (check_close(std::get<I>(a), std::get<I>(b)), ...); }(std::index_sequence_for<A...>());
}

}  // namespace test

#endif
