// SPDX-License-Identifier: MIT
// Contractions of arrays where they stand: by letters, and along axes that are named.
#ifndef CROTON_LAZY_EINSUM_HPP
#define CROTON_LAZY_EINSUM_HPP

#include <string_view>
#include <utility>

#include <croton/core/literals.hpp>
#include <croton/lazy/lazy.hpp>
#include <croton/ops/einsum.hpp>

namespace croton::inline v0_1 {

namespace detail {

template <int... Axes> inline constexpr bool is_lazy_tag<on_axes_t<Axes...>> = true;

}  // namespace detail

namespace detail::call_of {

template <subscripts S> struct einsum {
    static constexpr std::string_view name = "einsum"sv;
    template <class... E> constexpr auto operator()(E... e) const { return ::croton::einsum<S>(e...); }
};

}  // namespace detail::call_of

template <detail::subscripts S, class... X> requires detail::on_arrays<X...>
auto einsum(X&&... x) { return detail::lazily<detail::call_of::einsum<S>>(std::forward<X>(x)...); }

}  // namespace croton::inline v0_1

#endif
