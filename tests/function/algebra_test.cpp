// SPDX-License-Identifier: MIT
// The algebra of a function, from the arguments to the results: special numbers, integers, products of matrices, and the
// choice of `algebra::free`.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include <croton/croton.hpp>

using namespace croton;

namespace {

constexpr float inf = std::numeric_limits<float>::infinity(), nan_ = std::numeric_limits<float>::quiet_NaN();

template <class A> void same(const char* what, const A& got, const A& want) {
    REQUIRE(got.extents() == want.extents());
    auto w = want.begin();
    for (const auto x : got) {
        const auto y = *w++;
        if constexpr (std::is_floating_point_v<std::remove_cvref_t<decltype(x)>>)
            CHECK_MESSAGE(((std::isnan(x) && std::isnan(y)) || x == y || std::fabs(x - y) <= 1e-6f * std::fabs(y)), what << ": " << x << " is not " << y);
        else
            CHECK_MESSAGE(x == y, what << ": " << x << " is not " << y);
    }
}

using V = vector<float, dim("n")>;

constexpr auto written = [](V x, V y) {
    auto t = x + y, c = 4097 * x;
    return std::tuple(x / y / y, (t - x) - y, (x * y) / y, c - (c - x), x * 1e30 * 1e30, x * 1e-30 * 1e-30, sqrt(x) * sqrt(x), x + 0 * sum(y),
                      (x + 12582912.f) - 12582912.f, sigmoid(log(x / (1 - x))), sum(x * y), cast<float>(x - x == 0));
};

}  // namespace

TEST_CASE("the CPU computes what was written") {
    auto fast = function<cpu>(written);
    auto plain = function<reference>(written);
    const array<float, 1> x{0, 1e-30f, 1.5f, 2.6f, -4, inf, nan_, 1e8f, 3e38f, 1.2345678f}, y{1e-30f, 1e-30f, 1e20f, 0, 1, -inf, 2, 1e-8f, -3e38f, 0.5f};
    const auto got = fast(x, y), want = plain(x, y);
    [&]<std::size_t... I>(std::index_sequence<I...>) {
        (same(("output " + std::to_string(I)).c_str(), std::get<I>(got), std::get<I>(want)), ...);
    }(std::make_index_sequence<std::tuple_size_v<decltype(fast(x, y))>>());
    CHECK(std::get<3>(got)(9) == 1.234375f);  // the upper half of the digits
    CHECK(std::get<8>(got)(3) == 3);          // rounded
    CHECK(std::get<1>(got)(7) == -1e-8f);     // what the sum lost
}

TEST_CASE("integers are exact") {
    auto f = function<cpu>([](vector<std::int64_t> x) { return std::tuple((x + 9007199254740992) + 1, x * 9007199254740992 + x, cast<std::int64_t>(cast<double>(x + 9007199254740993))); });
    const auto [a, b, c] = f(array<std::int64_t, 1>{0, 1, -1});
    same("sum", a, array<std::int64_t, 1>{9007199254740993, 9007199254740994, 9007199254740992});
    same("product", b, array<std::int64_t, 1>{0, 9007199254740993, -9007199254740993});
    same("through double", c, array<std::int64_t, 1>{9007199254740992, 9007199254740994, 9007199254740992});
}

TEST_CASE("a NaN passes through a product of matrices that is multiplied by 0") {
    auto literal = function<cpu>([](shared<vector<float>> w, matrix<float> x, vector<float> e) { return updates(w -= dot(transpose(x), e) * 0); });
    array<float, 1> w{1, 2};
    literal(w, array<float, 2>{{nan_, 1}, {2, 3}}, array<float, 1>{1, 1});
    CHECK(std::isnan(w(0)));
    CHECK(w(1) == 2);

    // Factors that are 0 at the call: a product of 2 x 2 and one that BLAS computes.
    auto factors = function<cpu>([](matrix<float> a, matrix<float> b, matrix<float> c, scalar<float> s, scalar<float> t) { return s * dot(a, b) + t * c; });
    for (const std::int64_t n : {2, 70}) {
        array<float, 2> a(n, n), b(n, n), c(n, n);
        a.fill(1);
        b.fill(1);
        c.fill(1);
        const auto number = [&](const array<float, 2>& r, float value) {
            for (const float v : r) CHECK(v == value);
        };
        number(factors(a, b, c, 0.f, 2.f), 2);
        number(factors(a, b, c, 2.f, 0.f), static_cast<float>(2 * n));
        c(0, 1) = nan_;
        const auto kept = factors(a, b, c, 1.f, 0.f);
        CHECK(std::isnan(kept(0, 1)));
        CHECK(kept(1, 0) == static_cast<float>(n));
        c(0, 1) = 1;
        a(1, 0) = inf;
        const auto lost = factors(a, b, c, 0.f, 1.f);
        CHECK(std::isnan(lost(1, 1)));
        CHECK(lost(0, 1) == 1);
        a(1, 0) = 3e38f;
        a(1, 1) = 3e38f;
        CHECK(std::isnan(factors(a, b, c, 0.f, 1.f)(1, 0)));  // 0 times a sum that overflows
    }
}

TEST_CASE("algebra::free computes as with real numbers") {
    constexpr auto f = [](V x, V y) { return std::tuple((x + y) - y, x * 0 + y, sqrt(x) * sqrt(x)); };
    auto free_one = function<cpu>("free", f, algebra::free);
    CHECK(free_one.name() == "free");
    const array<float, 1> x{1e-30f, 2, nan_}, y{1, 1e30f, 3};
    const auto [a, b, c] = free_one(x, y);
    same("a", a, x);
    same("b", b, y);
    same("c", c, x);
    const auto kept = function<cpu>(f)(x, y);
    CHECK(std::get<0>(kept)(0) == 0);
    CHECK(std::isnan(std::get<1>(kept)(2)));
    auto unnamed = function<cpu>(f, algebra::free);
    same("unnamed", std::get<0>(unnamed(x, y)), x);
}
