// SPDX-License-Identifier: MIT
// W8: what a call costs when there is nothing to compute: a function of one number; and what recording it costs.
#include "common.hpp"

#include "w8_call/increment.hpp"

namespace bench {

void increment_without_profiler(const float* x, float* y, std::int64_t calls);

}  // namespace bench

namespace {

using croton::array;

auto croton_increment() {
    using namespace croton;
    return function<cpu>("increment", [](scalar<float> x) { return x + 1; });
}

void raw_increment(const float* x, float* y) { *y = *x + 1; }

// Read at each call, so that the compiler cannot know which function it holds.
void (*volatile raw_pointer)(const float*, float*) = raw_increment;

// Eight steps that cannot be one: each sums what the one before it made.
auto croton_chain() {
    using namespace croton;
    return function<cpu>("chain", [](vector<float> x) {
        auto a = x / sum(x);
        auto b = exp(a) / sum(exp(a));
        auto c = sqr(b) / sum(sqr(b));
        return sum(sqrt(c));
    });
}

}  // namespace

int main(int argc, char** argv) {
    using bench::calls_per_turn;
    bench::start(argc, argv);
    array<float, 0> x, y, by_value, expected;
    *x.data() = 41;
    auto increment = croton_increment();

    bench::table table("W8 call: x + 1 of one float32 (aim: call_into below 100 ns)");
    raw_pointer(x.data(), expected.data());
    increment.call_into(std::tie(y), x);
    by_value = increment(x);
    table.check("croton call_into, raw", bench::max_difference(y, expected), 0);
    table.check("croton by value, raw", bench::max_difference(by_value, expected), 0);
    table.row("croton call_into", 0, [&] { increment.call_into(std::tie(y), x); });
    table.row("croton by value", 0, [&] { by_value = increment(x); });
    table.row("raw: call of a function pointer", 0, [&] { raw_pointer(x.data(), expected.data()); });
    table.measure();

    bench::table profiler("W8 call: 1000 calls, without and with the profiler");
    profiler.row("compiled without it", 0, [&] { bench::increment_without_profiler(x.data(), y.data(), calls_per_turn); });
    profiler.row("compiled with it, outside of every profile", 0, [&] { bench::increment(x.data(), y.data(), calls_per_turn); });
    profiler.row("within a profile", 0, [&] {
        croton::profile scope{"calls"};
        bench::increment(x.data(), y.data(), calls_per_turn);
    });
    profiler.measure();

    auto chain = croton_chain();
    array<float, 1> v(16);
    v.fill(1);
    const int steps = chain.plan().steps.size();
    bench::table recording("Recording: 1000 calls of " + std::to_string(steps) + " steps each (aim: below 100 ns a step)");
    const auto run = [&] {
        for (std::int64_t i = 0; i < calls_per_turn; ++i) chain.call_into(std::tie(y), v);
    };
    recording.row("outside of every profile", 0, run);
    recording.row("within a profile", 0, [&] {
        croton::profile scope{"steps"};
        run();
    });
    recording.row("within a profile that keeps its events", 0, [&] {
        croton::profile scope{"steps", croton::keep_events{1000}};
        run();
    });
    recording.measure();
    return recording.finish();
}
