// SPDX-License-Identifier: MIT
// From what a profile wrote down to what it tells: names, formulas, shapes, memory.
#ifndef CROTON_PROFILE_SUMMARY_HPP
#define CROTON_PROFILE_SUMMARY_HPP

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <croton/core/later.hpp>
#include <croton/core/vec.hpp>
#include <croton/device/cpu/cpu.hpp>
#include <croton/explain/formula.hpp>
#include <croton/explain/loop_names.hpp>
#include <croton/explain/reasons.hpp>
#include <croton/plan/memory.hpp>
#include <croton/plan/product_end.hpp>
#include <croton/plan/roles.hpp>
#include <croton/profile/collector.hpp>
#include <croton/profile/turn_flow.hpp>

namespace croton::inline v0_1::detail {

/// Makes the data of a profile. A template, as what it calls, so that a program that profiles nothing does not pay for it.
template <class Collector> class summary {
    template <class T> using late_list = std::vector<later<Collector, T>>;
    using plan_facts = later<Collector, detail::plan_facts>;
    using function_profile = later<Collector, croton::function_profile>;
    using buffer_profile = later<Collector, croton::buffer_profile>;
    using step_profile = later<Collector, croton::step_profile>;

public:
    summary(const Collector& collected, nanoseconds time) {
        data.name = collected.tree[0].name;
        data.time = time;
        data.threads = threads();
        data.blas = blas_name();
        data.own_products = cpu_device::multiplies_itself<simd::native>();
        data.blas_threads = blas_threads();
        data.cores = available_processors();
        data.to_device = collected.to_device;
        data.to_host = collected.to_host;
        for (const auto& f : collected.functions) add(collected, f, names_of(collected, f));
        for (const auto& n : collected.tree) data.tree.push_back({n.name, n.what, n.function, n.calls, n.time, n.children});
        const auto kept = static_cast<std::int64_t>(collected.ring.size());
        data.events_lost = collected.events - kept;
        for (std::int64_t i = collected.events - kept; i < collected.events; ++i)
            data.events.push_back(collected.ring[static_cast<std::size_t>(i) % collected.ring.size()]);
    }

    later<Collector, profile_data> data;

private:
    late_list<late_list<int>> places_;  // by function and buffer of its plan: which array of the function it is

    /// The plan of a function, or of the turns of a loop.
    template <class Function> static plan_facts names_of(const Collector& collected, const Function& f) {
        if (f.outer < 0) return plan_facts(f.facts->plan);
        return plan_facts(f.facts->plan, region_names(f.facts->plan, names_of(collected, collected.functions[static_cast<std::size_t>(f.outer)]), f.outer_step));
    }

    /// What a loop keeps of its turns for derivatives, what it computes again, and which of its products need no loop.
    template <class Function> void add_turns(const Collector& collected, const Function& f, const plan_facts& turn, function_profile& out) {
        const auto& around = collected.functions[static_cast<std::size_t>(f.outer)];
        const plan_facts outer = names_of(collected, around);
        const step& s = outer.steps[f.outer_step];
        const loop_entry& l = outer.loop(f.outer_step);
        const auto bytes = [&](element type, const shape& extents) { return static_cast<std::int64_t>(size_of(type)) * element_count(extents, f.sizes.data()); };
        for (int i = 0; i < l.parts; ++i)
            if (is_stored_for_derivatives(outer, l, i))
                out.stored_bytes += bytes(outer.buffers[outer.slot(f.outer_step, s.slot_count - s.results + i).buffer].type, outer.nodes[outer.names.part(l, i)].shape);
        std::int64_t turns = 1;
        for (const auto* in = &f; in->outer >= 0; in = &collected.functions[static_cast<std::size_t>(in->outer)])
            turns *= std::max<std::int64_t>(collected.functions[static_cast<std::size_t>(in->outer)].steps[static_cast<std::size_t>(in->outer_step)].turns, 0);
        for (int id = 0; id < turn.node_count; ++id)
            if (is_computed_again(l, turn.nodes[id])) out.again_bytes += turns * bytes(turn.nodes[id].type, turn.nodes[id].shape);
        add_arrays(outer, f.outer_step, turn, places_[static_cast<std::size_t>(f.outer)], places_.back(), out);
        for (int k = 0; k < l.carried; ++k) out.state_bytes += bytes(turn.leaves[k].type, turn.leaves[k].shape);
        out.turn_limit = size_value(l.turns, f.sizes.data());
        if (const std::int64_t n = out.turn_limit; l.stores_turns && n > 0) {
            const std::int64_t every = rounded_root(n);
            out.checkpoint_bytes = (n / every + 1) * out.state_bytes + out.stored_bytes / n * every;
        }
        // Outside of a loop that can end early a product would be of turns that there are not; a derivative follows what it is of.
        if (l.limited || l.stops || l.derived || l.again) return;
        const turn_flow flow(turn, l);
        for (int i = 0; i < turn.step_count; ++i)
            if (flow.has_same_factor(i) && !(flow.needs_carried(i) && flow.feeds_next(i)))
                out.steps[static_cast<std::size_t>(i)].apart = flow.needs_carried(i) ? "behind" : "before";
    }

    /// Which arrays around a loop its turns are given, carry on and leave.
    static void add_arrays(const plan_facts& outer, int step, const plan_facts& turn, const late_list<int>& outside, const late_list<int>& inside,
                           function_profile& out) {
        const loop_entry& l = outer.loop(step);
        const auto around = [&](int slot) { return outside[static_cast<std::size_t>(outer.slot(step, slot).buffer)]; };
        const auto within = [&](buffer_kind what, int index) {
            for (int b = 0; b < turn.buffer_count; ++b)
                if (turn.buffers[b].what == what && turn.buffers[b].index == index) return inside[static_cast<std::size_t>(b)];
            return -1;
        };
        const auto add = [](late_list<buffer_pair>& list, int from, int to) {
            if (from >= 0 && to >= 0) list.push_back({from, to});
        };
        for (int i = 0; i < l.carried + l.sequences + l.captured; ++i) add(out.given, around(i), within(buffer_kind::leaf, i));
        for (int k = 0; k < l.carried; ++k) add(out.carried, within(buffer_kind::output, k), within(buffer_kind::leaf, k));
        for (int i = 0, stacks = l.carried; i < l.parts; ++i) {
            const std::int64_t bits = outer.nodes[outer.names.part(l, i)].bits;
            if (part_role(bits) == loop_result::turns) continue;
            const int of_turn = part_role(bits) == loop_result::stack ? stacks++ : part_index(bits);
            add(out.left, within(buffer_kind::output, of_turn), around(outer.steps[step].slot_count - outer.steps[step].results + i));
        }
    }

    template <class Function> void add(const Collector& collected, const Function& f, const plan_facts& plan) {
        function_profile out;
        out.name = f.name;
        out.device = f.facts->device;
        out.outer = f.outer;
        out.outer_step = f.outer_step;
        out.turns = f.turns;
        out.carried_bytes = f.carried_bytes;
        out.calls = f.time.calls;
        out.failed = f.failed;
        out.time = f.time.time;
        out.least = f.time.calls > 0 ? f.time.least : 0;
        out.most = f.time.most;
        const auto part = [&](call_part p) { return f.parts[static_cast<std::size_t>(-static_cast<int>(p))]; };
        out.arguments_time = part(call_part::arguments);
        out.results_time = part(call_part::results);
        out.layout_time = part(call_part::layout);
        out.staging_time = part(call_part::staging);
        out.recording_time = part(call_part::recording);
        out.leaving_time = part(call_part::leaving);
        out.nodes_traced = plan.traced;
        out.nodes = plan.node_count;
        out.shapes_seen = f.shapes_seen;
        out.staged_bytes = f.staged_bytes;
        out.to_device = f.to_device;
        out.to_host = f.to_host;
        out.separate_bytes = 0;
        const late_list<int>& place = places_.emplace_back(add_buffers(f, plan, out));
        for (int s = 0; s < plan.step_count; ++s) {
            add_step(f, plan, s, place, out);
            out.steps_time += out.steps.back().time;
            out.kernels += plan.steps[s].what == step_kind::kernel && plan.steps[s].together > 0 ? 1 : 0;
        }
        if (f.outer >= 0 && !f.costs.empty()) add_turns(collected, f, plan, out);
        data.functions.push_back(std::move(out));
    }

    static std::string numbers(const std::int64_t* from, int count, const char* between) {
        std::string text;
        for (int i = 0; i < count; ++i) text += (i == 0 ? "" : between) + std::to_string(from[i]);
        return text;
    }

    /// Adds the arrays of a function, and returns where each buffer of the plan stands among them, or -1.
    template <class Function> late_list<int> add_buffers(const Function& f, const plan_facts& plan, function_profile& out) {
        late_list<int> place(static_cast<std::size_t>(plan.buffer_count), -1);
        const bool settled = !f.costs.empty();
        const transfer_list<plan_facts> through(plan, f.facts->fuses);
        late_list<std::int64_t> offsets(static_cast<std::size_t>(plan.temporaries), 0);
        late_list<lifetime> scratch(offsets.size());
        if (settled) {
            // As the runner decides, where results lie as they are made.
            const bool here = f.facts->device == device_name<cpu>;
            vec<bool> joined(plan.step_count + 1);
            for (int i = 0; here && i < plan.step_count; ++i) {
                const product_end end = end_of_product(plan, i);
                const step& s = plan.steps[i];
                const auto extent = [&](int axis) { return size_value(s.extent[axis], f.sizes.data()); };
                std::int64_t rows = end.loop >= 0 ? extent(0) : 0;
                for (int k = 0; k < end.batch; ++k) rows *= extent(matrix_extents + k);
                joined[i] =
                    end.loop >= 0 && (end.is_placed(rows * extent(2), s.type) || cpu::ends_product(rows, extent(1), extent(2), s.type, end.turned));
            }
            late_list<needless_copies::place> places(place.size());
            late_list<needless_copies::span> spans(place.size());
            const vec<bool> left_out(plan.step_count + 1);
            needless_copies::find(plan, f.sizes.data(), here, places.data(), spans.data(), left_out.at);
            out.planned_bytes = place_temporaries(plan, here ? find_one_pass(plan) : one_pass(), joined.at, spans.data(), f.sizes.data(), scratch.data(), offsets.data());
        }
        for (int b = 0; b < plan.buffer_count; ++b) {
            const buffer_facts& facts = plan.buffers[b];
            if (facts.what == buffer_kind::number || (facts.what == buffer_kind::temporary && facts.first < 0)) continue;
            buffer_profile made;
            made.name = plan.buffer(b);
            std::int64_t extent[max_rank] = {};
            for (int i = 0; settled && i < facts.shape.rank; ++i) extent[i] = size_value(facts.shape[i], f.sizes.data());
            made.type = std::string(name_of(facts.type));
            if (facts.shape.rank > 0)
                made.type += settled ? " [" + numbers(extent, facts.shape.rank, ", ") + "]"
                                     : " " + plan.names.extents(facts.shape.extent, 0, facts.shape.rank);
            made.bytes = settled ? element_count(facts.shape, f.sizes.data()) * static_cast<std::int64_t>(size_of(facts.type)) : 0;
            if (facts.what == buffer_kind::leaf) {
                made.what = buffer_profile::role::argument;
                made.in_place = is_written(plan, b);
                if (made.in_place) out.in_place_bytes += made.bytes;
            } else if (facts.what == buffer_kind::output) {
                made.what = buffer_profile::role::result;
            } else {
                made.offset = offsets[static_cast<std::size_t>(facts.index)];
                made.first = facts.first;
                made.last = facts.last;
                out.separate_bytes += (made.bytes + 63) / 64 * 64;
                for (const transfer& t : through.transfers)
                    if (t.buffer == b && (made.reason.empty() || (t.avoidable && !made.avoidable))) {
                        made.reason = t.reason;
                        made.avoidable = t.avoidable;
                    }
            }
            place[static_cast<std::size_t>(b)] = static_cast<int>(out.buffers.size());
            out.buffers.push_back(std::move(made));
        }
        for (int s = 0; s < plan.step_count; ++s) {
            std::int64_t live = 0;
            for (const buffer_profile& b : out.buffers)
                if (b.offset >= 0 && b.first <= s && s <= b.last) live += (b.bytes + 63) / 64 * 64;
            out.peak_bytes = std::max(out.peak_bytes, live);
        }
        return place;
    }

    /// What a step does to the buffers of the plan: f(buffer, writes).
    template <class F> static void each_buffer(const plan_facts& plan, int index, F&& f) {
        each_use(plan, index, [&](int slot, bool writes) { f(plan.slot(index, slot).buffer, writes); });
    }

    static bool is_written(const plan_facts& plan, int buffer) {
        bool found = false;
        for (int s = 0; s < plan.step_count; ++s)
            each_buffer(plan, s, [&](int b, bool writes) { found = found || (writes && b == buffer); });
        return found;
    }

    /// Whether a loop over elements stores what is made of literals only.
    static bool stores_constant(const plan_facts& plan, const step& s) {
        late_list<char> constant;  // by uniform value
        const auto is_constant = [&](const value_ref& v) {
            return v.index < 0 || (v.at == level::uniform && constant[static_cast<std::size_t>(v.index)] != 0);
        };
        bool found = false;
        for (int i = s.instruction_from; i < s.instruction_from + s.instruction_count; ++i) {
            const instruction& each = plan.instructions[i];
            const bool computes = each.what == code_of::literal || each.what == code_of::apply || each.what == code_of::convert;
            const bool of_constants = is_constant(each.in[0]) && is_constant(each.in[1]) && is_constant(each.in[2]);
            if (each.block == 0) constant.push_back(computes && of_constants ? 1 : 0);
            else found = found || (each.what == code_of::store && each.block >= 2 && of_constants);
        }
        return found;
    }

    template <class Function>
    static void add_step(const Function& f, const plan_facts& plan, int index, const late_list<int>& place, function_profile& out) {
        const step& s = plan.steps[index];
        const auto& sum = f.steps[static_cast<std::size_t>(index)];
        step_profile made;
        made.formula = step_formula(plan, index);
        made.operation = step_formula(plan.with_step_alone(index), index);
        made.calls = sum.time.calls;
        made.time = sum.time.time;
        made.least = sum.time.calls > 0 ? sum.time.least : 0;
        made.most = sum.time.most;
        made.bytes = sum.bytes;
        made.operations = sum.operations;
        element computed = s.type;
        bool reduces = false, rows = false;
        if (s.what == step_kind::kernel)
            for (int i = s.instruction_from; i < s.instruction_from + s.instruction_count; ++i) {
                const instruction& each = plan.instructions[i];
                rows = rows || each.what == code_of::reduce;
                reduces = reduces || each.what == code_of::accumulate;
                if (each.what == code_of::apply && is_floating(each.type)) computed = each.type;
            }
        made.constant = s.what == step_kind::kernel && stores_constant(plan, s);
        made.packs = sum.packed >= 0;
        if (made.packs) made.packed = plan.seen(index, sum.packed);
        made.together = s.together;
        made.element = name_of(computed);
        if (s.what == step_kind::repeat) made.element = name_of(plan.buffers[plan.slot(index, s.slot_count - 1).buffer].type);
        made.kind = s.what == step_kind::copy         ? "copy"
                    : s.what == step_kind::repeat     ? "scan"
                    : s.what == step_kind::product    ? (s.vector ? "gemv" : "gemm")
                    : s.what == step_kind::routine    ? std::string(plan.routines[s.routine]->name)
                    : s.outer + s.inner == 0          ? "numbers"
                    : rows                            ? "rows"
                    : reduces                         ? "reduction"
                                                      : "elementwise";
        made.type = s.what == step_kind::repeat ? "loop" : s.what == step_kind::product && is_floating(s.type) ? f.facts->product_name : f.facts->loop_name;
        if (made.type == cpu::product_name && (s.vector ? cpu_device::multiplies_vectors_itself<simd::native>() : cpu_device::multiplies_itself<simd::native>())) made.type = cpu::loop_name;
        if (!f.costs.empty()) {
            made.working_set = f.costs[static_cast<std::size_t>(index)].bytes;
            made.written = f.costs[static_cast<std::size_t>(index)].written;
            std::int64_t extent[max_rank] = {};
            const int own = s.what == step_kind::product ? (s.vector ? 2 : matrix_extents) : s.what == step_kind::copy ? s.outer : s.outer + s.inner;
            const int axes = s.batch + own;
            // The batch of a product before its matrices.
            for (int i = 0; i < axes; ++i)
                extent[i] = size_value(s.extent[static_cast<unsigned>(i < s.batch ? own + i : i - s.batch)], f.sizes.data());
            if (s.what == step_kind::repeat) {
                const std::int64_t turns = sum.turns >= 0 ? sum.turns : size_value(s.length, f.sizes.data());
                made.shape = std::to_string(turns) + (turns == 1 ? " turn" : " turns");
            } else made.shape = axes == 0 ? "1" : numbers(extent + s.added, axes - s.added, " x ");
        }
        const auto note = [&](late_list<int>& list, int b) {
            const int at = place[static_cast<std::size_t>(b)];
            if (at >= 0 && std::find(list.begin(), list.end(), at) == list.end()) list.push_back(at);
        };
        each_buffer(plan, index, [&](int b, bool writes) { note(writes ? made.writes : made.reads, b); });
        out.steps.push_back(std::move(made));
    }
};

template <class Collector> profile_data summary_of(const Collector& collected, nanoseconds time) {
    return summary<Collector>(collected, time).data;
}

}  // namespace croton::inline v0_1::detail

#endif
