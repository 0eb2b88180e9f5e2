// SPDX-License-Identifier: MIT
// Every elementwise operator of the table on arrays that fit the cache, and the loop on xsimd where it has the function. Reads a line
// `operator rounds`, writes for each round the nanoseconds of an element: croton's, and those of the raw loop or 0.
#include <croton/croton.hpp>

#include <xsimd/xsimd.hpp>

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
using batch = xsimd::batch<T>;

constexpr std::int64_t count = 16384;

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

/// Where the arguments come from: that of the tests, and angles of some turns.
template <class Op> constexpr double low() {
    if constexpr (std::is_same_v<Op, op::sin> || std::is_same_v<Op, op::cos> || std::is_same_v<Op, op::tan>) return -50;
    else if constexpr (requires { Op::low; }) return Op::low;
    else return -3;
}
template <class Op> constexpr double high() {
    if constexpr (std::is_same_v<Op, op::sin> || std::is_same_v<Op, op::cos> || std::is_same_v<Op, op::tan>) return 50;
    else if constexpr (requires { Op::high; }) return Op::high;
    else return 3;
}

/// Special arguments for which the raw function gives another NaN, infinity, sign or size than croton, which the tests compare with NumPy.
template <class Op> std::string raw_is_wrong_at() {
    if constexpr (raw<Op>::found) {
        using limits = std::numeric_limits<T>;
        const T points[] = {limits::quiet_NaN(), limits::infinity(), -limits::infinity(), limits::max(), limits::lowest(), T(0), T(-0.0), T(1), T(-1), T(-2), T(0.3), T(5), limits::min(), limits::denorm_min(), -limits::denorm_min(), T(-60), T(-88), T(-100), T(-740), T(1e30), T(3e7), T(-1e-30)};
        using pack = simd::pack<T, static_cast<int>(batch::size)>;
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

template <class Op> void measure(int rounds) {
    array<T, 1> x(count), y(count), z(count), result(count);
    unsigned state = 1;
    for (auto* a : {&x, &y, &z})
        for (T& v : *a) {
            state = state * 1664525u + 1013904223u;
            v = static_cast<T>(low<Op>() + (high<Op>() - low<Op>()) * (state >> 8) / 16777216.0);
        }
    const auto f = [] {
        if constexpr (Op::arity == 1) return function<cpu>([](vector<T> a) { return detail::elementwise<Op>(a); });
        else if constexpr (Op::arity == 2) return function<cpu>([](vector<T> a, vector<T> b) { return detail::elementwise<Op>(a, b); });
        else return function<cpu>([](vector<T> a, vector<T> b, vector<T> c) { return detail::elementwise<Op>(a, b, c); });
    }();
    for (int round = 0; round < rounds; ++round) {
        const double mine = nanoseconds([&] {
            if constexpr (Op::arity == 1) f.call_into(std::tie(result), x);
            else if constexpr (Op::arity == 2) f.call_into(std::tie(result), x, y);
            else f.call_into(std::tie(result), x, y, z);
        });
        double theirs = 0;
        if constexpr (raw<Op>::found)
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
        std::printf("%.6g %.6g\n", mine, theirs);
    }
    std::fflush(stdout);
}

template <class Op> constexpr bool measured = [] {
    // A copy is no loop.
    return !std::is_same_v<Op, op::copy> && (Op::kind == op::typing::numeric || Op::kind == op::typing::floating || (Op::kind == op::typing::any && Op::arity <= 3));
}();

template <class... Op> void each(detail::type_list<Op...>, std::string_view name, int rounds) {
    const auto one = [&]<class O>(std::type_identity<O>) {
        if constexpr (measured<O>)
            if (O::name == name) measure<O>(rounds);
    };
    (one(std::type_identity<Op>()), ...);
}
template <class... Op> void list(detail::type_list<Op...>) {
    const auto one = []<class O>(std::type_identity<O>) {
        if constexpr (measured<O>) std::printf("%s %d %g %g %s\n", std::string(O::name).c_str(), O::arity, low<O>(), high<O>(), raw_is_wrong_at<O>().c_str());
    };
    (one(std::type_identity<Op>()), ...);
    std::printf("\n");
    std::fflush(stdout);
}

}  // namespace

int main() {
    croton::set_threads(1);
    list(detail::operators());
    std::string name;
    for (int rounds; std::cin >> name >> rounds;) each(detail::operators(), name, rounds);
}
