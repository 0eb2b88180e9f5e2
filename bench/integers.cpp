// SPDX-License-Identifier: MIT
// Pictures of uint8: scaled to float, thresholded, blended, summed. Beside loops that the compiler vectorises.
#include <cstdint>
#include <string>

#include <croton/croton.hpp>

#include "common.hpp"

using namespace croton;

namespace {

using picture = array<std::uint8_t, 1>;

picture drawn(std::int64_t n) {
    picture x(n);
    std::uint32_t state = 1;
    for (auto& e : x) e = static_cast<std::uint8_t>((state = state * 1664525u + 1013904223u) >> 24);
    return x;
}

/// `raw(x, y)` is a loop over parts of the same memory, on the threads of the others.
template <class R, class F, class Raw> void compare(const std::string& title, std::int64_t n, F&& f, double target, Raw raw) {
    const picture x = drawn(n);
    array<R, 1> y(n), expected(n);
    const auto all = [&](array<R, 1>& out) {
        bench::parallel_for(n, n, [&](std::int64_t first, std::int64_t last) { raw(x.data() + first, out.data() + first, last - first); });
    };
    all(expected);
    f.call_into(std::tie(y), x);
    bench::table table(title + " of " + std::to_string(n) + " uint8");
    table.check("croton, raw", bench::max_difference(y, expected), 1e-6);
    table.row("croton", 0, [&] { f.call_into(std::tie(y), x); });
    table.row("raw: loop", target, [&] { all(y); });
    table.measure();
}

#pragma GCC push_options
#pragma GCC optimize("O3")
void scale(const std::uint8_t* __restrict x, float* __restrict y, std::int64_t n) {
    for (std::int64_t i = 0; i < n; ++i) y[i] = static_cast<float>(x[i]) * (1.0f / 255);
}
void threshold(const std::uint8_t* __restrict x, bool* __restrict y, std::int64_t n) {
    for (std::int64_t i = 0; i < n; ++i) y[i] = x[i] > 128;
}
void clear(const std::uint8_t* __restrict x, std::uint8_t* __restrict y, std::int64_t n) {
    for (std::int64_t i = 0; i < n; ++i) y[i] = x[i] > 128 ? x[i] : std::uint8_t{0};
}
void soften(const std::uint8_t* __restrict x, std::uint8_t* __restrict y, std::int64_t n) {
    for (std::int64_t i = 0; i < n; ++i) y[i] = static_cast<std::uint8_t>(static_cast<int>(static_cast<float>(x[i]) * 0.5f + 10.0f));
}
void widen(const std::uint8_t* __restrict x, std::uint16_t* __restrict y, std::int64_t n) {
    for (std::int64_t i = 0; i < n; ++i) y[i] = static_cast<std::uint16_t>(x[i] * 257);
}
#pragma GCC pop_options

}  // namespace

int main(int argc, char** argv) {
    bench::start(argc, argv);
    for (const std::int64_t n : {std::int64_t{10'000}, std::int64_t{1'000'000}}) {
        compare<float>("x / 255 as float", n, function<cpu>([](vector<std::uint8_t> x) { return cast<float>(x) / 255; }), 1.05, scale);
        compare<bool>("x > 128", n, function<cpu>([](vector<std::uint8_t> x) { return x > 128; }), 1.05, threshold);
        compare<std::uint8_t>("where(x > 128, x, 0)", n, function<cpu>([](vector<std::uint8_t> x) { return where(x > 128, x, 0); }), 1.05, clear);
        compare<std::uint8_t>("x * 0.5 + 10 and back", n, function<cpu>([](vector<std::uint8_t> x) { return cast<std::uint8_t>(cast<float>(x) * 0.5f + 10); }), 1.05, soften);
        compare<std::uint16_t>("uint16 of x, * 257", n, function<cpu>([](vector<std::uint8_t> x) { return cast<std::uint16_t>(x) * 257; }), 1.05, widen);
    }
    return bench::table::finish();
}
