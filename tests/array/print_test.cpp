// SPDX-License-Identifier: MIT
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

#include <limits>
#include <numeric>
#include <sstream>

#include <croton/array/print.hpp>

using namespace croton;

namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

}  // namespace

// The expected texts are what NumPy prints.
TEST_CASE("numbers share one width") {
    CHECK(to_string(array<float, 1>{1, 2.25f, -3}) == "[ 1.    2.25 -3.  ]");
    CHECK(to_string(array<double, 1>{1.0 / 3, 2.0 / 3}) == "[0.33333333 0.66666667]");
    CHECK(to_string(array<int, 2>{{1, -20}, {300, 4}}) == "[[  1 -20]\n [300   4]]");
    CHECK(to_string(array<bool, 1>{true, false}) == "[ True False]");
    CHECK(to_string(array<bool, 2>{{true}, {true}}) == "[[ True]\n [ True]]");
    CHECK(to_string(array<float, 1>(3)) == "[0. 0. 0.]");
}

TEST_CASE("numbers far apart have exponents") {
    CHECK(to_string(array<double, 1>{1e10, 1.5}) == "[1.0e+10 1.5e+00]");
    CHECK(to_string(array<double, 1>{1e10}) == "[1.e+10]");
    CHECK(to_string(array<double, 1>{1.0 / 3, 2.0 / 3, 1e-9}) == "[3.33333333e-01 6.66666667e-01 1.00000000e-09]");
    CHECK(to_string(array<double, 1>{123456.789, 0.5}) == "[1.23456789e+05 5.00000000e-01]");
}

TEST_CASE("not a number and infinity") {
    CHECK(to_string(array<double, 2>{{1, not_a_number}, {-infinity, 0.1}}) == "[[ 1.   nan]\n [-inf  0.1]]");
    CHECK(to_string(array<double, 1>{not_a_number, 1}) == "[nan  1.]");
    CHECK(to_string(array<double, 0>{-infinity}) == "-inf");
}

TEST_CASE("one number has all of its digits") {
    CHECK(to_string(array<float, 0>{2.5f}) == "2.5");
    CHECK(to_string(array<double, 0>{1.0 / 3}) == "0.3333333333333333");
    CHECK(to_string(array<double, 0>{1e20}) == "1e+20");
    CHECK(to_string(array<float, 0>{2}) == "2.0");
    CHECK(to_string(array<std::int64_t, 0>{-7}) == "-7");
    CHECK(to_string(array<bool, 0>{true}) == "True");
}

TEST_CASE("long rows are wrapped") {
    array<float, 1> x(17);
    for (int i = 0; i < 17; ++i) x(i) = static_cast<float>(i) * 0.375f;
    CHECK(to_string(x) ==
          "[0.    0.375 0.75  1.125 1.5   1.875 2.25  2.625 3.    3.375 3.75  4.125\n"
          " 4.5   4.875 5.25  5.625 6.   ]");
}

TEST_CASE("large arrays are shortened") {
    array<int, 2> x(200, 200);
    std::iota(x.begin(), x.end(), 0);
    CHECK(to_string(x) == "[[    0     1     2 ...   197   198   199]\n"
                          " [  200   201   202 ...   397   398   399]\n"
                          " [  400   401   402 ...   597   598   599]\n"
                          " ...\n"
                          " [39400 39401 39402 ... 39597 39598 39599]\n"
                          " [39600 39601 39602 ... 39797 39798 39799]\n"
                          " [39800 39801 39802 ... 39997 39998 39999]]");
}

TEST_CASE("higher ranks, views and streams") {
    CHECK(to_string(array<int, 3>(2, 2, 3)) == "[[[0 0 0]\n  [0 0 0]]\n\n [[0 0 0]\n  [0 0 0]]]");
    CHECK(to_string(array<float, 2>(0, 3)) == "[]");
    const array<int, 2> a{{1, 2}, {3, 4}};
    std::ostringstream out;
    out << a.transpose() << a[0];
    CHECK(out.str() == "[[1 3]\n [2 4]][1 2]");
    out.str("");
    out << std::tuple(a[0], array<double, 0>(0.5)) << std::tuple(a, a(0), array<bool, 2>(1, 2));
    CHECK(out.str() == "([1 2], 0.5)([[1 2]\n  [3 4]],\n [1 2],\n [[False False]])");
}
