// SPDX-License-Identifier: MIT
// A compiled function: the plan of a lambda with its types, run on a device.
#ifndef CROTON_FUNCTION_FUNCTION_HPP
#define CROTON_FUNCTION_FUNCTION_HPP

#include <atomic>
#include <string>
#include <tuple>
#include <utility>

#include <croton/core/wrong.hpp>
#include <croton/function/call.hpp>
#include <croton/function/callers.hpp>
#include <croton/function/direct.hpp>
#include <croton/function/loops_caller.hpp>

namespace croton::inline v0_1 {

namespace detail {

template <class Device, class F> struct program_text {
    static constexpr std::string_view view() {
        const auto& e = plan_holder<Device, F>::program().error;
        return {e.entry, e.fits() ? static_cast<std::size_t>(e.count) : sizeof e.entry};
    }
};

/// An argument that is an expression on arrays is evaluated before the call. Its values are const: an update of them would be lost.
template <class A> inline constexpr bool evaluates = requires { typename std::remove_cvref_t<A>::lazy_graph; };
template <class A> A& evaluated(A& argument) { return argument; }
template <class A> requires evaluates<A>
std::add_const_t<decltype(std::declval<A&>().eval())> evaluated(A& argument) { return argument.eval(); }

/// Whether the calls of a function that are not direct are those of loops alone, and their code if so.
template <class Device, class F, class Direct, class Parameters, class Outputs> struct loops_in_common {
    static constexpr bool found = false;
    using caller = detail::caller<Device, F>;
};
template <class Device, class F, class Direct, class... P, class... Out>
    requires (Direct::possible && (traced<symbol_of<std::remove_cvref_t<Out>>> && ...) && Direct::output_count == sizeof...(Out) && loops_of<Device, plan_holder<Device, F>>::only_loops)
struct loops_in_common<Device, F, Direct, std::tuple<P...>, std::tuple<Out...>> {
    using holder = plan_holder<Device, F>;
    static constexpr bool found = true;
    using caller = loops_caller<Device>;
    static constexpr const plan_of_loops& plan() { return loops_of<Device, holder>::value; }
    template <class S, bool Written> using bound = bound_as<element_in<S>, rank_of<S>, Written>;
    template <bool Fit> using arguments = std::conditional_t<Fit, fitting_arguments<Device, bound<symbol_of<P>, is_shared_parameter<P>>...>,
                                                             named_arguments<Device, holder, bound<symbol_of<P>, is_shared_parameter<P>>...>>;
    template <class... A> using calls = calls_of_loops<Device, arguments<Direct::template takes<A...>>, bound<symbol_of<std::remove_cvref_t<Out>>, true>...>;
};

/// What a call of the lambda's function gives.
template <class Device, class F> using result_on = typename call_result<decltype(as_returned<F>(std::declval<typename concrete_tuple<Device, outputs_tuple<F>>::type&>())), returns_tuple<result_of<F>>>::type;

enum class count_of { arguments, results };

template <count_of What, std::size_t Wanted, std::size_t Given> struct wrong_count {
    static constexpr void say(text_builder& text) {
        const char* what = What == count_of::arguments ? " argument" : " result";
        text << "the function has " << static_cast<int>(Wanted) << what << (Wanted == 1 ? "" : "s") << ", but the call "
             << (What == count_of::arguments ? "passes " : "has arrays for ") << static_cast<int>(Given);
    }
};

/// Whether a tuple, as std::tie makes them, has what it names elsewhere.
template <class Results> inline constexpr bool refers = false;
template <class... Out> inline constexpr bool refers<std::tuple<Out...>> = (false || ... || std::is_reference_v<Out>);

}  // namespace detail

/// What `function<Device>(lambda)` gives: call it like the lambda, with arrays.
///
/// Sizes are resolved when the shapes of the arguments change, and then only; a call with `call_into` allocates nothing
/// after the first. Any number of threads may call one object at once, as long as they do not write to the same arrays;
/// what a call needs besides its arguments it has for itself, and the thread that called first has it at the least cost.
/// Copies are independent.
template <class Device, class F> class compiled {
    using holder = detail::plan_holder<Device, F>;
    using arrays = detail::arrays_of_results<Device, F>;
    using direct = detail::direct_call<Device, holder, detail::parameters_of<F>>;
    using in_common = detail::loops_in_common<Device, F, direct, detail::parameters_of<F>, detail::outputs_tuple<F>>;
    using all_callers = detail::callers<Device, typename in_common::caller>;
    static constexpr std::size_t parameter_count = std::tuple_size_v<detail::parameters_of<F>>;
    static constexpr std::size_t result_count = std::tuple_size_v<arrays>;

public:
    using device = Device;

    explicit compiled(std::string name) : callers_(std::move(name)) {
        if constexpr (requires { Device::prepare(); }) Device::prepare();
    }

    const std::string& name() const { return callers_.name(); }

    /// Calls the function. Arguments are arrays, views, spans (rank 1), numbers (rank 0), expressions on arrays or models of arrays; a shared one
    /// is updated in place. Returns an array, a tuple of arrays, or nothing. Throws before anything has changed: `shape_error`,
    /// `value_error`, or `std::bad_alloc` where there is no memory for what it needs.
    template <class... A> auto operator()(A&&... arguments) const {
        if constexpr (sizeof...(A) != parameter_count) {
            detail::sentence_of<detail::wrong_count<detail::count_of::arguments, parameter_count, sizeof...(A)>>();
            return detail::wrong_function<detail::result_on<Device, F>>()(arguments...);
        } else {
            detail::say_of_temporaries<holder, detail::parameters_of<F>, A...>();
            if constexpr ((detail::evaluates<A> || ...)) {
                return [this](auto&&... each) { return (*this)(each...); }(detail::evaluated(arguments)...);
            } else {
                if constexpr (returns_directly<A...>())
                    if (direct::fits(arguments...)) return directly(std::make_index_sequence<result_count>(), arguments...);
                return value_indirectly(arguments...);
            }
        }
    }

    /// The same, with the results written into existing arrays: `f.call_into(std::tie(p, e), x, y)`. Their extents must be
    /// those of the results. They may be arguments too: where the function does not read each
    /// element before it writes it, the result goes through a temporary.
    template <class... Out, class... A> void call_into(std::tuple<Out&...> results, A&&... arguments) const {
        if constexpr (sizeof...(Out) != result_count)
            detail::sentence_of<detail::wrong_count<detail::count_of::results, result_count, sizeof...(Out)>>();
        else if constexpr (sizeof...(A) != parameter_count)
            detail::sentence_of<detail::wrong_count<detail::count_of::arguments, parameter_count, sizeof...(A)>>();
        else {
            detail::say_of_temporaries<holder, detail::parameters_of<F>, A...>();
            if constexpr ((detail::evaluates<A> || ...)) [&](auto&&... each) { call_into(results, each...); }(detail::evaluated(arguments)...);
            else if (!calls_directly(results, arguments...)) call_indirectly<false>(results, arguments...);
        }
    }
    template <class Out, class... A>
        requires(!requires { std::tuple_size<std::remove_cvref_t<Out>>::value; })
    void call_into(Out&& result, A&&... arguments) const {
        call_into(std::tuple<Out&>(result), std::forward<A>(arguments)...);
    }

    /// The same into what a call gave: `auto results = f(x, y)`, and then `f.call_into(results, x, y)`.
    template <class Results, class... A>
        requires(requires { std::tuple_size<std::remove_const_t<Results>>::value; } && !detail::refers<std::remove_const_t<Results>>)
    void call_into(Results& results, A&&... arguments) const {
        std::apply([&](auto&... each) { call_into(std::tie(each...), std::forward<A>(arguments)...); }, results);
    }

    /// A `call_into` that needs none of what a function keeps is done here, and true; any other is for `call_indirectly`.
    template <class... Out, class... A> CROTON_INLINE static bool calls_directly(std::tuple<Out&...> results, A&... arguments) {
        if constexpr (direct::possible && sizeof...(A) == parameter_count && sizeof...(Out) == result_count)
            if constexpr (result_count == direct::output_count && direct::template takes<A...> && direct::template gives<Out...>)
                return std::apply([&](Out&... each) CROTON_INLINED { return direct::template to<Out...>::template run<A...>(each..., arguments...); }, results);
        return false;
    }
    /// The same of one result, where the statement stands: what is known there of the arguments, numbers and arrays that are one, is known to the loop.
    template <class Out, class... A> CROTON_INLINE static bool assigns_directly(Out& result, A&... arguments) {
        if constexpr (direct::possible && sizeof...(A) == parameter_count && result_count == 1 && direct::output_count == 1)
            if constexpr (direct::template takes<A...> && direct::template gives<Out>)
                return direct::template to<Out>::template run_here<A...>(result, arguments...);
        return false;
    }
    /// `Sizes` as of `write_into`.
    template <bool Sizes, class... Out, class... A> void call_indirectly(std::tuple<Out&...> results, A&... arguments) const {
        if constexpr (in_common::found) in_common::template calls<A...>::template write_into<Sizes>(callers_, in_common::plan(), results, arguments...);
        else typename all_callers::lease(callers_)->template write_into<Sizes>(results, arguments...);
    }
    /// The results of such a call, where there are no arrays for them yet.
    template <class... A> auto value_indirectly(A&... arguments) const {
        if constexpr (in_common::found) return detail::returned<F>(in_common::template calls<A...>::by_value(callers_, in_common::plan(), arguments...));
        else return typename all_callers::lease(callers_)->by_value(arguments...);
    }

    /// The plan as data, for `explain` and the profiler.
    static constexpr const auto& plan() { return holder::value(); }
    static constexpr const auto& program() { return holder::program(); }

private:
    /// Whether results are arrays that a direct call can make.
    template <class... A> static constexpr bool returns_directly() {
        if constexpr (direct::possible && result_count == direct::output_count)
            if constexpr (direct::template takes<std::remove_reference_t<A>...>)
                return []<std::size_t... I>(std::index_sequence<I...>) {
                    return (true && ... && detail::is_leaf<std::tuple_element_t<I, arrays>>);
                }(std::make_index_sequence<result_count>());
        return false;
    }
    template <std::size_t... I, class... A> auto directly(std::index_sequence<I...>, A&... arguments) const {
        arrays results{std::tuple_element_t<I, arrays>::uninitialized(direct::template extents_of_result<static_cast<int>(I)>(arguments...))...};
        // Parameters that are updated may lie where they must not: what is to be said of them is said elsewhere.
        if (!direct::template to<std::tuple_element_t<I, arrays>...>::template run_fitting<A...>(std::get<I>(results)..., arguments...))
            return value_indirectly(arguments...);
        return detail::returned<F>(results);
    }

    mutable all_callers callers_;
};

namespace detail {

/// Functions without a name are numbered in the order in which the program first makes them.
inline int next_function_number() {
    static std::atomic<int> count{0};
    return ++count;
}
template <class F> std::string default_name() {
    static const int number = next_function_number();
    return "function " + std::to_string(number);
}

template <int Argument> struct unsymbolic_parameter {
    static constexpr void say(text_builder& text) {
        text << "parameter " << Argument + 1 << " of the lambda is not symbolic; a parameter is a scalar, vector, matrix or tensor, "
             << "shared<...> of one, or a model struct of them, such as mlp<symbol> of template <template <class, int> class A> struct mlp { A<float, 2> w; }";
    }
};

/// The lambda as a function of a device, or the sentence that says what is wrong with it.
template <class Device, class F> auto make_function(std::string name) {
    if constexpr (!requires { Device::rewrites; }) {
        static_assert(std::is_void_v<Device> && !std::is_void_v<Device>, "croton: a function runs on the device in its angle brackets, as in function<cpu>; cuda is one where nvcc compiles the program");
        return wrong_function();
    } else if constexpr (!std::is_class_v<F>) {
        static_assert(std::is_class_v<F>, "croton: a function is made from a lambda; wrap other callables, as in [](matrix<float> x) { return f(x); }");
        return wrong_function();
    } else if constexpr (!std::is_empty_v<F>) {
        static_assert(std::is_empty_v<F> || sentence_printed<F>(), "croton: the lambda of a function captures nothing; pass what it needs as a parameter, and make a helper static constexpr");
        return wrong_function();
    } else if constexpr (!plain_callable<F>) {
        constexpr bool is_generic = all_generic<F>();
        static_assert(!is_generic, "croton: the parameters of the lambda are declared types, such as matrix<float>, and not auto");
        static_assert(is_generic || sentence_printed<F>(), "croton: the lambda has the errors above; where there are none, one of its parameters is auto and not a declared type, such as matrix<float>");
        return wrong_function();
    } else if constexpr (!names_fit<parameters_of<F>>) {
        static_assert(names_fit<parameters_of<F>>, "croton: a name in dim has 1 to 10 letters, digits or underscores");
        return wrong_function();
    } else if constexpr (!fields_fit<parameters_of<F>>) {
        static_assert(fields_fit<parameters_of<F>>, "croton: a model struct has at most 32 fields; group them in structs");
        return wrong_function();
    } else if constexpr (!ranks_fit<parameters_of<F>>) {
        static_assert(ranks_fit<parameters_of<F>>, "croton: the rank of an expression is 0 to 8");
        return wrong_function();
    } else if constexpr (first_unsymbolic<parameters_of<F>>::value >= 0) {
        sentence_of<unsymbolic_parameter<first_unsymbolic<parameters_of<F>>::value>>();
        return wrong_function();
    } else if constexpr (std::is_same_v<result_of<F>, comma>) {
        static_assert(!std::is_same_v<result_of<F>, comma>, "croton: a comma drops what stands before it; several results are a tuple, as in return std::tuple(x, y);");
        return wrong_function();
    } else if constexpr (!is_result<result_of<F>>()) {
        static_assert(sentence_printed<F>(), "croton: a lambda returns expressions, models of them, a tuple or std::array of those, or outputs(...).updates(...)");
        return wrong_function();
    } else if constexpr (!can_run<F, Device::rewrites>() && sentence_printed<F>()) {
        return wrong_function<result_on<Device, F>>();
    } else if constexpr (!can_run<F, Device::rewrites>()) {
        static_assert(traceable<F>, "croton: the lambda runs while the program compiles, but it uses a variable that is not constexpr, an expression that was "
                                    "given no value, or a function that is not constexpr");
        [[maybe_unused]] constexpr int why = trace<F>(indices_of<F>);
        return wrong_function<result_on<Device, F>>();
    } else if constexpr (plan_holder<Device, F>::program().wrong) {
        if constexpr (program_text<Device, F>::view().size() > 0) sentence_of<program_text<Device, F>>();
        return wrong_function<result_on<Device, F>>();
    } else {
        return compiled<Device, F>(std::move(name));
    }
}

template <class... X> inline constexpr bool makes_function = false;
template <class X, class Y> inline constexpr bool makes_function<X, Y> = std::is_same_v<Y, algebra::free_t> || (std::is_convertible_v<X, std::string> && !std::is_convertible_v<Y, std::string>);
template <class X, class Y> inline constexpr bool makes_function<X, Y, algebra::free_t> = makes_function<X, Y>;

}  // namespace detail

/// Traces a lambda on symbols, differentiates, rewrites and fuses it while it compiles, and gives the function for arrays on
/// `Device`. The lambda captures nothing and returns an expression, a model of expressions, a tuple or a std::array of those, or
/// `outputs(...).updates(...)`.
template <class Device = default_device, class F> auto function(F) {
    return detail::make_function<Device, F>(detail::default_name<F>());
}

/// The same under a name, for profiles and messages.
template <class Device = default_device, class F> auto function(std::string name, F) {
    return detail::make_function<Device, F>(std::move(name));
}

/// The same, with rewrites that compute as with real numbers: see `algebra::free`.
template <class Device = default_device, class F> auto function(F, algebra::free_t) {
    using G = detail::with_free_algebra_t<F>;
    return detail::make_function<Device, G>(detail::default_name<G>());
}
template <class Device = default_device, class F> auto function(std::string name, F, algebra::free_t) {
    return detail::make_function<Device, detail::with_free_algebra_t<F>>(std::move(name));
}

/// Of anything else: a compile-time error.
template <class Device = default_device, class... X> requires (sizeof...(X) != 1 && !detail::makes_function<std::remove_cvref_t<X>...>)
auto function(X&&...) {
    static_assert(sizeof...(X) > 99, "croton: a function is made of one lambda, and of a name before it where it has one, as in function<cpu>(\"train\", [](vector<float> x) { return 2 * x; })");
    return detail::wrong_function();
}

}  // namespace croton::inline v0_1

#endif
