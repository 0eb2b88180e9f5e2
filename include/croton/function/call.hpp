// SPDX-License-Identifier: MIT
// One caller of a function: its arguments bound and checked, its results made, its steps run.
#ifndef CROTON_FUNCTION_CALL_HPP
#define CROTON_FUNCTION_CALL_HPP

#include <span>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

#include <croton/function/binding.hpp>
#include <croton/function/bound_call.hpp>
#include <croton/function/results.hpp>
#include <croton/function/runner.hpp>
#include <croton/function/transfer.hpp>

namespace croton::inline v0_1::detail {

template <class Device, class Out> struct concrete;
template <class Device, class T, int R> struct concrete<Device, expr<T, R>> {
    using type = array<T, R, array_device<Device>>;
};
template <class Device, traced Out> struct concrete<Device, Out> : concrete<Device, expr_of<Out>> {};
/// The arrays of a model whose expressions have `Added` axes more than its fields say: those of all turns of a loop.
template <class Device, int Added> struct on_more_axes {
    template <class T, int Rank> using array = croton::array<T, Rank + Added, Device>;
};
template <class Device, class M>
    requires(!traced<M> && added_axes<symbol_of<M>> == 0)
struct concrete<Device, M> {
    using type = rebind_model<symbol_of<M>, on<array_device<Device>>::template array>;
};
template <class Device, class M>
    requires(!traced<M> && added_axes<symbol_of<M>> != 0)
struct concrete<Device, M> {
    using type = rebind_model<symbol_of<M>, on_more_axes<array_device<Device>, added_axes<symbol_of<M>>>::template array>;
};

template <class Device, class Tuple> struct concrete_tuple;
template <class Device, class... Out> struct concrete_tuple<Device, std::tuple<Out...>> {
    using type = std::tuple<typename concrete<Device, std::remove_cvref_t<Out>>::type...>;
};

template <class Device, class F> using arrays_of_results = typename concrete_tuple<Device, outputs_tuple<F>>::type;

/// What a call gives: the one array, the tuple where there are more or the lambda returned one, or nothing.
template <class Tuple, bool IsTuple> struct call_result {
    using type = Tuple;
};
template <class T> struct call_result<std::tuple<T>, false> {
    using type = T;
};
template <> struct call_result<std::tuple<>, false> {
    using type = void;
};

template <class Given> inline constexpr std::size_t count_results = 1;
template <class... Given> inline constexpr std::size_t count_results<std::tuple<Given...>> = (0 + ... + count_results<Given>);
/// Arrays in the tuples that the lambda returned, from number `at` on.
template <class... Given, class Arrays> constexpr auto in_tuples(std::type_identity<std::tuple<Given...>>, Arrays& arrays, auto at) {
    constexpr auto first = [] {
        std::array<std::size_t, sizeof...(Given) + 1> from{decltype(at)::value};
        std::size_t i = 0;
        ((from[i + 1] = from[i] + count_results<Given>, ++i), ...);
        return from;
    }();
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
        const auto one = [&]<class Each, std::size_t At>(std::type_identity<Each> each, std::integral_constant<std::size_t, At> from) {
            if constexpr (is_tuple<Each>) return in_tuples(each, arrays, from);
            else return std::get<At>(std::move(arrays));
        };
        return std::make_tuple(one(std::type_identity<Given>(), std::integral_constant<std::size_t, first[I]>())...);
    }(std::index_sequence_for<Given...>());
}
/// What a call of the lambda's function gives, of the arrays of all outputs.
template <class F, class Arrays> constexpr auto as_returned(Arrays& arrays) {
    if constexpr (has_tuples<given_tuple<F>>) return in_tuples(std::type_identity<given_tuple<F>>(), arrays, std::integral_constant<std::size_t, 0>());
    else return std::move(arrays);
}

/// The same, as the lambda returns it: the one array, or a tuple.
template <class F, class Arrays> auto returned(Arrays&& results) {
    if constexpr (std::tuple_size_v<std::remove_cvref_t<Arrays>> == 0) return;
    else if constexpr (std::tuple_size_v<std::remove_cvref_t<Arrays>> == 1 && !returns_tuple<result_of<F>>) return std::get<0>(std::move(results));
    else return as_returned<F>(results);
}

/// What a call of a compiled function needs and keeps for the next. Calls follow each other.
template <class Device, class F> class caller {
    using holder = plan_holder<Device, F>;
    using parameters = parameters_of<F>;
    using outputs_type = outputs_tuple<F>;
    using runner = detail::runner<Device, holder>;
    static constexpr int leaf_count = runner::leaf_count, output_count = runner::output_count;
    static constexpr bool transfers = runner::transfers;

public:
    using arrays = arrays_of_results<Device, F>;

    // A copy of it would stand wherever a state is made.
    [[gnu::noinline]] explicit caller(std::string name) : run_(std::move(name)) {}

    const std::string& name() const { return run_.name; }
    void rename(const std::string& name) { run_.name = name; }

    template <class... A> auto by_value(A&... arguments) {
        recorded_call call(recorded_facts<Device, holder>::value, run_.name);
        bind(arguments...);
        call.lap(call_part::arguments);
        arrays results = make_outputs();
        bind_outputs(results);
        call.lap(call_part::results);
        run_.run(call);
        call.done();
        return returned<F>(results);
    }

    /// `Sizes`: an array without elements takes the extents of its result.
    template <bool Sizes = false, class... Out, class... A> [[gnu::noinline]] void write_into(std::tuple<Out&...>& results, A&... arguments) {
        recorded_call call(recorded_facts<Device, holder>::value, run_.name);
        bind(arguments...);
        call.lap(call_part::arguments);
        bound_array out[output_count + 1];
        bind_results(results, out);
        const bool sized = are_sized<Sizes>(results);
        if (sized || !writes_there(out)) {
            const auto run_into = [&](arrays& fresh) {
                bind_outputs(fresh);
                call.lap(call_part::results);
                run_.run(call);
                hand_over<Sizes>(results, fresh, sized);
            };
            if constexpr (results_apart) {
                run_into(kept_results());
            } else {
                arrays fresh = make_outputs();
                run_into(fresh);
            }
        } else {
            call.lap(call_part::results);
            run_.run(call);
        }
        call.done();
    }

private:
    /// Whether a step may fail behind one that has written a result: then results are computed beside those of the caller.
    static constexpr bool results_apart = runner::may_fail && output_count > 0;
    /// Whether results are computed where `out` lies.
    bool writes_there(const bound_array* out) {
        if constexpr (results_apart) {
            bound_call::fits_as_it_lies(kept(), out);
            return false;
        } else {
            changes found{};
            const bool there = bound_.may_write(kept(), out, found);
            heed(found);
            return there;
        }
    }
    /// Arrays for results, where every call needs them.
    arrays& kept_results() {
        bool fits = results_ != nullptr;
        if (fits) {
            bound_array has[output_count + 1];
            bind_results(*results_, has);
            const kept_arrays all = kept();
            for (int i = 0; i < output_count; ++i)
                for (int a = 0; a < all.rank_of_output(i); ++a) fits = fits && has[i].extent[at(a)] == size_value(all.shape_of_output(i)[a], all.sizes);
        }
        if (!fits) results_ = std::make_unique<arrays>(make_outputs());
        return *results_;
    }

    template <class... A> void bind(A&... arguments) {
        bound_array leaves[leaf_count + 1];
        bound_array* to = leaves;
        number_store* numbers = numbers_.data();
        [&]<std::size_t... I>(std::index_sequence<I...>) {
            (bind_arrays<symbol_of<std::tuple_element_t<I, parameters>>, is_shared_parameter<std::tuple_element_t<I, parameters>>,
                                 Device, argument_places<holder, first_leaf<parameters, I>>::template place>(arguments, to, numbers), ...);
        }(std::make_index_sequence<sizeof...(A)>());
        if constexpr (transfers) transfer_.place(runner::facts, leaves);
        heed(bound_.take_arguments(kept(), leaves));
        for (int i = 0; i < runner::facts.bound_count; ++i) {
            const bound_check& check = runner::facts.bounds[i];
            const std::int64_t limit = size_value(check.limit, run_.sizes.data());
            const bound_array* indices = &leaves[check.leaf];
            if constexpr (transfers) {
                // What lies on the device is not fetched for this: it looks itself, in front of the steps.
                if (!indices->on_host) continue;
                indices = &transfer_.host(check.leaf);
            }
            with_index<runner::facts>(runner::facts.leaves[check.leaf].type, [&]<class T>(T*) { check_bounds<T>(runner::facts, run_.name, check, *indices, limit); });
        }
        if constexpr (transfers) transfer_.send(runner::facts);
    }
    kept_arrays kept() { return {runner::facts, run_.name, run_.leaves.data(), run_.outputs.data(), run_.sizes.data()}; }
    void heed(const changes& found) {
        if (found.layout) run_.change_layout();
        if (found.memory) run_.change_memory();
    }

    static constexpr std::size_t at(int i) { return static_cast<std::size_t>(i); }

    // Outputs

    arrays make_outputs() {
        if constexpr (requires { result_memory_.use(); }) {
            [[maybe_unused]] const auto here = result_memory_.use();
            return new_outputs();
        } else {
            return new_outputs();
        }
    }
    arrays new_outputs() {
        int output = 0;
        return [&]<std::size_t... I>(std::index_sequence<I...>) {
            return arrays{make_output<std::tuple_element_t<I, arrays>>(output)...};
        }(std::make_index_sequence<std::tuple_size_v<arrays>>());
    }
    template <class Out> Out make_output(int& output) {
        if constexpr (is_leaf<Out>) {
            return Out::uninitialized(kept().template output_extents<Out::rank>(output++));
        } else {
            Out out{};
            for_each_leaf(out, [&](auto& a) { a = std::remove_cvref_t<decltype(a)>::uninitialized(kept().template output_extents<std::remove_cvref_t<decltype(a)>::rank>(output++)); });
            return out;
        }
    }

    /// What is bound for result `I`.
    template <std::size_t I> using output_symbol = symbol_of<std::remove_cvref_t<std::tuple_element_t<I, outputs_type>>>;

    template <class Results> static void bind_results(Results& results, bound_array* to) {
        number_store unused[output_count + 1];
        number_store* numbers = unused;
        [&]<std::size_t... I>(std::index_sequence<I...>) {
            (bind_arrays<output_symbol<I>, true, Device, result_places<static_cast<int>(I)>::template place>(std::get<I>(results), to, numbers), ...);
        }(std::make_index_sequence<std::tuple_size_v<Results>>());
    }

    void bind_outputs(arrays& results) {
        bound_array out[output_count + 1];
        bind_results(results, out);
        heed(bound_call::take_results(kept(), out));
    }

    runner run_;
    bound_call bound_;
    std::array<number_store, static_cast<std::size_t>(leaf_count + 1)> numbers_{};
    [[no_unique_address]] std::conditional_t<results_apart, std::unique_ptr<arrays>, nothing_recorded> results_;
    [[no_unique_address]] result_memory_t<Device> result_memory_;
    [[no_unique_address]] std::conditional_t<transfers, host_arguments<Device, leaf_count>, nothing_recorded> transfer_;
};

}  // namespace croton::inline v0_1::detail

#endif
