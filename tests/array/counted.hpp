// SPDX-License-Identifier: MIT
// A matrix whose elements say where they stand.
#ifndef CROTON_TESTS_ARRAY_COUNTED_HPP
#define CROTON_TESTS_ARRAY_COUNTED_HPP

#include <cstdint>

#include <croton/array/array.hpp>

/// Element (i, j) is 10 i + j.
inline croton::array<int, 2> counted(std::int64_t rows, std::int64_t columns) {
    croton::array<int, 2> a(rows, columns);
    for (std::int64_t i = 0; i < rows; ++i)
        for (std::int64_t j = 0; j < columns; ++j) a(i, j) = static_cast<int>(10 * i + j);
    return a;
}

#endif
