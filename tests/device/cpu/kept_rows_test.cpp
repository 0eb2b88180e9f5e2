// SPDX-License-Identifier: MIT
// Rows whose exponentials are kept where the result will be: the values of the reference, whatever the rows, the threads and the strides, and in place.
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
// What is done again at once, what is rounded where it is stored, and what reads more of memory are not kept.
static_assert(!keeps<rows<summed<op::negative, float>, scaled<op::negative, float, float>>>);
static_assert(!keeps<rows<summed<op::exp, float>, scaled<op::exp, float, half>>>);
static_assert(!keeps<rows<summed<op::exp, float>, k::block<k::load<float, 0>, k::apply<op::subtract, k::e<0, float>, k::r<0, float>>, k::apply<op::exp, k::e<1, float>>,
                                                           k::load<float, 2>, k::apply<op::multiply, k::e<2, float>, k::e<3, float>>, k::store<float, 1, k::e<4, float>>>>>);

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

}  // namespace

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
