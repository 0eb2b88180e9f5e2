// SPDX-License-Identifier: MIT
// Runs the steps of a plan: lays out their memory once for a shape, and gives each to the device.
#ifndef CROTON_FUNCTION_RUNNER_HPP
#define CROTON_FUNCTION_RUNNER_HPP

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <croton/device/device.hpp>
#include <croton/explain/formula.hpp>
#include <croton/function/device_bounds.hpp>
#include <croton/function/ended_products.hpp>
#include <croton/function/elements.hpp>
#include <croton/function/layout.hpp>
#include <croton/function/left_out_copies.hpp>
#include <croton/function/loops_of_plan.hpp>
#include <croton/function/measure_steps.hpp>
#include <croton/function/packing.hpp>
#include <croton/function/product.hpp>
#include <croton/function/run_kernel.hpp>
#include <croton/function/routine.hpp>
#include <croton/function/row_pass.hpp>
#include <croton/function/work_memory.hpp>
#include <croton/plan/forms.hpp>
#include <croton/plan/lower.hpp>
#include <croton/plan/memory.hpp>
#include <croton/plan/region_program.hpp>
#include <croton/profile/recorder.hpp>

namespace croton::inline v0_1::detail {

/// The program and the plan of a lambda on a device.
template <class Device, class F, int Region = -1> struct plan_holder {
    static constexpr unsigned abilities = (Device::fuses ? fuses_loops : 0u) | (multiplies_storage<Device> ? multiplies_narrow : 0u) |
                                          (has_epilogues<Device> ? takes_epilogues : 0u) | (has_joint_launches<Device> ? joins_loops : 0u) |
                                          (has_spreads<Device> ? joins_spreads : 0u) | (has_ended_routines<Device> ? ends_routines : 0u) |
                                          (closes_loops<Device> ? closes_with_numbers : 0u);
    using program_type = region_program<program_of<F, Device::rewrites>, Region>;
    template <int Other> using region = plan_holder<Device, F, Other>;
    static constexpr const auto& program() { return program_type::get(); }
    static constexpr const auto& value() { return plan_of<program_type, abilities>::get(); }
};

/// The steps of `Plan`, a `plan_holder`. Whoever runs them binds `leaves`, `outputs` and `sizes` first.
template <class Device, class Plan> class runner {
public:
    static constexpr plan_view facts = view_of(Plan::program(), Plan::value());
    static constexpr int leaf_count = facts.leaf_count;
    static constexpr int output_count = facts.output_count;
    /// Whether a routine among the steps refuses some numbers.
    static constexpr bool may_fail = [] {
        for (int i = 0; i < facts.step_count; ++i)
            if (facts.steps[i].what == step_kind::routine && !facts.routines[facts.steps[i].routine]->failure.empty()) return true;
        // So can those of loops.
        for (const kernel::routine_facts* r : Plan::program().routines)
            if (Plan::program().loops.size() > 0 && !r->failure.empty()) return true;
        return false;
    }();
    /// Whether arguments on the host are copied to the device.
    static constexpr bool transfers = !memory<array_device<Device>>::on_host;

    explicit runner(std::string function) : name(std::move(function)), loops_(name) {
        static_assert(factors_matrices<Device> || !takes_matrices<Plan>(), "croton: this device has no linear algebra; cholesky, solve, qr, eigh, svd and their kin run on cpu and reference, and on cuda where cuSOLVER is linked (-lcusolver) and CROTON_HAS_CUSOLVER is 1");
    }

    std::string name;
    std::array<bound_array, static_cast<std::size_t>(leaf_count + 1)> leaves{};
    std::array<bound_array, static_cast<std::size_t>(output_count + 1)> outputs{};
    std::array<std::int64_t, static_cast<std::size_t>(facts.size_count + 1)> sizes{};

    /// Other memory is bound, or other shapes or strides: what was computed from them does not hold.
    void change_memory() { placed_ = false; }
    void change_layout() { memory_.settled = false; }

    void run(recorded_call& call) {
        // Replayed as a whole, the steps have no ranges of their own.
        [[maybe_unused]] const range_t<Device> named(name.c_str());
        if (!memory_.settled) lay_out();
        call.lap(call_part::layout);
        if constexpr (requires { recording_.forget(); }) {
            const auto used = addresses();
            [[maybe_unused]] const auto all = [this] { prepare_steps(), run_steps(); };
            recording_.rehearse(used, [this] {
                struct preparing {
                    runner& of;
                    ~preparing() { of.only_prepares_ = false; }
                };
                only_prepares_ = true;
                const preparing until_here{*this};
                prepare_steps(), run_steps<true>();
            });
            // Recorded, each step runs by itself, so that it can be measured; so it does where the host waits for what one says.
            if constexpr (!waits_for_steps<Device, Plan>())
                if (!call && conditions() <= most_conditions) return recording_.run(name, used, all);
        }
        prepare_steps(call.is_watched());
        if (call) [[unlikely]] return call.lap(call_part::staging), call.begin_steps(recorded_layout()), run_each_step(call);
        run_steps();
    }

    /// The steps of a region: for a shape, and once for each turn.
    void lay_out_turns() { lay_out(); }
    std::int64_t conditions() const { return loops_.conditions(); }
    /// Where what is kept between calls lies, also of loops: it moves when it grows.
    void note_memory(std::vector<std::int64_t>& to) {
        to.push_back(reinterpret_cast<std::intptr_t>(memory_.data())), loops_.each([&](auto& loop, int) { loop.note_memory(to); });
    }
    void run_turn(bool only_prepares) {
        if constexpr (rehearses) only_prepares_ = only_prepares;
        change_memory(), prepare_steps();
        run_steps();
    }
    /// The same, step by step, for who records the call.
    void run_turn(recorded_call& call, std::int64_t turn) {
        if constexpr (rehearses) only_prepares_ = false;
        change_memory(), prepare_steps(call.is_watched());
        call.begin_turn(turn);
        run_each_step(call);
    }
    /// Where the slots of the steps lie in a turn, for who runs these itself.
    const kernel::operand* place_steps() { return change_memory(), prepare_steps(), operands_.data(); }
    call_layout recorded_layout(std::int64_t carried_bytes = 0) const { return {sizes.data(), operands_.data(), work_bytes_, staged_bytes_, carried_bytes}; }

private:
    static constexpr int step_count = facts.step_count, slot_count = facts.slot_count;
    static constexpr int temporary_count = facts.temporaries;
    static constexpr const auto& launches = launches_of<Plan>::value;
    using ends = product_ends<Device, Plan>;
    using form_sequence = std::make_integer_sequence<int, launches.forms>;

    static constexpr std::size_t at(int i) { return static_cast<std::size_t>(i); }

    // Once for a shape: apart from the call, which is short.
    [[gnu::noinline]] void lay_out() {
        resolve_strides(facts, leaves.data(), outputs.data(), sizes.data(), operands_.data(), offsets_.data(), extents_.data());
        lifetime scratch[temporary_count + 1];
        pass_.lay_out(operands_.data(), extents_.data());
        copies_.find(sizes.data(), !pass_.chosen());
        copies_.lay_out(operands_.data(), sizes.data(), false);
        ended_.lay_out(operands_.data(), extents_.data(), pass_.chosen(), copies_);
        work_bytes_ = place_temporaries(facts, row_pass<Device, Plan>::steps, ended_.joined(), copies_.spans(), sizes.data(), scratch, work_offsets_.data());
        staged_bytes_ = stage_arguments(work_bytes_);
        // All that the steps need is there before the first of them writes.
        std::int64_t room = routine_bytes();
        copies_.each_layout(operands_.data(), sizes.data(), [&] { room = std::max(room, packing_bytes<Device>(facts, name, operands_.data(), extents_.data(), ended_.data())); });
        pass_at_ = work_bytes_ + staged_bytes_ + (room + 63) / 64 * 64;
        memory_.reserve(pass_at_ + pass_.bytes());
        if constexpr (Plan::program().loops.size() > 0) lay_out_loops();
        bounds_.number(name, sizes.data());
        if constexpr (requires { recording_.lay_out({}); }) {
            auto numbers = layout_numbers(facts, leaves.data(), outputs.data(), sizes.data());
            note_memory(numbers), recording_.lay_out(std::move(numbers));
        } else if constexpr (requires { recording_.forget(); }) recording_.forget();
        memory_.settled = true;
        change_memory();
    }

    void prepare_steps(bool watched = false) {
        const bool apart = copies_.keep_apart(watched);
        if (ended_.keep_apart(watched) || apart) placed_ = false;
        bounds_.check(leaves.data(), sizes.data());
        if constexpr (may_stage) copy_strided_arguments();
        if constexpr (!transfers && !may_stage)
            if (std::exchange(placed_, true)) return;
        for (int i = 0; i < slot_count; ++i) operands_[at(i)].data = kernel::alone(base(facts.slots[i].buffer));
        if constexpr (may_stage) read_staged();
        if constexpr (facts.window_count > 0)
            for (int i = 0; i < slot_count; ++i) operands_[at(i)].data = kernel::alone(operands_[at(i)].data + offsets_[at(i)]);
        copies_.bind(operands_.data(), sizes.data());
        ended_.bind(operands_.data());
    }
    [[gnu::noinline]] void lay_out_loops() {
        loops_.each([&](auto& loop, int step) { loop.lay_out(facts, operands_.data() + facts.steps[step].slot_from, sizes.data()); });
    }
    template <bool Rehearsed = false> void run_steps() {
        if constexpr (row_pass<Device, Plan>::possible)
            if (pass_.chosen()) return run_with_pass(nullptr);
        // Few steps are written out; many, of few forms, would take the compiler longer than all of their loops.
        if constexpr (launches.count <= 8) run_launches<Rehearsed>(std::make_integer_sequence<int, launches.count>{});
        else for (int i = 0; i < launches.count; ++i) run_launch(launches.step[i], [&](int step) { forms<Rehearsed>[at(launches.form[i])](*this, step); });
    }
    template <bool Rehearsed, int... I> void run_launches(std::integer_sequence<int, I...>) {
        (run_launch(launches.step[I], [this](int step) { run_named_step<launches.first[launches.form[I]], Rehearsed>(step); }), ...);
    }

    /// A launch by its code, and with a product what is behind it; `call` hears of the product then.
    template <class Run> CROTON_INLINE void run_launch(int step, const Run& run, recorded_call* call = nullptr) {
        if (copies_.has(step)) return;
        if constexpr (ends::any) {
            if (ended_.within(step)) return;
            if (ended_.has_end(step)) return ended_.run(step, operands_.data(), extents_.data(), run_one(), [&] { run(step); }, call);
        }
        run(step);
    }
    auto run_one() {
        return [this]<int Step, class On>(kernel::operand* operands, const std::int64_t* extents, std::byte* room) { this->run_step_on<Step, On>(Step, operands, extents, room); };
    }

    /// The code of each form.
    using form_code = void (*)(runner&, int step);
    template <int Form, bool Rehearsed> static void run_form(runner& r, int step) { r.template run_named_step<Form, Rehearsed>(step); }
    template <bool Rehearsed, int... I> static constexpr auto table_of_forms(std::integer_sequence<int, I...>) {
        return std::array<form_code, sizeof...(I) + 1>{&run_form<launches.first[I], Rehearsed>..., nullptr};
    }
    template <bool Rehearsed> static constexpr auto forms = table_of_forms<Rehearsed>(form_sequence{});

    /// The memory that the steps use: with the same, and the same shapes, they do the same.
    std::array<const void*, static_cast<std::size_t>(leaf_count + output_count + 1)> addresses() const {
        std::array<const void*, static_cast<std::size_t>(leaf_count + output_count + 1)> all;
        for (int i = 0; i < leaf_count; ++i) all[at(i)] = leaves[at(i)].data;
        for (int i = 0; i < output_count; ++i) all[at(leaf_count + i)] = outputs[at(i)].data;
        all.back() = memory_.data();
        return all;
    }

    /// Runs step `step` by the code of step `Form`. A device that fails says in which step. Steps before it have run, and may have
    /// updated their parameters, unless they only prepare: then no tool sees them.
    template <int Form, bool Rehearsed = false> void run_named_step(int step) {
        if constexpr (is_asynchronous<Device>) {
            [[maybe_unused]] const std::conditional_t<Rehearsed, range_unheard, range_t<Device>> named(range_t<Device>::heard() ? step_names()[at(step)].c_str() : "");
            try {
                run_step<Form>(step);
            } catch (const device_error& e) {
                throw device_error(name + ", step " + std::to_string(step + 1) + " of " + std::to_string(step_count) + ": " + e.what() +
                                   (Rehearsed || step == 0 ? "; nothing has been updated" : "; steps before it may have updated parameters"));
            }
        } else {
            run_step<Form>(step);
        }
    }

    /// What the steps are called where a tool shows them; made when one first asks.
    static const std::vector<std::string>& step_names() {
        static const std::vector<std::string> names = detail::step_names(plan_facts(facts));
        return names;
    }

    /// The steps one by one: the code that the profile sees is the code that runs without it.
    void run_each_step(recorded_call& call) {
        if constexpr (is_asynchronous<Device>) {
            // A loop that a value ends is counted by the host, where it is not part of a graph.
            measure_steps<Device, launches.count, waits_for_steps<nothing_recorded, Plan>()>(
                call, [](int i) { return launches.step[i]; }, [this](int i) { forms<false>[at(launches.form[i])](*this, launches.step[i]); });
        } else {
            struct heard_by {
                recorded_call*& by;
                ~heard_by() { by = nullptr; }
            };
            [[maybe_unused]] const heard_by until_here{heard_ = &call};
            if constexpr (row_pass<Device, Plan>::possible)
                if (pass_.chosen()) return run_with_pass(&call);
            for (int i = 0; i < launches.count; ++i) {
                run_launch(launches.step[i], [&](int s) { forms<false>[at(launches.form[i])](*this, s); }, &call);
                if (!ended_.has_end(launches.step[i]) && !copies_.has(launches.step[i])) call.step(launches.step[i]);
            }
        }
    }
    /// The steps of the pass block by block, and those that wait for it before it stores its last product; `heard`, where it is there, hears of each.
    void run_with_pass(recorded_call* heard) {
        pass_times times(heard);
        pass_.run_program(launches, operands_.data(), extents_.data(), sizes.data(), memory_.data() + pass_at_, [this](int i) { forms<false>[at(launches.form[i])](*this, launches.step[i]); },
                          run_one(), times);
    }
    /// What the routine that needs most of it takes to work in; their shapes are checked.
    std::int64_t routine_bytes() const {
        std::int64_t most = 0;
        if constexpr (has_routines)
            for (int i = 0; i < launches.count; ++i) most = std::max(most, routine_bytes(launches.form[i], launches.step[i], form_sequence{}));
        return most;
    }
    template <int... I> std::int64_t routine_bytes(int form, int step, std::integer_sequence<int, I...>) const {
        std::int64_t bytes = 0;
        (void)((form == I && (bytes = routine_bytes<launches.first[I]>(step), true)) || ...);
        return bytes;
    }
    template <int Form> std::int64_t routine_bytes([[maybe_unused]] int step) const {
        if constexpr (Plan::value().steps[Form].what == step_kind::routine) {
            using routine = routine_step<Device, Plan, Form>;
            const auto call = routine_call_of(facts, step, extents_.data() + step * max_rank, operands_.data() + facts.steps[step].slot_from, sizes.data());
            routine::check(call, name);
            return routine::room(call);
        } else {
            return 0;
        }
    }
    static constexpr bool has_routines = [] {
        for (int i = 0; i < step_count; ++i)
            if (facts.steps[i].what == step_kind::routine) return true;
        return false;
    }();

    /// Where products copy what their library does not take, and routines work: behind the temporaries and the staged arguments.
    std::byte* packing_room() const { return memory_.data() + work_bytes_ + staged_bytes_; }

    /// A strided argument that a reshape reads is copied behind the temporaries first, in row-major order. Returns the
    /// bytes of these copies.
    std::int64_t stage_arguments(const std::int64_t work) {
        std::int64_t bytes = work;
        for (int i = 0; i < leaf_count; ++i) {
            staged_[at(i)] = -1;
            const int rank = facts.leaves[i].shape.rank;
            if (!facts.contiguous_leaf[i] || leaves[at(i)].contiguous(rank)) continue;
            std::int64_t count = 1;
            for (int a = 0; a < rank; ++a) count *= leaves[at(i)].extent[at(a)];
            staged_[at(i)] = bytes;
            bytes += (count * static_cast<std::int64_t>(size_of(facts.leaves[i].type)) + 63) / 64 * 64;
        }
        return bytes - work;
    }

    /// Whether a reshape reads an argument, so that a strided one is copied first.
    static constexpr bool may_stage = [] {
        for (const bool b : Plan::value().contiguous_leaf)
            if (b) return true;
        return false;
    }();

    void copy_strided_arguments() {
        for (int i = 0; i < leaf_count; ++i) {
            if (!facts.contiguous_leaf[i] || staged_[at(i)] < 0) continue;
            const int rank = facts.leaves[i].shape.rank;
            kernel::operand from{leaves[at(i)].data, leaves[at(i)].stride}, to{memory_.data() + staged_[at(i)], {}};
            std::int64_t step = 1;
            for (int a = rank; a-- > 0; step *= leaves[at(i)].extent[at(a)]) to.stride[at(a)] = step;
            const auto copy = [&]<class T>(T*) { Device::template copy<T>(rank, leaves[at(i)].extent.data(), from, to); };
            with_element<facts, reshapes_element_type>(other_elements(), facts.leaves[i].type, copy);
            with_element<facts, reshapes_element_type>(other_integers(), facts.leaves[i].type, copy);
        }
    }

    std::byte* base(int buffer) const {
        return memory_of(facts.buffers[buffer], leaves.data(), outputs.data(), memory_.data(), work_offsets_.data());
    }

    template <int Form> void run_step(int step) {
        bounds_.settle(step);
        run_step_on<Form, Device>(step, operands_.data() + facts.steps[step].slot_from, extents_.data() + step * max_rank, packing_room(), ended_.behind());
    }
    template <int Form, class On>
    void run_step_on(int step, kernel::operand* operands, const std::int64_t* extents, std::byte* room, [[maybe_unused]] const kernel::block_end* end = nullptr) {
        constexpr detail::step s = Plan::value().steps[Form];
        if constexpr (s.what == step_kind::kernel) {
            run_kernel<Device, Plan, Form>(facts.steps + step, extents, operands, sizes.data());
        } else if constexpr (s.what == step_kind::copy) {
            Device::template copy<element_t<s.type>>(s.outer, extents, operands[0], operands[1]);
        } else if constexpr (s.what == step_kind::routine) {
            routine_step<Device, Plan, Form>::run(routine_call_of(facts, step, extents, operands, sizes.data()), room, name);
        } else if constexpr (s.what == step_kind::repeat) {
            loops_.template of<Form>().run(operands, heard_, only_prepares_);
        } else {
            using factors = typename decltype(factors_of<Form>())::type;
            using product = product_step<On, element_t<s.type>, element_t<read_type(Plan::value(), s)>, s.batch, form_of_product(s), factors>;
            product::run(extents, operands, sizes.data(), facts.steps[step].alpha, facts.steps[step].beta, room, end);
        }
    }
    template <int Form> static constexpr auto factors_of() {
        if constexpr (has_kernel(Plan::value().steps[Form])) return std::type_identity<kernel_type<Plan, Form>>();
        else return std::type_identity<void>();
    }

    /// Slots with a layout of their own read the staged copy where there is one.
    void read_staged() {
        for (int i = 0; i < slot_count; ++i) {
            const access& a = facts.slots[i];
            if (a.layout < 0 || facts.buffers[a.buffer].what != buffer_kind::leaf) continue;
            const std::int64_t staged = staged_[at(facts.buffers[a.buffer].index)];
            if (staged >= 0) operands_[at(i)].data = memory_.data() + staged;
        }
    }

    std::array<kernel::operand, static_cast<std::size_t>(slot_count + 1)> operands_{};
    std::array<std::int64_t, static_cast<std::size_t>(step_count * max_rank + 1)> extents_{};
    std::array<std::int64_t, static_cast<std::size_t>(facts.window_count > 0 ? slot_count + 1 : 1)> offsets_{};
    std::array<std::int64_t, static_cast<std::size_t>(temporary_count + 1)> work_offsets_{};
    std::array<std::int64_t, static_cast<std::size_t>(leaf_count + 1)> staged_{};
    std::int64_t work_bytes_ = 0, staged_bytes_ = 0;
    bool placed_ = false;  // operands point to where the memory of this call lies, but to factors, which each product points to itself
    static constexpr bool rehearses = !std::is_same_v<recording_t<Device>, nothing_recorded>;
    std::conditional_t<rehearses, bool, std::false_type> only_prepares_{};  // a run that makes what the steps need, and leaves their results as they are
    recorded_call* heard_ = nullptr;  // the call that is recorded step by step while it runs
    [[no_unique_address]] loops_of_plan<Device, Plan> loops_;
    [[no_unique_address]] device_bounds<Device, Plan> bounds_;
    [[no_unique_address]] row_pass<Device, Plan> pass_;
    [[no_unique_address]] left_out_copies<Device, Plan> copies_;
    [[no_unique_address]] ended_products<Device, Plan> ended_;
    std::int64_t pass_at_ = 0;  // where the pass works in the memory
    work_memory<Device> memory_;
    [[no_unique_address]] recording_t<Device> recording_;
};

}  // namespace croton::inline v0_1::detail

#endif
