// SPDX-License-Identifier: MIT
// Expressions on arrays where they stand, against the loop that a person writes, Eigen and xtensor: sizes at which a call is felt, and larger ones.
#include "common.hpp"

#if __has_include(<xtensor/xadapt.hpp>)
#define XTENSOR_USE_XSIMD 1
#include <xtensor/xadapt.hpp>
#include <xtensor/xmath.hpp>
#include <xtensor/xnoalias.hpp>
#include <xtensor/xtensor.hpp>
#include <xtensor/xview.hpp>
#define BENCH_HAS_XTENSOR 1
#define BENCH_XTENSOR(...) [](operands& in) CROTON_INLINED { __VA_ARGS__ }
#else
#define BENCH_HAS_XTENSOR 0
#define BENCH_XTENSOR(...) [](operands&) {}
#endif

#if BENCH_HAS_EIGEN
#define BENCH_EIGEN(...) [](operands& in) CROTON_INLINED { __VA_ARGS__ }
#else
#define BENCH_EIGEN(...) [](operands&) {}
#endif

namespace {

using croton::array;

/// What a loop over the rows and one over the elements of a row does, one thread, no allocation.
template <class Body> void each(std::int64_t n, Body body) { bench::for_batches(0, n, body); }

float raw_norm(const float* x, std::int64_t n) {
    bench::batch sums[4] = {bench::batch(0.f), bench::batch(0.f), bench::batch(0.f), bench::batch(0.f)};
    std::int64_t i = 0;
    for (; i + 4 * bench::lanes <= n; i += 4 * bench::lanes)
        for (int k = 0; k < 4; ++k) {
            const auto v = bench::batch::load_unaligned(x + i + k * bench::lanes);
            sums[k] = xsimd::fma(v, v, sums[k]);
        }
    for (; i + bench::lanes <= n; i += bench::lanes) {
        const auto v = bench::batch::load_unaligned(x + i);
        sums[0] = xsimd::fma(v, v, sums[0]);
    }
    float sum = xsimd::hadd((sums[0] + sums[1]) + (sums[2] + sums[3]));
    for (; i < n; ++i) sum += x[i] * x[i];
    return std::sqrt(sum);
}

struct operands {
    array<float, 1> x, b, y, expected;
    float scale = 0.25f;
    // Each library computes with arrays of its own, as its users do: what adapts memory allocates in xtensor, and has no extents to compare in Eigen.
#if BENCH_HAS_EIGEN
    Eigen::ArrayXf ex, eb, ey;
#endif
#if BENCH_HAS_XTENSOR
    xt::xtensor<float, 1> tx, tb, ty;
#endif

    explicit operands(std::int64_t n) : x(n), b(n), y(n), expected(n) {
        bench::fill(x, 0.1f, 1, 1);
        bench::fill(b, 0.1f, 1, 2);
#if BENCH_HAS_EIGEN
        ex = bench::eigen(x);
        eb = bench::eigen(b);
        ey.setZero(n);
#endif
#if BENCH_HAS_XTENSOR
        const std::array<std::size_t, 1> shape{static_cast<std::size_t>(n)};
        tx = xt::adapt(x.data(), shape);
        tb = xt::adapt(b.data(), shape);
        ty = xt::zeros<float>(shape);
#endif
    }
};

/// One table: croton's assignment, the loop by hand, the assignments of Eigen and of xtensor, each inlined into the loop that repeats it: a compiler that calls one and
/// inlines another adds the call to what is measured. From 256 elements on croton may take 1.05 of the loop, below as long as Eigen.
template <class Croton, class Raw, class Eigen, class Xtensor>
void compare(const std::string& title, std::int64_t n, Croton croton, Raw raw, [[maybe_unused]] Eigen eigen, [[maybe_unused]] Xtensor xtensor) {
    operands in(n);
    bench::table table(title + ", " + std::to_string(n) + " float32");
    croton(in, in.y);
    raw(in, in.expected);
    table.check("croton, raw", bench::max_difference(in.y, in.expected), 1e-5);
    table.placed_row("croton", 0, [&]() CROTON_INLINED { croton(in, in.y); });
    table.placed_row("raw: loop", n >= 256 ? 1.05 : 0, [&]() CROTON_INLINED { raw(in, in.y); });
#if BENCH_HAS_EIGEN
    // The second time for both: what is added up is added up twice.
    croton(in, in.y);
    for (int times = 0; times <= 1; ++times) eigen(in);
    table.check("Eigen, croton", bench::max_difference(in.ey, in.y), 1e-5);
    table.placed_row("Eigen", n <= 64 ? 1 : 0, [&]() CROTON_INLINED { eigen(in); });
#endif
#if BENCH_HAS_XTENSOR
    for (int times = 0; times <= BENCH_HAS_EIGEN; ++times) xtensor(in);
    table.check("xtensor, croton", bench::max_difference(in.ty, in.y), 1e-5);
    table.placed_row("xtensor", 0, [&]() CROTON_INLINED { xtensor(in); });
#endif
    table.measure();
}

void compare_all(std::int64_t n) {
    // The first call of each is the one with an empty y; what it adds to is set before.
    compare("triad: y = x + s * b", n, [](operands& in, array<float, 1>& y) CROTON_INLINED { y = in.x + in.scale * in.b; },
            [](operands& in, array<float, 1>& to) CROTON_INLINED {
                const float *x = in.x.data(), *b = in.b.data(), s = in.scale;
                float* const y = to.data();
                each(in.x.size(), [=](auto simd, std::int64_t i) { simd.store(y + i, simd.load(x + i) + simd.all(s) * simd.load(b + i)); });
            },
            BENCH_EIGEN(in.ey = in.ex + in.scale * in.eb;),
            BENCH_XTENSOR(xt::noalias(in.ty) = in.tx + in.scale * in.tb;));
    compare("axpy: y += s * x", n, [](operands& in, array<float, 1>& y) CROTON_INLINED { y += in.scale * in.x; },
            [](operands& in, array<float, 1>& to) CROTON_INLINED {
                const float *x = in.x.data(), s = in.scale;
                float* const y = to.data();
                each(in.x.size(), [=](auto simd, std::int64_t i) { simd.store(y + i, simd.load(y + i) + simd.all(s) * simd.load(x + i)); });
            },
            BENCH_EIGEN(in.ey += in.scale * in.ex;),
            BENCH_XTENSOR(xt::noalias(in.ty) += in.scale * in.tx;));
    compare("polynomial: y = ((x + 2) * x - 3) * x + 1", n, [](operands& in, array<float, 1>& y) CROTON_INLINED { y = ((in.x + 2) * in.x - 3) * in.x + 1; },
            [](operands& in, array<float, 1>& to) CROTON_INLINED {
                const float* x = in.x.data();
                float* const y = to.data();
                each(in.x.size(), [=](auto simd, std::int64_t i) {
                    const auto v = simd.load(x + i);
                    simd.store(y + i, ((v + simd.all(2)) * v - simd.all(3)) * v + simd.all(1));
                });
            },
            BENCH_EIGEN(in.ey = ((in.ex + 2) * in.ex - 3) * in.ex + 1;),
            BENCH_XTENSOR(xt::noalias(in.ty) = ((in.tx + 2.f) * in.tx - 3.f) * in.tx + 1.f;));
    compare("normalise: y = x / norm(x)", n, [](operands& in, array<float, 1>& y) CROTON_INLINED { y = in.x / norm(in.x); },
            [](operands& in, array<float, 1>& to) CROTON_INLINED {
                const float* x = in.x.data();
                float* const y = to.data();
                const float length = raw_norm(x, in.x.size());
                each(in.x.size(), [=](auto simd, std::int64_t i) { simd.store(y + i, simd.load(x + i) / simd.all(length)); });
            },
            BENCH_EIGEN(in.ey = in.ex / in.ex.matrix().norm();),
            BENCH_XTENSOR(xt::noalias(in.ty) = in.tx / std::sqrt(xt::sum(in.tx * in.tx, xt::evaluation_strategy::immediate)());));
}

void compare_rows(std::int64_t rows, std::int64_t columns) {
    array<float, 2> x(rows, columns), y(rows, columns), expected(rows, columns);
    bench::fill(x, -1, 1, 1);
    const auto raw = [&](array<float, 2>& to) {
        for (std::int64_t r = 0; r < rows; ++r) {
            const float* from = x.data() + r * columns;
            float* const row = to.data() + r * columns;
            bench::batch most(from[0]);
            float highest = from[0];
            each(columns, [&](auto simd, std::int64_t i) {
                if constexpr (decltype(simd)::width == 1) highest = std::max(highest, from[i]);
                else most = xsimd::max(most, simd.load(from + i));
            });
            alignas(64) float of_lanes[bench::lanes];
            most.store_aligned(of_lanes);
            for (const float v : of_lanes) highest = std::max(highest, v);
            bench::batch sums(0.f);
            float sum = 0;
            each(columns, [&](auto simd, std::int64_t i) {
                using std::exp;
                using xsimd::exp;
                const auto v = exp(simd.load(from + i) - simd.all(highest));
                simd.store(row + i, v);
                if constexpr (decltype(simd)::width == 1) sum += v;
                else sums += v;
            });
            const float scale = 1 / (sum + xsimd::hadd(sums));
            each(columns, [=](auto simd, std::int64_t i) { simd.store(row + i, simd.load(row + i) * simd.all(scale)); });
        }
    };
    bench::table table("softmax of rows: y = softmax<1>(x), " + std::to_string(rows) + " x " + std::to_string(columns) + " float32");
    y = softmax<1>(x);
    raw(expected);
    table.check("croton, raw", bench::max_difference(y, expected), 1e-5);
    table.row("croton", 0, [&] { y = softmax<1>(x); });
    table.row("raw: loop", rows * columns >= 256 ? 1.05 : 0, [&] { raw(expected); });
#if BENCH_HAS_EIGEN
    const auto by_eigen = [&] {
        const auto from = bench::eigen(x).array();
        auto to = bench::eigen(expected).array();
        to = (from.colwise() - from.rowwise().maxCoeff()).exp();
        to.colwise() /= to.rowwise().sum().eval();
    };
    by_eigen();
    table.check("Eigen, croton", bench::max_difference(expected, y), 1e-5);
    table.row("Eigen", 0, by_eigen);
#endif
#if BENCH_HAS_XTENSOR
    xt::xtensor<float, 2> tx = xt::adapt(x.data(), std::array<std::size_t, 2>{static_cast<std::size_t>(rows), static_cast<std::size_t>(columns)}), ty;
    const auto by_xtensor = [&] {
        const xt::xtensor<float, 1> highest = xt::amax(tx, {1});
        ty = xt::exp(tx - xt::view(highest, xt::all(), xt::newaxis()));
        const xt::xtensor<float, 1> sums = xt::sum(ty, {1});
        ty /= xt::view(sums, xt::all(), xt::newaxis());
    };
    by_xtensor();
    table.check("xtensor, croton", bench::max_difference(ty, y), 1e-5);
    table.row("xtensor", 0, by_xtensor);
#endif
    table.measure();
}

}  // namespace

int main(int argc, char** argv) {
    bench::start(argc, argv);
    if (!BENCH_HAS_EIGEN) std::printf("not here: Eigen\n");
    if (!BENCH_HAS_XTENSOR) std::printf("not here: xtensor\n");
    for (const std::int64_t n : {4, 16, 64, 256, 1024, 10'000, 1'000'000}) compare_all(n);
    compare_rows(8, 10);
    compare_rows(100, 100);
    compare_rows(1000, 1000);
    return bench::table::finish();
}
