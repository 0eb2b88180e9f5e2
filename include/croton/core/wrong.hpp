// SPDX-License-Identifier: MIT
// What stands for the results of a wrong program, so that the sentence about it stays the only error.
#ifndef CROTON_CORE_WRONG_HPP
#define CROTON_CORE_WRONG_HPP

#include <tuple>
#include <type_traits>

#include <croton/core/later.hpp>
#include <croton/core/own_operators.hpp>

namespace croton::inline v0_1::detail {

/// Whether a sentence has been printed: one about the body of a lambda, or any. What else is wrong with that lambda, or with what an expression gives,
/// follows from it, and would only hide it. `raise_sentence` gives the function its body, so in a right program it never has one.
struct of_lambda {
    friend constexpr auto raised_sentence(of_lambda);
};
struct of_program {
    friend constexpr auto raised_sentence(of_program);
};
template <class About> struct raise_sentence {
    static constexpr bool raised = true;
    friend constexpr auto raised_sentence(About) { return true; }
};
template <class X, class About = of_program> constexpr bool any_sentence_stands() { return raise_sentence<later<X, About>>::raised; }
template <class X> constexpr bool sentence_stands() { return any_sentence_stands<X>() && any_sentence_stands<X, of_lambda>(); }
template <class X, class About = of_program> constexpr bool any_sentence_printed() {
    return requires(later<X, About> first) { raised_sentence(first); };
}
template <class F> constexpr bool sentence_printed() { return any_sentence_printed<F, of_lambda>(); }

/// Of their own, with their operators: who has no such operand is not asked whether it is one.
namespace wrong {

struct wrong_part {};

/// What a wrong program computes, where nothing is known about it: it goes wherever an array, a number or a tuple would.
struct wrong_result : std::tuple<wrong_part, wrong_part, wrong_part, wrong_part> {
    template <class T> operator T() const;
    template <class T> const wrong_result& operator=(const T&) const;
    template <class... A> wrong_result operator()(A&&...) const;
    template <class I> wrong_result operator[](I&&) const;
    template <class... A> wrong_result to(A&&...) const;
    wrong_result* data() const;
    wrong_result* begin() const;
    wrong_result* end() const;
    long extent(int) const;
    long size() const;
    wrong_result extents() const;
    wrong_result as_view() const;
    template <class Y> void assign_to(Y&&) const;
};
template <class... X>
concept some_wrong = ((std::is_same_v<X, wrong_result> || std::is_same_v<X, wrong_part>) || ...);

template <class Stream, class X> requires some_wrong<X>
Stream& operator<<(Stream& out, const X&) { return out; }

template <class X> requires some_wrong<X>
wrong_result operator-(const X&);
template <class X> requires some_wrong<X>
wrong_result operator!(const X&);
template <class A, class B> requires some_wrong<A, B>
wrong_result operator+(const A&, const B&);
template <class A, class B> requires some_wrong<A, B>
wrong_result operator-(const A&, const B&);
template <class A, class B> requires some_wrong<A, B>
wrong_result operator*(const A&, const B&);
template <class A, class B> requires some_wrong<A, B>
wrong_result operator/(const A&, const B&);
template <class A, class B> requires some_wrong<A, B>
wrong_result operator==(const A&, const B&);
template <class A, class B> requires some_wrong<A, B>
wrong_result operator<(const A&, const B&);
template <class A, class B> requires some_wrong<A, B>
wrong_result operator>(const A&, const B&);
template <class X> requires some_wrong<X>
wrong_result eval(const X&);

}  // namespace wrong
using wrong::some_wrong;
using wrong::wrong_part;
using wrong::wrong_result;

/// A walk along what has no elements. It is no iterator: who asks whether something is a range hears no, and nothing is said.
struct wrong_walk {
    wrong_result operator*() const;
    wrong_walk& operator++();
    bool operator!=(const wrong_walk&) const;
};

/// Of an array with axes in the place of a condition, `if (x)`.
template <class B> constexpr bool says_no_truth() {
    static_assert(sizeof(B) > 99, "croton: an array is neither true nor false; all(x > 0) and any(x > 0) are, and so is x.size() > 0");
    return false;
}

/// The result of a wrong call, once the sentence about it is said: a constant, for without the optimiser g++ would say before it what else is wrong with such a result.
template <bool Said, class X = wrong_result> constexpr X wrong_after(const X& x = {}) { return x; }

/// The function of a wrong program: a call gives what the right program's would, where its lambda says what that is.
template <class Result = wrong_result> struct wrong_function {
    template <class... A> Result operator()(A&&...) const;
    template <class... A> void call_into(A&&...) const {}
    template <bool, class... A> void call_indirectly(A&&...) const {}
    template <class... A> Result value_indirectly(A&&...) const;
    const char* name() const { return ""; }
};

}  // namespace croton::inline v0_1::detail

#endif
