// SPDX-License-Identifier: MIT
// Draws where they stand, from a state of arrays, beside arrays of every form: each is that of a function, and counts the state on as that does.
#include <doctest/doctest.h>

#include "lazy/each_function.hpp"

using namespace each_function;

namespace {

using state = random_state<on<cpu>::array>;

#define ROW_OF(name_, ...) #name_, []([[maybe_unused]] const auto& x, auto& rng) { return __VA_ARGS__; }

template <class Call> struct drawing {
    constexpr auto operator()(matrix<float> x, shared<random_state<symbol>> rng) const {
        x.graph->unused.push(x.id);
        const random_state<symbol>& from = rng;
        return Call()(x, from);
    }
};

template <class Call, class... Case> void check_draws(const char* name, Call call, const Case&... x) {
    const auto drawn = function<cpu>(drawing<Call>());
    const auto check_one = [&](const array<float, 2>& given) {
        const auto want = outcome_of([&] {
            auto rng = state::seed(7);
            return drawn(given, rng);
        });
        const auto compare = [&](const char* form, const auto& argument) {
            auto rng = state::seed(7);
            const std::string wrong = difference(outcome_of([&] { return call(argument, rng); }), want, true);
            CHECK_MESSAGE(wrong.empty(), (std::string(name) + ", " + form + ": " + wrong));
            if (want.result) CHECK(rng.calls() == 1);
        };
        compare("an array", given);
        for (const order how : {order::gaps, order::backwards, order::columns}) {
            array<float, 1> keeper;
            compare(how == order::gaps ? "gaps" : how == order::backwards ? "backwards" : "columns", laid(how, given, keeper));
        }
        compare("shared", held_view(std::make_shared<array<float, 2>>(given)));
        compare("an expression", +given);
    };
    (check_one(x), ...);
}

}  // namespace

TEST_CASE("draws beside arrays") {
    const auto some = numbers<float>(4, 6), one = numbers<float>(1, 1), empty = numbers<float>(0, 6);
    check_draws(ROW_OF(uniform_like, uniform_like(x, rng)), some, one, empty);
    check_draws(ROW_OF(normal_like, normal_like(x, rng)), some, one, empty);
    check_draws(ROW_OF(exponential_like, exponential_like(x, rng)), some, one, empty);
    check_draws(ROW_OF(gumbel_like, gumbel_like(x, rng)), some, one, empty);
    check_draws(ROW_OF(truncated_normal_like, truncated_normal_like(x, -1, 0.5, rng)), some, one, empty);
    check_draws(ROW_OF(bernoulli_like, bernoulli_like(x, 0.25, rng)), some, one, empty);
    check_draws(ROW_OF(randint_like, randint_like(cast<int>(x), 3, 9, rng)), some, one, empty);
    check_draws(ROW_OF(categorical, categorical(x, rng)), some, one, empty);
    check_draws(ROW_OF(permutation, permutation(x, rng)), some, one, empty);
    check_draws(ROW_OF(dropout, dropout(x, 0.75, rng)), some, one, empty);
    check_draws(ROW_OF(choice, choice<10>(x, rng)), some, one, empty);
    check_draws(ROW_OF(choice, choice<2>(x, rng, set<false>(x))), some, one, empty);
}
