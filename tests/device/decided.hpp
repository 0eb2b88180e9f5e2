// SPDX-License-Identifier: MIT
// Calls that are recorded with loops whose turns the emulated device decides on.
#ifndef CROTON_TESTS_DEVICE_DECIDED_HPP
#define CROTON_TESTS_DEVICE_DECIDED_HPP

#include "device/scans.hpp"

#include "device/emulated_cuda.hpp"

namespace test {

using gpu = emulated_gpu;

template <class Check> void check_recorded(const Check& check, int runs, int replays) {
    gpu::recording::runs = gpu::recording::replays = gpu::turns::asked = gpu::turns::taken = 0;
    check();
    CHECK(gpu::recording::runs == runs);
    CHECK(gpu::recording::replays == replays);
    CHECK(gpu::turns::taken > 0);
    CHECK(gpu::turns::asked > gpu::turns::taken);
}

}  // namespace test

#endif
