// SPDX-License-Identifier: MIT
#include "device/emulated_cuda.hpp"
#include "ops/members.hpp"

TEST_CASE_TEMPLATE("slices, joins, gathers, scatters, sorts and cumulations of shorts on emulated blocks", T, std::int16_t, std::uint16_t, croton::half, croton::bfloat16) {
    members::check_on<T, emulated_gpu>();
}
