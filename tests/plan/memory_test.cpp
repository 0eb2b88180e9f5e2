// SPDX-License-Identifier: MIT
// Where temporaries lie: never two in one place at one time, and in little more memory than is needed at one time.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include <croton/croton.hpp>

#include "plan/steps.hpp"

using namespace croton;
using detail::lifetime;

namespace {

std::int64_t rounded(std::int64_t bytes) { return (bytes + 63) / 64 * 64; }

/// The most that is needed while one step runs.
std::int64_t peak(const std::vector<lifetime>& all) {
    std::int64_t most = 0;
    for (const lifetime& at : all) {
        std::int64_t live = 0;
        for (const lifetime& t : all)
            if (t.first <= at.first && at.first <= t.last) live += rounded(t.bytes);
        most = std::max(most, live);
    }
    return most;
}

/// Places them, and says how many bytes that takes; 0 or more below what is needed is an error, and so is a shared byte.
std::int64_t placed(std::vector<lifetime> all) {
    for (std::size_t i = 0; i < all.size(); ++i) all[i].index = static_cast<int>(i);
    const std::vector<lifetime> asked = all;
    const std::int64_t total = detail::place_lifetimes(all.data(), static_cast<int>(all.size()));
    int wrong = 0;
    for (const lifetime& a : all) {
        wrong += a.offset % 64 != 0 || a.offset < 0 || a.offset + asked[static_cast<std::size_t>(a.index)].bytes > total ? 1 : 0;
        for (const lifetime& b : all)
            if (a.index < b.index && a.meets(b)) wrong += a.offset < b.offset + b.bytes && b.offset < a.offset + a.bytes ? 1 : 0;
    }
    CHECK(wrong == 0);
    CHECK(total >= peak(asked));
    return total;
}

template <template <class, int> class A> struct mlp {
    A<float, 2> w1, w2, w3;
    A<float, 1> b1, b2, b3;
};

}  // namespace

TEST_CASE("nothing, one and empty ones") {
    CHECK(placed({}) == 0);
    CHECK(placed({{100, 0, 3}}) == 128);
    CHECK(placed({{0, 0, 3}, {0, 0, 3}}) == 0);
    CHECK(placed({{0, 0, 3}, {64, 1, 1}}) == 64);
}

TEST_CASE("what is needed at different times shares memory, whatever its size") {
    CHECK(placed({{64, 0, 1}, {64, 2, 3}}) == 64);
    CHECK(placed({{64, 0, 1}, {6400, 2, 3}}) == 6400);
    CHECK(placed({{64, 0, 1}, {64, 1, 2}}) == 128);
    // Small ones lie where a large one has been, side by side.
    CHECK(placed({{640, 0, 1}, {320, 2, 4}, {300, 2, 3}}) == 640);
    // A hole between two is filled by what fits there.
    CHECK(placed({{256, 0, 9}, {128, 0, 2}, {192, 2, 9}, {128, 3, 5}}) == 256 + 192 + 128);
    std::vector<lifetime> chain;
    for (int i = 0; i < 50; ++i) chain.push_back({1000, i, i + 1});
    CHECK(placed(chain) == 2 * 1024);
}

TEST_CASE("random lifetimes") {
    std::uint64_t state = 1;
    const auto draw = [&](std::uint64_t below) { return static_cast<std::int64_t>((state = state * 6364136223846793005u + 1442695040888963407u) >> 33) % static_cast<std::int64_t>(below); };
    std::int64_t used = 0, needed = 0;
    for (int round = 0; round < 300; ++round) {
        std::vector<lifetime> all;
        const auto count = draw(40), steps = 1 + draw(30);
        for (std::int64_t i = 0; i < count; ++i) {
            const auto first = static_cast<int>(draw(static_cast<std::uint64_t>(steps)));
            all.push_back({draw(2) == 0 ? draw(5000) : 64 * draw(4), first, first + static_cast<int>(draw(6))});
        }
        used += placed(all);
        needed += peak(all);
    }
    // Not a law: what this rule costs here.
    CHECK(static_cast<double>(used) < 1.15 * static_cast<double>(needed));
}

TEST_CASE("a chain of products needs two of its matrices") {
    auto chain = function<cpu>("chain", [](matrix<float> a, matrix<float> b) { return dot(dot(dot(dot(a, b), b), b), b); });
    const array<float, 2> a(20, 20), b(20, 20);
    profile scope{"memory"};
    chain(a, b);
    const auto f = scope.functions()[0];
    CHECK(f.planned_bytes == 2 * rounded(4 * 20 * 20));
    CHECK(f.peak_bytes == f.planned_bytes);
    CHECK(f.separate_bytes == 3 * rounded(4 * 20 * 20));
}

TEST_CASE("a training step needs what it needs at one time") {
    auto train = function<cpu>("train", [](matrix<float> x, vector<int> label, shared<mlp<symbol>> n, shared<adam_state<mlp<symbol>>> state) {
        auto h1 = relu(dot(x, n.w1) + n.b1);
        auto h2 = relu(dot(h1, n.w2) + n.b2);
        auto cost = mean(cross_entropy(dot(h2, n.w3) + n.b3, label));
        return outputs(cost).updates(adam(cost, n, state));
    });
    mlp<on<cpu>::array> n{array<float, 2>(78, 100), array<float, 2>(100, 100), array<float, 2>(100, 10), array<float, 1>(100), array<float, 1>(100), array<float, 1>(10)};
    auto state = adam_state<mlp<on<cpu>::array>>::zeros_like(n);
    profile scope{"memory"};
    for (const std::int64_t samples : {10, 100, 7}) train(array<float, 2>(samples, 78), array<int, 1>(samples), n, state);
    const auto f = scope.functions()[0];
    CHECK(f.planned_bytes < 1.1 * static_cast<double>(f.peak_bytes));
    CHECK(f.planned_bytes < f.separate_bytes * 2 / 3);
}
