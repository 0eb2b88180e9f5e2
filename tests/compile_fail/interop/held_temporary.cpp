// error: a view of a temporary would read freed memory; give what holds the elements a name first
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>
#include <croton/interop/dlpack.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    const auto x = from_dlpack<float, 1>(to_dlpack(array<float, 1>{1, 2}));
    x.as_view() *= 2;
#else
    from_dlpack<float, 1>(to_dlpack(array<float, 1>{1, 2})).as_view() *= 2;
#endif
}
