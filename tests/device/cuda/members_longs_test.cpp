// SPDX-License-Identifier: MIT
#include "device/emulated_cuda.hpp"
#include "ops/members.hpp"

TEST_CASE_TEMPLATE("slices, joins, gathers, scatters, sorts and cumulations of longs on emulated blocks", T, std::int64_t, std::uint64_t, double) {
    members::check_on<T, emulated_gpu>();
}
