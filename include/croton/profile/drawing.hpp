// SPDX-License-Identifier: MIT
// A profile as drawings for Graphviz: the steps of each function, and the tree of the program.
#ifndef CROTON_PROFILE_DRAWING_HPP
#define CROTON_PROFILE_DRAWING_HPP

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <croton/profile/characters.hpp>
#include <croton/profile/format.hpp>
#include <croton/profile/record.hpp>
#include <croton/profile/sink.hpp>

namespace croton::inline v0_1 {

namespace detail {

/// DOT text: nodes, edges and their labels. `Text` is a string; a template, so that only programs that draw compile it.
template <class Text = std::string> class dot_writer {
public:
    Text text;

    /// A label in quotes; its line breaks stay, other control characters become spaces.
    static Text quoted(std::string_view label) {
        Text out = "\"";
        each_character(label, [&](std::string_view c) {
            const auto byte = static_cast<unsigned char>(c[0]);
            if (c == "\"" || c == "\\") (out += '\\') += c;
            else if (c == "\n") out += "\\n";
            else if (c == "&") out += "&amp;";  // Graphviz reads &lt; as a character
            else if (byte < 0x20 || byte == 0x7f) out += ' ';
            else out += c;
        });
        return out + "\"";
    }

    /// In lines of about 40 characters, broken at spaces where there are any.
    static Text wrapped(std::string_view line) {
        constexpr std::size_t most = 40;
        Text out, word;
        std::size_t width = 0, in_word = 0;
        const auto finish_word = [&] {
            if (width > 0 && width + in_word > most) {
                while (out.ends_with(' ')) out.pop_back();
                out += '\n';
                width = 0;
            }
            out += word;
            width += in_word;
            word.clear();
            in_word = 0;
        };
        each_character(line, [&](std::string_view c) {
            const bool space = c == " " || c == "\n";
            word += space ? std::string_view(" ") : c;
            ++in_word;
            if (space || in_word == most) finish_word();
        });
        finish_word();
        while (out.ends_with(' ')) out.pop_back();
        return out;
    }

    /// White for nothing, red for everything; black letters can be read on all of it.
    static Text heat(double percent) {
        const int rest = 255 - static_cast<int>(std::clamp(percent, 0.0, 100.0) * 2.55 + 0.5);
        return formatted("\"#ff%02x%02x\"", rest, rest);
    }

    void begin(std::string_view title, const char* direction) {
        text += "digraph profile {\n  graph [rankdir=" + Text(direction) +
                ", compound=true, fontname=\"Helvetica\", fontsize=14, labelloc=t, label=" + quoted(title) +
                "];\n  node [fontname=\"Helvetica\", fontsize=11, fontcolor=black, style=filled, fillcolor=white];\n"
                "  edge [fontname=\"Helvetica\", fontsize=9, color=gray30];\n";
    }
    void node(std::string_view id, std::string_view label, std::string_view attributes) {
        ((((text += "  ") += id) += " [label=") += quoted(label)) += attributes;
        text += "];\n";
    }
    void edge(std::string_view from, std::string_view to, std::string_view label, std::string_view attributes = "") {
        (((((text += "  ") += from) += " -> ") += to) += " [label=") += quoted(label);
        (text += attributes) += "];\n";
    }
};

template <class Data = profile_data> class plan_drawing {
public:
    explicit plan_drawing(const Data& data) : d(data) {}

    std::string text() {
        w.begin(writer::wrapped("Profile of \"" + d.name + "\"") + "\n" + time_text(d.time), "TB");
        for (std::size_t i = 0; i < d.functions.size(); ++i) function(d.functions[i], "f" + std::to_string(i));
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

    const Data& d;
    writer w;

    static Text moved(const char* when, const transfer_profile& t, nanoseconds whole) {
        return Text(when) + "\n" + std::to_string(t.count) + " transfers, " + bytes_text(t.bytes) + "\n" +
               time_text(t.time) + ", " + percent_text(t.time, whole);
    }
    template <class Buffer> static Text array(const Buffer& b) {
        return writer::wrapped(b.name + " " + b.type) + "\n" + bytes_text(b.bytes);
    }

    template <class Function> void function(const Function& f, const Text& id) {
        const nanoseconds calls = std::max<nanoseconds>(f.calls, 1);
        w.text += "  subgraph cluster_" + id + " {\n  style=rounded; color=gray50; label=" +
                  writer::quoted(writer::wrapped(f.name + " on " + f.device) + "\n" + std::to_string(f.calls) +
                                 (f.calls == 1 ? " call, " : " calls, ") + time_text(f.time / calls) + " each, " +
                                 percent_text(f.time, d.time) + " of the profile\n" +
                                 percent_text(f.overhead(), f.time) + " of it outside of steps") +
                  ";\n";
        std::vector<Text> last(f.buffers.size());  // what wrote a buffer last; an argument to begin with
        for (std::size_t b = 0; b < f.buffers.size(); ++b) {
            const auto& each = f.buffers[b];
            if (each.what == buffer_profile::role::temporary) continue;
            const Text own = id + "_b" + std::to_string(b);
            const bool argument = each.what == buffer_profile::role::argument;
            w.node(own, writer::wrapped(each.name + " " + each.type),
                   argument ? ", shape=ellipse" : ", shape=ellipse, penwidth=2");
            if (argument) last[b] = own;
        }
        for (std::size_t s = 0; s < f.steps.size(); ++s) {
            const auto& step = f.steps[s];
            const Text own = id + "_s" + std::to_string(s);
            const double part = share(step.time, f.time);
            w.node(own,
                   "step " + std::to_string(s + 1) + ": " + step.kind + " (" + step.type + ")\n" +
                       writer::wrapped(step.formula) + "\n" +
                       (step.together == 0 ? Text("in the launch of a step before")
                                           : time_text(step.time / std::max<nanoseconds>(step.calls, 1)) + " per call, " + formatted("%.1f%%", part)),
                   ", shape=box, fillcolor=" + writer::heat(part));
        }
        for (std::size_t s = 0; s < f.steps.size(); ++s) uses(f, s, id, last);
        for (std::size_t b = 0; b < f.buffers.size(); ++b)
            if (f.buffers[b].what == buffer_profile::role::result && !last[b].empty())
                w.edge(last[b], id + "_b" + std::to_string(b), array(f.buffers[b]));
        w.text += "  }\n";
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

    /// The arrays of a step: from what wrote them last, and back to the arguments that it updates.
    template <class Function> void uses(const Function& f, std::size_t s, const Text& id, std::vector<Text>& last) {
        const auto& step = f.steps[s];
        const Text own = id + "_s" + std::to_string(s);
        const auto has = [](const std::vector<int>& list, int b) {
            return std::find(list.begin(), list.end(), b) != list.end();
        };
        for (const int b : step.reads) {
            const auto at = static_cast<std::size_t>(b);
            const auto& each = f.buffers[at];
            if (last[at].empty()) continue;
            const bool argument = each.what == buffer_profile::role::argument;
            if (!has(step.writes, b)) w.edge(last[at], own, array(each));
            else
                w.edge(last[at], own, array(each) + "\nin place",
                       Text(in_place) + (argument && last[at] == id + "_b" + std::to_string(b) ? ", dir=both" : ""));
        }
        for (const int b : step.writes) {
            const auto at = static_cast<std::size_t>(b);
            const auto& each = f.buffers[at];
            const Text place = id + "_b" + std::to_string(b);
            const bool argument = each.what == buffer_profile::role::argument;
            const bool read = has(step.reads, b);
            // A second writer completes what the first has begun.
            if (!read && !argument && !last[at].empty()) w.edge(last[at], own, array(each) + "\nin place", in_place);
            if (argument && !(read && last[at] == place))
                w.edge(own, place, array(each) + "\nin place", Text(in_place) + ", constraint=false");
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
                w.node(id, label(f.name, "function, in " + std::to_string(places[i]) + " places", f.calls, f.time),
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
        for (const int child : n.children) w.edge(id, "n" + std::to_string(child), "");
        if (n.function < 0) return;
        // What is known of steps is known of a function, not of the places it is called from.
        if (places[static_cast<std::size_t>(n.function)] > 1)
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
    template <class Data> static std::string text(const Data& data) { return plan_drawing<Data>(data).text(); }
};
struct tree_format {
    template <class Data> static std::string text(const Data& data) { return tree_drawing<Data>(data).text(); }
};

}  // namespace detail

/// Draws the functions of a profile, for `dot -Tsvg`: `profile scope{"training", dot_file{"plan.dot"}}`.
///
/// A box is a step with its formula, its time per call and its share of the function's time, by which it is coloured from
/// white to red. Ellipses are arguments and, with a thick line, results. Edges are arrays with their shapes and bytes;
/// dashed ones are updated in place, red ones are transfers between host and device.
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
