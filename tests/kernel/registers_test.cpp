// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <type_traits>
#include <vector>

#include <croton/kernel/argument.hpp>
#include <croton/kernel/registers.hpp>

using namespace croton::kernel;

namespace {

struct add {
    template <class V> static CROTON_HD constexpr V value(V a, V b) { return a + b; }
};
struct less {
    template <class V> static CROTON_HD constexpr auto value(V a, V b) { return a < b; }
};
struct sum {
    template <class V> static CROTON_HD constexpr V combine(V a, V b) { return a + b; }
};

// Lanes that are not numbers: the evaluation must not care.
struct pair {
    double a, b;
    friend constexpr pair operator+(pair x, pair y) { return {x.a + y.a, x.b + y.b}; }
};
struct two_lanes {
    template <class T> using value = pair;
    template <class V> using kept = V;
    static constexpr pair keep(pair p) { return p; }
    template <class V> static void hold(V& v) {
        if constexpr (std::is_same_v<V, pair>) held.push_back(v.a);
    }
    static inline std::vector<double> held;
    static constexpr pair broadcast(double v) { return {v, v}; }
    template <class T> static constexpr pair convert(pair p) { return p; }
};

struct port {
    double memory[4] = {1, 2, 0, 0};
    template <class T, int S> T read(load<T, S>) { return static_cast<T>(memory[S]); }
    template <class T, int S, class A> void write(store<T, S, A>, T v) { memory[S] = static_cast<double>(v); }
};
struct pair_port {
    pair memory[3] = {{1, 2}, {3, 4}, {}};
    template <class T, int S> pair read(load<T, S>) { return memory[S]; }
    template <class T, int S, class A> void write(store<T, S, A>, pair v) { memory[S] = v; }
};

using element = block<load<float, 0>, load<float, 1>, apply<less, e<0, float>, e<1, float>>, apply<add, e<0, float>, r<0, float>>, convert<double, e<3, float>>,
                      store<double, 2, e<4, double>>>;
using rows = row_program<block<literal<float, 0x40400000>>, phase<element, block<reduce<sum, double, e<4, double>>>, block<apply<add, r<1, double>, u<0, double>>>>>;
static_assert(size_of_block<rows> == 3);
static_assert(std::is_same_v<instruction_t<rows, 1>, reduce<sum, double, e<4, double>>>);
static_assert(std::is_same_v<instruction_t<rows, 2>, apply<add, r<1, double>, u<0, double>>>);

using uniform = block<literal<double, 0x3ff8000000000000>>;
using file = registers<one_lane, element>;
static_assert(std::is_same_v<decltype(value<2>(std::declval<file&>())), bool&>);
static_assert(std::is_same_v<decltype(value<3>(std::declval<file&>())), float&>);
static_assert(std::is_same_v<decltype(value<4>(std::declval<file&>())), double&>);
static_assert(std::is_same_v<decltype(value<5>(std::declval<file&>())), nothing&>);

static_assert(literal_value<float, 0x3f800000>() == 1.0f);
static_assert(literal_value<double, 0x3ff0000000000000>() == 1.0);
static_assert(literal_value<bool, 1>());
static_assert(literal_value<std::int32_t, 0xffffffff>() == -1);
static_assert(literal_value<std::int64_t, 0xffffffffffffffff>() == -1);

}  // namespace

TEST_CASE("blocks run in order and see the values of outer levels") {
    port p;
    uniform_registers<uniform> us;
    run_uniform_block<uniform>(p, us);
    CHECK(value<0>(us) == 1.5);
    row_registers<rows> rs{};
    run_row_block<0, block<literal<float, 0x40400000>>>(p, us, rs);
    CHECK(value<0>(rs) == 3.0f);
    file es;
    run_element_block<one_lane>(numbered_t<element>{}, p, us, rs, es);
    CHECK(value<2>(es));
    CHECK(p.memory[2] == 4);
    value<1>(rs) = 10;
    run_row_block<2, block<apply<add, r<1, double>, u<0, double>>>>(p, us, rs);
    CHECK(value<2>(rs) == 11.5);
}

TEST_CASE("any lane type will do") {
    using twice = block<load<double, 0>, load<double, 1>, apply<add, e<0, double>, e<1, double>>, apply<add, e<2, double>, u<0, double>>, store<double, 2, e<3, double>>>;
    pair_port p;
    uniform_registers<uniform> us;
    run_uniform_block<uniform>(p, us);
    const row_registers<block<>> rs{};
    registers<two_lanes, twice> es;
    run_element_block<two_lanes>(numbered_t<twice>{}, p, us, rs, es);
    CHECK(p.memory[2].a == 5.5);
    CHECK(p.memory[2].b == 7.5);
}

TEST_CASE("what is read once and taken more than once is held, and nothing else, or all that is read") {
    using sums = block<load<double, 0>, load<double, 1>, apply<add, e<0, double>, e<1, double>>, apply<add, e<2, double>, e<1, double>>, apply<add, e<3, double>, e<2, double>>, store<double, 2, e<4, double>>>;
    pair_port p;
    const uniform_registers<block<>> us{};
    const row_registers<block<>> rs{};
    registers<two_lanes, sums> es;
    two_lanes::held.clear();
    run_element_block<two_lanes>(numbered_t<sums>{}, p, us, rs, es);
    CHECK(p.memory[2].a == 11);
    CHECK(two_lanes::held == std::vector<double>{3});
    two_lanes::held.clear();
    run_element_block<two_lanes, true>(numbered_t<sums>{}, p, us, rs, es);
    CHECK(p.memory[2].a == 11);
    CHECK(two_lanes::held == std::vector<double>{1, 3});
}

TEST_CASE("extremes of numbers") {
    const double nan = __builtin_nan("");
    CHECK(maximum(1, 2) == 2);
    CHECK(minimum(1.0, -2.0) == -2.0);
    CHECK(maximum(nan, 1.0) != maximum(nan, 1.0));
    CHECK(maximum(1.0, nan) != maximum(1.0, nan));
    CHECK(minimum(1.0, nan) != minimum(1.0, nan));
    CHECK(select(true, 1, 2) == 1);
}
