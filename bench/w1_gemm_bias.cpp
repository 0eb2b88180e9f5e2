// SPDX-License-Identifier: MIT
// W1: a matrix product plus a matrix, which is one gemm call.
#include "common.hpp"

namespace {

using croton::array;

constexpr int n = 1000;

auto croton_gemm_bias() {
    using namespace croton;
    return function<cpu>("gemm_bias", [](matrix<float> m, matrix<float> x, matrix<float> b) { return dot(m, x) + b; });
}

void raw_gemm_bias(const array<float, 2>& m, const array<float, 2>& x, const array<float, 2>& b, array<float, 2>& y) {
    const float* from = b.data();
    float* to = y.data();
    bench::parallel_batches(y.size(), [=](auto simd, std::int64_t i) { simd.store(to + i, simd.load(from + i)); });
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, n, n, n, 1, m.data(), n, x.data(), n, 1, y.data(), n);
}

#if BENCH_HAS_EIGEN
void eigen_gemm_bias(const array<float, 2>& m, const array<float, 2>& x, const array<float, 2>& b, array<float, 2>& y) {
    auto result = bench::eigen(y);
    result = bench::eigen(b);
    result.noalias() += bench::eigen(m) * bench::eigen(x);
}
#endif

}  // namespace

int main(int argc, char** argv) {
    bench::start(argc, argv);
    array<float, 2> m(n, n), x(n, n), b(n, n), y(n, n), expected(n, n);
    bench::fill(m, -1, 1, 1);
    bench::fill(x, -1, 1, 2);
    bench::fill(b, -1, 1, 3);
    auto line = croton_gemm_bias();

    bench::table table("W1 gemm_bias: y = dot(m, x) + b, 1000 x 1000 float32");
    raw_gemm_bias(m, x, b, expected);
    line.call_into(std::tie(y), m, x, b);
    table.check("croton, raw", bench::max_difference(y, expected), 1e-4);
    table.row("croton", 0, [&] { line.call_into(std::tie(y), m, x, b); });
    table.row("raw: copy b, cblas_sgemm", 1.03, [&] { raw_gemm_bias(m, x, b, expected); });
#if BENCH_HAS_EIGEN
    array<float, 2> of_eigen(n, n);
    eigen_gemm_bias(m, x, b, of_eigen);
    table.check("Eigen, raw", bench::max_difference(of_eigen, expected), 1e-4);
    table.row("Eigen", 0, [&] { eigen_gemm_bias(m, x, b, of_eigen); });
#endif
    table.measure();
    return table.finish();
}
