// SPDX-License-Identifier: MIT
// Products of matrices of many sizes: what croton does of itself, its own register blocks, the BLAS and Eigen.
#include <croton/croton.hpp>

#include "common.hpp"

#include <memory>

using namespace croton;

namespace {

struct sizes {
    std::int64_t m, k, n;
};

inline void cblas_gemm(CBLAS_TRANSPOSE ta, CBLAS_TRANSPOSE tb, int m, int n, int k, const float* a, int la, const float* b, int lb, float* c) {
    cblas_sgemm(CblasRowMajor, ta, tb, m, n, k, 1, a, la, b, lb, 0, c, n);
}
inline void cblas_gemm(CBLAS_TRANSPOSE ta, CBLAS_TRANSPOSE tb, int m, int n, int k, const double* a, int la, const double* b, int lb, double* c) {
    cblas_dgemm(CblasRowMajor, ta, tb, m, n, k, 1, a, la, b, lb, 0, c, n);
}

/// Which factor lies by columns.
enum class by_columns { none, first, second };

/// `y = dot(a, b)`, `dot(a^T, b)` or `dot(a, b^T)`, as croton does it by its rule, by its own blocks, by the BLAS, and by Eigen.
template <class T = float, by_columns Which = by_columns::none> void compare(const sizes& s, double blas_target, [[maybe_unused]] double eigen_target) {
    using own_blocks = detail::cpu_device::gemm<T, simd::native>;
    constexpr bool first = Which == by_columns::first, second = Which == by_columns::second;
    array<T, 2> a(first ? s.k : s.m, first ? s.m : s.k), b(second ? s.n : s.k, second ? s.k : s.n), y(s.m, s.n), expected(s.m, s.n);
    bench::fill(a, -1, 1, 1);
    bench::fill(b, -1, 1, 2);
    const auto blas = [&](array<T, 2>& to) {
        cblas_gemm(first ? CblasTrans : CblasNoTrans, second ? CblasTrans : CblasNoTrans, static_cast<int>(s.m), static_cast<int>(s.n), static_cast<int>(s.k), a.data(),
                   static_cast<int>(a.extent(1)), b.data(), static_cast<int>(b.extent(1)), to.data());
    };
    static auto product = function<cpu>("product", [](matrix<T> l, matrix<T> r) {
        if constexpr (first) return dot(transpose(l), r);
        else if constexpr (second) return dot(l, transpose(r));
        else return dot(l, r);
    });
    const kernel::matrix<const T> left{a.data(), s.m, s.k, first ? 1 : s.k, first ? s.m : 1}, right{b.data(), s.k, s.n, second ? 1 : s.n, second ? s.k : 1};
    const kernel::matrix<T> to{y.data(), s.m, s.n, s.n, 1};
    const auto room = std::make_unique_for_overwrite<T[]>(static_cast<std::size_t>(own_blocks::packing(left, right, to)) + 1);
    const auto blocks = [&] { own_blocks::run(1, left, right, 0, to, room.get()); };

    const double tolerance = sizeof(T) == 4 ? 2e-4 : 1e-12;
    bench::table table("product " + std::to_string(s.m) + " x " + std::to_string(s.k) + " x " + std::to_string(s.n) + ", " +
                       std::to_string(2 * s.m * s.k * s.n) + " operations, float" + std::to_string(8 * sizeof(T)) +
                       (first ? ", the first factor by columns" : second ? ", the second factor by columns" : ""));
    blas(expected);
    blocks();
    table.check("own blocks, BLAS", bench::max_difference(y, expected), tolerance);
    product.call_into(std::tie(y), a, b);
    table.check("croton, BLAS", bench::max_difference(y, expected), tolerance);
    table.row("croton", 0, [&] { product.call_into(std::tie(y), a, b); });
    table.row("own blocks", 1, blocks);
    table.row("raw: the call of cblas", blas_target, [&] { blas(y); });
#if BENCH_HAS_EIGEN
    table.row("Eigen", eigen_target, [&] {
        if constexpr (first) bench::eigen(y).noalias() = bench::eigen(a).transpose() * bench::eigen(b);
        else if constexpr (second) bench::eigen(y).noalias() = bench::eigen(a) * bench::eigen(b).transpose();
        else bench::eigen(y).noalias() = bench::eigen(a) * bench::eigen(b);
    });
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
    // A batch of few, a layer of few results, points of few numbers.
    for (const sizes& s : {sizes{4, 100, 400}, {8, 784, 1000}, {32, 400, 100}, {1000, 784, 10}, {100000, 3, 64}}) compare(s, 1, 1);
    for (const sizes& s : {sizes{4, 400, 100}, {8, 1000, 784}, {1000, 784, 10}}) compare<float, by_columns::second>(s, 1, 1);
    constexpr sizes large{1000, 1000, 1000};
    compare<float, by_columns::first>(large, 1 / 0.95, 1 / 0.95);
    compare<float, by_columns::second>(large, 1 / 0.95, 1 / 0.95);
    compare<double>(large, 1 / 0.95, 1 / 0.95);
    compare<double, by_columns::first>(large, 1 / 0.95, 1 / 0.95);
    compare<double, by_columns::second>(large, 1 / 0.95, 1 / 0.95);
    return bench::table::finish();
}
