// SPDX-License-Identifier: MIT
// What a device makes of integers besides int and int64, at the ends of their range, against NumPy: make_integers.py.
#ifndef CROTON_TESTS_GOLDEN_INTEGERS_HPP
#define CROTON_TESTS_GOLDEN_INTEGERS_HPP

#include "golden/special.hpp"

namespace golden {

template <class T> array<T, 2> load_integers(const std::string& what) {
    return load_npy<array<T, 2>>(std::filesystem::path(__FILE__).parent_path() / "values" / ("special_" + what + "_" + std::string(name_of(element_of<T>)) + ".npy"));
}

template <class Device, class T> void check_arithmetic() {
    auto f = function<Device>([](vector<T, dim("n")> x, vector<T, dim("n")> y) {
        return std::tuple(x + y, x - y, x * y, floor_divide(x, y), -x, abs(x), sign(x), sqr(x), relu(x), maximum(x, y), minimum(x, y), x == y, x < y, x >= y,
                          where(x < y, x, y), clip(x, y, 3));
    });
    check_table<2, T>(f, load_integers<T>("integer"), 0, "+", "-", "*", "floor_divide", "-", "abs", "sign", "sqr", "relu", "maximum", "minimum", "==", "<", ">=", "where",
                      "clip to y and 3");
}

template <class Device, class T> void check_rest_and_bits() {
    auto f = function<Device>([](vector<T, dim("n")> x, vector<T, dim("n")> y) {
        return std::tuple(fmod(x, y), x % y, x & y, x | y, x ^ y, ~x, x << y, x >> y);
    });
    check_table<2, T>(f, load_integers<T>("bits"), 0, "fmod", "%", "&", "|", "^", "~", "<<", ">>");
}

/// Each result as int64, as the files hold the bits of uint64 too.
template <class... R> void check_int64(const std::string& file, const std::string& type, const std::tuple<R...>& results) {
    const auto want = load_npy<array<std::int64_t, 2>>(std::filesystem::path(__FILE__).parent_path() / "values" / ("special_" + file + "_" + type + ".npy"));
    std::apply([&](const auto&... result) {
        int i = 0;
        ((check_row<std::remove_cvref_t<decltype(result)>, std::int64_t>(file, result, want[i], 0, [&](std::int64_t at) { return " result " + std::to_string(i) + " at " + std::to_string(at); }), ++i), ...);
    }, results);
}

template <class Device, class T> void check_reductions() {
    const std::string type(name_of(element_of<T>));
    auto f = function<Device>([](matrix<T> x) { return std::tuple(sum<1>(x), prod<1>(x), max<1>(x), min<1>(x), argmax<1>(x), argmin<1>(x), count_nonzero<1>(x)); });
    const auto rows = load_integers<T>("integer_rows");
    check_int64("integer_reduced", type, f(rows));
}

template <class Device, class T> void check_along() {
    const std::string type(name_of(element_of<T>));
    auto f = function<Device>([](matrix<T> x) {
        return std::tuple(reshape<-1>(cumsum<1>(x)), reshape<-1>(cumprod<1>(x)), reshape<-1>(sort<1>(x)), reshape<-1>(argsort<1>(x)), reshape<-1>(sort<0>(x)));
    });
    const auto rows = load_integers<T>("integer_rows");
    check_int64("integer_along", type, f(rows));
}

}  // namespace golden

#endif
