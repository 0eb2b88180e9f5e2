// SPDX-License-Identifier: MIT
#include "golden/functions.hpp"

TEST_CASE_TEMPLATE("division with a rest and bits of integers are what NumPy makes of them", Device, croton::cpu, croton::reference) {
    golden::check_bits<Device, int>();
    golden::check_bits<Device, std::int64_t>();
}
