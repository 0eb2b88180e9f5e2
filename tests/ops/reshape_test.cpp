// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include "support.hpp"

using namespace croton;
using support::layout;
using support::placed;

namespace {

array<float, 3> counted(std::int64_t a, std::int64_t b, std::int64_t c) {
    array<float, 3> x(a, b, c);
    float n = 0;
    for (float& e : x) e = n++;
    return x;
}

template <class F> void on_all(F&& f) {
    f.template operator()<cpu>();
    f.template operator()<reference>();
}

constexpr layout layouts[] = {layout::dense, layout::transposed, layout::reversed, layout::stepped, layout::window};

}  // namespace

TEST_CASE("reshape and flatten, of views too") {
    on_all([]<class Device>() {
        auto f = function<Device>([](tensor<float, dim("a"), dim("b"), dynamic> x) {
            return std::tuple(reshape<dynamic, dim("b")>(x), reshape<dim("b"), dynamic, dim("a")>(x), flatten(x),
                              reshape<2, dynamic>(x), flatten(x * 2) + 1, flatten(transpose(x)),
                              reshape<dim("a"), dim("b"), dynamic>(flatten(x)) - x);
        });
        for (const auto& x : {counted(2, 3, 5), counted(4, 17, 1), counted(2, 16, 33)})
            for (const layout l : layouts) {
                INFO(support::device_name<Device>() << " " << support::name_of(l));
                const placed<float, 3> p(x, l);
                const auto a = x.extent(0), b = x.extent(1), c = x.extent(2);
                const auto [by_b, b_first, flat, in_two, doubled, turned, nothing] = f(p.get());
                CHECK(by_b == x.reshape(a * c, b));
                CHECK(b_first == x.reshape(b, c, a));
                CHECK(flat == x.reshape(a * b * c));
                CHECK(in_two == x.reshape(2, a * b * c / 2));
                bool right = true;
                for (std::int64_t i = 0; i < x.size(); ++i)
                    right = right && doubled(i) == 2 * x.data()[i] + 1 && nothing.data()[i] == 0;
                for (std::int64_t i = 0; i < a; ++i)
                    for (std::int64_t j = 0; j < b; ++j)
                        for (std::int64_t k = 0; k < c; ++k) right = right && turned((k * b + j) * a + i) == x(i, j, k);
                CHECK(right);
            }
        CHECK_THROWS_AS(f(counted(1, 3, 5)), shape_error);  // 15 elements are not 2 rows
    });
}

TEST_CASE("a reshape whose extents are all given is checked at the call") {
    auto f = function<cpu>([](matrix<float, dim("n"), dynamic> x, vector<float, dim("k")> y) {
        return reshape<dim("n"), dim("k"), 2>(x) + newaxis<1>(y);
    });
    const array<float, 2> x(3, 8);
    CHECK(f(x, array<float, 1>(4)).extents() == extents_of<3>{3, 4, 2});
    CHECK_THROWS_AS(f(x, array<float, 1>(5)), shape_error);
}

TEST_CASE("broadcast_to") {
    on_all([]<class Device>() {
        auto f = function<Device>([](vector<float> x, scalar<float> s, matrix<float, dim("n"), dim("m")> y) {
            return std::tuple(broadcast_to<2, dim("n"), dim("m")>(x), broadcast_to<dim("n")>(s),
                              broadcast_to<dim("n"), dim("m")>(sum<1>(y, keepdims)),
                              sum<0>(broadcast_to<4, dim("m")>(x)));
        });
        const array<float, 1> x{1, 2, 3};
        const auto [twice, same, rows, four] =
            f(placed<float, 1>(x, layout::stepped).get(), 7, array<float, 2>{{1, 1, 2}, {3, 3, 3}});
        CHECK(twice == array<float, 3>{{{1, 2, 3}, {1, 2, 3}}, {{1, 2, 3}, {1, 2, 3}}});
        CHECK(same == array<float, 1>{7, 7});
        CHECK(rows == array<float, 2>{{4, 4, 4}, {9, 9, 9}});
        CHECK(four == array<float, 1>{4, 8, 12});
        CHECK_THROWS_AS(f(array<float, 1>{1}, 7, array<float, 2>(2, 3)), shape_error);
    });
}
