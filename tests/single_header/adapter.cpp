// SPDX-License-Identifier: MIT
// A program that includes an adapter, which stands beside the single header and includes it.
#include <croton/interop/dlpack.hpp>

#include <utility>

using namespace croton;

int main() {
    const auto x = from_dlpack<float, 1>(to_dlpack(array<float, 1>{1, 2, 3}));
    const array<float, 1> y = x * 2;
    return y(2) == 6 ? 0 : 1;
}
