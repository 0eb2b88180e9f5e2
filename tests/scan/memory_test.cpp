// SPDX-License-Identifier: MIT
// What the gradient of a loop has of memory beside its arguments and results: as many values of a turn as the mathematics needs.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <malloc.h>
#include <new>
#include <tuple>

#include <croton/croton.hpp>

static std::size_t held = 0, peak = 0;

void* operator new(std::size_t bytes, std::align_val_t alignment) {
    void* memory = std::aligned_alloc(static_cast<std::size_t>(alignment), (bytes + 63) / 64 * 64);
    if (memory == nullptr) throw std::bad_alloc();
    peak = std::max(peak, held += malloc_usable_size(memory));
    return memory;
}
void operator delete(void* memory, std::align_val_t) noexcept {
    if (memory != nullptr) held -= malloc_usable_size(memory);
    std::free(memory);
}

using namespace croton;

constexpr int turns = 400, batch = 8, width = 16;

template <int Checkpoint> constexpr auto network = [](tensor<float, dim("t"), batch, width> x, matrix<float, batch, width> first, matrix<float, width, width> w, matrix<float, width, width> u) {
    auto last = std::get<0>(scan([&](auto h, auto xt) { return step(tanh(dot(xt, w) + dot(h, u))); }, first, x, {.checkpoint = Checkpoint}));
    return grad(mean(sqr(last)), x, w, u);
};

/// A cost of what every turn gives out.
constexpr auto every_turn = [](tensor<float, dim("t"), batch, width> x, matrix<float, batch, width> first, matrix<float, width, width> w, matrix<float, width, width> u) {
    auto ys = std::get<1>(scan([&](auto h, auto xt) {
        auto next = tanh(dot(xt, w) + dot(h, u));
        return step(next, next);
    }, first, x));
    return grad(mean(sqr(ys - 0.5f)) + 0.1f * sum(ys), x, w, u);
};

/// In values of a turn.
template <class F> double memory_of(const F& made, int length) {
    auto f = function<cpu>(made);
    array<float, 3> x(length, batch, width), gx(length, batch, width);
    array<float, 2> first(batch, width), w(width, width), u(width, width), gw(width, width), gu(width, width);
    std::fill_n(x.data(), x.size(), 0.5f), std::fill_n(w.data(), w.size(), 0.1f), std::fill_n(u.data(), u.size(), 0.1f);
    const std::size_t before = peak = held;
    f.call_into(std::tie(gx, gw, gu), x, first, w, u);
    return static_cast<double>(peak - before) / (batch * width * sizeof(float));
}

TEST_CASE("every state is stored once, and of what comes before and behind it as much") {
    // The states, and in the same memory the products with the inputs on the way there and the cotangents on the way back.
    CHECK(memory_of(network<0>, turns) < 1.1 * 2 * turns);
}

TEST_CASE("what a cost of all turns says of each is computed in the turn that reads it") {
    CHECK(memory_of(every_turn, turns) < 1.1 * 2 * turns);
}

TEST_CASE("with checkpoints as much of one chunk, and the state before each") {
    // On the way there the products of a chunk with the inputs, on the way back the states, the cotangents and what they give the inputs.
    CHECK(memory_of(network<20>, turns) < 1.1 * (turns / 20 + 5 * 20) + turns);
    // The cotangents of the inputs are joined of those of whole chunks and of the turns that are left.
    CHECK(memory_of(network<sqrt_of_turns>, turns + 1) < 1.1 * (19 + 5 * 21 + 3 * 2) + turns);
}
