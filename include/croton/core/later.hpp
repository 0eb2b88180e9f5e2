// SPDX-License-Identifier: MIT
// Types that are looked into no earlier than a template that needs them is instantiated.
#ifndef CROTON_CORE_LATER_HPP
#define CROTON_CORE_LATER_HPP

namespace croton::inline v0_1::detail {

template <class Dependent, class X> struct dependent {
    using type = X;
};
/// X, but not before the template around it is instantiated: until then a compiler looks into nothing that is made of it.
template <class Dependent, class X> using later = typename dependent<Dependent, X>::type;

}  // namespace croton::inline v0_1::detail

#endif
