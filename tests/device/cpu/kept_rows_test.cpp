// SPDX-License-Identifier: MIT
// Rows whose exponentials are kept, where the result will be or in memory of their own: the values of the reference, whatever the rows, the threads and the strides, and in place.
#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <type_traits>

#include <croton/croton.hpp>

using namespace croton;

namespace {

namespace k = croton::kernel;
namespace cd = croton::detail::cpu_device;

// Two passes of a softmax: the second one multiplies what the first one sums.
template <class Op, class T> using summed = k::block<k::load<T, 0>, k::apply<op::subtract, k::e<0, T>, k::r<0, T>>, k::apply<Op, k::e<1, T>>>;
template <class Op, class T, class S> using scaled = k::block<k::load<T, 0>, k::apply<op::subtract, k::e<0, T>, k::r<0, T>>, k::apply<Op, k::e<1, T>>,
                                                              k::apply<op::multiply, k::e<2, T>, k::r<1, T>>, k::store<S, 1, k::e<3, T>>>;
template <class First, class Second> using rows = k::kernel<1, 1, k::block<>, k::block<>, k::phase<First, k::block<k::reduce<reduction::sum, float, k::e<2, float>>>, k::block<>>,
                                                           k::phase<Second, k::block<>, k::block<>>>;
template <class Kernel> inline constexpr bool keeps = !std::is_same_v<typename cd::keeping_rows<Kernel>::type, Kernel>;

static_assert(keeps<rows<summed<op::exp, float>, scaled<op::exp, float, float>>>);
// What is done again at once is not kept.
static_assert(!keeps<rows<summed<op::negative, float>, scaled<op::negative, float, float>>>);

template <class Kernel> inline constexpr int own_slot_of = -1;
template <int O, int I, class U, class Row, class... Phase> inline constexpr int own_slot_of<k::kernel<O, I, U, Row, Phase...>> = cd::own_slot<Phase...>();
template <class Kernel> inline constexpr int own = own_slot_of<typename cd::keeping_rows<Kernel>::type>;

// Where the result will be, but for what is rounded there, and where the second pass reads more of memory, which may lie where the result will.
static_assert(own<rows<summed<op::exp, float>, scaled<op::exp, float, float>>> == -1 && own<rows<summed<op::exp, float>, scaled<op::exp, float, half>>> == 2);
using more_read = k::block<k::load<float, 2>, k::load<float, 0>, k::apply<op::subtract, k::e<1, float>, k::r<0, float>>, k::apply<op::exp, k::e<2, float>>,
                           k::apply<op::multiply, k::e<0, float>, k::e<3, float>>, k::store<float, 1, k::e<4, float>>>;
static_assert(own<rows<summed<op::exp, float>, more_read>> == 3);
// The second pass has lost what leads to the value, and no more.
static_assert(std::is_same_v<typename cd::keeping_rows<rows<summed<op::exp, float>, more_read>>::type,
                             rows<k::block<k::load<float, 0>, k::apply<op::subtract, k::e<0, float>, k::r<0, float>>, k::apply<op::exp, k::e<1, float>>, k::store<float, 3, k::e<2, float>>>,
                                  k::block<k::load<float, 2>, k::load<float, 3>, k::apply<op::multiply, k::e<0, float>, k::e<1, float>>, k::store<float, 1, k::e<2, float>>>>>);
// Among 64 slots there is none left.
template <int Slot> using far_read = k::block<k::load<float, Slot>, k::load<float, 0>, k::apply<op::subtract, k::e<1, float>, k::r<0, float>>, k::apply<op::exp, k::e<2, float>>,
                                              k::apply<op::multiply, k::e<0, float>, k::e<3, float>>, k::store<float, 1, k::e<4, float>>>;
static_assert(own<rows<summed<op::exp, float>, far_read<62>>> == 63 && !keeps<rows<summed<op::exp, float>, far_read<63>>>);
// Of other numbers the value is another one.
static_assert(!keeps<rows<summed<op::exp, float>, k::block<k::load<float, 2>, k::apply<op::subtract, k::e<0, float>, k::r<0, float>>, k::apply<op::exp, k::e<1, float>>,
                                                           k::store<float, 1, k::e<2, float>>>>>);

template <class T> array<T, 2> waves(std::int64_t n, std::int64_t m) {
    array<T, 2> x(n, m);
    double at = 0;
    for (T& each : x) each = static_cast<T>(3 * std::sin(at += 0.7));
    return x;
}

struct thread_setting {
    explicit thread_setting(int n) : before(threads()) { set_threads(n); }
    ~thread_setting() { set_threads(before); }
    int before;
};

template <class T> void check(std::int64_t n, std::int64_t m) {
    CAPTURE(n);
    CAPTURE(m);
    const double margin = std::is_same_v<T, float> ? 1e-6 : 1e-14;
    const array<T, 2> x = waves<T>(n, m), wanted = eval<reference>(softmax<1>(x)), down = eval<reference>(softmax<0>(x));
    array<T, 2> y(n, m), turned(m, n), wide(n, 2 * m);
    y = softmax<1>(x);
    CHECK(allclose(y, wanted, margin, margin));
    turned.transpose() = softmax<1>(x);
    CHECK(allclose(turned.transpose(), wanted, margin, margin));
    wide(slice(), slice(none, none, 2)) = softmax<1>(x);
    CHECK(allclose(wide(slice(), slice(none, none, 2)), wanted, margin, margin));
    CHECK(static_cast<T>(sum(abs(wide(slice(), slice(1, none, 2))))) == 0);
    y = x;
    y = softmax<1>(y);
    CHECK(allclose(y, wanted, margin, margin));
    y = softmax<0>(x);
    CHECK(allclose(y, down, margin, margin));
    // Another array of each row, and one value of it for the whole.
    const array<T, 1> bias = waves<T>(m, 1).reshape(m);
    const array<T, 2> seen = eval<reference>(softmax<1>(where(x > T(-1), x * T(0.5) + bias, T(-9))));
    y = softmax<1>(where(x > T(-1), x * T(0.5) + bias, T(-9)));
    CHECK(allclose(y, seen, margin, margin));
}

/// Slopes, which read rows of another array as well, with results of their own and in the place of either array; and of rows of two axes.
template <class T> void check_slopes(std::int64_t n, std::int64_t m) {
    CAPTURE(n);
    CAPTURE(m);
    const double margin = std::is_same_v<T, float> ? 2e-6 : 1e-14;
    const auto slope = [](matrix<T> of, matrix<T> by) { return grad(sum(softmax<1>(of) * by), of); };
    const auto of_log = [](matrix<T> of, matrix<T> by) { return grad(sum(log_softmax<1>(of) * by), of); };
    const auto f = function<cpu>(slope);
    const auto l = function<cpu>(of_log);
    const array<T, 2> x = waves<T>(n, m), g = sqrt(abs(waves<T>(m, n).transpose()));
    const array<T, 2> wanted = function<reference>(slope)(x, g), of_log_wanted = function<reference>(of_log)(x, g);
    CHECK(allclose(f(x, g), wanted, margin, margin));
    // There the sum of a row of g is taken from its elements.
    CHECK(allclose(l(x, g), of_log_wanted, margin, margin * static_cast<double>(1 + m / 50)));
    array<T, 2> y = x, wide(2 * n, 2 * m), turned(m, n);
    f.call_into(y, y, g);
    CHECK(allclose(y, wanted, margin, margin));
    y = g;
    f.call_into(y, x, y);
    CHECK(allclose(y, wanted, margin, margin));
    auto apart = wide(slice(none, none, 2), slice(1, none, 2));
    apart(ellipsis) = x;
    CHECK(allclose(f(apart, g), wanted, margin, margin));
    f.call_into(apart, apart, g);
    CHECK(allclose(apart, wanted, margin, margin));
    CHECK(static_cast<T>(sum(abs(wide(slice(), slice(none, none, 2))))) == 0);
    turned.transpose() = x;
    CHECK(allclose(f(turned.transpose(), g), wanted, margin, margin));
    // What another product leaves is given up for the result.
    const auto chain = [](matrix<T> of, matrix<T> left, matrix<T> right) { return grad(sum(dot(softmax<1>(of), left) * right), of); };
    const array<T, 2> a = waves<T>(m, 3), b = waves<T>(n, 3);
    CHECK(allclose(function<cpu>(chain)(x, a, b), function<reference>(chain)(x, a, b), 10 * margin, 10 * margin));

    const auto of_two = [](tensor<T, dynamic, dynamic, dynamic> of, tensor<T, dynamic, dynamic, dynamic> by) {
        auto e = exp(of - max<1, 2>(of, keepdims));
        auto p = e / sum<1, 2>(e, keepdims);
        return p * (by - sum<1, 2>(p * by, keepdims));
    };
    const array<T, 3> x3 = waves<T>(2 * n, 3 * m).reshape(2 * n, 3, m), g3 = cos(x3);
    const array<T, 3> wanted3 = function<reference>(of_two)(x3, g3);
    CHECK(allclose(function<cpu>(of_two)(x3, g3), wanted3, margin, margin));
    CHECK(allclose(function<cpu>(of_two)(x3.transpose().transpose(), g3), wanted3, margin, margin));
}

}  // namespace

TEST_CASE("slopes that read more") {
    for (const int count : {1, 2}) {
        const thread_setting here(count);
        for (const std::int64_t m : {1, 3, 16, 17, 64, 100, 1000}) check_slopes<float>(21, m);
        check_slopes<float>(300, 40);
        check_slopes<double>(5, 33);
        check_slopes<double>(40, 9);
        check_slopes<float>(1, 30'000);
    }
}

TEST_CASE("rows that classes stand for") {
    const auto slope = [](matrix<float> logits, vector<std::int32_t> labels) {
        auto mean_cost = mean(cross_entropy(logits, labels));
        return outputs(mean_cost, grad(mean_cost, logits));
    };
    for (const std::int64_t m : {2, 10, 33, 300}) {
        CAPTURE(m);
        const array<float, 2> x = waves<float>(50, m);
        array<std::int32_t, 1> y(50);
        for (std::int64_t i = 0; i < 50; ++i) y(i) = static_cast<std::int32_t>(i * i % m);
        const auto [cost, dx] = function<cpu>(slope)(x, y);
        const auto [cost_wanted, dx_wanted] = function<reference>(slope)(x, y);
        CHECK(allclose(cost, cost_wanted, 1e-6, 1e-6));
        CHECK(allclose(dx, dx_wanted, 1e-6, 1e-6));
    }
}

TEST_CASE("half of rows is kept as float") {
    const auto slope = [](matrix<half> of, matrix<half> by) { return grad(sum(softmax<1>(of) * by), of); };
    array<half, 2> x(9, 70), g(9, 70);
    for (std::int64_t i = 0; i < 630; ++i) x.data()[i] = static_cast<half>(static_cast<float>(i % 23) * 0.25f), g.data()[i] = static_cast<half>(static_cast<float>(i % 7) * 0.5f);
    CHECK(allclose(cast<float>(function<cpu>(slope)(x, g)), cast<float>(function<reference>(slope)(x, g)), 2e-3, 1e-4));
}

TEST_CASE("rows of any length") {
    for (const int count : {1, 2}) {
        const thread_setting here(count);
        for (const std::int64_t m : {1, 3, 16, 17, 64, 100, 1000}) {
            check<float>(7, m);
            check<float>(21, m);
        }
        check<double>(5, 33);
        check<float>(1, 300'000);
        check<float>(600, 400);
    }
}

TEST_CASE("what is not finite") {
    const float inf = INFINITY;
    const array<float, 2> x{{0, inf, 1}, {-inf, 0, -inf}, {NAN, 1, 2}};
    const array<float, 2> y = softmax<1>(x), wanted = eval<reference>(softmax<1>(x));
    for (std::int64_t i = 0; i < 9; ++i) CHECK((y.data()[i] == wanted.data()[i] || (std::isnan(y.data()[i]) && std::isnan(wanted.data()[i]))));
}
