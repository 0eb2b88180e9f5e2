// SPDX-License-Identifier: MIT
// What is set after a graph was recorded holds for the next call, and a setting asks a library for nothing that it does not do.
#include <doctest/doctest.h>

#include "device/logged_cuda.hpp"

using namespace croton;

namespace {

// Twice the same: noted, then recorded.
template <class F> void record(F&& call) {
    for (int i = 0; i < 3; ++i) call();
}
template <class F> std::vector<std::string> said_by(F&& call) {
    logged::lines.clear();
    call();
    return logged::lines;
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

TEST_CASE("tf32 is for products of float") {
    array<half, 2, cuda> a(8, 8);
    auto g = function<cuda>([](matrix<half> x) { return dot(x, x); });
    cuda::allow_tf32(true);
    (void)said_by([&] { (void)g(a); });
    cuda::allow_tf32(false);
    CHECK(logged::count("of half in float") == 1);
    CHECK(logged::faults.empty());
}
