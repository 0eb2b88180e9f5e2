// SPDX-License-Identifier: MIT
// A profile as drawings for Graphviz: the steps of each function, and the tree of the program.
#ifndef CROTON_PROFILE_DRAWING_HPP
#define CROTON_PROFILE_DRAWING_HPP

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include <croton/compiler.hpp>
#include <croton/profile/dot_writer.hpp>
#include <croton/profile/format.hpp>
#include <croton/profile/record.hpp>
#include <croton/profile/sink.hpp>

namespace croton::inline v0_1 {

namespace detail {

template <class Data = profile_data> class plan_drawing {
public:
    explicit plan_drawing(const Data& data) : d(data) {}

    std::string text() {
        w.begin(writer::wrapped("Profile of \"" + d.name + "\"") + "\n" + time_text(d.time), "TB");
        for (std::size_t i = 0; i < d.functions.size(); ++i)
            if (!d.functions[i].is_loop()) function(i);
        if (d.to_device.count > 0) {
            w.node("host", "host", red);
            w.node("device", "device", red);
            w.edge("host", "device", moved("between calls", d.to_device, d.time), red);
        }
        if (d.to_host.count > 0) {
            if (d.to_device.count == 0) {
                w.node("host", "host", red);
                w.node("device", "device", red);
            }
            w.edge("device", "host", moved("between calls", d.to_host, d.time), red);
        }
        return w.text + "}\n";
    }

private:
    using Text = std::string;
    using writer = dot_writer<>;
    static constexpr const char* red = ", color=red, fontcolor=red";
    static constexpr const char* in_place = ", style=dashed";
    static constexpr const char* next_turn = ", style=dotted, penwidth=1.5, constraint=false";

    /// Arrays on their way from one node to another.
    struct stream {
        Text from, to, attributes, note;
        std::vector<Text> arrays;
        std::int64_t bytes = 0;
    };

    const Data& d;
    writer w;
    std::vector<stream> streams_;  // of a function, those with the same ends as one

    static Text moved(const char* when, const transfer_profile& t, nanoseconds whole) {
        return Text(when) + "\n" + std::to_string(t.count) + " transfers, " + bytes_text(t.bytes) + "\n" +
               time_text(t.time) + ", " + percent_text(t.time, whole);
    }
    static Text node_of(std::size_t function, const char* what, std::size_t index) {
        return "f" + std::to_string(function) + what + std::to_string(index);
    }

    template <class Buffer> void array(const Text& from, const Text& to, const Buffer& b, const char* note = "", const Text& attributes = "") {
        auto found = std::find_if(streams_.begin(), streams_.end(),
                                  [&](const stream& s) { return s.from == from && s.to == to && s.attributes == attributes && s.note == note; });
        if (found == streams_.end()) found = streams_.insert(found, {from, to, attributes, note, {}, 0});
        found->arrays.push_back(found->arrays.size() < most_arrays ? b.name + " " + b.type : b.name);
        found->bytes += b.bytes;
    }
    static constexpr std::size_t most_arrays = 3;

    /// A few arrays have a line for each, many are only counted.
    void draw_streams() {
        for (const stream& s : streams_) {
            Text label;
            if (s.arrays.size() > most_arrays) label = std::to_string(s.arrays.size()) + " arrays\n";
            else
                for (const Text& each : s.arrays) label += writer::wrapped(each) + "\n";
            w.edge(s.from, s.to, label + bytes_text(s.bytes) + s.note, s.attributes);
        }
        streams_.clear();
    }

    void function(std::size_t index) {
        const auto& f = d.functions[index];
        const Text id = "f" + std::to_string(index);
        const nanoseconds calls = std::max<nanoseconds>(f.calls, 1);
        w.begin_box(id, writer::wrapped(f.name + " on " + f.device) + "\n" + std::to_string(f.calls) + (f.calls == 1 ? " call, " : " calls, ") +
                            time_text(f.time / calls) + " each, " + percent_text(f.time, d.time) + " of the profile\n" +
                            percent_text(f.overhead(), f.time) + " of it outside of steps", "white");
        std::vector<Text> last(f.buffers.size());  // what wrote a buffer last; an argument to begin with
        for (std::size_t b = 0; b < f.buffers.size(); ++b) {
            const auto& each = f.buffers[b];
            if (each.what == buffer_profile::role::temporary) continue;
            const Text own = node_of(index, "_b", b);
            const bool argument = each.what == buffer_profile::role::argument;
            w.node(own, writer::wrapped(each.name + " " + each.type),
                   argument ? ", shape=ellipse" : ", shape=ellipse, penwidth=2");
            if (argument) last[b] = own;
        }
        steps(index, f);
        connect(index, last);
        for (std::size_t b = 0; b < f.buffers.size(); ++b)
            if (f.buffers[b].what == buffer_profile::role::result && !last[b].empty())
                array(last[b], node_of(index, "_b", b), f.buffers[b]);
        draw_streams();
        w.end_box();
        if (f.steps.empty()) return;
        // The record does not say which arrays: the whole function.
        if (f.to_device.count > 0) {
            w.node(id + "_in", "host", red);
            w.edge(id + "_in", id + "_s0", moved("host to device", f.to_device, f.time),
                   red + (", lhead=cluster_" + id));
        }
        if (f.to_host.count > 0) {
            w.node(id + "_out", "host", red);
            w.edge(id + "_s" + std::to_string(f.steps.size() - 1), id + "_out",
                   moved("device to host", f.to_host, f.time), red + (", ltail=cluster_" + id));
        }
    }

    /// The loop that step `s` of a function is, or 0: loops stand behind what they are in.
    std::size_t loop_at(std::size_t index, std::size_t s) const {
        for (std::size_t l = index + 1; l < d.functions.size(); ++l)
            if (d.functions[l].outer == static_cast<int>(index) && d.functions[l].outer_step == static_cast<int>(s)) return l;
        return 0;
    }

    /// The steps of a function, or of a turn; the shares are those of the time of `whole`.
    template <class Function> void steps(std::size_t index, const Function& whole) {
        const auto& f = d.functions[index];
        for (std::size_t s = 0; s < f.steps.size(); ++s) {
            const auto& step = f.steps[s];
            const double part = share(step.time, whole.time);
            if (const std::size_t loop = loop_at(index, s); loop > 0) {
                box(loop, step, part, whole);
                continue;
            }
            w.node(node_of(index, "_s", s),
                   "step " + std::to_string(s + 1) + ": " + step.kind + " (" + step.type + ")\n" +
                       writer::wrapped(step.formula) + "\n" +
                       (step.together == 0 ? Text("in the launch of a step before")
                                           : each(step) + (f.is_loop() ? " per turn, " : " per call, ") + formatted("%.1f%%", part)),
                   ", shape=box, fillcolor=" + writer::heat(part));
        }
    }

    template <class Step> static Text each(const Step& step) { return time_text(step.time / std::max<nanoseconds>(step.calls, 1)); }

    /// A loop: a box around the steps of its turns and what it carries.
    template <class Step, class Function> void box(std::size_t loop, const Step& step, double part, const Function& whole) {
        const auto& f = d.functions[loop];
        const auto& around = d.functions[static_cast<std::size_t>(f.outer)];
        const Text called = writer::wrapped(f.name.substr(std::min(f.name.size(), around.name.size() + 2)));
        w.begin_box("f" + std::to_string(loop),
                    "step " + std::to_string(f.outer_step + 1) + ": " + called + ", " + step.shape + "\n" + each(step) +
                        (around.is_loop() ? " per turn around it, " : " per call, ") + formatted("%.1f%%", part) + "\n" +
                        time_text(f.time / std::max<nanoseconds>(f.turns, 1)) + " per turn, " + percent_text(f.overhead(), f.time) +
                        " of it outside of steps",
                    around.is_loop() ? "gray90" : "gray95");
        for (const buffer_pair& state : f.carried) {
            const auto b = static_cast<std::size_t>(state.to);
            w.node(node_of(loop, "_b", b), writer::wrapped(f.buffers[b].name + " " + f.buffers[b].type), ", shape=ellipse");
        }
        steps(loop, whole);
        w.end_box();
    }

    /// The arrays of all steps; `last` is what wrote each of them.
    void connect(std::size_t index, std::vector<Text>& last) {
        const auto& f = d.functions[index];
        for (std::size_t s = 0; s < f.steps.size(); ++s) {
            if (const std::size_t loop = loop_at(index, s); loop > 0) connect_loop(loop, last);
            else uses(index, s, last);
        }
    }

    /// What is around a loop goes to the steps of its turns that read it, and what they leave comes from those that write it.
    void connect_loop(std::size_t loop, std::vector<Text>& around) {
        const auto& f = d.functions[loop];
        const auto at = [](int b) { return static_cast<std::size_t>(b); };
        std::vector<Text> last(f.buffers.size());
        for (const buffer_pair& g : f.given) last[at(g.to)] = around[at(g.from)];
        for (const buffer_pair& state : f.carried) {
            const Text own = node_of(loop, "_b", at(state.to));
            for (const buffer_pair& g : f.given)
                if (g.to == state.to && !around[at(g.from)].empty()) array(around[at(g.from)], own, d.functions[at(f.outer)].buffers[at(g.from)]);
            last[at(state.to)] = own;
        }
        connect(loop, last);
        for (const buffer_pair& state : f.carried)
            if (const Text& from = last[at(state.from)]; !from.empty())
                array(from, node_of(loop, "_b", at(state.to)), f.buffers[at(state.from)], "\nfor the next turn", next_turn);
        for (const buffer_pair& l : f.left) {
            const auto& kept = d.functions[at(f.outer)].buffers[at(l.to)];
            if (kept.what == buffer_profile::role::argument && !last[at(l.from)].empty())
                array(last[at(l.from)], node_of(at(f.outer), "_b", at(l.to)), kept, "\nin place", Text(in_place) + ", constraint=false");
            around[at(l.to)] = last[at(l.from)];
        }
    }

    /// The arrays of a step: from what wrote them last, and back to the arguments that it updates.
    void uses(std::size_t index, std::size_t s, std::vector<Text>& last) {
        const auto& f = d.functions[index];
        const auto& step = f.steps[s];
        const Text own = node_of(index, "_s", s);
        const auto has = [](const std::vector<int>& list, int b) {
            return std::find(list.begin(), list.end(), b) != list.end();
        };
        for (const int b : step.reads) {
            const auto at = static_cast<std::size_t>(b);
            const auto& each = f.buffers[at];
            if (last[at].empty()) continue;
            const bool argument = each.what == buffer_profile::role::argument;
            if (!has(step.writes, b)) array(last[at], own, each);
            else array(last[at], own, each, "\nin place", Text(in_place) + (argument && last[at] == node_of(index, "_b", at) ? ", dir=both" : ""));
        }
        for (const int b : step.writes) {
            const auto at = static_cast<std::size_t>(b);
            const auto& each = f.buffers[at];
            const Text place = node_of(index, "_b", at);
            const bool argument = each.what == buffer_profile::role::argument;
            const bool read = has(step.reads, b);
            // A second writer completes what the first has begun.
            if (!read && !argument && !last[at].empty()) array(last[at], own, each, "\nin place", in_place);
            if (argument && !(read && last[at] == place)) array(own, place, each, "\nin place", Text(in_place) + ", constraint=false");
            last[at] = own;
        }
    }
};

template <class Data = profile_data> class tree_drawing {
public:
    explicit tree_drawing(const Data& data) : d(data) {}

    std::string text() {
        w.begin(writer::wrapped("Calls in \"" + d.name + "\""), "LR");
        std::vector<int> places(d.functions.size(), 0);
        for (const auto& n : d.tree)
            if (n.function >= 0) ++places[static_cast<std::size_t>(n.function)];
        for (std::size_t i = 0; i < d.tree.size(); ++i) place(i, places);
        for (std::size_t i = 0; i < d.functions.size(); ++i)
            if (places[i] > 1) {
                const auto& f = d.functions[i];
                const Text id = "f" + std::to_string(i);
                w.node(id, label(f.name, (f.is_loop() ? "loop, in " : "function, in ") + std::to_string(places[i]) + " places", f.calls, f.time),
                       ", shape=box, fillcolor=" + writer::heat(share(f.time, d.time)));
                steps(f, id);
            }
        return w.text + "}\n";
    }

private:
    using Text = std::string;
    using writer = dot_writer<>;

    const Data& d;
    writer w;

    Text label(const Text& name, const Text& what, std::int64_t calls, nanoseconds time) const {
        return writer::wrapped(name) + "\n" + what + "\n" + std::to_string(calls) +
               (calls == 1 ? " time, " : " times, ") + time_text(time) + ", " + percent_text(time, d.time);
    }

    void place(std::size_t i, const std::vector<int>& places) {
        using what = scope_profile::kind;
        const auto& n = d.tree[i];
        const Text id = "n" + std::to_string(i);
        Text text = label(n.name,
                          n.what == what::scope    ? "profile"
                          : n.what == what::region ? "region"
                          : n.what == what::loop   ? "loop"
                                                   : "function",
                          n.calls, n.time);
        if (!n.children.empty()) {
            nanoseconds inside = 0;
            for (const int child : n.children) inside += d.tree[static_cast<std::size_t>(child)].time;
            text += "\nthe rest of it " + time_text(n.time - inside) + ", " + percent_text(n.time - inside, d.time);
        }
        w.node(id, text,
               (n.what == what::function ? ", shape=box, fillcolor="
                                         : ", shape=box, style=\"filled,rounded\", fillcolor=") +
                   writer::heat(share(n.time, d.time)));
        const bool elsewhere = n.function >= 0 && places[static_cast<std::size_t>(n.function)] > 1;
        for (const int child : n.children) {
            const auto& below = d.tree[static_cast<std::size_t>(child)];
            // A loop hangs on the step that it is.
            const bool hangs = below.what == what::loop && !elsewhere;
            const Text from = hangs ? "_s" + std::to_string(d.functions[static_cast<std::size_t>(below.function)].outer_step) : Text();
            w.edge(id + from, "n" + std::to_string(child), "");
        }
        if (n.function < 0) return;
        // What is known of steps is known of a function, not of the places it is called from.
        if (elsewhere)
            w.edge(id, "f" + std::to_string(n.function), "", ", style=dashed");
        else steps(d.functions[static_cast<std::size_t>(n.function)], id);
    }

    template <class Function> void steps(const Function& f, const Text& id) {
        for (std::size_t s = 0; s < f.steps.size(); ++s) {
            const auto& step = f.steps[s];
            if (step.together == 0) continue;
            const Text own = id + "_s" + std::to_string(s);
            w.node(own,
                   "step " + std::to_string(s + 1) + ": " + step.kind + "\n" + writer::wrapped(step.formula) + "\n" +
                       time_text(step.time) + ", " + percent_text(step.time, d.time),
                   ", shape=box, fontsize=10, fillcolor=" + writer::heat(share(step.time, d.time)));
            w.edge(id, own, "");
        }
    }
};

struct plan_format {
    template <class Data> static std::string text(const Data& data);
};
template <class Data> std::string plan_format::text(const Data& data) { return plan_drawing<Data>(data).text(); }
CROTON_ONCE(plan_format::text<profile_data>)
struct tree_format {
    template <class Data> static std::string text(const Data& data);
};
template <class Data> std::string tree_format::text(const Data& data) { return tree_drawing<Data>(data).text(); }
CROTON_ONCE(tree_format::text<profile_data>)

}  // namespace detail

/// Draws the functions of a profile, for `dot -Tsvg`: `profile scope{"training", dot_file{"plan.dot"}}`.
///
/// A box is a step with its formula, its time per call and its share of the function's time, by which it is coloured from
/// white to red. Ellipses are arguments and, with a thick line, results. Edges are arrays with their shapes and bytes;
/// dashed ones are updated in place, red ones are transfers between host and device. A loop is a grey box around the steps of
/// its turns, with their times per turn, and around ellipses for what it carries, to which dotted edges lead from what makes it
/// for the next turn.
/// Opening the file throws `file_error`, before the profile has begun.
struct dot_file : detail::file_sink<detail::plan_format> {
    using detail::file_sink<detail::plan_format>::file_sink;
};

/// The same to a `std::ostream`.
struct dot_sink : detail::stream_sink<detail::plan_format> {
    using detail::stream_sink<detail::plan_format>::stream_sink;
};

/// Draws the tree of a profile, for `dot -Tsvg`: scopes, regions, functions and steps with their times, coloured by their
/// share of the profile's time. Opening the file throws `file_error`, before the profile has begun.
struct call_graph_file : detail::file_sink<detail::tree_format> {
    using detail::file_sink<detail::tree_format>::file_sink;
};

/// The same to a `std::ostream`.
struct call_graph_sink : detail::stream_sink<detail::tree_format> {
    using detail::stream_sink<detail::tree_format>::stream_sink;
};

}  // namespace croton::inline v0_1

#endif
