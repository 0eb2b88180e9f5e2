// SPDX-License-Identifier: MIT
// Slices and joined arrays beside plain loops over the same memory: parts of a matrix, its triangle, three computed pieces, a step of the heat equation.
#include "common.hpp"

#include <algorithm>

using namespace croton;

namespace {

/// x[i, j] of a matrix seen through a slice: where it begins, and how far its elements lie apart.
struct seen {
    std::int64_t rows, columns, first, row, column;
};

/// y = x x + 1 over what is seen of x.
void square_rows(const float* x, const seen& v, float* y) {
    bench::parallel_for(v.rows, v.rows * v.columns, [&](std::int64_t from, std::int64_t to) {
        for (std::int64_t i = from; i < to; ++i) {
            const float* at = x + v.first + i * v.row;
            float* out = y + i * v.columns;
            if (v.column == 1) {
                bench::for_batches(0, v.columns, [=](auto simd, std::int64_t j) {
                    const auto a = simd.load(at + j);
                    simd.store(out + j, a * a + 1.0f);
                });
            } else {
                for (std::int64_t j = 0; j < v.columns; ++j) out[j] = at[j * v.column] * at[j * v.column] + 1;
            }
        }
    });
}

auto inner_part() {
    return function<cpu>([](matrix<float> x) { return sqr(x(slice(1, -1), slice(1, -1))) + 1.0f; });
}
auto flipped() {
    return function<cpu>([](matrix<float> x) { return sqr(x(slice(), slice(none, none, -1))) + 1.0f; });
}
auto upside_down() {
    return function<cpu>([](matrix<float> x) { return sqr(x(slice(none, none, -1))) + 1.0f; });
}
auto every_second_row() {
    return function<cpu>([](matrix<float> x) { return sqr(x(slice(none, none, 2))) + 1.0f; });
}
auto every_second_column() {
    return function<cpu>([](matrix<float> x) { return sqr(x(slice(), slice(none, none, 2))) + 1.0f; });
}
auto transposed() {
    return function<cpu>([](matrix<float> x) { return sqr(transpose(x)(slice(1, none))) + 1.0f; });
}

template <class Make> void compare(const std::string& title, std::int64_t n, const Make& make, const seen& v) {
    array<float, 2> x(n, n), y(v.rows, v.columns), expected(v.rows, v.columns);
    bench::fill(x, -1, 1, 1);
    auto f = make();
    square_rows(x.data(), v, expected.data());
    f.call_into(std::tie(y), x);
    bench::table table(title + " of " + std::to_string(n) + " x " + std::to_string(n) + " float32, squared");
    table.check("croton, raw", bench::max_difference(y, expected), 0);
    table.row("croton", 0, [&] { f.call_into(std::tie(y), x); });
    // Into the same memory: where it lies decides as much as what is done.
    table.row("raw: loop", 1.10, [&] { square_rows(x.data(), v, y.data()); });
    table.measure();
}

void pieces(std::int64_t n) {
    array<float, 1> x(n), y(3 * n), expected(3 * n);
    bench::fill(x, -1, 1, 1);
    auto f = function<cpu>([](vector<float> v) { return concatenate<0>(v * 2.0f, sqr(v), 1.0f - v); });
    auto raw = [&](array<float, 1>& out) {
        bench::parallel_for(n, 3 * n, [&](std::int64_t first, std::int64_t last) {
            bench::for_batches(first, last, [from = x.data(), to = out.data(), n](auto simd, std::int64_t i) {
                const auto a = simd.load(from + i);
                simd.store(to + i, a * 2.0f);
                simd.store(to + n + i, a * a);
                simd.store(to + 2 * n + i, 1.0f - a);
            });
        });
    };
    raw(expected);
    f.call_into(std::tie(y), x);
    bench::table table("three pieces of " + std::to_string(n) + " float32, joined");
    table.check("croton, raw", bench::max_difference(y, expected), 0);
    table.row("croton", 0, [&] { f.call_into(std::tie(y), x); });
    table.row("raw: loop", 1.05, [&] { raw(y); });
    table.measure();
}

void triangle(std::int64_t n) {
    array<float, 2> x(n, n), y(n, n), expected(n, n);
    bench::fill(x, -1, 1, 1);
    auto f = function<cpu>([](matrix<float> a) { return tril(a); });
    auto raw = [&](array<float, 2>& out) {
        bench::parallel_for(n, n * n, [&](std::int64_t first, std::int64_t last) {
            for (std::int64_t i = first; i < last; ++i) {
                std::copy_n(x.data() + i * n, i + 1, out.data() + i * n);
                std::fill_n(out.data() + i * n + i + 1, n - i - 1, 0.0f);
            }
        });
    };
    raw(expected);
    f.call_into(std::tie(y), x);
    bench::table table("the lower triangle of " + std::to_string(n) + " x " + std::to_string(n) + " float32");
    table.check("croton, raw", bench::max_difference(y, expected), 0);
    table.row("croton", 0, [&] { f.call_into(std::tie(y), x); });
    table.row("raw: loop", 1.10, [&] { raw(y); });
    table.measure();
}

void heat(std::int64_t n) {
    array<float, 2> u(n, n), y(n - 2, n - 2), expected(n - 2, n - 2);
    bench::fill(u, -1, 1, 1);
    auto f = function<cpu>([](matrix<float> t) {
        constexpr slice in(1, -1);
        const auto middle = t(in, in);
        return middle + 0.1f * (t(slice(2, none), in) + t(slice(none, -2), in) + t(in, slice(2, none)) + t(in, slice(none, -2)) - 4.0f * middle);
    });
    auto raw = [&](array<float, 2>& out) {
        bench::parallel_for(n - 2, (n - 2) * (n - 2), [&](std::int64_t first, std::int64_t last) {
            for (std::int64_t i = first; i < last; ++i) {
                const float* at = u.data() + (i + 1) * n + 1;
                bench::for_batches(0, n - 2, [=, out = out.data() + i * (n - 2)](auto simd, std::int64_t j) {
                    const auto c = simd.load(at + j);
                    simd.store(out + j, c + 0.1f * (simd.load(at + j + n) + simd.load(at + j - n) + simd.load(at + j + 1) + simd.load(at + j - 1) - 4.0f * c));
                });
            }
        });
    };
    raw(expected);
    f.call_into(std::tie(y), u);
    bench::table table("a step of the heat equation on " + std::to_string(n) + " x " + std::to_string(n) + " float32");
    table.check("croton, raw", bench::max_difference(y, expected), 1e-6);
    table.row("croton", 0, [&] { f.call_into(std::tie(y), u); });
    table.row("raw: stencil", 1.10, [&] { raw(y); });
    table.measure();
}

/// The slope of the sum of squared Laplacians: by hand they are laid down between two rows and two columns of zeros, over which the same stencil goes.
void roughness(std::int64_t n) {
    array<float, 2> u(n, n), y(n, n), expected(n, n), around(n + 2, n + 2);
    bench::fill(u, -1, 1, 1);
    bench::fill(around, 0, 0, 1);
    auto f = function<cpu>([](matrix<float> t) {
        constexpr slice in(1, -1), low(none, -2), high(2, none);
        return grad(sum(sqr(t(high, in) + t(low, in) + t(in, high) + t(in, low) - 4.0f * t(in, in))), t);
    });
    // Rows and columns of `to` beside each other, from what lies around them in `from`.
    const auto laplacian = [](const float* from, std::int64_t from_row, float* to, std::int64_t to_row, std::int64_t size, float scale) {
        bench::parallel_for(size, size * size, [=](std::int64_t first, std::int64_t last) {
            for (std::int64_t i = first; i < last; ++i)
                bench::for_batches(0, size, [=, at = from + (i + 1) * from_row + 1, out = to + i * to_row](auto simd, std::int64_t j) {
                    simd.store(out + j, scale * (simd.load(at + j + from_row) + simd.load(at + j - from_row) + simd.load(at + j + 1) + simd.load(at + j - 1) - 4.0f * simd.load(at + j)));
                });
        });
    };
    auto raw = [&](array<float, 2>& out) {
        laplacian(u.data(), n, around.data() + 2 * (n + 2) + 2, n + 2, n - 2, 1);
        laplacian(around.data(), n + 2, out.data(), n, n, 2);
    };
    raw(expected);
    f.call_into(std::tie(y), u);
    bench::table table("the slope of squared Laplacians of " + std::to_string(n) + " x " + std::to_string(n) + " float32");
    table.check("croton, raw", bench::max_difference(y, expected), 1e-4);
    table.row("croton", 0, [&] { f.call_into(std::tie(y), u); });
    table.row("raw: two stencils", 1.10, [&] { raw(y); });
    table.measure();
}

}  // namespace

int main(int argc, char** argv) {
    bench::start(argc, argv);
    for (const std::int64_t n : {std::int64_t{200}, std::int64_t{2000}}) {
        compare("the inner part", n, inner_part, {n - 2, n - 2, n + 1, n, 1});
        compare("rows upside down", n, upside_down, {n, n, (n - 1) * n, -n, 1});
        compare("columns flipped", n, flipped, {n, n, n - 1, n, -1});
        compare("every second row", n, every_second_row, {n / 2, n, 0, 2 * n, 1});
        compare("every second column", n, every_second_column, {n, n / 2, 0, n, 2});
        compare("the transpose", n, transposed, {n - 1, n, 1, 1, n});
        triangle(n);
        heat(n);
        roughness(n);
    }
    for (const std::int64_t n : {std::int64_t{1000}, std::int64_t{100000}, std::int64_t{2000000}}) pieces(n);
    return bench::table::finish();
}
