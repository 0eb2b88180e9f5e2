// SPDX-License-Identifier: MIT
// Runs a loop of a plan: the steps of its region again and again, with pointers moved.
#ifndef CROTON_FUNCTION_REPEAT_HPP
#define CROTON_FUNCTION_REPEAT_HPP

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <croton/device/device.hpp>
#include <croton/function/layout.hpp>
#include <croton/function/work_memory.hpp>
#include <croton/kernel/argument.hpp>
#include <croton/plan/view.hpp>
#include <croton/profile/recorder.hpp>

namespace croton::inline v0_1::detail {

template <class Device, class Plan> class runner;

/// What a profile is told of a plan and of its loops.
template <class Device, class Plan> struct recorded_facts {
    template <int... I> static constexpr std::array<const function_facts*, sizeof...(I) + 1> facts_of_loops(std::integer_sequence<int, I...>) {
        return {&recorded_facts<Device, typename Plan::template region<Plan::program().loops[I].region>>::value..., nullptr};
    }
    static constexpr auto loops = facts_of_loops(std::make_integer_sequence<int, Plan::program().loops.size()>());
    static constexpr function_facts value{runner<Device, Plan>::facts, device_name<Device>, Device::loop_name, Device::product_name, Device::fuses, loops.data()};
};

/// Whether a step of `Plan` takes matrices apart.
template <class Plan> constexpr bool takes_matrices() {
    for (const step& s : Plan::value().steps)
        if (s.what == step_kind::routine && Plan::program().routines[s.routine]->of_matrices) return true;
    return false;
}

/// Whether the host waits for what a step of `Plan` says, or one of its loops: how many turns there are, whether a matrix can be taken apart. Such steps cannot be recorded.
template <class Plan, int Loop = -1> constexpr bool waits_for_steps() {
    if constexpr (Loop < 0) {
        return takes_matrices<Plan>() || waits_for_steps<Plan, 0>();
    } else if constexpr (Loop < Plan::program().loops.size()) {
        constexpr loop_entry l = Plan::program().loops[Loop];
        if constexpr (l.limited || l.stops) return true;
        else return waits_for_steps<typename Plan::template region<l.region>>() || waits_for_steps<Plan, Loop + 1>();
    } else return false;
}

/// Step `Step` of `Plan`, a loop. It owns the runner of its region, and two places for each value that is carried: a turn reads one and writes the other. What it
/// changes in part has one.
/// Where what is carried is kept of all turns, it is read and written there.
template <class Device, class Plan, int Step> class loop_runner {
    static constexpr loop_entry entry = [] {
        for (const loop_entry& l : Plan::program().loops)
            if (l.region == static_cast<int>(Plan::value().steps[Step].bits)) return l;
        return loop_entry();
    }();
    using region = typename Plan::template region<entry.region>;
    static constexpr int arguments = entry.arguments();
    static constexpr int given = entry.carried + entry.sequences + entry.captured;
    static constexpr int turn_leaf = entry.counts ? given : -1;
    static constexpr std::size_t at(int i) { return static_cast<std::size_t>(i); }

    /// What is stacked: the results of a turn behind what is carried, but for whether it was the last.
    static constexpr int stacks = runner<Device, region>::output_count - entry.carried - (entry.stops ? 1 : 0);
    using where = memory<array_device<Device>>;
    /// Where the device cannot read the number of the turn from the host, all of them lie in its memory; so does what says that a turn was the last one.
    static constexpr bool numbers_lie_apart = entry.counts && !where::on_host;
    static constexpr bool stop_lies_apart = entry.stops && !where::on_host;

    /// Of a part of the loop: which it is.
    static constexpr std::int64_t part_bits_of(int part) { return Plan::program().nodes[Plan::program().loop_nodes[entry.from + arguments + part]].bits; }
    static constexpr int slot_of(loop_result what, int index) {
        for (int i = 0; i < entry.parts; ++i)
            if (part_role(part_bits_of(i)) == what && part_index(part_bits_of(i)) == index) return arguments + i;
        return -1;
    }
    /// By carried value: the slot of all of its turns, or -1.
    static constexpr auto trajectory = [] {
        std::array<int, at(entry.carried + 1)> slots{};
        for (int k = 0; k < entry.carried; ++k) slots[at(k)] = slot_of(loop_result::trajectory, k);
        return slots;
    }();
    /// Whether a turn changes carried value `k` where it lies: one routine does, as set_at, and nothing behind it reads what was there.
    static constexpr bool is_changed_in_place(int k) {
        constexpr plan_view inner = runner<Device, region>::facts;
        if (trajectory[at(k)] >= 0) return false;
        bool changed = false;
        for (int i = 0; i < inner.step_count; ++i) {
            const step& s = inner.steps[i];
            int reads = 0, writes = 0;
            for (int j = s.slot_from; j < s.slot_from + s.slot_count; ++j) {
                const buffer_facts& b = inner.buffers[inner.slots[j].buffer];
                reads += b.what == buffer_kind::leaf && b.index == k ? 1 : 0;
                writes += b.what == buffer_kind::output && b.index == k ? 1 : 0;
            }
            if (changed ? reads > 0 : writes > 0) {
                if (changed || s.what != step_kind::routine || inner.routines[s.routine]->in_place < 0 || reads != 1 || writes != 1) return false;
                const access& from = inner.slots[s.slot_from + inner.routines[s.routine]->in_place];
                const access& to = inner.slots[s.slot_from + s.slot_count - 1];
                const buffer_facts& base = inner.buffers[from.buffer];
                if (base.what != buffer_kind::leaf || base.index != k || inner.buffers[to.buffer].what != buffer_kind::output || from.window >= 0 || to.window >= 0 ||
                    from.layout != to.layout || !(from.axis == to.axis))
                    return false;
                changed = true;
            }
        }
        return changed;
    }
    static constexpr auto in_place = [] {
        std::array<bool, at(entry.carried + 1)> all{};
        for (int k = 0; k < entry.carried; ++k) all[at(k)] = is_changed_in_place(k);
        return all;
    }();
    template <int K> using carried_type = element_t<Plan::value().buffers[Plan::value().slots[Plan::value().steps[Step].slot_from + K].buffer].type>;

public:
    explicit loop_runner(const std::string& function) : steps_(function) {}

    /// Once for a shape: memory for what is carried, and the layout of the steps.
    void lay_out(const plan_view& p, const kernel::operand* slots, const std::int64_t* sizes) {
        turns_ = size_value(entry.turns, sizes);
        for (int i = 0; i < p.size_count; ++i) steps_.sizes[at(i)] = sizes[i];
        constexpr plan_view inner = runner<Device, region>::facts;
        std::int64_t bytes = 0;
        for (int i = 0; i < inner.leaf_count; ++i) {
            bound_array& a = steps_.leaves[at(i)];
            a.on_host = false;
            set_extents(a, inner.leaves[i].shape, sizes);
            if (i < entry.carried && trajectory[at(i)] < 0) {
                std::int64_t own = static_cast<std::int64_t>(size_of(inner.leaves[i].type));
                row_major(inner.leaves[i].shape, sizes, a.stride.data());
                for (int k = 0; k < inner.leaves[i].shape.rank; ++k) own *= a.extent[at(k)];
                place_[at(i)][0] = bytes;
                if (!in_place[at(i)]) bytes += (own + 63) / 64 * 64;
                place_[at(i)][1] = bytes;
                bytes += (own + 63) / 64 * 64;
            } else if (i < given) {
                const bool whole = i >= entry.carried + entry.sequences;
                const int slot = i < entry.carried ? trajectory[at(i)] : i;
                take_strides(a, slots[slot], inner.leaves[i].shape.rank, whole ? 0 : 1);
                row_[at(i)] = whole ? 0 : slots[slot].stride[0] * static_cast<std::int64_t>(size_of(inner.leaves[i].type));
            }
        }
        for (int i = 0, stacked = entry.carried; i < entry.parts; ++i) {
            if (part_role(part_bits_of(i)) != loop_result::stack) continue;
            const buffer_facts& each = result_of_turn(stacked);
            set_extents(steps_.outputs[at(stacked)], each.shape, sizes);
            take_strides(steps_.outputs[at(stacked)], slots[arguments + i], each.shape.rank, 1);
            stack_row_[at(stacked - entry.carried)] = slots[arguments + i].stride[0] * static_cast<std::int64_t>(size_of(each.type));
            stack_slot_[at(stacked - entry.carried)] = arguments + i;
            kept_[at(stacked - entry.carried)] = size_value(Plan::program().nodes[Plan::program().loop_nodes[entry.from + arguments + i]].shape[0], sizes);
            ++stacked;
        }
        for (int k = 0; k < entry.carried; ++k) steps_.outputs[at(k)] = steps_.leaves[at(k)];
        stop_at_ = bytes;
        if constexpr (stop_lies_apart) bytes += 64;
        memory_.reserve(carried_bytes_ = bytes);
        if constexpr (numbers_lie_apart) number_turns(turns_);
        steps_.lay_out_turns();
    }

    /// `call`: the call that is recorded, or null. A run that only prepares what the steps need knows no values, and takes two turns, one for each place of what
    /// is carried.
    void run(const kernel::operand* slots, recorded_call* call, bool only_prepares) {
        std::int64_t most = turns_;
        if constexpr (entry.limited || entry.stops)
            if (only_prepares) most = entry.unbounded || most > 2 ? 2 : most;
        if constexpr (entry.limited) {
            if (!only_prepares) {
                std::int64_t wanted = 0;
                read(wanted, slots[given].data);
                most = entry.unbounded || wanted < most ? wanted : most;
                most = most < 0 ? 0 : most;
            }
        }
        const std::int64_t skipped = entry.retraces ? turns_ - most : 0;
        if constexpr (entry.at_most > 0) most = most < entry.at_most ? most : entry.at_most;
        std::int64_t turn = 0;
        stop_ = false;
        if constexpr (entry.stops) steps_.outputs[at(runner<Device, region>::output_count - 1)].data = stop_lies_apart ? memory_.data() + stop_at_ : reinterpret_cast<std::byte*>(&stop_);
        for (int i = entry.carried; i < given; ++i) steps_.leaves[at(i)].data = slots[i].data;
        if constexpr (entry.counts && !numbers_lie_apart) steps_.leaves[at(turn_leaf)].data = reinterpret_cast<std::byte*>(&number_);
        const recorded_loop recorded(call, recorded_facts<Device, region>::value, Step, steps_.recorded_layout(carried_bytes_));
        begin(slots, skipped, std::make_integer_sequence<int, entry.carried>());
        for (; turn < most && !stop_; ++turn) {
            const std::int64_t position = entry.reverse ? turns_ - 1 - turn - skipped : turn + skipped;
            number_ = position;
            if constexpr (numbers_lie_apart) {
                if constexpr (entry.unbounded)
                    if (position >= numbered_) number_turns(std::max<std::int64_t>(64, 2 * position));
                steps_.leaves[at(turn_leaf)].data = numbers_.data() + position * static_cast<std::int64_t>(sizeof(std::int64_t));
            }
            for (int j = entry.carried; j < entry.carried + entry.sequences; ++j) steps_.leaves[at(j)].data = slots[j].data + position * row_[at(j)];
            for (int k = 0; k < entry.carried; ++k) {
                steps_.leaves[at(k)].data = carried_at(slots, k, turn, skipped);
                steps_.outputs[at(k)].data = carried_at(slots, k, turn + 1, skipped);
            }
            for (int i = 0; i < stacks; ++i) steps_.outputs[at(entry.carried + i)].data = slots[stack_slot_[at(i)]].data + row_of_turn(i, position) * stack_row_[at(i)];
            if (recorded) [[unlikely]] steps_.run_turn(*call, position);
            else steps_.run_turn(only_prepares);
            if constexpr (stop_lies_apart)
                if (!only_prepares) read(stop_, memory_.data() + stop_at_);
        }
        end(slots, turn, skipped, std::make_integer_sequence<int, entry.carried>());
        if (only_prepares) return;
        if constexpr (constexpr int count = slot_of(loop_result::turns, 0); count >= 0) {
            if constexpr (where::on_host) *reinterpret_cast<std::int64_t*>(slots[count].data) = turn;
            else where::copy_from_host(slots[count].data, &turn, sizeof turn);
        }
        if constexpr (entry.limited || entry.stops || entry.at_most > 0)
            if (turn < turns_) clear_rest(slots, turn, skipped);
    }

private:
    runner<Device, region> steps_;
    work_memory<Device> memory_;
    work_memory<Device> numbers_;  // of turns, where they lie apart
    std::int64_t turns_ = 0, number_ = 0, carried_bytes_ = 0, stop_at_ = 0, numbered_ = 0;
    bool stop_ = false;
    std::array<std::array<std::int64_t, 2>, at(entry.carried + 1)> place_{};  // by carried value: its two places
    std::array<std::int64_t, at(arguments + 1)> row_{};                       // by argument: the bytes from turn to turn
    std::array<std::int64_t, at(entry.parts + 1)> stack_row_{};
    std::array<int, at(entry.parts + 1)> stack_slot_{};
    std::array<std::int64_t, at(entry.parts + 1)> kept_{};  // by stack: of how many turns, the last ones

    /// What a turn leaves as its result number `output`.
    static constexpr const buffer_facts& result_of_turn(int output) {
        constexpr const plan_view& inner = runner<Device, region>::facts;
        for (int b = 0;; ++b)
            if (inner.buffers[b].what == buffer_kind::output && inner.buffers[b].index == output) return inner.buffers[b];
    }

    /// Numbers the turns from 0 to `count`, for a device that reads them in its memory.
    void number_turns(std::int64_t count) {
        std::vector<std::int64_t> numbers(static_cast<std::size_t>(count));
        std::iota(numbers.begin(), numbers.end(), 0);
        numbers_.reserve(count * static_cast<std::int64_t>(sizeof(std::int64_t)));
        where::copy_from_host(numbers_.data(), numbers.data(), numbers.size() * sizeof(std::int64_t));
        numbered_ = count;
    }
    template <class T> static void read(T& value, const std::byte* from) {
        if constexpr (where::on_host) value = *reinterpret_cast<const T*>(from);
        else where::copy_to_host(&value, from, sizeof value);
    }

    static void set_extents(bound_array& a, const shape& s, const std::int64_t* sizes) {
        for (int i = 0; i < s.rank; ++i) a.extent[at(i)] = size_value(s[i], sizes);
    }
    static void take_strides(bound_array& a, const kernel::operand& slot, int rank, int from) {
        for (int i = 0; i < rank; ++i) a.stride[at(i)] = slot.stride[at(i + from)];
    }

    /// The row of a stack for the turn at a position. Turns that none is kept of write where a later one does.
    std::int64_t row_of_turn(int stack, std::int64_t position) const {
        const std::int64_t kept = kept_[at(stack)];
        return entry.reverse ? std::min(position, kept - 1) : std::max<std::int64_t>(position - (turns_ - kept), 0);
    }
    /// Where a carried value lies before turn `turn`, and after the one before.
    std::byte* carried_at(const kernel::operand* slots, int k, std::int64_t turn, std::int64_t skipped) const {
        if (trajectory[at(k)] < 0) return memory_.data() + place_[at(k)][at(static_cast<int>(turn & 1))];
        return slots[trajectory[at(k)]].data + (entry.reverse ? turns_ - turn - skipped : turn + skipped) * row_[at(k)];
    }
    /// What the turns that there were not would have left of each is 0.
    void clear_rest(const kernel::operand* slots, std::int64_t turn, std::int64_t skipped) const {
        const auto clear = [&](int slot, std::int64_t row, const bound_array& one, int rank, std::size_t bytes, std::int64_t from, std::int64_t to) {
            if (const std::int64_t own = contiguous_bytes(one, rank, bytes, 0); from < to && own == row) return where::zero(slots[slot].data + from * row, static_cast<std::size_t>((to - from) * row));
            for (std::int64_t t = from; t < to; ++t) clear_elements(slots[slot].data + t * row, one, rank, bytes);
        };
        constexpr plan_view inner = runner<Device, region>::facts;
        const std::int64_t first = entry.reverse ? turns_ - turn - skipped : skipped, last = first + turn;  // the positions that there were
        for (int k = 0; k < entry.carried; ++k) {
            if (trajectory[at(k)] < 0) continue;
            const std::size_t bytes = size_of(inner.leaves[k].type);
            const int rank = inner.leaves[k].shape.rank;
            clear(trajectory[at(k)], row_[at(k)], steps_.leaves[at(k)], rank, bytes, 0, first);
            clear(trajectory[at(k)], row_[at(k)], steps_.leaves[at(k)], rank, bytes, last + 1, turns_ + 1);
        }
        for (int i = 0; i < stacks; ++i) {
            const buffer_facts& each = result_of_turn(entry.carried + i);
            const bound_array& one = steps_.outputs[at(entry.carried + i)];
            clear(stack_slot_[at(i)], stack_row_[at(i)], one, each.shape.rank, size_of(each.type), 0, first);
            clear(stack_slot_[at(i)], stack_row_[at(i)], one, each.shape.rank, size_of(each.type), last, turns_);
        }
    }
    /// The bytes of the axes from `axis` on where they lie in one piece, or -1.
    static std::int64_t contiguous_bytes(const bound_array& one, int rank, std::size_t bytes, int axis) {
        std::int64_t count = 1;
        for (int i = rank; i-- > axis; count *= one.extent[at(i)])
            if (one.extent[at(i)] > 1 && one.stride[at(i)] != count) return -1;
        return count * static_cast<std::int64_t>(bytes);
    }
    static void clear_elements(std::byte* to, const bound_array& one, int rank, std::size_t bytes, int axis = 0) {
        if (const std::int64_t whole = contiguous_bytes(one, rank, bytes, axis); whole >= 0) return where::zero(to, static_cast<std::size_t>(whole));
        for (std::int64_t i = 0; i < one.extent[at(axis)]; ++i) clear_elements(to + i * one.stride[at(axis)] * static_cast<std::int64_t>(bytes), one, rank, bytes, axis + 1);
    }
    template <int... K> void begin([[maybe_unused]] const kernel::operand* slots, [[maybe_unused]] std::int64_t skipped, std::integer_sequence<int, K...>) {
        (copy<K>(slots[K], carried_operand<K>(slots, 0, skipped)), ...);
    }
    template <int... K> void end([[maybe_unused]] const kernel::operand* slots, [[maybe_unused]] std::int64_t turn, [[maybe_unused]] std::int64_t skipped, std::integer_sequence<int, K...>) {
        (copy_last<K>(slots, turn, skipped), ...);
    }
    template <int K> void copy_last([[maybe_unused]] const kernel::operand* slots, [[maybe_unused]] std::int64_t turn, [[maybe_unused]] std::int64_t skipped) {
        constexpr int to = slot_of(loop_result::last, K);
        if constexpr (to >= 0) copy<K>(carried_operand<K>(slots, turn, skipped), slots[to]);
    }
    template <int K> kernel::operand carried_operand(const kernel::operand* slots, std::int64_t turn, std::int64_t skipped) const {
        kernel::operand o{carried_at(slots, K, turn, skipped), {}};
        for (int i = 0; i < max_rank; ++i) o.stride[at(i)] = steps_.leaves[at(K)].stride[at(i)];
        return o;
    }
    template <int K> void copy(const kernel::operand& from, const kernel::operand& to) const {
        constexpr int rank = runner<Device, region>::facts.leaves[K].shape.rank;
        Device::template copy<carried_type<K>>(rank, steps_.leaves[at(K)].extent.data(), from, to);
    }
};

/// The loops of a plan, by step.
template <class Device, class Plan> class loops_of_plan {
    static constexpr int count = [] {
        int n = 0;
        for (const step& s : Plan::value().steps) n += s.what == step_kind::repeat ? 1 : 0;
        return n;
    }();
    static constexpr auto steps = [] {
        std::array<int, static_cast<std::size_t>(count + 1)> all{};
        std::size_t n = 0;
        for (int i = 0; i < Plan::value().steps.size(); ++i)
            if (Plan::value().steps[i].what == step_kind::repeat) all[n++] = i;
        return all;
    }();
    template <int... I> static auto runners(std::integer_sequence<int, I...>) -> std::tuple<loop_runner<Device, Plan, steps[static_cast<std::size_t>(I)]>...>;
    using all_runners = decltype(runners(std::make_integer_sequence<int, count>()));

    template <std::size_t... I> loops_of_plan(const std::string& function, std::index_sequence<I...>) : all_((static_cast<void>(I), function)...) {}

public:
    explicit loops_of_plan(const std::string& function) : loops_of_plan(function, std::make_index_sequence<static_cast<std::size_t>(count)>()) {}

    template <int Step> auto& of() { return std::get<loop_runner<Device, Plan, Step>>(all_); }
    template <class F> void each(F&& f) {
        [&]<int... I>(std::integer_sequence<int, I...>) {
            (f(std::get<static_cast<std::size_t>(I)>(all_), steps[static_cast<std::size_t>(I)]), ...);
        }(std::make_integer_sequence<int, count>());
    }

private:
    [[no_unique_address]] all_runners all_;
};

}  // namespace croton::inline v0_1::detail

#endif
