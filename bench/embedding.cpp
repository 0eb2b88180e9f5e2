// SPDX-License-Identifier: MIT
// An embedding: rows of a large table are read, and those rows are updated. Neither time nor bytes depend on how many rows there are.
#include "common.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

namespace {

using croton::array;

constexpr std::int64_t rows = 1'000'000, few_rows = 10'000, picked = 1'000;
// Known when it runs, to the loops by hand as to the functions.
const std::int64_t width = [] {
    volatile std::int64_t given = 64;
    return std::int64_t{given};
}();

auto croton_take() {
    using namespace croton;
    return function<cpu>("take", [](matrix<float> table, vector<int> ids) { return take<0>(table, ids); });
}
auto croton_add() {
    using namespace croton;
    return function<cpu>("add", [](shared<matrix<float>> table, vector<int> ids, matrix<float> v) { return updates(update(table, add_at<0>(table, ids, v))); });
}
auto croton_train() {
    using namespace croton;
    return function<cpu>("train", [](shared<matrix<float>> table, vector<int> ids, matrix<float> y) {
        auto cost = sum(sqr(take<0>(table, ids) - y));
        return outputs(cost).updates(table -= 0.01f * grad(cost, table));
    });
}

auto croton_lazy_adam() {
    using namespace croton;
    return function<cpu>("lazy_adam", [](shared<matrix<float>> table, shared<adam_state<symbol<float, 2>>> state, vector<int> ids, matrix<float> y) {
        auto cost = sum(sqr(take<0>(table, ids) - y));
        return outputs(cost).updates(lazy_adam(cost, table, state));
    });
}

void hand_take(const array<float, 2>& table, const array<int, 1>& ids, array<float, 2>& out) {
    for (std::int64_t q = 0; q < picked; ++q)
        std::memcpy(out.data() + q * width, table.data() + ids.data()[q] * width, static_cast<std::size_t>(width) * sizeof(float));
}

void hand_add(array<float, 2>& table, const array<int, 1>& ids, const array<float, 2>& v) {
    for (std::int64_t q = 0; q < picked; ++q) {
        float* const to = table.data() + ids.data()[q] * width;
        const float* const from = v.data() + q * width;
        for (std::int64_t j = 0; j < width; ++j) to[j] += from[j];
    }
}

// What a function by hand gives is used, as what the functions give.
volatile float given_cost;

// Rows that occur twice are read before any is updated, as in the function.
float hand_train(array<float, 2>& table, const array<int, 1>& ids, const array<float, 2>& y, array<float, 2>& step) {
    bench::batch cost(0.f);
    for (std::int64_t q = 0; q < picked; ++q) {
        const float* const row = table.data() + ids.data()[q] * width;
        const float* const wanted = y.data() + q * width;
        float* const to = step.data() + q * width;
        // The compiler may not change the order of a sum; lanes divide the width.
        for (std::int64_t j = 0; j < width; j += bench::lanes) {
            const auto d = bench::wide::load(row + j) - bench::wide::load(wanted + j);
            cost += d * d;
            bench::wide::store(to + j, -0.02f * d);
        }
    }
    hand_add(table, ids, step);
    return xsimd::hadd(cost);
}

struct by_hand {
    array<float, 2> first, second;
    std::int64_t steps = 0;
    std::vector<std::int64_t> order;
    std::vector<float> sums;
};

// The rows in order, so that what comes twice to one is one gradient.
float hand_lazy_adam(array<float, 2>& table, by_hand& s, const array<int, 1>& ids, const array<float, 2>& y) {
    const double t = static_cast<double>(++s.steps);
    const float rate = static_cast<float>(1e-3 / (1 - std::pow(0.9, t))), correction = static_cast<float>(1 / (1 - std::pow(0.999, t)));
    s.order.resize(picked);
    s.sums.resize(static_cast<std::size_t>(width));
    for (std::int64_t q = 0; q < picked; ++q) s.order[static_cast<std::size_t>(q)] = q;
    std::sort(s.order.begin(), s.order.end(), [&](std::int64_t a, std::int64_t b) { return ids.data()[a] < ids.data()[b]; });
    bench::batch cost(0.f);
    for (std::size_t from = 0, to = 0; from < s.order.size(); from = to) {
        const std::int64_t row = ids.data()[s.order[from]];
        float* const w = table.data() + row * width;
        std::fill(s.sums.begin(), s.sums.end(), 0.f);
        float* const sums = s.sums.data();
        for (to = from; to < s.order.size() && ids.data()[s.order[to]] == row; ++to) {
            const float* const wanted = y.data() + s.order[to] * width;
            for (std::int64_t j = 0; j < width; j += bench::lanes) {
                const auto d = bench::wide::load(w + j) - bench::wide::load(wanted + j);
                cost += d * d;
                bench::wide::store(sums + j, bench::wide::load(sums + j) + 2.f * d);
            }
        }
        float* const first = s.first.data() + row * width;
        float* const second = s.second.data() + row * width;
        for (std::int64_t j = 0; j < width; ++j) {
            first[j] = 0.9f * first[j] + 0.1f * sums[j];
            second[j] = 0.999f * second[j] + 0.001f * sums[j] * sums[j];
            w[j] -= rate * first[j] / (std::sqrt(second[j] * correction) + 1e-8f);
        }
    }
    return xsimd::hadd(cost);
}

array<int, 1> draw_ids(std::int64_t below) {
    array<int, 1> ids(picked);
    unsigned state = 1;
    for (int& i : ids) {
        state = state * 1664525u + 1013904223u;
        i = static_cast<int>((state >> 8) % static_cast<unsigned>(below));
    }
    return ids;
}

}  // namespace

int main(int argc, char** argv) {
    bench::start(argc, argv);
    array<float, 2> table(rows, width), other(few_rows, width), v(picked, width), out(picked, width), expected(picked, width), step(picked, width);
    bench::fill(table, -1, 1, 1);
    bench::fill(other, -1, 1, 1);
    bench::fill(v, -1e-3f, 1e-3f, 2);
    const array<int, 1> ids = draw_ids(rows), few = draw_ids(few_rows);

    auto take = croton_take();
    bench::table reads("take: 1000 rows of 64 floats from a table of 1000000");
    hand_take(table, ids, expected);
    take.call_into(std::tie(out), table, ids);
    reads.check("croton, memcpy", bench::max_difference(out, expected), 0);
    reads.row("croton", 0, [&] { take.call_into(std::tie(out), table, ids); });
    // Into the same memory, here and below: where it lies decides as much as what is done.
    reads.row("raw: memcpy of each row", 1.10, [&] { hand_take(table, ids, out); });
    reads.row("croton, a table of 10000", 0, [&] { take.call_into(std::tie(out), other, few); });
    reads.measure();

    auto add = croton_add();
    array<float, 2> twin = table;
    bench::table adds("add_at: 1000 rows of 64 floats into a table of 1000000");
    add(table, ids, v);
    hand_add(twin, ids, v);
    adds.check("croton, loop", bench::max_difference(table, twin), 0);
    adds.row("croton", 0, [&] { add(table, ids, v); });
    adds.row("raw: loop", 1.15, [&] { hand_add(table, ids, v); });
    adds.row("croton, a table of 10000", 0, [&] { add(other, few, v); });
    adds.measure();

    auto train = croton_train();
    bench::fill(table, -1, 1, 1);
    twin = table;
    bench::table trains("update by the gradient of take: 1000 rows of 64 floats of a table of 1000000");
    train(table, ids, v);
    hand_train(twin, ids, v, step);
    trains.check("croton, loops", bench::max_difference(table, twin), 1e-6);
    trains.row("croton", 0, [&] { train(table, ids, v); });
    trains.row("raw: loops", 1.15, [&] { given_cost = hand_train(table, ids, v, step); });
    trains.row("croton, a table of 10000", 0, [&] { train(other, few, v); });
    trains.measure();

    auto lazily = croton_lazy_adam();
    bench::fill(table, -1, 1, 1);
    twin = table;
    auto state = croton::adam_state<array<float, 2>>::zeros_like(table), of_other = croton::adam_state<array<float, 2>>::zeros_like(other);
    by_hand hand{table, table, 0, {}, {}};
    hand.first.fill(0);
    hand.second.fill(0);
    bench::table steps("lazy_adam by the gradient of take: 1000 rows of 64 floats of a table of 1000000");
    lazily(table, state, ids, v);
    hand_lazy_adam(twin, hand, ids, v);
    steps.check("croton, loops", bench::max_difference(table, twin), 1e-6);
    steps.row("croton", 0, [&] { lazily(table, state, ids, v); });
    steps.row("raw: a sort and loops", 1.15, [&] { given_cost = hand_lazy_adam(twin, hand, ids, v); });
    steps.row("croton, a table of 10000", 0, [&] { lazily(other, of_other, few, v); });
    steps.measure();
    const auto bytes_of = [&](array<float, 2>& of, const array<int, 1>& n) {
        long long bytes = 0;
        {
            const croton::profile scope{"update", [&](const croton::profile_data& data) {
                for (const auto& f : data.functions)
                    for (const auto& each : f.steps) bytes += each.bytes;
            }};
            train(of, n, v);
        }
        return bytes;
    };
    const long long of_many = bytes_of(table, ids), of_few = bytes_of(other, few);
    std::printf("  bytes of an update: %lld, with a table of 10000 %lld\n", of_many, of_few);
    return bench::table::finish();
}
