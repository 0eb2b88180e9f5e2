// SPDX-License-Identifier: MIT
// Products with factors that are known at the call, on any device: special numbers in everything that is multiplied.
#ifndef CROTON_TESTS_DEVICE_FACTORS_HPP
#define CROTON_TESTS_DEVICE_FACTORS_HPP

#include <cmath>
#include <limits>

#include "device/compare.hpp"

namespace test {

/// Factors that are 0 at the call keep what is no number.
template <class Device> void check_zero_factors() {
    constexpr auto program = [](matrix<float> a, matrix<float> b, matrix<float> c, scalar<float> s, scalar<float> t, shared<vector<float>> w, vector<float> e,
                                shared<tensor<float, dynamic, dynamic, dynamic>> p, tensor<float, dynamic, dynamic, dynamic> q) {
        return outputs(s * dot(a, b) + t * c, t * c - 2 * dot(a, b)).updates(w -= s * dot(transpose(a), e), update(p, t * p - s * matmul(q, q)));
    };
    auto on_gpu = function<Device>(program);
    auto on_cpu = function<reference>(program);
    constexpr float inf = std::numeric_limits<float>::infinity(), no = std::numeric_limits<float>::quiet_NaN(), numbers[] = {no, inf, -inf, 2};
    for (unsigned n = 0; n < 64; ++n) {
        const float special = numbers[n / 16];
        array<float, 2> a(3, 2), b(2, 5), c(3, 5);
        array<float, 1> w{1, 2}, e{1, -1, 2};
        array<float, 3> p(2, 3, 3), q(2, 3, 3);
        float at = 0;
        const auto fill = [&](auto&... each) {
            const auto one = [&](auto& x) {
                for (float& v : x) v = std::sin(at += 1.7f);
            };
            (one(each), ...);
        };
        fill(a, b, c, p, q);
        switch (n % 4) {
        case 0: a(1, 0) = special; break;
        case 1: b(0, 3) = special; break;
        case 2: c(2, 2) = w(1) = p(1, 0, 2) = special; break;
        default: e(2) = q(1, 1, 1) = special;
        }
        const float s = n / 4 % 2 == 0 ? 0.f : 0.5f, t = n / 8 % 2 == 0 ? 0.f : 3.f;
        auto w_there = w.template to<Device>();
        auto p_there = p.template to<Device>();
        const auto [x, y] = on_gpu(a, b, c, s, t, w_there, e, p_there, q);
        const auto [u, v] = on_cpu(a, b, c, s, t, w, e, p, q);
        CAPTURE(special);
        CAPTURE(n);
        const auto same = [](const auto& there, const auto& want) {
            const auto got = there.template to<cpu>();
            for (std::int64_t i = 0; i < want.size(); ++i) {
                const float one = got.data()[i], other = want.data()[i];
                const bool as_wanted = std::isnan(other) ? std::isnan(one) : one == other || std::fabs(one - other) <= 1e-5f;
                CHECK(as_wanted);
            }
        };
        same(x, u);
        same(y, v);
        same(w_there, w);
        same(p_there, p);
    }
}

}  // namespace test

#endif
