// SPDX-License-Identifier: MIT
// Integers of every width as indices and labels, and what moves them: gathering, scattering, joining, sorting, products.
#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <tuple>

#include <croton/croton.hpp>

#include "device/emulated_cuda.hpp"

using namespace croton;

namespace {

template <class T, int Rank, class Device> array<T, Rank> on_host(const array<T, Rank, Device>& x) { return x.template to<cpu>(); }

template <class Device, class I> void check_indices() {
    CAPTURE(std::string(name_of(element_of<I>)));
    auto f = function<Device>([](vector<float, dim("n")> x, vector<I> i, matrix<I> label) {
        return std::tuple(take<0>(x, i), x(i), one_hot<4>(label), bincount<5>(i), segment_sum<5>(take<0>(x, i), i), add_at<0>(x, i, 1.f * take<0>(x, i)), take<0>(x, i + 1));
    });
    const array<float, 1> x{10, 11, 12, 13, 14};
    const array<I, 1> i{3, 0, 0, 2};
    const array<I, 2> label{{1, 3}};
    const auto [taken, called, hot, counts, sums, added, computed] = f(x.template to<Device>(), i.template to<Device>(), label.template to<Device>());
    CHECK(on_host(taken) == array<float, 1>{13, 10, 10, 12});
    CHECK(on_host(called) == on_host(taken));
    CHECK(on_host(hot) == array<bool, 3>{{{false, true, false, false}, {false, false, false, true}}});
    CHECK(on_host(counts) == array<std::int64_t, 1>{2, 0, 1, 1, 0});
    CHECK(on_host(sums) == array<float, 1>{20, 0, 12, 13, 0});
    CHECK(on_host(added) == array<float, 1>{30, 11, 24, 26, 14});
    CHECK(on_host(computed) == array<float, 1>{14, 11, 11, 13});
    if constexpr (std::is_same_v<Device, cpu>) CHECK_THROWS_WITH_AS(f(x, array<I, 1>{5}, label), doctest::Contains("5"), value_error);
}

}  // namespace

TEST_CASE_TEMPLATE("indices and labels of every width", Device, cpu, emulated_cuda) {
    check_indices<Device, std::uint8_t>();
    check_indices<Device, std::int16_t>();
    check_indices<Device, std::uint64_t>();
}
