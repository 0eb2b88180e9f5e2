// SPDX-License-Identifier: MIT
#include "golden/statistics.hpp"

using namespace croton;

namespace {

template <class Device, class T> void check(std::initializer_list<const char*> matrices, double ulps) {
    statistics::check<T>("quantiles", function<Device>([](matrix<T> x) { return statistics::quantiles(x); }), matrices, ulps);
}

}  // namespace

TEST_CASE("quantiles, of float") { check<cpu, float>({"5x6", "1x1", "4x1", "2x7", "7x2", "nan"}, 4); }
TEST_CASE("quantiles, of double") { check<cpu, double>({"5x6", "1x1", "4x1", "2x7", "7x2", "nan"}, 4); }
