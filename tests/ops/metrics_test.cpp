// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cmath>

#include <croton/croton.hpp>

using namespace croton;

TEST_CASE_TEMPLATE("metrics of logits", D, cpu, reference) {
    const auto f = function<D>([](matrix<float> x, vector<int> label) {
        return outputs(accuracy(x, label), top_k_accuracy<1>(x, label), top_k_accuracy<2>(x, label), perplexity(x, label),
                       bits_per_character(x, label));
    });
    // The second has two largest ones, of which the first counts; the last one is a tie that the label does not win.
    const array<float, 2> x{{1, 3, 2}, {5, 5, 0}, {0, 1, 2}, {-1, -3, -1}};
    const auto [right, first, second, hard, bits] = f(x, array<int, 1>{1, 0, 1, 2});
    CHECK((right() == 0.5f && first() == 0.5f && second() == 1));
    double nats = 0;
    const int labels[]{1, 0, 1, 2};
    for (int i = 0; i < 4; ++i) nats += std::log(std::exp(x(i, 0)) + std::exp(x(i, 1)) + std::exp(x(i, 2))) - x(i, labels[i]);
    CHECK(hard() == doctest::Approx(std::exp(nats / 4)).epsilon(1e-5));
    CHECK(bits() == doctest::Approx(nats / 4 / std::log(2.0)).epsilon(1e-5));
    const auto [n0, n1, n2, n3, n4] = f(array<float, 2>(0, 3), array<int, 1>(0));
    CHECK((std::isnan(n0()) && std::isnan(n1()) && std::isnan(n2()) && std::isnan(n3()) && std::isnan(n4())));
}

TEST_CASE("more axes, other types, and labels that are no class") {
    const auto f = function<cpu>([](tensor<double, 2, 2, 3> x, matrix<std::uint8_t> label, matrix<std::int64_t> other) {
        return outputs(accuracy(x, label), top_k_accuracy<3>(x, other), accuracy(label, other), accuracy(label > 1, other > 1));
    });
    array<double, 3> x(2, 2, 3);
    x(0, 0, 2) = x(0, 1, 1) = x(1, 0, 2) = 1;
    x(1, 1, 0) = std::nan("");
    const auto [right, among, equal, answers] = f(x, array<std::uint8_t, 2>{{2, 1}, {2, 0}}, array<std::int64_t, 2>{{-1, 1}, {3, 2}});
    CHECK((right() == 1 && among() == 0.5 && equal() == 0.25 && answers() == 0.5));
}

TEST_CASE("confusion and what follows from it") {
    const auto f = function<cpu>([](vector<int> said, vector<std::int64_t> is) {
        return outputs(confusion_matrix<3>(said, is), precision_score<3>(said, is), recall_score<3>(said, is), f1_score<3>(said, is),
                       precision_score(said == 1, is == 1), recall_score(said, is), f1_score(said, is));
    });
    {
        const auto [counts, precision, recall, f1, p, r, both] = f(array<int, 1>{0, 1, 1, 0, 1, 3, -1}, array<std::int64_t, 1>{0, 1, 0, 2, 1, 0, 1});
        CHECK(counts == array<std::int64_t, 2>{{1, 1, 0}, {0, 2, 0}, {1, 0, 0}});
        CHECK(precision == array<double, 1>{0.5, 2.0 / 3, 0});
        CHECK(recall == array<double, 1>{0.5, 1, 0});
        CHECK(f1 == array<double, 1>{0.5, 0.8, 0});
        CHECK((p() == 2.0 / 3 && r() == 2.0 / 3 && both() == 4.0 / 6));
    }
    const auto [counts, precision, recall, f1, p, r, g] = f(array<int, 1>(0), array<std::int64_t, 1>(0));
    CHECK(counts == array<std::int64_t, 2>(3, 3));
    CHECK((precision == array<double, 1>(3) && recall == array<double, 1>(3) && f1 == array<double, 1>(3) && p() == 0 && r() == 0 && g() == 0));
}

TEST_CASE("errors of numbers") {
    const auto f = function<cpu>([](matrix<double> p, matrix<double> y) {
        return outputs(mean_squared_error(p, y), mean_absolute_error<0>(p, y), r2_score(p, y), r2_score<0>(p, y),
                       grad(mean_squared_error(p, y), p), mean_absolute_error(p, 1));
    });
    const array<double, 2> p{{2.5, 1}, {0, 1}, {2, 1}, {8, 1}}, y{{3, 1}, {-0.5, 1}, {2, 1}, {7, 1}};
    const auto [squared, absolute, r2, columns, slope, one] = f(p, y);
    CHECK(squared() == doctest::Approx(1.5 / 8));
    CHECK((absolute(0) == 0.5 && absolute(1) == 0));
    CHECK(columns(0) == doctest::Approx(0.948608137));
    CHECK(columns(1) == 1);
    CHECK(r2() == doctest::Approx(1 - 1.5 / 36.21875));
    CHECK(slope(3, 0) == doctest::Approx(0.25));
    CHECK(one() == doctest::Approx(10.5 / 8));
    const auto [s, a, r, wrong, g, o] = f(array<double, 2>{{1, 2}, {1, 1}}, array<double, 2>{{1, 1}, {1, 1}});
    CHECK((wrong(0) == 1 && wrong(1) == 0 && r() == 0));
}
