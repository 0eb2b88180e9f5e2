// SPDX-License-Identifier: MIT
// Loops over the columns of points, complex numbers and quaternions beside the reference: whole rows, parts of rows, rows that overlap, in place.
#include <doctest/doctest.h>

#include <cstdint>

#include <croton/croton.hpp>

#include "device/cpu/beside_reference.hpp"

using namespace croton;

namespace {

template <class T> array<T, 2> made(std::int64_t rows, std::int64_t columns, int from) {
    array<T, 2> x(rows, columns);
    for (std::int64_t i = 0; i < x.size(); ++i) x.data()[i] = static_cast<T>((i * 7 + from) % 23 - 11);
    return x;
}

template <class T> constexpr auto of_points = [](matrix<T> a, matrix<T> b) {
    auto x = a(slice(), 0), y = a(slice(), 1), z = a(slice(), 2);
    return outputs(cross(a, b), x * x + y * y + z * z, x * z, y * z, x + y, stack<1>(z, x, y + x));
};
template <class T> constexpr auto of_numbers = [](matrix<T> a, matrix<T> b) {
    auto r = a(slice(), 0), i = a(slice(), 1), s = b(slice(), 0), j = b(slice(), 1);
    return outputs(stack<1>(r * s - i * j, r * j + i * s), r * r + i * i, stack<1>(s, r * j));
};
template <class T> constexpr auto of_quaternions = [](matrix<T> a, matrix<T> b) {
    auto w = a(slice(), 0), x = a(slice(), 1), y = a(slice(), 2), z = a(slice(), 3), u = b(slice(), 0), i = b(slice(), 1), j = b(slice(), 2), k = b(slice(), 3);
    return outputs(stack<1>(w * u - x * i - y * j - z * k, w * i + x * u + y * k - z * j, w * j - x * k + y * u + z * i, w * k + x * j - y * i + z * u), w * z, x + k);
};
/// The last column of a row lies before the first one of the next.
template <class T> constexpr auto of_neighbours = [](matrix<T> a) {
    auto before = a(slice(none, -1)), behind = a(slice(1, none));
    return outputs(before(slice(), 2) * behind(slice(), 0) + behind(slice(), 1), before(slice(), 2) - behind(slice(), 0), before(slice(), 0) * behind(slice(), 2));
};
template <class T> constexpr auto in_place = [](shared<matrix<T>> a) {
    auto x = a(slice(), 0), y = a(slice(), 1), z = a(slice(), 2);
    return updates(update(a, stack<1>(z - x, x + y, y * z)));
};

}  // namespace

TEST_CASE_TEMPLATE("columns of short rows", T, float, double, std::int32_t) {
    const auto points = function<cpu>(of_points<T>);
    const auto right_points = function<reference>(of_points<T>);
    const auto numbers = function<cpu>(of_numbers<T>);
    const auto right_numbers = function<reference>(of_numbers<T>);
    const auto quaternions = function<cpu>(of_quaternions<T>);
    const auto right_quaternions = function<reference>(of_quaternions<T>);
    const auto neighbours = function<cpu>(of_neighbours<T>);
    const auto right_neighbours = function<reference>(of_neighbours<T>);
    const auto place = function<cpu>(in_place<T>);
    const auto right_place = function<reference>(in_place<T>);
    for (const int count : {1, 2}) {
        const auto scope = threads(count);
        for (const std::int64_t n : {0, 1, 3, 4, 7, 8, 9, 15, 16, 17, 100, 1023, 1024, 1025, 5000, 70'000}) {
            if (count == 2 && n < 5000) continue;
            CAPTURE(n);
            array<T, 2> a = made<T>(n, 3, 1), b = made<T>(n, 3, 5);
            check_same(points(a, b), right_points(a, b));
            check_same(numbers(made<T>(n, 2, 1), made<T>(n, 2, 2)), right_numbers(made<T>(n, 2, 1), made<T>(n, 2, 2)));
            check_same(quaternions(made<T>(n, 4, 1), made<T>(n, 4, 2)), right_quaternions(made<T>(n, 4, 1), made<T>(n, 4, 2)));
            if (n > 0) check_same(neighbours(a), right_neighbours(a));
            // Rows of more than are seen.
            const array<T, 2> wide = made<T>(n, 7, 3);
            check_same(points(wide(slice(), slice(1, 4)), wide(slice(), slice(4, 7))), right_points(wide(slice(), slice(1, 4)), wide(slice(), slice(4, 7))));
            place(a);
            right_place(b = made<T>(n, 3, 1));
            check_same(a, b);
        }
    }
}
