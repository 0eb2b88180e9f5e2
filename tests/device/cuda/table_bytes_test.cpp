// SPDX-License-Identifier: MIT
#include "device/cuda/table.hpp"

TEST_CASE_TEMPLATE("every operator of bytes on emulated blocks", T, std::int8_t, std::uint8_t) { device_table::check_operators<T>(); }
TEST_CASE_TEMPLATE("every reduction of bytes on emulated blocks", T, std::int8_t, std::uint8_t) { device_table::check_reductions<T>(); }
