// SPDX-License-Identifier: MIT
// What the gradient of a recurrent network of 1,000 turns needs of memory and of time: with every state stored, every 32nd, and as the square root says.
#include "common.hpp"

#include <malloc.h>
#include <new>

namespace {

std::size_t held = 0, peak = 0;  // the bytes that the program has, and the most that it had

}  // namespace

void* operator new(std::size_t bytes, std::align_val_t alignment) {
    void* memory = std::aligned_alloc(static_cast<std::size_t>(alignment), (bytes + 63) / 64 * 64);
    if (memory == nullptr) throw std::bad_alloc();
    held += malloc_usable_size(memory);
    peak = std::max(peak, held);
    return memory;
}
void operator delete(void* memory, std::align_val_t) noexcept {
    held -= malloc_usable_size(memory);
    std::free(memory);
}

namespace {

using croton::array;

constexpr int turns = 1000, batch = 16, states = 64;
constexpr double state_bytes = batch * states * sizeof(float);

template <int Checkpoint> auto gradient() {
    using namespace croton;
    return function<cpu>("gradient", [](tensor<float, dim("t"), batch, states> x, matrix<float, states, states> w, matrix<float, states, states> u, vector<float, states> b) {
        auto h = std::get<0>(scan([&](auto state, auto xt) { return step(tanh(dot(xt, w) + dot(state, u) + b)); }, 0 * x(0), x, {.checkpoint = Checkpoint}));
        auto cost = mean(sqr(h));
        auto [gw, gu, gb] = grad(cost, w, u, b);
        return std::tuple(cost, gw, gu, gb);
    });
}

}  // namespace

int main(int argc, char** argv) {
    bench::start(argc, argv);
    array<float, 3> x(turns, batch, states);
    array<float, 2> w(states, states), u(states, states);
    array<float, 1> b(states);
    bench::fill(x, -1, 1, 1);
    bench::fill(w, -0.1f, 0.1f, 2);
    bench::fill(u, -0.15f, 0.15f, 3);
    bench::fill(b, -0.1f, 0.1f, 4);
    auto all = gradient<0>();
    auto some = gradient<32>();
    auto root = gradient<croton::sqrt_of_turns>();
    array<float, 0> cost;
    array<float, 2> gw(states, states), gu(states, states), expected_w(states, states), expected_u(states, states);
    array<float, 1> gb(states), expected_b(states);
    bench::table table("gradient of 1000 turns of a cell of 64 states, 16 at a time");
    const auto measured = [&](const char* name, auto& f) {
        const std::size_t before = peak = held;
        f.call_into(std::tie(cost, gw, gu, gb), x, w, u, b);
        const double bytes = static_cast<double>(peak - before);
        std::printf("  memory %-22s %8.0f KiB, %7.1f states", name, bytes / 1024, bytes / state_bytes);
        return bytes;
    };
    // The states, and beside them the products with the inputs on the way there and the cotangents on the way back.
    const double most = measured("every state", all);
    std::printf("; %.2f times what the mathematics needs (aim: 1.1)\n", most / (2 * turns * state_bytes));
    std::swap(gw, expected_w), std::swap(gu, expected_u), std::swap(gb, expected_b);
    const auto compared = [&](const char* name, auto& f) {
        std::printf("; 1 / %.1f of that\n", most / measured(name, f));
        table.check(name, std::max({bench::max_difference(gw, expected_w), bench::max_difference(gu, expected_u), bench::max_difference(gb, expected_b)}), 1e-5);
    };
    compared("every 32nd", some);
    compared("the square root", root);
    table.row("croton, every state", 0, [&] { all.call_into(std::tie(cost, gw, gu, gb), x, w, u, b); });
    table.row("croton, every 32nd", 0, [&] { some.call_into(std::tie(cost, gw, gu, gb), x, w, u, b); });
    table.row("croton, the square root", 0, [&] { root.call_into(std::tie(cost, gw, gu, gb), x, w, u, b); });
    table.measure();
    return bench::table::finish();
}
