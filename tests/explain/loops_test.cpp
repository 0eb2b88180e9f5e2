// SPDX-License-Identifier: MIT
// What explain says of loops: the whole text for one with a derivative, and the lines that matter of loops in loops.
#include <croton/croton.hpp>

#include <doctest/doctest.h>

#include <string>

using namespace croton;

namespace {

void check_lines(const std::string& text, const std::string& lines) {
    const bool found = text.find(lines) != std::string::npos;
    if (!found) MESSAGE("not `", lines, "` in\n", text);
    CHECK(found);
}

const char* const recurrence_text = R"(function "recurrence" on cpu

  arguments
    arg1   double [n1]
    arg2   double
    n1 is dynamic: what the call brings

  graph as traced: 36 nodes
    loop 1: n1 turns, backwards
      state1 <- tanh(arg2 * state1 + arg1[t]), from 0 * arg2   double
      x2 is exp(arg1)                                          double [n1]
    loop 2: n1 turns
      %1 = state3 * (1 - sqr(x4[t]))                           double
      state2 <- state2 + %1 * x3[t], from 0                    double
      state3 <- x5[t] + %1 * arg2, from 1                      double
      x3 is states(state1)[1:+n1]                              double [n1]
      x4 is states(state1)[:+n1]                               double [n1]
      x5 is exp(arg1)                                          double [n1]
    output 1 = last(state1) + sum(stack(state1 * x2[t]))       double
    output 2 = last(state2)                                    double

  rewrites
    none

  graph as it runs: 17 nodes
    loop 1: n1 turns, backwards
      state1 from 0 * arg2                                                 double
      walks along arg1, exp(arg1)
      reads arg2
    loop 2: n1 turns
      state2 from 0                                                        double
      state3 from 1                                                        double
      walks along states(state1)[1:+n1], states(state1)[:+n1], exp(arg1)
      reads arg2
    output 1 = last(state1) + sum(stack(out1))                             double
    output 2 = last(state2)                                                double

  plan: 6 steps
    step 1  loop over [n1]; reads arg1; 1 operation
              t1 = exp(arg1)
    step 2  single numbers; reads arg2; 3 operations
              t2 = 0 * arg2
              t7 = 0
              t8 = 1
    step 3  scan  loop 1: n1 turns, backwards; walks along arg1, t1; reads arg2
              carries state1 from t2, double
              t3 = last(state1)
              t4 = stack(out1)
              t6 = states(state1)
    step 4  loop over [n1]; reads t4; 1 operation
              t5 = sum(t4)
    step 5  scan  loop 2: n1 turns; walks along t6[1:+n1], t6[:+n1], t1; reads arg2
              carries state2 from t7, double
              carries state3 from t8, double
              output 2 = last(state2)
    step 6  single numbers; reads t3, t5; 1 operation
              output 1 = t3 + t5

  through memory
    t1   double [n1]       step 1 -> 3   loop 1 reads it
    t1   double [n1]       step 1 -> 5   loop 2 reads it
    t2   double            step 2 -> 3   loop 1 reads it
    t3   double            step 3 -> 6   loop 1 makes it
    t4   double [n1]       step 3 -> 4   loop 1 makes it
    t5   double [1]        step 4 -> 6   complete only when the loop over [n1] has ended
    t6   double [n1 + 1]   step 3 -> 5   loop 1 makes it
    t7   double            step 2 -> 5   loop 2 reads it
    t8   double            step 2 -> 5   loop 2 reads it
    8 temporary arrays; those that are needed at different times share memory

  loop 1, what a turn is given
    state1    double
    arg1[t]   double
    t1[t]     double
    arg2      double

  loop 1, graph of a turn: 8 nodes
    next state1 = tanh(arg2 * state1 + arg1[t])   double
    out1 = state1 * t1[t]                         double

  loop 1, a turn: 1 step
    step 1  single numbers; reads arg2, state1, arg1[t], t1[t]; 4 operations
              next state1 = tanh(arg2 * state1 + arg1[t])
              out1 = state1 * t1[t]

  loop 1, through memory in a turn
    no temporary arrays

  loop 1, stored for derivatives
    t6 = states(state1)   double [n1 + 1]   8 bytes a turn

  loop 2, what a turn is given
    state2         double
    state3         double
    t6[1:+n1][t]   double
    t6[:+n1][t]    double
    t1[t]          double
    arg2           double

  loop 2, graph of a turn: 14 nodes
    %1 = state3 * (1 - sqr(t6[:+n1][t]))       double
    next state2 = state2 + %1 * t6[1:+n1][t]   double
    next state3 = t1[t] + %1 * arg2            double

  loop 2, a turn: 1 step
    step 1  single numbers; reads t6[:+n1][t], state3, arg2, t1[t], t6[1:+n1][t], state2; 7 operations
              v1 = state3 * (1 - sqr(t6[:+n1][t]))
              next state3 = t1[t] + v1 * arg2
              next state2 = state2 + v1 * t6[1:+n1][t]

  loop 2, through memory in a turn
    no temporary arrays
)";

}  // namespace

TEST_CASE("a loop and its derivative") {
    auto f = function<cpu>("recurrence", [](croton::vector<double> x, scalar<double> w) {
        auto [last, ys] = scan([&](auto s, auto e) {
            return step(tanh(w * s + e), s * exp(e));
        }, 0 * w, x, {.reverse = true});
        auto cost = last + sum(ys);
        return std::tuple(cost, grad(cost, w));
    });
    CHECK(explain(f) == recurrence_text);
}

TEST_CASE("loops in loops, where every operation is a step") {
    auto f = function<reference>("nested", [](matrix<float, 3, 2> x, croton::vector<float> w) {
        auto [state, rows] = scan([&](auto s, auto row) {
            auto [total, parts] = scan([&](auto t, auto e) { return step(t + e * sum(w * s), t * sum(s)); }, sum(row * row), row);
            return step(s * total + w, std::tuple(total, parts));
        }, w, x);
        auto [totals, parts] = rows;
        auto [v, u] = scan([&](auto s, auto t) { return step(s * s, s * cast<float>(t)); }, sum(w), times(4));
        return std::tuple(state, sum(totals), sum(parts), v, u);
    });
    const std::string text = explain(f);
    check_lines(text, R"(    loop 1: 3 turns
      loop 3: 2 turns
        state3 <- state3 + arg1[t][t'] * sum(arg2 * state1), from x2[t]   float
      state1 <- state1 * last(state3) + arg2, from arg2                   float [n1]
      x2 is sum<1>(arg1 * arg1)                                           float [3, 1]
    loop 2: 4 turns
      state2 <- state2 * state2, from sum(arg2)                           float
    output 1 = last(state1)                                               float [n1]
    output 2 = sum(stack(last(state3)))                                   float
)");
    check_lines(text, R"(    step 5  scan  loop 1: 3 turns; walks along arg1, t2; reads arg2
              carries state1 from arg2, float [n1]
              output 1 = last(state1)
              t3 = stack(out1)
              t4 = stack(out2)
)");
    check_lines(text, R"(    loop 3: 2 turns
      state3 from t2[t]                          float
      walks along arg1[t]
      reads sum(arg2 * state1), sum(state1)
    next state1 = state1 * last(state3) + arg2   float [n1]
)");
    check_lines(text, R"(    step 4  scan  loop 3: 2 turns; walks along arg1[t]; reads u2, u3
              carries state3 from t2[t], float
              out1 = last(state3)
              out2 = stack(out4)
)");
    check_lines(text, R"(  loop 3, what a turn is given
    state3        float
    arg1[t][t']   float
    u2            float [1]
    u3            float [1]

  loop 3, graph of a turn: 9 nodes
    next state3 = state3 + arg1[t][t'] * u2   float
    out4 = state3 * u3                        float

  loop 3, a turn: 2 steps
    step 1  single numbers; reads state3, arg1[t][t'], u2; 2 operations
              next state3 = state3 + arg1[t][t'] * u2
    step 2  single numbers; reads state3, u3; 1 operation
              out4 = state3 * u3

)");
    check_lines(text, R"(  loop 2, what a turn is given
    state2   float
    t        int64

  loop 2, graph of a turn: 5 nodes
    next state2 = state2 * state2   float
    out3 = state2 * float(t)        float

  loop 2, a turn: 3 steps
    step 1  single numbers; reads state2; 1 operation
              next state2 = state2 * state2
)");
}

TEST_CASE("loops whose turns a value counts") {
    auto f = function<reference>("counted", [](croton::vector<double> x, scalar<int> n) {
        auto [far, seen] = scan([&](auto s) { return step(s * 0.5, s); }, sum(x), times(n, 9), {.truncate = 3});
        auto [last, ys, turns] = scan([&](auto s, auto e) { return step(s + e, s, until(s > 10.0)); }, 0.0, x);
        auto root = while_loop([](auto s) { return s > 1.0; }, [](auto s) { return s * 0.25; }, sum(x));
        return std::tuple(far, seen, last, ys, turns, root, grad(far, x));
    });
    const std::string text = explain(f);
    check_lines(text, "loop 1: at most 9 turns, as many as a value says\n");
    check_lines(text, "loop 2: n1 turns, until a condition holds\n");
    check_lines(text, "loop 3: as many turns as a value says, until a condition holds\n");
    check_lines(text, "scan  loop 1: at most 9 turns, as many as a value says; runs as often as ");
    check_lines(text, "output 5 = turns(loop 2)\n");
    check_lines(text, "    until = ");
    check_lines(text, "at most 9 turns, as many as a value says, at most 3 of them, backwards");
}

TEST_CASE("turns that a derivative runs again") {
    auto f = function<cpu>("chunks", [](matrix<float, 12, 3> x, croton::vector<float, 3> w) {
        auto [last, none_of_all] = scan([&](auto s, auto e) { return step(tanh(s * w + e), none); }, w * w, x, {.checkpoint = 4});
        return grad(sum(last * last), w);
    });
    const std::string text = explain(f);
    check_lines(text, R"(  loop 1, stored for derivatives
    t3 = states(state1)   float [4, 3]   12 bytes a turn
)");
    check_lines(text, R"(4 turns, run again; walks along reshape(arg1)[t]; reads arg2)");
    check_lines(text, R"(  loop 5, computed again
    state7 * arg2)");
    check_lines(text, "12 bytes a turn that are not stored");
}
