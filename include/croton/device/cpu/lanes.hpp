// SPDX-License-Identifier: MIT
// Registers of numbers in the compilers' own terms, for loops that no cost model is to decide about.
#ifndef CROTON_DEVICE_CPU_LANES_HPP
#define CROTON_DEVICE_CPU_LANES_HPP

#include <cstddef>
#include <cstdint>

namespace croton::inline v0_1::detail::cpu_device {

/// A register of numbers as compilers know it, one name for each: nvcc knows none that depends on a type.
template <class V, std::size_t Bytes> struct lanes_of;
template <> struct lanes_of<float, 16> {
    typedef float type __attribute__((vector_size(16)));
};
template <> struct lanes_of<float, 32> {
    typedef float type __attribute__((vector_size(32)));
};
template <> struct lanes_of<float, 64> {
    typedef float type __attribute__((vector_size(64)));
};
template <> struct lanes_of<double, 16> {
    typedef double type __attribute__((vector_size(16)));
};
template <> struct lanes_of<double, 32> {
    typedef double type __attribute__((vector_size(32)));
};
template <> struct lanes_of<double, 64> {
    typedef double type __attribute__((vector_size(64)));
};
template <> struct lanes_of<std::uint8_t, 16> {
    typedef std::uint8_t type __attribute__((vector_size(16)));
};
template <> struct lanes_of<std::uint8_t, 32> {
    typedef std::uint8_t type __attribute__((vector_size(32)));
};
template <> struct lanes_of<std::uint8_t, 64> {
    typedef std::uint8_t type __attribute__((vector_size(64)));
};
template <> struct lanes_of<std::uint16_t, 16> {
    typedef std::uint16_t type __attribute__((vector_size(16)));
};
template <> struct lanes_of<std::uint16_t, 32> {
    typedef std::uint16_t type __attribute__((vector_size(32)));
};
template <> struct lanes_of<std::uint16_t, 64> {
    typedef std::uint16_t type __attribute__((vector_size(64)));
};
template <> struct lanes_of<std::uint32_t, 16> {
    typedef std::uint32_t type __attribute__((vector_size(16)));
};
template <> struct lanes_of<std::uint32_t, 32> {
    typedef std::uint32_t type __attribute__((vector_size(32)));
};
template <> struct lanes_of<std::uint32_t, 64> {
    typedef std::uint32_t type __attribute__((vector_size(64)));
};
template <> struct lanes_of<std::uint64_t, 16> {
    typedef std::uint64_t type __attribute__((vector_size(16)));
};
template <> struct lanes_of<std::uint64_t, 32> {
    typedef std::uint64_t type __attribute__((vector_size(32)));
};
template <> struct lanes_of<std::uint64_t, 64> {
    typedef std::uint64_t type __attribute__((vector_size(64)));
};
template <> struct lanes_of<std::int32_t, 16> {
    typedef std::int32_t type __attribute__((vector_size(16)));
};
template <> struct lanes_of<std::int32_t, 32> {
    typedef std::int32_t type __attribute__((vector_size(32)));
};
template <> struct lanes_of<std::int32_t, 64> {
    typedef std::int32_t type __attribute__((vector_size(64)));
};
template <> struct lanes_of<std::int64_t, 16> {
    typedef std::int64_t type __attribute__((vector_size(16)));
};
template <> struct lanes_of<std::int64_t, 32> {
    typedef std::int64_t type __attribute__((vector_size(32)));
};
template <> struct lanes_of<std::int64_t, 64> {
    typedef std::int64_t type __attribute__((vector_size(64)));
};

template <class Arch> constexpr std::size_t register_bytes() {
    if constexpr (requires { Arch::alignment(); }) return Arch::alignment() >= 64 ? 64 : Arch::alignment() >= 32 ? 32 : 16;
    else return 16;
}

}  // namespace croton::inline v0_1::detail::cpu_device

#endif
