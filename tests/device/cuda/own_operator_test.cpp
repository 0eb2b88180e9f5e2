// SPDX-License-Identifier: MIT
// Operators of a user's structs in the kernels of the CUDA device.
#include <doctest/doctest.h>

#include <cmath>

#include <croton/croton.hpp>

#include "device/emulated_cuda.hpp"
#include "ops/own_operators.hpp"

using namespace croton;
using own_operators::gaussian;
using own_operators::mixture;
using own_operators::near;

namespace {

auto make(auto device) {
    return function<decltype(device)>([](matrix<float> x, vector<float> row) {
        auto y = where(elementwise<near>(x, row), elementwise<gaussian>(x), elementwise<mixture>(x, row, 0.25f));
        auto [gx, gr] = grad(sum(y * y), x, row);
        return outputs(y, sum<1>(y), gx, gr);
    });
}

template <int R> bool close(const array<float, R>& a, const array<float, R>& b) {
    for (std::int64_t i = 0; i < a.size(); ++i)
        if (!(std::fabs(a.data()[i] - b.data()[i]) <= 1e-4f * (1 + std::fabs(b.data()[i])))) return false;
    return a.extents() == b.extents();
}

}  // namespace

TEST_CASE("emulated blocks compute operators of structs as the reference device does") {
    auto on_gpu = make(emulated_gpu());
    auto plain = make(reference());
    for (const auto& size : {std::pair{1, 1}, {3, 40}, {37, 130}}) {
        array<float, 2> x(size.first, size.second);
        array<float, 1> row(size.second);
        unsigned state = 7;
        const auto draw = [&] { return static_cast<float>((state = state * 1664525u + 1013904223u) >> 8) / 8388608.0f - 1; };
        for (float& v : x) v = draw();
        for (float& v : row) v = draw();
        const auto [y, s, gx, gr] = on_gpu(x, row);
        const auto [ey, es, ex, er] = plain(x, row);
        CHECK(close(y.to<cpu>(), ey));
        CHECK(close(s.to<cpu>(), es));
        CHECK(close(gx.to<cpu>(), ex));
        CHECK(close(gr.to<cpu>(), er));
    }
}
