// SPDX-License-Identifier: MIT
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

#include <array>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

#include <croton/config.hpp>
#include <croton/core/leaf_names.hpp>
#include <croton/core/model.hpp>

namespace {

template <class T, int Rank> struct symbol {
    int id = 0;
};
template <class T, int Rank> struct buffer {
    buffer() = default;
    buffer(const buffer&) = default;
    ~buffer() {}
    std::vector<T> values;
};
// No default: the count must not depend on one.
template <class T, int Rank> struct handle {
    constexpr explicit handle(int i) : id(i) {}
    int id;
};

template <template <class, int> class A> struct dense {
    A<float, 2> weight;
    A<float, 1> bias;
};
template <template <class, int> class A> struct net {
    A<float, 2> embedding_0;
    dense<A> hidden;
    std::array<dense<A>, 3> layers;
    A<double, 0> value;
};
template <template <class, int> class A> struct single {
    dense<A> only;
};
template <template <class, int> class A> struct none {};
template <template <class, int> class A, int Layers> struct deep {
    std::array<single<A>, static_cast<std::size_t>(Layers)> layers;
};
template <template <class, int> class A> struct grid {
    std::array<std::array<A<int, 1>, 2>, 2> cells;
};
template <template <class, int> class A> struct built_in {
    dense<A> cell[2];
    A<float, 1> only[1];
    A<float, 0> value;
    A<int, 1> square[2][2];
};
template <class M> struct state {
    M mean, variance;
    typename croton::detail::model_traits<M>::template kind<int, 0> step;
};
template <template <class, int> class A> struct widest {
    A<int, 0> a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19, a20, a21, a22,
        a23, a24, a25, a26, a27, a28, a29, a30, a31;
};

}  // namespace

namespace croton::inline v0_1::detail {

template <class T, int Rank> inline constexpr bool is_leaf<symbol<T, Rank>> = true;
template <class T, int Rank> inline constexpr bool is_leaf<buffer<T, Rank>> = true;
template <class T, int Rank> inline constexpr bool is_leaf<handle<T, Rank>> = true;

}  // namespace croton::inline v0_1::detail

using namespace croton;
using namespace croton::detail;

static_assert(field_count<net<symbol>> == 4);
static_assert(field_count<net<buffer>> == 4);
static_assert(field_count<dense<handle>> == 2);
static_assert(field_count<single<symbol>> == 1);
static_assert(field_count<none<symbol>> == 0);
static_assert(field_count<widest<symbol>> == 32);
static_assert(field_count<grid<symbol>> == 1);
static_assert(field_count<built_in<symbol>> == 4);
static_assert(field_count<built_in<buffer>> == 4);

static_assert(leaf_count<net<symbol>> == 10);
static_assert(leaf_count<none<symbol>> == 0);
static_assert(leaf_count<deep<symbol, 4>> == 8);
static_assert(leaf_count<deep<symbol, 0>> == 0);
static_assert(leaf_count<grid<symbol>> == 4);
static_assert(leaf_count<built_in<symbol>> == 10);
static_assert(leaf_count<state<net<symbol>>> == 21);
static_assert(leaf_count<symbol<float, 2>> == 1);

static_assert(std::is_same_v<leaf_t<net<symbol>, 0>, symbol<float, 2>>);
static_assert(std::is_same_v<leaf_t<net<symbol>, 8>, symbol<float, 1>>);
static_assert(std::is_same_v<leaf_t<net<symbol>, 9>, symbol<double, 0>>);
static_assert(std::is_same_v<leaf_t<const net<symbol>, 9>, const symbol<double, 0>>);

static_assert(detail::model<net<symbol>> && detail::model<deep<symbol, 2>> && detail::model<state<net<symbol>>> && detail::model<none<symbol>>);
static_assert(!detail::model<symbol<float, 1>> && !detail::model<int> && !detail::model<std::vector<int>> && !detail::model<std::tuple<int>>);
static_assert(!detail::model<std::array<net<symbol>, 2>>);

static_assert(std::is_same_v<rebind_model<net<symbol>, buffer>, net<buffer>>);
static_assert(std::is_same_v<rebind_model<deep<symbol, 2>, buffer>, deep<buffer, 2>>);
static_assert(std::is_same_v<rebind_model<state<net<symbol>>, buffer>, state<net<buffer>>>);

// The device pass of nvcc has no names; the program that the host pass makes has them.
#if !defined(__CUDA_ARCH__)
static_assert(field_name<net<symbol>, 0> == "embedding_0");
static_assert(leaf_name<net<symbol>, 1> == "hidden.weight");
static_assert(leaf_name<net<buffer>, 1> == "hidden.weight");
static_assert(leaf_name<net<symbol>, 6> == "layers[1].bias");
static_assert(leaf_name<net<symbol>, 9> == "value");
static_assert(leaf_name<deep<symbol, 12>, 23> == "layers[11].only.bias");
static_assert(leaf_name<grid<symbol>, 2> == "cells[1][0]");
static_assert(leaf_name<built_in<symbol>, 3> == "cell[1].bias");
static_assert(leaf_name<built_in<symbol>, 8> == "square[1][0]");
static_assert(leaf_name<state<net<symbol>>, 11> == "variance.hidden.weight");
static_assert(leaf_name<state<net<symbol>>, 20> == "step");
static_assert(leaf_name<widest<symbol>, 31> == "a31");
static_assert(leaf_name<symbol<float, 1>, 0> == "");
#endif

constexpr int numbered() {
    net<symbol> a;
    for_each_leaf(a, [](auto& leaf, auto index) { leaf.id = index; });
    net<symbol> b;
    for_each_leaf2(b, a, [](auto& to, const auto& from) { to.id = 10 * from.id; });
    int sum = 0;
    for_each_leaf_of([&](const auto& x, const auto& y, const auto& z) { sum += x.id + y.id + z.id; }, a, b, a);
    return sum + leaf<7>(b).id;
}
static_assert(numbered() == 12 * 45 + 70);

TEST_CASE("leaves are visited in order") {
    net<buffer> model;
    for_each_leaf(model, [](auto& leaf, auto index) { leaf.values.resize(decltype(index)::value + 1); });
    CHECK(model.embedding_0.values.size() == 1);
    CHECK(model.hidden.bias.values.size() == 3);
    CHECK(model.layers[2].weight.values.size() == 8);
    CHECK(model.value.values.size() == 10);
    CHECK(&leaf<7>(model) == &model.layers[2].weight);
}

TEST_CASE("built-in arrays are walked as std::array is") {
    built_in<buffer> model;
    for_each_leaf(model, [](auto& leaf, auto index) { leaf.values.resize(decltype(index)::value + 1); });
    CHECK(model.cell[1].bias.values.size() == 4);
    CHECK(model.only[0].values.size() == 5);
    CHECK(model.square[1][1].values.size() == 10);
    const built_in<buffer>& constant = model;
    CHECK(&leaf<7>(constant) == &model.square[0][1]);
    built_in<symbol> symbolic;
    for_each_leaf2(symbolic, constant, [](auto& to, const auto& from) { to.id = static_cast<int>(from.values.size()); });
    CHECK(symbolic.cell[1].weight.id == 3);
}

TEST_CASE("models of different kinds are walked together") {
    net<buffer> concrete;
    net<symbol> symbolic;
    symbolic.layers[1].bias.id = 5;
    int visited = 0;
    for_each_leaf2(symbolic, concrete, [&](const auto& from, auto& to) {
        to.values.resize(static_cast<std::size_t>(from.id));
        ++visited;
    });
    CHECK(visited == 10);
    CHECK(concrete.layers[1].bias.values.size() == 5);
}

TEST_CASE("fields are tied by reference") {
    dense<symbol> layer;
    field<1>(tie_fields(layer)).id = 3;
    CHECK(layer.bias.id == 3);
    const auto& constant = layer;
    static_assert(std::is_same_v<decltype(field<0>(tie_fields(constant))), const symbol<float, 2>&>);
    static_assert(std::is_same_v<decltype(field<1>(tie_fields(constant))), const symbol<float, 1>&>);
    CHECK(field<1>(tie_fields(constant)).id == 3);
    CHECK(tie_fields(layer).apply([](auto&... each) { return sizeof...(each); }) == 2);
}

TEST_CASE("names at run time") {
    CHECK(leaf_name<net<buffer>, 6> == "layers[1].bias");
    CHECK(std::string(leaf_name<state<net<buffer>>, 0>) == "mean.embedding_0");
}
