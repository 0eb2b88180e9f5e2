// error: deleted
// error: an array is made of elements of its type and rank; convert them, as in array<float, 1> y = cast<float>(x)
// SPDX-License-Identifier: MIT
#include <vector>

#include <croton/croton.hpp>

using namespace croton;

int main() {
    std::vector<double> v{1, 2};
#ifdef CROTON_TEST_OK
    array<float, 1> x = cast<float>(as_view(v));
#else
    array<float, 1> x(v);
#endif
}
