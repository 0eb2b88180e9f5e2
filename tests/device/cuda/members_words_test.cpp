// SPDX-License-Identifier: MIT
#include "device/emulated_cuda.hpp"
#include "ops/members.hpp"

TEST_CASE_TEMPLATE("slices, joins, gathers, scatters, sorts and cumulations of words on emulated blocks", T, std::int32_t, std::uint32_t, float) {
    members::check_on<T, emulated_gpu>();
}
