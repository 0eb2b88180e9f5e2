// SPDX-License-Identifier: MIT
// Draws where they stand, from a state of arrays: each is computed at once and counts the state on.
#include <doctest/doctest.h>

#include <string>
#include <type_traits>

#include <croton/croton.hpp>

using namespace croton;
TEST_CASE("the first draw of a state is what its seed fills arrays with") {
    static_assert(std::is_same_v<decltype(default_rng(42)), random_state<on<cpu>::array>>);
    CHECK(default_rng(42).key == random_state<on<cpu>::array>::seed(42).key);
    auto rng = default_rng(42), same = default_rng(42), third = default_rng(42);
    array<float, 2> filled(3, 5);
    random::uniform(filled, 42);
    const array<float, 2> drawn = uniform<float, 3, 5>(rng);
    CHECK(drawn == filled);
    CHECK(uniform_like(filled, same) == filled);
    CHECK(rng.calls() == 1);
    CHECK_FALSE(uniform<float, 3, 5>(rng) == filled);
    CHECK(rng.calls() == 2);
    array<std::uint32_t, 1> bits(7);
    random::bits(bits, 42);
    CHECK(random_bits<std::uint32_t, 7>(third) == bits);
    const auto again = normal<double, 4>(rng);
    static_assert(std::is_same_v<decltype(again), const array<double, 1>>);
    array<double, 1> normals(4);
    random::normal(normals, random::stream_of(42, 0, 2));
    CHECK(allclose(again, normals));
}

#define ROW_OF(name_, ...) #name_, [](auto& rng) { return __VA_ARGS__; }

TEST_CASE("draws of given extents are those of a function that draws the same") {
    auto state = default_rng(7), other = default_rng(7);
    const auto agrees = [&]<class Call>(const char* name, Call call) {
        CAPTURE(std::string(name));
        CHECK(call(state) == function<cpu>([](shared<random_state<symbol>> r) { return Call()(static_cast<const random_state<symbol>&>(r)); })(other));
    };
    agrees(ROW_OF(uniform, uniform<float, 9>(rng)));
    agrees(ROW_OF(normal, normal<double, 3, 3>(rng)));
    agrees(ROW_OF(random_bits, random_bits<std::uint32_t, 7>(rng)));
    agrees(ROW_OF(exponential, exponential<double, 9>(rng)));
    agrees(ROW_OF(gumbel, gumbel<float, 2, 9>(rng)));
    agrees(ROW_OF(truncated_normal, truncated_normal<double, 9>(-1, 2, rng)));
    agrees(ROW_OF(bernoulli, bernoulli<9>(0.75, rng)));
    agrees(ROW_OF(randint, randint<std::uint8_t, 3, 3>(1, 7, rng)));
    agrees(ROW_OF(permutation, permutation<12>(rng)));
    CHECK(state.calls() == 9);
    CHECK(other.calls() == 9);
}

TEST_CASE("draws stand among arrays, and bounds may be numbers of the program") {
    auto rng = default_rng(3);
    array<double, 1> x{1, 2, 3, 4};
    int low = 10;
    const array<int, 1> whole = randint<int, 100>(low, low + 2, rng);
    CHECK(min(whole)() == 10);
    CHECK(max(whole)() == 11);
    x += 0 * normal_like(x, rng);
    CHECK(x == array<double, 1>{1, 2, 3, 4});
    const array<double, 1> kept = dropout(x, 0, rng);
    CHECK(kept == x);
    CHECK_THROWS_AS(choice<5>(x, rng, constant<false>), shape_error);
    CHECK(uniform<float, 0>(rng).size() == 0);
    CHECK(uniform<float>(rng).size() == 1);
    CHECK(dropout(x(slice(0, 1)), 0, rng) == array<double, 1>{1});
}
