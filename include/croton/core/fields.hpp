// SPDX-License-Identifier: MIT
// The fields of a model struct: how many, references to them, the leaves in order, and their names.
#ifndef CROTON_CORE_FIELDS_HPP
#define CROTON_CORE_FIELDS_HPP

#include <array>
#include <cstddef>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

namespace croton::inline v0_1 {

namespace detail {

/// Whether `T` is one array (or symbol) of a model and not a struct of them; its header says so.
template <class T> inline constexpr bool is_leaf = false;

template <class T> inline constexpr bool is_std_array = false;
template <class T, std::size_t N> inline constexpr bool is_std_array<std::array<T, N>> = true;

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

template <class T> inline constexpr bool has_fields = std::is_aggregate_v<T> && std::is_class_v<T>;

template <class T> constexpr int field_count_of() {
    static_assert(has_fields<T>, "croton: a model struct holds arrays, structs of arrays and std::arrays of those, and nothing else");
    if constexpr (has_fields<T>) {
        constexpr int count = count_fields<T, 0>();
        static_assert(count <= field_limit, "croton: a model struct has at most 32 fields; group them in structs");
        return count <= field_limit ? count : 0;
    } else {
        return 0;
    }
}

/// The number of fields of the struct `T`.
template <class T> inline constexpr int field_count = field_count_of<T>();

/// References to the fields of a struct, in order, as a `std::tuple`.
template <class T> constexpr auto tie_fields(T& object) {
    constexpr int n = field_count<std::remove_const_t<T>>;
    if constexpr (n == 0) {
        return std::tuple<>();
    } else if constexpr (n == 1) {
        auto& [f0] = object;
        return std::tie(f0);
    } else if constexpr (n == 2) {
        auto& [f0, f1] = object;
        return std::tie(f0, f1);
    } else if constexpr (n == 3) {
        auto& [f0, f1, f2] = object;
        return std::tie(f0, f1, f2);
    } else if constexpr (n == 4) {
        auto& [f0, f1, f2, f3] = object;
        return std::tie(f0, f1, f2, f3);
    } else if constexpr (n == 5) {
        auto& [f0, f1, f2, f3, f4] = object;
        return std::tie(f0, f1, f2, f3, f4);
    } else if constexpr (n == 6) {
        auto& [f0, f1, f2, f3, f4, f5] = object;
        return std::tie(f0, f1, f2, f3, f4, f5);
    } else if constexpr (n == 7) {
        auto& [f0, f1, f2, f3, f4, f5, f6] = object;
        return std::tie(f0, f1, f2, f3, f4, f5, f6);
    } else if constexpr (n == 8) {
        auto& [f0, f1, f2, f3, f4, f5, f6, f7] = object;
        return std::tie(f0, f1, f2, f3, f4, f5, f6, f7);
    } else if constexpr (n == 9) {
        auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8] = object;
        return std::tie(f0, f1, f2, f3, f4, f5, f6, f7, f8);
    } else if constexpr (n == 10) {
        auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9] = object;
        return std::tie(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9);
    } else if constexpr (n == 11) {
        auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10] = object;
        return std::tie(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10);
    } else if constexpr (n == 12) {
        auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11] = object;
        return std::tie(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11);
    } else if constexpr (n == 13) {
        auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12] = object;
        return std::tie(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12);
    } else if constexpr (n == 14) {
        auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13] = object;
        return std::tie(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13);
    } else if constexpr (n == 15) {
        auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14] = object;
        return std::tie(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14);
    } else if constexpr (n == 16) {
        auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15] = object;
        return std::tie(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15);
    } else if constexpr (n == 17) {
        auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16] = object;
        return std::tie(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16);
    } else if constexpr (n == 18) {
        auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17] = object;
        return std::tie(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17);
    } else if constexpr (n == 19) {
        auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18] = object;
        return std::tie(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18);
    } else if constexpr (n == 20) {
        auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19] = object;
        return std::tie(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19);
    } else if constexpr (n == 21) {
        auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20] = object;
        return std::tie(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20);
    } else if constexpr (n == 22) {
        auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20,
               f21] = object;
        return std::tie(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20,
                        f21);
    } else if constexpr (n == 23) {
        auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21,
               f22] = object;
        return std::tie(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20,
                        f21, f22);
    } else if constexpr (n == 24) {
        auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21, f22,
               f23] = object;
        return std::tie(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20,
                        f21, f22, f23);
    } else if constexpr (n == 25) {
        auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21, f22,
               f23, f24] = object;
        return std::tie(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20,
                        f21, f22, f23, f24);
    } else if constexpr (n == 26) {
        auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21, f22,
               f23, f24, f25] = object;
        return std::tie(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20,
                        f21, f22, f23, f24, f25);
    } else if constexpr (n == 27) {
        auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21, f22,
               f23, f24, f25, f26] = object;
        return std::tie(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20,
                        f21, f22, f23, f24, f25, f26);
    } else if constexpr (n == 28) {
        auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21, f22,
               f23, f24, f25, f26, f27] = object;
        return std::tie(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20,
                        f21, f22, f23, f24, f25, f26, f27);
    } else if constexpr (n == 29) {
        auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21, f22,
               f23, f24, f25, f26, f27, f28] = object;
        return std::tie(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20,
                        f21, f22, f23, f24, f25, f26, f27, f28);
    } else if constexpr (n == 30) {
        auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21, f22,
               f23, f24, f25, f26, f27, f28, f29] = object;
        return std::tie(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20,
                        f21, f22, f23, f24, f25, f26, f27, f28, f29);
    } else if constexpr (n == 31) {
        auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21, f22,
               f23, f24, f25, f26, f27, f28, f29, f30] = object;
        return std::tie(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20,
                        f21, f22, f23, f24, f25, f26, f27, f28, f29, f30);
    } else if constexpr (n == 32) {
        auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21, f22,
               f23, f24, f25, f26, f27, f28, f29, f30, f31] = object;
        return std::tie(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20,
                        f21, f22, f23, f24, f25, f26, f27, f28, f29, f30, f31);
    }
}

/// The type of field `I` of the struct `T`.
template <class T, int I>
using field_t = std::remove_cvref_t<decltype(std::get<static_cast<std::size_t>(I)>(tie_fields(std::declval<T&>())))>;

template <class T> constexpr int leaf_count_of();

/// The number of leaves of a model.
template <class T> inline constexpr int leaf_count = leaf_count_of<T>();

template <class T> constexpr int leaf_count_of() {
    if constexpr (is_leaf<T>) {
        return 1;
    } else if constexpr (is_std_array<T>) {
        if constexpr (std::tuple_size_v<T> == 0) return 0;
        else return static_cast<int>(std::tuple_size_v<T>) * leaf_count<typename T::value_type>;
    } else {
        return []<int... I>(std::integer_sequence<int, I...>) {
            return (0 + ... + leaf_count<field_t<T, I>>);
        }(std::make_integer_sequence<int, field_count<T>>{});
    }
}

/// The number of leaves before field `I` of the struct `T`.
template <class T, int I> constexpr int leaves_before() {
    return []<int... K>(std::integer_sequence<int, K...>) {
        return (0 + ... + leaf_count<field_t<T, K>>);
    }(std::make_integer_sequence<int, I>{});
}

/// The field of the struct `T` that holds leaf `I`.
template <class T, int I, int Field = 0> constexpr int field_of_leaf() {
    if constexpr (I < leaves_before<T, Field + 1>()) return Field;
    else return field_of_leaf<T, I, Field + 1>();
}

// Calls `f(std::integral_constant<int, 0>{})`, ..., for N indices.
template <int N, class F> constexpr void for_each_index(F&& f) {
    [&f]<int... I>(std::integer_sequence<int, I...>) {
        (..., f(std::integral_constant<int, I>{}));
    }(std::make_integer_sequence<int, N>{});
}

template <class T> inline constexpr int array_size = -1;
template <class T, std::size_t N> inline constexpr int array_size<std::array<T, N>> = static_cast<int>(N);

// Whether types are alike at one level: leaves, std::arrays of one size, or structs with as many fields.
template <class T, class... Others> constexpr bool alike() {
    if constexpr (is_leaf<T>) return (is_leaf<Others> && ...);
    else if constexpr (is_std_array<T>) return ((array_size<Others> == static_cast<int>(std::tuple_size_v<T>)) && ...);
    else return ((!is_leaf<Others> && array_size<Others> < 0 && field_count<Others> == field_count<T>) && ...);
}

template <int Base, class F, class T, class... Others>
constexpr void walk_leaves(F& f, T& object, Others&... others) {
    using type = std::remove_const_t<T>;
    if constexpr (!is_leaf<type> && !has_fields<type>) {
        static_assert(has_fields<type>, "croton: a model struct holds arrays, structs of arrays and std::arrays of those, and nothing else");
    } else if constexpr (!alike<type, std::remove_const_t<Others>...>()) {
        static_assert(alike<type, std::remove_const_t<Others>...>(), "croton: the two models are not alike");
    } else if constexpr (is_leaf<type>) {
        using index = std::integral_constant<int, Base>;
        if constexpr (std::is_invocable_v<F&, T&, Others&..., index>) f(object, others..., index{});
        else f(object, others...);
    } else if constexpr (is_std_array<type>) {
        for_each_index<static_cast<int>(std::tuple_size_v<type>)>([&](auto index) {
            constexpr int i = decltype(index)::value;
            walk_leaves<Base + i * leaf_count<typename type::value_type>>(f, object[i], others[i]...);
        });
    } else {
        for_each_index<field_count<type>>([&](auto index) {
            constexpr int i = decltype(index)::value;
            walk_leaves<Base + leaves_before<type, i>()>(f, std::get<i>(tie_fields(object)),
                                                         std::get<i>(tie_fields(others))...);
        });
    }
}

/// Calls `f(leaf)` or `f(leaf, index)` for every leaf in order; `index` is a `std::integral_constant<int, I>`.
template <class T, class F> constexpr void for_each_leaf(T& object, F&& f) { walk_leaves<0>(f, object); }

/// Walks models of the same structure together: `f(leaf_a, leaf_b)` or `f(leaf_a, leaf_b, index)`.
template <class A, class B, class F> constexpr void for_each_leaf2(A& a, B& b, F&& f) { walk_leaves<0>(f, a, b); }

/// The same for any number of models.
template <class F, class... T> constexpr void for_each_leaf_of(F&& f, T&... models) { walk_leaves<0>(f, models...); }

/// Leaf `I` of a model.
template <int I, class T> constexpr auto& leaf(T& object) {
    using type = std::remove_const_t<T>;
    static_assert(I >= 0 && I < leaf_count<type>);
    if constexpr (is_leaf<type>) {
        return object;
    } else if constexpr (is_std_array<type>) {
        constexpr int each = leaf_count<typename type::value_type>;
        return leaf<I % each>(object[I / each]);
    } else {
        constexpr int field = field_of_leaf<type, I>();
        return leaf<I - leaves_before<type, field>()>(std::get<field>(tie_fields(object)));
    }
}

/// The type of leaf `I` of the model `T`.
template <class T, int I> using leaf_t = std::remove_reference_t<decltype(leaf<I>(std::declval<T&>()))>;

// An object whose fields have addresses but which is never made: no field's constructor or destructor runs.
template <class T> union unmade {
    constexpr unmade() : nothing() {}
    constexpr ~unmade() {}
    char nothing;
    T croton_fields;
};
template <class T> inline unmade<T> example{};

template <class T> struct field_address {
    const T* pointer;
};

template <class T, int I> constexpr auto address_of_field() {
    return field_address<field_t<T, I>>{&std::get<I>(tie_fields(example<T>.croton_fields))};
}

template <auto Address> constexpr std::string_view printed_address() { return __PRETTY_FUNCTION__; }

constexpr bool is_name_letter(char c) {
    return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c < 0;
}

template <class T, int I> constexpr std::string_view find_field_name() {
    constexpr std::string_view anchor = "croton_fields.";
    constexpr std::string_view text = printed_address<address_of_field<T, I>()>();
    // The device pass of nvcc prints no fields; its names reach no program.
    if (text.find(anchor) == text.npos) return "field";
    std::size_t begin = text.find(anchor) + anchor.size();
    std::size_t end = begin;
    while (is_name_letter(text[end])) ++end;
    if (text[end] == ')' || text[end] == '}') {
        // clang prints `weight}`.
    } else if (text[end] == '.') {
        // The front end of nvcc prints all fields of the struct in order, `weight.bias)) -16)}`.
        for (int skip = I; skip > 0; --skip) {
            begin = ++end;
            while (is_name_letter(text[end])) ++end;
        }
    } else {
        // g++ prints `dense<symbol>::weight))}; ...`.
        end = text.rfind('}');
        while (!is_name_letter(text[end - 1])) --end;
        begin = end;
        while (is_name_letter(text[begin - 1])) --begin;
    }
    return text.substr(begin, end - begin);
}

/// The name of field `I` of the struct `T`.
template <class T, int I> inline constexpr std::string_view field_name = find_field_name<T, I>();

struct leaf_path {
    char text[256] = {};
    std::size_t size = 0;

    constexpr void add(std::string_view part) {
        for (std::size_t i = 0; i < part.size() && size < sizeof text - 1; ++i) text[size++] = part[i];
    }
    constexpr void add(int number) {
        if (number > 9) add(number / 10);
        const char digit = static_cast<char>('0' + number % 10);
        add(std::string_view(&digit, 1));
    }
};

template <class T, int I> constexpr void add_path(leaf_path& path) {
    if constexpr (is_leaf<T>) {
    } else if constexpr (is_std_array<T>) {
        constexpr int each = leaf_count<typename T::value_type>;
        path.add("[");
        path.add(I / each);
        path.add("]");
        add_path<typename T::value_type, I % each>(path);
    } else {
        constexpr int field = field_of_leaf<T, I>();
        if (path.size > 0) path.add(".");
        path.add(field_name<T, field>);
        add_path<field_t<T, field>, I - leaves_before<T, field>()>(path);
    }
}

template <class T, int I> constexpr leaf_path make_path() {
    leaf_path path;
    add_path<T, I>(path);
    return path;
}

template <class T, int I> inline constexpr leaf_path stored_path = make_path<T, I>();

/// The path of leaf `I` from the model `T`: `hidden.weight`, `layers[1].bias`.
template <class T, int I>
inline constexpr std::string_view leaf_name{stored_path<T, I>.text, stored_path<T, I>.size};

/// What the template of a model says: its kind of array, and the same model over another kind.
template <class T> struct model_traits {
    static constexpr bool value = false;
};

template <template <template <class, int> class> class Model, template <class, int> class Kind>
struct model_traits<Model<Kind>> {
    static constexpr bool value = true;
    template <class T, int Rank> using kind = Kind<T, Rank>;
    template <template <class, int> class NewKind> using rebind = Model<NewKind>;
};

// A model with a size: template <template <class, int> class A, int Layers> struct deep;
template <template <template <class, int> class, int, int...> class Model, template <class, int> class Kind, int N,
          int... More>
struct model_traits<Model<Kind, N, More...>> {
    static constexpr bool value = true;
    template <class T, int Rank> using kind = Kind<T, Rank>;
    template <template <class, int> class NewKind> using rebind = Model<NewKind, N, More...>;
};

// A model made of models, as the state of an optimiser is.
template <template <class...> class Outer, class Model, class... Models>
    requires (model_traits<Model>::value && (model_traits<Models>::value && ...))
struct model_traits<Outer<Model, Models...>> : model_traits<Model> {
    template <template <class, int> class NewKind>
    using rebind = Outer<typename model_traits<Model>::template rebind<NewKind>,
                         typename model_traits<Models>::template rebind<NewKind>...>;
};

/// The model `M` over another kind of array: `rebind_model<mlp<symbol>, on<cpu>::array>` is `mlp<on<cpu>::array>`.
template <class M, template <class, int> class NewKind>
using rebind_model = typename model_traits<M>::template rebind<NewKind>;

/// A struct of arrays: an aggregate that is an instance of `template <template <class, int> class A> struct`, or of a
/// struct over such models.
template <class T>
concept model = std::is_class_v<T> && std::is_aggregate_v<T> && model_traits<T>::value && !is_leaf<T>;

}  // namespace detail

}  // namespace croton::inline v0_1

#endif
