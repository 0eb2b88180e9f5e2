// SPDX-License-Identifier: MIT
// Products by register blocks: every size around a block, every stride, every instruction set that this program has.
#include <croton/device/cpu/products.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

using croton::kernel::matrix;
namespace of = croton::detail::cpu_device;

namespace {

// Multiples of a quarter that are small: every sum of their products is exact, in whatever order.
template <class T> struct placed {
    std::vector<T> data;
    matrix<T> m;

    placed(std::int64_t rows, std::int64_t cols, int form, unsigned seed) {
        const std::int64_t strides[][2] = {{cols, 1}, {1, rows}, {cols + 3, 1}, {1, rows + 5}, {cols * 2, 2}, {-cols, -1}};
        const std::int64_t rs = strides[form][0], cs = strides[form][1];
        const auto reach = [](std::int64_t n, std::int64_t s) { return (n - 1) * (s < 0 ? -s : s); };
        const std::int64_t before = form == 5 ? reach(rows, rs) + reach(cols, cs) : 0;
        data.assign(static_cast<std::size_t>(1 + reach(rows, rs) + reach(cols, cs)), T(-77));
        std::mt19937 random(seed);
        m = {data.data() + before, rows, cols, rs, cs};
        for (std::int64_t i = 0; i < rows; ++i)
            for (std::int64_t j = 0; j < cols; ++j) m.data[i * rs + j * cs] = static_cast<T>(static_cast<int>(random() % 17) - 8) / T(4);
    }
    placed(const placed& other) : data(other.data), m(other.m) { m.data = data.data() + (other.m.data - other.data.data()); }
};

template <class T> matrix<const T> constant(const matrix<T>& m) { return {m.data, m.rows, m.cols, m.row_stride, m.col_stride}; }

template <class T> void expect(T alpha, const matrix<T>& a, const matrix<T>& b, T beta, const matrix<T>& c) {
    for (std::int64_t i = 0; i < c.rows; ++i)
        for (std::int64_t j = 0; j < c.cols; ++j) {
            T sum = 0;
            for (std::int64_t k = 0; k < a.cols; ++k) sum += a.data[i * a.row_stride + k * a.col_stride] * b.data[k * b.row_stride + j * b.col_stride];
            T& out = c.data[i * c.row_stride + j * c.col_stride];
            out = beta == T(0) ? alpha * sum : alpha * sum + beta * out;
        }
}

template <class T, class Arch> void check(std::int64_t m, std::int64_t k, std::int64_t n, int fa, int fb, int fc, T alpha, T beta) {
    const placed<T> a(m, k, fa, 1), b(k, n, fb, 2);
    placed<T> c(m, n, fc, 3);
    placed<T> wanted = c;
    expect(alpha, a.m, b.m, beta, wanted.m);
    const std::int64_t numbers = of::gemm<T, Arch>::packing(constant(a.m), constant(b.m), c.m);
    std::vector<T> room(static_cast<std::size_t>(numbers) + 1, std::numeric_limits<T>::quiet_NaN());
    room.back() = T(5);
    of::gemm<T, Arch>::run(alpha, constant(a.m), constant(b.m), beta, c.m, room.data());
    CAPTURE(m);
    CAPTURE(k);
    CAPTURE(n);
    CAPTURE(fa);
    CAPTURE(fb);
    CAPTURE(fc);
    // Also what lies between the rows of the result, and behind the room.
    const bool same = c.data == wanted.data && room.back() == T(5);
    CHECK(same);
}

template <class T, class Arch> void check_all() {
    const std::int64_t sizes[] = {1, 2, 3, 4, 5, 7, 8, 9, 12, 15, 16, 17, 23, 25, 33, 47, 48, 49, 65, 97};
    std::mt19937 random(7);
    const auto one_of = [&](int count) { return static_cast<int>(random() % static_cast<unsigned>(count)); };
    const T factors[][2] = {{1, 0}, {2, 1}, {-1, 0.5}, {0.5, 0}};
    for (std::int64_t m : sizes)
        for (std::int64_t n : sizes) {
            const auto& f = factors[one_of(4)];
            check<T, Arch>(m, sizes[one_of(20)], n, one_of(6), one_of(6), one_of(4), f[0], f[1]);
        }
    // Several blocks along every axis.
    const std::int64_t large[][3] = {{300, 50, 70}, {40, 200, 900}, {270, 400, 100}, {33, 500, 30}, {3, 800, 50}, {600, 3, 10}, {150, 193, 97}, {100, 1100, 60}, {140, 1030, 20}};
    for (const auto& s : large)
        for (int fa = 0; fa < 6; ++fa) check<T, Arch>(s[0], s[1], s[2], fa, one_of(6), one_of(4), 1, fa % 2 == 0 ? T(0) : T(2));
    // Second factors which one thread packs beside the first sums: those whose rows share places of a cache, and those that are large; of the largest, by rows and by
    // columns, each panel is asked for beside the sums of the one before. Of first factors by columns it packs some rows before their first sums. The next rows are asked for, too.
    const std::int64_t packed[][3] = {{33, 70, 256}, {40, 90, 512}, {32, 400, 208}, {50, 300, 333}, {36, 290, 800}, {70, 400, 350}, {331, 530, 101}, {150, 20, 110}, {170, 1070, 60}, {270, 530, 1600}};
    croton::set_threads(1);
    for (const auto& s : packed)
        for (int fa = 0; fa < 2; ++fa)
            for (const int fb : {0, 1, 2}) check<T, Arch>(s[0], s[1], s[2], fa, fb, 0, 2, fa == 0 ? T(0) : T(-1));
    croton::set_threads(0);
}

}  // namespace

TEST_CASE_TEMPLATE("products of all sizes and strides", T, float, double) { check_all<T, croton::simd::native>(); }

TEST_CASE_TEMPLATE("short products whose result is turned, or whose second factor is", T, float, double) {
    using gemm = of::gemm<T, croton::simd::native>;
    const std::int64_t sizes[] = {1, 4, 8, 13, 16, 29, 32, 40, 63, 64};
    for (std::int64_t m : sizes)
        for (std::int64_t k : {1, 5, 32, 64})
            for (std::int64_t n : sizes)
                for (int form : {0, 1}) {
                    check<T, croton::simd::native>(m, k, n, 1, form, 0, 1, 0);
                    check<T, croton::simd::native>(m, k, n, 0, 1, 2, 2, form == 0 ? T(0) : T(1));
                }
    const auto turns = [](std::int64_t m, std::int64_t k, std::int64_t n, int fa, int fb) {
        const placed<T> a(m, k, fa, 1), b(k, n, fb, 2), c(m, n, 0, 3);
        return gemm::turns_result(constant(a.m), constant(b.m), c.m);
    };
    CHECK(turns(8, 64, 8, 1, 1));  // less to turn than the second factor
    CHECK(!turns(64, 4, 64, 1, 1));
    CHECK(!turns(8, 64, 8, 1, 0));
    CHECK(!turns(8, 64, 8, 0, 1));
    CHECK(!turns(128, 8, 8, 1, 1));
}

TEST_CASE("short products are left to a BLAS where registers would be nearly empty") {
    using arch = croton::simd::native;
    constexpr bool wide = of::register_bytes<arch>() == 64;
    for (bool turned : {false, true})
        for (bool both : {false, true}) {
            CHECK(of::is_near<arch>(64, 64, 64, turned, both));
            CHECK(!of::is_near<arch>(64, 64, 65, turned, both));
            CHECK(of::is_near<arch>(64, 64, 4, turned, both) == (!wide && !turned && !both));
        }
    CHECK(of::is_near<arch>(64, 16, 4, false, true));
    CHECK(!of::is_near<arch>(4, 64, 64, false, true));
}

TEST_CASE("products of few rows, few columns or little depth are ours where registers are as wide as those of AVX2") {
    using arch = croton::simd::native;
    constexpr bool is_measured = of::register_bytes<arch>() == 32;
    using croton::element;
    const auto suits = [](std::int64_t m, std::int64_t k, std::int64_t n, bool turned, bool both) { return of::suits_slim<arch>(m, k, n, element::float32, turned, both); };
    for (bool turned : {false, true})
        for (bool both : {false, true}) CHECK(suits(4, 100, 400, turned, both) == is_measured);
    CHECK(suits(1000, 784, 10, false, false) == is_measured);
    CHECK(suits(100'000, 3, 64, false, false) == is_measured);
    // A panel that no first cache holds, lines that share its places, and a result that goes to memory.
    CHECK(!suits(16, 784, 1000, false, false));
    CHECK(!suits(16, 2048, 512, false, true));
    CHECK(!suits(100'000, 3, 1000, false, false));
    CHECK(!suits(100, 784, 1000, false, false));
    // In a matrix that lies by columns rows and columns change their places.
    CHECK(of::suits_blocks<arch>(of::matrix_sizes{nullptr, 400, 100, 1, 400}, of::matrix_sizes{nullptr, 100, 4, 1, 100}, of::matrix_sizes{nullptr, 400, 4, 1, 400}, element::float32) == is_measured);
}

#if CROTON_HAS_AVX512
TEST_CASE_TEMPLATE("products in the registers of older processors", T, float, double) {
    check_all<T, xsimd::fma3<xsimd::avx2>>();
    check_all<T, xsimd::sse2>();
}
#endif

namespace {

/// Counts how often each element of a result is given to who follows the product, and whether it is complete then.
template <class T> struct follower {
    const matrix<T>& c;
    const matrix<T>& wanted;
    std::vector<int> seen = std::vector<int>(static_cast<std::size_t>(c.rows * c.cols), 0);
    bool complete = true, whole = true;

    static void run(void* context, std::int64_t row, std::int64_t rows, std::int64_t column, std::int64_t columns) {
        auto& f = *static_cast<follower*>(context);
        f.whole = f.whole && column == 0 && columns == f.c.cols;
        for (std::int64_t i = row; i < row + rows; ++i)
            for (std::int64_t j = column; j < column + columns; ++j) {
                ++f.seen[static_cast<std::size_t>(i * f.c.cols + j)];
                f.complete = f.complete && f.c.data[i * f.c.row_stride + j] == f.wanted.data[i * f.wanted.row_stride + j];
            }
    }
};

template <class T, class Arch> void check_ends() {
    const std::int64_t sizes[][3] = {{300, 50, 70}, {40, 200, 900}, {270, 400, 100}, {33, 500, 30}, {3, 800, 50}, {600, 3, 10}, {150, 193, 1697}};
    for (const auto& s : sizes)
        for (int form = 0; form < 6; ++form)
            for (const bool whole_rows : {false, true}) {
                const placed<T> a(s[0], s[1], form, 1), b(s[1], s[2], (form + 1) % 6, 2);
                placed<T> c(s[0], s[2], form % 2 * 2, 3);
                placed<T> wanted = c;
                expect(T(2), a.m, b.m, T(-1), wanted.m);
                std::vector<T> room(static_cast<std::size_t>(of::gemm<T, Arch>::packing(constant(a.m), constant(b.m), c.m)) + 1);
                follower<T> f{c.m, wanted.m};
                const croton::kernel::block_end end{&follower<T>::run, &f, whole_rows};
                of::gemm<T, Arch>::run(2, constant(a.m), constant(b.m), -1, c.m, room.data(), &end);
                CAPTURE(s[2]);
                CAPTURE(form);
                bool once = true;
                for (const int n : f.seen) once = once && n == 1;
                CHECK(once);
                CHECK(f.complete);
                CHECK((f.whole || !whole_rows));
            }
}

}  // namespace

TEST_CASE_TEMPLATE("what follows a product sees each element once, when it is complete", T, float, double) {
    check_ends<T, croton::simd::native>();
#if CROTON_HAS_AVX512
    check_ends<T, xsimd::fma3<xsimd::avx2>>();
#endif
}

TEST_CASE_TEMPLATE("a product does not read the result that it does not add to", T, float, double) {
    for (std::int64_t n : {5, 16, 50}) {
        const placed<T> a(n, 300, 0, 1), b(300, n, 1, 2);
        std::vector<T> c(static_cast<std::size_t>(n * n), std::numeric_limits<T>::quiet_NaN());
        const matrix<T> to{c.data(), n, n, n, 1};
        std::vector<T> room(static_cast<std::size_t>(of::gemm<T, croton::simd::native>::packing(constant(a.m), constant(b.m), to)) + 1);
        of::gemm<T, croton::simd::native>::run(1, constant(a.m), constant(b.m), 0, to, room.data());
        bool numbers = true;
        for (T v : c) numbers = numbers && v == v;
        CHECK(numbers);
    }
}

TEST_CASE("the roundings of a product do not depend on the threads") {
    std::mt19937 random(3);
    std::uniform_real_distribution<float> number(-1, 1);
    const std::int64_t m = 301, k = 417, n = 203;
    std::vector<float> a(static_cast<std::size_t>(m * k)), b(static_cast<std::size_t>(k * n)), first(static_cast<std::size_t>(m * n)), next = first;
    for (float& v : a) v = number(random);
    for (float& v : b) v = number(random);
    for (const auto& [a_row, a_col] : {std::pair{k, std::int64_t{1}}, std::pair{std::int64_t{1}, m}}) {
        const matrix<const float> left{a.data(), m, k, a_row, a_col}, right{b.data(), k, n, n, 1};
        const matrix<float> one{first.data(), m, n, n, 1}, other{next.data(), m, n, n, 1};
        std::vector<float> room(static_cast<std::size_t>(of::gemm<float, croton::simd::native>::packing(left, right, one)));
        croton::set_threads(1);
        of::gemm<float, croton::simd::native>::run(1, left, right, 0, one, room.data());
        for (int threads : {2, 3, 8}) {
            croton::set_threads(threads);
            of::gemm<float, croton::simd::native>::run(1, left, right, 0, other, room.data());
            CHECK(first == next);
        }
    }
    croton::set_threads(0);
}
