// SPDX-License-Identifier: MIT
// A random state of arrays, made of its seed by NumPy's name.
#ifndef CROTON_RANDOM_DEFAULT_RNG_HPP
#define CROTON_RANDOM_DEFAULT_RNG_HPP

#include <concepts>
#include <cstdint>

#include <croton/array/array.hpp>
#include <croton/core/model.hpp>
#include <croton/device/cpu/cpu.hpp>
#include <croton/ops/random.hpp>

namespace croton::inline v0_1 {

/// The random state of a seed, which functions draw from as `shared<random_state<symbol>>`, and draws beside arrays as it is: `auto rng = default_rng(42)`.
template <class Device = cpu> auto default_rng(std::uint64_t seed) { return random_state<on<Device>::template array>::seed(seed); }

namespace detail {

/// In the place of the arrays of a state whose type was to follow from its seed: a compile-time error.
template <class T, int Rank> struct seeded_elsewhere {
    static_assert(Rank != 0, "croton: a random state is made of its seed by default_rng, as in auto rng = default_rng(42)");
};

}  // namespace detail

template <std::integral Seed> random_state(Seed) -> random_state<detail::seeded_elsewhere>;

}  // namespace croton::inline v0_1

#endif
