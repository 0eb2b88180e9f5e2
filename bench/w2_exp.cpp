// SPDX-License-Identifier: MIT
// W2: one transcendental function over an array that fits the cache.
#include "common.hpp"

namespace {

using croton::array;

constexpr std::int64_t n = 230'400;

auto croton_exp() {
    using namespace croton;
    return function<cpu>("exp", [](vector<float> x) { return exp(x); });
}

void raw_exp(const array<float, 1>& x, array<float, 1>& y) {
    const float* from = x.data();
    float* to = y.data();
    bench::parallel_batches(n, [=](auto simd, std::int64_t i) {
        using xsimd::exp;
        simd.store(to + i, exp(simd.load(from + i)));
    });
}

#if BENCH_HAS_EIGEN
void eigen_exp(const array<float, 1>& x, array<float, 1>& y) {
    bench::eigen(y).array() = bench::eigen(x).array().exp();
}
#endif

}  // namespace

int main(int argc, char** argv) {
    bench::start(argc, argv);
    array<float, 1> x(n), y(n), expected(n);
    bench::fill(x, -3, 3, 1);
    auto f = croton_exp();

    bench::table table("W2 exp: y = exp(x), 230400 float32");
    raw_exp(x, expected);
    f.call_into(std::tie(y), x);
    table.check("croton, raw", bench::max_difference(y, expected), 1e-6);
    table.row("croton", 0, [&] { f.call_into(std::tie(y), x); });
    table.row("raw: xsimd loop", 1.05, [&] { raw_exp(x, expected); });
#if BENCH_HAS_EIGEN
    array<float, 1> of_eigen(n);
    eigen_exp(x, of_eigen);
    table.check("Eigen, raw", bench::max_difference(of_eigen, expected), 1e-6);
    table.row("Eigen (one thread)", 0, [&] { eigen_exp(x, of_eigen); });
#endif
    table.measure();
    return table.finish();
}
