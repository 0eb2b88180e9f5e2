// SPDX-License-Identifier: MIT
#include "device/cuda/table.hpp"

TEST_CASE("every operator of float on emulated blocks") { device_table::check_operators<float>(); }
TEST_CASE("every reduction of float on emulated blocks") { device_table::check_reductions<float>(); }
