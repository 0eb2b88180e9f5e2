// SPDX-License-Identifier: MIT
// A call of a function that is loops along its arrays and small products, where these lie in order: comparisons and those, and nothing that is kept for the next call.
#ifndef CROTON_FUNCTION_DIRECT_HPP
#define CROTON_FUNCTION_DIRECT_HPP

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <type_traits>
#include <utility>

#include <croton/device/device.hpp>
#include <croton/function/direct_arrays.hpp>
#include <croton/function/direct_plan.hpp>
#include <croton/function/direct_rows.hpp>
#include <croton/plan/forms.hpp>
#include <croton/plan/lower.hpp>
#include <croton/profile/recorder.hpp>

namespace croton::inline v0_1::detail {

/// The flat loops of a device that has such.
template <class Device, class Kernel> struct flat_loops {
    using type = typename Device::template flat<Kernel>;
};

/// Calls of `Plan`, a `plan_holder`, whose lambda has these parameters.
template <class Device, class Plan, class Parameters> struct direct_call;
template <class Device, class Plan, class... P> struct direct_call<Device, Plan, std::tuple<P...>> {
    static constexpr plan_view facts = view_of(Plan::program(), Plan::value());
    static constexpr int output_count = facts.output_count;

private:
    /// The arrays of a call: first the results, then the leaves.
    static constexpr int array_count = output_count + facts.leaf_count;
    static constexpr buffer_facts array_of(int i) {
        if (i >= output_count) {
            buffer_facts leaf{.what = buffer_kind::leaf, .index = i - output_count, .type = facts.leaves[i - output_count].type, .shape = facts.leaves[i - output_count].shape};
            // Equal extents are one number, once they have been compared.
            for (int k = 0; k < leaf.shape.rank; ++k)
                if (leaf.shape[k] < 0) leaf.shape[k] = facts.sizes[-1 - leaf.shape[k]].same_as;
            return leaf;
        }
        int b = 0;
        while (facts.buffers[b].what != buffer_kind::output || facts.buffers[b].index != i) ++b;
        return facts.buffers[b];
    }
    /// Where array `a`, if it is written, may lie beside array `b`.
    static constexpr nearness relation(int a, int b) {
        if (b < output_count) return a < output_count && b < a ? nearness::apart : nearness::any;
        if (a < output_count) return nearness_of(facts, array_of(a), b - output_count);
        const bool both = facts.leaves[b - output_count].shared && b < a;
        return !facts.leaves[a - output_count].shared || a == b || both ? nearness::any : nearness::apart;
    }

    using leaf_sequence = std::make_integer_sequence<int, facts.leaf_count>;
    using size_sequence = std::make_integer_sequence<int, facts.size_count>;
    using step_sequence = std::make_integer_sequence<int, facts.step_count>;
    using output_sequence = std::make_integer_sequence<int, output_count>;
    static constexpr std::size_t at(int i) { return static_cast<std::size_t>(i); }

    static constexpr bool multiplies(int step) { return facts.steps[step].what == step_kind::product; }
    template <int Step> static constexpr bool is_possible() {
        if constexpr (multiplies(Step)) return has_direct_products<Device>;
        else if constexpr (goes_over_rows(facts.steps[Step])) return flat_of<Step>::brief;
        else return flat_of<Step>::possible;
    }
    /// What a copy of a step in a statement costs the compiler, and more than all may cost where there is to be none.
    static constexpr int most_cost_here = 32;
    template <int Step> static constexpr int cost_here() {
        if constexpr (multiplies(Step) || goes_over_rows(facts.steps[Step])) return most_cost_here + 1;
        else return flat_of<Step>::brief ? static_cast<int>(flat_of<Step>::cost) : most_cost_here + 1;
    }
    template <int Step> using kernel_of = kernel_type<Plan, launches_of<Plan>::value.first[launches_of<Plan>::value.form[Step]]>;
    template <int Step> using flat_of = typename flat_loops<Device, kernel_of<Step>>::type;

public:
    static constexpr bool possible = [] {
        if constexpr (has_flat_loops<Device> && (traced<symbol_of<P>> && ...))
            if constexpr (is_direct(facts))
                return []<int... Step>(std::integer_sequence<int, Step...>) { return (is_possible<Step>() && ...); }(step_sequence());
        return false;
    }();
    /// Whether a copy of all loops in each statement is little to compile, and a call of them much beside what they do.
    static constexpr bool is_small = [] {
        if constexpr (possible) return []<int... Step>(std::integer_sequence<int, Step...>) { return (0 + ... + cost_here<Step>()) <= most_cost_here; }(step_sequence());
        return false;
    }();
    template <class... A> static constexpr bool takes = (binds_directly<P, Device, A> && ...);
    template <class... Out> static constexpr bool gives = []<int... I>(std::integer_sequence<int, I...>) {
        return (true && ... && holds_directly<Device, Out>(array_of(I).type, array_of(I).shape.rank));
    }(std::make_integer_sequence<int, sizeof...(Out)>());

    /// Whether this is for a call: its arguments lie in order, their extents fit each other, no step has elements enough for two threads, and nobody looks on.
    template <class... A> CROTON_INLINE static bool fits(const A&... arguments) {
        const std::tuple<const A&...> given(arguments...);
        return (true && ... && lies_in_order(arguments)) && sizes_agree(given, size_sequence()) && is_short<false>(given, step_sequence());
    }
    /// Calls that write to results of these types.
    template <class... Out> struct to {
        /// Runs such a call; false, and nothing has been done, where it is none or its results do not fit or lie where they must not.
        template <class... A> CROTON_LAYERED [[gnu::noinline]] static bool run(Out&... results, A&... arguments) {
            if (!fits_into<false>(std::tuple<Out&...>(results...), arguments...)) return false;
            return run_into<false>(std::tuple<Out&...>(results...), std::tuple<A&...>(arguments...));
        }
        /// The same where the caller stands, if the loops are short: what is known there of the arguments, numbers and arrays that are one, is known to them.
        template <class... A> CROTON_INLINE static bool run_here(Out&... results, A&... arguments) {
            if constexpr (is_small) {
                if (fits_into<true>(std::tuple<Out&...>(results...), arguments...)) [[likely]]
                    return run_into<true>(std::tuple<Out&...>(results...), std::tuple<A&...>(arguments...));
                if constexpr (!has_more(step_sequence())) return false;
            }
            return run<A...>(results..., arguments...);
        }
        /// The same of a call that `fits`, into results that have their extents.
        template <class... A> CROTON_LAYERED [[gnu::noinline]] static bool run_fitting(Out&... results, A&... arguments) {
            return run_into<false>(std::tuple<Out&...>(results...), std::tuple<A&...>(arguments...));
        }
    };
    /// The extents of result `Output`.
    template <int Output, class... A> CROTON_INLINE static auto extents_of_result(const A&... arguments) {
        const std::tuple<const A&...> given(arguments...);
        return [&]<int... K>(std::integer_sequence<int, K...>) CROTON_INLINED {
            return extents_of<static_cast<int>(sizeof...(K))>{size<array_of(Output).shape[K]>(given)...};
        }(std::make_integer_sequence<int, array_of(Output).shape.rank>());
    }

private:
    using numbers = std::array<number_store, static_cast<std::size_t>(facts.leaf_count + facts.temporaries + 1)>;
    struct places {
        std::byte* array[static_cast<std::size_t>(array_count + 1)];
        std::byte* temporary[static_cast<std::size_t>(facts.temporaries + 1)];
    };

    /// An extent of this call.
    template <size_ref S, class Given> CROTON_INLINE static std::int64_t size(const Given& given) {
        if constexpr (S >= 0) return S;
        else return extent_along(std::get<at(facts.sizes[-1 - S].leaf)>(given), facts.sizes[-1 - S].axis);
    }
    template <bool Here, class Results, class... A> CROTON_INLINE static bool fits_into(const Results& results, const A&... arguments) {
        const std::tuple<const A&...> given(arguments...);
        return (true && ... && lies_in_order(arguments)) && sizes_agree(given, size_sequence()) && hold_results(results, given, output_sequence()) &&
               is_short<Here>(given, step_sequence());
    }

    // A comparison and its branch are one operation of a processor: bits of all that keeps a call from here would take three where these take one. Compilers take two
    // numbers to differ, and what is behind for rarely run, if they are not told.
    CROTON_INLINE static bool alike(std::int64_t a, std::int64_t b) { return __builtin_expect(a == b, true); }
    template <class Given, int... I> CROTON_INLINE static bool sizes_agree(const Given& given, std::integer_sequence<int, I...>) {
        return (true && ... && (facts.sizes[I].same_as == -1 - I || alike(size<-1 - I>(given), size<facts.sizes[I].same_as>(given))));
    }
    template <int Step, class Given> CROTON_INLINE static std::int64_t elements_of_step(const Given& given) {
        return [&]<int... K>(std::integer_sequence<int, K...>) CROTON_INLINED {
            return (std::int64_t{1} * ... * size<facts.steps[Step].extent[facts.steps[Step].outer + K]>(given));
        }(std::make_integer_sequence<int, facts.steps[Step].inner>());
    }
    /// Whether all steps are of few elements, and nobody records this thread.
    template <bool Here, class Given, int... Step> CROTON_INLINE static bool is_short(const Given& given, std::integer_sequence<int, Step...>) {
        if constexpr (Here && sizeof...(Step) > 0) return (true && ... && (is_few<Step>(given) && step_is_short<Here, Step>(given)));
        else return (!has_profiler || current_recorder == nullptr) && (true && ... && step_is_short<Here, Step>(given));
    }
    CROTON_INLINE static std::int64_t few_here() { return has_profiler ? few_unrecorded : few_elements; }
    /// The same of one step, or of another that has as many elements. A single number is one of few: the first step asks for it who records.
    template <int Step, class Given> CROTON_INLINE static bool is_few(const Given& given) {
        constexpr bool known = [] {
            const step& s = facts.steps[Step];
            if (Step > 0 && s.inner == 0) return true;
            for (int of = 0; of < Step; ++of) {
                bool alike = facts.steps[of].inner == s.inner;
                for (int k = 0; k < s.inner && alike; ++k) alike = facts.steps[of].extent[k] == s.extent[k];
                if (alike) return true;
            }
            return false;
        }();
        return known || __builtin_expect(elements_of_step<Step>(given) <= few_here(), true);
    }
    template <int Step> static constexpr std::int64_t most_of(bool here) { return here ? std::min(flat_of<Step>::most_here, few_elements + 1) : flat_of<Step>::most; }
    /// Whether there are calls of more elements than a copy of the loops where the caller stands is for.
    template <int... Step> static constexpr bool has_more(std::integer_sequence<int, Step...>) { return (false || ... || (flat_of<Step>::most_here < flat_of<Step>::most)); }
    template <bool Here, int Step, class Given> CROTON_INLINE static bool step_is_short(const Given& given) {
        constexpr step s = facts.steps[Step];
        if constexpr (multiplies(Step)) {
            return Device::template multiplies_directly<element_t<s.type>>(size<s.extent[0]>(given), size<s.extent[1]>(given), size<s.extent[2]>(given));
        } else if constexpr (goes_over_rows(s)) {
            return !flat_of<Step>::reduces || elements_of_step<Step>(given) > 0;
        } else {
            constexpr std::int64_t most = most_of<Step>(Here);
            const std::int64_t n = elements_of_step<Step>(given);
            // Of no elements a reduction has more to say: they are as many as can be in its comparison.
            if constexpr (flat_of<Step>::reduces) return static_cast<std::uint64_t>(n - 1) < static_cast<std::uint64_t>(most - 1);
            else return (Here && most > few_elements) || static_cast<std::uint64_t>(n) < static_cast<std::uint64_t>(most);
        }
    }
    template <class Results, class Given, int... O> CROTON_INLINE static bool hold_results(const Results& results, const Given& given, std::integer_sequence<int, O...>) {
        return (true && ... && holds_result<O>(std::get<at(O)>(results), given, std::make_integer_sequence<int, array_of(O).shape.rank>()));
    }
    template <int Output, class Out, class Given, int... K> CROTON_INLINE static bool holds_result(const Out& result, const Given& given, std::integer_sequence<int, K...>) {
        return lies_in_order(result) && (true && ... && alike(extent_along(result, K), size<array_of(Output).shape[K]>(given)));
    }

    /// Where an argument lies; a number of another type, in its place in `room`.
    template <int Leaf, class A> CROTON_INLINE static std::byte* place_of(A& argument, numbers& room) {
        using T = element_in<symbol_of<std::tuple_element_t<at(Leaf), std::tuple<P...>>>>;
        if constexpr (argument_traits<std::remove_cv_t<A>>::is_array) {
            return kernel::alone(reinterpret_cast<std::byte*>(const_cast<T*>(argument.data())));
        } else if constexpr (std::is_same_v<std::remove_cv_t<A>, T> && !std::is_same_v<T, bool>) {
            return reinterpret_cast<std::byte*>(const_cast<T*>(&argument));
        } else {
            const T value = number_for<T, typename argument_places<Plan, Leaf>::template place<0>>(argument);
            __builtin_memcpy(room[at(Leaf)].bytes, &value, sizeof value);
            return room[at(Leaf)].bytes;
        }
    }
    template <bool Here, class Results, class Given, int... Leaf, int... O>
    CROTON_INLINE static places places_of(const Results& results, const Given& given, numbers& room, std::integer_sequence<int, Leaf...>, std::integer_sequence<int, O...>) {
        places all;
        ((all.array[O] = kernel::alone(reinterpret_cast<std::byte*>(std::get<at(O)>(results).data()))), ...);
        ((all.array[output_count + Leaf] = place_of<Leaf>(std::get<at(Leaf)>(given), room)), ...);
        // A compiler that sees all steps keeps single numbers between them in registers.
        CROTON_UNROLLED
        for (int i = 0; i < facts.temporaries; ++i) {
            std::byte* const place = room[at(facts.leaf_count + i)].bytes;
            all.temporary[i] = Here ? place : kernel::alone(place);
        }
        return all;
    }

    /// Two arrays of a call of which the first is written, and may not lie everywhere beside the second. Most pairs are none of these: no code is made for them.
    struct near_arrays {
        int a, b;
    };
    static constexpr void for_each_near_pair(auto&& take) {
        for (int a = 0; a < array_count; ++a)
            for (int b = 0; b < array_count; ++b)
                if (relation(a, b) != nearness::any) take(near_arrays{a, b});
    }
    static constexpr int near_count = [] {
        int n = 0;
        for_each_near_pair([&](near_arrays) { ++n; });
        return n;
    }();
    static constexpr auto near_pairs = [] {
        std::array<near_arrays, static_cast<std::size_t>(near_count + 1)> all{};
        std::size_t n = 0;
        for_each_near_pair([&](near_arrays pair) { all[n++] = pair; });
        return all;
    }();

    /// Whether what is written lies where it may.
    template <class Results, class Given, int... I> CROTON_INLINE static bool all_apart(const places& all, const Given& given, std::integer_sequence<int, I...>) {
        return (true && ... && is_apart<Results, near_pairs[at(I)].a, near_pairs[at(I)].b>(all, given));
    }
    template <class Results, int A, int B, class Given> CROTON_INLINE static bool is_apart(const places& all, const Given& given) {
        constexpr nearness how = relation(A, B);
        if constexpr (is_number<B, Given>()) {
            return true;
        } else if constexpr (is_owner<A, Results, Given>() && is_owner<B, Results, Given>()) {
            return how == nearness::alike || all.array[A] != all.array[B];
        } else if constexpr (how == nearness::alike) {
            // Elements are read in their order, each before it is written: what is written on the same place or behind it comes too late to be read.
            const auto ahead = reinterpret_cast<std::uintptr_t>(all.array[A]) - reinterpret_cast<std::uintptr_t>(all.array[B]);
            return ahead - 1 >= static_cast<std::uintptr_t>(bytes_of<B>(given)) - 1;
        } else {
            return are_apart(all.array[A], bytes_of<A>(given), all.array[B], bytes_of<B>(given));
        }
    }
    template <int Array, class Results, class Given> static constexpr bool is_owner() {
        if constexpr (Array < output_count) return owns_its_memory<std::remove_cvref_t<std::tuple_element_t<at(Array), Results>>>;
        else return owns_its_memory<std::remove_cvref_t<std::tuple_element_t<at(Array - output_count), Given>>>;
    }
    template <int Array, class Given> static constexpr bool is_number() {
        if constexpr (Array < output_count) return false;
        else return !argument_traits<std::remove_cvref_t<std::tuple_element_t<at(Array - output_count), Given>>>::is_array;
    }
    template <int Array, class Given> CROTON_INLINE static std::int64_t bytes_of(const Given& given) {
        return [&]<int... K>(std::integer_sequence<int, K...>) CROTON_INLINED {
            return (static_cast<std::int64_t>(size_of(array_of(Array).type)) * ... * size<array_of(Array).shape[K]>(given));
        }(std::make_integer_sequence<int, array_of(Array).shape.rank>());
    }

    // From here on layers: see CROTON_LAYERED.
    template <bool Here, class Results, class Given> CROTON_LAYER static bool run_into(const Results& results, const Given& given) {
        numbers room;
        const places all = places_of<Here>(results, given, room, leaf_sequence(), output_sequence());
        if (!all_apart<Results>(all, given, std::make_integer_sequence<int, near_count>())) return false;
        if constexpr (takes_sizes(facts)) run_steps<Here>(all, given, values(given, size_sequence()).data(), step_sequence());
        else run_steps<Here>(all, given, nullptr, step_sequence());
        return true;
    }
    template <class Given, int... I> CROTON_INLINE static auto values(const Given& given, std::integer_sequence<int, I...>) {
        return std::array<std::int64_t, sizeof...(I)>{size<-1 - I>(given)...};
    }
    template <bool Here, class Given, int... Step> CROTON_LAYER static void run_steps(const places& all, const Given& given, const std::int64_t* sizes, std::integer_sequence<int, Step...>) {
        // Before the first: a step may write anywhere, for all a compiler knows.
        const std::int64_t count[] = {elements_of_step<Step>(given)...};
        const auto run = [&]<int At>(std::integral_constant<int, At>) CROTON_INLINED {
            if constexpr (multiplies(At)) run_product<At>(all, given);
            else if constexpr (goes_over_rows(facts.steps[At])) run_rows<At>(all, given, sizes);
            else run_step<Here, At>(all, count[At], sizes, std::make_integer_sequence<int, facts.steps[At].slot_count>());
        };
        (run(std::integral_constant<int, Step>()), ...);
    }
    template <class Given> struct sizes_of {
        const Given& given;
        template <size_ref S> CROTON_INLINE std::int64_t of() const { return size<S>(given); }
    };
    template <int Step, class Given> CROTON_LAYER static void run_rows(const places& all, const Given& given, const std::int64_t* sizes) {
        const auto place = [&]<int Buffer>() CROTON_INLINED { return place_of_buffer<Buffer>(all); };
        direct_rows<facts, Step, sizes_of<Given>>::template run<Device, kernel_of<Step>>({given}, sizes, place, std::make_integer_sequence<int, facts.steps[Step].slot_count>());
    }
    template <int Step, class Given> CROTON_LAYER static void run_product(const places& all, const Given& given) {
        constexpr step s = facts.steps[Step];
        constexpr bool turned = facts.slots[s.slot_from].axis.at[0] != 0;
        using T = element_t<s.type>;
        const std::int64_t m = size<s.extent[0]>(given), k = size<s.extent[1]>(given), n = size<s.extent[2]>(given);
        const auto at = [&]<int Slot>(std::integral_constant<int, Slot>) CROTON_INLINED {
            return reinterpret_cast<T*>(place_of_buffer<facts.slots[s.slot_from + Slot].buffer>(all));
        };
        Device::template gemm_directly<T>(static_cast<T>(s.alpha), {at(std::integral_constant<int, 0>()), m, k, turned ? 1 : k, turned ? m : 1},
                                          {at(std::integral_constant<int, 1>()), k, n, n, 1}, {at(std::integral_constant<int, 2>()), m, n, n, 1});
    }
    template <bool Here, int Step, int... Slot>
    CROTON_LAYER static void run_step(const places& all, std::int64_t count, const std::int64_t* sizes, std::integer_sequence<int, Slot...>) {
        std::byte* const slot[] = {place_of_buffer<facts.slots[facts.steps[Step].slot_from + Slot].buffer>(all)..., nullptr};
        // One loop stands here; more are called, each once for all functions that have it.
        if constexpr (facts.step_count > 1 && !Here) {
            flat_of<Step>::run(count, slot, sizes);
        } else {
            // A processor reads two arrays at a time: of more it matters whether they are one.
            if constexpr (equal_reads(facts, facts.steps[Step]) > 2)
                if (are_one<Step, Slot...>(all)) return flat_of<Step>::template run_here<true, Here>(count, slot, sizes);
            flat_of<Step>::template run_here<false, Here>(count, slot, sizes);
        }
    }
    template <int Step, int... Slot> CROTON_INLINE static bool are_one(const places& all) {
        const std::byte* one = nullptr;
        bool same = true;
        const auto look = [&]<int Buffer>(std::integral_constant<int, Buffer>) CROTON_INLINED {
            if constexpr (facts.buffers[Buffer].what == buffer_kind::leaf && !is_single(facts.buffers[Buffer].shape)) {
                const std::byte* const here = place_of_buffer<Buffer>(all);
                same = same && (one == nullptr || one == here);
                one = here;
            }
        };
        (look(std::integral_constant<int, facts.slots[facts.steps[Step].slot_from + Slot].buffer>()), ...);
        return same;
    }
    template <int Buffer> CROTON_INLINE static std::byte* place_of_buffer(const places& all) {
        constexpr buffer_facts b = facts.buffers[Buffer];
        if constexpr (b.what == buffer_kind::output) return all.array[b.index];
        else if constexpr (b.what == buffer_kind::leaf) return all.array[output_count + b.index];
        else return all.temporary[b.index];
    }
};

}  // namespace croton::inline v0_1::detail

#endif
