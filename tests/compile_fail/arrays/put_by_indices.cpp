// error: what is assigned to a temporary array is lost; a part is written by x(slice(1, -1)).copy_from(y) or .fill(0), and where indices lead by x = set_at<0>(x, ids, y)
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
    array<float, 2> x(3, 4), y(2, 4);
    const array<int, 1> ids{2, 1};
#ifdef CROTON_TEST_OK
    auto put = function<cpu>([](matrix<float> v, vector<int> i, matrix<float> to) { return set_at<0>(v, i, to); });
    x = put(x, ids, y);
#else
    x(ids) = y;
#endif
}
