// SPDX-License-Identifier: MIT
// Draws where they stand, from a state of arrays: each is computed at once and counts the state on.
#include <doctest/doctest.h>

#include <croton/croton.hpp>

using namespace croton;
using state = random_state<on<cpu>::array>;

TEST_CASE("the first draw of a state is what its seed fills arrays with") {
    auto rng = state::seed(42), same = state::seed(42), third = state::seed(42);
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

TEST_CASE("draws are those of a function that draws the same") {
    auto rng = state::seed(7), other = state::seed(7);
    array<float, 2> x(40, 6);
    random::normal(x, 1);
    const auto agrees = [&](const auto& here, auto f) { CHECK(here == function<cpu>(f)(x, other)); };
    using given = matrix<float>;
    using drawn_from = shared<random_state<symbol>>;
    agrees(normal_like(x, rng), [](given m, drawn_from r) { return normal_like(m, r); });
    agrees(exponential_like(x, rng), [](given m, drawn_from r) { return exponential_like(m, r); });
    agrees(gumbel_like(x + 1, rng), [](given m, drawn_from r) { return gumbel_like(m, r); });
    agrees(truncated_normal_like(x, -1, 0.5, rng), [](given m, drawn_from r) { return truncated_normal_like(m, -1, 0.5, r); });
    agrees(bernoulli_like(x, 0.25, rng), [](given m, drawn_from r) { return bernoulli_like(m, 0.25, r); });
    agrees(randint_like(cast<int>(x), 3, 9, rng), [](given m, drawn_from r) { return randint_like(cast<int>(m), 3, 9, r); });
    agrees(categorical(x, rng), [](given m, drawn_from r) { return categorical(m, r); });
    agrees(permutation(x, rng), [](given m, drawn_from r) { return permutation(m, r); });
    agrees(choice<10>(x, rng), [](given m, drawn_from r) { return choice<10>(m, r); });
    agrees(choice<10>(x, rng, constant<false>), [](given m, drawn_from r) { return choice<10>(m, r, false); });
    agrees(dropout(x, 0.75, rng), [](given m, drawn_from r) { return dropout(m, 0.75, r); });
    agrees(exponential<double, 9>(rng), [](given m, drawn_from r) { return unused(m), exponential<double, 9>(r); });
    agrees(gumbel<float, 2, 9>(rng), [](given m, drawn_from r) { return unused(m), gumbel<float, 2, 9>(r); });
    agrees(truncated_normal<double, 9>(-1, 2, rng), [](given m, drawn_from r) { return unused(m), truncated_normal<double, 9>(-1, 2, r); });
    agrees(bernoulli<9>(0.75, rng), [](given m, drawn_from r) { return unused(m), bernoulli<9>(0.75, r); });
    agrees(randint<std::uint8_t, 3, 3>(1, 7, rng), [](given m, drawn_from r) { return unused(m), randint<std::uint8_t, 3, 3>(1, 7, r); });
    agrees(permutation<12>(rng), [](given m, drawn_from r) { return unused(m), permutation<12>(r); });
    CHECK(rng.calls() == 17);
    CHECK(other.calls() == 17);
}

TEST_CASE("draws stand among arrays, and bounds may be numbers of the program") {
    auto rng = state::seed(3);
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
