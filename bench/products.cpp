// SPDX-License-Identifier: MIT
// Products of matrices of many sizes: what croton does of itself, its own register blocks, the BLAS and Eigen.
#include <croton/croton.hpp>

#include "common.hpp"

#include <memory>

using namespace croton;

namespace {

using own_blocks = detail::cpu_device::gemm<float, simd::native>;

struct sizes {
    std::int64_t m, k, n;
};

/// `y = dot(a, b)`, as croton does it by its rule, by its own blocks, by the BLAS, and by Eigen.
void compare(const sizes& s, double blas_target, [[maybe_unused]] double eigen_target) {
    array<float, 2> a(s.m, s.k), b(s.k, s.n), y(s.m, s.n), expected(s.m, s.n);
    bench::fill(a, -1, 1, 1);
    bench::fill(b, -1, 1, 2);
    const auto blas = [&](array<float, 2>& to) {
        cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, static_cast<int>(s.m), static_cast<int>(s.n), static_cast<int>(s.k), 1, a.data(), static_cast<int>(s.k),
                    b.data(), static_cast<int>(s.n), 0, to.data(), static_cast<int>(s.n));
    };
    static auto product = function<cpu>("product", [](matrix<float> l, matrix<float> r) { return dot(l, r); });
    const kernel::matrix<const float> left{a.data(), s.m, s.k, s.k, 1}, right{b.data(), s.k, s.n, s.n, 1};
    const kernel::matrix<float> to{y.data(), s.m, s.n, s.n, 1};
    const auto room = std::make_unique_for_overwrite<float[]>(static_cast<std::size_t>(own_blocks::packing(left, right, to)) + 1);
    const auto blocks = [&] { own_blocks::run(1, left, right, 0, to, room.get()); };

    bench::table table("product " + std::to_string(s.m) + " x " + std::to_string(s.k) + " x " + std::to_string(s.n) + ", " +
                       std::to_string(2 * s.m * s.k * s.n) + " operations, float32");
    blas(expected);
    blocks();
    table.check("own blocks, BLAS", bench::max_difference(y, expected), 2e-4);
    product.call_into(std::tie(y), a, b);
    table.check("croton, BLAS", bench::max_difference(y, expected), 2e-4);
    table.row("croton", 0, [&] { product.call_into(std::tie(y), a, b); });
    table.row("own blocks", 1, blocks);
    table.row("raw: cblas_sgemm", blas_target, [&] { blas(y); });
#if BENCH_HAS_EIGEN
    table.row("Eigen", eigen_target, [&] { bench::eigen(y).noalias() = bench::eigen(a) * bench::eigen(b); });
#endif
    table.measure();
}

}  // namespace

int main(int argc, char** argv) {
    bench::start(argc, argv);
    for (const std::int64_t n : {4, 6, 8, 12, 16, 24, 32, 48, 64}) compare({n, n, n}, 0.5, 0.5);
    for (const sizes& s : {sizes{4, 64, 4}, {64, 4, 64}, {4, 64, 64}, {64, 64, 4}, {5, 33, 17}}) compare(s, 0.5, 0.5);
    for (const std::int64_t n : {100, 128, 256, 512, 1000}) compare({n, n, n}, 1 / 0.95, 1 / 0.95);
    for (const sizes& s : {sizes{100, 784, 1000}, {784, 100, 1000}, {100, 1000, 1000}}) compare(s, 1 / 0.95, 1 / 0.95);
    return bench::table::finish();
}
