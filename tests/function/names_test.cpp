// SPDX-License-Identifier: MIT
// The names of croton beside those of std and of a user: with two using-directives, and with types that a program has of its own.
#include <doctest/doctest.h>

#include <algorithm>
#include <any>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>
#include <string>
#include <tuple>
#include <vector>

#include <croton/croton.hpp>

// What a program of this field calls its own. None of them is a name of croton.
#define OWN_NAMES(OWN)                                                                                                               \
    OWN(model) OWN(step) OWN(layer) OWN(state) OWN(network) OWN(net) OWN(options) OWN(config) OWN(dataset) OWN(batch)      \
    OWN(label) OWN(image) OWN(point) OWN(loss) OWN(cost) OWN(train) OWN(test) OWN(epoch) OWN(error) OWN(shape)           \
    OWN(node) OWN(graph) OWN(kind) OWN(term) OWN(record) OWN(text) OWN(timer) OWN(number) OWN(operand) OWN(weights) OWN(bias)        \
    OWN(gradient) OWN(optimiser) OWN(group) OWN(plan) OWN(program) OWN(loop) OWN(counter) OWN(literal) OWN(storage) OWN(result)      \
    OWN(settings) OWN(sentence) OWN(print) OWN(axis) OWN(axes) OWN(rows) OWN(columns) OWN(layout) OWN(job) OWN(task) OWN(hit)
#define OWN_STRUCT(name) \
    struct name {        \
        int value;       \
    };
OWN_NAMES(OWN_STRUCT)
#undef OWN_STRUCT

using namespace std;
using namespace croton;

TEST_CASE("the types of a program keep their names") {
    int count = 0, total = 0;
#define OWN_OBJECT(name)             \
    {                                \
        ::name one{1};               \
        name other{one.value};       \
        total += other.value;        \
        ++count;                     \
    }
    OWN_NAMES(OWN_OBJECT)
#undef OWN_OBJECT
    CHECK(total == count);
}

TEST_CASE("functions of std and of croton have one name for numbers and for expressions") {
    auto f = croton::function<cpu>([](croton::vector<float> x) {
        return make_tuple(exp(x) + pow(x, 2) + sqrt(abs(x)), max(x), min(x), tanh(log1p(x)), isnan(x));
    });
    auto [all_of_them, most, least, small, none] = f(croton::array<float, 1>{1, 4});
    CHECK(most == croton::array<float, 0>(4));
    CHECK(least == croton::array<float, 0>(1));
    CHECK(all_of_them(0) == doctest::Approx(exp(1.0) + pow(1.0, 2) + sqrt(abs(-1.0))));
    CHECK(small(0) == doctest::Approx(tanh(log1p(1.0))));
    CHECK(isnan(NAN));
    CHECK_FALSE(none(1));

    std::vector<int> order{3, 1, 2};
    sort(order.begin(), order.end());
    CHECK(order == std::vector<int>{1, 2, 3});
    CHECK(max(1, 2) == 2);
    CHECK(min(1.5, 2.5) == 1.5);
    CHECK(accumulate(order.begin(), order.end(), 0) == 6);
    std::function<int(int)> twice = [](int x) { return 2 * x; };
    CHECK(transform_reduce(order.begin(), order.end(), 0, plus<int>(), twice) == 12);
    CHECK(to_string(3) == "3");
    CHECK(size(string("four")) == 4);
}
