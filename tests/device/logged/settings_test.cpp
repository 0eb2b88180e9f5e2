// SPDX-License-Identifier: MIT
// What is set after a graph was recorded holds for the next call, and a setting asks a library for nothing that it does not do.
#include <doctest/doctest.h>

#include <string>

#include "device/logged_cuda.hpp"

using namespace croton;

namespace {

// Twice the same: noted, then recorded.
template <class F> void record(F&& call) {
    for (int i = 0; i < 3; ++i) call();
}

}  // namespace

TEST_CASE("a graph knows the settings that it was recorded with") {
    auto f = function<cuda>([](matrix<float> a, matrix<float> b) { return dot(a, b); });
    array<float, 2, cuda> a(8, 8), b(8, 8), c(8, 8);
    const auto call = [&] { f.call_into(c, a, b); };
    record(call);
    CHECK(logged::count("product of float in float") > 0);
    for (const bool on : {true, false, true}) {
        CAPTURE(on);
        cuda::allow_tf32(on);
        logged::lines.clear();
        record(call);
        // By itself and then as a graph, or as one that was recorded with the same settings.
        CHECK(logged::count(on ? "product of float in float" : "product of float in tf32") == 0);
        CHECK(logged::count(on ? "graph of 1: product of float in tf32;" : "graph of 1: product of float in float;") >= 2);
    }
    cuda::allow_tf32(false);
    CHECK(logged::faults.empty());
}

namespace {

/// A product, one with a factor that is computed, one of batches, and one with a bias, of `T`.
template <class T> void run_products() {
    const array<T, 2, cuda> a(8, 8);
    const array<T, 3, cuda> all(3, 8, 8);
    const array<T, 1, cuda> bias(8);
    auto f = function<cuda>([](matrix<T> x, tensor<T, dynamic, dynamic, dynamic> batch, vector<T> row) {
        return outputs(dot(x, x), sum(x) * dot(x, transpose(x)), matmul(batch, batch), relu(dot(transpose(x), x) + row));
    });
    (void)f(a, all, bias);
}

}  // namespace

TEST_CASE("tf32 is for products of float") {
    const auto said = [](auto type) {
        cuda::allow_tf32(true);
        logged::lines.clear();
        run_products<decltype(type)>();
        cuda::allow_tf32(false);
        return std::to_string(logged::count(" in tf32")) + " of " + std::to_string(logged::count("product"));
    };
    CHECK(said(float()) == "4 of 4");
    CHECK(said(double()) == "0 of 4");
    CHECK(said(half()) == "0 of 4");
    CHECK(said(bfloat16()) == "0 of 4");
    CHECK(logged::faults.empty());
}
