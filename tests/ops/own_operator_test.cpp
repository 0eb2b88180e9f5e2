// SPDX-License-Identifier: MIT
// Operators of a user's structs: values, types, broadcasting, fusion, derivatives, texts.
#include <doctest/doctest.h>

#include <cmath>
#include <concepts>
#include <string>

#include "ops/own_operators.hpp"
#include "support.hpp"

using namespace croton;
using own_operators::gaussian;
using own_operators::near;
using support::layout;

namespace {

/// Functions of numbers: called lane by lane.
struct cube {
    static constexpr std::string_view name = "cube";
    CROTON_HD static float value(float x) { return x * x * x; }
    CROTON_HD static double value(double x) { return x * x * x; }
    CROTON_HD static int value(int x) { return x * x * x; }
};

struct mixture {
    static constexpr std::string_view name = "mixture";
    static constexpr auto kind = op::typing::floating;
    template <std::floating_point V> CROTON_HD static V value(V a, V b, V t) { return t > V(0.5) ? a + t * (b - a) : b - (1 - t) * (b - a); }
    template <class N> static constexpr auto pull(N g, N, N a, N b, N t) { return std::array{g * (1 - t), g * t, g * (b - a)}; }
};

struct distance {
    static constexpr std::string_view name = "distance";
    template <class V> CROTON_HD static V value(V a, V b) {
        using croton::kernel::select;
        return select(a > b, a - b, b - a);
    }
    template <class N> static constexpr auto pull(N g, N, N a, N b) { return std::array{where(a > b, g, -g), where(a > b, -g, g)}; }
};

struct above {
    static constexpr std::string_view name = "above";
    template <class V> CROTON_HD static auto value(V a, V b) { return a > b; }
};
struct exactly_one {
    static constexpr std::string_view name = "exactly_one";
    static constexpr auto kind = op::typing::logical;
    CROTON_HD static bool value(bool a, bool b) { return a != b; }
};

/// A derivative that is an operator itself, and has one.
struct cosine {
    static constexpr std::string_view name = "cosine";
    template <std::floating_point V> CROTON_HD static V value(V x) { return std::cos(x); }
    template <class N> static constexpr auto pull(N g, N, N x);
};
struct sine {
    static constexpr std::string_view name = "sine";
    template <std::floating_point V> CROTON_HD static V value(V x) { return std::sin(x); }
    template <class N> static constexpr auto pull(N g, N, N x) { return std::array{g * elementwise<cosine>(x)}; }
};
template <class N> constexpr auto cosine::pull(N g, N, N x) { return std::array{-g * elementwise<sine>(x)}; }

namespace first {
struct shift {
    static constexpr std::string_view name = "shift";
    template <class V> CROTON_HD static V value(V x) { return x + kernel::constant<V>(1); }
};
}  // namespace first
namespace second {
struct shift {
    static constexpr std::string_view name = "shift";
    template <class V> CROTON_HD static V value(V x) { return x + kernel::constant<V>(100); }
};
}  // namespace second

template <class T> array<T, 2> filled(int rows, int columns, unsigned seed) {
    support::numbers random(seed);
    array<T, 2> x(rows, columns);
    for (T& e : x) e = static_cast<T>(random.next(-3, 3));
    return x;
}

template <class F> constexpr int steps = detail::plan_of<detail::program_of<F, true>, detail::fuses_loops>::get().steps.size();

template <class T, int R> void check_near(const array<T, R>& got, const array<T, R>& want, double tolerance) {
    REQUIRE(got.extents() == want.extents());
    int wrong = 0;
    for (std::int64_t i = 0; i < want.size(); ++i) {
        const double g = static_cast<double>(got.data()[i]), w = static_cast<double>(want.data()[i]);
        if (!(std::fabs(g - w) <= tolerance * (1 + std::fabs(w)))) ++wrong;
    }
    CHECK(wrong == 0);
}

/// The cpu device against the oracle, for every layout of the first argument.
template <class F, class T, class... A> void compare(F f, double tolerance, const array<T, 2>& x, const A&... more) {
    auto fast = function<cpu>(f);
    auto plain = function<reference>(f);
    for (int l = 0; l < static_cast<int>(layout::count); ++l) {
        CAPTURE(support::name_of(static_cast<layout>(l)));
        const support::placed<T, 2> p(x, static_cast<layout>(l));
        check_near(fast(p.get(), more...), plain(p.get(), more...), tolerance);
    }
}

}  // namespace

TEST_CASE("values are what the struct says, on both devices") {
    const auto f = [](matrix<float> x) { return elementwise<gaussian>(x); };
    const auto x = filled<float>(3, 19, 1);
    const auto y = function<cpu>(f)(x);
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 19; ++j) CHECK(y(i, j) == doctest::Approx(std::exp(-x(i, j) * x(i, j))).epsilon(1e-5));
    const auto c = function<cpu>([](matrix<int> i) { return elementwise<cube>(i); })(array<int, 2>{{-2, 0, 3}});
    CHECK(c(0, 0) == -8);
    CHECK(c(0, 2) == 27);
    // Two operators of one name are two operators.
    const auto [a, b] = function<cpu>([](matrix<float> v) { return std::tuple(elementwise<first::shift>(v), elementwise<second::shift>(v)); })(x);
    CHECK(a(1, 1) == x(1, 1) + 1);
    CHECK(b(1, 1) == x(1, 1) + 100);
    CHECK(function<cpu>([](matrix<float> v) { return elementwise<first::shift>(v); })(x)(2, 2) == x(2, 2) + 1);
    CHECK(function<cpu>([](matrix<float> v) { return elementwise<second::shift>(v); })(x)(2, 2) == x(2, 2) + 100);
}

TEST_CASE("kernels of two operators of one name have two keys, however deep the operators stand") {
    using kernel::e, kernel::block;
    using one = kernel::apply<op::own<first::shift, 1>, e<0, float>>;
    using other = kernel::apply<op::own<second::shift, 1>, e<0, float>>;
    using load = kernel::load<float, 0>;
    using store = kernel::store<float, 1, e<1, float>>;
    const auto key = []<class... I>(block<I...>) {
        using element = kernel::named_t<block<load, I..., store>>;
        return kernel::key_of<kernel::kernel<1, 0, block<>, block<>, kernel::phase<element, block<>, block<>>>>();
    };
    CHECK(!std::is_same_v<decltype(key(block<one>())), decltype(key(block<other>()))>);
    CHECK(!std::is_same_v<decltype(key(block<one, one, one, other>())), decltype(key(block<one, one, other, one>()))>);
    CHECK(!std::is_same_v<decltype(key(block<one, one, one, one>())), decltype(key(block<one, one, one>()))>);
    CHECK(std::is_same_v<kernel::keyed_t<decltype(key(block<one, other>()))>,
                         kernel::kernel<1, 0, block<>, block<>, kernel::phase<block<load, one, other, store>, block<>, block<>>>>);
}

TEST_CASE("one, two and three arguments of float, double and int; the cpu device computes what the reference device does") {
    for (const auto& size : {std::pair{1, 1}, {0, 3}, {5, 37}}) {
        const auto f = filled<float>(size.first, size.second, 3), g = filled<float>(size.first, size.second, 4);
        const auto d = filled<double>(size.first, size.second, 5), e = filled<double>(size.first, size.second, 6);
        const auto i = filled<int>(size.first, size.second, 7), k = filled<int>(size.first, size.second, 8);
        compare([](matrix<float> x) { return elementwise<gaussian>(x); }, 1e-5, f);
        compare([](matrix<double> x) { return elementwise<gaussian>(x); }, 1e-12, d);
        compare([](matrix<float> x) { return elementwise<cube>(x); }, 1e-6, f);
        compare([](matrix<double> x) { return elementwise<cube>(x); }, 1e-14, d);
        compare([](matrix<int> x) { return elementwise<cube>(x); }, 0, i);
        compare([](matrix<float> x, matrix<float> y) { return elementwise<distance>(x, y); }, 0, f, g);
        compare([](matrix<double> x, matrix<double> y) { return elementwise<distance>(x, y); }, 0, d, e);
        compare([](matrix<int> x, matrix<int> y) { return elementwise<distance>(x, y); }, 0, i, k);
        compare([](matrix<double> x, matrix<double> y) { return elementwise<mixture>(x, y, sigmoid(x)); }, 1e-12, d, e);
        // A bool is a comparison, of lanes or of numbers.
        compare([](matrix<float> x, matrix<float> y) { return elementwise<near>(x, y); }, 0, f, g);
        compare([](matrix<int> x, matrix<int> y) { return where(elementwise<above>(x, y), x, 0); }, 0, i, k);
        compare([](matrix<float> x, matrix<float> y) { return elementwise<exactly_one>(x > y, elementwise<near>(x, 0)); }, 0, f, g);
        // Beside operators of another width.
        compare([](matrix<float> x, matrix<double> y) { return cast<double>(elementwise<cube>(x)) + elementwise<cube>(y); }, 1e-12, f, d);
    }
}

TEST_CASE("arguments broadcast, numbers adopt the element type, half is computed with in float") {
    const auto x = filled<float>(4, 21, 9);
    array<float, 1> row(21);
    for (int j = 0; j < 21; ++j) row(j) = static_cast<float>(j) / 8;
    compare([](matrix<float> a, vector<float> b) { return elementwise<distance>(a, b); }, 0, x, row);
    compare([](matrix<float> a, vector<float> b) { return elementwise<mixture>(1, transpose(transpose(a)) + b, 0.25); }, 1e-6, x, row);
    compare([](matrix<float> a, vector<float> b) { return sqr(elementwise<distance>(a, sum(b))) * sum<1>(elementwise<cube>(a), keepdims); }, 1e-4, x, row);
    const array<half, 1> h{half(0.5f), half(-1.5f)};
    const array<float, 1> y = function<cpu>([](vector<half> v) { return elementwise<cube>(v); })(h);
    CHECK(y(0) == 0.125f);
    CHECK(y(1) == -3.375f);
}

TEST_CASE("an operator of a struct fuses like a built-in and is shared like one") {
    const auto f = [](vector<float> x, vector<float> y) { return 2 * elementwise<gaussian>(x + 1) - y; };
    CHECK(steps<decltype(f)> == 1);
    const auto sums = [](matrix<float> x) { return sum<1>(elementwise<cube>(x) * elementwise<cube>(x)); };
    CHECK(steps<decltype(sums)> == 1);
    constexpr auto& p = detail::program_of<decltype(sums), true>::get();
    int applied = 0;
    for (const detail::node& n : p.nodes) applied += n.what == detail::tag<detail::structure::apply> && n.fn >= detail::operators::size ? 1 : 0;
    CHECK(applied == 1);
    CHECK(p.own_operators.size() == 1);
    const std::string text = explain(function<cpu>(f));
    CHECK(text.find("output 1 = 2 * gaussian(arg1 + 1) - arg2") != std::string::npos);
    CHECK(text.find("plan: 1 step") != std::string::npos);
}

TEST_CASE("messages name the operator") {
    auto f = function<cpu>([](vector<float> x, vector<float> y) { return elementwise<distance>(x, y); });
    CHECK_THROWS_WITH_AS(f(array<float, 1>(3), array<float, 1>(4)), doctest::Contains("distance needs them equal"), shape_error);
}

TEST_CASE("derivatives") {
    const auto x = filled<double>(3, 5, 10), y = filled<double>(3, 5, 11);
    array<double, 1> row{0.1, 0.7, -0.4, 0.25, 0.9};
    CHECK_NOTHROW(verify_grad([](matrix<double> a) { return sum(elementwise<gaussian>(a)); }, x));
    CHECK_NOTHROW(verify_grad([](matrix<double> a, matrix<double> b) { return sum(sqr(elementwise<distance>(a, b))); }, x, y));
    CHECK_NOTHROW(verify_grad([](matrix<double> a, matrix<double> b, vector<double> t) { return sum(elementwise<mixture>(a, b, t) * a); }, x, y, row));
    CHECK_NOTHROW(verify_grad([](matrix<double> a) { return sum(elementwise<sine>(sqr(a))); }, x));
    // Of a derivative; and of what has none, but stands where none is asked for.
    CHECK_NOTHROW(verify_grad([](matrix<double> a) { return sum(sqr(grad(sum(elementwise<sine>(a)), a))); }, x));
    const auto g = function<cpu>([](vector<double> a, vector<double> b) { return grad(sum(sqr(a) * elementwise<cube>(b)), a); })(row, row);
    CHECK(g(1) == doctest::Approx(2 * 0.7 * 0.343));
}
