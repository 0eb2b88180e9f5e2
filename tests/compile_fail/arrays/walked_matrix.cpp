// error: a view with several axes is walked along by its rows, as in for (auto row : x.rows())
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
    array<float, 2> a{{1, 2}, {3, 4}};
    array<float, 1> total(2);
#ifdef CROTON_TEST_OK
    for (auto row : a(slice(0, 1)).rows()) total += row;
#else
    for (auto row : a(slice(0, 1))) total += row;
#endif
}
