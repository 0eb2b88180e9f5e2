// SPDX-License-Identifier: MIT
// Cumulative sums and products, sorting and searching as NumPy has them, special numbers among the elements.
#include "golden/packed.hpp"

using namespace croton;

namespace {

template <class Device, class T> void check_floats(const std::string& type) {
    const auto f = function<Device>([](matrix<T> x) {
        const auto [values, places] = topk<3, 1>(x);
        const auto [all, places_of_all] = topk<9, 0>(x);
        const auto sorted = sort(flatten(x));
        return outputs(cumsum<0>(x), cumsum<1>(x), cumprod<0>(x), cumprod<1>(x), sort<0>(x), sort<1>(x), argsort<0>(x), argsort<1>(x), values, places, places_of_all,
                       searchsorted(sorted, x), searchsorted<side::right>(sorted, x));
    });
    golden::packed numbers("numbers_" + type), want("along_" + type);
    want.check(f(numbers.take<T, 2>()));
    want.done();
}

template <class Device, class T> void check_log_sums(const std::string& type) {
    const auto f = function<Device>([](matrix<T> x) { return outputs(logcumsumexp<0>(x), logcumsumexp<1>(x)); });
    golden::packed want("log_sums_" + type);
    const auto x = want.take<T, 2>();
    want.check(f(x), 2);
    want.done();
}

template <class Device, class T> void check_whole(const std::string& type) {
    const auto f = function<Device>([](matrix<T> x) {
        const auto [values, places] = topk<2, 1>(x);
        const auto sorted = sort(x(0));
        return outputs(cumsum<0>(x), cumsum<1>(x), cumprod<1>(x), sort<0>(x), argsort<1>(x), places, searchsorted(sorted, x), searchsorted<side::right>(sorted, x));
    });
    golden::packed want("whole_" + type);
    const auto x = want.take<T, 2>();
    want.check(f(x));
    want.done();
}

}  // namespace

TEST_CASE("floats") {
    check_floats<cpu, float>("float32");
    check_floats<cpu, double>("float64");
}
TEST_CASE("logarithms of sums") {
    check_log_sums<cpu, float>("float32");
    check_log_sums<cpu, double>("float64");
}
TEST_CASE("whole numbers and bools") {
    check_whole<cpu, bool>("bool");
    check_whole<cpu, int>("int32");
    check_whole<cpu, std::int64_t>("int64");
}
