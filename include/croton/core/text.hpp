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

/// What a function or an expression of a wrong program is: it goes wherever a right one would, so that the sentence stays
/// the only error.
struct wrong_program {
    constexpr wrong_program() = default;
    template <class... A> constexpr wrong_program(const A&...) {}
    template <class... A> wrong_program operator()(A&&...) const { return {}; }
    template <class... A> void call_into(A&&...) const {}
    template <class T> operator T() const;
};

namespace detail {

/// `Say::say(text_builder&)` as text that lasts.
template <class Say> struct text_of {
    static constexpr std::size_t size = [] {
        text_builder text;
        Say::say(text);
        return text.view().size();
    }();
    static constexpr auto stored = [] {
        text_builder text;
        Say::say(text);
        sentence<size> s;
        for (std::size_t i = 0; i < size; ++i) s.chars[i] = text.view()[i];
        return s;
    }();
    static constexpr std::string_view view() { return {stored.chars, size}; }
};

/// Makes the compiler print `Text::view()` and stop.
template <class Text> struct report_error {
    static constexpr std::size_t size = Text::view().size();
#if CROTON_HAS_STATIC_ASSERT_TEXT
    static_assert(size == std::size_t(-1), Text::view());
    static constexpr auto value() { return 0; }
#else
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
#endif
    static constexpr auto stop = value();
};

/// Stops with the sentence that `Say::say(text_builder&)` writes.
template <class Say> constexpr void stop_with() { (void)sizeof(report_error<text_of<Say>>); }

}  // namespace detail

}  // namespace croton::inline v0_1

#endif
