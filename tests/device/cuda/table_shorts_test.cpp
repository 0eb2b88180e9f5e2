// SPDX-License-Identifier: MIT
#include "device/cuda/table.hpp"

TEST_CASE_TEMPLATE("every operator of shorts on emulated blocks", T, std::int16_t, std::uint16_t) { device_table::check_operators<T>(); }
TEST_CASE_TEMPLATE("every reduction of shorts on emulated blocks", T, std::int16_t, std::uint16_t) { device_table::check_reductions<T>(); }
