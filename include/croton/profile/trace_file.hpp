// SPDX-License-Identifier: MIT
// A profile as a time line, in the trace-event format that Perfetto and Chrome open.
#ifndef CROTON_PROFILE_TRACE_FILE_HPP
#define CROTON_PROFILE_TRACE_FILE_HPP

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include <croton/compiler.hpp>
#include <croton/profile/format.hpp>
#include <croton/profile/json_writer.hpp>
#include <croton/profile/record.hpp>
#include <croton/profile/sink.hpp>

namespace croton::inline v0_1 {

namespace detail {

template <class Data = profile_data> class trace_report {
public:
    explicit trace_report(const Data& data) : d(data) {}

    std::string text() {
        w.object(lines, [&] {
            w.put("displayTimeUnit", "ns");
            w.object("otherData", line, [&] {
                w.put("profile", d.name);
                w.put("time_ns", d.time);
                w.put("events_kept", static_cast<std::int64_t>(d.events.size()));
                w.put("events_lost", d.events_lost);
            });
            w.array("traceEvents", lines, [&] { events(); });
        });
        return w.take();
    }

private:
    using layout = typename json_writer<>::layout;
    static constexpr layout lines = layout::lines, line = layout::line;

    const Data& d;
    json_writer<> w;

    void events() {
        name("process_name", d.name);
        name("thread_name", d.events_lost == 0
                                ? "calls and regions"
                                : "calls and regions, without the first " + std::to_string(d.events_lost) + " of them");
        slice(d.name, "profile", 0, d.time, [&] {
            w.put("events kept", static_cast<std::int64_t>(d.events.size()));
            w.put("events lost", d.events_lost);
        });
        for (const std::size_t i : in_order()) one(d.events[i]);
    }

    /// Events are recorded as they end; here each stands behind the one around it.
    std::vector<std::size_t> in_order() const {
        std::vector<int> depth(d.tree.size(), 0);
        for (std::size_t n = 0; n < d.tree.size(); ++n)  // children stand behind their parents
            for (const int child : d.tree[n].children) depth[static_cast<std::size_t>(child)] = depth[n] + 1;
        std::vector<std::size_t> order(d.events.size());
        for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
        const auto level = [&](const profile_event& e) {
            return 2 * depth[static_cast<std::size_t>(e.node)] + (e.step >= 0 ? 1 : 0);
        };
        std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
            const profile_event &x = d.events[a], &y = d.events[b];
            return x.start != y.start ? x.start < y.start : level(x) < level(y);
        });
        return order;
    }

    void one(const profile_event& e) {
        const auto& n = d.tree[static_cast<std::size_t>(e.node)];
        if (n.function < 0) {
            slice(n.name, n.what == scope_profile::kind::region ? "region" : "profile", e.start, e.time, [] {});
            return;
        }
        const auto& f = d.functions[static_cast<std::size_t>(n.function)];
        if (e.step < 0) {
            slice(n.name, n.what == scope_profile::kind::loop ? "loop" : "function", e.start, e.time, [&] {
                w.put("device", f.device);
                if (e.turn >= 0) w.put("turns", e.turn);
            });
            return;
        }
        const auto& s = f.steps[static_cast<std::size_t>(e.step)];
        slice(s.formula, "step", e.start, e.time, [&] {
            w.put("step", e.step + 1);
            if (e.turn >= 0) w.put("turn", e.turn);
            w.put("kind", s.kind);
            w.put("runs on", s.type);
            w.put("element", s.element);
            // The record has the sizes of the last call only, and a loop can have other turns with the same.
            const bool same = f.shapes_seen <= 1 && s.kind != "scan";
            w.put(same ? "shape" : "shape of the last call", s.shape);
            w.put(same ? "bytes" : "bytes of the last call", s.working_set);
            if (!same) w.put("GB/s of all calls", s.gigabytes_per_second());
            else if (e.time > 0) w.put("GB/s", static_cast<double>(s.working_set) / static_cast<double>(e.time));
            w.put("reads", arrays(f, s.reads));
            w.put("writes", arrays(f, s.writes));
        });
    }

    template <class Function> static std::string arrays(const Function& f, const std::vector<int>& list) {
        std::string text;
        for (const int b : list)
            text += (text.empty() ? "" : ", ") + f.buffers[static_cast<std::size_t>(b)].name + " " +
                    f.buffers[static_cast<std::size_t>(b)].type;
        return text;
    }

    template <class Arguments> void slice(const std::string& called, const char* category, nanoseconds start,
                                          nanoseconds time, Arguments&& arguments) {
        w.object(line, [&] {
            w.put("name", called);
            w.put("cat", category);
            w.put("ph", "X");
            w.literal("ts", microseconds(start));
            w.literal("dur", microseconds(time));
            w.put("pid", 1);
            w.put("tid", 1);
            w.object("args", line, arguments);
        });
    }
    void name(const char* what, const std::string& called) {
        w.object(line, [&] {
            w.put("name", what);
            w.put("ph", "M");
            w.put("pid", 1);
            w.put("tid", 1);
            w.object("args", line, [&] { w.put("name", called); });
        });
    }
    static std::string microseconds(nanoseconds t) {
        return formatted("%lld.%03d", static_cast<long long>(t / 1000), static_cast<int>(t % 1000));
    }
};

struct trace_format {
    template <class Data> static std::string text(const Data& data);
};
template <class Data> std::string trace_format::text(const Data& data) { return trace_report<Data>(data).text(); }
CROTON_ONCE(trace_format::text<profile_data>)

}  // namespace detail

/// Writes a profile as a time line to a file that ui.perfetto.dev and chrome://tracing open:
/// `profile scope{"training", trace_file{"trace.json"}}`.
///
/// The profile, its regions, the calls of functions and their steps are complete events (`"ph": "X"`) of one thread, in
/// the order of their starts, each within the one around it; `ts` and `dur` are microseconds with three decimals. A step is
/// named by its formula; its arguments are the shape, bytes, rate and arrays. The profile keeps the last 65536 events, or
/// as many as `keep_events` says; how many older ones were lost stands in `otherData` and in the name of the thread.
/// Opening the file throws `file_error`, before the profile has begun.
struct trace_file : detail::file_sink<detail::trace_format> {
    using detail::file_sink<detail::trace_format>::file_sink;
    static constexpr bool wants_events = true;
};

/// The same to a `std::ostream`.
struct trace_sink : detail::stream_sink<detail::trace_format> {
    using detail::stream_sink<detail::trace_format>::stream_sink;
    static constexpr bool wants_events = true;
};

}  // namespace croton::inline v0_1

#endif
