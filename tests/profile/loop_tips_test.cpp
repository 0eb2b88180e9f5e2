// SPDX-License-Identifier: MIT
// What a profile gives reason to change about loops, and of what in loops it says nothing.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <tuple>

#include "profile/profile.hpp"

using namespace croton;
using support::changed;
using support::find_tip;
using support::profiled;
using support::slow_down;

namespace {

constexpr auto slow = [](profile_data& d) { slow_down(d, 100000); };

constexpr auto recurrent = [](tensor<double, -1, -1, -1> x, matrix<double> h, matrix<double> w) {
    return std::get<0>(scan([&](auto s, auto e) { return step(tanh(dot(s, w) + e)); }, h, x));
};
bool on_blas(const profile_data& d) {
    return std::any_of(d.functions.back().steps.begin(), d.functions.back().steps.end(), [](const step_profile& s) { return s.type == "BLAS"; });
}

}  // namespace

TEST_CASE("layout-copy: a matrix that BLAS cannot read, copied in each turn") {
    auto f = function<cpu>("recurrent", recurrent);
    const array<double, 3> x(5, 20, 30);
    const array<double, 2> h(20, 30), wide(30, 60), w(30, 30);
    profile_data d = changed(profiled([&] { f(x, h, view(wide).slice(1, 0, 60, 2)); }), slow);
    if (!on_blas(d)) return;
    const profile_tip* t = find_tip(d, "layout-copy");
    REQUIRE(t != nullptr);
    CHECK(t->where == "recurrent, loop 1, step 1");
    CHECK(t->evidence.starts_with("arg3 in "));
    CHECK(t->evidence.find("is copied in each of 5 turns before BLAS can read it") != std::string::npos);
    for (const bool turned : {false, true}) {
        d = changed(profiled([&] { f(x, h, turned ? view(w).transpose() : view(w)); }), slow);
        CHECK(find_tip(d, "layout-copy") == nullptr);
        // The product is of the state: it stands where it must.
        CHECK(find_tip(d, "loop-product") == nullptr);
    }
}

TEST_CASE("layout-copy: what a reshape in the turn reads is copied in each turn where it is strided") {
    auto f = function<cpu>("reshaped", [](tensor<double, -1, -1, -1> x, croton::vector<double> h) {
        return std::get<0>(scan([&](auto s, auto e) { return step(s * 0.5 + flatten(e)); }, h, x));
    });
    const array<double, 3> x(50, 20, 30), wide(50, 20, 60);
    const array<double, 1> h(20 * 30);
    profile_data d = profiled([&] { f(view(wide).slice(2, 0, 60, 2), h); });
    REQUIRE(d.functions.size() == 2);
    CHECK(d.functions[1].staged_bytes == 64 * ((20 * 30 * 8 + 63) / 64));
    d = changed(d, [](profile_data& c) {
        c.functions[1].time += 100000;
        c.time += 100000;
    });
    CHECK(detail::text_report<>(d).text().find("Arrays copied first: 4.69 KB in each turn\n") != std::string::npos);
    const profile_tip* t = find_tip(d, "layout-copy");
    REQUIRE(t != nullptr);
    CHECK(t->where == "reshaped, loop 1");
    CHECK(t->evidence == "4.69 KB of strided arrays are copied in each of 50 turns, because a reshape in the turn reads them");
    CHECK(find_tip(profiled([&] { f(x, h); }), "layout-copy") == nullptr);
}

TEST_CASE("small-product: too little work for BLAS, in each turn") {
    auto f = function<cpu>("recurrent", recurrent);
    const array<double, 3> x(5, 4, 16), many(5, 100, 100);
    const array<double, 2> h(4, 16), w(16, 16), all(100, 100);
    const profile_data d = changed(profiled([&] { f(x, h, w); }), slow);
    if (!on_blas(d)) return;
    const profile_tip* t = find_tip(d, "small-product");
    REQUIRE(t != nullptr);
    CHECK(t->where == "recurrent, loop 1, step 1");
    CHECK(t->evidence.starts_with("a product of 4 x 16 x 16 in each of 5 turns is 2048 operations at "));
    CHECK(t->advice.find("a batch of states as the rows of one") != std::string::npos);
    CHECK(find_tip(changed(profiled([&] { f(many, all, all); }), slow), "small-product") == nullptr);
}

TEST_CASE("loop-product: a product that no turn needs of another") {
    const array<double, 2> x(6, 20), v(20, 30);
    const auto products_of = [](const profile_data& d, std::string_view where) {
        int count = 0;
        for (const step_profile& s : d.functions.at(1).steps) count += s.apart == where ? 1 : 0;
        return count;
    };
    // Rows that the number of the turn picks are elements of no sequence.
    auto picked = function<cpu>("picked", [](matrix<double> a, matrix<double> b) {
        return std::get<0>(scan([&](auto s, auto turn) { return step(tanh(s + dot(take<0>(a, turn), b))); }, b(0, slice()), times(a.extent(0))));
    });
    profile_data d = changed(profiled([&] { picked(x, v); }), slow);
    CHECK(products_of(d, "before") == 1);
    REQUIRE(find_tip(d, "loop-product") != nullptr);
    CHECK(find_tip(d, "loop-product")->where.starts_with("picked, loop 1, step "));
    CHECK(find_tip(d, "loop-product")->evidence.find("is computed in each of 6 turns, but of nothing that is carried from turn to turn") != std::string::npos);
    CHECK(find_tip(d, "loop-product")->advice.starts_with("multiply before the scan"));

    // What a turn makes smaller is not given out for a product behind the loop; nor is the slope that the derivative multiplies there.
    auto squares = function<cpu>("squares", [](tensor<double, -1, -1, -1> a, shared<matrix<double>> w, matrix<double> b) {
        auto out = std::get<1>(scan([&](auto s, auto e) {
            auto h = tanh(dot(s, w) + e);
            return step(h, sum(sqr(dot(h, b))));
        }, zeros_like(a(0)), a));
        auto cost = sum(out);
        return outputs(cost).updates(w -= 0.1 * grad(cost, w));
    });
    array<double, 2> w(20, 20);
    d = changed(profiled([&] { squares(array<double, 3>(6, 10, 20), w, v); }), slow);
    CHECK(products_of(d, "behind") == 2);
    CHECK(products_of(d, "before") == 0);
    int tips = 0;
    for (const profile_tip& t : d.tips) tips += t.id == "loop-product" ? 1 : 0;
    CHECK(tips == 2);
    CHECK(find_tip(d, "loop-product")->evidence.find("is computed in each of 6 turns, but no turn needs what another had of it") != std::string::npos);
    CHECK(find_tip(d, "loop-product")->advice.starts_with("give out what is multiplied"));

    // Of elements it stands before the loop already, and of a loop that can end early nobody knows how many there will be.
    auto walked = function<cpu>("walked", [](matrix<double> a, matrix<double> b) {
        return std::get<0>(scan([&](auto s, auto e) { return step(tanh(s + dot(e, b))); }, b(0, slice()), a));
    });
    CHECK(find_tip(changed(profiled([&] { walked(x, v); }), slow), "loop-product") == nullptr);
    auto ending = function<cpu>("ending", [](matrix<double> a, matrix<double> b) {
        return std::get<0>(scan([&](auto s, auto turn) {
            auto next = tanh(s + dot(take<0>(a, turn), b));
            return step(next, none, until(sum(next) > 100.0));
        }, b(0, slice()), times(a.extent(0))));
    });
    d = changed(profiled([&] { ending(x, v); }), slow);
    CHECK(products_of(d, "before") == 0);
    CHECK(find_tip(d, "loop-product") == nullptr);
}

namespace {

/// The slope of a long recurrence.
template <scan_options Options> constexpr auto recurrence = [](matrix<double> x, croton::vector<double> h) {
    return grad(sum(std::get<0>(scan([](auto s, auto e) { return step(tanh(s + sum(e))); }, h, x, Options))), h);
};

}  // namespace

TEST_CASE("checkpoint: much memory for derivatives") {
    auto f = function<cpu>("long", recurrence<scan_options{}>);
    const array<double, 2> x(10000, 1), few(100, 1);
    const array<double, 1> h(1024);
    const profile_data d = profiled([&] { f(x, h); }, 1);
    const profile_tip* t = find_tip(d, "checkpoint");
    REQUIRE(t != nullptr);
    CHECK(t->where == "long, loop 1");
    CHECK(t->gain == 0);
    CHECK(t->evidence == "78.1 MB of its 10000 turns are stored for derivatives only");
    CHECK(t->advice.starts_with("scan(..., {.checkpoint = sqrt_of_turns}) stores"));
    CHECK(t->advice.find(": 1.57 MB, for one more run of the loop") != std::string::npos);
    CHECK(detail::text_report<>(d).text().find("one more run of the loop.\n") != std::string::npos);
    CHECK(find_tip(profiled([&] { f(few, h); }, 1), "checkpoint") == nullptr);

    // With one it is as much as the tip says.
    auto cut = function<cpu>("cut", recurrence<scan_options{.checkpoint = sqrt_of_turns}>);
    const profile_data c = profiled([&] { cut(x, h); }, 1);
    std::int64_t stored = 0;
    for (const function_profile& p : c.functions) {
        stored += p.stored_bytes;
        CHECK(p.checkpoint_bytes * p.stored_bytes == 0);
    }
    CHECK(stored == d.functions[1].checkpoint_bytes);
    // What goes back through a few turns takes none.
    auto truncated = function<cpu>("truncated", recurrence<scan_options{.truncate = 10}>);
    const profile_data e = profiled([&] { truncated(few, h); }, 1);
    for (const function_profile& p : e.functions) CHECK(p.checkpoint_bytes == 0);
}

TEST_CASE("turn-overhead: as much between the steps as in them") {
    auto f = function<cpu>("short", [](matrix<double> x, croton::vector<double> h) {
        return std::get<0>(scan([](auto s, auto e) { return step(0.5 * s + e); }, h, x));
    });
    const profile_data d = profiled([&] { f(array<double, 2>(1000, 3), array<double, 1>(3)); });
    const profile_tip* t = find_tip(d, "turn-overhead");
    REQUIRE(t != nullptr);
    CHECK(t->where == "short, loop 1");
    CHECK(t->gain == d.functions[1].overhead());
    CHECK(find_tip(changed(d, slow), "turn-overhead") == nullptr);
}

TEST_CASE("zeros that a derivative adds to are no constant arrays") {
    auto f = function<cpu>("gates", [](tensor<double, -1, -1, -1> x, shared<matrix<double>> w) {
        auto last = std::get<0>(scan([&](auto s, auto e) {
            auto gates = split<-1, 2>(dot(s, w) + e);
            return step(sigmoid(gates[0]) * s + tanh(gates[1]));
        }, zeros_like(x(0)(slice(), slice(0, 4))), x));
        auto cost = sum(last);
        return outputs(cost).updates(w -= 0.1 * grad(cost, w));
    });
    array<double, 2> w(4, 8);
    const profile_data d = profiled([&] { f(array<double, 3>(6, 2, 8), w); });
    CHECK(find_tip(d, "constant-array") == nullptr);
    const bool any = std::any_of(d.functions.begin(), d.functions.end(), [](const function_profile& p) {
        return std::any_of(p.steps.begin(), p.steps.end(), [](const step_profile& s) { return s.constant; });
    });
    CHECK(any);
}
