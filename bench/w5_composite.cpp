// SPDX-License-Identifier: MIT
// W5: a chain of elementwise operators over arrays larger than the inner caches: one pass or eight.
#include "common.hpp"

namespace {

using croton::array;

constexpr std::int64_t n = 1'000'000;

struct operands {
    array<float, 1> a{array<float, 1>(n)}, b{a}, c{a}, d{a}, e{a}, f{a}, g{a};
};

auto croton_composite() {
    using namespace croton;
    using operand = vector<float, dim("n")>;
    return function<cpu>("composite", [](operand a, operand b, operand c, operand d, operand e, operand f, operand g) {
        return a * b - (c * d) / sqrt(c + e + f + g * g);
    });
}

void raw_composite(const operands& in, array<float, 1>& y) {
    const float *a = in.a.data(), *b = in.b.data(), *c = in.c.data(), *d = in.d.data();
    const float *e = in.e.data(), *f = in.f.data(), *g = in.g.data();
    float* to = y.data();
    bench::parallel_batches(n, [=](auto simd, std::int64_t i) {
        using xsimd::sqrt;
        const auto ci = simd.load(c + i);
        const auto gi = simd.load(g + i);
        simd.store(to + i, simd.load(a + i) * simd.load(b + i) -
                               (ci * simd.load(d + i)) / sqrt(ci + simd.load(e + i) + simd.load(f + i) + gi * gi));
    });
}

#if BENCH_HAS_EIGEN
void eigen_composite(const operands& in, array<float, 1>& y) {
    const auto a = bench::eigen(in.a).array(), b = bench::eigen(in.b).array(), c = bench::eigen(in.c).array();
    const auto d = bench::eigen(in.d).array(), e = bench::eigen(in.e).array(), f = bench::eigen(in.f).array();
    const auto g = bench::eigen(in.g).array();
    bench::eigen(y).array() = a * b - (c * d) / (c + e + f + g * g).sqrt();
}
#endif

}  // namespace

int main(int argc, char** argv) {
    bench::start(argc, argv);
    operands in;
    unsigned seed = 1;
    for (auto* x : {&in.a, &in.b, &in.c, &in.d, &in.e, &in.f, &in.g}) bench::fill(*x, 0.1f, 1, seed++);
    array<float, 1> y(n), expected(n);
    auto composite = croton_composite();
    const auto call = [&] { composite.call_into(std::tie(y), in.a, in.b, in.c, in.d, in.e, in.f, in.g); };

    bench::table table("W5 composite: y = a*b - (c*d) / sqrt(c + e + f + g*g), 1e6 float32");
    raw_composite(in, expected);
    call();
    table.check("croton, raw", bench::max_difference(y, expected), 1e-6);
    table.row("croton", 0, call);
    // All rows write one array: eight of them are as much as many a last cache holds, and another one may lie there otherwise.
    table.row("raw: xsimd loop", 1.05, [&] { raw_composite(in, y); });
#if BENCH_HAS_EIGEN
    array<float, 1> of_eigen(n);
    eigen_composite(in, of_eigen);
    table.check("Eigen, raw", bench::max_difference(of_eigen, expected), 1e-6);
    table.row("Eigen (one thread)", 0, [&] { eigen_composite(in, y); });
#endif
    table.measure();
    return table.finish();
}
