// SPDX-License-Identifier: MIT
// The characters of names and formulas, which files can only hold where they are well-formed UTF-8.
#ifndef CROTON_PROFILE_CHARACTERS_HPP
#define CROTON_PROFILE_CHARACTERS_HPP

#include <cstddef>
#include <string_view>

#include <croton/config.hpp>

namespace croton::inline v0_1::detail {

/// The length of the UTF-8 character at the start of a text that is not empty; 0 where there is none.
inline std::size_t utf8_length(std::string_view text) {
    const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
    const unsigned first = byte(0);
    if (first < 0x80) return 1;
    const std::size_t length = first >= 0xc2 && first < 0xe0   ? 2
                               : first >= 0xe0 && first < 0xf0 ? 3
                               : first >= 0xf0 && first < 0xf5 ? 4
                                                               : 0;
    for (std::size_t i = 1; i < length; ++i)
        if ((byte(i) & 0xc0) != 0x80) return 0;
    // No longer form of a shorter character, no half of a pair, nothing above U+10FFFF.
    if ((first == 0xe0 && byte(1) < 0xa0) || (first == 0xed && byte(1) > 0x9f)) return 0;
    if ((first == 0xf0 && byte(1) < 0x90) || (first == 0xf4 && byte(1) > 0x8f)) return 0;
    return length;
}

/// Calls `f` for each character; what is not UTF-8 becomes U+FFFD, byte by byte.
template <class F> void each_character(std::string_view text, F&& f) {
    while (!text.empty()) {
        const std::size_t length = utf8_length(text);
        f(length == 0 ? std::string_view("\xef\xbf\xbd") : text.substr(0, length));
        text.remove_prefix(length == 0 ? 1 : length);
    }
}

}  // namespace croton::inline v0_1::detail

#endif
