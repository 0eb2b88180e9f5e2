// error: croton: what is computed into a temporary array is lost; a part is written by x(slice(1, -1)) += y, where indices lead by x = add_at<0>(x, ids, y) or set_at, and where a mask does by x = where(mask, x + y, x)
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
    array<float, 2> x{{1, 2}, {3, 4}};
    const array<int, 1> ids{1};
#ifdef CROTON_TEST_OK
    x(slice(), none) += 1;
#else
    x(slice(), none, ids) += 1;
#endif
}
