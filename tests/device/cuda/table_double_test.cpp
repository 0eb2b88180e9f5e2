// SPDX-License-Identifier: MIT
#include "device/cuda/table.hpp"

TEST_CASE("every operator of double on emulated blocks") { device_table::check_operators<double>(); }
TEST_CASE("every reduction of double on emulated blocks") { device_table::check_reductions<double>(); }
