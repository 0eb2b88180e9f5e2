// SPDX-License-Identifier: MIT
// Numbers in short texts, as printf writes them.
#ifndef CROTON_CORE_FORMATTED_HPP
#define CROTON_CORE_FORMATTED_HPP

#include <cstddef>
#include <cstdio>
#include <string>

namespace croton::inline v0_1::detail {

template <class... A> std::string formatted(const char* how, A... values) {
    char text[256];
    const int length = std::snprintf(text, sizeof text, how, values...);
    return std::string(text, static_cast<std::size_t>(length < 0 ? 0 : length < 255 ? length : 255));
}

}  // namespace croton::inline v0_1::detail

#endif
