// SPDX-License-Identifier: MIT
// nan_guard: the scope within which the first step that makes a NaN or an infinity is named.
#ifndef CROTON_PROFILE_NAN_GUARD_HPP
#define CROTON_PROFILE_NAN_GUARD_HPP

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <croton/core/half.hpp>
#include <croton/explain/formula.hpp>
#include <croton/explain/loop_names.hpp>
#include <croton/plan/roles.hpp>
#include <croton/profile/recorder.hpp>

namespace croton::inline v0_1 {

/// A step has made a NaN or an infinity within a `nan_guard`.
struct nan_error : std::runtime_error {
    using std::runtime_error::runtime_error;
};

namespace detail {

/// What stands in a slot: how many numbers, which are none, and between what the others lie.
struct slot_values {
    std::int64_t count = 0, nans = 0, infinities = 0;
    double least = 0, most = 0;
    std::string first, place;  // the first that is none, and where it stands

    std::int64_t wrong(bool infinities_too) const { return nans + (infinities_too ? infinities : 0); }
    std::string found() const { return first + (count > 1 ? place : ""); }
    bool any_number() const { return count > nans + infinities; }
};

/// Reads the slots of a step that has run or will.
class slot_reader {
public:
    slot_reader(const plan_view& plan, int index, const call_layout& layout) : plan_(plan), index_(index), layout_(layout) {}

    slot_values values(int slot, bool infinities_too) const {
        slot_values v;
        const access& a = plan_.slot(index_, slot);
        switch (plan_.buffers[a.buffer].type) {
        case element::float32: read<float>(slot, infinities_too, v); break;
        case element::float64: read<double>(slot, infinities_too, v); break;
        case element::float16: read<half>(slot, infinities_too, v); break;
        case element::brain16: read<bfloat16>(slot, infinities_too, v); break;
        default: break;
        }
        return v;
    }

private:
    const plan_view& plan_;
    int index_;
    const call_layout& layout_;

    /// The extent of the slot along axis `i` of its strides.
    std::int64_t extent(int slot, int i) const {
        const step& s = plan_.steps[index_];
        const auto size = [&](int at) { return size_value(s.extent[static_cast<unsigned>(at)], layout_.sizes); };
        if (s.what == step_kind::repeat) return size_value(shape_in_loop(slot)[i], layout_.sizes);
        if (s.what != step_kind::product) return plan_.slot(index_, slot).axis.at[static_cast<unsigned>(i)] < 0 ? 1 : size(i);
        if (i >= 2) return plan_.slot(index_, slot).axis.at[static_cast<unsigned>(i)] < 0 ? 1 : size(matrix_extents + i - 2);
        // m x k, k x n, m x n; the addend has the shape of the product, or is one row of it.
        constexpr int of[4][2] = {{0, 1}, {1, 2}, {0, 2}, {0, 2}};
        const int at = of[slot][i];
        if (plan_.slot(index_, slot).axis.at[static_cast<unsigned>(i)] < 0) return 1;
        return at == 2 && s.vector ? 1 : size(at);
    }
    /// The shape of what slot `slot` of a loop is given or leaves: its nodes stand in the order of its slots.
    const shape& shape_in_loop(int slot) const {
        return plan_.nodes[plan_.loop_nodes[plan_.loops[plan_.loop_of_step(index_)].from + slot]].shape;
    }
    int axes(int slot) const {
        const step& s = plan_.steps[index_];
        if (s.what == step_kind::repeat) return shape_in_loop(slot).rank;
        return s.what == step_kind::product ? 2 + s.batch : s.outer + s.inner;
    }

    template <class T> void read(int slot, bool infinities_too, slot_values& v) const {
        const kernel::operand& from = layout_.operands[plan_.steps[index_].slot_from + slot];
        const int rank = axes(slot);
        std::int64_t extents[max_rank + 2]{}, at[max_rank + 2]{};
        for (int i = 0; i < rank; ++i)
            if ((extents[i] = extent(slot, i)) == 0) return;
        for (;;) {
            std::int64_t offset = 0;
            for (int i = 0; i < rank; ++i) offset += at[i] * (extents[i] > 1 ? from.stride[static_cast<unsigned>(i)] : 0);
            look(static_cast<double>(static_cast<std::conditional_t<std::is_same_v<T, double>, double, float>>(reinterpret_cast<const T*>(from.data)[offset])), slot, at, rank, infinities_too, v);
            int i = rank - 1;
            for (; i >= 0 && ++at[i] == extents[i]; --i) at[i] = 0;
            if (i < 0) return;
        }
    }

    void look(double x, int slot, const std::int64_t* at, int rank, bool infinities_too, slot_values& v) const {
        ++v.count;
        if (std::isfinite(x)) {
            v.least = v.any_number() && v.count - v.nans - v.infinities > 1 ? std::min(v.least, x) : x;
            v.most = v.count - v.nans - v.infinities > 1 ? std::max(v.most, x) : x;
            return;
        }
        ++(std::isnan(x) ? v.nans : v.infinities);
        if (!v.first.empty() || !(std::isnan(x) || infinities_too)) return;
        v.first = std::isnan(x) ? "NaN" : x > 0 ? "inf" : "-inf";
        const access& a = plan_.slot(index_, slot);
        const int axes = plan_.buffers[a.buffer].shape.rank;
        if (axes == 0) return;
        std::int64_t place[max_rank]{};
        for (int i = 0; i < rank; ++i)
            if (const int to = a.axis.at[static_cast<unsigned>(i)]; to >= 0) place[to] = at[i];
        v.place = " at [";
        for (int i = 0; i < axes; ++i) v.place += (i == 0 ? "" : ", ") + std::to_string(place[i]);
        v.place += "]";
    }
};

/// A template, so that a program without guards does not pay for it.
template <class Reader> class basic_nan_guard final : recorder {
public:
    /// Passed to the guard, infinities are numbers: masks, and logarithms of 0.
    enum class infinities { refused, allowed };
    static constexpr infinities allow_infinities = infinities::allowed;

    explicit basic_nan_guard(infinities which = infinities::refused) : infinities_too_(which == infinities::refused) {
        static_assert(has_profiler || sizeof(Reader) == 0, "croton: nan_guard looks on through the hooks of the profiler, which CROTON_HAS_PROFILER=0 has left out");
        outer = current_recorder;
        type = &own_type;
        looks = true;
        record_to(this);
    }
    ~basic_nan_guard() {
        if (current_recorder == this) record_to(outer);
        for (recorder* r = current_recorder; r != nullptr; r = r->outer)
            if (r->outer == this) r->outer = outer;
    }
    static void* operator new(std::size_t) = delete;
    static void* operator new[](std::size_t) = delete;

private:
    static constexpr char own_type = 0;

    template <class F> void tell_outer(F&& f) {
        if (outer != nullptr) f(*outer);
    }
    void enter(const function_facts& facts, const std::string& name) override {
        if (facts.device == "cuda") throw nan_error(name + ": nan_guard looks at what lies on the host; run the function on cpu or reference");
        facts_ = &facts;
        name_ = name;
        tell_outer([&](recorder& r) { r.enter(facts, name); });
    }
    void lap(int part) override {
        tell_outer([&](recorder& r) { r.lap(part); });
        if (part >= 0) check(part);
    }
    void took(int part, std::int64_t time) override {
        tell_outer([&](recorder& r) { r.took(part, time); });
        if (part >= 0) check(part);
    }
    void moved(bool to_device, std::int64_t bytes, std::int64_t time) override {
        tell_outer([&](recorder& r) { r.moved(to_device, bytes, time); });
    }
    void begin_steps(const call_layout& layout) override {
        layout_ = layout;
        tell_outer([&](recorder& r) { r.begin_steps(layout); });
    }
    void enter_loop(const function_facts& turns, int step, const call_layout& layout) override {
        around_.push_back({facts_, layout_, turn_, step});
        facts_ = &turns;
        layout_ = layout;
        tell_outer([&](recorder& r) { r.enter_loop(turns, step, layout); });
    }
    void begin_turn(std::int64_t turn) override {
        turn_ = turn;
        tell_outer([&](recorder& r) { r.begin_turn(turn); });
    }
    void leave_loop() noexcept override {
        tell_outer([](recorder& r) { r.leave_loop(); });
        if (around_.empty()) return;
        facts_ = around_.back().facts;
        layout_ = around_.back().layout;
        turn_ = around_.back().turn;
        around_.pop_back();
    }
    void leave(bool finished) noexcept override {
        tell_outer([&](recorder& r) { r.leave(finished); });
        around_.clear();
    }

    /// What is around the loop whose steps run.
    struct open_loop {
        const function_facts* facts = nullptr;
        call_layout layout{};
        std::int64_t turn = 0;
        int step = -1;
    };
    std::vector<open_loop> around_;
    std::int64_t turn_ = 0;  // of the innermost

    /// The plan of the steps that run, with the names that the plans around it give.
    plan_facts named_plan(std::size_t depth) const {
        const plan_view& plan = depth == around_.size() ? facts_->plan : around_[depth].facts->plan;
        if (depth == 0) return plan_facts(plan);
        return plan_facts(plan, region_names(plan, named_plan(depth - 1), around_[depth - 1].step));
    }
    /// `, loop 1, turn 3`, and so on inwards.
    std::string loops() const {
        std::string text;
        for (std::size_t i = 0; i < around_.size(); ++i)
            text += ", loop " + std::to_string(around_[i].facts->plan.steps[around_[i].step].bits + 1) + ", turn " + std::to_string(i + 1 < around_.size() ? around_[i + 1].turn : turn_);
        return text;
    }
    void enter_region(std::string_view name) override {
        tell_outer([&](recorder& r) { r.enter_region(name); });
    }
    void leave_region() noexcept override {
        tell_outer([&](recorder& r) { r.leave_region(); });
    }

    /// The slots of a step but those whose rows are picked by an index: f(slot, writes).
    template <class F> void each_slot(int index, F&& f) const {
        each_use(facts_->plan, index, [&](int slot, bool writes) {
            if (facts_->plan.slot(index, slot).gathered < 0) f(slot, writes);
        });
    }

    void check(int index) {
        const Reader reader(facts_->plan, index, layout_);
        each_slot(index, [&](int slot, bool writes) {
            if (!writes) return;
            if (const slot_values made = reader.values(slot, infinities_too_); made.wrong(infinities_too_) > 0) fail(index, slot, made);
        });
    }

    [[noreturn]] void fail(int index, int made_in, const slot_values& made) const {
        const plan_facts plan = named_plan(around_.size());
        const Reader reader(facts_->plan, index, layout_);
        const auto buffer_of = [&](int slot) { return plan.slot(index, slot).buffer; };
        std::string text = name_ + loops() + ", step " + std::to_string(index + 1) + " of " + std::to_string(plan.step_count) + ", " + step_formula(plan, index) + ": " + plan.buffer(buffer_of(made_in)) + " holds " + made.found();
        if (made.count > 1) text += ", and " + std::to_string(made.wrong(infinities_too_)) + " of its " + std::to_string(made.count) + " elements are no numbers";
        std::string came_from;
        std::vector<int> seen;
        each_slot(index, [&](int slot, bool writes) {
            const int b = buffer_of(slot);
            for (const int other : seen)
                if (other == b) return;
            if (writes || plan.buffers[b].what == buffer_kind::number || !is_floating_or_stored(plan.buffers[b].type)) return;
            seen.push_back(b);
            if (is_written(index, b)) {
                text += "; it read " + plan.buffer(b) + ", which it has overwritten";
                return;
            }
            const slot_values read = reader.values(slot, infinities_too_);
            text += "; it read " + plan.buffer(b);
            if (read.any_number()) text += " from " + number(read.least) + " to " + number(read.most);
            if (read.wrong(infinities_too_) == 0) return;
            text += ", which holds " + read.found();
            if (plan.buffers[b].what == buffer_kind::leaf && came_from.empty() && around_.empty()) came_from = plan.buffer(b);
        });
        text += came_from.empty() ? "" : "; it came with " + came_from;
        throw nan_error(text + "; later steps have not run");
    }
    bool is_written(int index, int buffer) const {
        bool found = false;
        each_slot(index, [&](int slot, bool writes) { found = found || (writes && facts_->plan.slot(index, slot).buffer == buffer); });
        return found;
    }
    static bool is_floating_or_stored(element type) { return is_floating(type) || is_stored_only(type); }
    static std::string number(double x) {
        char text[32];
        std::snprintf(text, sizeof text, "%.4g", x);
        return text;
    }

    const function_facts* facts_ = nullptr;
    std::string name_;
    call_layout layout_{};
    bool infinities_too_;
};

}  // namespace detail

/// From here to the end of the C++ scope every function that is called on this thread looks at what each of its steps has written. The first NaN or infinity
/// throws `nan_error` out of the call: the step and its formula, where the value stands, what the step read and in which range, and the argument that
/// brought it. Steps after it have not run; those before may have updated their parameters. `nan_guard guard{nan_guard::allow_infinities}` looks for NaN only.
/// Profiles around it go on recording. Without a guard nothing is looked at.
using nan_guard = detail::basic_nan_guard<detail::slot_reader>;

}  // namespace croton::inline v0_1

#endif
