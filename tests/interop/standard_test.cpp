// SPDX-License-Identifier: MIT
// Memory of the standard library, of a type by its shape, and of one that a program brings: as arguments, operands and targets, without a copy.
#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <croton/croton.hpp>

#include "faults.hpp"

using namespace croton;

namespace {

/// The members of std::mdspan and no other: a matrix whose columns lie together, with room below each.
template <class T> struct columns {
    using element_type = T;
    using reference = T&;
    using rank_type = std::size_t;
    struct extents_type {
        std::size_t rows, columns;
        std::size_t extent(std::size_t axis) const { return axis == 0 ? rows : columns; }
    };

    T* first;
    extents_type size;
    std::size_t between;
    bool strided = true;

    static constexpr std::size_t rank() { return 2; }
    T* const& data_handle() const { return first; }
    const extents_type& extents() const { return size; }
    std::size_t stride(std::size_t axis) const { return axis == 0 ? 1 : between; }
    bool is_strided() const { return strided; }
};

/// A number at a time, through something that is no reference.
struct packed {
    using element_type = float;
    using reference = float;
    using rank_type = std::size_t;
    static constexpr std::size_t rank() { return 1; }
    float* data_handle() const { return nullptr; }
    std::array<std::size_t, 1> extents() const { return {}; }
    std::size_t stride(std::size_t) const { return 1; }
    bool is_strided() const { return true; }
};

/// The image of a program, which knows no arrays.
struct image {
    int width, height;
    std::vector<std::uint8_t> pixels;
};

}  // namespace

template <> struct croton::other_array<image> {
    static constexpr bool owns_elements = true;
    static auto of(auto& x) { return view(x.pixels.data(), std::array<std::int64_t, 2>{x.height, x.width}); }
};

TEST_CASE("operands") {
    std::vector<float> v{1, 2, 3, 4};
    const std::array<float, 4> p{4, 3, 2, 1};
    array<float, 1> a{1, 1, 1, 1}, y;
    y = a + v * a - p;
    CHECK(y == array<float, 1>{-2, 0, 2, 4});
    CHECK(y == a * v + a - std::span<const float>(p));
    CHECK(static_cast<float>(sum(v)) == 10);
    CHECK(a != v);
    CHECK(v == array<float, 1>(v));
    CHECK(array_equal(v, v));
    CHECK_FALSE(array_equal(v, p));
    CHECK(allclose(v, p + array<float, 1>{-3, -1, 1, 3}));
    // A temporary moves into the expression; what has a name is referred to.
    auto e = std::vector<float>{10, 20, 30, 40} + a + v;
    v[0] = 100;
    CHECK(e == array<float, 1>{111, 23, 34, 45});
}

TEST_CASE("targets") {
    std::vector<float> v{1, 2, 3, 4};
    const array<float, 1> a{10, 20, 30, 40};
    as_view(v) = a * 2;
    CHECK(v == std::vector<float>{20, 40, 60, 80});
    as_view(v)(slice(1, 3)) += 1;
    as_view(v) *= 2;
    CHECK(v == std::vector<float>{40, 82, 122, 160});
    as_view(v) = a;
    as_view(v)(slice(0, 2)) = std::array<float, 2>{-1, -2};
    CHECK(v == std::vector<float>{-1, -2, 30, 40});
    CHECK_THROWS_AS((as_view(v) = a(slice(0, 3)) * 2), shape_error);
    CHECK(v == std::vector<float>{-1, -2, 30, 40});

    std::array<float, 4> p{};
    as_view(p) = a + v;
    CHECK(p == std::array<float, 4>{9, 18, 60, 80});
    array<float, 1> own(v), empty;
    empty = v;
    own = p;
    CHECK(own == array<float, 1>{9, 18, 60, 80});
    CHECK(empty == array<float, 1>{-1, -2, 30, 40});
    view<const float, 1> seen = v;
    CHECK(seen.data() == v.data());
}

TEST_CASE("arguments and results of functions") {
    auto f = function<cpu>([](vector<float> x, vector<float> z) { return std::tuple(x * z, sum(x)); });
    const std::vector<float> v{1, 2, 3};
    auto [product, total] = f(v, std::array<float, 3>{1, 0, 2});
    CHECK(product == array<float, 1>{1, 0, 6});
    CHECK(static_cast<float>(total) == 6);
    std::vector<float> out(3);
    f.call_into(std::tie(out, total), v, v);
    CHECK(out == std::vector<float>{1, 4, 9});
    // Read backwards while it is written.
    auto turn = function<cpu>([](vector<float> x) { return flip<0>(x) - x; });
    turn.call_into(out, out);
    CHECK(out == std::vector<float>{8, 0, -8});
    const long before = test::allocations;
    f.call_into(std::tie(out, total), v, v);
    CHECK(test::allocations == before);
}

TEST_CASE("what has the members of std::mdspan") {
    std::vector<double> memory{1, 2, -1, 3, 4, -1, 5, 6, -1};
    const columns<double> m{memory.data(), {2, 3}, 3};
    CHECK(as_view(m) == array<double, 2>{{1, 3, 5}, {2, 4, 6}});
    const array<double, 2> one{{1, 1, 1}, {1, 1, 1}};
    CHECK(one + m == array<double, 2>{{2, 4, 6}, {3, 5, 7}});
    as_view(m) = one * m * 10;
    CHECK(memory == std::vector<double>{10, 20, -1, 30, 40, -1, 50, 60, -1});
    auto f = function<cpu>([](matrix<double> x) { return dot(x, transpose(x)); });
    CHECK(f(m) == array<double, 2>{{3500, 4400}, {4400, 5600}});
    // Loops along arrays, whose call looks where these lie.
    auto g = function<cpu>([](matrix<double> x) { return x / 10; });
    CHECK(g(m) == array<double, 2>{{1, 3, 5}, {2, 4, 6}});
    std::vector<double> into(6);
    g.call_into(columns<double>{into.data(), {2, 3}, 2}, m);
    CHECK(into == std::vector<double>{1, 2, 3, 4, 5, 6});
    const columns<const double> constant{memory.data(), {2, 3}, 3};
    static_assert(std::is_same_v<decltype(as_view(constant)), view<const double, 2>>);
    CHECK(sum(constant) == array<double, 0>::full({}, 210));
    CHECK_THROWS_AS(as_view(columns<double>{memory.data(), {2, 3}, 3, false}), shape_error);
    static_assert(!detail::seen<packed>);
}

TEST_CASE("a type of the program") {
    image picture{3, 2, {0, 50, 100, 150, 200, 250}};
    CHECK(static_cast<double>(mean(cast<double>(as_view(picture)))) == doctest::Approx(125));
    auto brighten = function<cpu>([](matrix<std::uint8_t> x) { return cast<std::uint8_t>(minimum(cast<float>(x) * 2, 255)); });
    brighten.call_into(picture, picture);
    CHECK(picture.pixels == std::vector<std::uint8_t>{0, 100, 200, 255, 255, 255});
    const array<std::uint8_t, 2> dim = array<std::uint8_t, 2>::full({2, 3}, 1);
    CHECK(minimum(dim, picture) == array<std::uint8_t, 2>{{0, 1, 1}, {1, 1, 1}});
}
