// SPDX-License-Identifier: MIT
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

#include <cstdlib>
#include <limits>
#include <list>
#include <new>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <croton/array/array.hpp>
#include <croton/array/zeros_like.hpp>

#include "message_of.hpp"

using namespace croton;
using test::message_of;

namespace {

int allocations = 0;
bool out_of_memory = false;

}  // namespace

// Inlined, g++ would take the pair of aligned_alloc and operator delete for a mismatch.
[[gnu::noinline]] void* operator new(std::size_t bytes, std::align_val_t alignment) {
    ++allocations;
    if (out_of_memory) throw std::bad_alloc();
    const auto align = static_cast<std::size_t>(alignment);
    void* block = std::aligned_alloc(align, (bytes + align - 1) / align * align);
    if (block == nullptr) throw std::bad_alloc();
    return block;
}
[[gnu::noinline]] void operator delete(void* block, std::align_val_t) noexcept { std::free(block); }
[[gnu::noinline]] void operator delete(void* block, std::size_t, std::align_val_t) noexcept { std::free(block); }

namespace {

struct any {
    template <class U> operator U() const;
};
static_assert(std::is_convertible_v<any, array<float, 2>>);
static_assert(std::is_convertible_v<any, array<float, 1>>);
static_assert(std::is_convertible_v<any, array<float, 0>>);
static_assert(std::is_convertible_v<any, array<bool, 3, reference>>);

static_assert(std::is_nothrow_move_constructible_v<array<float, 2>>);
static_assert(std::is_nothrow_move_assignable_v<array<float, 2>>);
static_assert(std::is_nothrow_move_constructible_v<array<float, 0>>);
static_assert(std::is_convertible_v<array<float, 2>&, view<float, 2>>);
static_assert(std::is_convertible_v<array<float, 2>&, view<const float, 2>>);
static_assert(std::is_convertible_v<const array<float, 2>&, view<const float, 2>>);
static_assert(!std::is_convertible_v<const array<float, 2>&, view<float, 2>>);
static_assert(!std::is_convertible_v<int, array<float, 1>>);
static_assert(!std::is_constructible_v<array<float, 2>, int>);
static_assert(!std::is_constructible_v<array<float, 2>, int, int, int>);
static_assert(!std::is_constructible_v<array<float, 2>, array<double, 2>>);
static_assert(std::is_same_v<on<cpu>::array<float, 2>, array<float, 2>>);
static_assert(std::is_same_v<on<reference>::array<float, 2>, array<float, 2>>);

}  // namespace

TEST_CASE("extents in parentheses make zeros") {
    array<float, 2> x(100, 784);
    CHECK(x.extent(0) == 100);
    CHECK(x.extent(1) == 784);
    CHECK(x.size() == 78400);
    CHECK(reinterpret_cast<std::uintptr_t>(x.data()) % 64 == 0);
    for (float value : x) REQUIRE(value == 0);
    CHECK(array<float, 1>(3) == array<float, 1>{0, 0, 0});
    CHECK(array<int, 3>(extents_of<3>{1, 2, 3}).extents() == extents_of<3>{1, 2, 3});
}

TEST_CASE("extents may stand in a list, which is none of values") {
    const std::int64_t n = 7;
    array<int, 2> x({100, 32}), y({n, 3});
    CHECK(x.extents() == extents_of<2>{100, 32});
    CHECK(y.extents() == extents_of<2>{7, 3});
    CHECK(y(6, 2) == 0);
    array<float, 3> z({2, 3, 4});
    CHECK(z.size() == 24);
    array<float, 2> values({{1, 2}, {3, 4}}), column({{1}, {2}}), row({{1, 2}});
    CHECK(values(1, 0) == 3);
    CHECK(column.extents() == extents_of<2>{2, 1});
    CHECK(row.extents() == extents_of<2>{1, 2});
    array<int, 1> one({5});
    CHECK(one(0) == 5);
}

TEST_CASE("values in braces") {
    array<float, 1> v{1, 2, 3};
    CHECK(v.extent(0) == 3);
    CHECK(v(2) == 3);
    array<float, 1> one{5};
    CHECK(one.extent(0) == 1);
    CHECK(one(0) == 5);
    array<float, 2> a{{1, 2}, {3, 4}};
    CHECK(a.extents() == extents_of<2>{2, 2});
    CHECK(a(1, 0) == 3);
    array<int, 3> c{{{1}, {2}, {3}}, {{4}, {5}, {6}}};
    CHECK(c.extents() == extents_of<3>{2, 3, 1});
    CHECK(c(1, 2, 0) == 6);
    array<bool, 1> b{true, false};
    CHECK(b(0));
    array<float, 2> zeros_and_nulls{{0}, {0}};
    CHECK(zeros_and_nulls.extents() == extents_of<2>{2, 1});
    array<float, 2> copy{a};
    CHECK(copy == a);
}

TEST_CASE("ragged values are an error") {
    CHECK_THROWS_AS((array<float, 2>{{1, 2}, {3}}), shape_error);
    CHECK(message_of([] { array<float, 2>{{1, 2}, {3}}; }) ==
          "the values in braces are ragged: a list of 1 stands where the first has 2");
    CHECK_THROWS_AS((array<int, 3>{{{1}, {2}}, {{3, 4}, {5}}}), shape_error);
    CHECK_THROWS_AS((array<int, 3>{{}, {{1}}}), shape_error);
}

TEST_CASE("rank 0 is one number") {
    array<float, 0> b;
    CHECK(b == 0);
    CHECK(b.size() == 1);
    array<float, 0> c{2.5f};
    const float number = c;
    CHECK(number == 2.5f);
    CHECK(c == 2.5);
    CHECK(c() == 2.5f);
    c = 3;
    CHECK(c + 1 == 4);
    b = c;
    CHECK(b == c);
    CHECK(reinterpret_cast<std::uintptr_t>(c.data()) % 64 == 0);
    const array<float, 0> moved = std::move(c);
    CHECK(moved == 3.f);
    CHECK(c == 3.f);
    array<double, 0> from_number = 1.5;
    CHECK(from_number == 1.5);
    CHECK(view<float, 0>(b)() == 3);
}

TEST_CASE("rank 0 allocates nothing") {
    allocations = 0;
    array<double, 0> a{1};
    array<double, 0> b = a;
    b = 2;
    a = std::move(b);
    CHECK(allocations == 0);
    CHECK(a == 2);
}

TEST_CASE("axes in another order") {
    array<int, 3> x(2, 3, 4);
    for (int i = 0; i < 24; ++i) x.data()[i] = i;
    const auto turned = x.transpose<1, 0, 2>();
    CHECK(turned.extents() == extents_of<3>{3, 2, 4});
    CHECK(turned(2, 1, 3) == x(1, 2, 3));
    CHECK(x.transpose<-1, 0, -2>() == array<int, 3>(x.transpose<2, 0, 1>()));
    CHECK(x.transpose<2, 1, 0>() == x.transpose());
    x.transpose<2, 0, 1>()(3, 1, 2) = -1;
    CHECK(x(1, 2, 3) == -1);
    const array<int, 3> own = array<int, 3>(x).transpose<0, 2, 1>();
    CHECK(own(1, 3, 2) == -1);
    CHECK(array<int, 1>{1, 2}.transpose<0>() == array<int, 1>{1, 2});
    CHECK(array<int, 3>(0, 2, 5).transpose<2, 0, 1>().extents() == extents_of<3>{5, 0, 2});
}

TEST_CASE("empty arrays") {
    array<float, 2> x;
    CHECK(x.extents() == extents_of<2>{0, 0});
    CHECK(x.size() == 0);
    CHECK(x.begin() == x.end());
    array<float, 2> y(0, 5);
    CHECK(y.size() == 0);
    CHECK(y != x);
    CHECK(array<float, 2>(y) == y);
    CHECK(y.transpose().extent(0) == 5);
    CHECK(y.reshape(5, 0).extent(0) == 5);
    CHECK(y[0].slice(0, 1, 1).size() == 0);
    x = {{1}};
    CHECK(x.size() == 1);
    x = {};
    CHECK(x.size() == 0);
}

TEST_CASE("copies are deep, moves leave an empty array") {
    array<float, 2> a{{1, 2}, {3, 4}};
    array<float, 2> b = a;
    b(0, 0) = 9;
    CHECK(a(0, 0) == 1);
    const float* data = a.data();
    array<float, 2> c = std::move(a);
    CHECK(c.data() == data);
    CHECK(a.size() == 0);
    CHECK(a.extents() == extents_of<2>{0, 0});
    a = b;
    CHECK(a == b);
    a = std::move(c);
    CHECK(a.data() == data);
    CHECK(c.size() == 0);
    auto& self = a;
    a = self;
    CHECK(a(1, 1) == 4);
    a = std::move(self);
    CHECK(a(1, 1) == 4);
    std::swap(a, b);
    CHECK(b.data() == data);
}

TEST_CASE("assigning elements of the same number reuses the memory") {
    array<float, 2> a(3, 4);
    const array<float, 2> b = array<float, 2>::full({4, 3}, 2);
    const array<float, 2> c = array<float, 2>::full({3, 4}, 5);
    const float* data = a.data();
    allocations = 0;
    a = b;
    CHECK(a.data() == data);
    CHECK(a == b);
    a = c.as_view();
    CHECK(a == c);
    a = c.transpose();
    CHECK(a.extent(0) == 4);
    CHECK(a.data() == data);
    CHECK(allocations == 0);
    a = array<float, 2>(2, 2);
    CHECK(a.size() == 4);
}

TEST_CASE("an array can be assigned a view of itself") {
    array<int, 2> a{{1, 2, 3}, {4, 5, 6}};
    a = a.transpose();
    CHECK(a == array<int, 2>{{1, 4}, {2, 5}, {3, 6}});
    a = a.slice(0, 1, 3);
    CHECK(a == array<int, 2>{{2, 5}, {3, 6}});
}

TEST_CASE("a failed allocation changes nothing") {
    array<float, 1> a{1, 2, 3};
    const array<float, 1> b(10);
    out_of_memory = true;
    CHECK_THROWS_AS(a = b, std::bad_alloc);
    CHECK_THROWS_AS(a = b.as_view(), std::bad_alloc);
    CHECK_THROWS_AS((array<float, 1>{1, 2}), std::bad_alloc);
    out_of_memory = false;
    CHECK(a == array<float, 1>{1, 2, 3});
}

TEST_CASE("views, vectors and iterators make arrays") {
    array<int, 2> a{{1, 2}, {3, 4}};
    array<int, 2> t = a.transpose();
    CHECK(t == array<int, 2>{{1, 3}, {2, 4}});
    array<int, 2> from_const = view<const int, 2>(a);
    CHECK(from_const == a);
    const std::vector<float> values{1, 2, 3};
    CHECK(array<float, 1>(values) == array<float, 1>{1, 2, 3});
    const array<float, 1> of_vector = values, of_standard = std::array<float, 3>{1, 2, 3};
    CHECK(of_vector == of_standard);
    CHECK(array<float, 1>(values.begin(), values.end()) == array<float, 1>{1, 2, 3});
    const std::list<double> list{1, 2};
    CHECK(array<double, 1>(list.begin(), list.end()) == array<double, 1>{1, 2});
    array<int, 1> row = a[1];
    CHECK(row == array<int, 1>{3, 4});
}

TEST_CASE("axes are counted from the end where they are negative") {
    const array<float, 3> x(2, 3, 4);
    CHECK(x.extent(-1) == 4);
    CHECK(x.extent(-3) == 2);
    CHECK(x.stride(0) == 12);
    CHECK(x.stride(-1) == 1);
    CHECK(x.transpose().extent(-1) == 2);
    CHECK(x.transpose().stride(-2) == 4);
    CHECK(!x.empty());
    CHECK(x(slice(), slice(0, 0)).empty());
    CHECK(array<float, 1>().empty());
}

TEST_CASE("elements and views of parts") {
    array<int, 2> a{{1, 2, 3}, {4, 5, 6}};
    const array<int, 2>& c = a;
    a(1, 1) = 50;
    CHECK(c(1, 1) == 50);
    a[0][0] = 10;
    CHECK(c[0][0] == 10);
    static_assert(std::is_same_v<decltype(c[0]), view<const int, 1>>);
    a.slice(1, 0, 1).fill(0);
    CHECK(a == array<int, 2>{{0, 2, 3}, {0, 50, 6}});
    CHECK(c.slice(0, 1, 2) == array<int, 2>{{0, 50, 6}});
    view w(a);
    static_assert(std::is_same_v<decltype(w), view<int, 2>>);
    view r(c);
    static_assert(std::is_same_v<decltype(r), view<const int, 2>>);
    CHECK(a == r);
    CHECK(a.at(1, 2) == 6);
    CHECK(message_of([&] { (void)c.at(0, 3); }) == "index 3 is outside axis 1 of extent 3");
    CHECK(a.span().size() == 6);
    int sum = 0;
    for (int value : c) sum += value;
    CHECK(sum == 61);
}

TEST_CASE("parts of a temporary are arrays of their own") {
    const auto made = [] { return array<int, 2>{{1, 2, 3}, {4, 5, 6}}; };
    const auto row = made()[1];
    static_assert(std::is_same_v<decltype(row), const array<int, 1>>);
    const auto part = made().slice(1, 2, -1, -2);
    static_assert(std::is_same_v<decltype(part), const array<int, 2>>);
    const auto turned = made().transpose();
    static_assert(std::is_same_v<decltype(turned), const array<int, 2>>);
    const array<int, 2> other{{7, 7, 7}, {7, 7, 7}};
    CHECK(row == array<int, 1>{4, 5, 6});
    CHECK(part == array<int, 2>{{3, 1}, {6, 4}});
    CHECK(turned == array<int, 2>{{1, 4}, {2, 5}, {3, 6}});

    static_assert(std::is_same_v<decltype(made()(0, 1)), int>);
    static_assert(std::is_same_v<decltype(made().at(0, 1)), int>);
    static_assert(std::is_same_v<decltype(made()[0][1]), int>);
    CHECK(made()(1, 2) == 6);
    CHECK(made().at(1, 0) == 4);
    CHECK(made()[1](2) == 6);
    CHECK(made()[1][0] == 4);
    CHECK(message_of([&] { (void)made().at(2, 0); }) == "index 2 is outside axis 0 of extent 2");
    int sum = 0;
    for (int value : made()) sum += value;
    for (std::int64_t extent : made().extents()) sum += static_cast<int>(extent);
    CHECK(sum == 26);

    // Also of what is constant, moved from, or a field of a temporary.
    const auto constant = []() -> const array<int, 2> { return {{1, 2}}; };
    static_assert(std::is_same_v<decltype(constant()[0]), array<int, 1>>);
    static_assert(std::is_same_v<decltype(std::get<0>(std::tuple(made()))[0]), array<int, 1>>);
    array<int, 2> named = made();
    static_assert(std::is_same_v<decltype(std::move(named)[0]), array<int, 1>>);
    static_assert(std::is_same_v<decltype(named[0]), view<int, 1>>);

    named.as_view().copy_from(array<int, 2>{{0, 0, 0}, {1, 1, 1}});
    CHECK(named == array<int, 2>{{0, 0, 0}, {1, 1, 1}});
    named[0].copy_from(named[1]);
    CHECK(named(0, 2) == 1);
    static_assert(std::is_same_v<decltype(named[0].extents()), extents_of<1>>);
}

TEST_CASE("reshape") {
    array<int, 2> a{{1, 2, 3}, {4, 5, 6}};
    CHECK(a.reshape(3, 2) == array<int, 2>{{1, 2}, {3, 4}, {5, 6}});
    CHECK(a.reshape(-1) == array<int, 1>{1, 2, 3, 4, 5, 6});
    CHECK(a.reshape(1, -1, 2).extents() == extents_of<3>{1, 3, 2});
    const int* data = a.data();
    const auto moved = std::move(a).reshape(6);
    CHECK(moved.data() == data);
    CHECK(a.size() == 0);
    CHECK(message_of([&] { (void)moved.reshape(4, 2); }) ==
          "reshape: 6 elements of shape [6] do not fit into shape [4,2]");
    CHECK_THROWS_AS((void)moved.reshape(4, -1), shape_error);
    CHECK_THROWS_AS((void)moved.reshape(-1, -1), shape_error);
    CHECK_THROWS_AS((void)moved.reshape(-2, -3), shape_error);
    CHECK_THROWS_AS((void)moved.reshape(0, -1), shape_error);
    const array<float, 0> number = array<float, 1>{4}.reshape();
    CHECK(number == 4);
    CHECK(number.reshape(1, 1)(0, 0) == 4);
}

TEST_CASE("extents that no array has are an error") {
    CHECK(message_of([] { array<float, 2>(3, -1); }) == "the extents [3,-1] are not an array's: axis 1 is negative");
    const auto huge = std::numeric_limits<std::int64_t>::max() / 2;
    CHECK_THROWS_AS((array<float, 2>(huge, 3)), shape_error);
    CHECK_THROWS_AS((array<float, 1>(huge)), shape_error);
    CHECK_THROWS_AS((array<float, 3>(0, huge, huge)), shape_error);
}

TEST_CASE("fill, full, zeros_like and to") {
    array<float, 2> a(2, 2);
    a.fill(7);
    CHECK(a == array<float, 2>::full({2, 2}, 7));
    a = 2.5;
    CHECK(a == array<float, 2>::full({2, 2}, 2.5f));
    a.fill(7);
    array<int, 1> three(3), empty;
    three = -2;
    empty = 1;
    CHECK((three == array<int, 1>{-2, -2, -2} && empty.size() == 0));
    CHECK(zeros_like(a) == array<float, 2>(2, 2));
    CHECK(a.to<cpu>() == a);
    CHECK(a.to<reference>() == a);
    static_assert(std::is_same_v<decltype(a.to<reference>()), array<float, 2>>);
    CHECK(array<float, 2>::uninitialized({3, 1}).extent(0) == 3);
}

TEST_CASE("equality") {
    const array<float, 1> a{1, 2};
    CHECK(a == array<float, 1>{1, 2});
    CHECK(a != array<float, 1>{1, 3});
    CHECK(a != array<float, 1>{1, 2, 3});
    const float nan = std::numeric_limits<float>::quiet_NaN();
    CHECK(array<float, 1>{nan} != array<float, 1>{nan});
}

namespace {

template <template <class, int> class A> struct dense {
    A<float, 2> weight;
    A<float, 1> bias;
};
template <template <class, int> class A> struct net {
    dense<A> hidden;
    std::array<dense<A>, 2> layers;
    A<double, 0> scale;
};
template <class M> struct state {
    M mean, variance;
};

}  // namespace

TEST_CASE("zeros_like a model") {
    net<on<cpu>::array> model;
    model.hidden.weight = {{1, 2}, {3, 4}};
    model.layers[1].bias = {5, 6, 7};
    model.scale = 2;
    const auto zeros = zeros_like(model);
    CHECK(zeros.hidden.weight == array<float, 2>(2, 2));
    CHECK(zeros.layers[1].bias == array<float, 1>(3));
    CHECK(zeros.scale == 0);
    state<net<on<cpu>::array>> moments{zeros_like(model), zeros_like(model)};
    CHECK(zeros_like(moments).variance.hidden.weight.extent(1) == 2);
}
