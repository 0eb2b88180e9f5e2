// SPDX-License-Identifier: MIT
// The gradient checker: compares what grad gives with finite differences.
#ifndef CROTON_FUNCTION_VERIFY_GRAD_HPP
#define CROTON_FUNCTION_VERIFY_GRAD_HPP

#include <cstdint>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>

#include <croton/autodiff/grad.hpp>
#include <croton/device/reference/reference.hpp>
#include <croton/function/function.hpp>

namespace croton::inline v0_1 {

/// A gradient that finite differences contradict; the text names the worst element and both numbers.
struct gradient_error : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// How closely `verify_grad` looks: |gradient - difference| <= absolute + relative * |difference| must hold everywhere.
struct verify_options {
    double relative = 1e-6;
    double absolute = 1e-7;
    double step = 6e-6;      ///< the step is this times max(1, |x|): the cube root of the precision of double
    std::uint32_t seed = 1;  ///< of the weights of the outputs
};

namespace detail {

template <class X> inline constexpr bool is_double = argument_traits<X>::is_array && requires(X x) { static_cast<double*>(x.data()); };
template <traced X> inline constexpr bool is_double<X> = std::is_same_v<element_in<X>, double>;

/// Whether a parameter is differentiated: it holds double, alone or in a model.
template <class P> constexpr bool is_variable() {
    if constexpr (traced<P>) {
        static_assert(
            !std::is_same_v<number_in<P>, float>,
            "croton: verify_grad takes differences in double; declare the parameters of the lambda as double");
        return is_double<P>;
    } else {
        static_assert(!is_shared_parameter<P>, "croton: verify_grad takes a function without shared parameters");
        return true;
    }
}

template <bool Keep, class X> constexpr auto only_if(const X& x) {
    if constexpr (Keep) return std::tuple<X>(x);
    else return std::tuple<>();
}

template <class Out> auto weight_of() {
    static_assert(traced<Out> && !std::is_same_v<number_in<Out>, float>,
                  "croton: verify_grad checks outputs of double; an output of this function holds float or is a model; declare parameters of double for it, as vector<double>");
    if constexpr (is_double<Out>) return std::tuple<symbol<double, rank_of<Out>>>();
    else return std::tuple<>();
}

/// Of whose outputs `weight_of` says something.
template <class Outputs> inline constexpr bool holds_float = false;
template <class... Out> inline constexpr bool holds_float<std::tuple<Out...>> = (... || (!traced<std::remove_cvref_t<Out>> || std::is_same_v<number_in<std::remove_cvref_t<Out>>, float>));

template <class... Out> auto weights_of(const std::tuple<Out...>&) {
    return std::tuple_cat(weight_of<std::remove_cvref_t<Out>>()...);
}

/// The expressions, or arrays, of a tuple that hold double (or that do not).
template <bool Double> constexpr auto those_of_double(const auto& all) {
    return std::apply(
        [](const auto&... y) {
            return std::tuple_cat(only_if<is_double<std::remove_cvref_t<decltype(y)>> == Double>(y)...);
        },
        all);
}

/// The lambda's arguments and a weight for every element of its outputs -> the weighted sum of the outputs, and its gradient.
template <class F, class Parameters, class Weights> struct weighted_gradient;
template <class F, class... P, class... W> struct weighted_gradient<F, std::tuple<P...>, std::tuple<W...>> {
    constexpr auto operator()(P... x, W... w) const {
        const auto all = as_outputs(F{}(x...));
        const auto cost = std::apply([&](const auto&... y) { return (sum(w * y) + ...); }, those_of_double<true>(all));
        const auto gradient = std::apply([&](const auto&... v) { return grad(cost, v...); },
                                         std::tuple_cat(only_if<is_variable<P>()>(x)...));
        // The other outputs come last: a parameter may be used by them alone.
        if constexpr ((0 + ... + is_variable<P>()) == 1)
            return std::tuple_cat(std::tuple(cost, gradient), those_of_double<false>(all));
        else return std::tuple_cat(std::tuple(cost), gradient, those_of_double<false>(all));
    }
};

/// A copy of an argument as dense arrays.
template <class To, class From> To dense_copy(const From& from) {
    if constexpr (std::is_arithmetic_v<From>) {
        return To(static_cast<typename To::value_type>(from));
    } else if constexpr (argument_traits<From>::is_array) {
        if constexpr (requires { from.as_view(); }) return To(from.as_view());
        else return To(view(from));
    } else {
        To to{};
        for_each_leaf2(to, from, [](auto& a, const auto& b) { a = dense_copy<std::remove_cvref_t<decltype(a)>>(b); });
        return to;
    }
}

struct worst_element {
    double error = -1, gradient = 0, difference = 0;
    std::string where;
};

template <int Rank> std::string element_name(std::string name, std::int64_t i, const extents_of<Rank>& extents) {
    std::string index;
    for (std::size_t axis = Rank; axis-- > 0; i /= extents[axis])
        index = std::to_string(i % extents[axis]) + (index.empty() ? "" : "," + index);
    return index.empty() ? name : name + "[" + index + "]";
}

/// As `verify_grad`, of what that takes.
template <class Device, class Parameters, class Weights, class F, class... A>
double verified_gradient(const verify_options& options, F f, const A&... arguments) {
    auto evaluate = function<reference>(f);
    auto differentiate = function<Device>(weighted_gradient<F, Parameters, Weights>{});
    typename concrete_tuple<cpu, Weights>::type weight;
    typename concrete_tuple<cpu, Parameters>::type point;
    const auto each = [](auto&& tuple, auto&& visit) {
        [&]<std::size_t... I>(std::index_sequence<I...>) {
            (visit(std::integral_constant<int, static_cast<int>(I)>(), std::get<I>(tuple)), ...);
        }(std::make_index_sequence<std::tuple_size_v<std::remove_cvref_t<decltype(tuple)>>>());
    };
    const auto values = [&] {
        if constexpr (requires { std::tuple_size<decltype(std::apply(evaluate, point))>::value; })
            return those_of_double<true>(flat_tuple(std::apply(evaluate, point)));
        else return std::tuple(std::apply(evaluate, point));
    };

    const auto given = std::tie(arguments...);
    each(point,
         [&](auto i, auto& to) { to = dense_copy<std::remove_cvref_t<decltype(to)>>(std::get<i()>(given)); });
    const auto middle = values();
    std::uint32_t state = options.seed;
    each(weight, [&](auto i, auto& w) {
        w = std::get<i()>(middle);
        for (double& x : w) {
            state = state * 1664525u + 1013904223u;
            x = 0.5 + state / 4294967296.0;
        }
    });
    const auto gradients = std::apply([&](const auto&... w) { return differentiate(arguments..., w...); }, weight);

    worst_element worst;
    const auto check = [&](std::string name, auto& x, const auto& gradient) {
        for (std::int64_t i = 0; i < x.size(); ++i) {
            double& element = x.data()[i];
            const double old = element, step = options.step * (old > 1 ? old : old < -1 ? -old : 1);
            element = old + step;
            const auto above = values();
            double width = element;
            element = old - step;
            width -= element;
            const auto below = values();
            element = old;
            double difference = 0;
            each(weight, [&](auto o, const auto& w) {
                const auto &a = std::get<o()>(above), &b = std::get<o()>(below);
                for (std::int64_t k = 0; k < w.size(); ++k)
                    difference += w.data()[k] * ((a.data()[k] - b.data()[k]) / width);
            });
            const double g = gradient.data()[i], distance = g < difference ? difference - g : g - difference;
            const double error =
                distance / (options.absolute + options.relative * (difference < 0 ? -difference : difference));
            // A NaN is the worst there is.
            if (!(error <= worst.error) && worst.error == worst.error)
                worst = {error, g, difference,
                         element_name<std::remove_cvref_t<decltype(x)>::rank>(name, i, x.extents())};
        }
    };
    int at = 1;
    each(point, [&](auto i, auto& x) {
        using P = std::tuple_element_t<i(), Parameters>;
        if constexpr (is_variable<P>()) {
            constexpr int index = []<std::size_t... J>(std::index_sequence<J...>) {
                return (1 + ... + (is_variable<std::tuple_element_t<J, Parameters>>() ? 1 : 0));
            }(std::make_index_sequence<i()>());
            const auto& gradient = std::get<index>(gradients);
            const std::string name = "argument " + std::to_string(at);
            if constexpr (traced<P>) check(name, x, gradient);
            else
                for_each_leaf2(x, gradient, [&](auto& a, const auto& g, auto leaf) {
                    check(name + "." + std::string(leaf_name<P, decltype(leaf)::value>), a, g);
                });
        }
        ++at;
    });
    if (!(worst.error <= 1))
        throw gradient_error("verify_grad: " + worst.where + ": the gradient is " + std::to_string(worst.gradient) +
                             " but finite differences give " + std::to_string(worst.difference) + ", " +
                             std::to_string(worst.error) + " times what is allowed");
    return worst.error < 0 ? 0 : worst.error;
}

}  // namespace detail

/// Checks the derivative of a lambda at a point: `verify_grad([](vector<double> x) { return exp(x); }, x)`.
///
/// The gradient of a sum of all outputs with random weights, as `grad` gives it and `Device` computes it, is compared with
/// central finite differences of the outputs, taken in double on the reference device, for every element of every argument of
/// double. Arguments of int or bool are held. Arguments are what a call of the function takes (on the host), also views and
/// models. Returns the largest error as a fraction of what the options allow; more than 1 is a `gradient_error`. Keep away
/// from kinks by more than a step.
template <class Device = default_device, class F, class... A>
    requires std::is_class_v<F> && (!std::is_same_v<F, verify_options>)
double verify_grad(const verify_options& options, F f, const A&... arguments) {
    using parameters = detail::parameters_of<F>;
    using weights = decltype(detail::weights_of(std::declval<detail::outputs_tuple<F>>()));
    constexpr bool counts = sizeof...(A) == std::tuple_size_v<parameters>, differs = std::tuple_size_v<weights> > 0;
    static_assert(counts, "croton: verify_grad takes one argument for each parameter of the lambda");
    static_assert(differs || detail::holds_float<detail::outputs_tuple<F>>, "croton: verify_grad needs an output of double");
    static_assert(decltype(detail::as_updates(std::declval<const detail::result_of<F>&>()))().empty(),
                  "croton: verify_grad takes a function without updates");
    if constexpr (counts && differs) return detail::verified_gradient<Device, parameters, weights>(options, f, arguments...);
    else return 0;
}

template <class Device = default_device, class F, class... A>
    requires std::is_class_v<F> && (!std::is_same_v<F, verify_options>)
double verify_grad(F f, const A&... arguments) {
    return verify_grad<Device>(verify_options{}, f, arguments...);
}

/// `verify_grad` by the name that it has elsewhere.
template <class Device = default_device, class... A> double check_gradient(const A&... arguments) { return verify_grad<Device>(arguments...); }

}  // namespace croton::inline v0_1

#endif
