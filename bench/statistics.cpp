// SPDX-License-Identifier: MIT
// Sums of columns, variances over rows, columns, channels and everything, layer norms and norms beside passes by hand, and the products of attention written by einsum beside gemm for each head.
#include "common.hpp"

#include <algorithm>
#include <cmath>

namespace {

using croton::array;
using bench::batch, bench::lanes;

auto croton_var() {
    using namespace croton;
    return function<cpu>("var", [](matrix<float> x) { return var<1>(x); });
}
auto croton_var_of_vector() {
    using namespace croton;
    return function<cpu>("var of a vector", [](vector<float> x) { return var(x); });
}
auto croton_norm_of_vector() {
    using namespace croton;
    return function<cpu>("norm of a vector", [](vector<float> x) { return norm(x); });
}
auto croton_var_columns() {
    using namespace croton;
    return function<cpu>("var of columns", [](matrix<float> x) { return var<0>(x); });
}
auto croton_sum_columns() {
    using namespace croton;
    return function<cpu>("sum of columns", [](matrix<float> x) { return sum<0>(x); });
}
auto croton_var_all() {
    using namespace croton;
    return function<cpu>("var of all", [](matrix<float> x) { return var(x); });
}
auto croton_var_channels() {
    using namespace croton;
    return function<cpu>("var of channels", [](tensor<float, -1, -1, -1, -1> x) { return var<0, 2, 3>(x); });
}
auto croton_layer_norm() {
    using namespace croton;
    return function<cpu>("layer norm", [](matrix<float> x, vector<float> g, vector<float> b) {
        return (x - mean<1>(x, keepdims)) / sqrt(var<1>(x, keepdims) + 1e-5f) * g + b;
    });
}
auto croton_norm() {
    using namespace croton;
    return function<cpu>("norm", [](matrix<float> x) { return norm<1>(x); });
}
auto croton_scores() {
    using namespace croton;
    return function<cpu>("scores", [](tensor<float, -1, -1, -1, -1> q, tensor<float, -1, -1, -1, -1> k) { return einsum<"bhqd,bhkd->bhqk">(q, k); });
}
auto croton_values() {
    using namespace croton;
    return function<cpu>("values", [](tensor<float, -1, -1, -1, -1> p, tensor<float, -1, -1, -1, -1> v) { return einsum<"bhqk,bhkd->bhqd">(p, v); });
}

/// `f` of the sums of x - shift and of its squares, over `n` numbers from `x` on.
template <class F> auto of_sums(const float* x, std::int64_t n, float shift, F f) {
    batch sum[4]{batch(0.f), batch(0.f), batch(0.f), batch(0.f)}, squares[4]{batch(0.f), batch(0.f), batch(0.f), batch(0.f)};
    std::int64_t i = 0;
    for (; i + 4 * lanes <= n; i += 4 * lanes)
        for (int k = 0; k < 4; ++k) {
            const batch d = batch::load_unaligned(x + i + k * lanes) - batch(shift);
            sum[k] += d;
            squares[k] = xsimd::fma(d, d, squares[k]);
        }
    for (; i + lanes <= n; i += lanes) {
        const batch d = batch::load_unaligned(x + i) - batch(shift);
        sum[0] += d;
        squares[0] = xsimd::fma(d, d, squares[0]);
    }
    float s = xsimd::hadd(sum[0] + sum[1] + sum[2] + sum[3]), q = xsimd::hadd(squares[0] + squares[1] + squares[2] + squares[3]);
    for (; i < n; ++i) {
        const float d = x[i] - shift;
        s += d;
        q += d * d;
    }
    return f(s, q);
}

/// One pass: the first number of a row is near its mean, so that little cancels.
void hand_var(const array<float, 2>& x, array<float, 1>& y) {
    const std::int64_t n = x.extent(1);
    for (std::int64_t i = 0; i < x.extent(0); ++i) {
        const float* const row = x.data() + i * n;
        y.data()[i] = of_sums(row, n, row[0], [n](float s, float q) { return (q - s * s / static_cast<float>(n)) / static_cast<float>(n); });
    }
}
/// As croton does: the mean first, which any first number may be far from.
void careful_var(const array<float, 2>& x, array<float, 1>& y) {
    const std::int64_t n = x.extent(1);
    for (std::int64_t i = 0; i < x.extent(0); ++i) {
        const float* const row = x.data() + i * n;
        const float mean = of_sums(row, n, 0, [n](float s, float) { return s / static_cast<float>(n); });
        y.data()[i] = of_sums(row, n, mean, [n](float, float q) { return q / static_cast<float>(n); });
    }
}
/// One pass in blocks, each about the mean of four of its elements; where that was far from its mean the block is done again. It is as exact as two passes.
void checked_var(const array<float, 2>& x, array<float, 1>& y) {
    const std::int64_t n = x.extent(1), most = 16384;
    for (std::int64_t i = 0; i < x.extent(0); ++i) {
        const float* const row = x.data() + i * n;
        double count = 0, mean = 0, squares = 0;
        for (std::int64_t from = 0; from < n; from += most) {
            const std::int64_t length = std::min(most, n - from);
            const float* const block = row + from;
            float shift = (block[0] + block[length / 3] + block[length / 3 * 2] + block[length - 1]) / 4;
            const double own = static_cast<double>(length);
            double away = 0, left = 0;  // of the mean from the shift, and the squares about the mean
            const auto of_block = [&](float s, float q) {
                away = static_cast<double>(s) / own;
                left = static_cast<double>(q) - away * static_cast<double>(s);
            };
            of_sums(block, length, shift, of_block);
            if (!(away * away * own <= left)) of_sums(block, length, shift += static_cast<float>(away), of_block);
            // Chan, Golub and LeVeque, Algorithms for computing the sample variance, 1983.
            const double between = static_cast<double>(shift) + away - mean, all = count + own;
            squares += left + between * between * (count * own / all);
            mean += between * (own / all);
            count = all;
        }
        y.data()[i] = static_cast<float>(squares / count);
    }
}
/// The mean and the variance as above, each row in two passes, and a third that writes.
void hand_layer_norm(const array<float, 2>& x, const array<float, 1>& g, const array<float, 1>& b, array<float, 2>& y) {
    const std::int64_t n = x.extent(1);
    for (std::int64_t i = 0; i < x.extent(0); ++i) {
        const float* const row = x.data() + i * n;
        float* const out = y.data() + i * n;
        const float mean = of_sums(row, n, 0, [n](float s, float) { return s / static_cast<float>(n); });
        const float factor = 1 / std::sqrt(of_sums(row, n, mean, [n](float, float q) { return q / static_cast<float>(n); }) + 1e-5f);
        std::int64_t j = 0;
        for (; j + lanes <= n; j += lanes)
            xsimd::fma((batch::load_unaligned(row + j) - batch(mean)) * batch(factor), batch::load_unaligned(g.data() + j), batch::load_unaligned(b.data() + j)).store_unaligned(out + j);
        for (; j < n; ++j) out[j] = (row[j] - mean) * factor * g.data()[j] + b.data()[j];
    }
}
/// One pass over columns about their first numbers, four registers of them at a time; as many columns as those have lanes, or a multiple.
void hand_columns(const array<float, 2>& x, array<float, 1>& y) {
    const std::int64_t n = x.extent(0), columns = x.extent(1);
    for (std::int64_t j = 0; j + 4 * lanes <= columns || j < columns; j += 4 * lanes) {
        const std::int64_t from = std::min(j, columns - 4 * lanes);
        batch shift[4], sum[4], squares[4];
        for (int k = 0; k < 4; ++k) {
            shift[k] = batch::load_unaligned(x.data() + from + k * lanes);
            sum[k] = squares[k] = batch(0.f);
        }
        for (std::int64_t i = 0; i < n; ++i)
            for (int k = 0; k < 4; ++k) {
                const batch d = batch::load_unaligned(x.data() + i * columns + from + k * lanes) - shift[k];
                sum[k] += d;
                squares[k] = xsimd::fma(d, d, squares[k]);
            }
        const batch part(1 / static_cast<float>(n));
        for (int k = 0; k < 4; ++k) ((squares[k] - sum[k] * sum[k] * part) * part).store_unaligned(y.data() + from + k * lanes);
    }
}
/// The same down each row once, the sums of all columns in memory.
void hand_columns_by_rows(const array<float, 2>& x, array<float, 1>& sum, array<float, 1>& y) {
    const std::int64_t n = x.extent(0), columns = x.extent(1);
    const float *const shift = x.data(), part = 1 / static_cast<float>(n);
    std::fill(sum.data(), sum.data() + columns, 0.f);
    std::fill(y.data(), y.data() + columns, 0.f);
    for (std::int64_t i = 0; i < n; ++i) {
        const float* const row = x.data() + i * columns;
        for (std::int64_t j = 0; j + lanes <= columns; j += lanes) {
            const batch d = batch::load_unaligned(row + j) - batch::load_unaligned(shift + j);
            (batch::load_unaligned(sum.data() + j) + d).store_unaligned(sum.data() + j);
            xsimd::fma(d, d, batch::load_unaligned(y.data() + j)).store_unaligned(y.data() + j);
        }
        for (std::int64_t j = columns - columns % lanes; j < columns; ++j) {
            const float d = row[j] - shift[j];
            sum.data()[j] += d;
            y.data()[j] += d * d;
        }
    }
    for (std::int64_t j = 0; j < columns; ++j) y.data()[j] = (y.data()[j] - sum.data()[j] * sum.data()[j] * part) * part;
}
/// Down each row once, the sums in memory.
void hand_sums(const array<float, 2>& x, array<float, 1>& y) {
    const std::int64_t columns = x.extent(1);
    std::fill(y.data(), y.data() + columns, 0.f);
    for (std::int64_t i = 0; i < x.extent(0); ++i) {
        const float* const row = x.data() + i * columns;
        float* const to = y.data();
        for (std::int64_t j = 0; j < columns; ++j) to[j] += row[j];
    }
}
void hand_norm(const array<float, 2>& x, array<float, 1>& y) {
    const std::int64_t n = x.extent(1);
    for (std::int64_t i = 0; i < x.extent(0); ++i) {
        const float* const row = x.data() + i * n;
        batch squares[4]{batch(0.f), batch(0.f), batch(0.f), batch(0.f)};
        std::int64_t j = 0;
        for (; j + 4 * lanes <= n; j += 4 * lanes)
            for (int k = 0; k < 4; ++k) {
                const batch d = batch::load_unaligned(row + j + k * lanes);
                squares[k] = xsimd::fma(d, d, squares[k]);
            }
        for (; j + lanes <= n; j += lanes) {
            const batch d = batch::load_unaligned(row + j);
            squares[0] = xsimd::fma(d, d, squares[0]);
        }
        float q = xsimd::hadd(squares[0] + squares[1] + squares[2] + squares[3]);
        for (; j < n; ++j) q += row[j] * row[j];
        y.data()[i] = std::sqrt(q);
    }
}

void spread(std::int64_t rows, std::int64_t columns) {
    array<float, 2> x(rows, columns);
    array<float, 1> y(rows), expected(rows);
    bench::fill(x, -1, 1, 1);
    const std::string of = " of the rows of " + std::to_string(rows) + " x " + std::to_string(columns) + " float32";
    auto v = croton_var();
    hand_var(x, expected);
    v.call_into(std::tie(y), x);
    bench::table vars("var" + of);
    vars.check("croton, hand", bench::max_difference(y, expected), 1e-4);
    vars.row("croton", 0, [&] { v.call_into(std::tie(y), x); });
    vars.row("raw: one pass by hand", 1.10, [&] { hand_var(x, expected); });
    vars.row("raw: two passes by hand", 1.10, [&] { careful_var(x, expected); });
    vars.row("raw: blocks by hand", 1.10, [&] { checked_var(x, expected); });
    vars.measure();
    array<float, 1> g(columns), b(columns);
    array<float, 2> normal(rows, columns), expected_normal(rows, columns);
    bench::fill(g, -1, 1, 2);
    bench::fill(b, -1, 1, 3);
    auto l = croton_layer_norm();
    l.call_into(std::tie(normal), x, g, b);
    hand_layer_norm(x, g, b, expected_normal);
    bench::table layers("layer norm" + of);
    layers.check("croton, hand", bench::max_difference(normal, expected_normal), 1e-4);
    layers.row("croton", 0, [&] { l.call_into(std::tie(normal), x, g, b); });
    // Both write to one array: where it lies beside what is read takes a row of 1000 numbers up to twice as long.
    layers.row("raw: three passes by hand", 1.10, [&] { hand_layer_norm(x, g, b, normal); });
    layers.measure();
    auto n = croton_norm();
    hand_norm(x, expected);
    n.call_into(std::tie(y), x);
    bench::table norms("norm" + of);
    norms.check("croton, hand", bench::max_difference(y, expected), 1e-4);
    norms.row("croton", 0, [&] { n.call_into(std::tie(y), x); });
    norms.row("raw: one pass by hand", 1.10, [&] { hand_norm(x, expected); });
    norms.measure();
}

/// The same of one vector.
void spread_of_vector(std::int64_t n) {
    array<float, 2> x(1, n);
    array<float, 1> expected(1);
    array<float, 0> y;
    bench::fill(x, -1, 1, 1);
    const auto row = x(0);
    const std::string of = " of a vector of " + std::to_string(n) + " float32";
    const auto compare = [&](const char* name, auto f, auto hand) {
        hand(x, expected);
        f.call_into(std::tie(y), row);
        bench::table t(name + of);
        t.check("croton, hand", static_cast<double>(std::fabs(*y.data() - expected(0))), 1e-4);
        t.row("croton", 0, [&] { f.call_into(std::tie(y), row); });
        t.row("raw: one pass by hand", 1.10, [&] { hand(x, expected); });
        t.measure();
    };
    compare("var", croton_var_of_vector(), hand_var);
    compare("norm", croton_norm_of_vector(), hand_norm);
}

void spread_down(std::int64_t rows, std::int64_t columns) {
    array<float, 2> x(rows, columns);
    array<float, 1> y(columns), expected(columns), sum(columns);
    bench::fill(x, -1, 1, 1);
    const std::string of = std::to_string(rows) + " x " + std::to_string(columns) + " float32";
    auto total = croton_sum_columns();
    hand_sums(x, expected);
    total.call_into(std::tie(y), x);
    bench::table sums("sum of the columns of " + of);
    sums.check("croton, hand", bench::max_difference(y, expected), 1e-2);
    sums.row("croton", 0, [&] { total.call_into(std::tie(y), x); });
    sums.row("raw: one pass by hand, row by row", 1.10, [&] { hand_sums(x, expected); });
    sums.measure();
    auto v = croton_var_columns();
    hand_columns(x, expected);
    v.call_into(std::tie(y), x);
    bench::table vars("var of the columns of " + of);
    vars.check("croton, hand", bench::max_difference(y, expected), 1e-4);
    vars.row("croton", 0, [&] { v.call_into(std::tie(y), x); });
    vars.row("raw: one pass by hand, column by column", 1.10, [&] { hand_columns(x, expected); });
    vars.row("raw: one pass by hand, row by row", 1.10, [&] { hand_columns_by_rows(x, sum, expected); });
    vars.measure();
    auto a = croton_var_all();
    const std::int64_t n = rows * columns;
    const auto hand_all = [&](float* to) { *to = of_sums(x.data(), n, x.data()[0], [n](float s, float q) { return (q - s * s / static_cast<float>(n)) / static_cast<float>(n); }); };
    array<float, 0> all, expected_all;
    hand_all(expected_all.data());
    a.call_into(std::tie(all), x);
    bench::table everything("var of all of " + of);
    everything.check("croton, hand", static_cast<double>(std::fabs(*all.data() - *expected_all.data())), 1e-3);
    everything.row("croton", 0, [&] { a.call_into(std::tie(all), x); });
    everything.row("raw: one pass by hand", 1.10, [&] { hand_all(expected_all.data()); });
    everything.measure();
}
void spread_of_channels(std::int64_t images, std::int64_t channels, std::int64_t side) {
    array<float, 4> x(images, channels, side, side);
    array<float, 1> y(channels), expected(channels);
    bench::fill(x, -1, 1, 1);
    const std::int64_t size = side * side, n = images * size;
    const auto hand = [&](float* to) {
        for (std::int64_t c = 0; c < channels; ++c) {
            float sum = 0, squares = 0;
            for (std::int64_t i = 0; i < images; ++i)
                of_sums(x.data() + (i * channels + c) * size, size, x.data()[c * size], [&](float s, float q) {
                    sum += s;
                    squares += q;
                });
            to[c] = (squares - sum * sum / static_cast<float>(n)) / static_cast<float>(n);
        }
    };
    auto v = croton_var_channels();
    hand(expected.data());
    v.call_into(std::tie(y), x);
    bench::table vars("var of " + std::to_string(channels) + " channels of " + std::to_string(images) + " x " + std::to_string(side) + " x " + std::to_string(side) + " float32");
    vars.check("croton, hand", bench::max_difference(y, expected), 1e-4);
    vars.row("croton", 0, [&] { v.call_into(std::tie(y), x); });
    vars.row("raw: one pass by hand", 1.10, [&] { hand(expected.data()); });
    vars.measure();
}

void attention(std::int64_t batches, std::int64_t heads, std::int64_t length, std::int64_t depth) {
    array<float, 4> q(batches, heads, length, depth), k(batches, heads, length, depth), p(batches, heads, length, length), expected(batches, heads, length, length);
    array<float, 4> o(batches, heads, length, depth), expected_o(batches, heads, length, depth);
    bench::fill(q, -1, 1, 1);
    bench::fill(k, -1, 1, 2);
    const int l = static_cast<int>(length), d = static_cast<int>(depth);
    const auto hand_scores = [&](array<float, 4>& to) {
        for (std::int64_t i = 0; i < batches * heads; ++i)
            cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, l, l, d, 1, q.data() + i * length * depth, d, k.data() + i * length * depth, d, 0, to.data() + i * length * length, l);
    };
    const auto hand_values = [&](array<float, 4>& to) {
        for (std::int64_t i = 0; i < batches * heads; ++i)
            cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, l, d, l, 1, p.data() + i * length * length, l, k.data() + i * length * depth, d, 0, to.data() + i * length * depth, d);
    };
    const std::string of = std::to_string(batches) + " x " + std::to_string(heads) + " heads, " + std::to_string(length) + " x " + std::to_string(depth) + " float32";
    auto scores = croton_scores();
    hand_scores(expected);
    scores.call_into(std::tie(p), q, k);
    bench::table first("einsum bhqd,bhkd->bhqk: " + of);
    first.check("croton, gemm", bench::max_difference(p, expected), 1e-4);
    first.row("croton", 0, [&] { scores.call_into(std::tie(p), q, k); });
    first.row("raw: gemm for each head", 1.05, [&] { hand_scores(expected); });
    first.measure();
    auto values = croton_values();
    hand_values(expected_o);
    values.call_into(std::tie(o), p, k);
    bench::table second("einsum bhqk,bhkd->bhqd: " + of);
    second.check("croton, gemm", bench::max_difference(o, expected_o), 1e-4);
    second.row("croton", 0, [&] { values.call_into(std::tie(o), p, k); });
    second.row("raw: gemm for each head", 1.05, [&] { hand_values(expected_o); });
    second.measure();
}

}  // namespace

int main(int argc, char** argv) {
    bench::start(argc, argv);
    for (const std::int64_t n : {1000, 10'000}) spread_of_vector(n);
    spread(1, 1000);
    for (const std::int64_t columns : {64, 192, 500, 1000}) spread(100, columns);
    spread(1000, 1000);
    spread(1, 4'000'000);
    spread_down(100, 1000);
    spread_down(1000, 1000);
    spread_down(10'000, 1000);
    spread_down(10'000, 4000);
    spread_down(40'000, 64);
    spread_of_channels(32, 64, 28);
    spread_of_channels(8, 64, 56);
    attention(4, 8, 128, 64);
    attention(1, 12, 512, 64);
    return bench::table::finish();
}
