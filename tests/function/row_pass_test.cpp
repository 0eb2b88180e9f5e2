// SPDX-License-Identifier: MIT
// Two products with one large matrix and what joins them in one pass over its rows: the numbers of steps that run one after the other, and which may not.
#include <croton/croton.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <tuple>

using namespace croton;

namespace {

template <class F> detail::one_pass pass_of(const F& f) { return detail::find_one_pass(detail::view_of(f.program(), f.plan())); }

template <class T, int R> bool near(const array<T, R>& a, const array<T, R>& b, double tolerance) {
    if (a.extents() != b.extents()) return false;
    for (std::int64_t i = 0; i < a.size(); ++i)
        if (!(std::abs(static_cast<double>(a.data()[i]) - static_cast<double>(b.data()[i])) <= tolerance * (1 + std::abs(static_cast<double>(b.data()[i]))))) return false;
    return true;
}

template <class T> array<T, 2> drawn(std::int64_t rows, std::int64_t columns, unsigned seed) {
    array<T, 2> a(rows, columns);
    random::uniform(a, seed);
    return a;
}

template <class T> constexpr auto logistic = [](matrix<T, dim("sample"), dim("feature")> x, vector<T, dim("sample")> y, shared<vector<T, dim("feature")>> w, shared<scalar<T>> b) {
    auto p = sigmoid(dot(x, w) + b);
    auto xent = -y * log(p) - (1 - y) * log(1 - p);
    auto [gw, gb] = grad(mean(xent) + T(0.01) * sum(sqr(w)), w, b);
    return outputs(p > T(0.5), xent).updates(w -= T(0.1) * gw, b -= T(0.1) * gb);
};

// Sums over the rows of the matrix itself, which are as many as it has columns, and a sum that nothing but later steps read.
constexpr auto sums = [](matrix<float> x, vector<float> v, vector<float> y) {
    auto r = tanh(dot(x, v)) - y;
    auto weighted = sum<0>(x * newaxis<1>(r));
    return outputs(dot(transpose(x), r * r), weighted, sum(r), r / sum(r));
};

}  // namespace

TEST_CASE("which steps are one pass") {
    const auto f = function<cpu>(logistic<float>);
    const detail::one_pass pass = pass_of(f);
    REQUIRE(pass.count == 3);
    CHECK(pass.step[0] == 0);
    CHECK(pass.step[1] == 1);
    CHECK(pass.last() == 3);
    CHECK(pass.waits(2));
    CHECK(explain(f).find("steps 1, 2 and 4 in one pass over arg1, a block of its rows at a time, where it has 100 kB or more\n") != std::string::npos);
    CHECK(explain(function<reference>(logistic<float>)).find("in one pass") == std::string::npos);

    // What the second product multiplies needs all rows first.
    CHECK(pass_of(function<cpu>([](matrix<float> x, vector<float> v) {
              auto r = dot(x, v);
              return dot(transpose(x), r - mean(r));
          })).count == 0);
    CHECK(pass_of(function<cpu>([](matrix<float> x, vector<float> v) { return dot(transpose(x), softmax(dot(x, v))); })).count == 0);
    CHECK(pass_of(function<cpu>([](matrix<float> x, vector<float> v) { return dot(transpose(x), cumsum<0>(dot(x, v))); })).count == 0);
    // Another matrix, or the same product twice.
    CHECK(pass_of(function<cpu>([](matrix<float> x, matrix<float> z, vector<float> v) { return dot(transpose(z), exp(dot(x, v))); })).count == 0);
    CHECK(pass_of(function<cpu>([](matrix<float> x, vector<float> v) { return dot(x, exp(dot(x, v))); })).count == 0);
    // Integers have no fast product.
    CHECK(pass_of(function<cpu>([](matrix<int> x, vector<int> v) { return dot(transpose(x), dot(x, v) + 1); })).count == 0);
}

TEST_CASE_TEMPLATE("the numbers of a step of logistic regression", T, float, double) {
    const auto fast = function<cpu>(logistic<T>);
    const auto plain = function<reference>(logistic<T>);
    const double tolerance = sizeof(T) == 4 ? 2e-5 : 1e-13;
    // Less than a block behind the last whole one, one row, none, and matrices that are too small.
    const int shapes[][2] = {{2001, 784}, {1601, 785}, {300001, 5}, {100, 12000}, {60, 50000}, {1, 1200000}, {0, 784}, {30, 7}, {67, 1500}, {43, 600}, {3000, 65}};
    for (const auto& shape : shapes) {
        const int rows = shape[0], columns = shape[1];
        CAPTURE(rows);
        const auto x = drawn<T>(rows, columns, 1);
        array<T, 1> y(rows), w(columns), other(columns);
        for (int i = 0; i < rows; ++i) y(i) = static_cast<T>(i % 3 == 0);
        random::uniform(w, 5, T(-0.1), T(0.1));
        other = w;
        array<T, 0> b, c;
        const auto got = fast(x, y, w, b), wanted = plain(x, y, other, c);
        CHECK(near(std::get<1>(got), std::get<1>(wanted), tolerance));
        if (rows == 0) continue;
        CHECK(near(w, other, tolerance));
        CHECK(near(b, c, tolerance));
    }
}

TEST_CASE_TEMPLATE("few rows at a time: products that are added to, results of others, what more than a pass reads", T, float, double) {
    const double tolerance = sizeof(T) == 4 ? 1e-4 : 1e-12;
    const std::int64_t rows = 331, columns = 203;
    const array<T, 2> wide = drawn<T>(2 * rows, columns + 7, 3);
    array<T, 1> v(columns), y(2 * rows);
    random::uniform(v, 6, T(-0.1), T(0.1));
    random::uniform(y, 7);
    const auto x = wide(slice(0, 2 * rows, 2), slice(3, columns + 3));
    const auto check = [&](const auto& f, const auto& b) {
        const auto fast = function<cpu>(f);
        const detail::plan_view plan = detail::view_of(fast.program(), fast.plan());
        const detail::one_pass pass = detail::find_one_pass(plan);
        CHECK(pass.count >= 2);
        CHECK(detail::is_of_lines(plan, pass));
        const auto got = fast(x, v, b), wanted = function<reference>(f)(x, v, b);
        CHECK(near(std::get<0>(got), std::get<0>(wanted), tolerance));
        CHECK(near(std::get<1>(got), std::get<1>(wanted), tolerance));
        // What does not lie side by side is no pass here, and a BLAS may round on threads as it likes.
        if (b.stride(0) != 1) return;
        const auto scope = threads(3);
        CHECK(near(std::get<0>(fast(x, v, b)), std::get<0>(got), 0));
    };
    const auto least_squares = [](matrix<T> m, vector<T> p, vector<T> b) {
        auto r = dot(m, p) - T(2) * b;
        return outputs(dot(transpose(m), r), sum(r * r));
    };
    const auto also_out = [](matrix<T> m, vector<T> p, vector<T> b) {
        auto z = dot(m, p);
        return outputs(dot(transpose(m), exp(z) * b), z);
    };
    const auto read_later = [](matrix<T> m, vector<T> p, vector<T> b) {
        auto r = tanh(dot(m, p)) - b;
        return outputs(dot(transpose(m), r), sort(r));
    };
    const auto several = [](matrix<T> m, vector<T> p, vector<T> b) {
        auto r = tanh(dot(m, p)) - b;
        return outputs(dot(transpose(m), r), sum(r) * sum(abs(r)));
    };
    for (const std::int64_t step : {1, 2}) {
        const auto b = y(slice(0, rows * step, step));
        check(least_squares, b);
        check(also_out, b);
        check(read_later, b);
        check(several, b);
    }
    // Results that do not lie side by side.
    const auto fast = function<cpu>(also_out);
    array<T, 1> gradient(columns), two(2 * rows), other(columns), plain(rows);
    two = T(5);
    auto every_other = two(slice(0, 2 * rows, 2));
    fast.call_into(std::tie(gradient, every_other), x, v, y(slice(0, rows)));
    fast.call_into(std::tie(other, plain), x, v, y(slice(0, rows)));
    CHECK(near(gradient, other, tolerance));
    CHECK(near(eval(every_other), plain, tolerance));
    CHECK(two(1) == T(5));
}

TEST_CASE_TEMPLATE("several columns: softmax regression", T, float, double) {
    constexpr auto step = [](matrix<T, dim("n"), dim("k")> x, vector<int, dim("n")> labels, shared<matrix<T, dim("k"), dim("c")>> w, shared<vector<T, dim("c")>> b) {
        auto cost = mean(cross_entropy(dot(x, w) + b, labels));
        auto [gw, gb] = grad(cost, w, b);
        return outputs(cost).updates(w -= T(0.1) * gw, b -= T(0.1) * gb);
    };
    const auto fast = function<cpu>(step);
    const auto plain = function<reference>(step);
    CHECK(pass_of(fast).count >= 3);
    const double tolerance = sizeof(T) == 4 ? 2e-5 : 1e-13;
    // With more than 32 columns the products take longer than memory.
    const int shapes[][3] = {{2001, 784, 10}, {1601, 784, 3}, {130000, 16, 2}, {1700, 784, 32}, {1601, 784, 40}, {100, 12000, 7}, {1601, 784, 1}, {5, 7, 3}};
    for (const auto& shape : shapes) {
        const int rows = shape[0], columns = shape[1], classes = shape[2];
        CAPTURE(rows);
        CAPTURE(classes);
        const auto x = drawn<T>(rows, columns, 1);
        array<int, 1> labels(rows);
        for (int i = 0; i < rows; ++i) labels(i) = i * 7 % classes;
        array<T, 2> w(columns, classes);
        array<T, 1> b(classes), c(classes);
        random::uniform(w, 5, T(-0.1), T(0.1));
        auto other = w;
        CHECK(near(fast(x, labels, w, b), plain(x, labels, other, c), tolerance));
        CHECK(near(w, other, tolerance));
        CHECK(near(b, c, tolerance));
        const auto again = [&](int count) {
            const auto scope = threads(count);
            array<T, 2> trained = other;
            array<T, 1> bias = c;
            fast(x, labels, trained, bias);
            return trained;
        };
        if (classes <= 32 && rows > 5) CHECK(near(again(1), again(3), 0));
    }
}

TEST_CASE("sums of any shape, strided arguments and results") {
    const auto fast = function<cpu>(sums);
    const auto plain = function<reference>(sums);
    REQUIRE(pass_of(fast).count >= 3);
    const std::int64_t rows = 3003, columns = 500;
    array<float, 2> x = drawn<float>(2 * rows, columns + 7, 3), turned = drawn<float>(columns, rows, 4);
    array<float, 1> v(columns), y(2 * rows);
    random::uniform(v, 6, -0.1f, 0.1f);
    random::uniform(y, 7);
    const auto check = [&](const auto& m) {
        const auto got = fast(m, v, y(slice(0, 2 * rows, 2))), wanted = plain(m, v, y(slice(0, 2 * rows, 2)));
        CHECK(near(std::get<0>(got), std::get<0>(wanted), 1e-4));
        CHECK(near(std::get<1>(got), std::get<1>(wanted), 1e-4));
        CHECK(near(std::get<2>(got), std::get<2>(wanted), 1e-4));
        CHECK(near(std::get<3>(got), std::get<3>(wanted), 1e-4));
    };
    check(x(slice(0, 2 * rows, 2), slice(3, columns + 3)));
    check(x(slice(rows), slice(0, columns)));
    check(turned.transpose());
}

TEST_CASE("no rounding depends on the threads") {
    const auto f = function<cpu>(sums);
    const auto x = drawn<float>(3000, 500, 3);
    array<float, 1> v(500), y(3000);
    random::uniform(v, 6, -0.1f, 0.1f);
    set_threads(1);
    const auto one = f(x, v, y);
    set_threads(3);
    const auto three = f(x, v, y);
    set_threads(0);
    CHECK(near(std::get<0>(one), std::get<0>(three), 0));
    CHECK(near(std::get<1>(one), std::get<1>(three), 0));
    CHECK(std::get<2>(one)() == std::get<2>(three)());
}

TEST_CASE("what knows its position is no part of a pass") {
    const auto f = [](matrix<float> x, vector<float> v, shared<random_state<symbol>> state) { return dot(transpose(x), dropout(dot(x, v), 0.5, state)); };
    const auto x = drawn<float>(3000, 500, 3);
    array<float, 1> v(500);
    random::uniform(v, 6, -0.1f, 0.1f);
    auto one = random_state<on<cpu>::array>::seed(4);
    auto two = random_state<on<reference>::array>::seed(4);
    CHECK(pass_of(function<cpu>(f)).count == 0);
    CHECK(near(function<cpu>(f)(x, v, one), function<reference>(f)(x, v, two), 1e-4));
}

TEST_CASE("a profile tells the steps of a pass apart") {
    const auto f = function<cpu>("steps", logistic<float>);
    const auto x = drawn<float>(3000, 784, 1);
    array<float, 1> y(3000), w(784);
    array<float, 0> b;
    profile p("pass");
    for (int i = 0; i < 5; ++i) f(x, y, w, b);
    const profile_data d = p.data();
    REQUIRE(d.functions.size() == 1);
    REQUIRE(d.functions[0].steps.size() == 4);
    for (const step_profile& s : d.functions[0].steps) CHECK(s.calls == 5);
    // Two clocks are read, which agree to a part in 10,000.
    CHECK(static_cast<double>(d.functions[0].steps_time) <= 1.001 * static_cast<double>(d.functions[0].time));
    CHECK(d.functions[0].steps[0].time > 0);
    CHECK(d.functions[0].steps[3].time > 0);
    CHECK(d.functions[0].steps[0].time + d.functions[0].steps[3].time < d.functions[0].time);
}

TEST_CASE("in the turns of a loop, and of its derivative") {
    // Power iteration: the first singular vector.
    const auto f = [](matrix<double, dim("n"), dim("k")> x, vector<double, dim("k")> first) {
        auto last = std::get<0>(scan([&](auto v) {
            auto u = dot(transpose(x), tanh(dot(x, v)));
            return step(u / norm(u));
        }, first, times(3)));
        return std::tuple(last, grad(sum(last * last * last), first));
    };
    const auto x = drawn<double>(1501, 400, 9);
    array<double, 1> first(400);
    random::uniform(first, 1);
    const auto got = function<cpu>(f)(x, first), wanted = function<reference>(f)(x, first);
    CHECK(near(std::get<0>(got), std::get<0>(wanted), 1e-12));
    CHECK(near(std::get<1>(got), std::get<1>(wanted), 1e-12));
    CHECK(explain(function<cpu>(f)).find("in one pass over") != std::string::npos);
}

TEST_CASE("a matrix that changes through sums of its rows alone leaves nothing of the call before") {
    const auto f = function<cpu>(logistic<double>);
    array<double, 1> w(300), y(200), first(300);
    array<double, 0> b;
    for (int i = 0; i < 3; ++i) {
        const auto x = drawn<double>(200 - 50 * i, 300, 11);
        array<double, 1> labels(200 - 50 * i);
        w = 0.0;
        b = 0.0;
        f(x, labels, w, b);
        array<double, 1> expected(300);
        array<double, 0> c;
        function<reference>(logistic<double>)(x, labels, expected, c);
        CHECK(near(w, expected, 1e-13));
        CHECK(near(b, c, 1e-13));
    }
}

TEST_CASE("the gradient of a Hessian-vector product is right") {
    const auto f = [](matrix<double> x, vector<double> w, vector<double> v) { return hvp(mean(softplus(dot(x, w))), w, v); };
    const auto x = drawn<double>(1500, 400, 9);
    array<double, 1> w(400), v(400);
    random::uniform(w, 1);
    random::uniform(v, 2);
    CHECK(near(function<cpu>(f)(x, w, v), function<reference>(f)(x, w, v), 1e-12));
}

TEST_CASE("what waits for a pass has its own time, and the last product has no time twice") {
    auto train = function<cpu>("train", [](matrix<float> x, vector<float> y, shared<vector<float>> w, shared<scalar<float>> b) {
        const auto error = sigmoid(dot(x, w) + b) - y;
        return updates(w -= 0.1 * dot(transpose(x), error), b -= 0.1 * sum(error));
    });
    array<float, 2> x(500, 400);
    array<float, 1> y(500), w(400);
    array<float, 0> b;
    random::normal(x, 1);
    train(x, y, w, b);
    CHECK(explain(train).find("in one pass over") != std::string::npos);
    profile p("passes");
    for (int i = 0; i < 50; ++i) train(x, y, w, b);
    const profile_data d = p.data();
    const function_profile& f = d.functions[0];
    CHECK(static_cast<double>(f.steps_time) <= 1.001 * static_cast<double>(f.time));
    // The product reads the whole matrix; what waits adds one number to another.
    nanoseconds least = f.steps[0].time, most = least;
    for (const step_profile& s : f.steps) least = std::min(least, s.time), most = std::max(most, s.time);
    CHECK(least * 4 < most);
}
