// SPDX-License-Identifier: MIT
// Sums and products have one normal form, and a second sweep finds nothing left to do.
#include <doctest/doctest.h>

#include "rewrite/normal.hpp"

using namespace croton;
using rewrite_tests::normal_free;

namespace {

using V = croton::vector<double, dim("n")>;
using M = matrix<double, dim("m"), dim("n")>;

}  // namespace

TEST_CASE("terms of a sum are collected") {
    CHECK(normal_free([](V x) { return x - x; }) == "broadcast(0)");
    CHECK(normal_free([](V x) { return x + x; }) == "multiply(a, 2)");
    CHECK(normal_free([](V x) { return -(-x); }) == "a");
    CHECK(normal_free([](V x) { return 1 - (1 - x); }) == "a");
    CHECK(normal_free([](V x) { return 0 + x - 0; }) == "a");
    CHECK(normal_free([](V x) { return x + 2 + 3; }) == "add(a, 5)");
    CHECK(normal_free([](V x) { return 3 - (x - 2); }) == "subtract(5, a)");
    CHECK(normal_free([](V x, V y) { return x - (y - x); }) == "subtract(multiply(a, 2), b)");
    CHECK(normal_free([](V x, V y) { return x * y - y * x; }) == "broadcast(0)");
    CHECK(normal_free([](V x, V y, V z) { return (x + y) - (z + y); }) == "subtract(a, c)");
}

TEST_CASE("a scaled sum is multiplied out only where a term meets its like") {
    CHECK(normal_free([](V x, V y) { return 2 * (x + y); }) == "multiply(add(a, b), 2)");
    CHECK(normal_free([](V x, V y) { return 2 * (x + y) - 2 * x; }) == "multiply(b, 2)");
    CHECK(normal_free([](V x, V y) { return -2 * x + 2 * (x + y); }) == "multiply(b, 2)");
    CHECK(normal_free([](V x) { return (x + 2) * 3 + 1; }) == "add(multiply(add(a, 2), 3), 1)");
    CHECK(normal_free([](V w, V g) { return w - 0.5 * (g + 0.5 * w); }) == "subtract(multiply(a, 0.75), multiply(b, 0.5))");
}

TEST_CASE("factors of a product are collected") {
    CHECK(normal_free([](V x) { return x / x; }) == "broadcast(1)");
    CHECK(normal_free([](V x, V y) { return (x * y) / x; }) == "b");
    CHECK(normal_free([](V x) { return 2 * x * 3; }) == "multiply(a, 6)");
    CHECK(normal_free([](V x) { return x * 1 / 1; }) == "a");
    CHECK(normal_free([](V x) { return x * 0; }) == "broadcast(0)");
    CHECK(normal_free([](V x) { return 0 / x; }) == "broadcast(0)");
    CHECK(normal_free([](V x) { return x / 4 / 2; }) == "multiply(a, 0.125)");
    CHECK(normal_free([](V x) { return 1 / (1 / x); }) == "a");
    CHECK(normal_free([](V x, V y, V z) { return x / (y / z); }) == "divide(multiply(a, c), b)");
    CHECK(normal_free([](V x, V y) { return (2 * x) / (4 * y); }) == "multiply(divide(a, b), 0.5)");
    CHECK(normal_free([](V x, V y) { return -x * -y; }) == "multiply(a, b)");
    CHECK(normal_free([](V x) { return sqrt(x) * sqrt(x); }) == "a");
    CHECK(normal_free([](V x) { return x * x * x / x; }) == "sqr(a)");
}

TEST_CASE("powers") {
    CHECK(normal_free([](V x) { return pow(x, 0); }) == "broadcast(1)");
    CHECK(normal_free([](V x) { return pow(x, 1); }) == "a");
    CHECK(normal_free([](V x) { return pow(x, 2); }) == "sqr(a)");
    CHECK(normal_free([](V x) { return pow(x, 3); }) == "multiply(a, sqr(a))");
    CHECK(normal_free([](V x) { return pow(x, 8); }) == "sqr(sqr(sqr(a)))");
    CHECK(normal_free([](V x) { return pow(x, -1); }) == "divide(1, a)");
    CHECK(normal_free([](V x) { return pow(x, -2); }) == "divide(1, sqr(a))");
    CHECK(normal_free([](V x) { return pow(x, 0.5); }) == "sqrt(a)");
    CHECK(normal_free([](V x) { return pow(x, -0.5); }) == "divide(1, sqrt(a))");
    CHECK(normal_free([](V x) { return pow(2 * x, 2); }) == "multiply(sqr(a), 4)");
    CHECK(normal_free([](V x) { return pow(pow(x, 2), 3); }) == "multiply(sqr(a), sqr(sqr(a)))");
}

TEST_CASE("exponentials multiply") {
    CHECK(normal_free([](V x, V y) { return exp(x) * exp(y); }) == "exp(add(a, b))");
    CHECK(normal_free([](V x, V y) { return exp(x) / exp(y); }) == "exp(subtract(a, b))");
    CHECK(normal_free([](V x) { return exp(x) * exp(-x); }) == "broadcast(1)");
    CHECK(normal_free([](V x, V y) { return y / exp(x); }) == "multiply(b, exp(negative(a)))");
}

TEST_CASE("functions that undo each other, and useless ones") {
    CHECK(normal_free([](V x) { return sqrt(sqr(x)); }) == "abs(a)");
    CHECK(normal_free([](V x) { return sqrt(x * x); }) == "abs(a)");
    CHECK(normal_free([](V x) { return abs(-x); }) == "abs(a)");
    CHECK(normal_free([](V x) { return relu(relu(x)); }) == "relu(a)");
    CHECK(normal_free([](V x) { return relu(exp(x)); }) == "exp(a)");
    CHECK(normal_free([](V x) { return maximum(x, x); }) == "a");
    CHECK(normal_free([](V x, V y) { return where(x > y, x, x); }) == "a");
    CHECK(normal_free([](V x) { return x == x; }) == "equal(a, a)");  // not where x is NaN
    CHECK(normal_free([](V x, V y) { return !!(x > y); }) == "greater(a, b)");
    CHECK(normal_free([](M x) { return transpose(transpose(x)); }) == "a");
    CHECK(normal_free([](M x) { return reshape<dynamic>(reshape<dynamic>(x)); }) == "reshape(a)");
}

TEST_CASE("sums lose their scales and nest no more") {
    CHECK(normal_free([](V x) { return sum(2 * x); }) == "multiply(view(sum(a)), 2)");
    CHECK(normal_free([](M x) { return sum(sum<0>(x)); }) == "view(sum(a))");
    CHECK(normal_free([](M x) { return sum<0>(sum<1>(x)); }) == "view(sum(a))");
    CHECK(normal_free([](M x) { return max(max<0>(x)); }) == "view(max(a))");
    CHECK(normal_free([](M x, scalar<double> s) { return dot(2 * x, transpose(s * x)); }) == "multiply(multiply(dot(a, T(a)), b), 2)");
    CHECK(normal_free([](M x, M y) { return transpose(dot(x, transpose(y))); }) == "dot(b, T(a))");
}

TEST_CASE("literals fold, dead code goes") {
    CHECK(normal_free([](V x) { auto unused = exp(x) + 1; (void)unused; return x + (x - x); }) == "a");
    CHECK(normal_free([](V x) { return x * (0.5 * 4); }) == "multiply(a, 2)");
    CHECK(normal_free([](croton::vector<int> x) { return x + x - 3 + 3; }) != "");
    CHECK(normal_free([](croton::vector<int> x) { return croton::detail::elementwise<croton::op::divide>(x, x); }) == "divide(a, a)");  // 0 / 0
}

TEST_CASE("what one sweep leaves, a second leaves too") {
    CHECK(normal_free([](V x, V y) {
              auto a = tanh(x) * y - sigmoid(x) / (1 + exp(-y));
              return sqr(a) + 3 * (a - y) / (2 + sqr(x)) - log(1 + exp(a)) * (1 - sigmoid(a));
          }).find("and then") == std::string::npos);
    CHECK(normal_free([](M x, V w) {
              auto p = softmax(dot(x, w));
              auto cost = -mean(log(p)) + 0.01 * sum(sqr(w));
              return std::tuple(cost, grad(cost, w));
          }).find("and then") == std::string::npos);
}
