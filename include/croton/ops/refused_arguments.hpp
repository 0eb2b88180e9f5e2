// SPDX-License-Identifier: MIT
// Functions with too few or too many arguments, or other ones than they take: each only says what it takes.
#ifndef CROTON_OPS_REFUSED_ARGUMENTS_HPP
#define CROTON_OPS_REFUSED_ARGUMENTS_HPP

#include <array>
#include <span>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <croton/core/text.hpp>
#include <croton/core/wrong.hpp>
#include <croton/ops/arguments.hpp>
#include <croton/ops/refused.hpp>
#include <croton/ops/refused_axes.hpp>

namespace croton::inline v0_1 {

namespace detail {

/// What an argument is. `array_or_number` is a number where functions are called on arrays: one of rank 0. `unheld` is a list of numbers that no array holds, as `long long` may be.
enum class argument_kind { wrong, array, number, whole, truth, array_or_number, list, outside, text, pointer, held, unheld, other };
constexpr bool is_number(argument_kind of) { return of == argument_kind::number || of == argument_kind::whole || of == argument_kind::truth || of == argument_kind::array_or_number; }

template <class T> inline constexpr argument_kind kind_of_list_of = !std::is_arithmetic_v<T> ? argument_kind::held : element_type<std::remove_const_t<T>> ? argument_kind::list : argument_kind::unheld;
template <class X> inline constexpr argument_kind kind_of_list = argument_kind::other;
template <class T, class Allocator> inline constexpr argument_kind kind_of_list<std::vector<T, Allocator>> = std::is_same_v<T, bool> ? argument_kind::unheld : kind_of_list_of<T>;
template <class T, std::size_t N> inline constexpr argument_kind kind_of_list<std::array<T, N>> = kind_of_list_of<T>;
template <class T, std::size_t N> inline constexpr argument_kind kind_of_list<std::span<T, N>> = kind_of_list_of<T>;

template <class X> inline constexpr argument_kind kind_of = [] {
    if constexpr (some_wrong<X>) return argument_kind::wrong;
    else if constexpr (traced<X>) return argument_kind::array;
    else if constexpr (operand<X>) return std::is_same_v<X, bool> ? argument_kind::truth : std::is_integral_v<X> ? argument_kind::whole : argument_kind::number;
    else if constexpr (array_like<X> || unevaluated<X>) return argument_kind::outside;
    else if constexpr (std::is_null_pointer_v<X>) return argument_kind::pointer;
    else if constexpr (std::is_convertible_v<const X&, std::string_view>) return argument_kind::text;
    else if constexpr (std::is_pointer_v<X> || std::is_array_v<X>) return std::is_arithmetic_v<std::remove_cv_t<std::remove_pointer_t<std::decay_t<X>>>> ? argument_kind::pointer : argument_kind::other;
    else return kind_of_list<X>;
}();

constexpr bool takes_kind(char letter, argument_kind of) {
    const bool number = is_number(of), array = of == argument_kind::array || of == argument_kind::array_or_number;
    switch (letter) {
    case 'a': return array;
    case 'o': return array || number;
    case 'q': return array || number || of == argument_kind::list;
    case 's': return of == argument_kind::other;
    case 'n': return number || of == argument_kind::other;
    case 'i': return of == argument_kind::whole || of == argument_kind::other;
    case 'y': return array;
    case 'm': return array || of == argument_kind::held || of == argument_kind::other;
    default: return array || number || of == argument_kind::list || of == argument_kind::other;
    }
}

/// The letter of an argument in one form of a call, 0 where it takes no so many, and whether no more need follow it.
struct argument_letter {
    char letter;
    bool last;
};
constexpr argument_letter letter_of(std::string_view form, int argument) {
    bool rest = false;
    for (std::size_t i = 0; i < form.size(); ++i) {
        if (form[i] == '?') {
            rest = true;
            continue;
        }
        const bool repeated = i + 1 < form.size() && form[i + 1] == '+';
        if (argument-- == 0 || repeated) return {form[i], rest || repeated || i + 1 == form.size() || form[i + 1] == '?'};
    }
    return {0, false};
}
constexpr bool takes_count(std::string_view form, int count) { return letter_of(form, count - 1).last; }

/// The next form of a call among those of `kinds`, which loses it.
constexpr std::string_view next_form(std::string_view& kinds) {
    const std::size_t end = kinds.find('|');
    const std::string_view form = kinds.substr(0, end);
    kinds.remove_prefix(end == std::string_view::npos ? kinds.size() : end + 1);
    return form;
}

/// What is wrong with a call: nothing, the number of its arguments, or one of them, from 1, and what it must be.
struct misfit {
    int argument = 0;
    char letter = 0;
    static constexpr int count = -1;
};
constexpr misfit misfit_among(std::string_view kinds, const argument_kind* given, int count) {
    misfit found{misfit::count};
    while (!kinds.empty()) {
        const std::string_view form = next_form(kinds);
        if (!takes_count(form, count)) continue;
        int i = 0;
        while (i < count && takes_kind(letter_of(form, i).letter, given[i])) ++i;
        if (i == count) return {};
        if (i >= found.argument) found = {i + 1, letter_of(form, i).letter};
    }
    return found;
}

/// The same of a function. Calls in which no expression or array stands are none of croton's.
template <int Function, argument_kind... Given> inline constexpr misfit misfit_of = [] {
    if constexpr (sizeof...(Given) == 0) {
        return misfit{misfit::count};
    } else {
        constexpr argument_kind given[] = {Given...};
        if constexpr (((Given == argument_kind::array) || ...) && !((Given == argument_kind::wrong) || ...)) return misfit_among(arguments_taken[Function].kinds, given, sizeof...(Given));
        else return misfit{};
    }
}();

/// Whether the arguments are none that the function takes.
template <int Function, class... X>
concept unfit = misfit_of<Function, kind_of<X>...>.argument != 0;

constexpr void say_counts(text_builder& text, std::string_view kinds) {
    constexpr int most = 9;
    bool taken[most + 1]{};
    int least = 0, last = 0;
    while (!kinds.empty()) {
        const std::string_view form = next_form(kinds);
        for (int n = 1; n <= most; ++n) taken[n] = taken[n] || takes_count(form, n);
    }
    for (int n = most; n > 0; --n)
        if (taken[n]) least = n;
    for (int n = 1; n <= most; ++n)
        if (taken[n]) last = n;
    if (last == most) {
        text << "at least " << least << (least == 1 ? " argument" : " arguments");
        return;
    }
    for (int n = least; n <= last; ++n)
        if (taken[n]) text << (n == least ? "" : n == last ? " or " : ", ") << n;
    text << (last == 1 ? " argument" : " arguments");
}

constexpr std::string_view asked_for(char letter) {
    switch (letter) {
    case 'a':
    case 'y': return "an array";
    case 's': return "an option";
    case 'n': return "a number";
    case 'i': return "a whole number";
    case 'm': return "an array or a model of arrays";
    case '*': return "an array, a number or an option";
    default: return "an array or a number";
    }
}
constexpr void say_kind(text_builder& text, char letter, argument_kind given) {
    text << asked_for(letter) << ", but is ";
    switch (given) {
    case argument_kind::array: text << "an array"; return;
    case argument_kind::text: text << "text"; return;
    case argument_kind::pointer: text << "a pointer; make a view of what lies there, as in view<float, 1>(p, {n})"; return;
    case argument_kind::list: text << "an array of another library; pass it to the function as an argument, and declare a parameter for it"; return;
    case argument_kind::unheld: text << "a list of numbers that arrays do not hold: they hold bool (std::vector<bool> has bits), the integers of <cstdint> (std::int64_t for long long), float and double"; return;
    case argument_kind::held: text << "neither; croton takes std::vector, std::array and std::span of numbers"; return;
    default: text << (letter == 'y' && given == argument_kind::other ? "none; of a function f it is f(x)" : !is_number(given) ? "neither" : letter == 'i' ? "another" : "a number");
    }
}

template <int Function, argument_kind... Given> struct wrong_arguments {
    static constexpr void say(text_builder& text) {
        constexpr misfit wrong = misfit_of<Function, Given...>;
        constexpr arguments of = arguments_taken[Function];
        if constexpr (wrong.argument == misfit::count) {
            text << of.example << " takes ";
            say_counts(text, of.kinds);
            text << ", but is given " << static_cast<int>(sizeof...(Given));
        } else {
            constexpr argument_kind all[] = {Given...};
            text << "argument " << wrong.argument << " of " << of.example << " must be ";
            say_kind(text, wrong.letter, all[wrong.argument - 1]);
        }
    }
};
struct array_met {};
/// Says what is wrong with the call whose arguments are `X`.
template <class Wrong, class... X> constexpr bool says_of_call() {
    if constexpr (std::is_same_v<Wrong, array_met>) return says_array_met<X...>();
    else return sentence_of<Wrong>() && sentence_stands<refused_t<X...>>();
}
template <int Function, argument_kind Given> struct no_array_given {
    static constexpr void say(text_builder& text) {
        constexpr arguments of = arguments_taken[Function];
        const char letter = of.kinds[0] == 'o' ? 'o' : 'a';
        if (is_number(Given)) {
            text << of.example << " takes arrays, and expressions in a function, but is given " << (Given == argument_kind::truth ? "one truth value; a == b compares whole arrays, and equal(a, b) their elements" : "a number");
        } else {
            text << "argument 1 of " << of.example << " must be ";
            say_kind(text, letter, Given);
        }
    }
};

/// What stands in the place of the first array of a function where no array is: text, a pointer, a list of what is no number, or a number. It is converted to this, so
/// that any other function of that name fits better, and one that converts text of its own does, too.
template <int Function> struct no_array {
    template <class X> requires (kind_of<X> == argument_kind::text || kind_of<X> == argument_kind::pointer || kind_of<X> == argument_kind::held || kind_of<X> == argument_kind::unheld || std::is_arithmetic_v<X>)
    constexpr no_array(const X&) noexcept(sentence_of<no_array_given<Function, kind_of<X>>>() && sentence_stands<X>()) {}
};

/// How many results a call has that are named one by one, as in `auto [q, r] = qr(a)`.
constexpr int results_of(int function, int arguments) {
    switch (function) {
    case arguments_of::svd: return 3;
    case arguments_of::split: return arguments > 2 ? arguments - 1 : 2;
    case arguments_of::topk:
    case arguments_of::qr:
    case arguments_of::eigh:
    case arguments_of::slogdet:
    case arguments_of::divmod:
    case arguments_of::meshgrid: return 2;
    default: return 1;
    }
}
/// What stands for them.
template <int Count, class... X> constexpr auto refused_results(const X&... x) {
    if constexpr (Count == 1) return refused(x...);
    else return [&]<std::size_t... I>(std::index_sequence<I...>) { return std::tuple{(static_cast<void>(I), refused(x...))...}; }(std::make_index_sequence<Count>());
}

/// Whether the first of the arguments is traced, and what stands in angle brackets stands behind it, or nowhere.
template <int Place, int Given, class... X> inline constexpr bool is_misplaced = false;
template <int Place, int Given, traced X, class... N> inline constexpr bool is_misplaced<Place, Given, X, N...> = misplaced<Place, Given, N...>();
template <traced X, class... N> inline constexpr int first_rank = rank_of<X>;
template <traced X, class... N> inline constexpr int rank_behind = second_rank<N...>;
template <int Place, traced X, class... N> inline constexpr int numbers_behind = misplaced_numbers<Place, N...>();

/// The sentence about arguments that do not fit.
template <int Function, class... X> struct unfit_arguments {
    using type = std::conditional_t<((kind_of<X> == argument_kind::outside) || ...), array_met, wrong_arguments<Function, kind_of<X>...>>;
};
template <int Function> struct full_brackets {
    static constexpr void say(text_builder& text) { text << arguments_taken[Function].example << " takes nothing in angle brackets"; }
};
/// Of a function without angle brackets that stands with some.
template <int Function> inline constexpr bool takes_no_brackets = Function < arguments_of::digitize;
template <int Function, class... X> using unfit_plain_call = typename std::conditional_t<unfit<Function, X...>, unfit_arguments<Function, X...>, std::type_identity<full_brackets<Function>>>::type;
/// Whether a call of such a function is refused, and its sentence: short where they stand, for each function asks both.
template <int Function, int InBrackets, class... X>
concept unfit_plain = unfit<Function, X...> || (InBrackets > 0 && takes_no_brackets<Function> && (traced<X> || ...));
template <int Function, class... X> constexpr bool says_unfit_plain() { return says_of_call<unfit_plain_call<Function, X...>, X...>(); }
template <int Function, int Place, int Given, class... X> using unfit_call =
    typename std::conditional_t<is_misplaced<Place, Given, X...>, std::type_identity<wrong_place<Place, Given>>, unfit_arguments<Function, X...>>::type;
/// The same of one with angle brackets, in which something may be missing, and what goes on from there.
template <int Function, int Place, int Given, class... X>
concept unfit_in_brackets = is_misplaced<Place, Given, X...> || unfit<Function, X...>;
template <int Function, int Place, int Given, class... X> constexpr bool says_unfit_in_brackets() {
    return says_of_call<unfit_call<Function, Place, Given, X...>, X...>();
}
template <int Function, int Place, int Given, class... X> constexpr auto refused_in_brackets(const X&... x) {
    if constexpr (results_of(Function, sizeof...(X)) > 1) return refused_results<results_of(Function, sizeof...(X))>(x...);
    else if constexpr (is_misplaced<Place, Given, X...>) return of_rank<meant_rank(Place, first_rank<X...>, rank_behind<X...>, numbers_behind<Place, X...>)>(first_traced(x...));
    else return refused(x...);
}

}  // namespace detail

#define CROTON_REFUSE(name_, ...)                                                                                     \
    template <auto... P, class... X> requires detail::unfit_plain<detail::arguments_of::name_, sizeof...(P), X...>    \
    constexpr auto name_(const X&... x) noexcept(detail::says_unfit_plain<detail::arguments_of::name_, X...>()) { return detail::refused_results<detail::results_of(detail::arguments_of::name_, sizeof...(X))>(x...); }
CROTON_PLAIN_ARGUMENTS(CROTON_REFUSE)
#undef CROTON_REFUSE

// Without bodies, for each would have to know what it takes in every program. What stands behind is anything: every other function of that name fits better.
#define CROTON_REFUSE(name_, ...) template <auto... P> detail::wrong_result name_(detail::no_array<detail::arguments_of::name_>, ...);
CROTON_TAKERS_OF_ARRAYS(CROTON_REFUSE)
#undef CROTON_REFUSE
#undef CROTON_TAKERS_OF_ARRAYS
#undef CROTON_PLAIN_ARGUMENTS
#undef CROTON_ARGUMENTS

// An array in braces behind another: dot(x, {1, 2, 3}).
#define CROTON_REFUSE(name_)                                                                                          \
    template <class X, std::size_t Count> requires detail::has_rank<X>                                                \
    constexpr auto name_(const X& x, const detail::in_braces (&)[Count]) {                                            \
        static_assert(sizeof(X) == 0, "croton: what stands in braces has no type: " #name_ "(x, array<float, 1>{1, 2, 3}); in a function it is an argument, for which a parameter is declared"); \
        return detail::refused(x);                                                                                    \
    }
CROTON_REFUSE(dot)
CROTON_REFUSE(inner)
CROTON_REFUSE(outer)
CROTON_REFUSE(matmul)
CROTON_REFUSE(cross)
CROTON_REFUSE(convolve)
CROTON_REFUSE(correlate)
CROTON_REFUSE(maximum)
CROTON_REFUSE(minimum)
CROTON_REFUSE(pow)
CROTON_REFUSE(searchsorted)
CROTON_REFUSE(digitize)
#undef CROTON_REFUSE

// What stands in angle brackets may be missing there, too.
#define CROTON_REFUSE(name_, ...)                                                                                     \
    template <auto... P, class... X> requires detail::unfit_in_brackets<detail::arguments_of::name_, detail::bracketed::name_, detail::given_there<P...>, X...> \
    constexpr auto name_(const X&... x) noexcept(detail::says_unfit_in_brackets<detail::arguments_of::name_, detail::bracketed::name_, detail::given_there<P...>, X...>()) { \
        return detail::refused_in_brackets<detail::arguments_of::name_, detail::bracketed::name_, detail::given_there<P...>>(x...); \
    }
CROTON_IN_BRACKETS(CROTON_REFUSE)
#undef CROTON_REFUSE
#undef CROTON_IN_BRACKETS
#undef CROTON_OF_ONE_ARRAY

}  // namespace croton::inline v0_1

#endif
