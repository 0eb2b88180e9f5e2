// SPDX-License-Identifier: MIT
// Draws of given extents where they stand, from a random state of arrays: each is computed at once, and counts the state on.
#ifndef CROTON_LAZY_DRAWS_HPP
#define CROTON_LAZY_DRAWS_HPP

#include <string_view>
#include <type_traits>
#include <utility>

#include <croton/core/text.hpp>
#include <croton/core/wrong.hpp>
#include <croton/lazy/lazy.hpp>
#include <croton/ops/random.hpp>

namespace croton::inline v0_1 {

namespace detail {
/// Whether these are so many numbers and a state behind them.
template <int Numbers, class... X> inline constexpr bool draws_from = false;
template <class X> inline constexpr bool draws_from<0, X> = state_of_draws<X>;
template <int Numbers, class First, class... Rest>
    requires(Numbers > 0)
inline constexpr bool draws_from<Numbers, First, Rest...> = draws_from<Numbers - 1, Rest...>;

template <class Function> struct state_missing {
    static constexpr void say(text_builder& text) {
        text << Function::example << " has an element type and extents in angle brackets, and draws from a random state, auto rng = default_rng(42), in a function a parameter, shared<random_state<symbol>> rng";
    }
};
/// What stands first in a call without a state or without an element type: a number, nothing, or a state. It is converted to this, so that any other function of that name fits better.
template <class Function> struct no_state {
    template <class X> requires (number<X> || requires(const X& x) { x.calls; })
    constexpr no_state(const X&) noexcept(sentence_of<state_missing<Function>>() && sentence_stands<X>()) {}
};
}  // namespace detail

// The element type and the extents stand in angle brackets; the arguments are `numbers_` numbers, `words_`, and a state. `like_` takes the extents of an array.
#define CROTON_DRAWN(name_, numbers_, words_, like_)                                                                           \
    namespace detail::call_of {                                                                                           \
    template <class T, auto... P> struct name_ {                                                                          \
        using numbers = T;                                                                                                \
        static constexpr std::string_view name = #name_, example = #name_ "<T, 3, 2>(" words_ "rng)";                     \
        template <class... E> constexpr auto operator()(E... e) const { return ::croton::name_<T, P...>(e...); }          \
    };                                                                                                                    \
    }                                                                                                                     \
    template <class T, extent_code... P, class... X> requires (detail::state_of_draws<X> || ...)                          \
    auto name_(X&&... x) {                                                                                                \
        constexpr bool fits = detail::draws_from<numbers_, X...>;                                                         \
        static_assert(fits, "croton: " #name_ "<T, 3, 2>(" words_ "rng): extents stand in angle brackets, and rng behind all else; those of an array x has " like_); \
        if constexpr (fits) return detail::lazily<detail::call_of::name_<T, P...>>(std::forward<X>(x)...);                \
        else return detail::wrong_result{};                                                                               \
    }                                                                                                                     \
    template <class T = void, extent_code... P> detail::wrong_result name_(std::type_identity_t<detail::no_state<detail::call_of::name_<T>>> = 0, ...);

CROTON_DRAWN(uniform, 0, "", "uniform_like(x, rng)")
CROTON_DRAWN(normal, 0, "", "normal_like(x, rng)")
CROTON_DRAWN(random_bits, 0, "", "random::bits(x, seed)")
CROTON_DRAWN(exponential, 0, "", "exponential_like(x, rng)")
CROTON_DRAWN(gumbel, 0, "", "gumbel_like(x, rng)")
CROTON_DRAWN(truncated_normal, 2, "low, high, ", "truncated_normal_like(x, low, high, rng)")
CROTON_DRAWN(randint, 2, "low, high, ", "randint_like(x, low, high, rng)")

#undef CROTON_DRAWN

}  // namespace croton::inline v0_1

#endif
