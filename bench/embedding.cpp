// SPDX-License-Identifier: MIT
// An embedding: rows of a large table are read, and those rows are updated. Neither time nor bytes depend on how many rows there are.
#include "common.hpp"

#include <cstdlib>
#include <cstring>

namespace {

using croton::array;

constexpr std::int64_t rows = 1'000'000, few_rows = 10'000, picked = 1'000;
// Known when it runs, to the loops by hand as to the functions.
std::int64_t width = 64;

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

// Rows that occur twice are read before any is updated, as in the function.
float hand_train(array<float, 2>& table, const array<int, 1>& ids, const array<float, 2>& y, array<float, 2>& step) {
    float cost = 0;
    for (std::int64_t q = 0; q < picked; ++q) {
        const float* const row = table.data() + ids.data()[q] * width;
        const float* const wanted = y.data() + q * width;
        float* const to = step.data() + q * width;
        float sum = 0;
        for (std::int64_t j = 0; j < width; ++j) {
            const float d = row[j] - wanted[j];
            sum += d * d;
            to[j] = -0.02f * d;
        }
        cost += sum;
    }
    hand_add(table, ids, step);
    return cost;
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
    if (argc > 2) width = std::atoi(argv[2]);
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
    reads.row("raw: memcpy of each row", 1.10, [&] { hand_take(table, ids, expected); });
    reads.row("croton, a table of 10000", 0, [&] { take.call_into(std::tie(out), other, few); });
    reads.measure();

    auto add = croton_add();
    array<float, 2> twin = table;
    bench::table adds("add_at: 1000 rows of 64 floats into a table of 1000000");
    add(table, ids, v);
    hand_add(twin, ids, v);
    adds.check("croton, loop", bench::max_difference(table, twin), 0);
    adds.row("croton", 0, [&] { add(table, ids, v); });
    adds.row("raw: loop", 1.15, [&] { hand_add(twin, ids, v); });
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
    trains.row("raw: loops", 1.15, [&] { hand_train(twin, ids, v, step); });
    trains.row("croton, a table of 10000", 0, [&] { train(other, few, v); });
    trains.measure();
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
