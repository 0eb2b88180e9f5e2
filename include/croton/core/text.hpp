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
#include <croton/core/wrong.hpp>

namespace croton::inline v0_1 {

namespace detail {

class text_builder {
public:
    // Not copied into what says something while the program runs.
    [[gnu::noinline]] constexpr text_builder& operator<<(std::string_view s) {
        for (const char c : s) chars_.push(c);
        return *this;
    }
    template <std::integral Number> constexpr text_builder& operator<<(Number value) { return write(static_cast<std::uint64_t>(value), value < 0); }

    constexpr bool empty() const { return chars_.empty(); }
    constexpr std::string_view view() const {
        return {chars_.begin(), static_cast<std::size_t>(chars_.size())};
    }

private:
    vec<char> chars_;

    [[gnu::noinline]] constexpr text_builder& write(std::uint64_t rest, bool negative) {
        if (negative) {
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
};

template <std::size_t N> struct sentence {
    char chars[N + 1]{};
};

/// A sentence as a template value, which g++ prints as text.
template <auto Sentence> struct text {};

/// A sentence letter by letter: all that every clang prints whole.
template <char... Letters> struct words {};

/// Named with the sentence that says what is wrong with a program, in one line of what the compiler prints: g++ names what has no
/// definition. clang then adds where it was declared, but names a requirement that is not met alone.
template <class Sentence> struct error;
template <class Error> inline constexpr bool error_free = false;

/// `Say::say(text_builder&)`, or the text `Say::view()`, as text that lasts.
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
template <class Say>
    requires requires { Say::view(); }
struct text_of<Say> : Say {
    static constexpr std::size_t size = Say::view().size();
};

template <class Text> constexpr auto copied() {
    sentence<Text::size> s;
    for (std::size_t i = 0; i < Text::size; ++i) s.chars[i] = Text::view()[i];
    return s;
}
template <class Text, std::size_t... I> constexpr auto in_words(std::index_sequence<I...>) {
    if constexpr (prints_text_values) return std::type_identity<text<copied<Text>()>>();
    else return std::type_identity<words<Text::view()[I]...>>();
}

/// Calling it stops the compiler with the sentence that `Say` writes. It is a function, for clang takes a class of which a
/// static_assert fails as wrong itself, and says so wherever it is used.
template <class Say> constexpr bool sentence_of() {
    static_cast<void>(any_sentence_stands<Say>());
    using said = text_of<Say>;
#if CROTON_HAS_STATIC_ASSERT_TEXT
    static_assert(said::size == std::size_t(-1), said::view());
#else
    using printed = typename decltype(in_words<said>(std::make_index_sequence<said::size>()))::type;
    if constexpr (prints_text_values) static_assert(sizeof(error<printed>) != 0);
    else static_assert(error_free<error<printed>>);
#endif
    return true;
}

}  // namespace detail

}  // namespace croton::inline v0_1

#endif
