// SPDX-License-Identifier: MIT
#include "device/cuda/table.hpp"

TEST_CASE_TEMPLATE("every operator of longs on emulated blocks", T, std::int64_t, std::uint64_t) { device_table::check_operators<T>(); }
TEST_CASE_TEMPLATE("every reduction of longs on emulated blocks", T, std::int64_t, std::uint64_t) { device_table::check_reductions<T>(); }
