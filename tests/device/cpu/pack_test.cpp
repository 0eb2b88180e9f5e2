// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <croton/device/cpu/fold.hpp>

#if CROTON_HAS_XSIMD

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <vector>

using namespace croton::simd;

namespace {

template <class T> using exact = std::conditional_t<std::is_same_v<T, float>, double, long double>;

// How far `got` is from `wanted`, in units of the last place of T.
template <class T> double distance(T got, exact<T> wanted) {
    const T near = static_cast<T>(wanted);
    if (std::isnan(near)) return std::isnan(got) ? 0 : 1e9;
    if (got == near) return std::signbit(got) == std::signbit(near) || near != 0 ? 0 : 1e9;
    if (std::isnan(got) || std::isinf(got) || std::isinf(near)) return 1e9;
    int exponent;
    std::frexp(near, &exponent);
    exponent = std::max(exponent, std::numeric_limits<T>::min_exponent);
    const auto unit = std::ldexp(exact<T>(1), exponent - std::numeric_limits<T>::digits);
    return static_cast<double>(std::fabs(static_cast<exact<T>>(got) - wanted) / unit);
}

// Every exponent, the ranges programs use, and the special points, as far as they lie in [low, high].
template <class T> std::vector<T> arguments(double low, double high) {
    using limits = std::numeric_limits<T>;
    std::vector<T> x = {T(0), -T(0), T(1), T(-1), limits::infinity(), -limits::infinity(), limits::quiet_NaN(), limits::denorm_min(),
                        -limits::denorm_min(), limits::min(), -limits::min(), limits::min() / 4, limits::max(), limits::lowest(),
                        T(0.5), T(2), T(-2), T(88.7), T(88.8), T(-87.5), T(-103.9), T(-104), T(709.7), T(709.8), T(-708.5),
                        T(-745.1), T(-746), T(1e-20), T(-1e-20)};
    std::mt19937_64 random(7);
    for (int i = 0; i < 30000; ++i) {
        const std::uint64_t bits = random();
        T v;
        std::memcpy(&v, &bits, sizeof(T));
        x.push_back(v);
        const double u = static_cast<double>(random() >> 11) / 9007199254740992.0;
        for (double range : {1.0, 4.0, 100.0, 800.0}) x.push_back(static_cast<T>((2 * u - 1) * range));
    }
    std::erase_if(x, [&](T v) { return static_cast<double>(v) < low || static_cast<double>(v) > high; });
    return x;
}

template <class T, class F, class G>
void check_accuracy(const std::string& name, F function, G wanted, double limit, double low = -HUGE_VAL, double high = HUGE_VAL) {
    using lanes = pack_lanes<static_cast<int>(xsimd::batch<T>::size), native>;
    std::vector<T> x = arguments<T>(low, high);
    while (x.size() % lanes::size != 0) x.push_back(T(0.75));
    double worst = 0;
    T worst_at = 0, moved = 0;
    for (std::size_t i = 0; i < x.size(); i += lanes::size) {
        T y[lanes::size];
        lanes::store(y, function(lanes::load(x.data() + i)));
        for (std::size_t k = 0; k < lanes::size; ++k) {
            const double d = distance<T>(y[k], wanted(static_cast<exact<T>>(x[i + k])));
            if (d > worst) {
                worst = d;
                worst_at = x[i + k];
            }
        }
        // What a number gives does not depend on its neighbours.
        const std::size_t k = i / lanes::size % lanes::size;
        T alone[lanes::size];
        lanes::store(alone, function(lanes::broadcast(x[i + k])));
        if (std::memcmp(alone, y + k, sizeof(T)) != 0 && y[k] == y[k]) moved = x[i + k];
    }
    CAPTURE(name);
    CAPTURE(worst_at);
    CHECK(worst <= limit);
    CHECK(moved == 0);
}

template <class T> using lanes_of = pack_lanes<static_cast<int>(xsimd::batch<T>::size), native>;

struct plus {
    template <class V> static V combine(V a, V b) { return a + b; }
};
struct greatest {
    template <class V> static V combine(V a, V b) { return maximum(a, b); }
};
struct or_ {
    template <class V> static V combine(V a, V b) { return a || b; }
};

/// Of what is above 0: near its root by Taylor's series, else by its recurrence up to where the asymptotic series is exact.
template <class X> X digamma_by_series(X x) {
    if (x == 0) return -std::numeric_limits<X>::infinity();
    if (x == std::numeric_limits<X>::infinity()) return x;
    if (const X d = (x - X(1.4616321449683622)) - X(9.5499954299656977151842e-17L); std::abs(d) < X(0.001)) {
        const X c[] = {X(0.967672245447621170427445L), X(-0.442763168983592106092865L), X(0.258499760955651010624401L), X(-0.163942705442406527504251L), X(0.107824050691262365757183L), X(-0.0721995612564547109261218L), X(0.0488042881641431072250925L)};
        X sum = 0;
        for (int i = 6; i >= 0; --i) sum = (sum + c[i]) * d;
        return sum;
    }
    X sum = 0;
    for (; x < 30; ++x) sum -= 1 / x;
    const X z = 1 / (x * x);
    return sum + std::log(x) - X(0.5) / x - z * (X(1) / 12 - z * (X(1) / 120 - z * (X(1) / 252 - z * (X(1) / 240 - z * (X(1) / 132 - z * 691 / 32760)))));
}

}  // namespace

// The limits are what was measured, rounded up; the functions that matter most stay within 2 units in the last place.
TEST_CASE_TEMPLATE("elementary functions", T, float, double) {
    constexpr bool f = std::is_same_v<T, float>;
    check_accuracy<T>("exp", [](auto x) { return exp(x); }, [](auto x) { return std::exp(x); }, 1.1);
    check_accuracy<T>("exp2", [](auto x) { return exp2(x); }, [](auto x) { return std::exp2(x); }, 1.2);
    check_accuracy<T>("expm1", [](auto x) { return expm1(x); }, [](auto x) { return std::expm1(x); }, 2.1);
    check_accuracy<T>("log", [](auto x) { return log(x); }, [](auto x) { return std::log(x); }, 1.0);
    check_accuracy<T>("log2", [](auto x) { return log2(x); }, [](auto x) { return std::log2(x); }, f ? 1.8 : 1.4);
    check_accuracy<T>("log10", [](auto x) { return log10(x); }, [](auto x) { return std::log10(x); }, 1.4);
    check_accuracy<T>("log1p", [](auto x) { return log1p(x); }, [](auto x) { return std::log1p(x); }, 0.9);
    check_accuracy<T>("tanh", [](auto x) { return tanh(x); }, [](auto x) { return std::tanh(x); }, f ? 1.5 : 1.9);
    check_accuracy<T>("sqrt", [](auto x) { return sqrt(x); }, [](auto x) { return std::sqrt(x); }, 0.5001);
    check_accuracy<T>("sin", [](auto x) { return sin(x); }, [](auto x) { return std::sin(x); }, 1.9);
    check_accuracy<T>("cos", [](auto x) { return cos(x); }, [](auto x) { return std::cos(x); }, 1.6);
    check_accuracy<T>("tan", [](auto x) { return tan(x); }, [](auto x) { return std::tan(x); }, 3.5);
    check_accuracy<T>("asin", [](auto x) { return asin(x); }, [](auto x) { return std::asin(x); }, 2.5);
    check_accuracy<T>("acos", [](auto x) { return acos(x); }, [](auto x) { return std::acos(x); }, 1.5);
    check_accuracy<T>("atan", [](auto x) { return atan(x); }, [](auto x) { return std::atan(x); }, 2.5);
    check_accuracy<T>("sinh", [](auto x) { return sinh(x); }, [](auto x) { return std::sinh(x); }, 3);
    check_accuracy<T>("cosh", [](auto x) { return cosh(x); }, [](auto x) { return std::cosh(x); }, 3);
    check_accuracy<T>("asinh", [](auto x) { return asinh(x); }, [](auto x) { return std::asinh(x); }, 4);
    check_accuracy<T>("acosh", [](auto x) { return acosh(x); }, [](auto x) { return std::acosh(x); }, 4);
    check_accuracy<T>("atanh", [](auto x) { return atanh(x); }, [](auto x) { return std::atanh(x); }, 2);
    check_accuracy<T>("cbrt", [](auto x) { return cbrt(x); }, [](auto x) { return std::cbrt(x); }, 1.6);
    check_accuracy<T>("erf", [](auto x) { return erf(x); }, [](auto x) { return std::erf(x); }, 1.9);
    check_accuracy<T>("lgamma", [](auto x) { return lgamma(x); }, [](auto x) { return std::lgamma(x); }, 8);
    check_accuracy<T>("digamma", [](auto x) { return digamma(abs(x)); }, [](auto x) { return digamma_by_series(std::abs(x)); }, 8);
    check_accuracy<T>("digamma below 0", [](auto x) { return digamma(-abs(x)); }, [](auto x) { return croton::kernel::digamma(-std::abs(static_cast<T>(x))); }, 0);
    check_accuracy<T>("log_odds", [](auto x) { return log_odds(x); }, [](auto x) {
        if (x > 0.25L && x < 0.75L) return 2 * std::atanh(2 * x - 1);
        return std::log(x / (1 - x));
    }, 2);
    check_accuracy<T>("erfc", [](auto x) { return erfc(x); }, [](auto x) { return std::erfc(x); }, 3.5);
    check_accuracy<T>("normal_cdf", [](auto x) { return normal_cdf(x); },
                      [](auto x) { return std::erfc(-x * static_cast<decltype(x)>(0.707106781186547524400844L)) / 2; }, 4);
    check_accuracy<T>("floor", [](auto x) { return floor(x); }, [](auto x) { return std::floor(x); }, 0);
    check_accuracy<T>("ceil", [](auto x) { return ceil(x); }, [](auto x) { return std::ceil(x); }, 0);
    check_accuracy<T>("trunc", [](auto x) { return trunc(x); }, [](auto x) { return std::trunc(x); }, 0);
    check_accuracy<T>("round", [](auto x) { return round(x); }, [](auto x) { return std::round(x); }, 0);
    check_accuracy<T>("rint", [](auto x) { return rint(x); }, [](auto x) { return std::rint(x); }, 0);
    check_accuracy<T>("abs", [](auto x) { return abs(x); }, [](auto x) { return std::fabs(x); }, 0);
    // The two that stable cross-entropies are made of.
    check_accuracy<T>("softplus", [](auto x) { return log1p(exp(-abs(x))); },
                      [](auto x) { return std::log1p(std::exp(-std::fabs(x))); }, 2.5);
}

TEST_CASE_TEMPLATE("functions of two numbers", T, float, double) {
    using lanes = lanes_of<T>;
    std::vector<T> x = arguments<T>(-HUGE_VAL, HUGE_VAL), y = x;
    std::mt19937 random(5);
    std::shuffle(y.begin(), y.end(), random);
    for (std::size_t i = 0; i < 29; ++i)
        for (std::size_t j = 0; j < 29; ++j) {
            x.push_back(x[i]);
            y.push_back(x[j]);
        }
    while (x.size() % lanes::size != 0) {
        x.push_back(1);
        y.push_back(2);
    }
    const auto check = [&](const std::string& name, auto function, auto wanted, double limit) {
        double worst = 0;
        T at[2] = {0, 0};
        for (std::size_t i = 0; i < x.size(); i += lanes::size) {
            T got[lanes::size];
            lanes::store(got, function(lanes::load(x.data() + i), lanes::load(y.data() + i)));
            for (std::size_t k = 0; k < lanes::size; ++k)
                if (const double d = distance<T>(got[k], wanted(x[i + k], y[i + k])); d > worst) {
                    worst = d;
                    at[0] = x[i + k], at[1] = y[i + k];
                }
        }
        CAPTURE(name);
        CAPTURE(at[0]);
        CAPTURE(at[1]);
        CHECK(worst <= limit);
    };
    using E = exact<T>;
    check("atan2", [](auto a, auto b) { return atan2(a, b); }, [](E a, E b) { return std::atan2(a, b); }, 2.6);
    check("hypot", [](auto a, auto b) { return hypot(a, b); }, [](E a, E b) { return std::hypot(a, b); }, 1.2);
    check("fmod", [](auto a, auto b) { return fmod(a, b); }, [](E a, E b) { return std::fmod(a, b); }, 0);
    check("nextafter", [](auto a, auto b) { return nextafter(a, b); }, [](T a, T b) { return static_cast<E>(std::nextafter(a, b)); }, 0);
}

TEST_CASE_TEMPLATE("pow at special points and in between", T, float, double) {
    using lanes = lanes_of<T>;
    using limits = std::numeric_limits<T>;
    const T special[] = {T(0), -T(0), T(1), T(-1), T(2), T(-2), T(3), T(-3), T(0.5), T(-0.5), T(2.5), T(-2.5), limits::infinity(),
                         -limits::infinity(), limits::quiet_NaN(), limits::denorm_min(), limits::max(), T(1e10), T(16777217)};
    const auto one = [](T x, T y) {
        T out[lanes::size];
        lanes::store(out, pow(lanes::broadcast(x), lanes::broadcast(y)));
        return out[0];
    };
    for (T x : special)
        for (T y : special) {
            CAPTURE(x);
            CAPTURE(y);
            CHECK(distance<T>(one(x, y), std::pow(static_cast<exact<T>>(x), static_cast<exact<T>>(y))) <= 1);
        }
    std::mt19937 random(3);
    std::uniform_real_distribution<double> base(-8, 8), exponent(-12, 12);
    for (int i = 0; i < 3000; ++i) {
        const T x = static_cast<T>(std::exp(base(random))), y = static_cast<T>(exponent(random));
        CHECK(distance<T>(one(x, y), std::pow(static_cast<exact<T>>(x), static_cast<exact<T>>(y))) <= 1.3);
    }
    // Near 1 a logarithm is small, and large exponents ask for all of its digits.
    std::uniform_real_distribution<double> little(-0.02, 0.02);
    for (int i = 0; i < 3000; ++i) {
        const T x = static_cast<T>(1 + little(random)), y = static_cast<T>(exponent(random) * (std::is_same_v<T, float> ? 300 : 2000));
        CHECK(distance<T>(one(x, y), std::pow(static_cast<exact<T>>(x), static_cast<exact<T>>(y))) <= 1.5);
    }
}

TEST_CASE("comparisons, extremes and NaN") {
    using lanes = lanes_of<float>;
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const float points[] = {0.0f, -0.0f, 1.0f, -2.0f, INFINITY, -INFINITY, nan};
    for (float x : points)
        for (float y : points) {
            const auto a = lanes::broadcast(x), b = lanes::broadcast(y);
            const auto is = [](const auto& m) {
                bool out[lanes::size];
                lanes::store(out, m);
                return out[0];
            };
            CHECK(is(a == b) == (x == y));
            CHECK(is(a != b) == (x != y));
            CHECK(is(a < b) == (x < y));
            CHECK(is(a <= b) == (x <= y));
            CHECK(is(a > b) == (x > y));
            CHECK(is(a >= b) == (x >= y));
            CHECK(is(isnan(a)) == std::isnan(x));
            CHECK(is(isinf(a)) == std::isinf(x));
            CHECK(is(isfinite(a)) == std::isfinite(x));
            const float high = maximum(a, b).part[0].get(0), low = minimum(a, b).part[0].get(0);
            if (std::isnan(x) || std::isnan(y)) {
                CHECK(std::isnan(high));
                CHECK(std::isnan(low));
            } else {
                CHECK(high == (x > y ? x : y));
                CHECK(low == (x < y ? x : y));
            }
        }
}

TEST_CASE_TEMPLATE("integers", T, std::int32_t, std::int64_t) {
    using lanes = lanes_of<T>;
    const T points[] = {0, 1, -1, 7, -7, 100000, std::numeric_limits<T>::max(), std::numeric_limits<T>::lowest()};
    for (T x : points)
        for (T y : points) {
            const auto a = lanes::broadcast(x), b = lanes::broadcast(y);
            const auto wrap = [](auto v) { return static_cast<T>(v); };
            using u = std::make_unsigned_t<T>;
            CHECK((a + b).part[0].get(0) == wrap(static_cast<u>(x) + static_cast<u>(y)));
            CHECK((a - b).part[0].get(0) == wrap(static_cast<u>(x) - static_cast<u>(y)));
            CHECK((a * b).part[0].get(0) == wrap(static_cast<u>(x) * static_cast<u>(y)));
            CHECK(maximum(a, b).part[0].get(0) == std::max(x, y));
            CHECK(minimum(a, b).part[0].get(0) == std::min(x, y));
            if (y == 0) CHECK((a / b).part[0].get(0) == 0);
            else if (y != -1) CHECK((a / b).part[0].get(0) == x / y);
        }
}

TEST_CASE_TEMPLATE("memory: whole, in part, and nothing beside it", T, float, double, std::int32_t, std::int64_t, bool) {
    const auto with = [](auto lanes_type) {
        using lanes = decltype(lanes_type);
        T from[3 * lanes::size], to[3 * lanes::size];
        for (int count = 0; count <= static_cast<int>(lanes::size); ++count)
            for (std::size_t offset = 0; offset < 3; ++offset) {
                for (std::size_t i = 0; i < 3 * lanes::size; ++i) {
                    from[i] = static_cast<T>(i % 3);
                    to[i] = static_cast<T>(1);
                }
                const bool whole = count == lanes::size;
                const auto v = whole ? lanes::load(from + offset) : lanes::load(from + offset, count);
                if (whole) lanes::store(to + offset, v);
                else lanes::store(to + offset, v, count);
                for (std::size_t i = 0; i < 3 * lanes::size; ++i) {
                    const bool inside = i >= offset && i < offset + static_cast<std::size_t>(count);
                    CHECK(to[i] == (inside ? from[i] : static_cast<T>(1)));
                }
            }
    };
    with(lanes_of<float>{});
    if constexpr (sizeof(T) != 4) with(lanes_of<double>{});
    // Truth values have a way of their own in each width of registers.
    if constexpr (std::is_same_v<T, bool>) {
#if CROTON_HAS_SSE2
        with(pack_lanes<4, xsimd::sse2>{});
        with(pack_lanes<2, xsimd::sse2>{});
#endif
#if CROTON_HAS_AVX2
        with(pack_lanes<8, xsimd::avx2>{});
        with(pack_lanes<4, xsimd::avx2>{});
#endif
    }
}

TEST_CASE("conversions between all element types") {
    using lanes = lanes_of<float>;
    constexpr std::size_t n = lanes::size;
    const auto convert = [&](auto from_type, auto to_type) {
        using from = decltype(from_type);
        using to = decltype(to_type);
        from x[n];
        to y[n];
        for (std::size_t i = 0; i < n; ++i) x[i] = static_cast<from>((static_cast<double>(i) - 3) * 1.75);
        lanes::store(y, lanes::convert<to>(lanes::load(x)));
        for (std::size_t i = 0; i < n; ++i) CHECK(y[i] == static_cast<to>(x[i]));
    };
    const auto to_all = [&](auto from) {
        convert(from, float{});
        convert(from, double{});
        convert(from, std::int32_t{});
        convert(from, std::int64_t{});
        convert(from, bool{});
    };
    to_all(float{});
    to_all(double{});
    to_all(std::int32_t{});
    to_all(std::int64_t{});
    to_all(bool{});
}

TEST_CASE("floats as int64, some of them larger than all ints") {
    using lanes = lanes_of<float>;
    constexpr std::size_t n = lanes::size;
    for (const float large : {0.5f, 2147483520.0f, 2147483648.0f, -2147483648.0f, -2147483904.0f, 9.2e18f, -9223372036854775808.0f})
        for (std::size_t place = 0; place < n; ++place) {
            float x[n];
            std::int64_t y[n];
            for (std::size_t i = 0; i < n; ++i) x[i] = i == place ? large : -1.75f * static_cast<float>(i);
            lanes::store(y, lanes::convert<std::int64_t>(lanes::load(x)));
            for (std::size_t i = 0; i < n; ++i) CHECK(y[i] == static_cast<std::int64_t>(x[i]));
        }
}

TEST_CASE("truth values in every form of another type") {
    using lanes = lanes_of<float>;
    constexpr int n = lanes::size;
    int wrong = 0;
    const auto check = [&]<class From, class To>(From, To) {
        for (unsigned pattern = 0; pattern < 1u << n; ++pattern) {
            From x[n];
            To one[n], y[n];
            for (int i = 0; i < n; ++i) x[i] = static_cast<From>(pattern >> i & 1), one[i] = To(1);
            const auto truth = lanes::load(x) != lanes::broadcast(From(0));
            lanes::store(y, select(mask_cast<To>(truth), lanes::load(one), lanes::broadcast(To(0))));
            for (int i = 0; i < n; ++i) wrong += y[i] != static_cast<To>(x[i]) ? 1 : 0;
        }
    };
    const auto to_all = [&](auto from) {
        check(from, float{});
        check(from, double{});
        check(from, std::int32_t{});
        check(from, std::int64_t{});
    };
    to_all(float{});
    to_all(double{});
    to_all(std::int32_t{});
    to_all(std::int64_t{});
    CHECK(wrong == 0);
}

TEST_CASE("lanes: numbering, reduction, selection by masks of another type") {
    using lanes = lanes_of<float>;
    constexpr int n = lanes::size;
    CHECK(fold<plus>(lanes::iota<std::int64_t>(5)) == 5 * n + n * (n - 1) / 2);
    CHECK(fold<plus>(lanes::iota<std::int32_t>(5)) == 5 * n + n * (n - 1) / 2);
    CHECK(fold<greatest>(lanes::iota<float>(1.0f)) == static_cast<float>(n));
    CHECK(fold<greatest>(lanes::iota<double>(1.0)) == static_cast<double>(n));
    CHECK(fold<or_>(lanes::iota<double>(0.0) == lanes::broadcast(2.0)));
    CHECK(!fold<or_>(lanes::iota<double>(0.0) == lanes::broadcast(-1.0)));
    const auto small = lanes::iota<double>(0.0) < lanes::broadcast(2.0);
    CHECK(fold<plus>(select(small, lanes::iota<float>(10.0f), lanes::broadcast(0.0f))) == 21.0f);
    CHECK(fold<plus>(select(small && (lanes::iota<std::int32_t>(0) == lanes::broadcast(1)), lanes::iota<std::int64_t>(10),
                            lanes::broadcast(std::int64_t{0}))) == 11);
}

TEST_CASE("lanes: two reductions at once are those of each") {
    const auto both = [](auto zero) {
        using T = decltype(zero);
        using lanes = lanes_of<T>;
        T x[lanes::size], y[lanes::size];
        for (int i = 0; i < lanes::size; ++i) {
            x[i] = T(1) / static_cast<T>(i + 1);
            y[i] = static_cast<T>((i * 5) % 7) - T(0.3);
        }
        const auto a = lanes::load(x), b = lanes::load(y);
        const auto [first, second] = fold_two<plus>(a, b);
        CHECK(first == fold<plus>(a));
        CHECK(second == fold<plus>(b));
        CHECK(fold_two<greatest>(b, a).first == fold<greatest>(b));
        CHECK(fold_two<greatest>(b, a).second == T(1));
    };
    both(float{});
    both(double{});
}

#endif
