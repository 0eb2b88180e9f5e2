// SPDX-License-Identifier: MIT
// Every elementwise operator of the table that takes BENCH_ELEMENT, and the functions made of several, on arrays that fit the cache. Beside each the loop
// on xsimd where it has the function, and a loop by hand over what croton computes of one register, or of one number where it is integers or gives bools.
// Reads a line `operator rounds`, writes for each round the nanoseconds of an element: croton's, those of the loop on xsimd or 0, and of the loop by hand.
#include <croton/croton.hpp>

#include <xsimd/xsimd.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <iostream>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>

namespace {

using namespace croton;
using T = BENCH_ELEMENT;
constexpr bool floating = std::is_floating_point_v<T>;
using batch = xsimd::batch<std::conditional_t<floating, T, float>>;
using pack = simd::pack<std::conditional_t<floating, T, float>, static_cast<int>(batch::size)>;

// 64 KiB or more each, beside which a call is little.
constexpr std::int64_t count = sizeof(BENCH_ELEMENT) == 1 ? 65536 : 16384;

/// The function of xsimd: nothing where it has none.
template <class Op> struct raw {
    static constexpr bool found = false;
};
#define RAW1(op_, call)                                            \
    template <> struct raw<op::op_> {                              \
        static constexpr bool found = true;                        \
        static batch value(const batch& x) { return call; }        \
    };
#define RAW2(op_, call)                                            \
    template <> struct raw<op::op_> {                              \
        static constexpr bool found = true;                        \
        static batch value(const batch& x, const batch& y) { return call; } \
    };
RAW1(negative, -x) RAW1(absolute, xsimd::abs(x)) RAW1(sign_, xsimd::sign(x)) RAW1(exp, xsimd::exp(x)) RAW1(expm1, xsimd::expm1(x)) RAW1(log, xsimd::log(x))
RAW1(log1p, xsimd::log1p(x)) RAW1(sqrt, xsimd::sqrt(x)) RAW1(square, x* x) RAW1(tanh, xsimd::tanh(x)) RAW1(erf, xsimd::erf(x)) RAW1(exp2, xsimd::exp2(x))
RAW1(log2, xsimd::log2(x)) RAW1(log10, xsimd::log10(x)) RAW1(cbrt, xsimd::cbrt(x)) RAW1(sin, xsimd::sin(x)) RAW1(cos, xsimd::cos(x)) RAW1(tan, xsimd::tan(x))
RAW1(asin, xsimd::asin(x)) RAW1(acos, xsimd::acos(x)) RAW1(atan, xsimd::atan(x)) RAW1(sinh, xsimd::sinh(x)) RAW1(cosh, xsimd::cosh(x))
RAW1(asinh, xsimd::asinh(x)) RAW1(acosh, xsimd::acosh(x)) RAW1(atanh, xsimd::atanh(x)) RAW1(erfc, xsimd::erfc(x)) RAW1(lgamma, xsimd::lgamma(x))
RAW1(floor, xsimd::floor(x)) RAW1(ceil, xsimd::ceil(x)) RAW1(trunc, xsimd::trunc(x)) RAW1(round, xsimd::nearbyint(x)) RAW1(relu, xsimd::max(x, batch(T(0))))
RAW2(add, x + y) RAW2(subtract, x - y) RAW2(multiply, x* y) RAW2(divide, x / y) RAW2(maximum, xsimd::max(x, y)) RAW2(minimum, xsimd::min(x, y))
RAW2(power, xsimd::pow(x, y)) RAW2(hypot, xsimd::hypot(x, y)) RAW2(atan2, xsimd::atan2(x, y)) RAW2(fmod, xsimd::fmod(x, y))
RAW2(copysign, xsimd::copysign(x, y)) RAW2(nextafter, xsimd::nextafter(x, y))
template <> struct raw<op::fma> {
    static constexpr bool found = true;
    static batch value(const batch& x, const batch& y, const batch& z) { return xsimd::fma(x, y, z); }
};

// The functions that are formulas of operators: how a program calls them, and the same of one register.
#define MADE1(f, ...)                                                                  \
    struct f##_ : op::unary<op::typing::floating> {                                    \
        static constexpr std::string_view name = #f;                                   \
        static constexpr auto graph(const auto& x) { return croton::f(x); }            \
        template <class V> static auto value(V x) { return __VA_ARGS__; }              \
    };
namespace made {
using kernel::select;
template <class V> V number(double v) { return kernel::constant<V>(v); }
template <class V> V below(V x) { return select(x > number<V>(0), number<V>(0), x); }
MADE1(rsqrt, number<V>(1) / op::sqrt::value(x)) MADE1(reciprocal, number<V>(1) / x) MADE1(degrees, x * number<V>(180 / 3.14159265358979323846))
MADE1(radians, x * number<V>(3.14159265358979323846 / 180)) MADE1(silu, x * op::sigmoid::value(x)) MADE1(mish, x * op::tanh::value(op::softplus::value(x)))
MADE1(leaky_relu, select(x > number<V>(0), x, number<V>(0.01) * x)) MADE1(elu, select(x > number<V>(0), x, op::expm1::value(below(x))))
MADE1(celu, select(x > number<V>(0), x, op::expm1::value(below(x))))
MADE1(selu, number<V>(1.0507009873554805) * select(x > number<V>(0), x, number<V>(1.6732632423543772) * op::expm1::value(below(x))))
MADE1(hard_sigmoid, select(x <= number<V>(-3), number<V>(0), select(x >= number<V>(3), number<V>(1), (x + number<V>(3)) * number<V>(1.0 / 6))))
MADE1(hard_swish, select(x <= number<V>(-3), number<V>(0), select(x >= number<V>(3), x, select(x >= number<V>(3), number<V>(0), x) * (x + number<V>(3)) * number<V>(1.0 / 6))))
MADE1(nan_to_num, select(x != x, number<V>(0), select(x == number<V>(INFINITY), number<V>(std::numeric_limits<T>::max()), select(x == number<V>(-INFINITY), number<V>(static_cast<double>(std::numeric_limits<T>::lowest())), x))))
MADE1(isnan, x != x) MADE1(isinf, std::abs(x) == std::numeric_limits<V>::infinity()) MADE1(isfinite, std::abs(x) <= std::numeric_limits<V>::max())
struct prelu_ : op::binary<op::typing::floating> {
    static constexpr std::string_view name = "prelu";
    static constexpr auto graph(const auto& x, const auto& s) { return prelu(x, s); }
    template <class V> static auto value(V x, V s) { return select(x > number<V>(0), x, s * x); }
};
struct lerp_ : op::ternary<op::typing::floating> {
    static constexpr std::string_view name = "lerp";
    static constexpr auto graph(const auto& a, const auto& b, const auto& t) { return lerp(a, b, t); }
    template <class V> static auto value(V a, V b, V t) { return select(t < number<V>(0.5), a + (b - a) * t, b - (b - a) * (number<V>(1) - t)); }
};
using functions = detail::type_list<rsqrt_, reciprocal_, degrees_, radians_, silu_, mish_, leaky_relu_, elu_, celu_, selu_, hard_sigmoid_, hard_swish_, nan_to_num_, isnan_, isinf_,
                                    isfinite_, prelu_, lerp_>;
}  // namespace made

template <class Op> constexpr auto apply(const auto&... x) {
    if constexpr (requires { Op::graph(x...); }) return Op::graph(x...);
    else return detail::elementwise<Op>(x...);
}

/// The first argument of polygamma, which has no value between whole numbers.
constexpr T order = 2;

/// Where the arguments come from: that of the tests, angles of some turns, and integers that can be divided by and shifted.
template <class Op> constexpr std::array<double, 2> range() {
    constexpr bool angles = Op::name == "sin" || Op::name == "cos" || Op::name == "tan";
    constexpr bool shifts = Op::name == "left_shift" || Op::name == "right_shift";
    constexpr bool divides = Op::name == "fmod" || Op::name == "remainder" || Op::name == "floor_divide";
    if constexpr (floating) return angles ? std::array{-50., 50.} : Op::name == "rsqrt" ? std::array{0.25, 4.} : std::array{Op::low, Op::high};
    else if constexpr (std::is_same_v<T, bool>) return {0, 1};
    else if constexpr (shifts) return {0, 7};
    else return {divides ? 1. : std::is_unsigned_v<T> ? 0. : -100., 100.};
}

/// Special arguments for which the raw function gives another NaN, infinity, sign or size than croton, which the tests compare with NumPy.
template <class Op> std::string raw_is_wrong_at() {
    if constexpr (floating && raw<Op>::found) {
        using limits = std::numeric_limits<T>;
        const T points[] = {limits::quiet_NaN(), limits::infinity(), -limits::infinity(), limits::max(), limits::lowest(), T(0), T(-0.0), T(1), T(-1), T(-2), T(0.3), T(5), limits::min(), limits::denorm_min(), -limits::denorm_min(), T(-60), T(-88), T(-100), T(-740), T(1e30), T(3e7), T(-1e-30)};
        // Of two zeros either is the larger one.
        constexpr bool any_zero = std::is_same_v<Op, op::maximum> || std::is_same_v<Op, op::minimum> || std::is_same_v<Op, op::relu>;
        const auto differ = [](T a, T b) { return (a != a) != (b != b) || (a == a && !(any_zero && a == b) && (std::signbit(a) != std::signbit(b) || !(a == b || std::abs(a - b) <= std::abs(b) * T(1e-3)))); };
        const auto text = [](T v) {
            char made[40];
            std::snprintf(made, sizeof made, "%.3g", static_cast<double>(v));
            return std::string(made);
        };
        for (const T x : points) {
            if constexpr (Op::arity == 1) {
                if (differ(raw<Op>::value(batch(x)).get(0), Op::value(pack{{batch(x)}}).part[0].get(0))) return text(x);
            } else if constexpr (Op::arity == 2) {
                for (const T y : points)
                    if (differ(raw<Op>::value(batch(x), batch(y)).get(0), Op::value(pack{{batch(x)}}, pack{{batch(y)}}).part[0].get(0))) return text(x) + "," + text(y);
            }
        }
    }
    return "-";
}

template <class F> double nanoseconds(F f) {
    using clock = std::chrono::steady_clock;
    double best = 1e9;
    for (int i = 0; i < 40; ++i) {
        const auto begin = clock::now();
        f();
        asm volatile("" ::: "memory");
        const double taken = std::chrono::duration<double>(clock::now() - begin).count() * 1e9 / count;
        best = taken < best ? taken : best;
    }
    return best;
}

/// croton's formula of one register after the other; the compiler makes registers of bools and of integers.
template <class Op> void by_hand(const array<T, 1>& x, const array<T, 1>& y, const array<T, 1>& z, auto* __restrict out) {
    const T *const a = x.data(), *const b = y.data(), *const c = z.data();
    const auto numbers = [&] {
        for (std::int64_t i = 0; i < count; ++i) {
            if constexpr (Op::arity == 1) out[i] = Op::value(a[i]);
            else if constexpr (Op::arity == 2) out[i] = Op::value(a[i], b[i]);
            else if constexpr (Op::kind == op::typing::selection) out[i] = Op::value(a[i] < b[i], b[i], c[i]);
            else out[i] = Op::value(a[i], b[i], c[i]);
        }
    };
    if constexpr (floating && std::is_same_v<std::remove_reference_t<decltype(*out)>, T>) {
        const auto at = [](const T* from, std::int64_t i) { return pack{{batch::load_unaligned(from + i)}}; };
        const auto next = [&](std::int64_t i) {
            if constexpr (Op::arity == 1) return Op::value(at(a, i));
            else if constexpr (Op::arity == 2) return Op::value(at(a, i), at(b, i));
            else if constexpr (Op::kind == op::typing::selection) return Op::value(at(a, i) < at(b, i), at(b, i), at(c, i));
            else return Op::value(at(a, i), at(b, i), at(c, i));
        };
        for (std::int64_t i = 0; i < count; i += static_cast<std::int64_t>(batch::size)) next(i).part[0].store_unaligned(out + i);
    } else {
        numbers();
    }
}

template <class Op> void measure(int rounds) {
    array<T, 1> x(count), y(count), z(count);
    unsigned state = 1;
    for (auto* a : {&x, &y, &z})
        for (T& v : *a) {
            state = state * 1664525u + 1013904223u;
            v = static_cast<T>(range<Op>()[0] + (range<Op>()[1] - range<Op>()[0] + (floating ? 0 : 1)) * (state >> 8) / 16777216.0);
        }
    if constexpr (Op::name == "polygamma") std::fill(x.begin(), x.end(), order);
    const auto f = [] {
        if constexpr (Op::kind == op::typing::selection) return function<cpu>([](vector<T> a, vector<T> b, vector<T> c) { return where(a < b, b, c); });
        else if constexpr (Op::arity == 1) return function<cpu>([](vector<T> a) { return apply<Op>(a); });
        else if constexpr (Op::arity == 2) return function<cpu>([](vector<T> a, vector<T> b) { return apply<Op>(a, b); });
        else return function<cpu>([](vector<T> a, vector<T> b, vector<T> c) { return apply<Op>(a, b, c); });
    }();
    auto result = [&] {
        if constexpr (Op::arity == 1) return f(x);
        else if constexpr (Op::arity == 2) return f(x, y);
        else return f(x, y, z);
    }();
    for (int round = 0; round < rounds; ++round) {
        const double mine = nanoseconds([&] {
            if constexpr (Op::arity == 1) f.call_into(std::tie(result), x);
            else if constexpr (Op::arity == 2) f.call_into(std::tie(result), x, y);
            else f.call_into(std::tie(result), x, y, z);
        });
        double theirs = 0;
        if constexpr (floating && raw<Op>::found)
            theirs = nanoseconds([&] {
                for (std::int64_t i = 0; i < count; i += static_cast<std::int64_t>(batch::size)) {
                    const batch a = batch::load_unaligned(x.data() + i);
                    if constexpr (Op::arity == 1) {
                        raw<Op>::value(a).store_unaligned(result.data() + i);
                    } else {
                        const batch b = batch::load_unaligned(y.data() + i);
                        if constexpr (Op::arity == 2) raw<Op>::value(a, b).store_unaligned(result.data() + i);
                        else raw<Op>::value(a, b, batch::load_unaligned(z.data() + i)).store_unaligned(result.data() + i);
                    }
                }
            });
        std::printf("%.6g %.6g %.6g\n", mine, theirs, nanoseconds([&] { by_hand<Op>(x, y, z, result.data()); }));
    }
    std::fflush(stdout);
}

// A copy is no loop, and integers have no operator /.
template <class Op> constexpr bool measured = !std::is_same_v<Op, op::copy> && !(std::is_same_v<Op, op::divide> && !floating) && (detail::takes_element<Op, T> || (Op::kind == op::typing::selection && !std::is_same_v<T, bool>));

template <class... Op> void each(detail::type_list<Op...>, std::string_view name, int rounds) {
    const auto one = [&]<class O>(std::type_identity<O>) {
        if constexpr (measured<O>)
            if (O::name == name) measure<O>(rounds);
    };
    (one(std::type_identity<Op>()), ...);
}
template <class... Op> void list(detail::type_list<Op...>) {
    const auto one = []<class O>(std::type_identity<O>) {
        if constexpr (measured<O>) std::printf("%s %d %g %g %s\n", std::string(O::name).c_str(), O::arity, range<O>()[0], range<O>()[1], raw_is_wrong_at<O>().c_str());
    };
    (one(std::type_identity<Op>()), ...);
}

}  // namespace

int main() {
    croton::set_threads(1);
    list(detail::operators());
    list(made::functions());
    std::printf("\n");
    std::fflush(stdout);
    std::string name;
    for (int rounds; std::cin >> name >> rounds;) {
        each(detail::operators(), name, rounds);
        each(made::functions(), name, rounds);
    }
}
