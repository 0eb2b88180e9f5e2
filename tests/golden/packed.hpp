// SPDX-License-Identifier: MIT
// What NumPy makes of parts of arrays, all results of one function in one file: values/part_*.npy, by make_parts.py.
#ifndef CROTON_TESTS_GOLDEN_PACKED_HPP
#define CROTON_TESTS_GOLDEN_PACKED_HPP

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <string>
#include <tuple>
#include <type_traits>

#include <croton/array/npy.hpp>
#include <croton/croton.hpp>

namespace golden {

using namespace croton;

/// Reads the arrays of a file one after the other.
class packed {
public:
    explicit packed(std::string name) : name_(std::move(name)), numbers_(load_npy<array<double, 1>>(std::filesystem::path(__FILE__).parent_path() / "values" / ("part_" + name_ + ".npy"))) {}

    /// The next array, as one to compute with.
    template <class T, int Rank> array<T, Rank> take() {
        array<T, Rank> a(extents<Rank>());
        for (T& e : a) e = static_cast<T>(next());
        return a;
    }

    /// Checks every array of a result against the next, up to `ulps` units in the last place.
    template <class... A> void check(const std::tuple<A...>& results, double ulps = 0) {
        std::apply([&](const auto&... a) { (check(a, ulps), ...); }, results);
    }
    template <class T, int Rank> void check(const array<T, Rank>& got, double ulps = 0) {
        const std::int64_t result = count_++;
        INFO(name_ << ", result " << result);
        REQUIRE(got.extents() == extents<Rank>());
        for (std::int64_t i = 0; i < got.size(); ++i) {
            const double x = static_cast<double>(got.data()[i]), want = next();
            const bool same = x == want || (x != x && want != want) ||
                              std::fabs(x - want) <= ulps * std::fabs(want) * (std::is_same_v<T, float> ? 1.1920929e-7 : 2.220446049250313e-16);
            CHECK_MESSAGE(same, "element " << i << " is " << x << " and not " << want);
        }
    }
    /// Checks an array against the next one: how far it is from it, in parts of the largest number there.
    template <class T, int Rank> void check_near(const array<T, Rank>& got, double tolerance) {
        const std::int64_t result = count_++;
        INFO(name_ << ", result " << result);
        const auto want = take<double, Rank>();
        REQUIRE(got.extents() == want.extents());
        double largest = 0, furthest = 0;
        for (std::int64_t i = 0; i < got.size(); ++i) {
            largest = std::max(largest, std::fabs(want.data()[i]));
            furthest = std::max(furthest, std::fabs(static_cast<double>(got.data()[i]) - want.data()[i]));
        }
        CHECK(furthest <= tolerance * largest);
    }
    template <class... A> void check_near(const std::tuple<A...>& results, double tolerance) {
        std::apply([&](const auto&... a) { (check_near(a, tolerance), ...); }, results);
    }
    bool has_more() const { return at_ < numbers_.size(); }
    void done() const { CHECK(at_ == numbers_.size()); }

private:
    std::string name_;
    array<double, 1> numbers_;
    std::int64_t at_ = 0, count_ = 0;

    double next() {
        REQUIRE(at_ < numbers_.size());
        return numbers_(at_++);
    }
    template <int Rank> extents_of<Rank> extents() {
        REQUIRE(static_cast<int>(next()) == Rank);
        extents_of<Rank> e{};
        for (auto& each : e) each = static_cast<std::int64_t>(next());
        return e;
    }
};

}  // namespace golden

#endif
