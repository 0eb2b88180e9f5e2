// SPDX-License-Identifier: MIT
#include "golden/special_floating.hpp"

TEST_CASE_TEMPLATE("special numbers in double are what NumPy makes of them", Device, croton::cpu, croton::reference) {
    golden::check_unary<Device, double>();
    golden::check_binary<Device, double>();
    golden::check_rows<Device, double>();
    golden::check_products<Device, double>();
}
