// SPDX-License-Identifier: MIT
// The empty function of W8, called in a loop: the text of two units that differ in how croton is compiled.
#ifndef CROTON_BENCH_W8_CALL_INCREMENT_HPP
#define CROTON_BENCH_W8_CALL_INCREMENT_HPP

#include <croton/croton.hpp>

#include <cstdint>
#include <tuple>

namespace bench {

inline constexpr std::int64_t calls_per_turn = 1000;

namespace {

void increment(const float* x, float* y, std::int64_t calls) {
    using namespace croton;
    static auto f = function<cpu>("increment", [](scalar<float> v) { return v + 1; });
    array<float, 0> from, to;
    *from.data() = *x;
    for (std::int64_t i = 0; i < calls; ++i) f.call_into(std::tie(to), from);
    *y = *to.data();
}

}  // namespace

}  // namespace bench

#endif
