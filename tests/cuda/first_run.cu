// SPDX-License-Identifier: MIT
// What to try first on a GPU: the state around launches, which no emulator has.
#include "device/compare.hpp"

using fp16 = croton::half;

using namespace test;

namespace {

// What is allowed, and again as it was.
struct allowed_tf32 {
    allowed_tf32() { cuda::allow_tf32(true); }
    allowed_tf32(const allowed_tf32&) = delete;
    allowed_tf32& operator=(const allowed_tf32&) = delete;
    ~allowed_tf32() { cuda::allow_tf32(false); }
};

template <class T> array<T, 2> whole_numbers(std::uint64_t seed, std::int64_t rows, std::int64_t columns) {
    array<T, 2> x(rows, columns);
    for (std::int64_t i = 0; i < x.size(); ++i) x.data()[i] = T(static_cast<float>((static_cast<std::uint64_t>(i) * 7 + seed) % 5) - 2);
    return x;
}
// Sums of small whole numbers are exact in every type, TF32 included.
template <class T> void check_products() {
    auto f = function<cuda>([](matrix<T> a, matrix<T> b) { return cast<double>(dot(a, b)); });
    auto expected = function<reference>([](matrix<T> a, matrix<T> b) { return cast<double>(dot(a, b)); });
    for (const int n : {1, 7, 16, 65, 128}) {
        CAPTURE(n);
        const auto a = whole_numbers<T>(1, n, n + 3), b = whole_numbers<T>(2, n + 3, n);
        for (int call = 0; call < 3; ++call) check_close(f(a, b), expected(a, b), 0);
    }
}

}  // namespace

TEST_CASE("tf32 and every type of a product") {
    const allowed_tf32 here;
    check_products<float>();
    check_products<double>();
    check_products<fp16>();
    check_products<bfloat16>();
}

TEST_CASE("settings that change after a graph was recorded") {
    auto f = function<cuda>([](matrix<float> a, matrix<float> b) { return dot(a, b); });
    const int n = 256;
    array<float, 2> a(n, n), b(n, n);
    // 1 + 2^-12 is 1 in TF32.
    a.fill(1.000244140625f);
    b.fill(1);
    const auto ga = a.to<cuda>(), gb = b.to<cuda>();
    array<float, 2, cuda> c(n, n);
    const auto all = [&] {
        for (int call = 0; call < 4; ++call) f.call_into(c, ga, gb);
        return c.template to<cpu>()(n - 1, n - 1);
    };
    const float exact = 256.0625f;
    CHECK(all() == exact);
    {
        const allowed_tf32 here;
        const float rounded = all();
        MESSAGE("with tf32: " << rounded);
    }
    CHECK(all() == exact);
}
