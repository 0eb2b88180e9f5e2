// SPDX-License-Identifier: MIT
#include "device/emulated_cuda.hpp"
#include "ops/members.hpp"

TEST_CASE_TEMPLATE("slices, joins, gathers, scatters, sorts and cumulations of bytes on emulated blocks", T, bool, std::int8_t, std::uint8_t) {
    members::check_on<T, emulated_gpu>();
}
