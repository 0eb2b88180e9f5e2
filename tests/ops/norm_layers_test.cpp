// SPDX-License-Identifier: MIT
// What tests/golden/norm_layers_test.cpp does not ask: channels last, views, float, batches without a spread, sizes that do not fit.
#include <doctest/doctest.h>

#include <cmath>
#include <stdexcept>

#include "ops/support.hpp"

using namespace croton;

namespace {

using image = tensor<float, dynamic, dynamic, dynamic, dynamic>;

double furthest(const array<float, 4>& a, const array<float, 4>& b) {
    double most = 0;
    for (std::int64_t i = 0; i < a.size(); ++i) most = std::fmax(most, std::fabs(static_cast<double>(a.data()[i]) - b.data()[i]));
    return most;
}

}  // namespace

TEST_CASE("channels that come last are those that come second") {
    const auto f = function<cpu>([](image x, norm_layer<symbol> p) {
        const auto last = moveaxis<1, -1>(x);
        return outputs(batch_norm(x, p), moveaxis<-1, 1>(batch_norm<-1>(last, p)), group_norm<2>(x, p), moveaxis<-1, 1>(group_norm<2, -1>(last, p)), instance_norm(x, p),
                       moveaxis<-1, 1>(instance_norm<3>(last, p)));
    });
    support::numbers random;
    const auto x = random.fill<float, 4>({3, 4, 5, 2});
    auto p = norm_layer<on<cpu>::array>::of(4);
    CHECK(p.scale(3) == 1);
    CHECK(p.offset(3) == 0);
    p = {random.fill<float, 1>({4}), random.fill<float, 1>({4})};
    for (const auto how : {support::layout::dense, support::layout::transposed, support::layout::window}) {
        const support::placed<float, 4> placed(x, how);
        const auto [batch, batch_last, group, group_last, instance, instance_last] = f(placed.get(), p);
        CHECK(furthest(batch, batch_last) < 1e-5);
        CHECK(furthest(group, group_last) < 1e-5);
        CHECK(furthest(instance, instance_last) < 1e-5);
        CHECK(furthest(batch, group) > 1e-2);
    }
    // The channels of the layer must be those of the images, and make groups.
    CHECK_THROWS_AS(f(x, norm_layer<on<cpu>::array>::of(3)), shape_error);
    CHECK_THROWS_WITH_AS(f(array<float, 4>(1, 3, 2, 2), norm_layer<on<cpu>::array>::of(3)), doctest::Contains("3 does not give 2 equal parts"), shape_error);
}

TEST_CASE("batches that say nothing of a spread") {
    const auto f = function<cpu>([](image x, norm_layer<symbol> p, shared<norm_statistics<symbol>> s) {
        auto [y, moved] = batch_norm(x, p, s, {.momentum = 0.25, .epsilon = 1e-3});
        return outputs(y).updates(moved);
    });
    const auto p = norm_layer<on<cpu>::array>::of(2);
    auto s = norm_statistics<on<cpu>::array>::of(2);
    CHECK(f(array<float, 4>(0, 2, 3, 3), p, s).size() == 0);
    CHECK(s.mean(0) == 0);
    CHECK(s.variance(1) == 1);
    array<float, 4> one(1, 2, 1, 1);
    one(0, 0, 0, 0) = 4;
    CHECK(f(one, p, s)(0, 0, 0, 0) == 0);
    CHECK(s.mean(0) == 1);
    CHECK(s.variance(0) == 0.75f);
}

TEST_CASE("layers without parameters, of values that are only stored") {
    const auto f = function<cpu>([](matrix<half> x) { return outputs(layer_norm(x, {.epsilon = 0}), layer_norm<0, 1>(x), rms_norm(x, {.epsilon = 0}), batch_norm(x, {.epsilon = 0})); });
    const array<half, 2> x{{1, 3}, {3, 4}};
    const auto [rows, all, roots, columns] = f(x);
    CHECK(rows(0, 0) == doctest::Approx(-1));
    CHECK(rows(1, 1) == doctest::Approx(1));
    CHECK(all(0, 0) == doctest::Approx(-1.75 / std::sqrt(1.1875 + 1e-5)));
    CHECK(roots(1, 0) == doctest::Approx(3 / std::sqrt(12.5)));
    CHECK(columns(0, 0) == doctest::Approx(-1));
    CHECK(columns(1, 1) == doctest::Approx(1));
}
