// error: another library would keep elements that it does not own; give the array away by to_dlpack(std::move(x)), or a copy, or hold it by held_view(std::make_shared<array<float, 2>>(x))
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>
#include <croton/interop/dlpack.hpp>

#include <utility>

using namespace croton;

int main() {
    array<float, 1> x{1, 2};
#ifdef CROTON_TEST_OK
    auto* tensor = to_dlpack(std::move(x));
#else
    auto* tensor = to_dlpack(x);
#endif
    tensor->deleter(tensor);
}
