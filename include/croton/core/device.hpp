// SPDX-License-Identifier: MIT
// The names of the devices, so that arrays can be declared before any device is defined.
#ifndef CROTON_CORE_DEVICE_HPP
#define CROTON_CORE_DEVICE_HPP

#include <string_view>

#include <croton/config.hpp>

namespace croton::inline v0_1 {

struct cpu;
struct reference;
struct cuda;

/// The device of a function that names none: `cpu` unless CROTON_DEFAULT_DEVICE says otherwise.
using default_device = CROTON_DEFAULT_DEVICE;

namespace detail {

template <class Device> inline constexpr std::string_view device_name = "a device";
template <> inline constexpr std::string_view device_name<cpu> = "cpu";
template <> inline constexpr std::string_view device_name<reference> = "reference";
template <> inline constexpr std::string_view device_name<cuda> = "cuda";

}  // namespace detail

}  // namespace croton::inline v0_1

#endif
