// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <string>

#include <croton/croton.hpp>

#include "message_of.hpp"

using namespace croton;
using test::message_of;

namespace {

template <template <class, int> class A> struct layer {
    A<double, 2> weight;
    A<double, 1> bias;
};

}  // namespace

TEST_CASE("a right gradient passes with room to spare") {
    CHECK(verify_grad([](vector<double> x) { return exp(x); }, array<double, 1>{0.5, -1, 2}) < 0.1);
    CHECK(verify_grad<reference>([](scalar<double> x) { return x * x; }, 3.0) < 0.1);
    CHECK(check_gradient([](vector<double> x) { return sqr(x); }, array<double, 1>{0.5, -1, 2}) < 0.1);
    CHECK(check_gradient<reference>(verify_options{.relative = 1e-5}, [](scalar<double> x) { return x * x; }, 3.0) < 0.1);
    CHECK(verify_grad([](vector<double> x) { return x; }, array<double, 1>(0)) == 0);
}

TEST_CASE("a wrong one names the worst element") {
    // The derivative of relu at its kink is 0 and the central difference is half the slope.
    const std::string text = message_of<gradient_error>([] {
        verify_grad([](vector<double> x, matrix<double> y) { return relu(y) * x; }, array<double, 1>{1, 4},
                    array<double, 2>{{1, 2}, {3, 0}});
    });
    CHECK(text.find("verify_grad: argument 2[1,1]: the gradient is 0.000000 but finite differences give ") == 0);
    CHECK(message_of<gradient_error>([] {
              verify_grad(
                  {.relative = 1e30}, [](scalar<double> x) { return relu(x); }, 0.0);
          }).empty());
    CHECK(message_of<gradient_error>([] {
              verify_grad([](scalar<double> x) { return relu(x); }, 0.0);
          }).find("argument 1: the gradient") != std::string::npos);
}

TEST_CASE("models by the names of their fields; what is not double is held") {
    layer<on<cpu>::array> net{{{1, 2}, {3, 4}}, {0, 0.5}};
    const auto f = [](layer<symbol> n, vector<int> count, vector<bool> on) {
        return std::tuple(where(on, relu(n.bias) + n.weight, n.weight * n.weight), count + 1);
    };
    const std::string text = message_of<gradient_error>([&] { verify_grad(f, net, array<int, 1>{1, 2}, array<bool, 1>{true, false}); });
    CHECK(text.find("verify_grad: argument 1.bias[0]: ") == 0);
    net.bias(0) = -1;
    CHECK_NOTHROW(verify_grad(f, net, array<int, 1>{1, 2}, array<bool, 1>{true, false}));
}
