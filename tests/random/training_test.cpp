// SPDX-License-Identifier: MIT
// First weights by name, and a data set in small batches.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <set>
#include <vector>

#include <croton/core/model.hpp>
#include <croton/random/initialisers.hpp>
#include <croton/random/minibatches.hpp>

using namespace croton;

namespace {

template <class X> double deviation(const X& x) {
    double squares = 0;
    for (const auto e : x) squares += static_cast<double>(e) * static_cast<double>(e);
    return std::sqrt(squares / static_cast<double>(x.size()));
}
template <class X> double largest(const X& x) {
    double most = 0;
    for (const auto e : x) most = std::max(most, std::abs(static_cast<double>(e)));
    return most;
}

TEST_CASE("variances and limits by fans") {
    array<float, 2> w(300, 200);
    array<double, 4> k(64, 32, 3, 3);  // 288 numbers in, 576 out
    const auto near = doctest::Approx(1).epsilon(0.02);
    random::glorot_uniform(w, 1);
    CHECK(deviation(w) / std::sqrt(2.0 / 500) == near);
    CHECK(largest(w) <= std::sqrt(6.0 / 500));
    CHECK(largest(w) > 0.999 * std::sqrt(6.0 / 500));
    random::glorot_normal(k, 2);
    CHECK(deviation(k) / std::sqrt(2.0 / (288 + 576)) == near);
    random::he_uniform(k, 3);
    CHECK(deviation(k) / std::sqrt(2.0 / 288) == near);
    CHECK(largest(k) <= std::sqrt(6.0 / 288));
    random::he_normal(w, 4);
    CHECK(deviation(w) / std::sqrt(2.0 / 300) == near);
    CHECK(largest(w) > 3.5 * std::sqrt(2.0 / 300));
    random::lecun_normal(w, 5, 2);
    CHECK(deviation(w) / (2 * std::sqrt(1.0 / 300)) == near);
    random::lecun_uniform(k, 6);
    CHECK(deviation(k) / std::sqrt(1.0 / 288) == near);
    CHECK(largest(k) <= std::sqrt(3.0 / 288));
    array<float, 4> last(3, 3, 32, 64);
    random::he_normal(nhwc)(last, 7);
    CHECK(deviation(last) / std::sqrt(2.0 / 288) == near);
    random::glorot_uniform(nhwc)(last, 8, 2);
    CHECK(deviation(last) / (2 * std::sqrt(2.0 / (288 + 576))) == near);
    random::lecun_normal(nhwc)(w, 5);
    CHECK(deviation(w) / std::sqrt(1.0 / 300) == near);
    array<float, 2> none(0, 5);
    random::he_normal(none, 1);
    random::orthogonal(none, 1);
}

/// The largest distance of the products of rows from `scale` where they are one and from 0 else.
template <class T> double distance_from_orthogonal(view<const T, 2> x, double scale) {
    double most = 0;
    for (int i = 0; i < x.extent(0); ++i)
        for (int k = 0; k <= i; ++k) {
            double sum = i == k ? -scale : 0;
            for (int e = 0; e < x.extent(1); ++e) sum += static_cast<double>(x(i, e)) * static_cast<double>(x(k, e));
            most = std::max(most, std::abs(sum));
        }
    return most;
}

TEST_CASE("orthogonal matrices, of which every rotation is as probable") {
    array<double, 2> square(60, 60), wide(20, 77), high(77, 20);
    random::orthogonal(square, 1);
    CHECK(distance_from_orthogonal<double>(square, 1) < 1e-13);
    CHECK(distance_from_orthogonal<double>(square.transpose(), 1) < 1e-13);
    random::orthogonal(wide, 1, 3);
    CHECK(distance_from_orthogonal<double>(wide, 9) < 1e-12);
    random::orthogonal(high, 1);
    CHECK(distance_from_orthogonal<double>(high.transpose(), 1) < 1e-13);
    array<float, 4> kernel(8, 3, 5, 5);
    random::orthogonal(kernel, 2);
    const array<float, 2> rows = kernel.reshape(8, 75);
    CHECK(distance_from_orthogonal<float>(rows, 1) < 1e-6);
    array<double, 4> last(5, 5, 3, 8);
    random::orthogonal(nhwc)(last, 2);
    const array<double, 2> by_results = last.reshape(75, 8);
    CHECK(distance_from_orthogonal<double>(by_results.transpose(), 1) < 1e-13);
    array<float, 2> columns(40, 20);
    random::orthogonal(columns.slice(1, 0, 20, 2), 3);
    CHECK(distance_from_orthogonal<float>(columns.slice(1, 0, 20, 2).transpose(), 1) < 1e-6);
    CHECK(columns(3, 1) == 0);

    // The trace of a rotation in three dimensions or of one with a reflection: mean 0, variance 1; and either as often.
    double sum = 0, squares = 0, reflections = 0;
    constexpr int count = 4000;
    for (int seed = 0; seed < count; ++seed) {
        array<double, 2> q(3, 3);
        random::orthogonal(q, seed);
        const double trace = q(0, 0) + q(1, 1) + q(2, 2);
        sum += trace;
        squares += trace * trace;
        reflections += q(0, 0) * (q(1, 1) * q(2, 2) - q(1, 2) * q(2, 1)) - q(0, 1) * (q(1, 0) * q(2, 2) - q(1, 2) * q(2, 0)) +
                               q(0, 2) * (q(1, 0) * q(2, 1) - q(1, 1) * q(2, 0)) < 0 ? 1 : 0;
    }
    CHECK(std::abs(sum) < 4 * std::sqrt(double{count}));
    CHECK(squares / count == doctest::Approx(1).epsilon(0.1));
    CHECK(std::abs(reflections - count / 2) < 2 * std::sqrt(double{count}));
}

template <template <class, int> class A> struct layer {
    A<float, 2> weight;
    A<float, 1> bias;
};
template <template <class, int> class A> struct net {
    layer<A> first, second;
    A<float, 0> scale;
};

TEST_CASE("a model: matrices with streams of their own, biases 0") {
    using arrays = on<cpu>;
    net<arrays::array> n{{array<float, 2>(100, 100), array<float, 1>{1, 2, 3}}, {array<float, 2>(100, 100), array<float, 1>{4}}, {}};
    random::initialise(n, 7, random::he_uniform);
    CHECK(n.first.bias == array<float, 1>(3));
    CHECK(n.second.bias == array<float, 1>(1));
    CHECK(deviation(n.first.weight) / std::sqrt(2.0 / 100) == doctest::Approx(1).epsilon(0.02));
    double both = 0;
    for (int i = 0; i < 100; ++i)
        for (int k = 0; k < 100; ++k) both += static_cast<double>(n.first.weight(i, k)) * static_cast<double>(n.second.weight(i, k));
    CHECK(std::abs(both) < 4 * 100 * 2.0 / 100);
    const array<float, 2> before = n.first.weight;
    random::initialise(n, 8);
    CHECK(largest(n.second.weight) <= std::sqrt(6.0 / 200));
    random::initialise(n, 7, random::he_uniform);
    CHECK(n.first.weight == before);
}

TEST_CASE("batches in order are views of the data") {
    array<float, 2> x(10, 3);
    array<int, 1> y(10);
    for (int i = 0; i < 10; ++i) y(i) = i;
    std::vector<std::int64_t> sizes;
    int next = 0;
    for (auto [image, label] : minibatches(x, y, 4)) {
        CHECK(image.data() == x.data() + next * 3);
        CHECK(label.data() == y.data() + next);
        CHECK(image.extent(0) == label.extent(0));
        sizes.push_back(label.size());
        next += 4;
    }
    CHECK(sizes == std::vector<std::int64_t>{4, 4, 2});
    auto whole = minibatches(x, y, 4, last_batch::dropped);
    CHECK(whole.size() == 2);
    CHECK(whole.examples() == 8);
    int batches = 0;
    for (auto [image, label] : whole) batches += static_cast<int>(label.size());
    CHECK(batches == 8);
    for (auto [image] : minibatches(x.slice(0, 0, 0), 4)) CHECK(image.size() < 0);
    CHECK_THROWS_WITH_AS(minibatches(x, y.slice(0, 0, 9), 4), "minibatches: one array has 10 examples, another one 9", shape_error);
    CHECK_THROWS_WITH_AS(minibatches(x, y, 0), "minibatches: a batch of 0 examples", value_error);
}

TEST_CASE("shuffled batches: every example once, together with its label, in an order of the seed and the epoch") {
    array<float, 3> x(50, 2, 3);
    array<int, 1> y(50);
    for (int i = 0; i < 50; ++i) {
        y(i) = i;
        x[i].fill(static_cast<float>(i));
    }
    const auto pass = [&](auto& range) {
        std::vector<int> order;
        std::set<const float*> memory;
        for (auto [image, label] : range) {
            memory.insert(image.data());
            for (int i = 0; i < label.size(); ++i) {
                order.push_back(label(i));
                CHECK(image(i, 1, 2) == static_cast<float>(label(i)));
            }
        }
        CHECK(memory.size() == 1);
        return order;
    };
    auto range = minibatches(x.slice(1, 1, -1, -1), y, 8, 5);
    const auto first = pass(range), second = pass(range);
    CHECK(std::set<int>(first.begin(), first.end()).size() == 50);
    CHECK(first != second);
    CHECK(std::set<int>(second.begin(), second.end()).size() == 50);
    auto again = minibatches(x, y, 8, 5), other = minibatches(x, y, 8, 6), whole = minibatches(x, y, 8, 5, last_batch::dropped);
    CHECK(pass(again.epoch(1)) == second);
    CHECK(pass(again.epoch(0)) == first);
    CHECK(pass(again) == second);
    CHECK(pass(other) != first);
    CHECK(pass(whole).size() == 48);
}

}  // namespace
