// error: a model struct holds arrays, structs of arrays and std::arrays of those, and nothing else
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

template <template <class, int> class A> struct settings {
    A<float, 2> w;
};
template <template <class, int> class A> struct wrong_settings {
    A<float, 2> w;
    int size;
};

int main() {
#ifdef CROTON_TEST_OK
    settings<on<cpu>::array> s;
    auto zeros = zeros_like(s);
#else
    wrong_settings<on<cpu>::array> s;
    auto zeros = zeros_like(s);
#endif
}
