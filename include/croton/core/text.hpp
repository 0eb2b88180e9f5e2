// SPDX-License-Identifier: MIT
// Text made during constant evaluation, and how a sentence made there becomes a compiler's error message.
#ifndef CROTON_CORE_TEXT_HPP
#define CROTON_CORE_TEXT_HPP

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

#include <croton/config.hpp>
#include <croton/core/vec.hpp>

namespace croton::inline v0_1 {

namespace detail {

class text_builder {
public:
    constexpr text_builder& operator<<(std::string_view s) {
        for (const char c : s) chars_.push(c);
        return *this;
    }
    constexpr text_builder& operator<<(std::int64_t value) {
        if (value < 0) {
            chars_.push('-');
            value = -value;
        }
        char digits[20]{};
        int n = 0;
        do {
            digits[n++] = static_cast<char>('0' + value % 10);
            value /= 10;
        } while (value != 0);
        while (n > 0) chars_.push(digits[--n]);
        return *this;
    }
    constexpr text_builder& operator<<(int value) { return *this << static_cast<std::int64_t>(value); }

    constexpr bool empty() const { return chars_.empty(); }
    constexpr std::string_view view() const {
        return {chars_.begin(), static_cast<std::size_t>(chars_.size())};
    }

private:
    vec<char> chars_;
};

/// A sentence as a template value, which g++ prints as text.
template <std::size_t N> struct sentence {
    char chars[N + 1]{};
};

/// A sentence as a template type, letter by letter: all that every clang prints whole.
template <char... Letters> struct words {};

}  // namespace detail

/// Instantiated with the sentence that says what is wrong with a program; it never compiles.
template <auto Sentence> struct error {
    static_assert(sizeof(Sentence) == 0, "croton: the program is wrong; the sentence is in the template argument of error<...>");
};

namespace detail {

/// Makes the compiler print `Text::view()` and stop.
template <class Text> struct report_error {
    static constexpr std::size_t size = Text::view().size();

    static constexpr auto text() {
        sentence<size> s;
        for (std::size_t i = 0; i < size; ++i) s.chars[i] = Text::view()[i];
        return s;
    }
    template <std::size_t... I> static constexpr auto letters(std::index_sequence<I...>) {
        return words<Text::view()[I]...>();
    }
    static constexpr auto value() {
        if constexpr (prints_text_values) return error<text()>();
        else return error<letters(std::make_index_sequence<size>())>();
    }
    static constexpr auto stop = value();
};

}  // namespace detail

}  // namespace croton::inline v0_1

#endif
