// SPDX-License-Identifier: MIT
// What NumPy, SciPy and mpmath make of a few ordinary and special numbers, for each operator of the table and each element type that it takes: values/operators.txt,
// by make_operators.py. Operators are taken from the table: of one without a row the test fails.
#ifndef CROTON_TESTS_GOLDEN_OPERATORS_HPP
#define CROTON_TESTS_GOLDEN_OPERATORS_HPP

#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "ops/together.hpp"

namespace golden {

using namespace croton;

/// The rows of one element type: what stands behind the name of an argument or of an operator.
using rows = std::map<std::string, std::vector<std::string>>;

/// All rows of a file, by the first word of each.
inline std::map<std::string, rows> read_rows(const std::string& file) {
    std::map<std::string, rows> all;
    std::ifstream in(std::filesystem::path(__FILE__).parent_path() / "values" / file);
    for (std::string line; std::getline(in, line);) {
        std::istringstream words(line);
        std::string type, name;
        words >> type >> name;
        if (type == "#") continue;
        auto& row = all[type][name];
        for (std::string word; words >> word;) row.push_back(word);
    }
    return all;
}
inline std::map<std::string, rows> read_operators() { return read_rows("operators.txt"); }

template <class T> T number(const std::string& word) {
    if constexpr (std::is_same_v<T, bool>) return word != "0";
    else if constexpr (std::is_unsigned_v<T>) return static_cast<T>(std::strtoull(word.c_str(), nullptr, 10));
    else if constexpr (std::is_integral_v<T>) return static_cast<T>(std::strtoll(word.c_str(), nullptr, 10));
    else if constexpr (std::is_same_v<T, oracle::real>) return std::strtold(word.c_str(), nullptr);
    else return static_cast<T>(std::strtod(word.c_str(), nullptr));
}

template <class T> array<T, 2> argument(const rows& from, const std::string& name) {
    const auto& words = from.at(name);
    array<T, 2> x(1, static_cast<std::int64_t>(words.size()));
    for (std::int64_t i = 0; i < x.size(); ++i) x(0, i) = number<T>(words[static_cast<std::size_t>(i)]);
    return x;
}

/// Whether NumPy says which of two equal arguments an operator gives, and so of which sign a zero is.
template <class Op> inline constexpr bool chooses_zero =
    std::is_same_v<Op, op::maximum> || std::is_same_v<Op, op::minimum> || std::is_same_v<Op, op::relu> || std::is_same_v<Op, op::clip>;

template <class Op, class T, class R> void check_result(const R& got, const rows& from) {
    const std::string name(Op::name);
    CAPTURE(name);
    REQUIRE(from.contains(name));
    const auto& want = from.at(name);
    REQUIRE(got.size() == static_cast<std::int64_t>(want.size()));
    using E = typename R::value_type;
    using V = arithmetic_t<T>;
    for (std::int64_t i = 0; i < got.size(); ++i) {
        const E x = got(0, i);
        const auto& word = want[static_cast<std::size_t>(i)];
        const auto given = [&](const char* which) { return number<V>(from.at(which)[static_cast<std::size_t>(i)]); };
        bool same;
        if constexpr (std::is_floating_point_v<E>) {
            const auto wanted = number<oracle::real>(word);
            const bool sign_counts = wanted == 0 && !chooses_zero<Op>;
            same = oracle::distance_in_ulps(x, wanted, oracle::size_of_parts<Op>(given("a"), given("b"))) <= oracle::formula<Op>::ulps &&
                   (!sign_counts || std::signbit(x) == std::signbit(wanted));
        } else {
            same = x == number<E>(word);
        }
        CHECK_MESSAGE(same, name, " of ", name_of(element_of<T>), " at ", +given("a"), ", ", +given("b"), ", ", +given("c"), " is ", +x, " and not ", word);
    }
}

/// Every operator that takes elements of this type, on both devices, with the bound that OPERATORS.md says.
template <element E> void check_operators() {
    using T = element_t<E>;
    const auto all = read_operators();
    const rows& from = all.at(std::string(name_of(E)));
    const auto a = argument<T>(from, "a"), b = argument<T>(from, "b"), c = argument<T>(from, "c");
    const auto chooses = argument<bool>(from, "chooses");
    elementwise_check::in_groups<T>([&]<class... Op>(detail::type_list<Op...>) {
        const auto check = [&](auto f) { std::apply([&](const auto&... result) { (check_result<Op, T>(result, from), ...); }, f(a, b, c, chooses)); };
        check(function<cpu>(elementwise_check::together<T, Op...>()));
        check(function<reference>(elementwise_check::together<T, Op...>()));
    });
}

}  // namespace golden

#endif
