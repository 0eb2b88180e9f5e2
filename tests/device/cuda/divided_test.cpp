// SPDX-License-Identifier: MIT
// Loops that are divided in every way, on emulated blocks of machines with few and with many processors.
#include <doctest/doctest.h>

#include <croton/croton.hpp>

#include "device/emulated_cuda.hpp"
#include "device/divided.hpp"

using namespace test;

TEST_CASE("elements, rows, columns and squares, few and many") {
    using platform = emulated_gpu::platform;
    const int before = platform::processors_;
    for (const int processors : {1, 3, 132}) {
        CAPTURE(processors);
        platform::processors_ = processors;
        check_divisions<emulated_gpu>(20'000);
    }
    platform::processors_ = before;
    for (const auto entry : {detail::cuda_device::entry::main, detail::cuda_device::entry::held, detail::cuda_device::entry::turned, detail::cuda_device::entry::columns}) {
        CAPTURE(static_cast<int>(entry));
        CHECK(platform::launches_of[static_cast<std::size_t>(entry)] > 0);
    }
}
