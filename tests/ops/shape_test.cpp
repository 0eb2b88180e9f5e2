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

TEST_CASE("transpose") {
    on_all([]<class Device>() {
        auto f = function<Device>([](tensor<float, dynamic, dynamic, dynamic> x) {
            return std::tuple(transpose(x), transpose<1, 0, 2>(x), transpose<-1, 0, 1>(x), transpose(transpose(x)),
                              transpose<2, 0, 1>(x) + transpose<2, 0, 1>(x));
        });
        for (const auto& x : {counted(2, 3, 5), counted(1, 17, 4), counted(3, 0, 2), counted(16, 2, 33)})
            for (const layout l : layouts) {
                const placed<float, 3> p(x, l);
                const auto [reversed, swapped, turned, same, twice] = f(p.get());
                CHECK(reversed.extents() == extents_of<3>{x.extent(2), x.extent(1), x.extent(0)});
                CHECK(swapped.extents() == extents_of<3>{x.extent(1), x.extent(0), x.extent(2)});
                CHECK(turned.extents() == extents_of<3>{x.extent(2), x.extent(0), x.extent(1)});
                CHECK(same == x);
                bool right = true;
                for (std::int64_t i = 0; i < x.extent(0); ++i)
                    for (std::int64_t j = 0; j < x.extent(1); ++j)
                        for (std::int64_t k = 0; k < x.extent(2); ++k)
                            right = right && reversed(k, j, i) == x(i, j, k) && swapped(j, i, k) == x(i, j, k) &&
                                    turned(k, i, j) == x(i, j, k) && twice(k, i, j) == 2 * x(i, j, k);
                CHECK(right);
            }
    });
}

TEST_CASE("an extent of 1 that only the call knows is dropped") {
    on_all([]<class Device>() {
        const auto f = function<Device>([](matrix<float> x, matrix<float> y) {
            const auto z = squeeze<1>(x) * dot(y, squeeze<1>(x));
            return std::tuple(z, grad(sum(z), x), squeeze<-1>(x(slice(), slice(0, 1))));
        });
        const auto [z, slope, first] = f(array<float, 2>{{1}, {2}}, array<float, 2>{{1, 2}, {3, 4}});
        CHECK((z == array<float, 1>{5, 22} && slope == array<float, 2>{{12}, {21}} && first == array<float, 1>{1, 2}));
        CHECK_THROWS_WITH_AS(f(array<float, 2>(2, 3), array<float, 2>(2, 2)), doctest::Contains("argument 1 has extent 3 along axis 1, but 1 is needed, for squeeze"), shape_error);
    });
    const array<double, 2> column{{1}, {2}, {3}};
    CHECK((squeeze<1>(column) == array<double, 1>{1, 2, 3} && squeeze<0>(2 * transpose(column)) == array<double, 1>{2, 4, 6}));
    CHECK_THROWS_AS((void)squeeze<0>(column).eval(), shape_error);
}

TEST_CASE("newaxis and squeeze") {
    on_all([]<class Device>() {
        auto f = function<Device>([](vector<float> x, tensor<float, 1, dynamic, 1> y) {
            return std::tuple(newaxis<0>(x), newaxis<1>(x), newaxis<-1>(newaxis<0>(x)), squeeze<0>(y), squeeze<-1>(y),
                              squeeze<0, 2>(y), squeeze<1>(newaxis<1>(x)) + x, newaxis<1>(x) - squeeze<0>(y),
                              newaxis<0, -1>(x), expand_dims<2, 1>(x));
        });
        const array<float, 1> x{1, 2, 3};
        const placed<float, 1> p(x, layout::reversed);
        const array<float, 3> y{{{10}, {20}, {30}}};
        const auto [row, column, both, y0, y2, y02, sum, mixed, around, behind] = f(p.get(), y);
        CHECK(row == array<float, 2>{{1, 2, 3}});
        CHECK(column == array<float, 2>{{1}, {2}, {3}});
        CHECK(both == array<float, 3>{{{1}, {2}, {3}}});
        CHECK(y0 == array<float, 2>{{10}, {20}, {30}});
        CHECK(y2 == array<float, 2>{{10, 20, 30}});
        CHECK(y02 == array<float, 1>{10, 20, 30});
        CHECK(sum == array<float, 1>{2, 4, 6});
        CHECK(mixed == array<float, 2>{{-9}, {-18}, {-27}});
        CHECK(around == array<float, 3>{{{1}, {2}, {3}}});
        CHECK(behind == array<float, 3>{{{1}}, {{2}}, {{3}}});
    });
}

TEST_CASE("the extents of an axis") {
    on_all([]<class Device>() {
        const auto f = function<Device>([](matrix<float, dynamic, 3> x, vector<float> y) {
            return std::tuple(x.extent(0), x.extent(-1), sum(y) / cast<float>(y.extent(0)), concatenate<0>(y, y).extent(0));
        });
        const auto [rows, columns, average, twice] = f(array<float, 2>(2, 3), array<float, 1>{1, 2, 6, 7});
        CHECK(rows == 2);
        CHECK(columns == 3);
        CHECK(average == 4.f);
        CHECK(twice == 8);
        CHECK(std::get<0>(f(array<float, 2>(0, 3), array<float, 1>(1))) == 0);
    });
    // It is of use where nothing else of the array is.
    const auto g = function<cpu>([](vector<float> x) { return x.extent(0); });
    CHECK(g(array<float, 1>(5)) == 5);
}
