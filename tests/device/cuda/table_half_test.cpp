// SPDX-License-Identifier: MIT
#include "device/cuda/table.hpp"

TEST_CASE("every operator of half on emulated blocks") { device_table::check_operators<croton::half>(); }
TEST_CASE("every reduction of half on emulated blocks") { device_table::check_reductions<croton::half>(); }
