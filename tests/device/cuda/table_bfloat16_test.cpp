// SPDX-License-Identifier: MIT
#include "device/cuda/table.hpp"

TEST_CASE("every operator of bfloat16 on emulated blocks") { device_table::check_operators<croton::bfloat16>(); }
TEST_CASE("every reduction of bfloat16 on emulated blocks") { device_table::check_reductions<croton::bfloat16>(); }
