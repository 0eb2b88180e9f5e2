// SPDX-License-Identifier: MIT
// What a call says that throws.
#ifndef CROTON_TESTS_MESSAGE_OF_HPP
#define CROTON_TESTS_MESSAGE_OF_HPP

#include <exception>
#include <string>

namespace test {

/// The sentence of the `Error` that `call` throws; nothing where it throws none. Errors of other types go on.
template <class Error = std::exception, class F> std::string message_of(F&& call) {
    try {
        call();
    } catch (const Error& e) {
        return e.what();
    }
    return "";
}

}  // namespace test

#endif
