// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include "support.hpp"

using namespace croton;
using support::layout;
using support::placed;

namespace {

constexpr layout layouts[] = {layout::dense, layout::transposed, layout::reversed, layout::stepped, layout::window};

template <class T> struct products {
    constexpr auto operator()(matrix<T> a, matrix<T> b, vector<T> x, vector<T> y, scalar<T> s) const {
        return std::tuple(dot(a, b), dot(a, x), dot(y, a), dot(x, x), dot(s, a), dot(x, s), dot(s, s),
                          dot(transpose(b), transpose(a)));
    }
};

template <class T> bool near(T got, long double wanted, long double size) {
    if constexpr (std::is_integral_v<T>) return static_cast<long double>(got) == wanted;
    else
        return std::fabs(static_cast<long double>(got) - wanted) <=
               8 * size * std::numeric_limits<T>::epsilon() + 1e-30L;
}

template <class Device, class T> void check() {
    auto f = function<Device>(products<T>());
    support::numbers random(31);
    for (const auto& extents : {extents_of<3>{1, 1, 1},
                                {2, 3, 4},
                                {5, 1, 7},
                                {1, 17, 1},
                                {0, 3, 2},
                                {3, 0, 2},
                                {3, 2, 0},
                                {33, 16, 15},
                                {17, 65, 9}}) {
        const auto m = extents[0], k = extents[1], n = extents[2];
        const auto a = random.fill<T, 2>({m, k}), b = random.fill<T, 2>({k, n});
        const auto x = random.fill<T, 1>({k}), y = random.fill<T, 1>({m});
        const T s = static_cast<T>(3);
        for (const layout l : layouts) {
            INFO(support::device_name<Device>()
                 << " " << name_of(element_of<T>) << " [" << m << "," << k << "," << n << "] " << support::name_of(l));
            const placed<T, 2> pa(a, l), pb(b, l == layout::dense ? layout::transposed : l);
            const placed<T, 1> px(x, l), py(y, layout::reversed);
            const auto [ab, ax, ya, xx, sa, xs, ss, turned] = f(pa.get(), pb.get(), px.get(), py.get(), s);
            CHECK(ab.extents() == extents_of<2>{m, n});
            CHECK(turned.extents() == extents_of<2>{n, m});
            CHECK((ax.size() == m && ya.size() == k && sa.extents() == a.extents() && xs.size() == k));
            bool right = static_cast<T>(ss) == s * s;
            for (std::int64_t i = 0; i < m; ++i) {
                for (std::int64_t j = 0; j < n; ++j) {
                    long double sum = 0, size = 0;
                    for (std::int64_t p = 0; p < k; ++p) {
                        const long double term = static_cast<long double>(a(i, p)) * b(p, j);
                        sum += term;
                        size += std::fabs(term);
                    }
                    right = right && near<T>(ab(i, j), sum, size) && near<T>(turned(j, i), sum, size);
                }
                long double sum = 0, size = 0;
                for (std::int64_t p = 0; p < k; ++p) {
                    const long double term = static_cast<long double>(a(i, p)) * x(p);
                    sum += term;
                    size += std::fabs(term);
                    right = right && sa(i, p) == s * a(i, p);
                }
                right = right && near<T>(ax(i), sum, size);
            }
            long double square = 0;
            for (std::int64_t p = 0; p < k; ++p) {
                long double sum = 0, size = 0;
                for (std::int64_t i = 0; i < m; ++i) {
                    const long double term = static_cast<long double>(a(i, p)) * y(i);
                    sum += term;
                    size += std::fabs(term);
                }
                right = right && near<T>(ya(p), sum, size) && xs(p) == s * x(p);
                square += static_cast<long double>(x(p)) * x(p);
            }
            CHECK(right);
            CHECK(near<T>(static_cast<T>(xx), square, square));
        }
    }
}

}  // namespace

TEST_CASE("products of every rank: float") {
    check<cpu, float>();
    check<reference, float>();
}

TEST_CASE("products of every rank: double") { check<cpu, double>(); }
TEST_CASE("products of every rank: int") { check<cpu, int>(); }
TEST_CASE("products of every rank: int64") { check<cpu, std::int64_t>(); }
