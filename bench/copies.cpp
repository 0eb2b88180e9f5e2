// SPDX-License-Identifier: MIT
// Elements in another order beside plain loops: what is flipped, every second column, channels and planes of pictures, columns put beside each other and repeated.
#include "common.hpp"

#include <algorithm>

using namespace croton;

namespace {

template <class T> inline const char* const name_of = sizeof(T) == 1 ? "uint8" : "float32";

template <class T> array<T, 2> numbers(std::int64_t rows, std::int64_t columns) {
    array<T, 2> x(rows, columns);
    for (std::int64_t i = 0; i < x.size(); ++i) x.data()[i] = static_cast<T>(i * 7 % 251);
    return x;
}

/// Element (i, j) of a result of `rows` x `columns` is `from(i, j)`.
template <class T, class From> void by_hand(T* to, std::int64_t rows, std::int64_t columns, const From& from) {
    bench::parallel_for(rows, rows * columns, [&](std::int64_t first, std::int64_t last) {
        for (std::int64_t i = first; i < last; ++i)
            for (std::int64_t j = 0; j < columns; ++j) to[i * columns + j] = from(i, j);
    });
}

/// `run(y)` beside `hand(y)`, which write the same result, of which `y` is one.
template <class Y> void compare(const std::string& title, Y y, const auto& run, const auto& hand) {
    Y expected(y);
    hand(expected);
    run(y);
    bench::table table(title);
    table.check("croton, raw", std::equal(y.begin(), y.end(), expected.begin(), expected.end()) ? 0 : 1, 0);
    table.row("croton", 0, [&] { run(y); });
    // Into the same memory: where it lies decides as much as what is done.
    table.row("raw: loop", 1.10, [&] { hand(y); });
    table.measure();
}

template <class T, class F, class From> void compare_matrix(const std::string& title, std::int64_t n, std::int64_t m, F f, const From& from) {
    const auto x = numbers<T>(n, m);
    auto compiled = function<cpu>(f);
    const auto y = compiled(x);
    const std::string of = " of " + std::to_string(n) + " x " + std::to_string(m) + " " + name_of<T>;
    compare(title + of, y, [&](auto& out) { compiled.call_into(std::tie(out), x); },
            [&](auto& out) { by_hand(out.data(), y.extents()[0], y.extents()[1], [at = from(x.data())](std::int64_t i, std::int64_t j) { return at(i, j); }); });
}

template <class T> void pixels(std::int64_t n) {
    using pictures = matrix<T>;
    compare_matrix<T>("columns in reverse", n, 3, [](pictures x) { return flip<1>(x); }, [](const T* x) { return [x](std::int64_t i, std::int64_t j) { return x[3 * i + 2 - j]; }; });
    compare_matrix<T>("three columns of four", n, 4, [](pictures x) { return x(slice(), slice(0, 3)); }, [](const T* x) { return [x](std::int64_t i, std::int64_t j) { return x[4 * i + j]; }; });
    compare_matrix<T>("the transpose", n, 3, [](pictures x) { return transpose(x); }, [](const T* x) { return [x](std::int64_t i, std::int64_t j) { return x[3 * j + i]; }; });
    compare_matrix<T>("the transpose", 3, n, [](pictures x) { return transpose(x); }, [n](const T* x) { return [x, n](std::int64_t i, std::int64_t j) { return x[j * n + i]; }; });
}

void columns(std::int64_t n) {
    compare_matrix<float>("columns in reverse", n, n, [](matrix<float> x) { return flip<1>(x); }, [n](const float* x) { return [x, n](std::int64_t i, std::int64_t j) { return x[i * n + n - 1 - j]; }; });
    compare_matrix<float>("every second column", n, 2 * n, [](matrix<float> x) { return x(slice(), slice(none, none, 2)); },
                          [n](const float* x) { return [x, n](std::int64_t i, std::int64_t j) { return x[(i * n + j) * 2]; }; });
    compare_matrix<float>("each column twice", n, n / 2, [](matrix<float> x) { return repeat<1, 2>(x); }, [n](const float* x) { return [x, n](std::int64_t i, std::int64_t j) { return x[i * (n / 2) + j / 2]; }; });
}

void beside(std::int64_t n) {
    const array<float, 2> all = numbers<float>(3, n);
    const array<float, 1> x(all[0]), y(all[1]), z(all[2]);
    auto two = function<cpu>([](vector<float> a, vector<float> b) { return stack<1>(a, b); });
    auto three = function<cpu>([](vector<float> a, vector<float> b, vector<float> c) { return stack<1>(a, b, c); });
    const std::string of = " vectors of " + std::to_string(n) + " float32, as columns";
    const float* const parts[] = {x.data(), y.data(), z.data()};
    compare("two" + of, two(x, y), [&](auto& out) { two.call_into(std::tie(out), x, y); }, [&](auto& out) { by_hand(out.data(), n, 2, [&](std::int64_t i, std::int64_t j) { return parts[j][i]; }); });
    compare("three" + of, three(x, y, z), [&](auto& out) { three.call_into(std::tie(out), x, y, z); }, [&](auto& out) { by_hand(out.data(), n, 3, [&](std::int64_t i, std::int64_t j) { return parts[j][i]; }); });
}

}  // namespace

int main(int argc, char** argv) {
    bench::start(argc, argv);
    for (const std::int64_t n : {std::int64_t{300}, std::int64_t{1000}}) columns(n);
    for (const std::int64_t n : {std::int64_t{10'000}, std::int64_t{300'000}}) {
        pixels<float>(n);
        pixels<std::uint8_t>(n);
        beside(n);
    }
    return bench::table::finish();
}
