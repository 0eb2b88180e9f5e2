// SPDX-License-Identifier: MIT
// Products of integers wrap as NumPy's do, whatever multiplies them: all types, sizes around a block, strides and threads, against plain loops.
#include <croton/croton.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <random>
#include <vector>

using namespace croton;

namespace {

template <class T> struct placed {
    std::vector<T> data;
    kernel::matrix<T> m;
    placed(std::int64_t rows, std::int64_t cols, int form, unsigned seed) {
        const std::int64_t strides[][2] = {{cols, 1}, {1, rows}, {cols + 3, 1}, {cols * 2, 2}};
        data.resize(static_cast<std::size_t>(rows * cols * 2 + rows * 3 + 8));
        std::mt19937_64 random(seed);
        for (T& v : data) v = static_cast<T>(random());
        m = {data.data(), rows, cols, strides[form][0], strides[form][1]};
    }
    placed(const placed& other) : data(other.data), m(other.m) { m.data = data.data(); }
    kernel::matrix<const T> read() const { return {data.data(), m.rows, m.cols, m.row_stride, m.col_stride}; }
};

template <class T> void check(std::int64_t m, std::int64_t k, std::int64_t n, int fa, int fb, int fc, T alpha, T beta) {
    const placed<T> a(m, k, fa, 1), b(k, n, fb, 2);
    placed<T> c(m, n, fc, 3);
    std::vector<T> wanted = c.data;
    using U = std::uint64_t;
    for (std::int64_t i = 0; i < m; ++i)
        for (std::int64_t j = 0; j < n; ++j) {
            U sum = 0;
            for (std::int64_t l = 0; l < k; ++l) sum += static_cast<U>(a.data[static_cast<std::size_t>(i * a.m.row_stride + l * a.m.col_stride)]) * static_cast<U>(b.data[static_cast<std::size_t>(l * b.m.row_stride + j * b.m.col_stride)]);
            T& out = wanted[static_cast<std::size_t>(i * c.m.row_stride + j * c.m.col_stride)];
            out = static_cast<T>(static_cast<U>(alpha) * sum + static_cast<U>(beta) * static_cast<U>(out));
        }
    cpu::gemm<T>(alpha, a.read(), b.read(), beta, c.m);
    CAPTURE(m);
    CAPTURE(k);
    CAPTURE(n);
    CAPTURE(fa);
    CAPTURE(fb);
    CAPTURE(fc);
    const bool same = c.data == wanted;
    CHECK(same);
}

}  // namespace

TEST_CASE_TEMPLATE("products of integers wrap", T, std::int8_t, std::uint8_t, std::int16_t, std::uint16_t, std::int32_t, std::uint32_t, std::int64_t, std::uint64_t) {
    const std::int64_t sizes[] = {1, 2, 3, 5, 8, 16, 33, 65, 130};
    std::mt19937 random(5);
    const auto one_of = [&](int count) { return static_cast<int>(random() % static_cast<unsigned>(count)); };
    const T factors[][2] = {{1, 0}, {1, 1}, {static_cast<T>(-1), 3}};
    for (std::int64_t m : sizes)
        for (std::int64_t n : sizes) {
            const auto& f = factors[one_of(3)];
            check<T>(m, sizes[one_of(9)], n, one_of(4), one_of(4), one_of(4), f[0], f[1]);
        }
    for (int form = 0; form < 4; ++form) check<T>(300, 250, 210, form, one_of(4), one_of(4), 1, form % 2 == 0 ? T(0) : T(1));
    check<T>(40, 0, 30, 0, 0, 0, 1, 1);
    set_threads(2);
    for (int form = 0; form < 4; ++form) check<T>(300, 250, 210, one_of(4), form, one_of(4), 1, 0);
    set_threads(0);
}

TEST_CASE("a function multiplies integers in the memory that it keeps, views among them") {
    auto f = function<cpu>([](matrix<std::int8_t> x, matrix<std::int8_t> y) { return dot(x, y); });
    auto g = function<reference>([](matrix<std::int8_t> x, matrix<std::int8_t> y) { return dot(x, y); });
    for (std::int64_t n : {0, 1, 7, 64, 129}) {
        array<std::int8_t, 2> x({n, n + 1}), y({n, n + 1});
        for (std::int64_t i = 0; i < x.size(); ++i) x.data()[i] = static_cast<std::int8_t>(i * 37), y.data()[i] = static_cast<std::int8_t>(i * 11 + 5);
        CHECK(f(x, y.transpose()) == g(x, y.transpose()));
        CHECK(f(x.transpose(), y) == g(x.transpose(), y));
    }
}
