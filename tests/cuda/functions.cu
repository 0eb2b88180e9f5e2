// SPDX-License-Identifier: MIT
// Functions on a GPU: element types, layouts, reductions, products, residency, errors.
#include "device/factors.hpp"

using namespace test;

namespace {

template <class F, class G, class... A> void compare(F& on_gpu, G& expected, const A&... arguments) {
    check_close(on_gpu(arguments...), expected(arguments...));
}

}  // namespace

TEST_CASE("elementwise of five element types; broadcasting; arguments from the host") {
    const auto make = [](auto device) {
        return function<decltype(device)>([](matrix<float> x, vector<float> row, matrix<double> d, matrix<int> i, matrix<std::int64_t> l, matrix<bool> b) {
            auto y = where(b, tanh(x) * row, cast<float>(d) - cast<float>(i));
            return outputs(y, exp(d) + cast<double>(l), i * 3 - cast<int>(l), l + 1, !b || (x > 0));
        });
    };
    auto on_gpu = make(cuda{});
    auto expected = make(reference{});
    for (const auto& size : {std::pair<int, int>{0, 4}, {1, 1}, {3, 5}, {31, 33}, {64, 128}, {129, 1025}}) {
        CAPTURE(size.first);
        const int n = size.first, m = size.second;
        const auto x = random_array<float, 2>(1, n, m);
        const auto row = random_array<float, 1>(2, m);
        const auto d = random_array<double, 2>(3, n, m);
        const auto i = random_array<int, 2>(4, n, m);
        const auto l = random_array<std::int64_t, 2>(5, n, m);
        const auto b = random_array<bool, 2>(6, n, m);
        const auto [e1, e2, e3, e4, e5] = expected(x, row, d, i, l, b);
        const auto [r1, r2, r3, r4, r5] = on_gpu(x.to<cuda>(), row.to<cuda>(), d.to<cuda>(), i.to<cuda>(), l.to<cuda>(), b.to<cuda>());
        check_close(r1, e1);
        check_close(r2, e2, 1e-12);
        check_close(r3, e3);
        check_close(r4, e4);
        check_close(r5, e5);
        const auto [h1, h2, h3, h4, h5] = on_gpu(x, row, d, i, l, b);
        check_close(h1, e1);
        check_close(h5, e5);
    }
}

TEST_CASE("reductions and rows at the borders of warps and blocks") {
    const auto make = [](auto device) {
        return function<decltype(device)>([](matrix<float> x) { return outputs(sum(x), sum<0>(x), max<1>(x), softmax<1>(x), softmax<0>(x), mean(x)); });
    };
    auto on_gpu = make(cuda{});
    auto expected = make(reference{});
    for (const auto& size : {std::pair<int, int>{1, 1}, {1, 31}, {32, 1}, {33, 32}, {127, 129}, {255, 3}, {2, 1023}, {1025, 1025}, {1, 300'000}, {300'000, 1}, {4, 70'001}}) {
        CAPTURE(size.first);
        const auto x = random_array<float, 2>(1, size.first, size.second);
        const auto [e1, e2, e3, e4, e5, e6] = expected(x);
        const auto [r1, r2, r3, r4, r5, r6] = on_gpu(x);
        check_close(r1, e1, 1e-4);
        check_close(r2, e2, 1e-4);
        check_close(r3, e3);
        check_close(r4, e4);
        check_close(r5, e5);
        check_close(r6, e6, 1e-4);
    }
}

TEST_CASE("factors that are 0 at the call keep what is no number") { check_zero_factors<cuda>(); }

TEST_CASE("products: layouts, transposes, factors, no columns, integers") {
    const auto make = [](auto device) {
        return function<decltype(device)>([](matrix<double> a, matrix<double> b, vector<double> v, scalar<double> s, matrix<double> c) {
            return outputs(dot(a, b), s * dot(transpose(b), transpose(a)), dot(a, v) * 2, dot(v, b), 0.5 * dot(a, b) + s * c);
        });
    };
    auto on_gpu = make(cuda{});
    auto expected = make(reference{});
    for (const auto& size : {std::array<int, 3>{1, 1, 1}, {3, 4, 5}, {64, 32, 129}, {5, 0, 3}, {0, 4, 3}}) {
        CAPTURE(size[0]);
        const int m = size[0], k = size[1], n = size[2];
        const auto a = random_array<double, 2>(1, m, k), b = random_array<double, 2>(2, k, n), c = random_array<double, 2>(4, m, n);
        const auto v = random_array<double, 1>(3, k);
        const auto [e1, e2, e3, e4, e5] = expected(a, b, v, 1.5, c);
        const auto [r1, r2, r3, r4, r5] = on_gpu(a, b, v, 1.5, c);
        check_close(r1, e1);
        check_close(r2, e2);
        check_close(r3, e3);
        check_close(r4, e4);
        check_close(r5, e5);
    }
    auto integers = function<cuda>([](matrix<int> a, matrix<int> b) { return dot(a, b); });
    auto integers_expected = function<reference>([](matrix<int> a, matrix<int> b) { return dot(a, b); });
    compare(integers, integers_expected, random_array<int, 2>(1, 17, 33), random_array<int, 2>(2, 33, 5));
}

TEST_CASE("what lies on the device stays there, and a steady state takes no memory") {
    auto f = function<cuda>([](vector<float> x, scalar<float> s) { return x * s + 1; });
    const auto x = random_array<float, 1>(1, 100'000);
    const auto gx = x.to<cuda>();
    array<float, 1, cuda> y(x.extents());
    f.call_into(y, gx, 2.0f);
    const auto before = cuda::transfers();
    const auto held = cuda::bytes_held();
    for (int i = 0; i < 5; ++i) f.call_into(y, gx, 2.0f);
    const auto after = cuda::transfers();
    CHECK(after.to_host == before.to_host);
    CHECK(after.to_device == before.to_device + 5);  // the number
    CHECK(after.to_device_bytes == before.to_device_bytes + 5 * 4);
    CHECK(cuda::bytes_held() == held);
    array<float, 1> expected(x.extents());
    for (std::int64_t i = 0; i < x.size(); ++i) expected(i) = x(i) * 2 + 1;
    check_close(y, expected);
    // Copies of arrays are of the device too.
    auto copy = y;
    copy = gx;
    check_close(copy, x);
    copy.fill(3);
    CHECK(copy.to<cpu>()(99'999) == 3);
}

TEST_CASE("more than 2^31 elements") {
    std::size_t available = 0, total = 0;
    (void)cudaMemGetInfo(&available, &total);
    const std::int64_t n = (std::int64_t{1} << 31) + 12'345;
    if (available < 6 * static_cast<std::size_t>(n)) {
        MESSAGE("not enough memory on this GPU for more than 2^31 elements: not tested");
        return;
    }
    auto f = function<cuda>([](vector<bool> x) { return !x; });
    array<bool, 1, cuda> x(n), y(n);
    f.call_into(y, x);
    // Every element of y is true: so says a sum, over more than 2^31 of them.
    auto count = function<cuda>([](vector<bool> b) { return sum(cast<std::int64_t>(b)); });
    CHECK(static_cast<std::int64_t>(count(y)) == n);
}

TEST_CASE("labels on the GPU are checked there, and the host hears of it when it waits") {
    auto loss = function<cuda>("loss", [](matrix<float> logits, vector<int> label) { return cross_entropy(logits, label); });
    const int n = 1000;
    const auto logits = random_array<float, 2>(1, n, 10).to<cuda>();
    array<int, 1> label(n);
    for (int i = 0; i < n; ++i) label(i) = i % 10;
    const auto right = label.to<cuda>();
    label(777) = 10;
    const auto wrong = label.to<cuda>();
    array<float, 1, cuda> value(n);
    // The third call replays a graph.
    for (int call = 0; call < 4; ++call) {
        CAPTURE(call);
        CHECK_NOTHROW(loss.call_into(value, logits, wrong));
        if (call % 2 == 0) CHECK_THROWS_WITH_AS((void)(value.to<cpu>()), doctest::Contains("argument 2 holds the label 10, but there are 10 classes: 0 to 9"), value_error);
        else CHECK_THROWS_AS(cuda::synchronize(), value_error);
        CHECK_NOTHROW(cuda::synchronize());
        CHECK_NOTHROW(loss.call_into(value, logits, right));
        CHECK_NOTHROW((void)(value.to<cpu>()));
    }
}

TEST_CASE("errors") {
    CHECK_THROWS_AS(cuda::scoped_device on(1000), device_error);
    // More than any GPU has.
    using too_much = array<float, 1, cuda>;
    CHECK_THROWS_AS(too_much(std::int64_t{1} << 44), device_error);
    // It goes on afterwards.
    const array<float, 1, cuda> fine(10);
    CHECK(fine.to<cpu>()(9) == 0);
}
