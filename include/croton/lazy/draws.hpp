// SPDX-License-Identifier: MIT
// Draws of given extents where they stand, from a random state of arrays: each is computed at once, and counts the state on.
#ifndef CROTON_LAZY_DRAWS_HPP
#define CROTON_LAZY_DRAWS_HPP

#include <string_view>
#include <utility>

#include <croton/lazy/lazy.hpp>
#include <croton/ops/random.hpp>

namespace croton::inline v0_1 {

// The element type and the extents stand in angle brackets; the arguments are numbers, if any, and a state.
#define CROTON_DRAWN(name_)                                                                                               \
    namespace detail::call_of {                                                                                           \
    template <class T, auto... P> struct name_ {                                                                          \
        using numbers = T;                                                                                                \
        static constexpr std::string_view name = #name_;                                                                  \
        template <class... E> constexpr auto operator()(E... e) const { return ::croton::name_<T, P...>(e...); }          \
    };                                                                                                                    \
    }                                                                                                                     \
    template <class T, extent_code... P, class... X> requires (detail::state_of_draws<X> || ...)                          \
    auto name_(X&&... x) { return detail::lazily<detail::call_of::name_<T, P...>>(std::forward<X>(x)...); }

CROTON_DRAWN(uniform)
CROTON_DRAWN(normal)
CROTON_DRAWN(random_bits)
CROTON_DRAWN(exponential)
CROTON_DRAWN(gumbel)
CROTON_DRAWN(truncated_normal)
CROTON_DRAWN(randint)

#undef CROTON_DRAWN

}  // namespace croton::inline v0_1

#endif
