// SPDX-License-Identifier: MIT
// Text made during constant evaluation, and how a sentence made there becomes a compiler's error message.
#ifndef CROTON_CORE_TEXT_HPP
#define CROTON_CORE_TEXT_HPP

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>
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
    template <std::integral Number> constexpr text_builder& operator<<(Number value) {
        std::uint64_t rest = static_cast<std::uint64_t>(value);
        if (value < 0) {
            chars_.push('-');
            rest = 0 - rest;
        }
        char digits[20]{};
        int n = 0;
        do {
            digits[n++] = static_cast<char>('0' + rest % 10);
            rest /= 10;
        } while (rest != 0);
        while (n > 0) chars_.push(digits[--n]);
        return *this;
    }

    constexpr bool empty() const { return chars_.empty(); }
    constexpr std::string_view view() const {
        return {chars_.begin(), static_cast<std::size_t>(chars_.size())};
    }

private:
    vec<char> chars_;
};

template <std::size_t N> struct sentence {
    char chars[N + 1]{};
};

/// A sentence as a template value, which g++ prints as text.
template <auto Sentence> struct text {};

/// A sentence letter by letter: all that every clang prints whole.
template <char... Letters> struct words {};

/// Named with the sentence that says what is wrong with a program. It has no definition: the compiler's error says so in one line,
/// and that line holds the sentence.
template <class Sentence> struct error;

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
#else
    static constexpr auto stored() {
        sentence<size> s;
        for (std::size_t i = 0; i < size; ++i) s.chars[i] = Text::view()[i];
        return s;
    }
    template <std::size_t... I> static constexpr auto in_words(std::index_sequence<I...>) {
        if constexpr (prints_text_values) return std::type_identity<text<stored()>>();
        else return std::type_identity<words<Text::view()[I]...>>();
    }
    static_assert(sizeof(error<typename decltype(in_words(std::make_index_sequence<size>()))::type>) != 0);
#endif
};

/// Its size stops the compiler with the sentence that `Say::say(text_builder&)` writes.
template <class Say> using sentence_of = report_error<text_of<Say>>;

}  // namespace detail

}  // namespace croton::inline v0_1

#endif
