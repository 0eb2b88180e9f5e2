// SPDX-License-Identifier: MIT
#include "golden/statistics.hpp"

using namespace croton;

namespace {

template <class Device, class T> void check(std::initializer_list<const char*> matrices, double ulps) {
    statistics::check<T>("norms", function<Device>([](matrix<T> x) { return statistics::norms(x); }), matrices, ulps);
}

}  // namespace

TEST_CASE("norms and ranges, of float") { check<cpu, float>({"5x6", "1x1", "4x1", "2x7", "7x2", "nan", "inf"}, 8); }
TEST_CASE("norms and ranges, of double") { check<cpu, double>({"5x6", "1x1", "4x1", "2x7", "7x2", "nan", "inf"}, 64); }
