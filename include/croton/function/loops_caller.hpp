// SPDX-License-Identifier: MIT
// Calls of functions that are loops along their arrays and nothing else: one code for all, which reads their plans, and for each what is of its types.
#ifndef CROTON_FUNCTION_LOOPS_CALLER_HPP
#define CROTON_FUNCTION_LOOPS_CALLER_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <tuple>
#include <utility>

#include <croton/core/vec.hpp>
#include <croton/function/binding.hpp>
#include <croton/function/bound_call.hpp>
#include <croton/function/callers.hpp>
#include <croton/function/layout.hpp>
#include <croton/function/repeat.hpp>
#include <croton/function/results.hpp>
#include <croton/function/run_kernel.hpp>
#include <croton/function/work_memory.hpp>
#include <croton/plan/forms.hpp>
#include <croton/plan/memory.hpp>
#include <croton/profile/recorder.hpp>

namespace croton::inline v0_1::detail {

/// A plan whose steps are loops, each started by itself.
struct plan_of_loops {
    using loop = void (*)(const std::int64_t* extents, const kernel::operand* slots, const std::int64_t* sizes);
    const function_facts& facts;
    const loop* loops;  // by step

    const plan_view& plan() const { return facts.plan; }
};

template <class Device, class Plan> struct loops_of {
    static constexpr plan_view facts = view_of(Plan::program(), Plan::value());
    /// Whether the plan is one that this code runs.
    static constexpr bool only_loops = [] {
        for (int i = 0; i < facts.step_count; ++i)
            if (facts.steps[i].what != step_kind::kernel || facts.steps[i].together != 1) return false;
        return facts.loop_count == 0;
    }();
    template <int... Step> static constexpr auto table(std::integer_sequence<int, Step...>) {
        constexpr auto& launches = launches_of<Plan>::value;
        return std::array<plan_of_loops::loop, sizeof...(Step)>{&Device::template run<kernel_type<Plan, launches.first[launches.form[Step]]>>...};
    }
    static constexpr auto all = table(std::make_integer_sequence<int, facts.step_count>());
    static constexpr plan_of_loops value{recorded_facts<Device, Plan>::value, all.data()};
};

/// What a call of such a function needs and keeps for the next. Calls follow each other, all of one plan.
template <class Device> class loops_caller {
public:
    explicit loops_caller(std::string name) : name_(std::move(name)) {}

    const std::string& name() const { return name_; }
    void rename(const std::string& name) { name_ = name; }

    /// Runs a call into `out`; false where the results must lie elsewhere, and the arguments are bound then. Throws where `out` has other extents than these.
    [[gnu::noinline]] bool writes_into(const plan_of_loops& of, const bound_array* given, const bound_array* out, recorded_call& call) {
        take_arguments(of, given);
        call.lap(call_part::arguments);
        changes found{};
        if (!bound_.may_write(kept(of), out, found)) return false;
        heed(found);
        call.lap(call_part::results);
        run_steps(of, call);
        return true;
    }
    [[gnu::noinline]] void bind(const plan_of_loops& of, const bound_array* given, recorded_call& call) {
        take_arguments(of, given);
        call.lap(call_part::arguments);
    }
    /// Runs a call whose arguments are bound, into arrays that nothing else has.
    [[gnu::noinline]] void run(const plan_of_loops& of, const bound_array* out, recorded_call& call) {
        heed(bound_call::take_results(kept(of), out));
        call.lap(call_part::results);
        run_steps(of, call);
    }
    template <int Rank> extents_of<Rank> output_extents(const plan_of_loops& of, int output) const {
        return kept(of).template output_extents<Rank>(output);
    }

private:

    kept_arrays kept(const plan_of_loops& of) const { return {of.plan(), name_, leaves_.at, outputs_, sizes_.at}; }
    void heed(const changes& found) {
        memory_.settled = memory_.settled && !found.layout;
        placed_ = placed_ && !found.layout && !found.memory;
    }
    CROTON_INLINE void take_arguments(const plan_of_loops& of, const bound_array* given) {
        if (sizes_.empty()) make_room(of);
        heed(bound_.take_arguments(kept(of), given));
    }
    CROTON_INLINE void run_steps(const plan_of_loops& of, recorded_call& call) {
        const plan_view& p = of.plan();
        if (!memory_.settled) lay_out(of);
        call.lap(call_part::layout);
        if (!std::exchange(placed_, true))
            for (int i = 0; i < p.slot_count; ++i) operands_[i].data = kernel::alone(memory_of(p.buffers[p.slots[i].buffer], leaves_.at, outputs_, memory_.data(), work_offsets_));
        if (call) [[unlikely]] call.lap(call_part::staging), call.begin_steps({sizes_.at, operands_.at, work_bytes_});
        for (int i = 0; i < p.step_count; ++i) {
            of.loops[i](extents_ + i * max_rank, operands_.at + p.steps[i].slot_from, sizes_.at);
            if (call) [[unlikely]] call.step(i);
        }
    }

    void make_room(const plan_of_loops& of) {
        const plan_view& p = of.plan();
        leaves_.resize(p.leaf_count + p.output_count);
        outputs_ = leaves_.at + p.leaf_count;
        operands_.resize(p.slot_count);
        sizes_.resize(p.size_count + p.step_count * max_rank + p.temporaries + 1);
        extents_ = sizes_.at + p.size_count;
        work_offsets_ = extents_ + p.step_count * max_rank;
    }
    void lay_out(const plan_of_loops& of) {
        const plan_view& p = of.plan();
        resolve_strides(p, leaves_.at, outputs_, sizes_.at, operands_.at, nullptr, extents_);
        const vec<lifetime> scratch(p.temporaries + 1);
        work_bytes_ = place_temporaries(p, {}, nullptr, nullptr, sizes_.at, scratch.at, work_offsets_);
        memory_.reserve(work_bytes_);
        memory_.settled = true;
        placed_ = false;
    }
    std::string name_;
    vec<bound_array> leaves_;
    vec<kernel::operand> operands_;
    vec<std::int64_t> sizes_;
    bound_array* outputs_ = nullptr;
    std::int64_t *extents_ = nullptr, *work_offsets_ = nullptr;
    std::int64_t work_bytes_ = 0;
    bound_call bound_;
    bool placed_ = false;  // the operands point to where the memory of this call lies
    work_memory<Device> memory_;
};

/// What messages call argument number `leaf` of a plan: of all whose types fit.
struct place_of_leaf {
    const plan_view& plan;
    int leaf;
    void say(text_builder& text) const { describe_argument(text, plan.leaves[leaf], plan.nodes, plan.name_ranges, plan.letters); }
};

/// An array or a number of a call, as a parameter or a result is one.
template <class T, int Rank, bool Written> struct bound_as {
    using element = T;
    static constexpr int rank = Rank;
    template <class Device, class Place, class A> static void bind(bound_array& to, A& argument, number_store& numbers, const Place& place) {
        bind_array<T, Rank, Written, Device, Place>(to, argument, numbers, place);
    }
};

/// Arguments whose types fit: all functions that take such share the code.
template <class Device, class... As> struct fitting_arguments {
    static constexpr int count = sizeof...(As);
    template <class... A> static void bind(const plan_view& p, bound_array* to, number_store* numbers, A&... arguments) {
        int leaf = 0;
        ((As::template bind<Device>(to[leaf], arguments, numbers[leaf], place_of_leaf{p, leaf}), ++leaf), ...);
    }
};
/// Any others, of which sentences speak by what the lambda calls them.
template <class Device, class Plan, class... As> struct named_arguments {
    static constexpr int count = sizeof...(As);
    template <class... A> static void bind(const plan_view&, bound_array* to, number_store* numbers, A&... arguments) {
        [&]<int... I>(std::integer_sequence<int, I...>) {
            (As::template bind<Device>(to[I], arguments, numbers[I], typename argument_places<Plan, I>::template place<0>()), ...);
        }(std::make_integer_sequence<int, count>());
    }
};

/// Calls with `Arguments`, one of the two above, that give `Results`, each a `bound_as`.
template <class Device, class Arguments, class... Results> struct calls_of_loops {
    using all_callers = callers<Device, loops_caller<Device>>;
    using arrays = std::tuple<array<typename Results::element, Results::rank, array_device<Device>>...>;

    /// `Sizes`: arrays without elements take the extents of their results.
    template <bool Sizes, class... Out, class... A>
    [[gnu::noinline]] static void write_into(all_callers& all, const plan_of_loops& of, std::tuple<Out&...>& results, A&... arguments) {
        const typename all_callers::lease caller(all);
        recorded_call call(of.facts, caller->name());
        number_store numbers[Arguments::count + 1];
        bound_array given[Arguments::count + 1], out[sizeof...(Out) + 1];
        Arguments::bind(of.plan(), given, numbers, arguments...);
        bind_results(results, out);
        const bool sized = are_sized<Sizes>(results);
        if (sized) caller->bind(of, given, call);
        if (sized || !caller->writes_into(of, given, out, call)) {
            arrays fresh = computed(*caller.operator->(), of, call);
            hand_over<Sizes>(results, fresh, sized);
        }
        call.done();
    }
    /// The results of a call, as arrays of their own.
    template <class... A> [[gnu::noinline]] static arrays by_value(all_callers& all, const plan_of_loops& of, A&... arguments) {
        const typename all_callers::lease caller(all);
        recorded_call call(of.facts, caller->name());
        number_store numbers[Arguments::count + 1];
        bound_array given[Arguments::count + 1];
        Arguments::bind(of.plan(), given, numbers, arguments...);
        caller->bind(of, given, call);
        arrays results = computed(*caller.operator->(), of, call);
        call.done();
        return results;
    }

private:
    template <class Tuple> static void bind_results(Tuple& results, bound_array* to) {
        number_store unused;
        [&]<std::size_t... I>(std::index_sequence<I...>) {
            // Without `bound_as::bind`: a reader of a sentence sees each call in between.
            (bind_array<typename Results::element, Results::rank, true, Device, typename result_places<static_cast<int>(I)>::template place<0>>(to[I], std::get<I>(results), unused, {}), ...);
        }(std::index_sequence_for<Results...>());
    }
    static arrays computed(loops_caller<Device>& caller, const plan_of_loops& of, recorded_call& call) {
        arrays results = [&]<int... I>(std::integer_sequence<int, I...>) {
            return arrays{array<typename Results::element, Results::rank, array_device<Device>>::uninitialized(caller.template output_extents<Results::rank>(of, I))...};
        }(std::make_integer_sequence<int, static_cast<int>(sizeof...(Results))>());
        bound_array out[sizeof...(Results) + 1]{};
        bind_results(results, out);
        caller.run(of, out, call);
        return results;
    }
};

}  // namespace croton::inline v0_1::detail

#endif
