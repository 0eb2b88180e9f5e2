// SPDX-License-Identifier: MIT
// Operators of a user's structs on a GPU: alone, fused, differentiated; two structs of one name.
#include "device/compare.hpp"
#include "ops/own_operators.hpp"

using namespace test;
using own_operators::gaussian;
using own_operators::mixture;
using own_operators::near;

namespace {

/// With a function that only CUDA and the C library have.
struct bessel {
    static constexpr std::string_view name = "bessel";
    template <std::floating_point V> CROTON_HD static V value(V x) { return static_cast<V>(::j0(static_cast<double>(x))); }
};

namespace first {
struct shift {
    static constexpr std::string_view name = "shift";
    CROTON_HD static float value(float x) { return x + 1; }
};
}  // namespace first
namespace second {
struct shift {
    static constexpr std::string_view name = "shift";
    CROTON_HD static float value(float x) { return x + 100; }
};
}  // namespace second

}  // namespace

/// Outside of the unnamed namespace, and a template.
template <int Power> struct raised {
    static constexpr std::string_view name = "raised";
    CROTON_HD static int value(int x) { return Power == 0 ? 1 : x * raised<Power - 1>::value(x); }
};
template <> struct raised<0> {
    CROTON_HD static int value(int) { return 1; }
};

TEST_CASE("operators of structs compute on the GPU what the reference device computes") {
    const auto make = [](auto device) {
        return function<decltype(device)>([](matrix<float> x, vector<float> row, matrix<double> d, matrix<int> i) {
            auto y = 2 * elementwise<gaussian>(x + 1) - elementwise<mixture>(x, row, 0.25f);
            return outputs(where(elementwise<near>(x, row), y, elementwise<first::shift>(x)), elementwise<second::shift>(x), elementwise<bessel>(d),
                           elementwise<raised<3>>(i), sum<1>(elementwise<gaussian>(d)));
        });
    };
    auto on_gpu = make(cuda{});
    auto expected = make(reference{});
    for (const auto& size : {std::pair<int, int>{0, 4}, {1, 1}, {31, 33}, {129, 1025}}) {
        CAPTURE(size.first);
        const auto x = random_array<float, 2>(1, size.first, size.second);
        const auto row = random_array<float, 1>(2, size.second);
        const auto d = random_array<double, 2>(3, size.first, size.second);
        const auto i = random_array<int, 2>(4, size.first, size.second);
        const auto [e1, e2, e3, e4, e5] = expected(x, row, d, i);
        const auto [r1, r2, r3, r4, r5] = on_gpu(x.to<cuda>(), row.to<cuda>(), d.to<cuda>(), i.to<cuda>());
        check_close(r1, e1);
        check_close(r2, e2);
        check_close(r3, e3, 1e-12);
        check_close(r4, e4);
        check_close(r5, e5, 1e-10);
    }
}

TEST_CASE("derivatives of operators of structs on the GPU") {
    const auto make = [](auto device) {
        return function<decltype(device)>([](matrix<float> x, vector<float> row) {
            return grad(sum(elementwise<gaussian>(x) * elementwise<mixture>(x, row, sigmoid(x))), x, row);
        });
    };
    auto on_gpu = make(cuda{});
    auto expected = make(reference{});
    const auto x = random_array<float, 2>(1, 33, 65);
    const auto row = random_array<float, 1>(2, 65);
    const auto [ex, er] = expected(x, row);
    const auto [rx, rr] = on_gpu(x.to<cuda>(), row.to<cuda>());
    check_close(rx, ex, 1e-4);
    check_close(rr, er, 1e-4);
}
