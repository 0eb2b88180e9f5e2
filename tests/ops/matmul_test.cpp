// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <algorithm>

#include "support.hpp"

using namespace croton;
using support::layout;
using support::placed;

namespace {

constexpr layout layouts[] = {layout::dense, layout::transposed, layout::reversed, layout::stepped, layout::window};

template <class T> using rank3 = tensor<T, dynamic, dynamic, dynamic>;
template <class T> using rank4 = tensor<T, dynamic, dynamic, dynamic, dynamic>;

/// Every pair of ranks that is not `dot`'s.
template <class T> struct products {
    constexpr auto operator()(vector<T> a1, matrix<T> a2, rank3<T> a3, rank4<T> a4, vector<T> b1, matrix<T> b2, rank3<T> b3, rank4<T> b4) const {
        return std::tuple(matmul(a1, b3), matmul(a2, b3), matmul(a3, b3), matmul(a4, b3), matmul(a1, b4), matmul(a2, b4), matmul(a3, b4),
                          matmul(a4, b4), matmul(a3, b1), matmul(a3, b2), matmul(a4, b1), matmul(a4, b2));
    }
};

/// Extents that are 1 in their declaration, on either side and on both, with transposed factors and a scale.
template <class T> struct repeated {
    constexpr auto operator()(tensor<T, dynamic, 1, dynamic, dynamic> a, tensor<T, 1, dynamic, dynamic, dynamic> b, tensor<T, 1, dynamic, dynamic> c,
                              tensor<T, dynamic, 1, dynamic> rows, rank3<T> d) const {
        return std::tuple(matmul(a, b), matmul(a, c), 2 * matmul(transpose<0, 1, 3, 2>(b), transpose<0, 1, 3, 2>(a)),
                          transpose<0, 2, 1>(matmul(rows, c)), matmul(rows, d) - 3 * matmul(rows, c));
    }
};

/// The same elements with ones in front, as NumPy aligns them.
template <class T, int Rank> array<T, 4> padded(const array<T, Rank>& x) {
    extents_of<4> e{1, 1, 1, 1};
    for (int i = 0; i < Rank; ++i) e[static_cast<std::size_t>(4 - Rank + i)] = x.extent(i);
    array<T, 4> out(e);
    std::copy(x.begin(), x.end(), out.begin());
    return out;
}

template <class T> bool near(T got, long double wanted, long double size) {
    if constexpr (std::is_integral_v<T>) return static_cast<long double>(got) == wanted;
    else return std::fabs(static_cast<long double>(got) - wanted) <= 16 * size * std::numeric_limits<T>::epsilon() + 1e-30L;
}

/// The loops that say what a product is, over [p,q,m,k] x [p,q,k,n]; `turned` results have m and n exchanged.
template <class T, int Rank>
bool is_product(const array<T, Rank>& result, const array<T, 4>& a, const array<T, 4>& b, const std::vector<std::int64_t>& extents, T scale = 1,
                bool turned = false) {
    if (static_cast<std::size_t>(Rank) != extents.size()) return false;
    for (int i = 0; i < Rank; ++i)
        if (result.extent(i) != extents[static_cast<std::size_t>(i)]) return false;
    const auto whole = [&](int i) { return a.extent(i) == 1 ? b.extent(i) : a.extent(i); };
    const std::int64_t m = a.extent(2), n = b.extent(3);
    const T* got = result.data();
    for (std::int64_t p = 0; p < whole(0); ++p)
        for (std::int64_t q = 0; q < whole(1); ++q, got += m * n)
            for (std::int64_t i = 0; i < m; ++i)
                for (std::int64_t j = 0; j < n; ++j) {
                    long double sum = 0, size = 0;
                    for (std::int64_t k = 0; k < a.extent(3); ++k) {
                        const long double term = static_cast<long double>(scale) * a(a.extent(0) == 1 ? 0 : p, a.extent(1) == 1 ? 0 : q, i, k) *
                                                 b(b.extent(0) == 1 ? 0 : p, b.extent(1) == 1 ? 0 : q, k, j);
                        sum += term;
                        size += std::fabs(term);
                    }
                    if (!near<T>(turned ? got[j * m + i] : got[i * n + j], sum, size)) return false;
                }
    return true;
}

template <class Device, class T> void check() {
    auto f = function<Device>(products<T>());
    support::numbers random(31);
    for (const auto& e : {extents_of<5>{1, 1, 1, 1, 1},
                          {2, 3, 4, 5, 6},
                          {3, 2, 1, 4, 5},
                          {2, 4, 5, 3, 1},
                          {1, 5, 2, 1, 3},
                          {4, 1, 3, 2, 2},
                          {0, 2, 3, 2, 2},
                          {2, 0, 3, 2, 2},
                          {2, 2, 3, 0, 2},
                          {2, 3, 0, 2, 2},
                          {2, 3, 2, 4, 0},
                          {2, 2, 17, 33, 9}}) {
        const std::int64_t p = e[0], q = e[1], m = e[2], k = e[3], n = e[4];
        const auto a1 = random.fill<T, 1>({k}), b1 = random.fill<T, 1>({k});
        const auto a2 = random.fill<T, 2>({m, k}), b2 = random.fill<T, 2>({k, n});
        const auto a3 = random.fill<T, 3>({q, m, k}), b3 = random.fill<T, 3>({q, k, n});
        const auto a4 = random.fill<T, 4>({p, q, m, k}), b4 = random.fill<T, 4>({p, q, k, n});
        array<T, 2> column(k, 1);
        std::copy(b1.begin(), b1.end(), column.begin());
        for (const layout l : layouts) {
            INFO(support::device_name<Device>() << " " << name_of(element_of<T>) << " [" << p << "," << q << "," << m << "," << k << "," << n << "] "
                                                << support::name_of(l));
            const placed<T, 1> pa1(a1, l), pb1(b1, layout::reversed);
            const placed<T, 2> pa2(a2, l), pb2(b2, l == layout::dense ? layout::transposed : l);
            const placed<T, 3> pa3(a3, l), pb3(b3, l == layout::stepped ? layout::dense : l);
            const placed<T, 4> pa4(a4, l), pb4(b4, l == layout::window ? layout::transposed : l);
            const auto [r13, r23, r33, r43, r14, r24, r34, r44, r31, r32, r41, r42] =
                f(pa1.get(), pa2.get(), pa3.get(), pa4.get(), pb1.get(), pb2.get(), pb3.get(), pb4.get());
            const auto A1 = padded(a1), A2 = padded(a2), A3 = padded(a3), A4 = padded(a4);
            const auto B1 = padded(column), B2 = padded(b2), B3 = padded(b3), B4 = padded(b4);
            CHECK(is_product<T>(r13, A1, B3, {q, n}));
            CHECK(is_product<T>(r23, A2, B3, {q, m, n}));
            CHECK(is_product<T>(r33, A3, B3, {q, m, n}));
            CHECK(is_product<T>(r43, A4, B3, {p, q, m, n}));
            CHECK(is_product<T>(r14, A1, B4, {p, q, n}));
            CHECK(is_product<T>(r24, A2, B4, {p, q, m, n}));
            CHECK(is_product<T>(r34, A3, B4, {p, q, m, n}));
            CHECK(is_product<T>(r44, A4, B4, {p, q, m, n}));
            CHECK(is_product<T>(r31, A3, B1, {q, m}));
            CHECK(is_product<T>(r32, A3, B2, {q, m, n}));
            CHECK(is_product<T>(r41, A4, B1, {p, q, m}));
            CHECK(is_product<T>(r42, A4, B2, {p, q, m, n}));
        }
    }
}

template <class Device, class T> void check_repeated() {
    auto f = function<Device>(repeated<T>());
    support::numbers random(77);
    for (const auto& e : {extents_of<5>{1, 1, 1, 1, 1}, {3, 2, 4, 5, 2}, {2, 5, 1, 3, 4}, {5, 2, 3, 1, 1}, {0, 2, 3, 2, 2}, {2, 0, 3, 2, 2}, {6, 7, 8, 9, 8}}) {
        const std::int64_t p = e[0], q = e[1], m = e[2], k = e[3], n = e[4];
        const auto a = random.fill<T, 4>({p, 1, m, k}), b = random.fill<T, 4>({1, q, k, n});
        const auto c = random.fill<T, 3>({1, k, n}), d = random.fill<T, 3>({p, k, n});
        const auto rows = random.fill<T, 3>({p, 1, k});
        for (const layout l : layouts) {
            INFO(support::device_name<Device>() << " " << name_of(element_of<T>) << " [" << p << "," << q << "," << m << "," << k << "," << n << "] "
                                                << support::name_of(l));
            const placed<T, 4> pa(a, l), pb(b, l);
            const placed<T, 3> pc(c, l), pd(d, l), prows(rows, l);
            const auto [ab, ac, turned, columns, difference] = f(pa.get(), pb.get(), pc.get(), prows.get(), pd.get());
            CHECK(is_product<T>(ab, a, b, {p, q, m, n}));
            CHECK(is_product<T>(ac, a, padded(c), {p, 1, m, n}));
            CHECK(is_product<T>(turned, a, b, {p, q, n, m}, 2, true));
            array<T, 4> lines(1, p, 1, k);
            std::copy(rows.begin(), rows.end(), lines.begin());
            CHECK(is_product<T>(columns, lines, padded(c), {p, n, 1}, 1, true));
            bool right = difference.extents() == extents_of<3>{p, 1, n};
            for (std::int64_t i = 0; i < p; ++i)
                for (std::int64_t j = 0; j < n; ++j) {
                    long double sum = 0, size = 0;
                    for (std::int64_t s = 0; s < k; ++s) {
                        const long double first = static_cast<long double>(rows(i, 0, s)) * d(i, s, j), second = 3.0L * rows(i, 0, s) * c(0, s, j);
                        sum += first - second;
                        size += std::fabs(first) + std::fabs(second);
                    }
                    right = right && near<T>(difference(i, 0, j), sum, size);
                }
            CHECK(right);
        }
    }
}

}  // namespace

TEST_CASE("batches of products of every pair of ranks: float") {
    check<cpu, float>();
    check<reference, float>();
}
TEST_CASE("batches of products of every pair of ranks: double") { check<cpu, double>(); }
TEST_CASE("batches of products of every pair of ranks: int") { check<cpu, int>(); }

TEST_CASE("extents of 1 are repeated") {
    check_repeated<cpu, float>();
    check_repeated<reference, double>();
    check_repeated<cpu, int>();
}

TEST_CASE("ranks 1 and 2 are those of dot") {
    auto f = function<cpu>([](matrix<double> a, matrix<double> b, vector<double> x) {
        return std::tuple(matmul(a, b), dot(a, b), matmul(a, x), dot(a, x), matmul(x, b), dot(x, b), matmul(x, x), dot(x, x));
    });
    const auto a = support::numbers(1).fill<double, 2>({3, 4}), b = support::numbers(2).fill<double, 2>({4, 5});
    const auto x = support::numbers(3).fill<double, 1>({4});
    const auto [ab, ab2, ax, ax2, xb, xb2, xx, xx2] = f(a, b, x);
    CHECK((ab == ab2 && ax == ax2 && xb == xb2 && static_cast<double>(xx) == static_cast<double>(xx2)));
}

TEST_CASE("the largest rank, in an order that no two axes share") {
    auto f = function<cpu>([](tensor<double, 2, 1, 3, 1, 2, 4, 3> a, tensor<double, 3, 3, 2, 1, 3, 5> b) {
        return std::tuple(matmul(a, b), matmul(transpose<4, 3, 2, 1, 0, 5, 6>(a), b));
    });
    // Of a product that nothing else reads.
    auto of_its_own = function<cpu>([](tensor<double, 2, 1, 3, 1, 2, 4, 3> a, tensor<double, 3, 3, 2, 1, 3, 5> b) {
        return transpose<1, 0, 2, 3, 4, 6, 5>(matmul(a, b));
    });
    const auto a = support::numbers(1).fill<double, 7>({2, 1, 3, 1, 2, 4, 3});
    const auto b = support::numbers(2).fill<double, 6>({3, 3, 2, 1, 3, 5});
    const auto [ab, turned] = f(a, b);
    const auto exchanged = of_its_own(a, b);
    REQUIRE(ab.extents() == extents_of<7>{2, 3, 3, 2, 2, 4, 5});
    REQUIRE(turned.extents() == extents_of<7>{2, 3, 3, 2, 2, 4, 5});
    REQUIRE(exchanged.extents() == extents_of<7>{3, 2, 3, 2, 2, 5, 4});
    for (std::int64_t p = 0; p < 2; ++p)
        for (std::int64_t q = 0; q < 3; ++q)
            for (std::int64_t r = 0; r < 3; ++r)
                for (std::int64_t s = 0; s < 2; ++s)
                    for (std::int64_t t = 0; t < 2; ++t)
                        for (std::int64_t i = 0; i < 4; ++i)
                            for (std::int64_t j = 0; j < 5; ++j) {
                                double sum = 0, sum_turned = 0;
                                for (std::int64_t k = 0; k < 3; ++k) {
                                    sum += a(p, 0, r, 0, t, i, k) * b(q, r, s, 0, k, j);
                                    sum_turned += a(t, 0, r, 0, p, i, k) * b(q, r, s, 0, k, j);
                                }
                                CHECK(ab(p, q, r, s, t, i, j) == doctest::Approx(sum));
                                CHECK(turned(p, q, r, s, t, i, j) == doctest::Approx(sum_turned));
                                CHECK(exchanged(q, p, r, s, t, j, i) == doctest::Approx(sum));
                            }
}

TEST_CASE("sizes that only the call knows") {
    auto f = function<cpu>("f", [](tensor<float, dynamic, dynamic, dynamic> a, tensor<float, dynamic, dynamic, dynamic> b) { return matmul(a, b); });
    array<float, 3> a(2, 3, 4);
    CHECK_THROWS_WITH_AS(f(a, array<float, 3>(2, 5, 6)), "f: argument 2 has extent 5 along axis 1, but argument 1 has extent 4 along axis 2; matmul needs them equal", shape_error);
    CHECK_THROWS_WITH_AS(f(a, array<float, 3>(3, 4, 6)), "f: argument 2 has extent 3 along axis 0, but argument 1 has extent 2 along axis 0; matmul needs them equal", shape_error);
    // An extent that happens to be 1 is not repeated.
    CHECK_THROWS_AS(f(a, array<float, 3>(1, 4, 6)), shape_error);
}
