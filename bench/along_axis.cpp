// SPDX-License-Identifier: MIT
// Along an axis: cumulative sums and sorting beside the algorithms of the C++ library on the same rows.
#include "common.hpp"

#include <numeric>
#include <vector>

using namespace croton;

namespace {

auto sums_of_rows() {
    return function<cpu>([](matrix<float> x) { return cumsum<1>(x); });
}
auto sums_of_columns() {
    return function<cpu>([](matrix<float> x) { return cumsum<0>(x); });
}
template <class T> auto sorted_rows() {
    return function<cpu>([](matrix<T> x) { return sort<1>(x); });
}
template <class T> auto places_in_rows() {
    return function<cpu>([](matrix<T> x) { return argsort<1>(x); });
}

template <class T, class F> void for_each_row(const array<T, 2>& x, F&& f) {
    bench::parallel_for(x.extent(0), x.size(), [&](std::int64_t first, std::int64_t last) {
        for (std::int64_t i = first; i < last; ++i) f(i * x.extent(1), x.extent(1));
    });
}

void scan_rows(const array<float, 2>& x, array<float, 2>& y) {
    for_each_row(x, [&](std::int64_t at, std::int64_t n) { std::inclusive_scan(x.data() + at, x.data() + at + n, y.data() + at); });
}
void scan_columns(const array<float, 2>& x, array<float, 2>& y) {
    const std::int64_t rows = x.extent(0), columns = x.extent(1);
    bench::parallel_for(columns, x.size(), [&](std::int64_t first, std::int64_t last) {
        const std::size_t bytes = static_cast<std::size_t>(last - first) * sizeof(float);
        std::memcpy(y.data() + first, x.data() + first, bytes);
        for (std::int64_t i = 1; i < rows; ++i) {
            const float* from = x.data() + i * columns;
            float* to = y.data() + i * columns;
            bench::for_batches(first, last, [=](auto simd, std::int64_t j) { simd.store(to + j, simd.load(to + j - columns) + simd.load(from + j)); });
        }
    });
}
template <class T> void sort_rows(const array<T, 2>& x, array<T, 2>& y) {
    for_each_row(x, [&](std::int64_t at, std::int64_t n) {
        std::copy(x.data() + at, x.data() + at + n, y.data() + at);
        std::sort(y.data() + at, y.data() + at + n);
    });
}
template <class T> void sort_places(const array<T, 2>& x, array<std::int64_t, 2>& y) {
    for_each_row(x, [&](std::int64_t at, std::int64_t n) {
        std::iota(y.data() + at, y.data() + at + n, std::int64_t{0});
        std::stable_sort(y.data() + at, y.data() + at + n, [&](std::int64_t a, std::int64_t b) { return x.data()[at + a] < x.data()[at + b]; });
    });
}

auto largest_in_rows() {
    return function<cpu>([](matrix<float> x) { return std::get<1>(topk<5, 1>(x)); });
}
void find_largest(const array<float, 2>& x, array<std::int64_t, 2>& y) {
    std::vector<std::int64_t> places(static_cast<std::size_t>(x.extent(1)));
    for (std::int64_t i = 0; i < x.extent(0); ++i) {
        const float* const row = x.data() + i * x.extent(1);
        std::iota(places.begin(), places.end(), std::int64_t{0});
        std::partial_sort_copy(places.begin(), places.end(), y.data() + 5 * i, y.data() + 5 * i + 5, [row](std::int64_t a, std::int64_t b) { return row[a] > row[b] || (row[a] == row[b] && a < b); });
    }
}
auto extremes_of_rows() {
    return function<cpu>([](matrix<float> x) { return cummax<1>(x); });
}
void follow_extremes(const array<float, 2>& x, array<float, 2>& y) {
    for_each_row(x, [&](std::int64_t at, std::int64_t n) { std::inclusive_scan(x.data() + at, x.data() + at + n, y.data() + at, [](float a, float b) { return a < b || b != b ? b : a; }); });
}

/// Of an odd number of elements, so that the median is one of them.
template <class T> auto middles_of_rows() {
    return function<cpu>([](matrix<T> x) { return median<1>(x, keepdims); });
}
template <class T> void find_middles(const array<T, 2>& x, array<T, 2>& y) {
    std::vector<T> row(static_cast<std::size_t>(x.extent(1)));
    for (std::int64_t i = 0; i < x.extent(0); ++i) {
        std::copy_n(x.data() + i * x.extent(1), x.extent(1), row.begin());
        std::nth_element(row.begin(), row.begin() + x.extent(1) / 2, row.end());
        y.data()[i] = row[static_cast<std::size_t>(x.extent(1) / 2)];
    }
}

/// A function beside a loop over rows that does the same; `wanted`: so many numbers of each row, where it is not all.
template <class T, class In = float, class Make, class Raw>
void compare(const std::string& title, std::int64_t rows, std::int64_t columns, double target, double tolerance, const Make& make, Raw raw, std::int64_t wanted = 0) {
    array<In, 2> x(rows, columns);
    array<T, 2> y(rows, wanted > 0 ? wanted : columns), expected(rows, y.extent(1));
    bench::fill(x, -1, 1, 1);
    auto f = make();
    raw(x, expected);
    f.call_into(std::tie(y), x);
    bench::table table(title + ", " + std::to_string(rows) + " x " + std::to_string(columns) + (sizeof(In) == 8 ? " float64" : " float32"));
    table.check("croton, raw", bench::max_difference(y, expected), tolerance);
    table.row("croton", 0, [&] { f.call_into(std::tie(y), x); });
    // Into the same memory: where it lies decides as much as what is done.
    table.row("raw: C++ library", target, [&] { raw(x, y); });
    table.measure();
}

}  // namespace

int main(int argc, char** argv) {
    bench::start(argc, argv);
    for (const auto& [rows, columns] : {std::pair<std::int64_t, std::int64_t>{1000, 1000}, {1, 1000000}, {100000, 10}})
        compare<float>("cumsum along the last axis", rows, columns, 1.15, 1e-3, sums_of_rows, scan_rows);
    for (const auto& [rows, columns] : {std::pair<std::int64_t, std::int64_t>{1000, 1000}, {100000, 10}, {100, 20000}})
        compare<float>("cumsum along the first axis", rows, columns, 1.10, 1e-3, sums_of_columns, scan_columns);
    for (const auto& [rows, columns] : {std::pair<std::int64_t, std::int64_t>{1000, 1000}, {1, 1000000}, {20000, 30}, {4000, 200}})
        compare<float>("sort along the last axis", rows, columns, 1.10, 0, sorted_rows<float>, sort_rows<float>);
    for (const auto& [rows, columns] : {std::pair<std::int64_t, std::int64_t>{1000, 1000}, {1, 1000000}})
        compare<double, double>("sort along the last axis", rows, columns, 1.10, 0, sorted_rows<double>, sort_rows<double>);
    compare<std::int64_t>("argsort along the last axis", 1000, 1000, 1.10, 0, places_in_rows<float>, sort_places<float>);
    for (const auto& [rows, columns] : {std::pair<std::int64_t, std::int64_t>{1000, 1000}, {10000, 100}})
        compare<std::int64_t, double>("argsort along the last axis", rows, columns, 1.10, 0, places_in_rows<double>, sort_places<double>);
    for (const auto& [rows, columns] : {std::pair<std::int64_t, std::int64_t>{1000, 1000}, {1, 1000000}, {10000, 100}})
        compare<std::int64_t>("places of the 5 largest along the last axis", rows, columns, 1.10, 0, largest_in_rows, find_largest, 5);
    for (const auto& [rows, columns] : {std::pair<std::int64_t, std::int64_t>{1000, 1000}, {1, 1000000}})
        compare<float>("cummax along the last axis", rows, columns, 1.10, 0, extremes_of_rows, follow_extremes);
    for (const auto& [rows, columns] : {std::pair<std::int64_t, std::int64_t>{1000, 1001}, {1, 1000001}, {10000, 9}})
        compare<float>("median along the last axis", rows, columns, 1.10, 0, middles_of_rows<float>, find_middles<float>, 1);
    compare<double, double>("median along the last axis", 1, 100001, 1.10, 0, middles_of_rows<double>, find_middles<double>, 1);
    return bench::table::finish();
}
