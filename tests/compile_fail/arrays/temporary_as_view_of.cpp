// error: a view of a temporary would read freed memory; give what owns the elements a name first
// SPDX-License-Identifier: MIT
#include <vector>

#include <croton/croton.hpp>

using namespace croton;

int main() {
    const array<float, 1> a{1, 2};
#ifdef CROTON_TEST_OK
    std::vector<float> values{1, 2};
    as_view(values) = a * 2;
#else
    as_view(std::vector<float>{1, 2}) = a * 2;
#endif
}
