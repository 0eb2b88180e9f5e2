// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <tuple>

#include <croton/croton.hpp>

using namespace croton;

namespace {

template <template <class, int> class A> struct dense {
    A<float, 2> weight;
    A<float, 1> bias;
};

}  // namespace

TEST_CASE("models and tuples of them need not reach an output") {
    const dense<on<cpu>::array> layer{array<float, 2>{{1, 2}}, array<float, 1>{3}};
    const auto model = function<cpu>([](vector<float> x, dense<symbol> net) {
        unused(net);
        return x * 2;
    });
    CHECK(model(array<float, 1>{1, 2}, layer) == array<float, 1>{2, 4});
    const auto tuple = function<cpu>([](vector<float> x, vector<float> y, dense<symbol> net) {
        unused(std::tuple(y, std::tuple(net)), std::tuple());
        return x * 2;
    });
    CHECK(tuple(array<float, 1>{1, 2}, array<float, 1>{5}, layer) == array<float, 1>{2, 4});
}
