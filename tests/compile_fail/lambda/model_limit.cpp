// error: a model struct has at most 32 fields; group them in structs
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

template <template <class, int> class A> struct small {
    A<float, 1> a0;
};
template <template <class, int> class A> struct large {
    A<float, 1> a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19, a20, a21, a22, a23, a24, a25, a26, a27, a28, a29, a30, a31, a32;
};

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](small<symbol> m) { return m.a0; });
#else
    auto f = function<cpu>([](large<symbol> m) { return m.a0; });
#endif
}
