// error: before version 1 of DLPack a tensor cannot say that it may only be read
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>
#include <croton/interop/dlpack.hpp>

#include <memory>

using namespace croton;

int main() {
    const auto x = std::make_shared<const array<float, 1>>(array<float, 1>{1, 2});
#ifdef CROTON_TEST_OK
    auto* tensor = to_dlpack(held_view(x));
#else
    auto* tensor = to_dlpack<dlpack::DLManagedTensor>(held_view(x));
#endif
    tensor->deleter(tensor);
}
