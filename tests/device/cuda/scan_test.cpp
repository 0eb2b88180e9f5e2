// SPDX-License-Identifier: MIT
// Loops on a device with a memory of its own, whose steps are recorded.
#include "device/scans.hpp"

#include "device/emulated_cuda.hpp"

using gpu = emulated_gpu;

namespace {

/// How many of the calls in `check` were replays of what had been recorded, and whether there were any that might be.
template <class Check> std::pair<int, int> recorded(const Check& check) {
    gpu::recording::runs = gpu::recording::replays = 0;
    check();
    return {gpu::recording::runs, gpu::recording::replays};
}

}  // namespace

TEST_CASE("turns that extents count are recorded") {
    CHECK(recorded(test::check_nested_loops<gpu>).first == 1);
    CHECK(recorded(test::check_truncated<gpu>).first == 2);
    CHECK(recorded(test::check_chunks<gpu>).first == 4);
}

TEST_CASE("where the device cannot decide, the host reads how many turns there are, and nothing is recorded") {
    gpu::turns::refused = true;
    CHECK(recorded(test::check_until<gpu>) == std::pair(0, 0));
    CHECK(recorded(test::check_counted<gpu>) == std::pair(0, 0));
    CHECK(recorded(test::check_branches<gpu>) == std::pair(0, 0));
    gpu::turns::refused = false;
}
