// SPDX-License-Identifier: MIT
// W8: what a call costs when there is nothing to compute: a function of one number.
#include "common.hpp"

namespace {

using croton::array;

auto croton_increment() {
    using namespace croton;
    return function<cpu>("increment", [](scalar<float> x) { return x + 1; });
}

void raw_increment(const float* x, float* y) { *y = *x + 1; }

// Read at each call, so that the compiler cannot know which function it holds.
void (*volatile raw_pointer)(const float*, float*) = raw_increment;

}  // namespace

int main(int argc, char** argv) {
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
    return table.finish();
}
