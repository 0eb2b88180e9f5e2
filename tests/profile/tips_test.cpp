// SPDX-License-Identifier: MIT
// Every tip is given where its cause is in the record, and not where it is not.
#include <doctest/doctest.h>

#include <string>
#include <tuple>

#include "profile/profile.hpp"

using namespace croton;
using support::changed;
using support::find_tip;
using support::profiled;
using support::round_machine;
using support::slow_down;
using support::ticking_profile;

TEST_CASE("call-overhead: more than a tenth of the work") {
    auto f = function<cpu>("small", [](vector<float> x) { return x + 1; });
    const array<float, 1> x(8);
    const profile_data d = profiled([&] { f(x); });
    const profile_tip* t = find_tip(d, "call-overhead");
    REQUIRE(t != nullptr);
    CHECK(t->where == "small");
    CHECK(t->gain == d.functions[0].overhead() - d.functions[0].recording_time);
    CHECK(find_tip(changed(d, [](profile_data& c) { slow_down(c, 1000); }), "call-overhead") == nullptr);
    const profile_data allocating = changed(d, [](profile_data& c) {
        c.functions[0].results_time += 1000;
        c.functions[0].time += 1000;
    });
    CHECK(find_tip(allocating, "call-overhead")->advice.find("call_into") != std::string::npos);
}

TEST_CASE("layout-copy: a strided argument that a reshape reads, a matrix that BLAS cannot read") {
    auto flat = function<cpu>("flat", [](matrix<float> x) { return flatten(x) + 1; });
    const array<float, 2> x(20, 30);
    profile_data d = profiled([&] { flat(x.transpose()); });
    REQUIRE(find_tip(d, "layout-copy") != nullptr);
    CHECK(find_tip(d, "layout-copy")->gain == d.functions[0].staging_time);
    CHECK(d.functions[0].staged_bytes == 64 * ((20 * 30 * 4 + 63) / 64));
    CHECK(find_tip(profiled([&] { flat(x); }), "layout-copy") == nullptr);

    auto product = function<cpu>("product", [](matrix<float> a, matrix<float> b) { return dot(a, b); });
    const array<float, 2> wide(40, 80), b(40, 50);
    const view every_second = view(wide).slice(1, 0, 80, 2);
    d = changed(profiled([&] { product(every_second, b); }), [](profile_data& c) { slow_down(c, 100000); });
    if (d.functions[0].steps[0].type == "BLAS") {
        REQUIRE(find_tip(d, "layout-copy") != nullptr);
        CHECK(find_tip(d, "layout-copy")->where == "product, step 1");
    }
    d = changed(profiled([&] { product(view(b).transpose(), b); }), [](profile_data& c) { slow_down(c, 100000); });
    CHECK(find_tip(d, "layout-copy") == nullptr);
}

TEST_CASE("transfer: an array that crosses at every call") {
    auto f = function<cpu>("f", [](vector<float> x) { return x + 1; });
    const array<float, 1> x(8);
    const profile_data d = profiled([&] { f(x); });
    CHECK(find_tip(d, "transfer") == nullptr);
    const profile_data moved = changed(d, [](profile_data& c) { c.functions[0].to_device = {3, 3 << 20, 500}; });
    REQUIRE(find_tip(moved, "transfer") != nullptr);
    CHECK(find_tip(moved, "transfer")->gain == 500);
    CHECK(find_tip(moved, "transfer")->evidence.find("1 MB cross from host to device at each call") != std::string::npos);
    // Once, before the loop, is as it should be.
    CHECK(find_tip(changed(d, [](profile_data& c) { c.functions[0].to_device = {1, 3 << 20, 500}; }), "transfer") == nullptr);
}

TEST_CASE("unfused: two loops that run over different indices") {
    auto g = function<cpu>("g", [](matrix<float> x, vector<float> w) {
        auto y = exp(transpose(x) + w);
        return sum<0>(flatten(y) * 2);
    });
    const array<float, 2> x(300, 200);
    const profile_data d = profiled([&] { g(x, array<float, 1>(300)); });
    const profile_tip* t = find_tip(d, "unfused");
    REQUIRE(t != nullptr);
    CHECK(t->evidence.find("goes through memory between two loops: ") != std::string::npos);
    auto fused = function<cpu>("fused", [](matrix<float> a) { return sum<0>(exp(a) * 2); });
    CHECK(find_tip(profiled([&] { fused(x); }), "unfused") == nullptr);
}

TEST_CASE("small-product: too little work for BLAS") {
    auto f = function<cpu>("f", [](matrix<float> a, matrix<float> b) { return dot(a, b); });
    const array<float, 2> a(8, 8), large(100, 100);
    const auto slow = [](profile_data& c) { slow_down(c, 1000); };
    const profile_data d = changed(profiled([&] { f(a, a); }), slow);
    if (d.functions[0].steps[0].type == "BLAS") {
        REQUIRE(find_tip(d, "small-product") != nullptr);
        CHECK(find_tip(d, "small-product")->evidence.find("8 x 8 x 8 is 1024 operations") != std::string::npos);
    }
    CHECK(find_tip(changed(profiled([&] { f(large, large); }), slow), "small-product") == nullptr);
}

TEST_CASE("slow-blas: products far below what the processor can do; blas-threads: on fewer threads than loops") {
    auto f = function<cpu>("f", [](matrix<float> a, vector<float> x) { return dot(a, a) + dot(a, x); });
    const array<float, 2> a(100, 100);
    const profile_data d = profiled([&] { f(a, array<float, 1>(100)); });
    const auto with = [&](double rate, int blas_threads, std::string name = "reference BLAS (libblas.so.3)") {
        return changed(d, [&](profile_data& c) {
            slow_down(c, 1000);
            c.limits.gemm_float = rate;
            c.threads = c.cores = 16;
            c.blas_threads = blas_threads;
            c.blas = name;
        });
    };
    const profile_data slow = with(10, 0);
    REQUIRE(find_tip(slow, "slow-blas") != nullptr);
    CHECK(find_tip(slow, "slow-blas")->where == "f");
    CHECK(find_tip(slow, "slow-blas")->evidence ==
          "reference BLAS (libblas.so.3) computes products of float at 10.0 GFLOP/s; this machine can do 1250");
    CHECK(find_tip(slow, "slow-blas")->advice.find("libopenblas-dev") != std::string::npos);
    // The limit of a product is the machine's, not what the library happens to reach.
    double lost = 0;
    for (const step_profile& s : slow.functions[0].steps) {
        if (s.kind == "gemm") CHECK(s.limit(slow.limits) == 1250);
        if (s.kind != "gemm" && s.kind != "gemv") continue;
        lost += static_cast<double>(s.time) * std::clamp(1 - s.limit_share(slow.limits) / 100, 0.0, 1.0);
    }
    CHECK(static_cast<double>(find_tip(slow, "slow-blas")->gain) == doctest::Approx(lost).epsilon(0.01));
    CHECK(find_tip(slow, "blas-threads") == nullptr);
    CHECK(find_tip(with(10, 0, "none"), "slow-blas")->evidence.starts_with("there was no BLAS when this was compiled"));
    CHECK(find_tip(with(1000, 16), "slow-blas") == nullptr);
    CHECK(find_tip(with(10, 16, "OpenBLAS 0.3.21 (Haswell)"), "slow-blas") == nullptr);

    // A good library that was told to use one thread of 16.
    const profile_data few = with(75, 1, "OpenBLAS 0.3.21 (Haswell)");
    CHECK(find_tip(few, "slow-blas") == nullptr);
    if (d.functions[0].steps[0].type == "BLAS") {
        REQUIRE(find_tip(few, "blas-threads") != nullptr);
        CHECK(find_tip(few, "blas-threads")->evidence ==
              "OpenBLAS 0.3.21 (Haswell) computes products on 1 of the 16 threads that loops use");
    }
    CHECK(find_tip(with(1000, 12), "blas-threads") == nullptr);

    // Loops, and products of a device of their own, are no matter of the BLAS.
    auto loops = function<cpu>("loops", [](vector<float> x) { return exp(x); });
    const auto other = [&](profile_data o) {
        return changed(std::move(o), [](profile_data& c) {
            slow_down(c, 1000);
            c.limits.gemm_float = 10;
        });
    };
    CHECK(find_tip(other(profiled([&] { loops(array<float, 1>(100)); })), "slow-blas") == nullptr);
    auto oracle = function<reference>("oracle", [](matrix<float> m) { return dot(m, m); });
    CHECK(find_tip(other(profiled([&] { oracle(a); })), "slow-blas") == nullptr);
}

TEST_CASE("thread-fight: more threads than cores, and loops that suffer from it") {
    auto f = function<cpu>("f", [](matrix<float> a, vector<float> x) { return exp(dot(a, x)); });
    const array<float, 2> a(2000, 300);
    const profile_data d = profiled([&] { f(a, array<float, 1>(300)); });
    const auto fight = [](profile_data& c, int threads, double slower) {
        c.threads = c.blas_threads = threads;
        c.cores = 4;
        for (step_profile& s : c.functions[0].steps) {
            s.type = s.kind == "gemv" ? "BLAS" : "SIMD";
            s.working_set = 4 << 20;
            s.bytes = 3 * s.working_set;
            s.time = static_cast<nanoseconds>(static_cast<double>(s.bytes) / s.limit(c.limits) * slower);
            c.functions[0].time += s.time;
        }
        c.time = c.functions[0].time;
    };
    CHECK(find_tip(changed(d, [&](profile_data& c) { fight(c, 4, 3); }), "thread-fight") != nullptr);
    CHECK(find_tip(changed(d, [&](profile_data& c) { fight(c, 1, 3); }), "thread-fight") == nullptr);
    CHECK(find_tip(changed(d, [&](profile_data& c) { fight(c, 2, 3); }), "thread-fight") == nullptr);
    CHECK(find_tip(changed(d, [&](profile_data& c) { fight(c, 4, 1.5); }), "thread-fight") == nullptr);
}

TEST_CASE("float64: computed in double from floats") {
    auto wide = function<cpu>("wide", [](vector<float> x) { return sum(exp(cast<double>(x))); });
    auto kept = function<cpu>("kept", [](vector<double> x) { return sum(exp(x)); });
    const profile_data d = changed(profiled([&] { wide(array<float, 1>(100)); }), [](profile_data& c) { slow_down(c, 100); });
    REQUIRE(find_tip(d, "float64") != nullptr);
    CHECK(find_tip(d, "float64")->gain == d.functions[0].steps[0].time / 2);
    CHECK(find_tip(changed(profiled([&] { kept(array<double, 1>(100)); }), [](profile_data& c) { slow_down(c, 100); }), "float64") == nullptr);
}

TEST_CASE("slow-reduction: a sum that does not keep up with the memory") {
    auto f = function<cpu>("f", [](matrix<float> x) { return sum(exp(x)); });
    const array<float, 2> x(1000, 1000);
    const profile_data d = profiled([&] { f(x); });
    const auto at_share = [&](double share) {
        return changed(d, [&](profile_data& c) {
            step_profile& s = c.functions[0].steps[0];
            s.time = static_cast<nanoseconds>(static_cast<double>(s.bytes) / s.limit(c.limits) / share);
            c.time = c.functions[0].time = s.time;
        });
    };
    REQUIRE(find_tip(at_share(0.2), "slow-reduction") != nullptr);
    CHECK(static_cast<double>(find_tip(at_share(0.2), "slow-reduction")->gain) ==
          doctest::Approx(0.8 * static_cast<double>(at_share(0.2).time)).epsilon(0.01));
    CHECK(find_tip(at_share(0.8), "slow-reduction") == nullptr);
}

TEST_CASE("constant-array: a gradient that is the same number whatever the arguments are") {
    auto f = function<cpu>("f", [](vector<float> x, vector<float> w) { return std::tuple(grad(sum(x * 2) + 0 * sum(w), x), x + w); });
    auto g = function<cpu>("g", [](vector<float> x) { return grad(sum(sqr(x)), x); });
    const array<float, 1> x(50);
    const profile_data d = profiled([&] { f(x, x); });
    REQUIRE(find_tip(d, "constant-array") != nullptr);
    CHECK(find_tip(d, "constant-array")->evidence.find("output 1") != std::string::npos);
    CHECK(find_tip(profiled([&] { g(x); }), "constant-array") == nullptr);
}
