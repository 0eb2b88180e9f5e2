// SPDX-License-Identifier: MIT
#include "device/cuda/table.hpp"

TEST_CASE_TEMPLATE("every operator of words on emulated blocks", T, std::int32_t, std::uint32_t) { device_table::check_operators<T>(); }
TEST_CASE_TEMPLATE("every reduction of words on emulated blocks", T, std::int32_t, std::uint32_t) { device_table::check_reductions<T>(); }
