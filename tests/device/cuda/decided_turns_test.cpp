// SPDX-License-Identifier: MIT
// Loops whose turns values count, recorded: the device decides which turns run. The same memory each time, and other values in it.
#include <algorithm>

#include "device/decided.hpp"

using namespace test;

TEST_CASE("as often as a value says") { check_recorded(test::check_counted_again<gpu>, 1, 7); }

TEST_CASE("more turns than are recorded") {
    auto f = function<gpu>([](vector<float> w, scalar<int> n) { return foldl([&](auto s) { return s * 0.5f + w; }, w, times(n, w.extent(0))); });
    const auto call = [&](std::int64_t size) {
        gpu::recording::runs = 0;
        array<float, 1> w(size);
        std::fill(w.begin(), w.end(), 1.0f);
        CHECK(f(w.to<gpu>(), array<int, 0>(3).to<gpu>()).to<cpu>()(0) == 1.875f);
        return gpu::recording::runs;
    };
    CHECK(call(100) == 1);
    CHECK(call(5000) == 0);
}
