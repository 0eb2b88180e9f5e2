// SPDX-License-Identifier: MIT
// What a profile writes down while it runs: sums by function and step, the tree of scopes, and a ring of events.
#ifndef CROTON_PROFILE_COLLECTOR_HPP
#define CROTON_PROFILE_COLLECTOR_HPP

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <croton/profile/clock.hpp>
#include <croton/profile/cost.hpp>
#include <croton/profile/record.hpp>
#include <croton/profile/recorder.hpp>

namespace croton::inline v0_1::detail {

struct time_sum {
    std::int64_t calls = 0;
    nanoseconds time = 0, least = std::numeric_limits<nanoseconds>::max(), most = 0;

    void add(nanoseconds t) {
        ++calls;
        time += t;
        least = std::min(least, t);
        most = std::max(most, t);
    }
    void add(const time_sum& other) {
        calls += other.calls;
        time += other.time;
        least = std::min(least, other.least);
        most = std::max(most, other.most);
    }
};

struct step_sum {
    time_sum time;
    std::int64_t bytes = 0, operations = 0;
    int packed = -1;          // of a product: the slot of the first matrix that the last call copied
    std::int64_t turns = -1;  // of a loop, in the last call that entered it
};

/// The sums of one profile. Their memory is bounded: by the functions and names of the program, and where a program makes
/// up names as it runs, by a limit on the places of the tree. A template, so that a program without profiles does not pay
/// for it; a test brings a clock of its own.
template <class Clock> class collector {
public:
    struct function_sum {
        const function_facts* facts = nullptr;
        std::string name;
        time_sum time;
        std::int64_t failed = 0, shapes_seen = 0;
        std::array<nanoseconds, call_parts + 1> parts{};  // by -part
        std::vector<step_sum> steps;
        std::vector<step_cost> costs;     // of the last sizes
        std::vector<std::int64_t> sizes;  // of the last call whose steps began
        std::int64_t work_bytes = 0, staged_bytes = 0;
        transfer_profile to_device, to_host;
        int outer = -1, outer_step = -1;  // of a loop: the function or the loop that it is a step of, and which
        std::int64_t turns = 0, carried_bytes = 0;

        function_sum(const function_facts& f, const std::string& n)
            : facts(&f), name(n), steps(static_cast<std::size_t>(f.plan.step_count)) {}

        bool is(const function_facts& f, const std::string& n) const { return facts == &f && name == n; }

        void add(const function_sum& other) {
            time.add(other.time);
            to_device.add(other.to_device);
            to_host.add(other.to_host);
            failed += other.failed;
            shapes_seen += other.shapes_seen;
            turns += other.turns;
            for (std::size_t i = 0; i < parts.size(); ++i) parts[i] += other.parts[i];
            for (std::size_t i = 0; i < steps.size(); ++i) {
                steps[i].time.add(other.steps[i].time);
                steps[i].bytes += other.steps[i].bytes;
                steps[i].operations += other.steps[i].operations;
                if (other.steps[i].packed >= 0) steps[i].packed = other.steps[i].packed;
                if (other.steps[i].turns >= 0) steps[i].turns = other.steps[i].turns;
            }
            if (other.costs.empty()) return;
            auto other_costs = other.costs;
            auto other_sizes = other.sizes;
            costs.swap(other_costs);
            sizes.swap(other_sizes);
            work_bytes = other.work_bytes;
            staged_bytes = other.staged_bytes;
            carried_bytes = other.carried_bytes;
        }

        /// Takes the sizes of a call, and finds the work of each step anew where they changed.
        void settle(const call_layout& layout) {
            const auto count = static_cast<std::size_t>(facts->plan.size_count);
            work_bytes = layout.work_bytes;
            staged_bytes = layout.staged_bytes;
            carried_bytes = layout.carried_bytes;
            if (shapes_seen == 0 || !std::equal(sizes.begin(), sizes.end(), layout.sizes)) {
                // Room for both first: what a step adds is looked up in them.
                sizes.resize(count);
                costs.resize(steps.size());
                std::copy(layout.sizes, layout.sizes + count, sizes.begin());
                for (int s = 0; s < facts->plan.step_count; ++s) costs[static_cast<std::size_t>(s)] = launch_cost(*facts, s, sizes.data());
                ++shapes_seen;
            }
            for (int s = 0; s < facts->plan.step_count; ++s)
                if (facts->plan.steps[s].what == step_kind::product)
                    steps[static_cast<std::size_t>(s)].packed = packed(facts->plan.steps[s], layout.operands);
        }

        /// The first of the product's matrices that BLAS does not take as it lies in memory, and that is copied first; -1 where there is none.
        int packed(const step& s, const kernel::operand* operands) const {
            const std::int64_t m = size_value(s.extent[0], sizes.data()), k = size_value(s.extent[1], sizes.data());
            const std::int64_t n = s.vector ? 1 : size_value(s.extent[2], sizes.data());
            const std::int64_t extent[3][2] = {{m, k}, {k, n}, {m, n}};
            const auto lies = [](std::int64_t rows, std::int64_t cols, std::int64_t down, std::int64_t along) {
                return (along == 1 || cols == 1) && (rows == 1 || down >= cols);
            };
            for (int i = 0; i < (s.vector ? 1 : 3); ++i) {
                const auto& stride = operands[s.slot_from + i].stride;
                if (!lies(extent[i][0], extent[i][1], stride[0], stride[1]) && !lies(extent[i][1], extent[i][0], stride[1], stride[0])) return i;
            }
            return -1;
        }
    };

    struct tree_node {
        std::string name;
        scope_profile::kind what = scope_profile::kind::scope;
        int function = -1;
        int parent = -1;
        std::int64_t calls = 0;
        nanoseconds time = 0;
        std::vector<int> children;
        std::size_t next = 0;  // the child that is expected next: programs repeat themselves
    };

    static constexpr std::size_t most_nodes = 4096;

    std::vector<function_sum> functions;
    std::vector<tree_node> tree;
    std::vector<profile_event> ring;
    std::size_t ring_size = 0;  // events that are kept
    std::int64_t events = 0;    // that happened
    nanoseconds began = 0;
    transfer_profile to_device, to_host;  // between the calls of functions

    collector(std::string_view name, std::size_t events_kept) : ring_size(events_kept) {
        tree.push_back({std::string(name), scope_profile::kind::scope, -1, -1, 1, 0, {}, 0});
        ring.reserve(events_kept);
        began = Clock::now();
    }

    /// The child of `parent` with this name (and function), made where there is none.
    int child(int parent, scope_profile::kind what, std::string_view name, int function) {
        std::vector<int>& list = tree[static_cast<std::size_t>(parent)].children;
        std::size_t at = tree[static_cast<std::size_t>(parent)].next;
        for (std::size_t tried = 0; tried < list.size(); ++tried, ++at) {
            if (at >= list.size()) at = 0;
            const tree_node& n = tree[static_cast<std::size_t>(list[at])];
            if (n.what != what || n.function != function || (function < 0 && n.name != name)) continue;
            const int found = list[at];
            tree[static_cast<std::size_t>(parent)].next = at + 1;
            return found;
        }
        if (tree.size() >= most_nodes && function < 0 && name != other_names) return child(parent, what, other_names, -1);
        const int made = static_cast<int>(tree.size());
        list.push_back(made);
        try {
            tree.push_back({std::string(name), what, function, parent, 0, 0, {}, 0});
        } catch (...) {
            list.pop_back();
            throw;
        }
        return made;
    }

    int function(const function_facts& facts, const std::string& name, std::size_t expected) {
        std::size_t at = expected;
        for (std::size_t tried = 0; tried < functions.size(); ++tried, ++at) {
            if (at >= functions.size()) at = 0;
            if (functions[at].is(facts, name)) return static_cast<int>(at);
        }
        functions.emplace_back(facts, name);
        return static_cast<int>(functions.size()) - 1;
    }

    /// The loop that is step `step` of function `outer`, whose turns do what `turns` says.
    int loop(const function_facts& turns, int outer, int step) {
        for (std::size_t at = static_cast<std::size_t>(outer) + 1; at < functions.size(); ++at)
            if (functions[at].outer == outer && functions[at].outer_step == step) return static_cast<int>(at);
        const function_sum& whole = functions[static_cast<std::size_t>(outer)];
        function_sum made(turns, whole.name + ", loop " + std::to_string(whole.facts->plan.steps[step].bits + 1));
        made.outer = outer;
        made.outer_step = step;
        functions.push_back(std::move(made));
        return static_cast<int>(functions.size()) - 1;
    }

    void event(nanoseconds start, nanoseconds end, int node, int step, std::int64_t turn = -1) {
        if (ring_size == 0) return;
        const profile_event e{start - began, end - start, node, step, turn};
        if (ring.size() < ring_size) ring.push_back(e);
        else ring[static_cast<std::size_t>(events) % ring_size] = e;
        ++events;
    }

    /// Adds what an inner profile found below `parent`.
    void absorb(const collector& inner, int parent, nanoseconds time) {
        std::vector<int> place(inner.tree.size());
        for (std::size_t i = 0; i < inner.tree.size(); ++i) {
            const tree_node& n = inner.tree[i];
            int f = -1;
            if (n.function >= 0) f = same_function(inner, n.function);
            place[i] = child(i == 0 ? parent : place[static_cast<std::size_t>(n.parent)], n.what, n.name, f);
            tree_node& mine = tree[static_cast<std::size_t>(place[i])];
            mine.calls += n.calls;
            mine.time += i == 0 ? time : n.time;
        }
        to_device.add(inner.to_device);
        to_host.add(inner.to_host);
        for (std::size_t i = 0; i < inner.functions.size(); ++i) {
            const int mine = same_function(inner, static_cast<int>(i));
            functions[static_cast<std::size_t>(mine)].add(inner.functions[i]);
        }
        const auto kept = static_cast<std::int64_t>(inner.ring.size());
        for (std::int64_t i = inner.events - kept; i < inner.events; ++i) {
            const profile_event& e = inner.ring[static_cast<std::size_t>(i) % inner.ring.size()];
            const nanoseconds start = e.start + inner.began;
            event(start, start + e.time, place[static_cast<std::size_t>(e.node)], e.step, e.turn);
        }
        event(inner.began, inner.began + time, place[0], -1);
    }

private:
    int same_function(const collector& inner, int index) {
        const function_sum& f = inner.functions[static_cast<std::size_t>(index)];
        return f.outer < 0 ? function(*f.facts, f.name, 0) : loop(*f.facts, same_function(inner, f.outer), f.outer_step);
    }

    static constexpr std::string_view other_names = "(other names)";
};

}  // namespace croton::inline v0_1::detail

#endif
