// SPDX-License-Identifier: MIT
// The gradients of rows through softmax, its logarithm and the cross-entropy with classes. By hand each exponential is computed once, and lies in a row of its own until it is divided.
#include "common.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

namespace {

using croton::array;

/// `combine` of the numbers `of(lanes, i)` of a row: whole batches in the lanes of one, and what is left.
template <class Of, class Combine> float over_row(std::int64_t n, float from, const Of& of, const Combine& combine) {
    bench::batch lanes(from);
    std::int64_t i = 0;
    for (; i + bench::lanes <= n; i += bench::lanes) lanes = combine(lanes, of(bench::wide{}, i));
    for (; i < n; ++i) from = combine(from, of(bench::narrow{}, i));
    alignas(64) float each[bench::lanes];
    lanes.store_aligned(each);
    for (const float number : each) from = combine(from, number);
    return from;
}
constexpr auto plus = [](auto a, auto b) { return a + b; };

/// Leaves the exponentials of a row less its largest number in `e`; gives their sum.
float exponentials(const float* x, float* e, std::int64_t n) {
    const float most = over_row(n, x[0], [x](auto lanes, std::int64_t i) { return lanes.load(x + i); }, [](auto a, auto b) {
        using std::max, xsimd::max;
        return max(a, b);
    });
    return over_row(n, 0, [=](auto lanes, std::int64_t i) {
        using std::exp, xsimd::exp;
        const auto v = exp(lanes.load(x + i) - lanes.all(most));
        lanes.store(e + i, v);
        return v;
    }, plus);
}

void by_hand(const array<float, 2>& x, const array<float, 2>& g, std::vector<float>& row, array<float, 2>& y) {
    const std::int64_t n = x.extent(1);
    float* const e = row.data();
    for (std::int64_t r = 0; r < x.extent(0); ++r) {
        const float *const from = x.data() + r * n, *const by = g.data() + r * n;
        float* const to = y.data() + r * n;
        const float part = 1 / exponentials(from, e, n);
        const float dot = part * over_row(n, 0, [=](auto lanes, std::int64_t i) { return lanes.load(by + i) * lanes.load(e + i); }, plus);
        bench::for_batches(0, n, [=](auto lanes, std::int64_t i) { lanes.store(to + i, lanes.load(e + i) * lanes.all(part) * (lanes.load(by + i) - lanes.all(dot))); });
    }
}
void log_by_hand(const array<float, 2>& x, const array<float, 2>& g, std::vector<float>& row, array<float, 2>& y) {
    const std::int64_t n = x.extent(1);
    float* const e = row.data();
    for (std::int64_t r = 0; r < x.extent(0); ++r) {
        const float *const from = x.data() + r * n, *const by = g.data() + r * n;
        float* const to = y.data() + r * n;
        const float all = exponentials(from, e, n);
        const float part = over_row(n, 0, [by](auto lanes, std::int64_t i) { return lanes.load(by + i); }, plus) / all;
        bench::for_batches(0, n, [=](auto lanes, std::int64_t i) { lanes.store(to + i, lanes.load(by + i) - lanes.load(e + i) * lanes.all(part)); });
    }
}
void entropy_by_hand(const array<float, 2>& x, const array<std::int32_t, 1>& labels, array<float, 2>& y) {
    const std::int64_t rows = x.extent(0), n = x.extent(1);
    for (std::int64_t r = 0; r < rows; ++r) {
        float* const to = y.data() + r * n;
        const float part = 1 / (static_cast<float>(rows) * exponentials(x.data() + r * n, to, n));
        bench::for_batches(0, n, [=](auto lanes, std::int64_t i) { lanes.store(to + i, lanes.load(to + i) * lanes.all(part)); });
        to[labels.data()[r]] -= 1 / static_cast<float>(rows);
    }
}

void rows_of(std::int64_t rows, std::int64_t columns) {
    using namespace croton;
    array<float, 2> x(rows, columns), g(rows, columns), y(rows, columns), expected(rows, columns);
    array<std::int32_t, 1> labels(rows);
    bench::fill(x, -2, 2, 1);
    bench::fill(g, -1, 1, 2);
    for (std::int64_t i = 0; i < rows; ++i) labels(i) = static_cast<std::int32_t>(i * 7 % columns);
    std::vector<float> row(static_cast<std::size_t>(columns));
    const std::string of = " of " + std::to_string(rows) + " x " + std::to_string(columns) + " float32";
    const auto measure = [&](const char* name, auto&& call, auto&& raw) {
        call();
        raw();
        bench::table table(name + of);
        table.check("croton, raw", bench::max_difference(y, expected), 1e-4);
        table.row("croton", 0, call);
        table.row("raw: each row by hand", 0, raw);
        table.measure();
    };
    auto slope = function<cpu>([](matrix<float> of_x, matrix<float> by) { return grad(sum(softmax<1>(of_x) * by), of_x); });
    auto log_slope = function<cpu>([](matrix<float> of_x, matrix<float> by) { return grad(sum(log_softmax<1>(of_x) * by), of_x); });
    auto entropy_slope = function<cpu>([](matrix<float> of_x, vector<std::int32_t> of_labels) { return grad(mean(cross_entropy(of_x, of_labels)), of_x); });
    measure("gradient of softmax", [&] { slope.call_into(y, x, g); }, [&] { by_hand(x, g, row, expected); });
    measure("gradient of log_softmax", [&] { log_slope.call_into(y, x, g); }, [&] { log_by_hand(x, g, row, expected); });
    measure("gradient of cross_entropy", [&] { entropy_slope.call_into(y, x, labels); }, [&] { entropy_by_hand(x, labels, expected); });
}

}  // namespace

int main(int argc, char** argv) {
    bench::start(argc, argv);
    rows_of(5'000, 10);
    rows_of(1'000, 256);
    rows_of(64, 4'096);
    return bench::table::finish();
}
