// error: croton: wrong shapes, values and files are exceptions; compile without -fno-exceptions where croton is included
// SPDX-License-Identifier: MIT
#ifndef CROTON_TEST_OK
#undef __cpp_exceptions
#undef __EXCEPTIONS
#endif
#include <croton/config.hpp>

int main() {}
