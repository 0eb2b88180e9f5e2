// SPDX-License-Identifier: MIT
#include "golden/special_floating.hpp"

TEST_CASE_TEMPLATE("special numbers in float are what NumPy makes of them", Device, croton::cpu, croton::reference) {
    golden::check_unary<Device, float>();
    golden::check_binary<Device, float>();
    golden::check_rows<Device, float>();
    golden::check_products<Device, float>();
}
