// SPDX-License-Identifier: MIT
#include "device/cuda/table.hpp"

TEST_CASE("every operator of bool on emulated blocks") { device_table::check_operators<bool>(); }
TEST_CASE("every reduction of bool on emulated blocks") { device_table::check_reductions<bool>(); }
