// SPDX-License-Identifier: MIT
// A compiled function: the plan of a lambda with its types, run on a device.
#ifndef CROTON_FUNCTION_FUNCTION_HPP
#define CROTON_FUNCTION_FUNCTION_HPP

#include <atomic>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <croton/core/wrong.hpp>
#include <croton/function/binding.hpp>
#include <croton/function/runner.hpp>
#include <croton/function/transfer.hpp>

namespace croton::inline v0_1 {

namespace detail {

template <class Device, class F> struct program_text {
    static constexpr std::string_view view() {
        const auto& e = plan_holder<Device, F>::program().error;
        return {e.entry, e.fits() ? static_cast<std::size_t>(e.count) : sizeof e.entry};
    }
};

enum class count_of { arguments, results };

template <count_of What, std::size_t Wanted, std::size_t Given> struct wrong_count {
    static constexpr void say(text_builder& text) {
        const char* what = What == count_of::arguments ? " argument" : " result";
        text << "the function has " << static_cast<int>(Wanted) << what << (Wanted == 1 ? "" : "s") << ", but the call "
             << (What == count_of::arguments ? "passes " : "has arrays for ") << static_cast<int>(Given);
    }
};

template <class Device, class Out> struct concrete;
template <class Device, class T, int R> struct concrete<Device, expr<T, R>> {
    using type = array<T, R, array_device<Device>>;
};
template <class Device, traced Out> struct concrete<Device, Out> : concrete<Device, expr_of<Out>> {};
template <class Device, class M>
    requires(!traced<M>)
struct concrete<Device, M> {
    using type = rebind_model<symbol_of<M>, on<array_device<Device>>::template array>;
};

template <class Device, class Tuple> struct concrete_tuple;
template <class Device, class... Out> struct concrete_tuple<Device, std::tuple<Out...>> {
    using type = std::tuple<typename concrete<Device, std::remove_cvref_t<Out>>::type...>;
};

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

}  // namespace detail

/// What `function<Device>(lambda)` gives: call it like the lambda, with arrays.
///
/// Sizes are resolved when the shapes of the arguments change, and then only; a call with `call_into` allocates nothing
/// after the first. One object is used by one thread at a time; copies are independent.
template <class Device, class F> class compiled {
    using holder = detail::plan_holder<Device, F>;
    using parameters = detail::parameters_of<F>;
    using outputs_type = detail::outputs_tuple<F>;
    using arrays = typename detail::concrete_tuple<Device, outputs_type>::type;
    using runner = detail::runner<Device, holder>;
    static constexpr int parameter_count = std::tuple_size_v<parameters>;
    static constexpr int leaf_count = runner::leaf_count, output_count = runner::output_count;
    static constexpr bool transfers = runner::transfers;

    /// The first leaf of parameter `I`.
    template <std::size_t I> static constexpr int first_leaf = []<std::size_t... K>(std::index_sequence<K...>) {
        return (0 + ... + detail::arrays_in<std::tuple_element_t<K, parameters>>);
    }(std::make_index_sequence<I>());

public:
    using device = Device;

    explicit compiled(std::string name) : run_(std::move(name)) {
        if constexpr (requires { Device::prepare(); }) Device::prepare();
    }

    const std::string& name() const { return run_.name; }

    /// Calls the function. Arguments are arrays, views, spans (rank 1), numbers (rank 0) or models of arrays; a shared one
    /// is updated in place. Returns an array, a tuple of arrays, or nothing. Throws `shape_error` or `value_error` before
    /// anything has changed.
    template <class... A> auto operator()(A&&... arguments) {
        if constexpr (sizeof...(A) != parameter_count) {
            (void)sizeof(detail::sentence_of<detail::wrong_count<detail::count_of::arguments, parameter_count, sizeof...(A)>>);
            return detail::wrong_result();
        } else {
            detail::recorded_call call(recorded_, run_.name);
            bind(arguments...);
            call.lap(detail::call_part::arguments);
            arrays results = make_outputs();
            bind_outputs(results);
            call.lap(detail::call_part::results);
            run_.run(call);
            call.done();
            if constexpr (std::tuple_size_v<arrays> == 0) return;
            else if constexpr (std::tuple_size_v<arrays> == 1 && !detail::returns_tuple<detail::result_of<F>>) return std::get<0>(std::move(results));
            else return results;
        }
    }

    /// The same, with the results written into existing arrays: `f.call_into(std::tie(p, e), x, y)`. Their extents must be
    /// those of the results. They may be arguments too: then the result goes through a temporary.
    template <class... Out, class... A> void call_into(std::tuple<Out&...> results, A&&... arguments) {
        if constexpr (sizeof...(Out) != std::tuple_size_v<arrays>)
            (void)sizeof(detail::sentence_of<detail::wrong_count<detail::count_of::results, std::tuple_size_v<arrays>, sizeof...(Out)>>);
        else if constexpr (sizeof...(A) != parameter_count)
            (void)sizeof(detail::sentence_of<detail::wrong_count<detail::count_of::arguments, parameter_count, sizeof...(A)>>);
        else write_into(results, arguments...);
    }
    template <class Out, class... A>
        requires(!requires { std::tuple_size<std::remove_cvref_t<Out>>::value; })
    void call_into(Out&& result, A&&... arguments) {
        call_into(std::tuple<Out&>(result), std::forward<A>(arguments)...);
    }

    /// The plan as data, for `explain` and the profiler.
    static constexpr const auto& plan() { return holder::value(); }
    static constexpr const auto& program() { return holder::program(); }

private:
    template <class... Out, class... A> void write_into(std::tuple<Out&...>& results, A&... arguments) {
        detail::recorded_call call(recorded_, run_.name);
        bind(arguments...);
        call.lap(detail::call_part::arguments);
        detail::bound_array out[output_count + 1];
        detail::bound_array* to = out;
        detail::number_store unused[output_count + 1];
        detail::number_store* numbers = unused;
        [&]<std::size_t... I>(std::index_sequence<I...>) {
            (detail::bind_arrays<output_symbol<I>, true, Device, detail::result_places<static_cast<int>(I)>::template place>(std::get<I>(results), to, numbers), ...);
        }(std::make_index_sequence<sizeof...(Out)>());
        bool direct = disjoint_;
        for (int i = 0; i < output_count; ++i)
            direct = direct && out[i].data == run_.outputs[at(i)].data && out[i].same_layout(run_.outputs[at(i)], output_rank(i));
        if (!direct) {
            check_outputs(out);
            direct = disjoint_ = !overlaps(out);
        }
        if (!direct) {
            arrays fresh = make_outputs();
            bind_outputs(fresh);
            call.lap(detail::call_part::results);
            run_.run(call);
            [&]<std::size_t... I>(std::index_sequence<I...>) {
                (assign(std::get<I>(results), std::get<I>(fresh)), ...);
            }(std::make_index_sequence<sizeof...(Out)>());
        } else {
            set_outputs(out);
            call.lap(detail::call_part::results);
            run_.run(call);
        }
        call.done();
    }

    static constexpr detail::function_facts recorded_{runner::facts, detail::device_name<Device>, Device::loop_name,
                                                      Device::product_name, Device::fuses};

    template <class... A> void bind(A&... arguments) {
        detail::bound_array leaves[leaf_count + 1];
        detail::bound_array* to = leaves;
        detail::number_store* numbers = numbers_.data();
        [&]<std::size_t... I>(std::index_sequence<I...>) {
            (detail::bind_arrays<detail::symbol_of<std::tuple_element_t<I, parameters>>, detail::is_shared_parameter<std::tuple_element_t<I, parameters>>,
                                 Device, detail::argument_places<holder, first_leaf<I>>::template place>(arguments, to, numbers), ...);
        }(std::make_index_sequence<sizeof...(A)>());
        if constexpr (transfers) transfer_.place(runner::facts, leaves);
        bool same_layout = ready_, same_memory = true;
        for (int i = 0; i < leaf_count; ++i) {
            same_layout = same_layout && leaves[i].same_layout(run_.leaves[at(i)], runner::facts.leaves[i].shape.rank);
            same_memory = same_memory && leaves[i].data == run_.leaves[at(i)].data;
        }
        if (!same_layout) {
            ready_ = false;
            detail::resolve_sizes(runner::facts, run_.name, leaves, run_.sizes.data());
        }
        for (int i = 0; i < runner::facts.label_count; ++i) {
            const detail::label_check& check = runner::facts.labels[i];
            const std::int64_t classes = detail::size_value(check.classes, run_.sizes.data());
            const detail::bound_array* labels = &leaves[check.leaf];
            if constexpr (transfers) {
                // Labels that lie on the device are not fetched for this: it looks at them itself, in front of the steps.
                if (!labels->on_host) continue;
                labels = &transfer_.host(check.leaf);
            }
            if (runner::facts.leaves[check.leaf].type == element::int32) detail::check_labels<std::int32_t>(runner::facts, run_.name, check, *labels, classes);
            else detail::check_labels<std::int64_t>(runner::facts, run_.name, check, *labels, classes);
        }
        if (!same_layout || !same_memory) {
            ready_ = disjoint_ = false;
            detail::check_overlaps(runner::facts, run_.name, leaves);
        }
        for (int i = 0; i < leaf_count; ++i) run_.leaves[at(i)] = leaves[i];
        if (!same_layout) run_.change_layout();
        if constexpr (transfers) transfer_.send(runner::facts);
        ready_ = true;
    }

    static constexpr std::size_t at(int i) { return static_cast<std::size_t>(i); }

    // Outputs

    static constexpr int first_output = [] {
        int i = 0;
        while (i < holder::value().buffers.size() && holder::value().buffers[i].what != detail::buffer_kind::output) ++i;
        return i;
    }();

    static constexpr int output_rank(int output) { return runner::facts.buffers[first_output + output].shape.rank; }

    static constexpr std::size_t output_bytes(int output) { return size_of(runner::facts.buffers[first_output + output].type); }

    std::int64_t output_extent(int output, int axis) const {
        return detail::size_value(runner::facts.buffers[first_output + output].shape[axis], run_.sizes.data());
    }

    template <int Rank> extents_of<Rank> output_extents(int output) const {
        extents_of<Rank> e{};
        for (int i = 0; i < Rank; ++i) e[at(i)] = output_extent(output, i);
        return e;
    }

    arrays make_outputs() {
        int output = 0;
        return [&]<std::size_t... I>(std::index_sequence<I...>) {
            return arrays{make_output<std::tuple_element_t<I, arrays>>(output)...};
        }(std::make_index_sequence<std::tuple_size_v<arrays>>());
    }
    template <class Out> Out make_output(int& output) {
        if constexpr (detail::is_leaf<Out>) {
            return Out::uninitialized(output_extents<Out::rank>(output++));
        } else {
            Out out{};
            detail::for_each_leaf(out, [&](auto& a) { a = std::remove_cvref_t<decltype(a)>::uninitialized(output_extents<std::remove_cvref_t<decltype(a)>::rank>(output++)); });
            return out;
        }
    }

    /// What is bound for result `I`.
    template <std::size_t I> using output_symbol = detail::symbol_of<std::remove_cvref_t<std::tuple_element_t<I, outputs_type>>>;

    void bind_outputs(arrays& results) {
        detail::bound_array out[output_count + 1];
        detail::bound_array* to = out;
        detail::number_store unused[output_count + 1];
        detail::number_store* numbers = unused;
        [&]<std::size_t... I>(std::index_sequence<I...>) {
            (detail::bind_arrays<output_symbol<I>, true, Device, detail::result_places<static_cast<int>(I)>::template place>(std::get<I>(results), to, numbers), ...);
        }(std::make_index_sequence<std::tuple_size_v<arrays>>());
        set_outputs(out);
    }

    void set_outputs(const detail::bound_array* out) {
        for (int i = 0; i < output_count; ++i) {
            if (!out[i].same_layout(run_.outputs[at(i)], output_rank(i))) run_.change_layout();
            run_.outputs[at(i)] = out[i];
        }
    }

    void check_outputs(const detail::bound_array* out) const {
        for (int i = 0; i < output_count; ++i) {
            for (int a = 0; a < output_rank(i); ++a)
                if (out[i].extent[at(a)] != output_extent(i, a))
                    throw shape_error(run_.name + ": result " + std::to_string(i + 1) + " has extent " + std::to_string(output_extent(i, a)) +
                                      " along axis " + std::to_string(a) + ", but the array it is written into has " + std::to_string(out[i].extent[at(a)]));
            detail::check_room(out[i], output_rank(i), [&] { return run_.name + ": result " + std::to_string(i + 1) + " is written into a view"; });
        }
    }

    /// Whether a result would be written over an argument, or over another result.
    bool overlaps(const detail::bound_array* out) const {
        bool found = false;
        for (int i = 0; i < output_count; ++i) {
            const auto mine = out[i].elements(output_rank(i), output_bytes(i));
            for (int j = 0; j < leaf_count; ++j) {
                const detail::leaf_input& l = runner::facts.leaves[j];
                if (!detail::share_memory(mine, run_.leaves[at(j)].elements(l.shape.rank, size_of(l.type)))) continue;
                if (l.shared)
                    throw value_error(run_.name + ": result " + std::to_string(i + 1) + " shares memory with " +
                                      detail::leaf_text(runner::facts, j) + ", which is updated in place");
                found = true;
            }
            for (int j = 0; j < i; ++j) found = found || detail::share_memory(mine, out[j].elements(output_rank(j), output_bytes(j)));
        }
        return found;
    }

    template <class Out, class Fresh> static void assign(Out& to, Fresh& from) {
        if constexpr (detail::is_leaf<Fresh>) {
            // An array that does not fit matches none of these: what binds it has said so.
            if constexpr (requires { to.copy_from(from.as_view()); }) to.copy_from(from.as_view());
            else if constexpr (detail::is_leaf<Out> && requires { to = from; }) to = from;
            else if constexpr (requires { view(std::span(to)).copy_from(from.as_view()); }) view(std::span(to)).copy_from(from.as_view());
        } else {
            detail::for_each_leaf2(to, from, [](auto& t, auto& f) { assign(t, f); });
        }
    }

    runner run_;
    bool ready_ = false;     // what the runner has of arguments and sizes belongs to a checked call
    bool disjoint_ = false;  // none of the results of the runner lies in these arguments or in another result
    std::array<detail::number_store, static_cast<std::size_t>(leaf_count + 1)> numbers_{};
    [[no_unique_address]] std::conditional_t<transfers, detail::host_arguments<Device, leaf_count>, detail::nothing_recorded> transfer_;
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
             << "shared<...> of one, or a model struct of them, such as mlp<symbol>";
    }
};

/// What a call of the lambda's function gives.
template <class Device, class F> using result_on = typename call_result<typename concrete_tuple<Device, outputs_tuple<F>>::type, returns_tuple<result_of<F>>>::type;

/// The lambda as a function of a device, or the sentence that says what is wrong with it.
template <class Device, class F> auto make_function(std::string name) {
    if constexpr (!std::is_class_v<F>) {
        static_assert(std::is_class_v<F>, "croton: a function is made from a lambda; wrap other callables, as in [](matrix<float> x) { return f(x); }");
        return wrong_function();
    } else if constexpr (!std::is_empty_v<F>) {
        static_assert(std::is_empty_v<F>, "croton: the lambda of a function captures nothing; pass what it needs as a parameter");
        return wrong_function();
    } else if constexpr (!plain_callable<F>) {
        constexpr bool is_generic = all_generic<F>();
        static_assert(!is_generic, "croton: the parameters of the lambda are declared types, such as matrix<float>, and not auto");
        static_assert(is_generic, "croton: the lambda has the errors above; where there are none, one of its parameters is auto and not a declared type, such as matrix<float>");
        return wrong_function();
    } else if constexpr (!ranks_fit<parameters_of<F>>) {
        return wrong_function();
    } else if constexpr (first_unsymbolic<parameters_of<F>>::value >= 0) {
        (void)sizeof(sentence_of<unsymbolic_parameter<first_unsymbolic<parameters_of<F>>::value>>);
        return wrong_function();
    } else if constexpr (!is_result<result_of<F>>()) {
        static_assert(is_result<result_of<F>>(), "croton: a lambda returns expressions, models of them, a tuple of those, or outputs(...).updates(...)");
        return wrong_function();
    } else if constexpr (!traceable<F>) {
        static_assert(traceable<F>, "croton: the lambda runs while the program compiles, but it uses a variable that is not constexpr, an expression that was "
                                    "given no value, or a function that is not constexpr");
        constexpr bool why = trace<F>(indices_of<F>);
        return wrong_function<result_on<Device, F>>();
    } else if constexpr (plan_holder<Device, F>::program().wrong) {
        if constexpr (program_text<Device, F>::view().size() > 0) (void)sizeof(report_error<program_text<Device, F>>);
        return wrong_function<result_on<Device, F>>();
    } else {
        return compiled<Device, F>(std::move(name));
    }
}

}  // namespace detail

/// Traces a lambda on symbols, differentiates, rewrites and fuses it while it compiles, and gives the function for arrays on
/// `Device`. The lambda captures nothing and returns an expression, a model of expressions, a tuple of those, or
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

}  // namespace croton::inline v0_1

#endif
