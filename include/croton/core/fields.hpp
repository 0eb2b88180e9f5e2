// SPDX-License-Identifier: MIT
// The fields of a struct: how many there are, and references to them.
#ifndef CROTON_CORE_FIELDS_HPP
#define CROTON_CORE_FIELDS_HPP

#include <cstddef>
#include <type_traits>
#include <utility>

namespace croton::inline v0_1::detail {

inline constexpr int field_limit = 32;

struct any_field {
    template <class T> operator T() const;
};

template <class T, int... I> constexpr bool takes_fields(std::integer_sequence<int, I...>) {
    return requires { T{(void(I), any_field{})...}; };
}

/// The number of fields of the aggregate `T`, or one more than the limit.
template <class T, int N> constexpr int count_fields() {
    if constexpr (N > field_limit) return N;
    // Fewer values than fields may be too few where a field has no default, so the count is the last N of a run.
    else if constexpr (takes_fields<T>(std::make_integer_sequence<int, N + 1>{})) {
        return count_fields<T, N + 1>();
    } else if constexpr (takes_fields<T>(std::make_integer_sequence<int, N>{})) {
        return N;
    } else {
        return count_fields<T, N + 1>();
    }
}

/// Of the values that stand for `N` parts of the aggregate `T`, those that its member from value `At` on takes: one, or all of a built-in array,
/// `A<float, 2> w[2]`, whose braces may be left out. An empty pair stands for the whole member.
template <class T, int... Before, int... Behind>
constexpr bool takes_empty_braces(std::integer_sequence<int, Before...>, std::integer_sequence<int, Behind...>) {
    return requires { T{(void(Before), any_field{})..., {}, (void(Behind), any_field{})...}; };
}
template <class T, int N, int At, int Width = 1> constexpr int width_of_member() {
    using before = std::make_integer_sequence<int, At>;
    if constexpr (Width == N - At || !takes_empty_braces<T>(before{}, std::make_integer_sequence<int, 0>{})) return 1;
    else if constexpr (takes_empty_braces<T>(before{}, std::make_integer_sequence<int, N - At - Width>{})) return Width;
    else if constexpr (Width + 1 == N - At) return Width + 1;
    else return width_of_member<T, N, At, Width + 1>();
}
template <class T, int N, int At = 0> constexpr int count_members() {
    if constexpr (At < N) return 1 + count_members<T, N, At + width_of_member<T, N, At>()>();
    else return 0;
}

template <class T> inline constexpr bool has_fields = std::is_aggregate_v<T> && std::is_class_v<T>;

template <class T> constexpr int field_count_of() {
    static_assert(has_fields<T>, "croton: a model struct holds arrays, structs of arrays and std::arrays of those, and nothing else");
    if constexpr (has_fields<T>) {
        constexpr int count = count_fields<T, 0>();
        static_assert(count <= field_limit, "croton: a model struct has at most 32 fields; group them in structs");
        if constexpr (count <= field_limit) return count_members<T, count>();
        else return 0;
    } else {
        return 0;
    }
}

/// The number of fields of the struct `T`.
template <class T> inline constexpr int field_count = field_count_of<T>();

/// References to fields. A std::tuple has rules of conversion, which a compiler would read for every struct and each of its constnesses.
template <int I, class T> struct field_reference {
    T& to;
};
template <class Sequence, class... T> struct field_references;
template <int... I, class... T> struct field_references<std::integer_sequence<int, I...>, T...> : field_reference<I, T>... {
    /// Calls `f` with all of them.
    template <class F> constexpr decltype(auto) apply(F&& f) const { return f(static_cast<const field_reference<I, T>&>(*this).to...); }
};

template <class... T> constexpr auto refer(T&... fields) {
    return field_references<std::make_integer_sequence<int, static_cast<int>(sizeof...(T))>, T...>{{fields}...};
}

/// The `I`-th of what `tie_fields` gives.
template <int I, class T> constexpr T& field(const field_reference<I, T>& f) { return f.to; }

/// References to the fields of a struct, in order: `field<I>` gives one of them.
template <class T> constexpr auto tie_fields(T& object) {
    constexpr int n = field_count<std::remove_const_t<T>>;
    if constexpr (n == 0) {
        return refer();
    } else if constexpr (n == 1) {
        auto& [f0] = object;
        return refer(f0);
    } else if constexpr (n == 2) {
        auto& [f0, f1] = object;
        return refer(f0, f1);
    } else if constexpr (n == 3) {
        auto& [f0, f1, f2] = object;
        return refer(f0, f1, f2);
    } else if constexpr (n == 4) {
        auto& [f0, f1, f2, f3] = object;
        return refer(f0, f1, f2, f3);
    } else if constexpr (n == 5) {
        auto& [f0, f1, f2, f3, f4] = object;
        return refer(f0, f1, f2, f3, f4);
    } else if constexpr (n == 6) {
        auto& [f0, f1, f2, f3, f4, f5] = object;
        return refer(f0, f1, f2, f3, f4, f5);
    } else if constexpr (n == 7) {
        auto& [f0, f1, f2, f3, f4, f5, f6] = object;
        return refer(f0, f1, f2, f3, f4, f5, f6);
    } else if constexpr (n == 8) {
        auto& [f0, f1, f2, f3, f4, f5, f6, f7] = object;
        return refer(f0, f1, f2, f3, f4, f5, f6, f7);
    } else if constexpr (n == 9) {
        auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8] = object;
        return refer(f0, f1, f2, f3, f4, f5, f6, f7, f8);
    } else if constexpr (n == 10) {
        auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9] = object;
        return refer(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9);
    } else if constexpr (n == 11) {
        auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10] = object;
        return refer(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10);
    } else if constexpr (n == 12) {
        auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11] = object;
        return refer(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11);
    } else if constexpr (n == 13) {
        auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12] = object;
        return refer(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12);
    } else if constexpr (n == 14) {
        auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13] = object;
        return refer(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13);
    } else if constexpr (n == 15) {
        auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14] = object;
        return refer(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14);
    } else if constexpr (n == 16) {
        auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15] = object;
        return refer(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15);
    } else if constexpr (n == 17) {
        auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16] = object;
        return refer(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16);
    } else if constexpr (n == 18) {
        auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17] = object;
        return refer(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17);
    } else if constexpr (n == 19) {
        auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18] = object;
        return refer(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18);
    } else if constexpr (n == 20) {
        auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19] = object;
        return refer(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19);
    } else if constexpr (n == 21) {
        auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20] = object;
        return refer(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20);
    } else if constexpr (n == 22) {
        auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20,
               f21] = object;
        return refer(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20,
                     f21);
    } else if constexpr (n == 23) {
        auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21,
               f22] = object;
        return refer(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20,
                     f21, f22);
    } else if constexpr (n == 24) {
        auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21, f22,
               f23] = object;
        return refer(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20,
                     f21, f22, f23);
    } else if constexpr (n == 25) {
        auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21, f22,
               f23, f24] = object;
        return refer(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20,
                     f21, f22, f23, f24);
    } else if constexpr (n == 26) {
        auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21, f22,
               f23, f24, f25] = object;
        return refer(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20,
                     f21, f22, f23, f24, f25);
    } else if constexpr (n == 27) {
        auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21, f22,
               f23, f24, f25, f26] = object;
        return refer(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20,
                     f21, f22, f23, f24, f25, f26);
    } else if constexpr (n == 28) {
        auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21, f22,
               f23, f24, f25, f26, f27] = object;
        return refer(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20,
                     f21, f22, f23, f24, f25, f26, f27);
    } else if constexpr (n == 29) {
        auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21, f22,
               f23, f24, f25, f26, f27, f28] = object;
        return refer(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20,
                     f21, f22, f23, f24, f25, f26, f27, f28);
    } else if constexpr (n == 30) {
        auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21, f22,
               f23, f24, f25, f26, f27, f28, f29] = object;
        return refer(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20,
                     f21, f22, f23, f24, f25, f26, f27, f28, f29);
    } else if constexpr (n == 31) {
        auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21, f22,
               f23, f24, f25, f26, f27, f28, f29, f30] = object;
        return refer(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20,
                     f21, f22, f23, f24, f25, f26, f27, f28, f29, f30);
    } else if constexpr (n == 32) {
        auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21, f22,
               f23, f24, f25, f26, f27, f28, f29, f30, f31] = object;
        return refer(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20,
                     f21, f22, f23, f24, f25, f26, f27, f28, f29, f30, f31);
    }
}

/// The type of field `I` of the struct `T`.
template <class T, int I> using field_t = std::remove_cvref_t<decltype(field<I>(tie_fields(std::declval<T&>())))>;

}  // namespace croton::inline v0_1::detail

#endif
