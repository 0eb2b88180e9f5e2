// SPDX-License-Identifier: MIT
#include "golden/integers.hpp"

TEST_CASE_TEMPLATE("numbers of uint8 at the ends of their range are what NumPy makes of them", Device, croton::cpu, croton::reference) {
    golden::check_arithmetic<Device, std::uint8_t>();
    golden::check_rest_and_bits<Device, std::uint8_t>();
    golden::check_reductions<Device, std::uint8_t>();
    golden::check_along<Device, std::uint8_t>();
}
