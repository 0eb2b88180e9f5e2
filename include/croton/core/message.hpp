// SPDX-License-Identifier: MIT
// Sentences that are made at run time.
#ifndef CROTON_CORE_MESSAGE_HPP
#define CROTON_CORE_MESSAGE_HPP

#include <croton/compiler.hpp>

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

namespace croton::inline v0_1::detail {

/// Text, or a whole number.
struct message_part {
    std::string_view text;
    std::int64_t number = 0;
    bool is_number = false;

    message_part(std::string_view part) : text(part) {}
    message_part(const std::string& part) : text(part) {}
    message_part(const char* part) : text(part) {}
    template <std::integral Number> message_part(Number part) : number(static_cast<std::int64_t>(part)), is_number(true) {}
};

/// The parts as one text. Sums of strings have a temporary for each part, and every program would be compiled with all of them.
CROTON_PLAIN [[gnu::cold, gnu::noinline]] std::string message(std::initializer_list<message_part> parts) {
    std::string all;
    for (const message_part& part : parts) {
        if (part.is_number) all += std::to_string(part.number);
        else all += part.text;
    }
    return all;
}
CROTON_ONCE(message<>)

/// Throws an error that says the parts.
template <class Error> [[noreturn, gnu::noinline]] void refuse(std::initializer_list<message_part> parts) { throw Error(message(parts)); }

}  // namespace croton::inline v0_1::detail

#endif
