// error: croton: -ffast-math, -Ofast and their parts make wrong numbers of functions such as tanh; add -fno-fast-math where croton is included
// SPDX-License-Identifier: MIT
#ifdef CROTON_TEST_OK
#undef __FAST_MATH__
#undef __FINITE_MATH_ONLY__
#undef __ASSOCIATIVE_MATH__
#undef __RECIPROCAL_MATH__
#undef __NO_SIGNED_ZEROS__
#endif
#include <croton/config.hpp>

int main() {}
