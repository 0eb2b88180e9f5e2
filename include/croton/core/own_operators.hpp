// SPDX-License-Identifier: MIT
// Keeps the operators on arrays away from the numbers, enumerations and texts of the library itself.
#ifndef CROTON_CORE_OWN_OPERATORS_HPP
#define CROTON_CORE_OWN_OPERATORS_HPP

namespace croton::inline v0_1::detail {

/// Never an operand. Operators of a namespace hide those of the one around it: with these, whoever compares two enumerations in here is not asked
/// whether they are arrays, which costs a compiler more than the comparison. Those on arrays are found by their operands.
struct never_an_operand {};

#define CROTON_HIDE(op) void operator op(never_an_operand, never_an_operand);
CROTON_HIDE(+)
CROTON_HIDE(-)
CROTON_HIDE(*)
CROTON_HIDE(/)
CROTON_HIDE(%)
CROTON_HIDE(==)
CROTON_HIDE(!=)
CROTON_HIDE(<)
CROTON_HIDE(<=)
CROTON_HIDE(>)
CROTON_HIDE(>=)
CROTON_HIDE(&)
CROTON_HIDE(|)
CROTON_HIDE(^)
CROTON_HIDE(&&)
CROTON_HIDE(||)
CROTON_HIDE(<<)
CROTON_HIDE(>>)
CROTON_HIDE(+=)
CROTON_HIDE(-=)
CROTON_HIDE(*=)
CROTON_HIDE(/=)
CROTON_HIDE(%=)
CROTON_HIDE(&=)
CROTON_HIDE(|=)
CROTON_HIDE(^=)
#undef CROTON_HIDE
#define CROTON_HIDE(op) void operator op(never_an_operand);
CROTON_HIDE(!)
CROTON_HIDE(~)
#undef CROTON_HIDE

}  // namespace croton::inline v0_1::detail

#endif
