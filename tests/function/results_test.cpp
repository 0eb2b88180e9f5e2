// SPDX-License-Identifier: MIT
// What a function may return, and in which C++ type the call gives it.
#include <doctest/doctest.h>

#include <string>
#include <tuple>
#include <type_traits>

#include <croton/croton.hpp>

using namespace croton;

namespace {

const array<float, 2> x{{1, 2, 3}, {4, 5, 6}};

}  // namespace

TEST_CASE("one expression gives an array, several a tuple, none nothing") {
    auto one = function<cpu>([](matrix<float> a) { return 2 * a; });
    static_assert(std::is_same_v<decltype(one(x)), array<float, 2>>);
    CHECK(one(x) == array<float, 2>{{2, 4, 6}, {8, 10, 12}});

    auto number = function<cpu>([](matrix<float> a) { return sum(a); });
    static_assert(std::is_same_v<decltype(number(x)), array<float, 0>>);
    CHECK(number(x) == 21);

    auto pair = function<cpu>([](matrix<float> a) { return std::tuple(a > 2, sum<0>(a)); });
    static_assert(std::is_same_v<decltype(pair(x)), std::tuple<array<bool, 2>, array<float, 1>>>);
    const auto [above, columns] = pair(x);
    CHECK(above == array<bool, 2>{{false, false, true}, {true, true, true}});
    CHECK(columns == array<float, 1>{5, 7, 9});

    auto tuple_of_one = function<cpu>([](matrix<float> a) { return std::tuple(a + 1); });
    static_assert(std::is_same_v<decltype(tuple_of_one(x)), std::tuple<array<float, 2>>>);
    CHECK(std::get<0>(tuple_of_one(x))(1, 2) == 7);

    auto out = function<cpu>([](matrix<float> a, shared<vector<float>> w) { return outputs(sum(a)).updates(w += sum<0>(a)); });
    array<float, 1> w{1, 1, 1};
    static_assert(std::is_same_v<decltype(out(x, w)), array<float, 0>>);
    CHECK(out(x, w) == 21);
    CHECK(w == array<float, 1>{6, 8, 10});

    auto only = function<cpu>([](matrix<float> a, shared<vector<float>> v) { return updates(v -= sum<0>(a)); });
    static_assert(std::is_void_v<decltype(only(x, w))>);
    only(x, w);
    CHECK(w == array<float, 1>{1, 1, 1});

    auto bare = function<cpu>([](shared<vector<float>> v) { return v *= 3; });
    static_assert(std::is_void_v<decltype(bare(w))>);
    bare(w);
    CHECK(w == array<float, 1>{3, 3, 3});
}

TEST_CASE_TEMPLATE("tuples in tuples", Device, cpu, reference) {
    using on_device = array_device<Device>;
    auto f = function<Device>([](matrix<float> a, vector<float> b) {
        auto c = sum(a * b);
        return std::tuple(c, grad(c, a, b), std::tuple(std::tuple(2 * b), a > 2));
    });
    array<float, 1> b{1, 10, 100};
    static_assert(std::is_same_v<decltype(f(x, b)), std::tuple<array<float, 0, on_device>, std::tuple<array<float, 2, on_device>, array<float, 1, on_device>>,
                                                               std::tuple<std::tuple<array<float, 1, on_device>>, array<bool, 2, on_device>>>>);
    auto [cost, slopes, others] = f(x, b);
    auto [ga, gb] = slopes;
    CHECK(cost == 975);
    CHECK(ga == array<float, 2>{{1, 10, 100}, {1, 10, 100}});
    CHECK(gb == array<float, 1>{5, 7, 9});
    CHECK(std::get<0>(std::get<0>(others)) == array<float, 1>{2, 20, 200});
    CHECK(std::get<1>(others) == array<bool, 2>{{false, false, true}, {true, true, true}});

    // Into memory of the caller's they go one behind the other.
    array<float, 0> cost_into;
    array<float, 2> ga_into(2, 3);
    array<float, 1> gb_into(3), twice_into(3);
    array<bool, 2> above_into(2, 3);
    f.call_into(std::tie(cost_into, ga_into, gb_into, twice_into, above_into), x, b);
    CHECK(cost_into == cost);
    CHECK(ga_into == ga);
    CHECK(gb_into == gb);
    CHECK(twice_into == std::get<0>(std::get<0>(others)));
    CHECK(above_into == std::get<1>(others));

    auto one = function<Device>([](vector<float> v) { return std::make_tuple(std::tuple(v + 1, sum(v))); });
    auto [both] = one(b);
    CHECK(std::get<1>(both) == 111);
    auto step = function<Device>([](vector<float> v, shared<vector<float>> w) {
        auto product = sum(v * w);
        return outputs(product, grad(product, v, w)).updates(w -= grad(product, w));
    });
    array<float, 1> w{1, 2, 3};
    auto [before, gradients] = step(b, w);
    CHECK(before == 321);
    CHECK(std::get<0>(gradients) == array<float, 1>{1, 2, 3});
    CHECK(w == array<float, 1>{0, -8, -97});
}

template <template <class, int> class A> struct layer_of_results {
    A<float, 1> bias;
};
template <template <class, int> class A> struct two_layers {
    std::array<layer_of_results<A>, 2> layers;
};

TEST_CASE_TEMPLATE("lists and pairs in tuples", Device, cpu, reference) {
    const array<float, 1> v{1, 2, 3, 4, 5};
    const auto f = function<Device>([](vector<float> a) { return std::tuple(split<0>(a, 2, 3), std::pair(sum(a), std::array{-a, 2 * a})); });
    const auto [parts, more] = f(v);
    CHECK(std::get<1>(parts) == array<float, 1>{3, 4, 5});
    CHECK(std::get<0>(more) == 15);
    CHECK(std::get<1>(std::get<1>(more)) == array<float, 1>{2, 4, 6, 8, 10});
    const auto g = function<Device>([](vector<float> a, shared<vector<float>> w) { return outputs(split<0>(a, 1, 4)).updates(w += a); });
    array<float, 1> w(5);
    const auto [ends] = g(v, w);
    CHECK(std::get<0>(ends) == array<float, 1>{1});
    CHECK(w == v);
    const auto [negative, total] = function<Device>([](vector<float> a) { return std::pair(-a, sum(a)); })(v);
    CHECK((negative(4) == -5 && total == 15));
    two_layers<on<cpu>::array> n;
    n.layers[1].bias = v;
    const auto [first, second] = function<Device>([](two_layers<symbol> net) { return net.layers; })(n);
    CHECK((first.bias.size() == 0 && second.bias == v));
}

struct pair_of_expressions {
    expr<float, 1> row;
    expr<float, 0> total;
};

TEST_CASE_TEMPLATE("structs of expressions", Device, cpu, reference) {
    const array<float, 2> m{{4, 0}, {0, 2}};
    const auto f = function<Device>([](matrix<float> a) { return qr(a); });
    const auto [q, r] = f(m);
    CHECK(allclose(dot(q, r), m));
    const auto g = function<Device>([](matrix<float> a) { return outputs(pair_of_expressions{a(0), sum(a)}, slogdet(a)); });
    const auto [mine, determinant] = g(m);
    CHECK((std::get<0>(mine) == array<float, 1>{4, 0} && std::get<1>(mine) == 6));
    CHECK((std::get<0>(determinant) == 1 && std::get<1>(determinant)() == doctest::Approx(2.0794415)));
    const auto each = function<Device>([](tensor<float, dynamic, dynamic, dynamic> a) { return vmap([](auto one) { return std::tuple(eigh(one), trace(one)); }, a); });
    const auto [values, traces] = each(array<float, 3>{{{4, 0}, {0, 2}}, {{1, 0}, {0, 3}}});
    CHECK(allclose(std::get<0>(values), array<float, 2>{{2, 4}, {1, 3}}));
    CHECK(traces == array<float, 1>{6, 4});
}

TEST_CASE_TEMPLATE("results that nothing computes", Device, cpu, reference) {
    SUBCASE("the argument itself is a copy") {
        auto f = function<Device>([](matrix<float> a) { return a; });
        array<float, 2> from = x;
        array<float, 2> y = f(from);
        CHECK(y.data() != from.data());
        CHECK(y == x);
        y(0, 0) = 100;
        CHECK(from == x);
        CHECK(f(from.transpose()) == x.transpose());
    }
    SUBCASE("a shared argument that is not updated") {
        auto f = function<Device>([](shared<matrix<float>> a) { return a; });
        array<float, 2> from = x;
        CHECK(f(from) == x);
    }
    SUBCASE("an argument transposed, twice, with its sum") {
        auto f = function<Device>([](matrix<float> a) { return std::tuple(transpose(a), a, a, transpose(a), sum(a)); });
        const auto [t, same, again, t2, total] = f(x);
        CHECK(t == x.transpose());
        CHECK(same == x);
        CHECK(again == x);
        CHECK(t2 == x.transpose());
        CHECK(total == 21);
    }
    SUBCASE("the same expression twice") {
        auto f = function<Device>([](matrix<float> a) {
            auto y = exp(a);
            return std::tuple(y, y, sum(y), sum(y));
        });
        const auto [y, z, s, t] = f(x);
        CHECK(y == z);
        CHECK(y(1, 1) == doctest::Approx(148.41316F));
        CHECK(s == doctest::Approx(t()));
    }
    SUBCASE("a literal") {
        auto f = function<Device>([](matrix<float> a) { return std::tuple(grad(sum(3 * a), a), grad(sum(2 * sum<0>(a)), a), a); });
        const auto [threes, twos, same] = f(x);
        CHECK(threes == array<float, 2>::full({2, 3}, 3));
        CHECK(twos == array<float, 2>::full({2, 3}, 2));
        CHECK(same == x);
    }
    SUBCASE("repeated and reshaped") {
        auto f = function<Device>([](vector<float, dim("n")> v, tensor<float, dim("m")> w) {
            return std::tuple(broadcast_to<dim("m"), dim("n")>(v), broadcast_to<2, dim("n")>(v), newaxis<1>(w), flatten(newaxis<0>(v)));
        });
        const auto [rows, two, column, flat] = f(array<float, 1>{1, 2, 3}, array<float, 1>{5, 6});
        CHECK(rows == array<float, 2>{{1, 2, 3}, {1, 2, 3}});
        CHECK(two == rows);
        CHECK(column == array<float, 2>{{5}, {6}});
        CHECK(flat == array<float, 1>{1, 2, 3});
    }
    SUBCASE("a row of an outer product, and a scalar as it is") {
        auto f = function<Device>([](scalar<float> s, vector<float> v) { return std::tuple(s, v * s, s + s); });
        const auto [s, scaled, twice] = f(3, array<float, 1>{1, 2});
        CHECK(s == 3);
        CHECK(scaled == array<float, 1>{3, 6});
        CHECK(twice == 6);
    }
}
