// SPDX-License-Identifier: MIT
// What of functions on the CPU a program of many files compiles once.
#ifndef CROTON_FUNCTION_INSTANCES_HPP
#define CROTON_FUNCTION_INSTANCES_HPP

#include <croton/compiler.hpp>
#include <croton/device/cpu/cpu.hpp>
#include <croton/function/packing.hpp>

namespace croton::inline v0_1::detail {

CROTON_ONCE(packing_bytes<cpu>)

}  // namespace croton::inline v0_1::detail

#endif
