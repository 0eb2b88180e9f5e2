// SPDX-License-Identifier: MIT
// Products of many small matrices: all sizes around what stands in lanes, however the matrices and the batch lie, against plain loops; and nothing else is written.
#include <croton/croton.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

using namespace croton;

namespace {

/// How `count` matrices lie: rows and columns, and one behind the other.
enum class place { by_rows, by_columns, rows_apart, columns_apart, all_apart, rows_backwards, batch_last, batch_backwards, same };

template <class T> struct placed {
    std::vector<T> data;
    std::int64_t first = 0, rows, cols, row_stride, col_stride, each;

    placed(place how, std::int64_t count, std::int64_t r, std::int64_t c, std::mt19937& random) : rows(r), cols(c), row_stride(c), col_stride(1), each(r * c) {
        if (how == place::by_columns) row_stride = 1, col_stride = r;
        if (how == place::rows_apart) row_stride = c + 3, each = r * row_stride + 1;
        if (how == place::columns_apart) row_stride = 1, col_stride = r + 2, each = c * col_stride;
        if (how == place::all_apart) col_stride = 2, row_stride = 2 * c + 1, each = r * row_stride;
        if (how == place::rows_backwards) first = (r - 1) * c, row_stride = -c;
        if (how == place::batch_last) each = 1, col_stride = count, row_stride = c * count;
        if (how == place::batch_backwards) first = (count - 1) * each, each = -each;
        if (how == place::same) each = 0;
        data.resize(static_cast<std::size_t>(count * (r * (2 * c + 4) + c * (r + 2) + 1) + 64));
        // Whole numbers, of which sums are exact.
        for (T& v : data) v = static_cast<T>(static_cast<int>(random() % 15) - 7);
    }
    std::size_t at(std::int64_t q, std::int64_t i, std::int64_t j) const { return static_cast<std::size_t>(first + q * each + i * row_stride + j * col_stride); }
    kernel::matrix<T> matrix() { return {data.data() + first, rows, cols, row_stride, col_stride}; }
    kernel::matrix<const T> read() const { return {data.data() + first, rows, cols, row_stride, col_stride}; }
};

template <class T> void check(std::int64_t count, std::int64_t m, std::int64_t k, std::int64_t n, place of_a, place of_b, place of_c, T alpha, T beta, std::mt19937& random) {
    const placed<T> a(of_a, count, m, k, random), b(of_b, count, k, n, random);
    placed<T> c(of_c, count, m, n, random);
    std::vector<T> wanted = c.data;
    for (std::int64_t q = 0; q < count; ++q)
        for (std::int64_t i = 0; i < m; ++i)
            for (std::int64_t j = 0; j < n; ++j) {
                T sum = 0;
                for (std::int64_t l = 0; l < k; ++l) sum += a.data[a.at(q, i, l)] * b.data[b.at(q, l, j)];
                wanted[c.at(q, i, j)] = alpha * sum + beta * wanted[c.at(q, i, j)];
            }
    // `beta == 0` reads no addend.
    if (beta == 0)
        for (std::int64_t q = 0; q < count; ++q)
            for (std::int64_t i = 0; i < m; ++i)
                for (std::int64_t j = 0; j < n; ++j) c.data[c.at(q, i, j)] = std::numeric_limits<T>::quiet_NaN();
    cpu::gemm_batched<T>(alpha, a.read(), b.read(), beta, c.matrix(), {count, a.each, b.each, c.each});
    CAPTURE(count);
    CAPTURE(m);
    CAPTURE(k);
    CAPTURE(n);
    CAPTURE(static_cast<int>(of_a));
    CAPTURE(static_cast<int>(of_b));
    CAPTURE(static_cast<int>(of_c));
    const bool same = c.data == wanted;
    CHECK(same);
}

}  // namespace

TEST_CASE_TEMPLATE("products of a batch, however it lies", T, float, double) {
    std::mt19937 random(7);
    const auto any = [&](std::int64_t count) { return static_cast<std::int64_t>(random() % static_cast<unsigned>(count)); };
    for (int threads_of_all : {1, 2}) {
        const auto scope = threads(threads_of_all);
        for (std::int64_t count : {1, 3, 15, 16, 31, 32, 33, 47, 64, 100, 1000, 1003}) {
            for (int repeat = 0; repeat < 60; ++repeat) {
                const auto of_c = static_cast<place>(any(8));
                const T alpha = repeat % 3 == 0 ? T(-2) : T(1), beta = repeat % 4 == 0 ? T(3) : T(0);
                check<T>(count, 1 + any(9), 1 + any(9), 1 + any(9), static_cast<place>(any(9)), static_cast<place>(any(9)), of_c, alpha, beta, random);
            }
            check<T>(count, 1, 1, 1, place::by_rows, place::by_rows, place::by_rows, 1, 0, random);
            check<T>(count, 12, 14, 1, place::by_rows, place::by_rows, place::by_rows, 1, 1, random);
            check<T>(count, 1, 14, 12, place::by_rows, place::by_columns, place::by_rows, 1, 0, random);
            check<T>(count, 1, 190, 1, place::by_rows, place::same, place::by_rows, 1, 0, random);
        }
        // Enough work for several threads, with a last tile that is not whole.
        for (place how : {place::by_rows, place::batch_last, place::rows_apart}) check<T>(30007, 3, 3, 3, how, place::by_rows, how, 1, 2, random);
    }
}

TEST_CASE("a factor of zero does not look at the matrices, and what is not a number stays in its product") {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    array<double, 3> a(100, 2, 2), b(100, 2, 2), c(100, 2, 2);
    std::fill_n(a.data(), a.size(), 1.0);
    std::fill_n(b.data(), b.size(), 2.0);
    std::fill_n(c.data(), c.size(), 5.0);
    a(17, 1, 0) = nan;
    const auto seen = [](const array<double, 3>& x) { return kernel::matrix<const double>{x.data(), 2, 2, 2, 1}; };
    cpu::gemm_batched<double>(1, seen(a), seen(b), 0, {c.data(), 2, 2, 2, 1}, {100, 4, 4, 4});
    for (std::int64_t q = 0; q < 100; ++q)
        for (std::int64_t i = 0; i < 2; ++i)
            for (std::int64_t j = 0; j < 2; ++j) {
                if (q == 17 && i == 1) CHECK(std::isnan(c(q, i, j)));
                else CHECK(c(q, i, j) == 4);
            }
}

TEST_CASE("einsum of a batch, its gradient, and none of it") {
    auto f = function<cpu>("batch", [](tensor<double, -1, -1, -1> a, tensor<double, -1, -1, -1> b, matrix<double> v) {
        const auto c = einsum<"bij,bjk->bik">(a, b);
        const auto w = einsum<"bij,bj->bi">(c, v);
        const auto cost = sum(w * w);
        return outputs(c, w, grad(cost, a), grad(cost, v), einsum<"bi,bij,bj->b">(v, c, v), matmul(newaxis<1>(v), transpose<0, 2, 1>(a)));
    });
    std::mt19937 random(3);
    for (std::int64_t count : {0, 1, 40, 333}) {
        array<double, 3> a(count, 3, 3), b(count, 3, 3);
        array<double, 2> v(count, 3);
        for (auto* x : {&a, &b})
            for (std::int64_t i = 0; i < x->size(); ++i) x->data()[i] = static_cast<double>(static_cast<int>(random() % 9) - 4);
        for (std::int64_t i = 0; i < v.size(); ++i) v.data()[i] = static_cast<double>(static_cast<int>(random() % 9) - 4);
        const auto [c, w, ga, gv, form, row] = f(a, b, v);
        REQUIRE(c.extents() == a.extents());
        REQUIRE(form.extent(0) == count);
        for (std::int64_t q = 0; q < count; ++q) {
            double whole = 0, wq[3] = {}, gc[3][3];
            for (std::int64_t i = 0; i < 3; ++i)
                for (std::int64_t j = 0; j < 3; ++j) {
                    double sum = 0;
                    for (std::int64_t l = 0; l < 3; ++l) sum += a(q, i, l) * b(q, l, j);
                    CHECK(c(q, i, j) == sum);
                    wq[i] += sum * v(q, j);
                    whole += v(q, i) * sum * v(q, j);
                }
            CHECK(form(q) == whole);
            for (std::int64_t i = 0; i < 3; ++i)
                for (std::int64_t j = 0; j < 3; ++j) gc[i][j] = 2 * wq[i] * v(q, j);
            for (std::int64_t i = 0; i < 3; ++i) {
                double of_v = 0, of_row = 0;
                CHECK(w(q, i) == wq[i]);
                for (std::int64_t l = 0; l < 3; ++l) {
                    double of_a = 0;
                    for (std::int64_t j = 0; j < 3; ++j) of_a += gc[i][j] * b(q, l, j);
                    CHECK(ga(q, i, l) == of_a);
                    of_v += 2 * wq[l] * c(q, l, i);
                    of_row += v(q, l) * a(q, i, l);
                }
                CHECK(gv(q, i) == of_v);
                CHECK(row(q, 0, i) == of_row);
            }
        }
    }
}
