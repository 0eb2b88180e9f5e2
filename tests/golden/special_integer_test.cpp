// SPDX-License-Identifier: MIT
// Integers at the ends of their range.
#include "golden/special.hpp"

namespace golden {

template <class Device, class T> void check_integers() {
    auto f = function<Device>([](vector<T, dim("n")> x, vector<T, dim("n")> y) {
        return std::tuple(x + y, x - y, x * y, detail::elementwise<op::divide>(x, y), -x, abs(x), sign(x), sqr(x), relu(x), maximum(x, y), minimum(x, y), x == y, x < y, where(x < y, x, y), clip(x, y, 3));
    });
    auto table = load<T, 2>("integer");
    // Where croton differs: its quotient is that of C++, towards 0, and that of NumPy's // is rounded down.
    for (std::int64_t i = 0; i < table.extent(1); ++i) {
        const T x = table(0, i), y = table(1, i);
        if (y != 0 && y != -1 && x % y != 0 && (x < 0) != (y < 0)) table(5, i) += 1;
    }
    check_table<2, T>(f, table, 0, "+", "-", "*", "/", "-", "abs", "sign", "sqr", "relu", "maximum", "minimum", "==", "<", "where", "clip to y and 3");

    auto g = function<Device>([](matrix<T> x) { return std::tuple(sum<1>(x), prod<1>(x), max<1>(x), min<1>(x), argmax<1>(x), argmin<1>(x)); });
    const auto want = load_npy<array<std::int64_t, 2>>(std::filesystem::path(__FILE__).parent_path() / "values" / (std::is_same_v<T, int> ? "special_integer_reduced_int32.npy" : "special_integer_reduced_int64.npy"));
    const std::string names[] = {"sum", "prod", "max", "min", "argmax", "argmin"};
    std::apply([&](const auto&... result) {
        int i = 0;
        ((check_row<std::remove_cvref_t<decltype(result)>, std::int64_t>(names[i], result, want[i], 0, [](std::int64_t row) { return " of row " + std::to_string(row); }), ++i), ...);
    }, g(load<T, 2>("integer_rows")));
}

}  // namespace golden

TEST_CASE_TEMPLATE("integers at the ends of their range are what NumPy makes of them", Device, croton::cpu, croton::reference) {
    golden::check_integers<Device, int>();
    golden::check_integers<Device, std::int64_t>();
}
