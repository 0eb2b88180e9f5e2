// SPDX-License-Identifier: MIT
// Matrices of few columns, as points of two or three numbers have them, beside plain loops over their rows and Eigen; such points beside few others, and many small matrices.
#include "common.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

using namespace croton;

namespace {

template <class T> auto less_row() {
    return function<cpu>([](matrix<T> x, vector<T> v) { return x - v; });
}
template <class T> auto weighted_rows() {
    return function<cpu>([](matrix<T> x, vector<T> v, vector<T> w) { return newaxis<1>(w) * (x - v); });
}
template <class T> auto distances() {
    return function<cpu>([](matrix<T> x, vector<T> v) { return sum<1>(sqr(x - v)); });
}
template <class T> auto unit_rows() {
    return function<cpu>([](matrix<T> x) { return x / norm<1>(x, keepdims); });
}
template <class T> auto shares() {
    return function<cpu>([](matrix<T> x) { return softmax<1>(x); });
}
template <class T> auto normalised() {
    return function<cpu>([](matrix<T> x, vector<T> v) {
        auto c = x - mean<1>(x, keepdims);
        return c / sqrt(mean<1>(c * c, keepdims) + T(0.01)) * v + v;
    });
}

template <class T> void few_columns(std::int64_t rows, std::int64_t columns) {
    array<T, 2> x(rows, columns), y(rows, columns), expected(rows, columns);
    array<T, 1> v(columns), w(rows), sums(rows), expected_sums(rows);
    bench::fill(x, 1, 2, 1);
    bench::fill(v, -1, 1, 2);
    bench::fill(w, -1, 1, 3);
    const std::string of = " of " + std::to_string(rows) + " x " + std::to_string(columns) + (sizeof(T) == 4 ? " float32" : " float64");
    const auto compare = [&](const std::string& name, auto& is, auto& wanted, auto run, auto hand, [[maybe_unused]] auto of_eigen) {
        run();
        hand();
        bench::table t(name + of);
        t.check("croton, hand", bench::max_difference(is, wanted), 1e-5);
        t.row("croton", 0, run);
        t.row("raw: plain loops", 1.10, hand);
#if BENCH_HAS_EIGEN
        auto by_eigen = wanted;
        const auto eigen = [&] { of_eigen(bench::eigen(x), bench::eigen(v).transpose(), bench::eigen(w), bench::eigen(by_eigen)); };
        eigen();
        t.check("croton, Eigen", bench::max_difference(is, by_eigen), 1e-5);
        t.row("Eigen", 1.10, eigen);
#endif
        t.measure();
    };
    const auto each = [&](auto f) {
        for (std::int64_t i = 0; i < rows; ++i)
            for (std::int64_t j = 0; j < columns; ++j) expected.data()[i * columns + j] = f(x.data()[i * columns + j], i, j);
    };
    auto less = less_row<T>();
    compare("x - v", y, expected, [&] { less.call_into(std::tie(y), x, v); }, [&] { each([&](T a, std::int64_t, std::int64_t j) { return a - v.data()[j]; }); },
            [](auto m, auto r, auto, auto to) { to = m.rowwise() - r; });
    auto weighted = weighted_rows<T>();
    compare("w * (x - v)", y, expected, [&] { weighted.call_into(std::tie(y), x, v, w); },
            [&] { each([&](T a, std::int64_t i, std::int64_t j) { return w.data()[i] * (a - v.data()[j]); }); },
            [](auto m, auto r, auto k, auto to) { to = (m.rowwise() - r).array().colwise() * k.array(); });
    auto distance = distances<T>();
    compare("sum of (x - v)^2", sums, expected_sums, [&] { distance.call_into(std::tie(sums), x, v); }, [&] {
        for (std::int64_t i = 0; i < rows; ++i) {
            T sum = 0;
            for (std::int64_t j = 0; j < columns; ++j) {
                const T d = x.data()[i * columns + j] - v.data()[j];
                sum += d * d;
            }
            expected_sums.data()[i] = sum;
        }
    }, [](auto m, auto r, auto, auto to) { to = (m.rowwise() - r).rowwise().squaredNorm(); });
    auto unit = unit_rows<T>();
    compare("x by its norm", y, expected, [&] { unit.call_into(std::tie(y), x); }, [&] {
        for (std::int64_t i = 0; i < rows; ++i) {
            const T* const row = x.data() + i * columns;
            T sum = 0;
            for (std::int64_t j = 0; j < columns; ++j) sum += row[j] * row[j];
            const T factor = 1 / std::sqrt(sum);
            for (std::int64_t j = 0; j < columns; ++j) expected.data()[i * columns + j] = row[j] * factor;
        }
    }, [](auto m, auto, auto, auto to) { to = m.rowwise().normalized(); });
    auto share = shares<T>();
    compare("softmax", y, expected, [&] { share.call_into(std::tie(y), x); }, [&] {
        for (std::int64_t i = 0; i < rows; ++i) {
            const T* const row = x.data() + i * columns;
            T* const out = expected.data() + i * columns;
            T most = row[0], sum = 0;
            for (std::int64_t j = 1; j < columns; ++j) most = std::max(most, row[j]);
            for (std::int64_t j = 0; j < columns; ++j) sum += out[j] = std::exp(row[j] - most);
            for (std::int64_t j = 0; j < columns; ++j) out[j] /= sum;
        }
    }, [](auto m, auto, auto, auto to) {
        to = (m.colwise() - m.rowwise().maxCoeff()).array().exp();
        to.array().colwise() /= to.rowwise().sum().array().eval();
    });
    auto normal = normalised<T>();
    compare("layer normalisation", y, expected, [&] { normal.call_into(std::tie(y), x, v); }, [&] {
        for (std::int64_t i = 0; i < rows; ++i) {
            const T* const row = x.data() + i * columns;
            T sum = 0, squares = 0;
            for (std::int64_t j = 0; j < columns; ++j) sum += row[j];
            const T mean = sum / static_cast<T>(columns);
            for (std::int64_t j = 0; j < columns; ++j) squares += (row[j] - mean) * (row[j] - mean);
            const T factor = 1 / std::sqrt(squares / static_cast<T>(columns) + T(0.01));
            for (std::int64_t j = 0; j < columns; ++j) expected.data()[i * columns + j] = (row[j] - mean) * factor * v.data()[j] + v.data()[j];
        }
    }, [](auto m, auto r, auto, auto to) {
        to = m.colwise() - m.rowwise().mean();
        to.array().colwise() *= (to.array().square().rowwise().mean() + T(0.01)).rsqrt().eval();
        to = (to.array().rowwise() * r.array()).rowwise() + r.array();
    });
}

/// A function beside plain loops.
void compare(const std::string& title, auto& is, auto& wanted, auto run, auto hand) {
    run();
    hand();
    bench::table t(title);
    t.check("croton, hand", bench::max_difference(is, wanted), 1e-5);
    t.row("croton", 0, run);
    t.row("raw: plain loops", 1.10, hand);
    t.measure();
}

/// Distances of points from few centres, what is nearest, the place of the largest number of a row, and rows from their last number on.
void points_and_centres(std::int64_t points, std::int64_t centres, std::int64_t columns) {
    array<float, 2> x(points, columns), c(centres, columns), y(points, centres), expected(points, centres), turned(points, columns), expected_turned(points, columns);
    array<std::int64_t, 1> place(points), expected_place(points);
    bench::fill(x, 1, 2, 1);
    bench::fill(c, 1, 2, 2);
    const std::string of = " of " + std::to_string(points) + " x " + std::to_string(columns), among = of + " from " + std::to_string(centres) + " centres";
    const auto distance = [&](std::int64_t i, std::int64_t k) {
        float sum = 0;
        for (std::int64_t j = 0; j < columns; ++j) {
            const float d = x.data()[i * columns + j] - c.data()[k * columns + j];
            sum += d * d;
        }
        return sum;
    };
    auto distances = function<cpu>([](matrix<float> a, matrix<float> b) { return sum<2>(sqr(newaxis<1>(a) - newaxis<0>(b))); });
    compare("squared distances" + among + " float32", y, expected, [&] { distances.call_into(std::tie(y), x, c); }, [&] {
        for (std::int64_t i = 0; i < points; ++i)
            for (std::int64_t k = 0; k < centres; ++k) expected.data()[i * centres + k] = distance(i, k);
    });
    auto nearest = function<cpu>([](matrix<float> a, matrix<float> b) { return argmin<1>(sum<2>(sqr(newaxis<1>(a) - newaxis<0>(b)))); });
    compare("the nearest" + among + " float32", place, expected_place, [&] { nearest.call_into(std::tie(place), x, c); }, [&] {
        for (std::int64_t i = 0; i < points; ++i) {
            std::int64_t best = 0;
            float least = distance(i, 0);
            for (std::int64_t k = 1; k < centres; ++k)
                if (const float d = distance(i, k); d < least) least = d, best = k;
            expected_place.data()[i] = best;
        }
    });
    auto largest = function<cpu>([](matrix<float> a) { return argmax<1>(a); });
    compare("argmax of rows" + of + " float32", place, expected_place, [&] { largest.call_into(std::tie(place), x); }, [&] {
        for (std::int64_t i = 0; i < points; ++i) expected_place.data()[i] = std::max_element(x.data() + i * columns, x.data() + (i + 1) * columns) - (x.data() + i * columns);
    });
    auto mirrored = function<cpu>([](matrix<float> a) { return flip<1>(a); });
    compare("flip of rows" + of + " float32", turned, expected_turned, [&] { mirrored.call_into(std::tie(turned), x); }, [&] {
        for (std::int64_t i = 0; i < points; ++i)
            for (std::int64_t j = 0; j < columns; ++j) expected_turned.data()[i * columns + j] = x.data()[i * columns + columns - 1 - j];
    });
}

/// Few numbers of many rows, each down its column.
void down_columns(std::int64_t rows, std::int64_t columns) {
    array<float, 2> x(rows, columns);
    array<float, 1> y(columns), expected(columns);
    array<std::int64_t, 1> place(columns), expected_place(columns);
    bench::fill(x, 1, 2, 1);
    const std::string of = " of the columns of " + std::to_string(rows) + " x " + std::to_string(columns) + " float32";
    const auto sums = [&](auto f) {
        std::fill_n(expected.data(), columns, 0.f);
        for (std::int64_t i = 0; i < rows; ++i)
            for (std::int64_t j = 0; j < columns; ++j) expected.data()[j] += f(x.data()[i * columns + j], j);
    };
    auto means = function<cpu>([](matrix<float> a) { return mean<0>(a); });
    compare("mean" + of, y, expected, [&] { means.call_into(std::tie(y), x); }, [&] {
        sums([](float v, std::int64_t) { return v; });
        for (std::int64_t j = 0; j < columns; ++j) expected.data()[j] /= static_cast<float>(rows);
    });
    auto spreads = function<cpu>([](matrix<float> a) { return var<0>(a); });
    compare("var" + of, y, expected, [&] { spreads.call_into(std::tie(y), x); }, [&] {
        sums([](float v, std::int64_t) { return v; });
        std::vector<float> middle(expected.data(), expected.data() + columns);
        for (float& m : middle) m /= static_cast<float>(rows);
        sums([&](float v, std::int64_t j) { return (v - middle[static_cast<std::size_t>(j)]) * (v - middle[static_cast<std::size_t>(j)]); });
        for (std::int64_t j = 0; j < columns; ++j) expected.data()[j] /= static_cast<float>(rows);
    });
    auto logs = function<cpu>([](matrix<float> a) { return logsumexp<0>(a); });
    compare("logsumexp" + of, y, expected, [&] { logs.call_into(std::tie(y), x); }, [&] {
        sums([](float v, std::int64_t) { return std::exp(v); });
        for (std::int64_t j = 0; j < columns; ++j) expected.data()[j] = std::log(expected.data()[j]);
    });
    auto largest = function<cpu>([](matrix<float> a) { return argmax<0>(a); });
    compare("argmax" + of, place, expected_place, [&] { largest.call_into(std::tie(place), x); }, [&] {
        std::fill_n(expected_place.data(), columns, 0);
        for (std::int64_t i = 1; i < rows; ++i)
            for (std::int64_t j = 0; j < columns; ++j)
                if (x.data()[i * columns + j] > x.data()[expected_place.data()[j] * columns + j]) expected_place.data()[j] = i;
    });
}

/// What comes of all rows, of rows of which every second number counts, and of rows in front of a short axis.
void of_all(std::int64_t rows, std::int64_t columns) {
    array<float, 2> x(rows, columns), wide(rows, 2 * columns), y(rows, columns), expected(rows, columns);
    array<float, 1> v(columns), w(rows), down(columns), expected_down(columns);
    array<float, 3> pairs(rows, columns, 2);
    array<float, 0> number, expected_number;
    bench::fill(x, 1, 2, 1);
    bench::fill(wide, 1, 2, 2);
    bench::fill(v, -1, 1, 3);
    bench::fill(w, 0, 1, 4);
    bench::fill(pairs, 1, 2, 5);
    const std::string of = " of " + std::to_string(rows) + " x " + std::to_string(columns), ends = " float32";
    auto loss = function<cpu>([](matrix<float> a) { return mean(logsumexp<1>(a)); });
    compare("mean of logsumexp of rows" + of + ends, number, expected_number, [&] { loss.call_into(std::tie(number), x); }, [&] {
        double all = 0;
        for (std::int64_t i = 0; i < rows; ++i) {
            const float* const row = x.data() + i * columns;
            const float most = *std::max_element(row, row + columns);
            float sum = 0;
            for (std::int64_t j = 0; j < columns; ++j) sum += std::exp(row[j] - most);
            all += static_cast<double>(std::log(sum) + most);
        }
        expected_number() = static_cast<float>(all / static_cast<double>(rows));
    });
    auto squares = function<cpu>([](matrix<float> a, vector<float> b, vector<float> k) { return sum(newaxis<1>(k) * sqr(a - b)); });
    compare("sum of w (x - v)^2 over all" + of + ends, number, expected_number, [&] { squares.call_into(std::tie(number), x, v, w); }, [&] {
        double all = 0;
        for (std::int64_t i = 0; i < rows; ++i) {
            float sum = 0;
            for (std::int64_t j = 0; j < columns; ++j) {
                const float d = x.data()[i * columns + j] - v.data()[j];
                sum += d * d;
            }
            all += static_cast<double>(w.data()[i] * sum);
        }
        expected_number() = static_cast<float>(all);
    });
    const auto second = wide(slice(), slice(0, none, 2));
    auto less = function<cpu>([](matrix<float> a, vector<float> b) { return exp(a - b); });
    compare("exp(x - v) of every second column" + of + ends, y, expected, [&] { less.call_into(std::tie(y), second, v); }, [&] {
        for (std::int64_t i = 0; i < rows; ++i)
            for (std::int64_t j = 0; j < columns; ++j) expected.data()[i * columns + j] = std::exp(wide.data()[2 * (i * columns + j)] - v.data()[j]);
    });
    auto along = function<cpu>([](tensor<float, -1, -1, -1> a) { return sum<0, 2>(a); });
    compare("sum along the first and the last axis" + of + " x 2" + ends, down, expected_down, [&] { along.call_into(std::tie(down), pairs); }, [&] {
        std::fill_n(expected_down.data(), columns, 0.f);
        for (std::int64_t i = 0; i < rows; ++i)
            for (std::int64_t j = 0; j < columns; ++j) expected_down.data()[j] += pairs.data()[2 * (i * columns + j)] + pairs.data()[2 * (i * columns + j) + 1];
    });
}

/// Products of many small matrices with each other and with vectors.
void batches(std::int64_t count, std::int64_t n) {
    array<float, 3> a(count, n, n), b(count, n, n), y(count, n, n), expected(count, n, n);
    array<float, 2> x(count, n), z(count, n), expected_z(count, n);
    bench::fill(a, -1, 1, 1);
    bench::fill(b, -1, 1, 2);
    bench::fill(x, -1, 1, 3);
    const std::string of = " of " + std::to_string(count) + " matrices of " + std::to_string(n) + " x " + std::to_string(n);
    auto products = function<cpu>([](tensor<float, -1, -1, -1> l, tensor<float, -1, -1, -1> r) { return matmul(l, r); });
    compare("products" + of + " float32", y, expected, [&] { products.call_into(std::tie(y), a, b); }, [&] {
        for (std::int64_t q = 0; q < count; ++q)
            for (std::int64_t i = 0; i < n; ++i)
                for (std::int64_t j = 0; j < n; ++j) {
                    float sum = 0;
                    for (std::int64_t k = 0; k < n; ++k) sum += a.data()[(q * n + i) * n + k] * b.data()[(q * n + k) * n + j];
                    expected.data()[(q * n + i) * n + j] = sum;
                }
    });
    auto images = function<cpu>([](tensor<float, -1, -1, -1> m, matrix<float> v) { return einsum<"bij,bj->bi">(m, v); });
    compare("products" + of + " with vectors float32", z, expected_z, [&] { images.call_into(std::tie(z), a, x); }, [&] {
        for (std::int64_t q = 0; q < count; ++q)
            for (std::int64_t i = 0; i < n; ++i) {
                float sum = 0;
                for (std::int64_t k = 0; k < n; ++k) sum += a.data()[(q * n + i) * n + k] * x.data()[q * n + k];
                expected_z.data()[q * n + i] = sum;
            }
    });
}

/// Elements of rows that indices choose: columns, and one of each row, as a loss takes the likelihood of its label.
void by_indices(std::int64_t rows, std::int64_t columns) {
    array<float, 2> x(rows, columns), y(rows, 2), expected(rows, 2);
    array<std::int64_t, 1> at{columns - 1, 0};
    array<std::int64_t, 2> label(rows, 1);
    bench::fill(x, 1, 2, 1);
    for (std::int64_t i = 0; i < rows; ++i) label(i, 0) = i * 7 % columns;
    const std::string of = " of " + std::to_string(rows) + " x " + std::to_string(columns) + " float32";
    auto taken = function<cpu>([](matrix<float> a, vector<std::int64_t> i) { return take<1>(a, i); });
    compare("two columns" + of, y, expected, [&] { taken.call_into(std::tie(y), x, at); }, [&] {
        for (std::int64_t i = 0; i < rows; ++i)
            for (std::int64_t j = 0; j < 2; ++j) expected.data()[2 * i + j] = x.data()[i * columns + at.data()[j]];
    });
    array<float, 0> loss, expected_loss;
    auto mean_of = function<cpu>([](matrix<float> a, matrix<std::int64_t> i) { return -mean(log(take_along_axis<1>(a, i))); });
    compare("mean of -log of one of each row" + of, loss, expected_loss, [&] { mean_of.call_into(std::tie(loss), x, label); }, [&] {
        double sum = 0;
        for (std::int64_t i = 0; i < rows; ++i) sum -= static_cast<double>(std::log(x.data()[i * columns + label.data()[i]]));
        expected_loss() = static_cast<float>(sum / static_cast<double>(rows));
    });
}

/// Makes the first `n` columns of `n` rows of `width` numbers a triangle: the determinant of what they were.
float eliminate(float* row, std::int64_t n, std::int64_t width) {
    float product = 1;
    for (std::int64_t k = 0; k < n; ++k) {
        std::int64_t p = k;
        for (std::int64_t i = k + 1; i < n; ++i)
            if (std::abs(row[i * width + k]) > std::abs(row[p * width + k])) p = i;
        if (p != k) {
            std::swap_ranges(row + k * width, row + (k + 1) * width, row + p * width);
            product = -product;
        }
        product *= row[k * width + k];
        for (std::int64_t i = k + 1; i < n; ++i) {
            const float factor = row[i * width + k] / row[k * width + k];
            for (std::int64_t j = k + 1; j < width; ++j) row[i * width + j] -= factor * row[k * width + j];
        }
    }
    return product;
}

/// Diagonals and determinants of many small matrices.
void traces(std::int64_t count, std::int64_t n) {
    array<float, 3> a(count, n, n);
    array<float, 1> y(count), expected(count);
    bench::fill(a, -1, 1, 1);
    const std::string of = " of " + std::to_string(count) + " matrices of " + std::to_string(n) + " x " + std::to_string(n) + " float32";
    auto sums = function<cpu>([](tensor<float, -1, -1, -1> m) { return trace(m); });
    compare("trace" + of, y, expected, [&] { sums.call_into(std::tie(y), a); }, [&] {
        for (std::int64_t q = 0; q < count; ++q) {
            float sum = 0;
            for (std::int64_t i = 0; i < n; ++i) sum += a.data()[(q * n + i) * n + i];
            expected.data()[q] = sum;
        }
    });
    auto determinants = function<cpu>([](tensor<float, -1, -1, -1> m) { return det(m); });
    std::vector<float> rows(static_cast<std::size_t>(n * n));
    compare("determinant" + of, y, expected, [&] { determinants.call_into(std::tie(y), a); }, [&] {
        for (std::int64_t q = 0; q < count; ++q) {
            std::copy_n(a.data() + q * n * n, n * n, rows.data());
            expected.data()[q] = eliminate(rows.data(), n, n);
        }
    });
}

/// Equations and inverses of many small matrices.
void equations(std::int64_t count, std::int64_t n) {
    array<float, 3> a(count, n, n), y(count, n, n), expected(count, n, n);
    array<float, 2> b(count, n), x(count, n), expected_x(count, n);
    bench::fill(a, -1, 1, 1);
    bench::fill(b, -1, 1, 2);
    for (std::int64_t q = 0; q < count; ++q)
        for (std::int64_t i = 0; i < n; ++i) a(q, i, i) += 2.0f * static_cast<float>(n);
    const std::string of = " of " + std::to_string(count) + " matrices of " + std::to_string(n) + " x " + std::to_string(n) + " float32";
    const auto by_hand = [&](std::int64_t m, auto right, float* to) {
        std::vector<float> rows(static_cast<std::size_t>(n * (n + m)));
        const std::int64_t w = n + m;
        for (std::int64_t q = 0; q < count; ++q, to += n * m) {
            for (std::int64_t i = 0; i < n; ++i) {
                std::copy_n(a.data() + (q * n + i) * n, n, rows.data() + i * w);
                for (std::int64_t j = 0; j < m; ++j) rows[static_cast<std::size_t>(i * w + n + j)] = right(q, i, j);
            }
            eliminate(rows.data(), n, w);
            for (std::int64_t i = n; i-- > 0;)
                for (std::int64_t j = 0; j < m; ++j) {
                    float sum = rows[static_cast<std::size_t>(i * w + n + j)];
                    for (std::int64_t k = i + 1; k < n; ++k) sum -= rows[static_cast<std::size_t>(i * w + k)] * to[k * m + j];
                    to[i * m + j] = sum / rows[static_cast<std::size_t>(i * w + i)];
                }
        }
    };
    auto inverses = function<cpu>([](tensor<float, -1, -1, -1> m) { return inv(m); });
    compare("inverse" + of, y, expected, [&] { inverses.call_into(std::tie(y), a); }, [&] { by_hand(n, [](std::int64_t, std::int64_t i, std::int64_t j) { return i == j ? 1.0f : 0.0f; }, expected.data()); });
    auto solved = function<cpu>([](tensor<float, -1, -1, -1> m, matrix<float> v) { return squeeze<2>(solve(m, expand_dims<2>(v))); });
    compare("equations" + of, x, expected_x, [&] { solved.call_into(std::tie(x), a, b); }, [&] { by_hand(1, [&](std::int64_t q, std::int64_t i, std::int64_t) { return b(q, i); }, expected_x.data()); });
}

/// Rows of a matrix more than once.
void repeats(std::int64_t rows, std::int64_t columns) {
    array<float, 2> x(rows, columns), y(2 * rows, columns), expected(2 * rows, columns), tiles(2 * rows, 3 * columns), expected_tiles(2 * rows, 3 * columns);
    bench::fill(x, -1, 1, 1);
    const std::string of = " of " + std::to_string(rows) + " x " + std::to_string(columns) + " float32";
    const auto copy = [&](std::int64_t row, float* to) { std::copy_n(x.data() + row * columns, columns, to); };
    auto twice = function<cpu>([](matrix<float> a) { return repeat<0, 2>(a); });
    compare("each row twice" + of, y, expected, [&] { twice.call_into(std::tie(y), x); }, [&] {
        for (std::int64_t i = 0; i < 2 * rows; ++i) copy(i / 2, expected.data() + i * columns);
    });
    auto tiled = function<cpu>([](matrix<float> a) { return tile<2, 3>(a); });
    compare("2 x 3 tiles" + of, tiles, expected_tiles, [&] { tiled.call_into(std::tie(tiles), x); }, [&] {
        for (std::int64_t i = 0; i < 2 * rows; ++i)
            for (std::int64_t j = 0; j < 3; ++j) copy(i % rows, expected_tiles.data() + (3 * i + j) * columns);
    });
}

}  // namespace

int main(int argc, char** argv) {
    bench::start(argc, argv);
    for (const std::int64_t columns : {1, 2, 3, 7, 12, 48}) few_columns<float>(20'000, columns);
    for (const std::int64_t columns : {2, 3}) few_columns<double>(20'000, columns);
    points_and_centres(20'000, 8, 3);
    points_and_centres(20'000, 10, 2);
    points_and_centres(20'000, 64, 3);
    for (const std::int64_t columns : {1, 3, 12}) down_columns(20'000, columns);
    for (const std::int64_t columns : {1, 3, 12}) of_all(20'000, columns);
    for (const std::int64_t n : {2, 3, 4, 8}) batches(5'000, n);
    for (const std::int64_t columns : {3, 10}) by_indices(20'000, columns);
    for (const std::int64_t n : {2, 3, 8}) traces(5'000, n);
    for (const std::int64_t n : {2, 3, 8}) equations(5'000, n);
    repeats(1'000, 1'000);
    return bench::table::finish();
}
