// SPDX-License-Identifier: MIT
// Products whose loops run on each block of the result: which they are, and their numbers beside those of one step after the other.
#include <croton/croton.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>

#include "message_of.hpp"

using namespace croton;

namespace {

/// The end of the first product of a function.
template <class F> detail::product_end end_of(const F& f) {
    const detail::plan_view p = detail::view_of(f.program(), f.plan());
    for (int i = 0; i < p.step_count; ++i)
        if (p.steps[i].what == detail::step_kind::product) return detail::end_of_product(p, i);
    return {};
}

template <class T> array<T, 2> drawn(std::int64_t rows, std::int64_t columns, unsigned seed) {
    array<T, 2> a(rows, columns);
    random::uniform(a, seed, T(-1), T(1));
    return a;
}

template <class T> bool near(const array<T, 2>& a, const array<double, 2>& b) {
    if (a.extents() != b.extents()) return false;
    const double tolerance = sizeof(T) == 4 ? 2e-4 : 1e-12;
    for (std::int64_t i = 0; i < a.size(); ++i)
        if (!(std::abs(static_cast<double>(a.data()[i]) - b.data()[i]) <= tolerance * (1 + std::abs(b.data()[i])))) return false;
    return true;
}

template <class T> array<double, 2> wide(const array<T, 2>& a) {
    array<double, 2> out(a.extent(0), a.extent(1));
    for (std::int64_t i = 0; i < a.size(); ++i) out.data()[i] = static_cast<double>(a.data()[i]);
    return out;
}

// From a few rows to some that need several blocks along every axis; all of them are large enough not to stay in the cache.
constexpr int shapes[][3] = {{700, 20, 400}, {301, 33, 1001}, {5003, 3, 61}, {9001, 5, 33}, {129, 256, 2100}, {541, 250, 757}, {701, 200, 383}};

/// Runs a function of three matrices, `[m,k]`, `[k,n]` and `[m,n]`, with its numbers in `T` beside those of the plain loops in double.
template <class T, class F, class Wide> void compare(const F& f, const Wide& plain) {
    for (const auto& s : shapes) {
        CAPTURE(s[0]);
        CAPTURE(s[2]);
        const auto a = drawn<T>(s[0], s[1], 1), b = drawn<T>(s[1], s[2], 2), c = drawn<T>(s[0], s[2], 3);
        set_threads(1);
        const array<T, 2> y = f(a, b, c);
        CHECK(near(y, plain(wide(a), wide(b), wide(c))));
        for (const int count : {2, 3}) {
            const auto scope = threads(count);
            CHECK(near(array<T, 2>(f(a, b, c)), wide(y)));
        }
    }
    set_threads(0);
}

template <class T> constexpr auto shifted = [](matrix<T> a, matrix<T> b, matrix<T> c) { return tanh(dot(a, b) + T(0.5) * c) * c; };
template <class T> constexpr auto rows_and_columns = [](matrix<T> a, matrix<T> b, matrix<T> c) { return relu(dot(a, b) * newaxis<1>(sum<1>(c)) + sum<0>(b)); };
template <class T> constexpr auto added = [](matrix<T> a, matrix<T> b, matrix<T> c) { return exp(T(-0.5) * dot(a, b) + T(2) * c); };
template <class T> constexpr auto of_rows = [](matrix<T> a, matrix<T> b, matrix<T> c) { return softmax(dot(a, b)) + c; };

/// Throws where it is told to, in the middle of a loop.
struct refusing {
    static constexpr std::string_view name = "refusing";
    static inline bool refuses = false;
    static double value(double x) {
        if (refuses) throw std::runtime_error("refused");
        return x + 1;
    }
};

/// What a guard says of a call.
template <class F> std::string guarded(const F& call) {
    const nan_guard guard;
    return test::message_of<nan_error>(call);
}

}  // namespace

TEST_CASE("which loops are the end of a product") {
    const auto relu_of = function<cpu>([](matrix<float> x, matrix<float> w, vector<float> b) { return relu(dot(x, w) + b); });
    const detail::product_end end = end_of(relu_of);
    CHECK(end.loop == 1);
    CHECK(end.by_columns);
    const detail::product_end rows = end_of(function<cpu>([](matrix<float> x, matrix<float> w) { return softmax(dot(x, w)); }));
    CHECK(rows.loop == 1);
    CHECK_FALSE(rows.by_columns);
    // Sums over the rows, and what needs all of them.
    CHECK(end_of(function<cpu>([](matrix<float> x, matrix<float> w) { return sum<0>(exp(dot(x, w))); })).loop < 0);
    CHECK(end_of(function<cpu>([](matrix<float> x, matrix<float> w) { return sum(exp(dot(x, w))); })).loop < 0);
    // Elements in another's place.
    CHECK(end_of(function<cpu>([](matrix<float, dim("n"), dim("n")> x, matrix<float, dim("n"), dim("n")> w) {
              auto y = dot(x, w);
              return y + transpose(y);
          })).loop < 0);
    CHECK(end_of(function<cpu>([](matrix<float> x, matrix<float> w, vector<int> i) { return exp(take<0>(dot(x, w), i)); })).loop < 0);
    // What the product still reads.
    CHECK(end_of(function<cpu>([](matrix<float, dim("n"), dim("n")> x, shared<matrix<float, dim("n"), dim("n")>> w) {
              return outputs(sum(x)).updates(w *= exp(dot(x, w)));
          })).loop < 0);
    CHECK(end_of(function<cpu>([](matrix<int> x, matrix<int> w) { return abs(dot(x, w)); })).loop < 0);
    CHECK(end_of(function<reference>([](matrix<float> x, matrix<float> w) { return exp(dot(x, w)); })).loop <= 1);
}

TEST_CASE("which loops are the end of a product that is repeated") {
    const auto layers = end_of(function<cpu>([](tensor<float, dim("n"), dim("t"), dim("k")> x, matrix<float, dim("k"), dim("m")> w, vector<float, dim("m")> b) { return relu(matmul(x, w) + b); }));
    CHECK(layers.loop == 1);
    CHECK(layers.batch == 1);
    CHECK(layers.along[0] == 0);
    CHECK(layers.rows == 1);
    CHECK(layers.columns == 2);
    CHECK(layers.by_columns);
    CHECK(layers.place >= 0);
    CHECK_FALSE(layers.turned);
    // Another second factor for each matrix, and a sum over all of them.
    CHECK(end_of(function<cpu>([](tensor<float, dim("n"), dim("t"), dim("k")> x, tensor<float, dim("n"), dim("k"), dim("m")> w) { return relu(matmul(x, w)); })).loop < 0);
    CHECK(end_of(function<cpu>([](tensor<float, dim("n"), dim("t"), dim("k")> x, matrix<float, dim("k"), dim("m")> w) { return sum<0>(exp(matmul(x, w))); })).loop < 0);
}

TEST_CASE("the rows of all matrices of a product are blocks of its matrices") {
    detail::product_end end;
    end.batch = 2;
    end.along[0] = 0;
    end.along[1] = 1;
    end.rows = 2;
    const std::int64_t extents[max_rank] = {3, 4, 5, 7};
    for (std::int64_t from = 0; from < 60; ++from)
        for (std::int64_t rows = 0; from + rows <= 60; ++rows) {
            std::int64_t next = from;
            bool in_order = true;
            detail::each_block(end, extents, from, rows, [&](const detail::rows_of_batch& b) {
                in_order = in_order && (b.matrix[0] * 4 + b.matrix[1]) * 5 + b.from == next && b.from + b.rows <= 5 && b.matrix[1] + b.matrices <= 4 && (b.matrices == 1 || b.rows == 5);
                next += b.rows * b.matrices;
            });
            REQUIRE(in_order);
            REQUIRE(next == from + rows);
        }
}

TEST_CASE_TEMPLATE("one layer for the matrices of a batch", T, float, double) {
    // What is added to each matrix is the same for all; rows that are normalised need all columns.
    constexpr auto elementwise_work = []<class U>(U) {
        return [](tensor<U, dim("n"), dim("t"), dim("k")> x, matrix<U, dim("k"), dim("m")> w, matrix<U, dim("t"), dim("m")> b) { return tanh(matmul(x, w) + b) * b; };
    };
    constexpr auto whole_rows = []<class U>(U) {
        return [](tensor<U, dim("n"), dim("t"), dim("k")> x, matrix<U, dim("k"), dim("m")> w, matrix<U, dim("t"), dim("m")> b) { return softmax<-1>(matmul(x, w) + b); };
    };
    const auto check = [](const auto& f, const auto& plain) {
        for (const auto& s : {std::array{16, 64, 64, 512}, std::array{7, 150, 40, 300}, std::array{900, 3, 50, 130}, std::array{1100, 1, 33, 257}, std::array{1, 1030, 40, 300}}) {
            CAPTURE(s[0]);
            array<T, 3> x(s[0], s[1], s[2]);
            random::uniform(x, 1, T(-1), T(1));
            const auto w = drawn<T>(s[2], s[3], 2), b = drawn<T>(s[1], s[3], 3);
            array<double, 3> x_wide(s[0], s[1], s[2]);
            for (std::int64_t i = 0; i < x.size(); ++i) x_wide.data()[i] = static_cast<double>(x.data()[i]);
            const array<double, 3> wanted = plain(x_wide, wide(w), wide(b));
            for (const int count : {1, 2}) {
                const auto scope = threads(count);
                const array<T, 3> y = f(x, w, b);
                double most = 0;
                for (std::int64_t i = 0; i < y.size(); ++i) most = std::max(most, std::abs(static_cast<double>(y.data()[i]) - wanted.data()[i]));
                CHECK(most <= (sizeof(T) == 4 ? 1e-4 : 1e-12));
            }
        }
    };
    check(function<cpu>(elementwise_work(T())), function<reference>(elementwise_work(double())));
    check(function<cpu>(whole_rows(T())), function<reference>(whole_rows(double())));
}

TEST_CASE_TEMPLATE("elementwise work, addends, rows and columns on each block", T, float, double) {
    compare<T>(function<cpu>(shifted<T>), function<reference>(shifted<double>));
    compare<T>(function<cpu>(rows_and_columns<T>), function<reference>(rows_and_columns<double>));
    compare<T>(function<cpu>(added<T>), function<reference>(added<double>));
}

TEST_CASE_TEMPLATE("whole rows, also of more columns than a block", T, float, double) { compare<T>(function<cpu>(of_rows<T>), function<reference>(of_rows<double>)); }

TEST_CASE("a gradient that only its update reads") {
    constexpr auto momentum_step = [](matrix<float> x, matrix<float> y, shared<matrix<float>> w, shared<matrix<float>> v) {
        auto g = dot(transpose(x), y);
        return outputs(sum(x)).updates(update(v, 0.9 * v + g * abs(g)), w -= 0.1 * (0.9 * v + g * abs(g)));
    };
    const auto fast = function<cpu>(momentum_step);
    const auto plain = function<reference>(momentum_step);
    for (const auto& s : shapes) {
        const auto x = drawn<float>(s[1], s[0], 1), y = drawn<float>(s[1], s[2], 2);
        auto w = drawn<float>(s[0], s[2], 3), v = drawn<float>(s[0], s[2], 4), of_plain = w, v_of_plain = v;
        for (int i = 0; i < 3; ++i) {
            fast(x, y, w, v);
            plain(x, y, of_plain, v_of_plain);
        }
        CHECK(near(w, wide(of_plain)));
        CHECK(near(v, wide(v_of_plain)));
    }
}

TEST_CASE("a profile says what the product and the loop took") {
    const auto f = function<cpu>("ended", [](matrix<float> a, matrix<float> b, matrix<float> c) { return exp(dot(a, b) - c); });
    const auto a = drawn<float>(1000, 16, 1), b = drawn<float>(16, 1000, 2), c = drawn<float>(1000, 1000, 3);
    profile scope{"ended"};
    for (int i = 0; i < 3; ++i) (void)f(a, b, c);
    const function_profile p = scope.functions().at(0);
    REQUIRE(p.steps.size() == 2);
    for (const auto& s : p.steps) {
        CHECK(s.calls == 3);
        CHECK(s.time > 0);
    }
    CHECK(p.steps[0].time + p.steps[1].time <= p.time);
}

TEST_CASE("results that lie where the loop reads an argument, and in a part of another array") {
    const auto f = function<cpu>(shifted<float>);
    const auto a = drawn<float>(400, 20, 1), b = drawn<float>(20, 300, 2), c = drawn<float>(400, 300, 3);
    const array<double, 2> wanted = function<reference>(shifted<double>)(wide(a), wide(b), wide(c));
    array<float, 2> y(400, 300);
    for (int i = 0; i < 2; ++i) {
        f.call_into(std::tie(y), a, b, c);
        CHECK(near(y, wanted));
        auto in_place = c;
        f.call_into(std::tie(in_place), a, b, in_place);
        CHECK(near(in_place, wanted));
        array<float, 2> around(402, 340);
        auto part = around(slice(1, 401), slice(20, 320));
        f.call_into(std::tie(part), a, b, c);
        CHECK(near(array<float, 2>(part), wanted));
        CHECK(around(0, 30) == 0);
        CHECK(around(1, 19) == 0);
        CHECK(around(400, 320) == 0);
        around(slice(1, 401), slice(20, 320)) = 0;
        CHECK(sum(around) == 0);
    }
}

TEST_CASE("a guard finds each step's results before the next one runs") {
    const auto scope = threads(1);
    const auto a = drawn<float>(1000, 20, 1), b = drawn<float>(20, 300, 2);
    const auto f = function<cpu>("f", [](matrix<float> x, matrix<float> w) { return log(dot(x, w)); });
    (void)f(a, b);
    const std::string of_loop = guarded([&] { (void)f(a, b); });
    CHECK(of_loop.find("step 2 of 2, output 1 = log(t1): output 1 holds NaN") != std::string::npos);
    CHECK(of_loop.find("it read t1 from -") != std::string::npos);
    CHECK(of_loop.find("which holds") == std::string::npos);

    auto endless = a;
    endless(3, 4) = -HUGE_VALF;
    auto ones = b;
    ones(slice(0, 20), slice(0, 300)) = 1;
    // What the loop would hide.
    const auto hides = function<cpu>("hides", [](matrix<float> x, matrix<float> w) { return relu(dot(x, w)); });
    CHECK(guarded([&] { (void)hides(endless, ones); }).find("step 1 of 2, t1 = arg1 arg2: t1 holds -inf at [3, 0]") != std::string::npos);
    // What the loop would update.
    const auto step = function<cpu>("step", [](matrix<float> x, matrix<float> y, shared<matrix<float>> w) { return outputs(sum(y)).updates(w -= 0.1f * abs(dot(x, y))); });
    auto w = drawn<float>(1000, 300, 3);
    const auto before = wide(w);
    CHECK_FALSE(guarded([&] { step(endless, ones, w); }).empty());
    CHECK(near(w, before));
}

TEST_CASE("an exception out of the loop behind a product leaves nothing of it behind") {
    const auto scope = threads(1);
    const auto f = function<cpu>([](matrix<double> x, matrix<double> v, matrix<double> w) { return elementwise<refusing>(dot(dot(x, v), w)); });
    const auto x = drawn<double>(700, 30, 1), v = drawn<double>(30, 20, 2), w = drawn<double>(20, 300, 3);
    const array<double, 2> y = f(x, v, w);
    refusing::refuses = true;
    CHECK_THROWS_AS((void)f(x, v, w), std::runtime_error);
    refusing::refuses = false;
    CHECK(near(f(x, v, w), y));
}
