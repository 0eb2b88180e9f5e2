// SPDX-License-Identifier: MIT
// What has three arguments, two results, an order or truth values, by make_fused.py.
#include "golden/special.hpp"

using namespace croton;

namespace {

template <class Device, class T> void check_fused() {
    const auto given = [](const auto& table) {
        return [&](std::int64_t i) {
            std::ostringstream text;
            text << "(" << table(0, i) << ", " << table(1, i) << ", " << table(2, i) << ")";
            return text.str();
        };
    };
    const auto three = golden::load<T, 2>("fused"), between = golden::load<T, 2>("between"), orders = golden::load<T, 2>("polygamma"), divided = golden::load<T, 2>("divmod");
    auto fused = function<Device>([](vector<T> a, vector<T> b, vector<T> c) { return fma(a, b, c); });
    golden::check_row<array<T, 1>, T>("fma", fused(three[0], three[1], three[2]), three[3], 0, given(three));
    auto interpolated = function<Device>([](vector<T> a, vector<T> b, vector<T> t) { return lerp(a, b, t); });
    golden::check_row<array<T, 1>, T>("lerp", interpolated(between[0], between[1], between[2]), between[3], 4, given(between));
    auto derived = function<Device>([](vector<T> n, vector<T> x) { return polygamma(n, x); });
    golden::check_row<array<T, 1>, T>("polygamma", derived(orders[0], orders[1]), orders[2], 16, given(orders));
    auto both = function<Device>([](vector<T> x, vector<T> y) { return divmod(x, y); });
    const auto [quotient, rest] = both(divided[0], divided[1]);
    golden::check_row<array<T, 1>, T>("divmod, the quotient of ", quotient, divided[2], 0, given(divided));
    golden::check_row<array<T, 1>, T>("divmod, the rest of ", rest, divided[3], 1, given(divided));
}
template <class Device, class T> void check_divmod() {
    const auto divided = golden::load<T, 2>("divmod");
    auto both = function<Device>([](vector<T> x, vector<T> y) { return divmod(x, y); });
    const auto [quotient, rest] = both(divided[0], divided[1]);
    CHECK(quotient == divided[2]);
    CHECK(rest == divided[3]);
}
template <class Device> void check_truth() {
    const auto truth = load_npy<array<bool, 2>>(std::filesystem::path(__FILE__).parent_path() / "values/special_truth.npy");
    auto f = function<Device>([](vector<bool> x, vector<bool> y) {
        return std::tuple(logical_and(x, y), logical_or(x, y), logical_xor(x, y), logical_not(x), x == y, x != y, x < y, x >= y);
    });
    int row = 2;
    const auto check = [&](const auto& result) { CHECK(result == truth[row++]); };
    std::apply([&](const auto&... result) { (check(result), ...); }, f(truth[0], truth[1]));
}

}  // namespace

TEST_CASE_TEMPLATE("fused, between, of an order, and divided with a rest", Device, cpu, reference) {
    check_fused<Device, float>();
    check_fused<Device, double>();
    check_divmod<Device, int>();
    check_divmod<Device, std::int64_t>();
}

TEST_CASE_TEMPLATE("operators of truth values", Device, cpu, reference) { check_truth<Device>(); }
