// SPDX-License-Identifier: MIT
// Elementwise results around the size from which on they are stored past the caches, beside loops that store as ever.
// Not in the report: it measures one loop with and without the caches; w2_exp.cpp and w5_composite.cpp have such loops beside their peers.
#include "common.hpp"

#include <string>

namespace {

using croton::array;

/// `y = 2 x`, `exp(x)` and two results of one `x`, of so many bytes each.
void compare(std::int64_t megabytes) {
    using namespace croton;
    using vec = vector<float, dim("n")>;
    static auto twice = function<cpu>("twice", [](vec x) { return x * 2.f; });
    static auto power = function<cpu>("exp", [](vec x) { return exp(x); });
    static auto both = function<cpu>("both", [](vec x) { return outputs(x * x + 1.f, x * 3.f); });
    const std::int64_t n = megabytes << 18;
    array<float, 1> x(n), y(n), z(n);
    bench::fill(x, -1, 1, 1);
    bench::fill(y, 0, 0, 2);
    bench::fill(z, 0, 0, 3);
    const float* const from = x.data();
    float *const to = y.data(), *const beside = z.data();

    bench::table table("results of " + std::to_string(megabytes) + " MB of float32");
    table.row("2 x", 0, [&] { twice.call_into(std::tie(y), x); });
    table.row("raw: xsimd loop, 2 x", 0, [=] { bench::parallel_batches(n, [=](auto simd, std::int64_t i) { simd.store(to + i, simd.load(from + i) * 2.f); }); });
    table.row("exp(x)", 0, [&] { power.call_into(std::tie(y), x); });
    table.row("raw: xsimd loop, exp(x)", 0, [=] {
        bench::parallel_batches(n, [=](auto simd, std::int64_t i) {
            using xsimd::exp;
            simd.store(to + i, exp(simd.load(from + i)));
        });
    });
    table.row("x x + 1, 3 x", 0, [&] { both.call_into(std::tie(y, z), x); });
    table.row("raw: xsimd loop, x x + 1, 3 x", 0, [=] {
        bench::parallel_batches(n, [=](auto simd, std::int64_t i) {
            const auto v = simd.load(from + i);
            simd.store(to + i, v * v + 1.f);
            simd.store(beside + i, v * 3.f);
        });
    });
    table.measure();
}

}  // namespace

int main(int argc, char** argv) {
    bench::start(argc, argv);
    for (const std::int64_t megabytes : {4, 32, 64, 128, 256}) compare(megabytes);
    return bench::table::finish();
}
