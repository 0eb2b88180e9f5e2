// SPDX-License-Identifier: MIT
// Special numbers: NaN, infinities, zeros of both signs, the largest, the smallest and the subnormal. What NumPy makes of them stands
// in values/special_*.npy, by make_golden.py: rows of arguments, then a row for each function.
#ifndef CROTON_TESTS_GOLDEN_SPECIAL_HPP
#define CROTON_TESTS_GOLDEN_SPECIAL_HPP

#include <doctest/doctest.h>

#include <cmath>
#include <filesystem>
#include <limits>
#include <sstream>
#include <string>
#include <tuple>
#include <type_traits>

#include <croton/array/npy.hpp>
#include <croton/croton.hpp>

namespace golden {

using namespace croton;

template <class T, int Rank> array<T, Rank> load(const std::string& name) {
    constexpr const char* type = std::is_same_v<T, float> ? "float32" : std::is_same_v<T, double> ? "float64" : std::is_same_v<T, int> ? "int32" : "int64";
    return load_npy<array<T, Rank>>(std::filesystem::path(__FILE__).parent_path() / "values" / ("special_" + name + "_" + type + ".npy"));
}

/// Functions of which NumPy does not say, and croton neither, which of two equal arguments they give: a zero has the sign of either.
inline bool chooses_zero(const std::string& function) {
    for (const char* chooses : {"maximum", "minimum", "max", "min", "relu", "clip to y and 1", "clip to -1 and y"})
        if (function == chooses) return true;
    return false;
}

/// Whether `x` is what NumPy says up to `ulps` units of the last place, the sign of a zero included where `signs` says so.
template <class T> bool same(T x, T want, double ulps, bool signs) {
    if constexpr (!std::is_floating_point_v<T>) return x == want;
    else if (std::isnan(want)) return std::isnan(x);
    else if (x == want) return !signs || std::signbit(x) == std::signbit(want);
    else return std::fabs(static_cast<double>(x) - want) <= ulps * (std::fabs(static_cast<double>(want)) * std::numeric_limits<T>::epsilon() + std::numeric_limits<T>::denorm_min());
}

/// One result against one row. `given` says what went in.
template <class X, class T, class Given> void check_row(const std::string& function, const X& got, const view<const T, 1>& want, double ulps, Given&& given) {
    REQUIRE(got.size() == want.extent(0));
    for (std::int64_t i = 0; i < got.size(); ++i) {
        const T x = static_cast<T>(got.data()[i]);
        CHECK_MESSAGE(same(x, want(i), ulps, !chooses_zero(function)), function << given(i) << " is " << x << " and not " << want(i));
    }
}

/// All results of `f(columns...)`, whose names are given, against the rows behind the arguments.
template <int Arguments, class T, class F, class... Name> void check_table(F&& f, const array<T, 2>& table, double ulps, const Name&... name) {
    REQUIRE(table.extent(0) == Arguments + static_cast<int>(sizeof...(Name)));
    const auto results = [&] {
        if constexpr (Arguments == 1) return f(table[0]);
        else return f(table[0], table[1]);
    }();
    const auto given = [&](std::int64_t i) {
        std::ostringstream text;
        text << "(" << table(0, i);
        if (Arguments == 2) text << ", " << table(1, i);
        text << ")";
        return text.str();
    };
    std::apply([&](const auto&... result) {
        int row = Arguments;
        (check_row<std::remove_cvref_t<decltype(result)>, T>(name, result, table[row++], ulps, given), ...);
    }, results);
}

}  // namespace golden

#endif
