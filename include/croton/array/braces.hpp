// SPDX-License-Identifier: MIT
// Values in braces, a list for each axis: how many stand at each depth, and copying them into memory.
#ifndef CROTON_ARRAY_BRACES_HPP
#define CROTON_ARRAY_BRACES_HPP

#include <cstdint>
#include <initializer_list>
#include <string>

#include <croton/core/error.hpp>

namespace croton::inline v0_1::detail {

template <class T, int Rank> struct nested_values {
    using type = std::initializer_list<typename nested_values<T, Rank - 1>::type>;
};
template <class T> struct nested_values<T, 0> { using type = T; };

// The extents are those of the first list at each depth.
template <class T, int Rank>
constexpr void measure(const typename nested_values<T, Rank>::type& values, std::int64_t* extents) {
    if constexpr (Rank > 0) {
        *extents = static_cast<std::int64_t>(values.size());
        if (values.size() > 0) measure<T, Rank - 1>(*values.begin(), extents + 1);
    }
}

template <class T, int Rank>
T* write_values(const typename nested_values<T, Rank>::type& values, const std::int64_t* extents, T* to) {
    if constexpr (Rank == 0) {
        *to = values;
        return to + 1;
    } else {
        if (static_cast<std::int64_t>(values.size()) != *extents)
            throw shape_error("the values in braces are ragged: a list of " + std::to_string(values.size()) +
                              " stands where the first has " + std::to_string(*extents));
        for (const auto& value : values) to = write_values<T, Rank - 1>(value, extents + 1, to);
        return to;
    }
}

}  // namespace croton::inline v0_1::detail

#endif
