// SPDX-License-Identifier: MIT
// Products of batches of matrices on a GPU: one call of cuBLAS for all of them, packed where they lie otherwise, as a loop for integers.
#include "device/compare.hpp"

#include <array>
#include <tuple>

using namespace test;

namespace {

using size = std::array<int, 4>;

template <class T> using rank3 = tensor<T, dynamic, dynamic, dynamic>;

template <class Device, class T> auto products() {
    return function<Device>("products", [](rank3<T> a, rank3<T> b, matrix<T> w, vector<T> v, rank3<T> c, scalar<T> s) {
        return outputs(matmul(a, b), matmul(a, w), matmul(transpose<0, 2, 1>(b), transpose<0, 2, 1>(a)), matmul(a, v), s * matmul(a, b) + 2 * c,
                       matmul(transpose(w), b) * 3);
    });
}

template <class T> void compare_products(double tolerance) {
    auto on_gpu = products<cuda, T>();
    auto expected = products<reference, T>();
    for (const auto& e : {size{1, 1, 1, 1}, {2, 3, 4, 5}, {33, 7, 31, 9}, {100, 16, 16, 16}, {8, 64, 128, 64}, {7, 1, 33, 65}, {5, 65, 3, 1},
                              {0, 3, 4, 5}, {3, 0, 4, 5}, {3, 4, 0, 5}, {3, 4, 5, 0}}) {
        const int q = e[0], m = e[1], k = e[2], n = e[3];
        CAPTURE(q);
        CAPTURE(m);
        CAPTURE(k);
        CAPTURE(n);
        const auto a = random_array<T, 3>(1, q, m, k), b = random_array<T, 3>(2, q, k, n), c = random_array<T, 3>(3, q, m, n);
        const auto w = random_array<T, 2>(4, k, k);
        const auto v = random_array<T, 1>(5, k);
        const auto [e1, e2, e3, e4, e5, e6] = expected(a, b, w, v, c, T(3));
        const auto ga = a.template to<cuda>(), gb = b.template to<cuda>(), gc = c.template to<cuda>();
        const auto gw = w.template to<cuda>();
        const auto gv = v.template to<cuda>();
        array<T, 0> scale{3};
        const auto s = scale.template to<cuda>();
        array<T, 3, cuda> r1(q, m, n), r2(q, m, k), r3(q, n, m), r5(q, m, n), r6(q, k, n);
        array<T, 2, cuda> r4(q, m);
        // The third call replays a graph.
        for (int call = 0; call < 3; ++call) {
            on_gpu.call_into(std::tie(r1, r2, r3, r4, r5, r6), ga, gb, gw, gv, gc, s);
            check_close(r1, e1, tolerance);
            check_close(r2, e2, tolerance);
            check_close(r3, e3, tolerance);
            check_close(r4, e4, tolerance);
            check_close(r5, e5, tolerance);
            check_close(r6, e6, tolerance);
        }
    }
}

template <class Device> auto several_axes() {
    return function<Device>([](tensor<float, dynamic, 1, dynamic, dynamic> a, tensor<float, 1, dynamic, dynamic, dynamic> b, rank3<float> c, rank3<float> d) {
        // The last one has no axis of unit stride, so that cuBLAS takes a copy.
        return outputs(matmul(a, b), matmul(transpose<0, 1, 3, 2>(b), transpose<0, 1, 3, 2>(a)), matmul(transpose<2, 0, 1>(c), d));
    });
}

template <class Device> auto training() {
    return function<Device>("training", [](rank3<double> x, shared<rank3<double>> w, shared<matrix<double>> u, scalar<double> rate) {
        auto cost = sum(sqr(matmul(matmul(x, w), u)));
        auto [gw, gu] = grad(cost, w, u);
        return outputs(cost).updates(w -= rate * gw, u -= 0.001 * gu);
    });
}

}  // namespace

TEST_CASE("batches of products") {
    compare_products<float>(1e-4);
    compare_products<double>(1e-12);
    compare_products<int>(0);
    compare_products<std::int64_t>(0);
}

TEST_CASE("several batch axes, repeated ones, and matrices without unit stride") {
    auto on_gpu = several_axes<cuda>();
    auto expected = several_axes<reference>();
    for (const auto& e : {std::array<int, 3>{1, 1, 1}, {3, 4, 5}, {20, 3, 64}}) {
        const int p = e[0], q = e[1], k = e[2];
        const auto a = random_array<float, 4>(1, p, 1, 6, k), b = random_array<float, 4>(2, 1, q, k, 7);
        const auto c = random_array<float, 3>(3, 4, k, p), d = random_array<float, 3>(4, p, k, 3);
        const auto [e1, e2, e3] = expected(a, b, c, d);
        const auto [r1, r2, r3] = on_gpu(a, b, c, d);
        check_close(r1, e1, 1e-4);
        check_close(r2, e2, 1e-4);
        check_close(r3, e3, 1e-4);
    }
}

TEST_CASE("a batch that runs backwards") {
    const int q = 5, m = 3, k = 4, n = 2;
    const auto a = random_array<float, 3>(1, q, m, k), b = random_array<float, 3>(2, q, k, n);
    const auto ga = a.to<cuda>(), gb = b.to<cuda>();
    array<float, 3, cuda> gc(q, m, n);
    array<float, 3> c(q, m, n);
    const kernel::batch over{q, -m * k, k * n, m * n};
    cuda::gemm_batched<float>(1, {ga.data() + (q - 1) * m * k, m, k, k, 1}, {gb.data(), k, n, n, 1}, 0, {gc.data(), m, n, n, 1}, over);
    reference::gemm_batched<float>(1, {a.data() + (q - 1) * m * k, m, k, k, 1}, {b.data(), k, n, n, 1}, 0, {c.data(), m, n, n, 1}, over);
    check_close(gc, c);
}

TEST_CASE("updates in place, with factors that stay on the GPU") {
    auto on_gpu = training<cuda>();
    auto expected = training<reference>();
    const auto x = random_array<double, 3>(1, 6, 5, 4);
    auto w = random_array<double, 3>(2, 6, 4, 3);
    auto u = random_array<double, 2>(3, 3, 2);
    auto gw = w.to<cuda>();
    auto gu = u.to<cuda>();
    for (int call = 0; call < 4; ++call) {
        const array<double, 0> want = expected(x, w, u, 0.01);
        const auto got = on_gpu(x, gw, gu, 0.01);
        check_close(got, want);
        check_close(gw, w, 1e-10);
        check_close(gu, u, 1e-10);
    }
}
