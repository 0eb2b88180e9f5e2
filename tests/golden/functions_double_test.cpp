// SPDX-License-Identifier: MIT
#include "golden/functions.hpp"

TEST_CASE_TEMPLATE("functions of special numbers in double are what NumPy and SciPy make of them", Device, croton::cpu, croton::reference) {
    golden::check_functions<Device, double>();
}

TEST_CASE_TEMPLATE("activations of special numbers in double and their slopes are what PyTorch makes of them", Device, croton::cpu, croton::reference) {
    golden::check_activations<Device, double>();
}
