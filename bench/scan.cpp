// SPDX-License-Identifier: MIT
// What a turn of a loop costs besides its work: loops of 1,000 turns that carry a number, or run one small kernel.
#include "common.hpp"

namespace {

using croton::array;

constexpr int turns = 1000, small = 64;

void raw_number(const float* x, const float* w, float* y) {
    float state = *x;
    for (int t = 0; t < turns; ++t) state = state * *w + 1;
    *y = state;
}

[[gnu::noinline]] void raw_kernel(const float* state, const float* a, float* next) {
    bench::for_batches(0, small, [=](auto lanes, std::int64_t i) {
        lanes.store(next + i, lanes.load(state + i) * lanes.load(a + i) + lanes.all(1));
    });
}

// Two places that take turns, as in croton.
void raw_turns(const array<float, 1>& x, const array<float, 1>& a, array<float, 1>& scratch, array<float, 1>& y) {
    std::copy_n(x.data(), small, y.data());
    for (int t = 0; t < turns; t += 2) {
        raw_kernel(y.data(), a.data(), scratch.data());
        raw_kernel(scratch.data(), a.data(), y.data());
    }
}

// The same, and what each turn gives out.
void raw_stack(const array<float, 1>& x, const array<float, 1>& a, array<float, 2>& y) {
    const float* state = x.data();
    for (int t = 0; t < turns; ++t, state = y.data() + (t - 1) * small) raw_kernel(state, a.data(), y.data() + t * small);
}

auto croton_number() {
    using namespace croton;
    return function<cpu>("number", [](scalar<float> x, scalar<float> w) { return std::get<0>(scan([&](auto state) { return step(state * w + 1); }, x, times(turns))); });
}
template <int Unroll> auto croton_turns() {
    using namespace croton;
    return function<cpu>("turns", [](vector<float> x, vector<float> a) {
        return std::get<0>(scan([&](auto state) { return step(state * a + 1); }, x, times(turns), {.unroll = Unroll}));
    });
}
auto croton_stack() {
    using namespace croton;
    return function<cpu>("stack", [](vector<float> x, vector<float> a) {
        return std::get<1>(scan([&](auto state) {
            auto next = state * a + 1;
            return step(next, next);
        }, x, times(turns)));
    });
}

}  // namespace

int main(int argc, char** argv) {
    bench::start(argc, argv);
    array<float, 0> number, factor, result, expected_number;
    *number.data() = 41;
    *factor.data() = -0.75f;
    auto carried_number = croton_number();
    bench::table numbers("1000 turns that carry one float32 (aim: raw)");
    const auto run_number = [&] { carried_number.call_into(std::tie(result), number, factor); };
    run_number();
    raw_number(number.data(), factor.data(), expected_number.data());
    numbers.check("croton, raw", bench::max_difference(result, expected_number), 1e-6);
    numbers.row("croton", 0, run_number);
    numbers.row("raw: loop", 0, [&] { raw_number(number.data(), factor.data(), expected_number.data()); });
    numbers.measure();

    array<float, 1> x(small), a(small), y(small), expected(small), scratch(small);
    bench::fill(x, 0, 1, 1);
    bench::fill(a, -0.9f, 0.9f, 2);
    auto carried = croton_turns<1>();
    auto written = croton_turns<8>();
    bench::table kernel("1000 turns of one loop over 64 float32 (aim: raw + 15 us)");
    const auto run_carried = [&] { carried.call_into(std::tie(y), x, a); };
    run_carried();
    raw_turns(x, a, scratch, expected);
    kernel.check("croton, raw", bench::max_difference(y, expected), 1e-6);
    written.call_into(std::tie(y), x, a);
    kernel.check("croton, 8 turns as one, raw", bench::max_difference(y, expected), 1e-6);
    kernel.row("croton", 0, run_carried);
    kernel.row("croton, 8 turns as one", 0, [&] { written.call_into(std::tie(y), x, a); });
    kernel.row("raw: calls of an xsimd loop", 0, [&] { raw_turns(x, a, scratch, expected); });
    kernel.measure();

    array<float, 2> all(turns, small), expected_all(turns, small);
    auto stacked = croton_stack();
    bench::table stack("1000 turns of one loop over 64 float32, each of them kept");
    const auto run_stacked = [&] { stacked.call_into(std::tie(all), x, a); };
    run_stacked();
    raw_stack(x, a, expected_all);
    stack.check("croton, raw", bench::max_difference(all, expected_all), 1e-6);
    stack.row("croton", 0, run_stacked);
    stack.row("raw: calls of an xsimd loop", 0, [&] { raw_stack(x, a, expected_all); });
    stack.measure();
    return stack.finish();
}
