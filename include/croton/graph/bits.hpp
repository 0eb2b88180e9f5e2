// SPDX-License-Identifier: MIT
// The operators on the bits of integers.
#ifndef CROTON_GRAPH_BITS_HPP
#define CROTON_GRAPH_BITS_HPP

#include <string_view>
#include <type_traits>

#include <croton/core/literals.hpp>
#include <croton/graph/operators.hpp>

namespace croton::inline v0_1 {

namespace op {

struct bitwise_and : binary<typing::integral> {
    static constexpr std::string_view name = "bitwise_and"sv, sign = "&"sv;
    static constexpr bool commutes = true;
    template <class V> CROTON_HD static V value(V a, V b) { return static_cast<V>(a & b); }
};

struct bitwise_or : binary<typing::integral> {
    static constexpr std::string_view name = "bitwise_or"sv, sign = "|"sv;
    static constexpr bool commutes = true;
    template <class V> CROTON_HD static V value(V a, V b) { return static_cast<V>(a | b); }
};

struct bitwise_xor : binary<typing::integral> {
    static constexpr std::string_view name = "bitwise_xor"sv, sign = "^"sv;
    static constexpr bool commutes = true;
    template <class V> CROTON_HD static V value(V a, V b) { return static_cast<V>(a ^ b); }
};

struct bitwise_not : unary<typing::integral> {
    static constexpr std::string_view name = "bitwise_not"sv, sign = "~"sv;
    template <class V> CROTON_HD static V value(V a) { return static_cast<V>(~a); }
};

/// How many bits of the absolute value are set.
struct bitwise_count : unary<typing::integral> {
    static constexpr std::string_view name = "bitwise_count"sv;
    template <class V> CROTON_HD static V value(V a) {
        using kernel::counted_bits;
        return counted_bits(absolute::value(a));
    }
};

/// a 2^b without what leaves the number: 0 where b is its width or more, or negative.
struct left_shift : binary<typing::integral> {
    static constexpr std::string_view name = "left_shift"sv, sign = "<<"sv;
    template <class V> CROTON_HD static V value(V a, V b) {
        using kernel::shifted_left;
        return shifted_left(a, b);
    }
};

/// a / 2^b rounded down: 0 or -1 where b is the width of the number or more, or negative.
struct right_shift : binary<typing::integral> {
    static constexpr std::string_view name = "right_shift"sv, sign = ">>"sv;
    template <class V> CROTON_HD static V value(V a, V b) {
        using kernel::shifted_right;
        return shifted_right(a, b);
    }
};

}  // namespace op

}  // namespace croton::inline v0_1

#endif
