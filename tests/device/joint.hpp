// SPDX-License-Identifier: MIT
// Loops that share a launch, on any device that has such: members of every size.
#ifndef CROTON_TESTS_DEVICE_JOINT_HPP
#define CROTON_TESTS_DEVICE_JOINT_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "device/compare.hpp"

namespace test {

/// Four arrays that have nothing in common but a number, each with its loop.
template <class Device> auto four_loops() {
    using V = vector<float>;
    return function<Device>("four loops", [](V a, matrix<float> b, tensor<float, dynamic, dynamic, dynamic> c, V d, scalar<float> s) {
        return outputs(tanh(a) * s, tanh(b) * s, tanh(c) * s, tanh(d) * s);
    });
}

/// Around warps and blocks, wide and narrow, empty and strided.
template <class Device> void check_joint_sizes() {
    auto f = four_loops<Device>();
    auto g = four_loops<reference>();
    CHECK(f.plan().steps[0].together == 4);
    for (const auto& e : {std::array<std::int64_t, 4>{1, 1, 1, 1}, {0, 3, 5, 1}, {64, 0, 0, 0}, {0, 0, 1, 0}, {1000, 17, 4, 3}, {4096, 63, 2, 257}, {5, 128, 64, 0},
                          {31, 33, 32, 1025}, {1023, 1, 8, 1024}}) {
        CAPTURE(e[0]);
        const auto a = random_array<float, 1>(1, e[0]);
        const auto b = random_array<float, 2>(2, e[1], e[2]);
        const auto c = random_array<float, 3>(3, 2, e[2], e[3]);
        const auto d = random_array<float, 1>(4, e[3]);
        // Transposed: walked with strides, beside neighbours that are walked in pieces.
        const auto [fa, fb, fc, fd] = f(a, b.as_view().transpose(), c, d, 0.5f);
        const auto [ga, gb, gc, gd] = g(a, b.as_view().transpose(), c, d, 0.5f);
        check_close(fa, ga);
        check_close(fb, gb);
        check_close(fc, gc);
        check_close(fd, gd);
    }
}

/// Arrays of 0, 1, 2, ... elements, copied side by side: more of them than one launch has arguments for, and several KiB of those.
template <class Device, int Count> void check_many_members() {
    using kernel_type = kernel::kernel<0, 8, kernel::block<>, kernel::block<>,
                                       kernel::phase<kernel::block<kernel::load<float, 0>, kernel::store<float, 1, kernel::e<0, float>>>, kernel::block<>, kernel::block<>>>;
    std::vector<array<float, 1>> from;
    std::vector<array<float, 1, Device>> there, to;
    std::vector<std::int64_t> extents(Count * max_rank, 1);
    std::vector<kernel::operand> slots;
    for (int i = 0; i < Count; ++i) {
        from.push_back(random_array<float, 1>(static_cast<unsigned>(i), i));
        there.push_back(from.back().template to<Device>());
        to.emplace_back(i);
        extents[static_cast<std::size_t>(i * max_rank + 7)] = i;
    }
    for (std::size_t i = 0; i < Count; ++i)
        for (array<float, 1, Device>* one : {&there[i], &to[i]}) slots.push_back({reinterpret_cast<std::byte*>(one->data()), {0, 0, 0, 0, 0, 0, 0, 1}});
    Device::template run_joined<kernel_type, Count>(extents.data(), slots.data(), 2, nullptr);
    for (std::size_t i = 0; i < Count; ++i) check_close(to[i], from[i], 0);
}

}  // namespace test

#endif
