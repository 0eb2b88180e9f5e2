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
#include <croton/function/number_turns.hpp>
#include <croton/function/turn_memory.hpp>
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
    static constexpr function_facts value{view_of(Plan::program(), Plan::value()), device_name<Device>, Device::loop_name, Device::product_name, Device::fuses, loops.data()};
};

/// More conditions than these are not recorded: the host counts the turns.
inline constexpr std::int64_t most_conditions = 4096;

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
    /// Whether the device decides which turns run where steps are recorded.
    static constexpr bool decided_there = (entry.limited || entry.stops) && records_turns<Device>;

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
    static constexpr auto lies_in_rows = [] {
        std::array<bool, at(entry.carried + 1)> all{};
        for (int k = 0; k < entry.carried; ++k) all[at(k)] = trajectory[at(k)] >= 0;
        return all;
    }();
    using number_loop = turns_of_numbers<Device, region, entry, lies_in_rows>;
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
        if constexpr (stop_lies_apart || decided_there) bytes += 64;
        memory_.reserve(carried_bytes_ = bytes);
        if constexpr (numbers_lie_apart) number_turns(turns_);
        steps_.lay_out_turns();
    }

    void note_memory(std::vector<std::int64_t>& to) {
        for (const std::byte* p : {memory_.data(), numbers_.data()}) to.push_back(reinterpret_cast<std::intptr_t>(p));
        steps_.note_memory(to);
    }

    /// `call`: the call that is recorded, or null. A run that only prepares what the steps need knows no values, and takes two turns, one for each place of what
    /// is carried.
    void run(const kernel::operand* slots, recorded_call* call, bool only_prepares) {
        if constexpr (decided_there) {
            if (!only_prepares && Device::turns::recording()) return record_turns(slots);
            if (only_prepares && Device::turns::possible()) prepare_recording(slots);
        }
        std::int64_t most = turns_;
        if constexpr (entry.limited || entry.stops)
            if (only_prepares) most = entry.unbounded || most > 2 ? 2 : most;
        if constexpr (entry.limited) {
            if (!only_prepares) {
                std::int64_t wanted = 0;
                read_from<where>(wanted, slots[given].data);
                most = entry.unbounded || wanted < most ? wanted : most;
                most = most < 0 ? 0 : most;
            }
        }
        const std::int64_t skipped = entry.retraces ? turns_ - most : 0;
        if constexpr (entry.at_most > 0) most = most < entry.at_most ? most : entry.at_most;
        std::int64_t turn = 0;
        stop_ = false;
        if constexpr (entry.stops) steps_.outputs[at(runner<Device, region>::output_count - 1)].data = stop_lies_apart ? memory_.data() + stop_at_ : reinterpret_cast<std::byte*>(&stop_);
        take_given(slots);
        const recorded_loop recorded(call, recorded_facts<Device, region>::value, Step, steps_.recorded_layout(carried_bytes_));
        begin(slots, skipped, std::make_integer_sequence<int, entry.carried>());
        if constexpr (number_loop::possible)
            if (!recorded && !only_prepares && std::all_of(kept_.begin(), kept_.begin() + stacks, [&](std::int64_t kept) { return kept == turns_; }))
                turn = number_loop::run(steps_.sizes.data(), {most, entry.reverse ? turns_ - 1 - skipped : skipped, entry.reverse ? -1 : 1, entry.stops ? &stop_ : nullptr},
                                    [&](std::int64_t of) { return place_turn(slots, of, skipped), steps_.place_steps(); });
        for (; turn < most && !stop_; ++turn) {
            const std::int64_t position = place_turn(slots, turn, skipped);
            if (recorded) [[unlikely]] steps_.run_turn(*call, position);
            else steps_.run_turn(only_prepares);
            if constexpr (stop_lies_apart)
                if (!only_prepares) read_from<where>(stop_, memory_.data() + stop_at_);
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

    /// How many conditions there are in what is recorded of it, `most_conditions` being as good as any higher number.
    std::int64_t conditions() const {
        if constexpr (decided_there)
            if (!Device::turns::possible()) return most_conditions + 1;
        const std::int64_t inner = steps_.conditions() + (decided_there ? 1 : 0);
        if (inner == 0 || (turns_ == 0 && !entry.unbounded)) return 0;
        if constexpr (entry.unbounded) return 2 * inner;
        return turns_ > most_conditions ? turns_ : turns_ * inner + turns_ / together;
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
    void take_given(const kernel::operand* slots) {
        for (int i = entry.carried; i < given; ++i) steps_.leaves[at(i)].data = slots[i].data;
        if constexpr (entry.counts && !numbers_lie_apart) steps_.leaves[at(turn_leaf)].data = reinterpret_cast<std::byte*>(&number_);
    }
    /// Where a turn reads and writes; its position.
    std::int64_t place_turn(const kernel::operand* slots, std::int64_t turn, std::int64_t skipped) {
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
        return position;
    }

    // Recorded, turns are numbered as they would be if all of them ran: each has its memory, and a condition before it. Several have one besides, by which they are
    // left out at once. Only an unbounded loop goes back, behind two turns, one for each place of what is carried.
    static constexpr std::int64_t together = 16;
    auto* turn_state() const {
        return reinterpret_cast<typename Device::turns::state*>(memory_.data() + stop_at_);
    }
    void record_turns(const kernel::operand* slots) {
        using turns = typename Device::turns;
        auto* const s = turn_state();
        begin_recorded(slots);
        take_given(slots);
        if constexpr (entry.stops) steps_.outputs[at(runner<Device, region>::output_count - 1)].data = reinterpret_cast<std::byte*>(&s->stops);
        const auto one = [&](std::int64_t turn) {
            place_turn(slots, turn, 0);
            if constexpr (entry.unbounded && entry.counts) steps_.leaves[at(turn_leaf)].data = reinterpret_cast<std::byte*>(&s->number);
            steps_.run_turn(false);
        };
        if constexpr (entry.unbounded) {
            turns::loop(s, [&] { one(0); }, [&] { one(1); });
        } else {
            const auto each = [&](std::int64_t from, std::int64_t to) {
                for (std::int64_t t = from; t < to; ++t) turns::when(s, t, t + 1, true, [&] { one(t); });
            };
            if (turns_ <= 2 * together) each(0, turns_);
            else for (std::int64_t t = 0; t < turns_; t += together) turns::when(s, t, std::min(t + together, turns_), false, [&] { each(t, std::min(t + together, turns_)); });
        }
        end_recorded(slots);
    }
    /// What the kernels around the turns need is there before a call writes.
    void prepare_recording(const kernel::operand* slots) {
        using turns = typename Device::turns;
        begin_recorded(slots, false);
        if constexpr (entry.unbounded) turns::loop(turn_state(), [] {}, [] {});
        else turns::when(turn_state(), 0, 1, true, [] {});
        end_recorded(slots);
    }
    void begin_recorded(const kernel::operand* slots, bool clears = true) {
        const auto* const wanted = entry.limited ? reinterpret_cast<const std::int64_t*>(slots[given].data) : nullptr;
        Device::turns::begin(turn_state(), {wanted, turns_, entry.at_most, entry.unbounded, entry.retraces});
        if (clears && !entry.unbounded) clear_rest(slots, 0, 0);
        [&]<int... K>(std::integer_sequence<int, K...>) { (copy_recorded<K>(slots, slots[K], false), ...); }(std::make_integer_sequence<int, entry.carried>());
    }
    void end_recorded(const kernel::operand* slots) {
        [&]<int... K>(std::integer_sequence<int, K...>) {
            ([&] {
                if constexpr (constexpr int to = slot_of(loop_result::last, K); to >= 0) copy_recorded<K>(slots, slots[to], true);
            }(), ...);
        }(std::make_integer_sequence<int, entry.carried>());
        if constexpr (constexpr int count = slot_of(loop_result::turns, 0); count >= 0) {
            using copy = typename Device::turns::template copy_of<std::int64_t>;
            Device::turns::copy(copy::of(turn_state(), true, 0, nullptr, {reinterpret_cast<std::byte*>(&turn_state()->turns), {}}, slots[count]));
        }
    }
    /// Between `other` and where the device says that the first turn reads carried value `K`, or that the last one has left it.
    template <int K> void copy_recorded(const kernel::operand* slots, const kernel::operand& other, bool last) {
        using type = carried_type<K>;
        constexpr int rank = runner<Device, region>::facts.leaves[K].shape.rank;
        constexpr auto size = static_cast<std::int64_t>(sizeof(type));
        kernel::operand here = carried_operand<K>(slots, 0, 0);
        here.data = lies_in_rows[at(K)] ? slots[trajectory[at(K)]].data : memory_.data() + place_[at(K)][0];
        auto c = Device::turns::template copy_of<type>::of(turn_state(), last, rank, steps_.leaves[at(K)].extent.data(), last ? here : other, last ? other : here);
        c.places = !lies_in_rows[at(K)];
        c.reversed = lies_in_rows[at(K)] && entry.reverse ? turns_ : -1;
        (last ? c.from_row : c.to_row) = lies_in_rows[at(K)] ? row_[at(K)] / size : (place_[at(K)][1] - place_[at(K)][0]) / size;
        Device::turns::copy(c);
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
            clear_rows<where>(slots[slot].data, row, one, rank, bytes, from, to);
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

}  // namespace croton::inline v0_1::detail

#endif
