// SPDX-License-Identifier: MIT
// A profile as text, in the tables of Theano's profiler.
#ifndef CROTON_PROFILE_TEXT_HPP
#define CROTON_PROFILE_TEXT_HPP

#include <algorithm>
#include <string>
#include <vector>

#include <croton/compiler.hpp>
#include <croton/profile/format.hpp>
#include <croton/profile/ranking.hpp>
#include <croton/profile/record.hpp>
#include <croton/profile/sink.hpp>

namespace croton::inline v0_1 {

namespace detail {

template <class Data = profile_data> class text_report {
public:
    explicit text_report(const Data& data) : d(data) { write(); }

    const std::string& text() const { return out_; }

private:
    static constexpr std::size_t most_lines = 20;

    struct line {
        std::string name, type;
        nanoseconds time = 0;
        std::int64_t calls = 0;
        int applies = 0;
    };

    const Data& d;
    std::string out_;

    template <class... A> void put(const char* how, A... values) { out_ += formatted(how, values...); }
    static double seconds(nanoseconds t) { return static_cast<double>(t) / 1e9; }

    void heading(const std::string& text, char under) { out_ += text + "\n" + std::string(text.size(), under) + "\n"; }

    void write() {
        heading("Profile of \"" + d.name + "\"", '=');
        std::int64_t calls = 0;
        nanoseconds time = 0, steps = 0;
        std::size_t functions = 0;
        for (const auto& f : d.functions) {
            if (f.is_loop()) continue;
            ++functions;
            calls += f.calls;
            time += f.time;
            steps += f.steps_time;
        }
        put("  Time: %.6es on %d thread%s\n", seconds(d.time), d.threads, d.threads == 1 ? "" : "s");
        put("  Time in %lld call%s of %zu function%s: %.6es (%.3f%%)\n", static_cast<long long>(calls), calls == 1 ? "" : "s", functions,
            functions == 1 ? "" : "s", seconds(time), share(time, d.time));
        put("  Time in steps: %.6es (%.3f%%)\n", seconds(steps), share(steps, d.time));
        put("  Time outside of functions: %.6es (%.3f%%)\n", seconds(d.time - time), share(d.time - time, d.time));
        if (d.limits.known())
            put("  This machine: memory %.1f GB/s, cache %.1f GB/s, float arithmetic %.0f GFLOP/s, double %.0f GFLOP/s\n",
                d.limits.memory().triad, d.limits.levels[1].triad, d.limits.products(false), d.limits.products(true));
        blas();
        counters();
        if (d.tree.size() > 1) {
            out_ += "\n";
            heading("Program", '-');
            out_ += "<% time> <time> <#call> <name>\n";
            branch(0, 0);
        }
        for (const auto& f : d.functions) function(f);
        if (functions > 1) {
            out_ += "\n";
            heading("Sum of all functions", '=');
            std::vector<line> classes, operations;
            for (const auto& f : d.functions)
                if (!f.is_loop()) collect(f, classes, operations);
            table("Class", classes, steps);
            table("Ops", operations, steps);
        }
        moved("Transfers between calls", d.to_device, d.to_host, d.time);
        tips();
    }

    /// Which library computes products, and how fast.
    void blas() {
        if (d.blas.empty()) return;
        out_ += "  BLAS: " + d.blas;
        if (d.blas_threads > 0) put(" on %d thread%s", d.blas_threads, d.blas_threads == 1 ? "" : "s");
        if (d.limits.known())
            put(", float products %s GFLOP/s, double %s GFLOP/s", number_text(d.limits.gemm_float).c_str(),
                number_text(d.limits.gemm_double).c_str());
        out_ += d.own_products && d.blas != "none" ? "; croton multiplies matrices itself\n" : "\n";
    }

    void counters() {
        const hardware_counters& c = d.counters;
        if (!c.available) {
            put("  Hardware counters: not available (%s)\n", c.note.c_str());
            return;
        }
        put("  Hardware counters, this thread: %.4g cycles, %.4g instructions (%.2f per cycle), %.4g of %.4g cache references "
            "missed (%.1f%%)\n",
            static_cast<double>(c.cycles), static_cast<double>(c.instructions),
            c.cycles > 0 ? static_cast<double>(c.instructions) / static_cast<double>(c.cycles) : 0,
            static_cast<double>(c.cache_misses), static_cast<double>(c.cache_references), share(c.cache_misses, c.cache_references));
    }

    /// The tree of scopes, with what is left of each when its parts are taken off.
    void branch(int at, int depth) {
        const auto& n = d.tree[static_cast<std::size_t>(at)];
        const std::string indent(static_cast<std::size_t>(2 * depth), ' ');
        put("  %5.1f%%  %12.6fs  %8lld  ", share(n.time, d.time), seconds(n.time), static_cast<long long>(n.calls));
        out_ += indent + n.name + "\n";
        nanoseconds inside = 0;
        for (const int child : n.children) {
            inside += d.tree[static_cast<std::size_t>(child)].time;
            branch(child, depth + 1);
        }
        if (n.children.empty()) return;
        put("  %5.1f%%  %12.6fs            ", share(n.time - inside, d.time), seconds(n.time - inside));
        out_ += indent + "  (the rest of " + n.name + ")\n";
    }

    template <class Function> void function(const Function& f) {
        out_ += "\n";
        if (f.is_loop()) return loop(f);
        heading("Function \"" + f.name + "\" on " + f.device, '=');
        const std::int64_t calls = std::max<std::int64_t>(f.calls, 1);
        put("  Time in %lld call%s: %.6es, %s per call (least %s, most %s)\n", static_cast<long long>(f.calls), f.calls == 1 ? "" : "s", seconds(f.time),
            time_text(f.time / calls).c_str(), time_text(f.least).c_str(), time_text(f.most).c_str());
        if (f.failed > 0) put("  Calls that threw: %lld\n", static_cast<long long>(f.failed));
        put("  Time in steps: %.6es (%.3f%%)\n", seconds(f.steps_time), share(f.steps_time, f.time));
        put("  Overhead: %s per call (%.3f%%): arguments %s, results %s, sizes %s, layout copies %s, recording %s, return %s\n",
            time_text(f.overhead() / calls).c_str(), share(f.overhead(), f.time), time_text(f.arguments_time / calls).c_str(),
            time_text(f.results_time / calls).c_str(), time_text(f.layout_time / calls).c_str(),
            time_text(f.staging_time / calls).c_str(), time_text(f.recording_time / calls).c_str(),
            time_text(f.leaving_time / calls).c_str());
        put("  Nodes traced: %d, after rewriting: %d; steps: %zu, of them kernels: %d\n", f.nodes_traced, f.nodes, f.steps.size(),
            f.kernels);
        std::vector<line> classes, operations;
        collect(f, classes, operations);
        table("Class", classes, f.steps_time);
        table("Ops", operations, f.steps_time);
        applies(f);
        memory(f);
        moved("Transfers", f.to_device, f.to_host, f.time);
    }

    /// A loop: the shares of its tables are those of the time in its steps.
    template <class Function> void loop(const Function& f) {
        heading("Scan \"" + f.name + "\" on " + f.device + ", step " + std::to_string(f.outer_step + 1) + " of \"" + d.functions[static_cast<std::size_t>(f.outer)].name + "\"", '=');
        const std::int64_t turns = std::max<std::int64_t>(f.turns, 1);
        put("  Time in %lld call%s, %lld turn%s: %.6es, %s per turn\n", static_cast<long long>(f.calls), f.calls == 1 ? "" : "s",
            static_cast<long long>(f.turns), f.turns == 1 ? "" : "s", seconds(f.time), time_text(f.time / turns).c_str());
        put("  Time in steps: %.6es (%.3f%%)\n", seconds(f.steps_time), share(f.steps_time, f.time));
        put("  Overhead: %s per turn (%.3f%%)\n", time_text(f.overhead() / turns).c_str(), share(f.overhead(), f.time));
        put("  Nodes of a turn: %d; steps: %zu, of them kernels: %d\n", f.nodes, f.steps.size(), f.kernels);
        std::vector<line> classes, operations;
        collect(f, classes, operations);
        table("Class", classes, f.steps_time);
        table("Ops", operations, f.steps_time);
        applies(f);
        memory(f);
    }
    /// What the loops of a function hold, those in their turns included.
    template <class Function> std::int64_t bytes_of_loops(const Function& f) const {
        std::int64_t bytes = 0;
        for (const auto& l : d.functions)
            if (l.is_loop() && &d.functions[static_cast<std::size_t>(l.outer)] == &f) bytes += l.carried_bytes + l.planned_bytes + bytes_of_loops(l);
        return bytes;
    }

    template <class Function> static void collect(const Function& f, std::vector<line>& classes, std::vector<line>& operations) {
        const auto add = [](std::vector<line>& list, const std::string& name, const auto& s) {
            auto found = std::find_if(list.begin(), list.end(), [&](const line& l) { return l.name == name && l.type == s.type; });
            if (found == list.end()) found = list.insert(list.end(), line{name, s.type, 0, 0, 0});
            found->time += s.time;
            found->calls += s.calls;
            ++found->applies;
        };
        for (const auto& s : f.steps) {
            if (s.together == 0) continue;
            add(classes, s.kind, s);
            add(operations, s.element + " " + s.operation, s);
        }
    }

    template <class Line> void table(const char* what, const std::vector<Line>& lines, nanoseconds whole) {
        out_ += "\n";
        heading(what, '-');
        out_ += "<% time> <sum %> <apply time> <time per call> <type> <#call> <#apply> <name>\n";
        nanoseconds sum = 0;
        std::size_t shown = 0;
        for (const std::size_t i : greatest_first(lines, [](const Line& l) { return l.time; })) {
            if (shown == most_lines) break;
            ++shown;
            const Line& l = lines[i];
            sum += l.time;
            put("  %5.1f%%  %5.1f%%  %10.6fs  %12.2es  %6s  %8lld  %5d  ", share(l.time, whole), share(sum, whole), seconds(l.time),
                seconds(l.time) / static_cast<double>(std::max<std::int64_t>(l.calls, 1)), l.type.c_str(),
                static_cast<long long>(l.calls), l.applies);
            out_ += l.name + "\n";
        }
        rest(lines.size() - shown, what, whole - sum, whole);
    }

    void rest(std::size_t count, const char* what, nanoseconds time, nanoseconds whole) {
        put("   ... (remaining %zu %s account for %.2f%% (%.2es) of the time)\n", count, what, share(time, whole), seconds(time));
    }

    template <class Function> void applies(const Function& f) {
        ranking<std::size_t> slowest;
        for (std::size_t i = 0; i < f.steps.size(); ++i)
            if (f.steps[i].together > 0) slowest.add(-f.steps[i].time, i);
        const std::vector<std::size_t> order = slowest.ascending();
        out_ += "\n";
        heading("Apply", '-');
        out_ += "<% time> <sum %> <apply time> <time per call> <type> <#call> <step> <GB/s> <GFLOP/s> <% of limit> <name>\n";
        nanoseconds sum = 0;
        std::size_t shown = 0;
        for (const std::size_t i : order) {
            if (shown == most_lines) break;
            ++shown;
            const auto& s = f.steps[i];
            sum += s.time;
            const double limit = s.limit_share(d.limits);
            put("  %5.1f%%  %5.1f%%  %10.6fs  %12.2es  %6s  %8lld  %5zu  %7s  %7s  %6s  ", share(s.time, f.steps_time),
                share(sum, f.steps_time), seconds(s.time), seconds(s.time) / static_cast<double>(std::max<std::int64_t>(s.calls, 1)),
                s.type.c_str(), static_cast<long long>(s.calls), i + 1, number_text(s.gigabytes_per_second()).c_str(),
                number_text(s.gigaflops()).c_str(), limit <= 0 ? "-" : formatted("%.1f%%", limit).c_str());
            out_ += s.formula + (s.together > 1 ? " (one launch with " + others(i, s.together) + ")" : "") + "\n" + std::string(12, ' ') + s.kind + " over " + s.shape + " in " + s.element + "; " +
                    arrays("reads ", f, s.reads) + arrays("; writes ", f, s.writes) + "\n";
        }
        rest(order.size() - shown, "Apply", f.steps_time - sum, f.steps_time);
    }

    static std::string others(std::size_t first, int together) {
        const std::string next = std::to_string(first + 2), last = std::to_string(first + static_cast<std::size_t>(together));
        return together == 2 ? "step " + next : "steps " + next + " to " + last;
    }

    template <class Function> static std::string arrays(const char* before, const Function& f, const std::vector<int>& list) {
        std::string text = list.empty() ? std::string(before) + "nothing" : before;
        for (std::size_t i = 0; i < list.size(); ++i) {
            const auto& b = f.buffers[static_cast<std::size_t>(list[i])];
            text += (i == 0 ? "" : ", ") + b.name + " " + b.type;
        }
        return text;
    }

    template <class Function> void memory(const Function& f) {
        out_ += "\n";
        heading("Memory", '-');
        put("  Temporaries: planned %s, needed at one time %s, without reuse %s\n", bytes_text(f.planned_bytes).c_str(),
            bytes_text(f.peak_bytes).c_str(), bytes_text(f.separate_bytes).c_str());
        if (f.is_loop()) put("  Carried from turn to turn: %s\n", bytes_text(f.carried_bytes).c_str());
        if (f.stored_bytes > 0) put("  Stored for derivatives: %s\n", bytes_text(f.stored_bytes).c_str());
        if (f.again_bytes > 0) put("  Computed again and not stored: %s\n", bytes_text(f.again_bytes).c_str());
        if (const std::int64_t bytes = bytes_of_loops(f); bytes > 0) put("  Loops: %s for what they carry and for temporaries of their turns\n", bytes_text(bytes).c_str());
        if (!f.is_loop()) put("  Updated in place: %s that are not allocated anew and copied back\n", bytes_text(f.in_place_bytes).c_str());
        if (f.staged_bytes > 0)
            put("  %s copied first: %s %s\n", f.is_loop() ? "Arrays" : "Arguments", bytes_text(f.staged_bytes).c_str(), f.is_loop() ? "in each turn" : "at each call");
        ranking<std::size_t> places;
        for (std::size_t i = 0; i < f.buffers.size(); ++i)
            if (f.buffers[i].offset >= 0) places.add(f.buffers[i].offset, i);
        for (const std::size_t i : places.ascending()) {
            const auto& b = f.buffers[i];
            out_ += "  " + b.name + " " + b.type + ": " + bytes_text(b.bytes) + " from byte " + std::to_string(b.offset) + " on, steps " +
                    std::to_string(b.first + 1) + " to " + std::to_string(b.last + 1) + "\n";
        }
    }

    void moved(const char* what, const transfer_profile& to_device, const transfer_profile& to_host, nanoseconds whole) {
        if (to_device.count + to_host.count == 0) return;
        out_ += "\n";
        heading(what, '-');
        const auto direction = [&](const char* name, const transfer_profile& t) {
            if (t.count == 0) return;
            put("  %s: %lld, %s, %.6es (%.1f%%), %.2f GB/s\n", name, static_cast<long long>(t.count), bytes_text(t.bytes).c_str(),
                seconds(t.time), share(t.time, whole), t.time > 0 ? static_cast<double>(t.bytes) / static_cast<double>(t.time) : 0);
        };
        direction("host to device", to_device);
        direction("device to host", to_host);
    }

    void tips() {
        out_ += "\n";
        heading("Tips", '-');
        if (d.tips.empty()) out_ += "  None: nothing in this profile asks for a change.\n";
        for (const profile_tip& t : d.tips) {
            out_ += "  - " + t.where + ": " + t.evidence + ".\n    " + t.advice + "." +
                    (t.gain > 0 ? " At most " + time_text(t.gain) + " (" + percent_text(t.gain, d.time) + ")." : "") + "\n";
        }
    }
};

struct text_format {
    template <class Data> static std::string text(const Data& data);
};
template <class Data> std::string text_format::text(const Data& data) { return text_report<Data>(data).text(); }
CROTON_ONCE(text_format::text<profile_data>)
using text_sink = stream_sink<text_format>;

}  // namespace detail

/// Writes the report as text to a file: `profile scope{"training", text_file{"profile.txt"}}`. For a stream, the stream
/// itself is the sink. Opening the file throws `file_error`, before the profile has begun.
struct text_file : detail::file_sink<detail::text_format> {
    using detail::file_sink<detail::text_format>::file_sink;
};

}  // namespace croton::inline v0_1

#endif
