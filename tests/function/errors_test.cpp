// SPDX-License-Identifier: MIT
// What only a call can know is checked before anything runs: the sentence, and that nothing has changed.
#include <doctest/doctest.h>

#include <string>
#include <tuple>

#include <croton/croton.hpp>

#include "message_of.hpp"

using namespace croton;
using test::message_of;

namespace {

const array<float, 2> m23{{1, 2, 3}, {4, 5, 6}};
const array<float, 1> v2{1, 2}, v3{1, 2, 3};

}  // namespace

TEST_CASE("sizes that are named, and what a call that throws leaves behind") {
    auto step = function<cpu>("step", [](matrix<float, dim("sample"), dim("feature")> x, vector<float, dim("sample")> y,
                                         shared<vector<float, dim("feature")>> w) {
        auto error = dot(named(x, "x"), named(w, "w")) - named(y, "y");
        return outputs(sum(sqr(error))).updates(w -= dot(error, x));
    });
    array<float, 1> w{0, 0, 0};
    CHECK(step(m23, v2, w) == 5);
    CHECK(w == array<float, 1>{9, 12, 15});
    const array<float, 1> before = w;
    array<float, 1> wrong_w{7, 8};
    array<float, 0> cost{42};
    CHECK(message_of<shape_error>([&] { step(m23, v3, w); }) ==
          "step: argument 2 (y) has extent 3 along axis 0, but argument 1 (x) has extent 2 along axis 0; both are dim(\"sample\")");
    CHECK(message_of<shape_error>([&] { step.call_into(cost, m23, v2, wrong_w); }) ==
          "step: argument 3 (w) has extent 2 along axis 0, but argument 1 (x) has extent 3 along axis 1; both are dim(\"feature\")");
    CHECK(w == before);
    CHECK(wrong_w == array<float, 1>{7, 8});
    CHECK(cost() == 42);
    // It works afterwards, with the old shapes and with new ones.
    w.fill(0);
    CHECK(step(m23, v2, w) == 5);
    CHECK(w == before);
    array<float, 1> w2{0, 0};
    CHECK(step(m23.transpose(), v3, w2) == 14);
    CHECK(message_of<shape_error>([&] { step(m23.transpose(), v2, w2); }).find("argument 2 (y) has extent 2") != std::string::npos);
    const float expected = (w2(0) - 4) * (w2(0) - 4);
    CHECK(step(array<float, 2>{{1, 0}}, array<float, 1>{4}, w2) == doctest::Approx(expected));
}

TEST_CASE("sizes that are declared") {
    auto f = function<cpu>("f", [](matrix<float, dynamic, 3> x, vector<float, 2> v) { return dot(v, x); });
    CHECK(f(m23, v2) == array<float, 1>{9, 12, 15});
    CHECK(message_of<shape_error>([&] { f(array<float, 2>(2, 2), v2); }) == "f: argument 1 has extent 2 along axis 1, but its declaration says 3");
    CHECK(message_of<shape_error>([&] { f(m23, v3); }) == "f: argument 2 has extent 3 along axis 0, but its declaration says 2");
    CHECK(message_of<shape_error>([&] { f(array<float, 2>(3, 3), v2); }) == "f: argument 1 has extent 3 along axis 0, but 2 is needed, for dot");
    CHECK(f(m23, v2) == array<float, 1>{9, 12, 15});
}

TEST_CASE("sizes that an operation ties together") {
    auto product = function<cpu>("product", [](matrix<float> a, matrix<float> b) { return dot(a, b); });
    CHECK(message_of<shape_error>([&] { product(m23, m23); }) ==
          "product: argument 2 has extent 2 along axis 0, but argument 1 has extent 3 along axis 1; dot needs them equal");
    CHECK(product(m23, m23.transpose()) == array<float, 2>{{14, 32}, {32, 77}});

    auto sum_of = function<cpu>("sum_of", [](matrix<float> a, vector<float> b) { return std::tuple(a + b, a * 2); });
    CHECK(message_of<shape_error>([&] { sum_of(m23, v2); }) ==
          "sum_of: argument 2 has extent 2 along axis 0, but argument 1 has extent 3 along axis 1; add needs them equal");
    // A run-time extent that happens to be 1 is not repeated.
    CHECK(message_of<shape_error>([&] { sum_of(m23, array<float, 1>{1}); }) ==
          "sum_of: argument 2 has extent 1 along axis 0, but argument 1 has extent 3 along axis 1; add needs them equal, and repeats an extent of 1 where its type says so, as of newaxis<0>(x) and keepdims");

    auto grow = function<cpu>("grow", [](vector<float> v, shared<vector<float>> w) { return updates(update(w, v)); });
    array<float, 1> w{5, 5, 5};
    CHECK(message_of<shape_error>([&] { grow(v2, w); }) ==
          "grow: argument 2 has extent 3 along axis 0, but argument 1 has extent 2 along axis 0; the update needs them equal");
    CHECK(w == array<float, 1>{5, 5, 5});
}

TEST_CASE("a reshape that does not fit") {
    auto rows = function<cpu>("rows", [](vector<float> v) { return reshape<dynamic, 3>(v); });
    CHECK(message_of<shape_error>([&] { rows(array<float, 1>(7)); }) == "rows: reshape: 7 elements do not fit extents of 3");
    CHECK(rows(array<float, 1>{1, 2, 3, 4, 5, 6}) == m23);
    auto square = function<cpu>("square", [](vector<float> v) { return reshape<2, 3>(v); });
    CHECK(message_of<shape_error>([&] { square(array<float, 1>(7)); }).find("argument 1 has extent 7 along axis 0, but 6 is needed, for reshape") != std::string::npos);
    CHECK(square(array<float, 1>{1, 2, 3, 4, 5, 6}) == m23);
    auto same = function<cpu>("same", [](matrix<float, dim("m"), dim("n")> x, tensor<float, dim("k")> v) {
        return reshape<dim("k")>(x) + v;
    });
    CHECK(same(m23, array<float, 1>{1, 1, 1, 1, 1, 1}) == array<float, 1>{2, 3, 4, 5, 6, 7});
    CHECK_THROWS_AS(same(m23, v3), shape_error);
}

TEST_CASE("values that name nothing") {
    auto cost = function<cpu>("cost", [](matrix<float> logits, vector<int> label, shared<vector<float>> w) {
        return outputs(cross_entropy(logits, named(label, "label"))).updates(w += 1);
    });
    const array<float, 2> logits(2, 3);
    array<float, 1> w{1};
    CHECK(cost(logits, array<int, 1>{0, 2}, w)(0) == doctest::Approx(1.0986123));
    CHECK(w(0) == 2);
    CHECK(message_of<value_error>([&] { cost(logits, array<int, 1>{0, 3}, w); }) ==
          "cost: argument 2 (label) holds the label 3, but there are 3 classes: 0 to 2");
    CHECK(message_of<value_error>([&] { cost(logits, array<int, 1>{-1, 0}, w); }) ==
          "cost: argument 2 (label) holds the label -1, but there are 3 classes: 0 to 2");
    CHECK(w(0) == 2);
    CHECK(cost(logits, array<int, 1>{1, 2}, w)(1) == doctest::Approx(1.0986123));

    auto largest = function<cpu>("largest", [](matrix<float> x) { return max<1>(x); });
    CHECK(message_of<shape_error>([&] { largest(array<float, 2>(2, 0)); }) ==
          "largest: an empty axis has no largest element");
    CHECK(largest(array<float, 2>(0, 0)).size() == 0);
    CHECK(largest(m23) == array<float, 1>{3, 6});
}

TEST_CASE("a function without a name has a number") {
    auto first = function<cpu>([](vector<float> a, vector<float> b) { return a + b; });
    auto second = function<cpu>([](vector<float> a, vector<float> b) { return a - b; });
    CHECK(first.name().substr(0, 9) == "function ");
    CHECK(first.name() != second.name());
    CHECK(message_of<shape_error>([&] { second(v2, v3); }).substr(0, second.name().size() + 1) == second.name() + ":");
}
