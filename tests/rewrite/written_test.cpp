// SPDX-License-Identifier: MIT
// What was written is what is computed: the order of operations, what they lose, and what cancels. Beside it, what goes anyway
// because no number can tell, and what a derivative added by itself.
#include <doctest/doctest.h>

#include "rewrite/normal.hpp"

using namespace croton;
using rewrite_tests::normal;
using rewrite_tests::normal_free;

namespace {

using V = croton::vector<double, dim("n")>;
using W = croton::vector<float, dim("n")>;
using M = matrix<double, dim("m"), dim("n")>;
using S = scalar<double>;
using I = croton::vector<std::int64_t, dim("n")>;
using J = croton::vector<int, dim("n")>;

}  // namespace

TEST_CASE("nothing that was written cancels") {
    CHECK(normal([](V x) { return x - x; }) == "subtract(a, a)");
    CHECK(normal([](V x) { return x / x; }) == "divide(a, a)");
    CHECK(normal([](V x) { return x * 0; }) == "multiply(a, 0)");
    CHECK(normal([](V x) { return 0 / x; }) == "divide(0, a)");
    CHECK(normal([](V x, S s) { return x + 0 * s; }) == "add(a, multiply(b, 0))");
    CHECK(normal([](V x, V y) { return (x + y) - y; }) == "subtract(add(a, b), b)");
    CHECK(normal([](V x, V y) { return (x * y) / y; }) == "divide(multiply(a, b), b)");
    CHECK(normal([](V x, V y) { return x / y / y; }) == "divide(divide(a, b), b)");
    CHECK(normal([](V x, V y, V z) { return x / (y / z); }) == "divide(a, divide(b, c))");
    CHECK(normal([](V x) { return 1 / (1 / x); }) == "divide(1, divide(1, a))");
    CHECK(normal([](V x, V y) { auto t = x + y; return (t - x) - y; }) == "subtract(subtract(add(a, b), a), b)");
    CHECK(normal([](V x) { auto c = 134217729 * x; return c - (c - x); }) == "subtract(multiply(a, 1.34218e+08), subtract(multiply(a, 1.34218e+08), a))");
    CHECK(normal([](V x) { return (x + 6755399441055744.0) - 6755399441055744.0; }) == "subtract(add(a, 6.7554e+15), 6.7554e+15)");
    CHECK(normal([](V x) { return 1 - (1 - x); }) == "subtract(1, subtract(1, a))");
    CHECK(normal([](V x) { return (x + 2) + 3; }) == "add(add(a, 2), 3)");
    CHECK(normal([](V x) { return 3 * x - 2 * x; }) == "subtract(multiply(a, 3), multiply(a, 2))");
    CHECK(normal([](V x, V y) { const auto xy = x * y, yx = y * x; return xy - yx; }) == "subtract(multiply(a, b), multiply(a, b))");
    CHECK(normal([](V x) { return x + 0; }) == "add(a, 0)");  // which makes 0 of -0
    CHECK(normal([](V x, V y) { return -(x - y); }) == "negative(subtract(a, b))");
    CHECK(normal([](V x, S s) { return x / s; }) == "divide(a, b)");
    CHECK(normal([](V x, S s, S t) { return x * s * t; }) == "multiply(multiply(a, b), c)");
}

TEST_CASE("no function that loses numbers is undone") {
    CHECK(normal([](V x) { return sqrt(x) * sqrt(x); }) == "sqr(sqrt(a))");
    CHECK(normal([](V x) { return sqrt(sqr(x)); }) == "sqrt(sqr(a))");
    CHECK(normal([](V x) { return log(exp(x)); }) == "log(exp(a))");
    CHECK(normal([](V x) { return exp(x) * exp(-x); }) == "multiply(exp(a), exp(negative(a)))");
    CHECK(normal([](V x, V y) { return y / exp(x); }) == "divide(b, exp(a))");
    CHECK(normal([](V x) { return log(1 / x); }) == "log(divide(1, a))");
    CHECK(normal([](V x) { return sigmoid(log(x / (1 - x))); }) == "sigmoid(log(divide(a, subtract(1, a))))");
    CHECK(normal([](V x) { return pow(pow(x, 0.5), 2); }).find("sqrt") != std::string::npos);
    CHECK(normal([](V x) { return pow(x, -2); }) == "sqr(divide(1, a))");
    CHECK(normal([](M x, S s) { return softmax(x + s); }) == "softmax(add(a, b))");
    CHECK(normal([](V x) { return sum(2 * x); }) == "view(sum(multiply(a, 2)))");
    CHECK(normal([](M x, V y) { return dot(0.5 * x, y); }) == "dot(multiply(a, 0.5), b)");
    CHECK(normal([](M x, V y) { return dot(0 * x, y); }) == "dot(multiply(a, 0), b)");
}

TEST_CASE("what no number can tell from what was written goes") {
    CHECK(normal([](V x) { return -(-x); }) == "a");
    CHECK(normal([](V x) { return x * 1 / 1; }) == "a");
    CHECK(normal([](V x) { return x - 0; }) == "a");
    CHECK(normal([](V x, V y) { return x - -y; }) == "add(a, b)");
    CHECK(normal([](V x, V y) { return -x + y; }) == "subtract(b, a)");
    CHECK(normal([](V x, V y) { return -x * -y; }) == "multiply(a, b)");
    CHECK(normal([](V x) { return x + x; }) == "multiply(a, 2)");
    CHECK(normal([](V x) { return 2 * x + 3 * x; }) == "multiply(a, 5)");
    CHECK(normal([](V x) { return x + x + x; }) == "multiply(a, 3)");
    CHECK(normal([](V x) { return -2 * x - x; }) == "multiply(a, -3)");
    CHECK(normal([](V x) { return x * x; }) == "sqr(a)");
    CHECK(normal([](V x) { return x * x * x * x; }) == "sqr(sqr(a))");
    CHECK(normal([](V x) { return pow(pow(x, 2), 3); }) == "multiply(sqr(a), sqr(sqr(a)))");
    CHECK(normal([](V x) { return pow(exp(x), 0.5); }) == "sqrt(exp(a))");
    CHECK(normal([](M x) { return softmax(x - max<1>(x, keepdims)); }) == "softmax(a)");
}

TEST_CASE("constant factors merge where no product leaves the range") {
    CHECK(normal([](V x) { return 2 * x * 3; }) == "multiply(a, 6)");
    CHECK(normal([](V x) { return x / 4 / 2; }) == "multiply(a, 0.125)");
    CHECK(normal([](V x) { return x * 4 * 0.5; }) == "multiply(multiply(a, 4), 0.5)");  // x 4 may be infinite where x 2 is not
    CHECK(normal([](V x) { return x * 1e200 * 1e200; }) == "multiply(multiply(a, 1e+200), 1e+200)");
    CHECK(normal([](V x) { return x * 1e-200 * 1e-200; }) == "multiply(multiply(a, 1e-200), 1e-200)");
    CHECK(normal([](V x) { return x * 1e-200 * 1e-107; }) == "multiply(a, 1e-307)");
    CHECK(normal([](V x) { return x * 1e-200 * 1e-109; }) == "multiply(multiply(a, 1e-200), 1e-109)");  // subnormal
    CHECK(normal([](V x) { return x * 1e200 + x * 1e200; }) == "multiply(a, 2e+200)");
    CHECK(normal([](V x) { return x * 1e308 + x * 1e308; }) == "add(multiply(a, 1e+308), multiply(a, 1e+308))");
    CHECK(normal([](V x) { return x / 1e-310; }) == "divide(a, 1e-310)");  // whose reciprocal is infinite
    CHECK(normal([](W x) { return x * 1e30 * 1e30; }) == "multiply(multiply(a, 1e+30), 1e+30)");
    CHECK(normal([](W x) { return x * 1e-45 * 2; }) == "multiply(multiply(a, 1e-45), 2)");
}

TEST_CASE("the reciprocal of a root is taken once for a row") {
    CHECK(normal([](V x, S s) { return x / sqrt(s); }) == "multiply(a, divide(1, sqrt(b)))");
    CHECK(normal([](M x) { return x / sqrt(sum<1>(x, keepdims)); }) == "multiply(a, divide(1, sqrt(sum(a))))");
    CHECK(normal([](M x) { return x / sqrt(sum<0>(x, keepdims)); }) == "divide(a, sqrt(sum(a)))");  // there is one for each element of a row
    CHECK(normal([](S x, S s) { return x / sqrt(s); }) == "divide(a, sqrt(b))");
    CHECK(normal([](V x) { return x / sqrt(x); }) == "divide(a, sqrt(a))");
    CHECK(normal([](V x, S s) { return -x / sqrt(s); }) == "negative(multiply(a, divide(1, sqrt(b))))");
}

TEST_CASE("sums of integers are exact") {
    CHECK(normal([](I x) { return (x + 9007199254740992) + 1; }) == normal([](I x) { return x + 9007199254740993; }));
    CHECK(normal([](I x) { return x * 9007199254740992 + x; }) == normal([](I x) { return x * 9007199254740993; }));
    CHECK(normal([](I x) { return x - x; }) == "broadcast(0)");
    CHECK(normal([](I x) { return x + 5 - 7; }) == "subtract(a, 2)");
    CHECK(normal([](J x) { return x + 2147483647 + 1; }) == "subtract(a, -2.14748e+09)");  // as it wraps around
    CHECK(normal([](J x) { return x * 65536 + x * (65536 * 32767) + x * 2147418112; }) == normal([](J x) { return x * -65536; }));
    CHECK(normal([](I x) { return cast<std::int64_t>(cast<double>(x)); }) == "cast(cast(a))");
    CHECK(normal([](J x) { return cast<int>(cast<double>(x)); }) == "a");
}

TEST_CASE("what a derivative adds by itself goes") {
    // 1 / n, the ones and the zeros of the walk, the quotient of log.
    CHECK(normal([](V x) { return x * grad(sum(x * 3), x); }) == "multiply(a, 3)");
    CHECK(normal([](V x, V y) { return grad(sum(log(x) * y), x); }) == "divide(b, a)");
    CHECK(normal([](M x) { return grad(-sum(log_softmax(x)), x); }).find("divide") == std::string::npos);
    CHECK(normal([](V w, S c) { return w - 0.1 * grad(c * sum(sqr(w)), w); }) == "subtract(a, multiply(multiply(a, b), 0.2))");
    // What both wrote is the program's.
    CHECK(normal([](V x) { return std::tuple(grad(sum(exp(x)), x), exp(x) - exp(x)); }) == "exp(a); subtract(exp(a), exp(a))");
}

TEST_CASE("algebra::free lets all of it go") {
    CHECK(normal_free([](V x, V y) { return (x + y) - y; }) == "a");
    CHECK(normal_free([](V x, S s) { return x + 0 * s; }) == "a");
    CHECK(normal_free([](V x) { return sqrt(x) * sqrt(x); }) == "a");
    CHECK(normal_free([](M x, S s) { return softmax(x + s); }) == "softmax(a)");
    CHECK(normal_free([](W x) { return x * 1e30 * 1e30; }) != "multiply(a, inf)");
}
