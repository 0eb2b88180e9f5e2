// SPDX-License-Identifier: MIT
// Loops in a profile: the section of each in the report, its numbers, its place in the other formats, and a guard within its turns.
#include <croton/croton.hpp>

#include <doctest/doctest.h>

#include <limits>
#include <regex>
#include <sstream>
#include <string>

#include "profile/json_reader.hpp"
#include "profile/profile.hpp"

using namespace croton;

namespace {

/// What loops and products run on depends on how the test was built.
std::string without_types(std::string text) {
    return std::regex_replace(text, std::regex("  (SIMD|BLAS|loop)  "), "  type  ");
}

constexpr auto recurrence = [](matrix<double> x, croton::vector<double> h) {
    auto [last, ys] = scan([](auto s, auto e) { return step(0.5 * s + e, sum(log(s))); }, h, x);
    return std::tuple(last, ys);
};

const char* const section = R"(Scan "recurrence, loop 1" on cpu, step 1 of "recurrence"
========================================================
  Time in 2 calls, 10 turns: 2.200000e-08s, 2 ns per turn
  Time in steps: 1.000000e-08s (45.455%)
  Overhead: 1 ns per turn (54.545%)
  Nodes of a turn: 8; steps: 1, of them kernels: 1

Class
-----
<% time> <sum %> <apply time> <time per call> <type> <#call> <#apply> <name>
  100.0%  100.0%    0.000000s      1.00e-09s    type        10      1  reduction
   ... (remaining 0 Class account for 0.00% (0.00e+00s) of the time)

Ops
---
<% time> <sum %> <apply time> <time per call> <type> <#call> <#apply> <name>
  100.0%  100.0%    0.000000s      1.00e-09s    type        10      1  double i2 = sum(log(i0)); i3 = 0.5 * i0 + i1
   ... (remaining 0 Ops account for 0.00% (0.00e+00s) of the time)

Apply
-----
<% time> <sum %> <apply time> <time per call> <type> <#call> <step> <GB/s> <GFLOP/s> <% of limit> <name>
  100.0%  100.0%    0.000000s      1.00e-09s    type        10      1     80.0     12.0  160.0%  out1 = sum(log(state1)); next state1 = 0.5 * state1 + arg1[t]
            reduction over 3 in double; reads state1 double [3], arg1[t] double [3]; writes out1 double, next state1 double [3]
   ... (remaining 0 Apply account for 0.00% (0.00e+00s) of the time)

Memory
------
  Temporaries: planned 0 B, needed at one time 0 B, without reuse 0 B
  Carried from turn to turn: 128 B

)";

}  // namespace

TEST_CASE("the section of a loop") {
    auto f = function<cpu>("recurrence", recurrence);
    support::ticking_profile scope{"loops"};
    for (int i = 0; i < 2; ++i) f(array<double, 2>::full({5, 3}, 1), array<double, 1>{1, 2, 3});
    const profile_data data = scope.data<support::round_machine>();
    const std::string text = without_types(detail::text_report<>(data).text());
    const std::size_t from = text.find("Scan \""), to = text.find("Tips\n");
    REQUIRE(from != std::string::npos);
    CHECK(text.substr(from, to - from) == section);
    CHECK(text.find("of 1 function:") != std::string::npos);
    CHECK(data.functions_time() == data.functions[0].time);
}

TEST_CASE_TEMPLATE("a loop costs what the steps of all of its turns cost", D, cpu, reference) {
    auto f = function<D>("nested", [](matrix<float> x, croton::vector<float> w) {
        auto [state, rows] = scan([&](auto s, auto row) {
            auto [total, parts] = scan([&](auto t, auto e) { return step(t + e * sum(w * s), t); }, sum(row), row);
            return step(s * total, parts);
        }, w, x);
        return std::tuple(state, rows);
    });
    array<float, 2> x(4, 3);
    array<float, 1> w(2);
    support::ticking_profile outer{"outer"};
    {
        support::ticking_profile inner{"inner"};
        f(x, w);
    }
    f(array<float, 2>(0, 3), w);
    const profile_data d = outer.data<support::round_machine>();
    REQUIRE(d.functions.size() == 3);
    const function_profile &whole = d.functions[0], &loop = d.functions[1], &nested = d.functions[2];
    CHECK(!whole.is_loop());
    CHECK(loop.outer == 0);
    CHECK(loop.turns == 4);
    CHECK(loop.calls == 2);
    CHECK(nested.outer == 1);
    CHECK(nested.turns == 12);
    CHECK(nested.calls == 4);
    const auto sum_of = [](const function_profile& p, auto field) {
        std::int64_t sum = 0;
        for (const step_profile& s : p.steps) sum += s.*field;
        return sum;
    };
    const step_profile& scan_step = whole.steps[static_cast<std::size_t>(loop.outer_step)];
    CHECK(scan_step.kind == "scan");
    CHECK(scan_step.bytes == sum_of(loop, &step_profile::bytes));
    CHECK(scan_step.operations == sum_of(loop, &step_profile::operations));
    CHECK(scan_step.time > loop.time);
    const step_profile& nested_step = loop.steps[static_cast<std::size_t>(nested.outer_step)];
    CHECK(nested_step.operations == sum_of(nested, &step_profile::operations));
    CHECK(loop.carried_bytes > 0);
}

TEST_CASE_TEMPLATE("a loop costs what its turns did, however many it could have had", D, cpu, reference) {
    const auto costs = [](const profile_data& d) {
        for (std::size_t i = 1; i < d.functions.size(); ++i) {
            const function_profile& loop = d.functions[i];
            const step_profile& whole = d.functions[static_cast<std::size_t>(loop.outer)].steps[static_cast<std::size_t>(loop.outer_step)];
            std::int64_t bytes = 0, operations = 0, of_a_turn = 0;
            for (const step_profile& s : loop.steps) {
                bytes += s.bytes;
                operations += s.operations;
                of_a_turn += s.working_set;
            }
            CHECK(whole.bytes == bytes);
            CHECK(whole.operations == operations);
            CHECK(whole.limit(d.limits) == 0);
            if (whole.calls == 1) CHECK(whole.working_set == whole.bytes);
            if (loop.steps.size() == 1 && loop.steps[0].kind != "scan") CHECK(bytes == loop.turns * of_a_turn);
        }
    };
    const array<double, 1> x{1, 2, 3, 4, 5, 6, 7}, none_of_it(0);
    auto until_large = function<D>("until", [](croton::vector<double> v, scalar<double> most) {
        auto [last, ys, turns] = scan([&](auto s, auto e) {
            auto next = s * 0.5 + e;
            return step(next, next, until(next > most));
        }, 0.0, v);
        return std::tuple(grad(sum(ys), v), turns);
    });
    for (const double most : {4.0, 100.0, -1.0}) {
        support::ticking_profile scope{"until"};
        const std::int64_t turns = std::get<1>(until_large(x, most))();
        const profile_data d = scope.data<support::round_machine>();
        REQUIRE(d.functions.size() == 3);
        for (std::size_t i : {1u, 2u}) {
            CHECK(d.functions[i].turns == turns);
            const step_profile& s = d.functions[0].steps[static_cast<std::size_t>(d.functions[i].outer_step)];
            CHECK(s.shape == std::to_string(turns) + (turns == 1 ? " turn" : " turns"));
        }
        costs(d);
    }
    auto counted = function<D>("counted", [](croton::vector<double> v, scalar<std::int64_t> n) {
        return std::get<0>(scan([&](auto s) { return step(std::get<0>(scan([](auto t, auto e) { return step(t * 0.5 + e); }, s, v))); }, 0.0, times(n, 100)));
    });
    auto searched = function<D>("searched", [](scalar<double> a) { return while_loop([&](auto r) { return r * r < a; }, [](auto r) { return r + 1.0; }, 0.0 * a); });
    auto truncated = function<D>("truncated", [](croton::vector<double> v) {
        return grad(std::get<0>(scan([](auto s, auto e) { return step(sin(s) * e); }, 1.0, v, {.truncate = 3})), v);
    });
    {
        support::ticking_profile scope{"counted"};
        counted(x, 4);
        costs(scope.data<support::round_machine>());
    }
    {
        support::ticking_profile scope{"counted"};
        counted(none_of_it, 4);
        counted(x, 0);
        const profile_data d = scope.data<support::round_machine>();
        CHECK(d.functions[0].steps[static_cast<std::size_t>(d.functions[1].outer_step)].working_set == 0);
    }
    {
        support::ticking_profile scope{"searched"};
        searched(30.0);
        const profile_data d = scope.data<support::round_machine>();
        costs(d);
        CHECK(d.functions.at(1).turns == 6);
    }
    {
        support::ticking_profile scope{"truncated"};
        truncated(x);
        const profile_data d = scope.data<support::round_machine>();
        costs(d);
        CHECK(d.functions.at(1).turns == 7);
        CHECK(d.functions.at(2).turns == 3);
    }
}

TEST_CASE("loops in the other formats") {
    auto f = function<cpu>("recurrence", recurrence);
    support::ticking_profile scope{"loops", keep_events{}};
    f(array<double, 2>::full({5, 3}, 1), array<double, 1>{1, 2, 3});
    const profile_data d = scope.data<support::round_machine>();
    std::ostringstream out, trace, tree;
    json_sink{out}(d);
    trace_sink{trace}(d);
    call_graph_sink{tree}(d);
    const json::value schema = json::parse(json::file_text("profile/profile.schema.json"));
    CHECK_NOTHROW(json::check(json::parse(out.str()), schema, schema));
    CHECK(out.str().find("\"turns\": 5") != std::string::npos);
    const function_profile& loop = d.functions.at(1);
    const auto named = [&](const std::vector<buffer_pair>& pairs, int around, bool inside_first) {
        std::string text;
        for (const buffer_pair& p : pairs) {
            const auto& from = d.functions[static_cast<std::size_t>(inside_first ? 1 : around)].buffers.at(static_cast<std::size_t>(p.from));
            const auto& to = d.functions[static_cast<std::size_t>(inside_first ? around : 1)].buffers.at(static_cast<std::size_t>(p.to));
            text += from.name + " " + from.type + " > " + to.name + " " + to.type + "; ";
        }
        return text;
    };
    CHECK(named(loop.given, 0, false) == "arg2 double [3] > state1 double [3]; arg1 double [5, 3] > arg1[t] double [3]; ");
    CHECK(named(loop.carried, 1, true) == "next state1 double [3] > state1 double [3]; ");
    CHECK(named(loop.left, 0, true) == "next state1 double [3] > output 1 double [3]; out1 double > output 2 double [5]; ");
    CHECK(trace.str().find("\"name\": \"recurrence, loop 1\", \"cat\": \"loop\"") != std::string::npos);
    CHECK(tree.str().find("recurrence, loop 1\\nloop") != std::string::npos);
}

TEST_CASE_TEMPLATE("a guard names the turn, and a profile around it goes on", D, cpu, reference) {
    auto f = function<D>("recurrence", recurrence);
    array<double, 2> x = array<double, 2>::full({5, 3}, 1);
    const array<double, 1> h{1, 2, 3};
    profile scope("around");
    std::string text;
    {
        nan_guard guard;
        CHECK_NOTHROW(f(x, h));
        x(2, 1) = -100;
        try {
            f(x, h);
        } catch (const nan_error& e) {
            text = e.what();
        }
    }
    INFO(text);
    CHECK(text.find("recurrence, loop 1, turn 3, step ") == 0);
    CHECK(text.find("log(state1)") != std::string::npos);
    CHECK(text.find("it read state1 from -9") != std::string::npos);
    CHECK_NOTHROW(f(x, h));
    const auto functions = scope.functions();
    CHECK(functions.at(0).calls == 3);
    CHECK(functions.at(0).failed == 1);
    CHECK(functions.at(1).turns == 14);
}

TEST_CASE("what derivatives keep of a loop, and compute again") {
    auto f = function<cpu>("rectified", [](matrix<double, -1, 3> x, croton::vector<double, 3> w) {
        auto [last, ys] = scan([&](auto s, auto e) { return step(s * w + maximum(s * e, 0.0), s); }, w * w, x);
        return grad(sum(last * last), w);
    });
    support::ticking_profile scope{"kept"};
    f(array<double, 2>::full({5, 3}, 1), array<double, 1>{1, 2, 3});
    std::int64_t stored = 0, again = 0;
    for (const function_profile& p : scope.functions()) {
        stored += p.stored_bytes;
        again += p.again_bytes;
    }
    const std::string text = explain(f);
    INFO(text);
    CHECK(stored == 6 * 3 * 8);
    CHECK(again == 5 * 3 * 8);
    CHECK(text.find("loop 1, stored for derivatives\n    t3 = states(state1)   double [n1 + 1, 3]   24 bytes a turn\n") != std::string::npos);
    CHECK(text.find("loop 2, computed again\n    %1   double [3]   24 bytes a turn that are not stored\n") != std::string::npos);
}

TEST_CASE("what is kept before each chunk of turns, and of the chunk that runs again") {
    auto f = function<cpu>("chunks", [](matrix<double, -1, 3> x, croton::vector<double, 3> w) {
        auto [last, ys] = scan([&](auto s, auto e) { return step(tanh(s * w + e), none); }, w * w, x, {.checkpoint = 4});
        return grad(sum(last * last), w);
    });
    support::ticking_profile scope{"kept"};
    f(array<double, 2>::full({12, 3}, 1), array<double, 1>{1, 2, 3});
    std::int64_t stored = 0, again = 0;
    for (const function_profile& p : scope.functions()) {
        stored += p.stored_bytes;
        again += p.again_bytes;
    }
    // The state before each of three chunks and after the last, in a chunk the first one and four, and the one of no turns that are left.
    CHECK(stored == (4 + 5 + 1) * 3 * 8);
    // s * w, its sum with e and the tanh of that, of twelve turns.
    CHECK(again == 12 * 3 * 3 * 8);
}
