// error: a view of a temporary would read freed memory; give what owns the elements a name first
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

#include <vector>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    std::vector<float> values{1, 2};
    view<float, 1> v(values);
#else
    view<const float, 1> v(std::vector<float>{1, 2});
#endif
}
