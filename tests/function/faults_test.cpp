// SPDX-License-Identifier: MIT
// Every allocation of a call fails in turn: a call that throws has changed nothing, and the next one is right.
#include <doctest/doctest.h>

#include <optional>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

#include <croton/croton.hpp>

#include "failing_calls.hpp"

#if CROTON_HAS_PERF_EVENTS
#include <sys/resource.h>
#endif

using namespace croton;

namespace {

using test::append;
using test::each_allocation_fails;
using test::numbers;

auto made_two_products() {
    return function<cpu>("two products", [](matrix<float> x, matrix<float> z, matrix<float> g, shared<matrix<float>> a, shared<matrix<float>> b) {
        return outputs(sum<0>(g), g * 2).updates(a -= dot(transpose(x), g), b -= dot(transpose(z), g));
    });
}

// Two updates of which the second packs an operand, and results by value.
struct two_products {
    static constexpr int allocates = has_cblas ? 2 : 1;  // a packed operand, if a BLAS wants one, and the result
    decltype(made_two_products()) f = made_two_products();
    array<float, 2> x = numbers<2>(1, 50, 40), z = numbers<2>(2, 50, 80), g = numbers<2>(3, 50, 30), a = numbers<2>(4, 40, 30), b = numbers<2>(5, 40, 30);
    array<float, 1> sums;
    array<float, 2> doubled;

    void call() {
        auto [s, d] = f(x, z.slice(1, 79, -1, -2), g, a, b);
        sums = std::move(s);
        doubled = std::move(d);
    }
    std::string bits() const {
        std::string all;
        for (const auto* m : {&x, &z, &g, &a, &b, &doubled}) append(all, *m);
        append(all, sums);
        return all;
    }
};

auto made_threads_start() {
    return function<cpu>("threads", [](vector<float> g, shared<vector<float>> a, shared<vector<float>> b) { return updates(a -= 1, b -= exp(-sqr(b)) * g); });
}

// An update before a loop that starts the threads, which takes no memory; whether the call does depends on how it was compiled.
struct threads_start {
    static constexpr int allocates = -1;
    decltype(made_threads_start()) f = made_threads_start();
    array<float, 1> g = numbers<1>(1, 400'000), a = numbers<1>(2, 4), b = numbers<1>(3, 400'000);

    void call() { f(g, a, b); }
    std::string bits() const {
        std::string all;
        for (const auto* v : {&g, &a, &b}) append(all, *v);
        return all;
    }
};

auto made_over_arguments() {
    return function<cpu>("over", [](matrix<float> x, vector<float> v, shared<vector<float>> w) {
        auto h = softmax(dot(x, transpose(x)));
        return outputs(dot(h, x) + v, sum<0>(reshape<dynamic, 3>(x))).updates(w -= dot(v, transpose(x)));
    });
}

// Results over arguments, a temporary, a staged argument; recorded or not.
template <bool Recorded> struct over_arguments {
    static constexpr int allocates = Recorded ? 6 : 2;
    decltype(made_over_arguments()) f = made_over_arguments();
    array<float, 2> wide = numbers<2>(1, 30, 48);
    array<float, 1> v = numbers<1>(2, 24), w = numbers<1>(3, 30), folded = numbers<1>(4, 3);

    void call() {
        auto x = wide.slice(1, 0, 48, 2);
        if constexpr (Recorded) {
            const profile outer{"outer"};
            const region around{"a name that is longer than what a string holds in place"};
            const profile inner{"inner", keep_events{100}};
            f.call_into(std::tie(x, folded), x, v, w);
        } else {
            f.call_into(std::tie(x, folded), x, v, w);
        }
    }
    std::string bits() const {
        std::string all;
        append(all, wide);
        for (const auto* a : {&v, &w, &folded}) append(all, *a);
        return all;
    }
};

}  // namespace

TEST_CASE("products whose operands are packed") { each_allocation_fails<two_products>(); }
TEST_CASE("an update before the threads start") { each_allocation_fails<threads_start>(); }
TEST_CASE("results over arguments") { each_allocation_fails<over_arguments<false>>(); }
TEST_CASE("a call that is recorded") { each_allocation_fails<over_arguments<true>>(); }

TEST_CASE("a profile that cannot be made leaves nothing behind, and one that cannot tell has ended") {
    auto f = function<cpu>("f", [](vector<float> g, shared<vector<float>> a) { return outputs(sum(g)).updates(a -= g); });
    const array<float, 1> g{1, 2};
    int failed_in[4] = {};
#if CROTON_HAS_PERF_EVENTS
    // The counters of the processor cannot be opened, and what is noted of that has to be allocated.
    rlimit files{};
    REQUIRE(getrlimit(RLIMIT_NOFILE, &files) == 0);
    const rlimit no_more{0, files.rlim_max};
    REQUIRE(setrlimit(RLIMIT_NOFILE, &no_more) == 0);
#endif
    for (long n = 0; n < 1000; ++n) {
        array<float, 1> a(2);
        float total = 0;
        int at = 0, told = 0;
        {
            const test::failing_allocation failure(n);
            try {
                profile p{"a name that is longer than what a string holds in place", [&](const profile_data&) { ++told; }, keep_events{10}};
                at = 1;
                const region r{"a region whose name is as long as that of the profile"};
                at = 2;
                total = f(g, a);
                at = 3;
                p.finish();
            } catch (const std::bad_alloc&) {
            }
        }
        CAPTURE(n);
        REQUIRE(detail::current_recorder == nullptr);
        CHECK(a(0) == -total / 3);
        CHECK((total == 0 || total == 3));
        CHECK((told == 1 || test::has_failed));
        ++failed_in[at];
        if (!test::has_failed) break;
    }
#if CROTON_HAS_PERF_EVENTS
    REQUIRE(setrlimit(RLIMIT_NOFILE, &files) == 0);
#endif
    for (int at : failed_in) CHECK(at > 0);

    // An inner profile that outlives the outer one, whose sink fails.
    bool outer_told = false;
    {
        std::optional<profile> outer, inner;
        outer.emplace("outer", [&](const profile_data&) { outer_told = true; });
        inner.emplace("inner", [](const profile_data&) { throw std::runtime_error("inner"); });
        outer.reset();
        REQUIRE(detail::current_recorder == nullptr);
    }
    CHECK(outer_told);
    {
        profile outer("outer");
        profile inner("inner", [](const profile_data&) { throw std::runtime_error("inner"); });
        CHECK_THROWS_AS(outer.finish(), std::runtime_error);
        CHECK(detail::current_recorder == nullptr);
    }
    array<float, 1> a(2);
    CHECK(f(g, a) == 3);
}
