// SPDX-License-Identifier: MIT
// half and bfloat16: stored in 16 bits, computed with as float.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <type_traits>

#include "function/half.hpp"

using namespace test;

namespace {

template <class T> auto mixed(auto device) {
    return function<decltype(device)>([](matrix<T> x, vector<T> row, matrix<float> f, scalar<T> s, matrix<int> i) {
        auto y = tanh(x) * row + s;
        static_assert(std::is_same_v<detail::element_in<decltype(y)>, float>);
        static_assert(std::is_same_v<detail::element_in<decltype(-row)>, float>);
        static_assert(std::is_same_v<detail::element_in<decltype(max<1>(x))>, float>);
        static_assert(std::is_same_v<detail::element_in<decltype(transpose(x))>, T>);
        return outputs(y, cast<T>(y), where(x > row, x, f), transpose(x), x * cast<float>(i) + 1, cast<double>(x) * 2, cast<int>(x * 9), x > 0);
    });
}

template <class T> void check_mixed() {
    auto on_cpu = mixed<T>(cpu{});
    auto expected = mixed<T>(reference{});
    for (const auto& size : {std::pair<std::int64_t, std::int64_t>{0, 3}, {1, 1}, {3, 5}, {2, 16}, {7, 33}, {40, 129}}) {
        CAPTURE(size.first);
        const std::int64_t n = size.first, m = size.second;
        const auto x = drawn<T, 2>(1, {n, m});
        const auto row = drawn<T, 1>(2, {m});
        const auto f = drawn<float, 2>(3, {n, m});
        array<int, 2> i(n, m);
        for (std::int64_t k = 0; k < i.size(); ++k) i.data()[k] = static_cast<int>(k % 7) - 3;
        const auto [e1, e2, e3, e4, e5, e6, e7, e8] = expected(x, row, f, T(0.5), i);
        const auto [r1, r2, r3, r4, r5, r6, r7, r8] = on_cpu(x, row, f, 0.5, i);
        CHECK(near(r1, e1));
        CHECK(near(r2, e2, 0.01));
        for (std::int64_t k = 0; k < r1.size(); ++k) CHECK(r2.data()[k].bits == T(r1.data()[k]).bits);
        CHECK(near(r3, e3));
        CHECK(near(r4, array<T, 2>(x.transpose()), 0));
        CHECK(near(r5, e5));
        CHECK(near(r6, e6));
        CHECK(near(r7, e7, 0));
        CHECK(near(r8, e8, 0));
        // Strided, and without an offset that anything is aligned to.
        array<T, 2> wide(2 * n + 1, 2 * m + 1);
        auto part = wide.as_view().slice(0, 1, 2 * n + 1, 2).slice(1, 1, 2 * m + 1, 2);
        part.copy_from(x.as_view());
        const auto [v1, v2, v3, v4, v5, v6, v7, v8] = on_cpu(part, row, f, 0.5, i);
        CHECK(near(v1, e1));
        CHECK(near(v4, e4, 0));
        CHECK(near(v7, e7, 0));
    }
}

}  // namespace

TEST_CASE("operators read 16 bits as float: half") { check_mixed<half>(); }
TEST_CASE("operators read 16 bits as float: bfloat16") { check_mixed<bfloat16>(); }

TEST_CASE("every half goes through a function unchanged, and every sum of two is rounded once") {
    auto through = function<cpu>([](vector<half> x, vector<bfloat16> b) { return outputs(x, b, cast<float>(x), cast<float>(b), cast<bfloat16>(cast<float>(b))); });
    auto scaled = function<cpu>([](vector<half> x, vector<bfloat16> b, scalar<float> s) { return outputs(cast<half>(x * s), cast<bfloat16>(b * s)); });
    array<half, 1> x(65536);
    array<bfloat16, 1> b(65536);
    for (int i = 0; i < 65536; ++i) {
        x(i) = half::from_bits(static_cast<std::uint16_t>(i));
        b(i) = bfloat16::from_bits(static_cast<std::uint16_t>(i));
    }
    const auto [same, same_b, wide, wide_b, again] = through(x, b);
    const auto [third, third_b] = scaled(x, b, 1.0f / 3);
    int wrong = 0;
    for (int i = 0; i < 65536; ++i) {
        const float f = x(i), g = b(i);
        const bool nan = std::isnan(f), nan_b = std::isnan(g);
        wrong += nan ? !std::isnan(wide(i)) || !std::isnan(static_cast<float>(same(i))) : same(i).bits != x(i).bits || wide(i) != f;
        wrong += nan_b ? !std::isnan(wide_b(i)) || !std::isnan(static_cast<float>(again(i)))
                       : same_b(i).bits != b(i).bits || wide_b(i) != g || again(i).bits != b(i).bits;
        wrong += nan ? !std::isnan(static_cast<float>(third(i))) : third(i).bits != half(f * (1.0f / 3)).bits;
        wrong += nan_b ? !std::isnan(static_cast<float>(third_b(i))) : third_b(i).bits != bfloat16(g * (1.0f / 3)).bits;
    }
    CHECK(wrong == 0);
}

TEST_CASE("views, reshapes and updates that go through a temporary") {
    const auto make = [](auto device) {
        return function<decltype(device)>([](shared<matrix<half>> a, shared<matrix<half>> b, matrix<half> x, scalar<bfloat16> s) {
            auto flat = flatten(x);
            return outputs(flat, dot(reshape<2, dynamic>(x), flatten(a)), broadcast_to<3, 2, 2>(cast<half>(b + 1)), s, newaxis<0>(x) * s, transpose(cast<half>(a * b)))
                .updates(update(a, transpose(b)), update(b, transpose(a) * 2));
        });
    };
    auto on_cpu = make(cpu{});
    auto expected = make(reference{});
    auto a = drawn<half, 2>(1, {2, 2}), b = drawn<half, 2>(2, {2, 2}), ae = a, be = b;
    const auto x = drawn<half, 2>(3, {4, 2});
    array<half, 2> wide(9, 4);
    auto strided = wide.as_view().slice(0, 1, 9, 2).slice(1, 0, 4, 2);
    strided.copy_from(x.as_view());
    const auto [e1, e2, e3, e4, e5, e6] = expected(ae, be, x, -0.3);
    const auto [r1, r2, r3, r4, r5, r6] = on_cpu(a, b, strided, bfloat16(-0.3));
    CHECK(near(r1, e1, 0));
    CHECK(r1.as_view().extent(0) == 8);
    CHECK(near(r2, e2));
    CHECK(near(r3, e3, 0));
    CHECK(near(r4, e4, 0));
    CHECK(near(r5, e5));
    CHECK(near(r6, e6, 1e-3));
    CHECK(near(a, ae, 0));
    CHECK(near(b, be, 0));
    // A result over an argument.
    auto f = function<cpu>([](vector<half> v, vector<half> w) { return cast<half>(sum(v) + w); });
    array<half, 1> v{1, 2, 3};
    f.call_into(v, v, v);
    CHECK(near(v, array<half, 1>{7, 8, 9}, 0));
    const array<half, 1> nothing;
    CHECK(f(nothing, nothing).size() == 0);
}

TEST_CASE("a loop over half moves two bytes an element, and explanations say half") {
    auto f = function<cpu>([](vector<half, 1000> x, matrix<half, 1000, 30> y) { return outputs(cast<half>(x * 2), dot(transpose(y), x)); });
    const auto facts = detail::view_of(f.program(), f.plan());
    std::int64_t read = 0, written = 0;
    for (int i = 0; i < facts.step_count; ++i) {
        if (facts.steps[i].what == detail::step_kind::product) continue;
        const auto cost = detail::cost_of(facts, i, nullptr);
        written += cost.written;
        read += cost.bytes - cost.written;
    }
    // On this device both arguments are turned into float for the product.
    CHECK(read == 2 * (1000 + 1000 * 30));
    CHECK(written == 2 * 1000 + 4 * (1000 + 1000 * 30));
    const auto text = explain(f);
    CHECK(text.find("arg1   half [1000]") != text.npos);
    CHECK(text.find("output 1 = half(2 * arg1)") != text.npos);
    CHECK(text.find("half [1000, 30]") != text.npos);
}

TEST_CASE("casts go through float, and a rounded number stays rounded where it is used") {
    auto f = function<cpu>([](vector<double> x, vector<std::int64_t> i, vector<float> y) {
        auto rounded = cast<half>(y);
        return outputs(cast<half>(x), cast<bfloat16>(i), rounded + 1, cast<half>(0.1 + 0 * y), cast<float>(cast<half>(rounded)));
    });
    const array<double, 1> x{0.1, 1e30, -2.5};
    const array<std::int64_t, 1> i{257, -3, 0};
    const array<float, 1> y{0.1f, 4097, -1e-9f};
    const auto [h, b, r, literal, same] = f(x, i, y);
    for (int k = 0; k < 3; ++k) {
        CHECK(h(k).bits == half(x(k)).bits);
        CHECK(b(k).bits == bfloat16(i(k)).bits);
        CHECK(r(k) == static_cast<float>(half(y(k))) + 1);
        CHECK(literal(k).bits == half(0.1).bits);
        CHECK(same(k) == static_cast<float>(half(y(k))));
    }
    CHECK(std::isinf(static_cast<float>(h(1))));
}
