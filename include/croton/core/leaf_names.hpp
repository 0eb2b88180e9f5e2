// SPDX-License-Identifier: MIT
// The names of the fields of a struct, and the paths to the leaves of a model.
#ifndef CROTON_CORE_LEAF_NAMES_HPP
#define CROTON_CORE_LEAF_NAMES_HPP

#include <cstddef>
#include <string_view>

#include <croton/core/leaves.hpp>
#include <croton/core/literals.hpp>

namespace croton::inline v0_1::detail {

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
    return field_address<field_t<T, I>>{&field<I>(tie_fields(example<T>.croton_fields))};
}

template <auto Address> constexpr std::string_view printed_address() { return whole_text(__PRETTY_FUNCTION__); }

constexpr bool is_name_letter(char c) {
    return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || static_cast<signed char>(c) < 0;
}

template <class T, int I> constexpr std::string_view find_field_name() {
    constexpr std::string_view anchor = "croton_fields."sv;
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
    } else if constexpr (is_array_of_fields<T>) {
        constexpr int each = leaf_count<array_element<T>>;
        path.add("[");
        path.add(I / each);
        path.add("]");
        add_path<array_element<T>, I % each>(path);
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

}  // namespace croton::inline v0_1::detail

#endif
