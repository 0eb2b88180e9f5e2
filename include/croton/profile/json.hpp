// SPDX-License-Identifier: MIT
// A profile as JSON: everything it knows, for programs that read it.
#ifndef CROTON_PROFILE_JSON_HPP
#define CROTON_PROFILE_JSON_HPP

#include <string>
#include <vector>

#include <croton/compiler.hpp>
#include <croton/profile/json_writer.hpp>
#include <croton/profile/record.hpp>
#include <croton/profile/sink.hpp>

namespace croton::inline v0_1 {

namespace detail {

template <class Data = profile_data> class json_report {
public:
    explicit json_report(const Data& data) : d(data) {}

    std::string text() {
        w.object(lines, [&] { profile(); });
        return w.take();
    }

private:
    using layout = typename json_writer<>::layout;
    static constexpr layout lines = layout::lines, line = layout::line;

    const Data& d;
    json_writer<> w;

    template <class List, class Each> void list(const char* key, const List& all, Each&& each) {
        w.array(key, lines, [&] {
            for (const auto& one : all) w.object(lines, [&] { each(one); });
        });
    }
    void numbers(const char* key, const std::vector<int>& all) {
        w.array(key, line, [&] {
            for (const int one : all) w.value(one);
        });
    }
    void pairs(const char* key, const std::vector<buffer_pair>& all) {
        w.array(key, line, [&] {
            for (const buffer_pair& one : all) w.array(line, [&] { w.value(one.from), w.value(one.to); });
        });
    }
    /// What is 0 where it is not known.
    void measured(const char* key, double v) {
        if (v > 0) w.put(key, v);
        else w.put(key, nullptr);
    }

    void profile() {
        w.put("format", "croton-profile");
        w.put("version", 1);
        w.put("name", d.name);
        w.put("time_ns", d.time);
        w.put("functions_time_ns", d.functions_time());
        w.put("threads", d.threads);
        w.put("blas", d.blas);
        w.put("blas_threads", d.blas_threads);
        w.put("cores", d.cores);
        limits();
        w.object("counters", lines, [&] {
            w.put("available", d.counters.available);
            w.put("note", d.counters.note);
            w.put("cycles", d.counters.cycles);
            w.put("instructions", d.counters.instructions);
            w.put("cache_references", d.counters.cache_references);
            w.put("cache_misses", d.counters.cache_misses);
        });
        transfer("to_device", d.to_device);
        transfer("to_host", d.to_host);
        list("tree", d.tree, [&](const auto& n) { place(n); });
        list("functions", d.functions, [&](const auto& f) { function(f); });
        list("tips", d.tips, [&](const auto& t) {
            w.put("id", t.id);
            w.put("where", t.where);
            w.put("evidence", t.evidence);
            w.put("advice", t.advice);
            w.put("gain_ns", t.gain);
        });
        if (d.events.empty()) return;
        w.put("events_lost", d.events_lost);
        w.array("events", lines, [&] {
            for (const auto& e : d.events)
                w.object(line, [&] {
                    w.put("start_ns", e.start);
                    w.put("time_ns", e.time);
                    w.put("node", e.node);
                    w.put("step", e.step);
                    if (e.turn >= 0) w.put("turn", e.turn);
                });
        });
    }

    void limits() {
        if (!d.limits.known()) {
            w.put("limits", nullptr);
            return;
        }
        w.object("limits", lines, [&] {
            w.array("levels", lines, [&] {
                for (const auto& l : d.limits.levels)
                    w.object(line, [&] {
                        w.put("bytes", l.bytes);
                        w.put("read_gb_per_s", l.read);
                        w.put("triad_gb_per_s", l.triad);
                    });
            });
            w.put("gemm_float_gflop_per_s", d.limits.gemm_float);
            w.put("gemm_double_gflop_per_s", d.limits.gemm_double);
            w.put("arithmetic_float_gflop_per_s", d.limits.arithmetic_float);
            w.put("arithmetic_double_gflop_per_s", d.limits.arithmetic_double);
        });
    }

    void transfer(const char* key, const transfer_profile& t) {
        w.object(key, line, [&] {
            w.put("count", t.count);
            w.put("bytes", t.bytes);
            w.put("time_ns", t.time);
        });
    }

    template <class Node> void place(const Node& n) {
        using what = scope_profile::kind;
        w.put("name", n.name);
        w.put("kind", n.what == what::scope ? "scope" : n.what == what::region ? "region" : n.what == what::loop ? "loop" : "function");
        w.put("function", n.function);
        w.put("calls", n.calls);
        w.put("time_ns", n.time);
        numbers("children", n.children);
    }

    template <class Function> void function(const Function& f) {
        w.put("name", f.name);
        w.put("device", f.device);
        if (f.is_loop()) {
            w.put("loop_of", f.outer);
            w.put("loop_step", f.outer_step);
            pairs("given", f.given);
            pairs("carried", f.carried);
            pairs("left", f.left);
            w.put("turns", f.turns);
            w.put("carried_bytes", f.carried_bytes);
            w.put("state_bytes", f.state_bytes);
            w.put("turn_limit", f.turn_limit);
            w.put("stored_bytes", f.stored_bytes);
            w.put("checkpoint_bytes", f.checkpoint_bytes);
            w.put("again_bytes", f.again_bytes);
        }
        w.put("calls", f.calls);
        w.put("failed", f.failed);
        w.put("time_ns", f.time);
        w.put("least_ns", f.least);
        w.put("most_ns", f.most);
        w.put("overhead_ns", f.overhead());
        w.put("steps_time_ns", f.steps_time);
        w.put("arguments_time_ns", f.arguments_time);
        w.put("results_time_ns", f.results_time);
        w.put("layout_time_ns", f.layout_time);
        w.put("staging_time_ns", f.staging_time);
        w.put("recording_time_ns", f.recording_time);
        w.put("leaving_time_ns", f.leaving_time);
        w.put("nodes_traced", f.nodes_traced);
        w.put("nodes", f.nodes);
        w.put("kernels", f.kernels);
        w.put("planned_bytes", f.planned_bytes);
        w.put("peak_bytes", f.peak_bytes);
        w.put("separate_bytes", f.separate_bytes);
        w.put("in_place_bytes", f.in_place_bytes);
        w.put("staged_bytes", f.staged_bytes);
        w.put("shapes_seen", f.shapes_seen);
        transfer("to_device", f.to_device);
        transfer("to_host", f.to_host);
        list("steps", f.steps, [&](const auto& s) { step(s); });
        list("buffers", f.buffers, [&](const auto& b) { buffer(b); });
    }

    template <class Step> void step(const Step& s) {
        w.put("formula", s.formula);
        w.put("operation", s.operation);
        w.put("kind", s.kind);
        w.put("type", s.type);
        w.put("element", s.element);
        w.put("shape", s.shape);
        w.put("calls", s.calls);
        w.put("time_ns", s.time);
        w.put("least_ns", s.least);
        w.put("most_ns", s.most);
        w.put("bytes", s.bytes);
        w.put("operations", s.operations);
        w.put("working_set_bytes", s.working_set);
        w.put("written_bytes", s.written);
        w.put("gb_per_s", s.gigabytes_per_second());
        w.put("gflop_per_s", s.gigaflops());
        measured("limit", s.limit(d.limits));
        w.put("limit_unit", s.is_gemm() ? "GFLOP/s" : "GB/s");
        measured("limit_percent", s.limit_share(d.limits));
        w.put("constant", s.constant);
        w.put("packs", s.packs);
        w.put("packed", s.packed);
        w.put("apart", s.apart);
        w.put("together", s.together);
        numbers("reads", s.reads);
        numbers("writes", s.writes);
    }

    template <class Buffer> void buffer(const Buffer& b) {
        using role = buffer_profile::role;
        w.put("name", b.name);
        w.put("type", b.type);
        w.put("role", b.what == role::argument ? "argument" : b.what == role::result ? "result" : "temporary");
        w.put("bytes", b.bytes);
        w.put("offset", b.offset);
        w.put("in_place", b.in_place);
        w.put("first_step", b.first);
        w.put("last_step", b.last);
        w.put("reason", b.reason);
        w.put("avoidable", b.avoidable);
    }
};

struct json_format {
    template <class Data> static std::string text(const Data& data);
};
template <class Data> std::string json_format::text(const Data& data) { return json_report<Data>(data).text(); }
CROTON_ONCE(json_format::text<profile_data>)

}  // namespace detail

/// Writes a profile as one JSON object to a file: `profile scope{"training", json_file{"profile.json"}}`.
///
/// Every name that ends in `_ns` is nanoseconds, in `_bytes` (and `bytes`) bytes; rates are 1e9 a second; indexes count
/// from 0 and -1 is none; `null` is not known. Later versions may add members; a change of these raises `version`.
///
///     format             "croton-profile"
///     version            1
///     name               of the profile
///     time_ns            from its construction to its end
///     functions_time_ns  of this, in functions
///     threads, blas_threads, cores   of croton's loops; of the BLAS (0: it does not tell); that the process may use
///     blas               which BLAS computes products on the CPU, or "none"
///     limits             what the machine was measured to reach, or null
///       levels             for arrays of `bytes` together: read_gb_per_s of a sum, triad_gb_per_s of c = a + 3 b
///       gemm_float_gflop_per_s, gemm_double_gflop_per_s   of products by that BLAS
///       arithmetic_float_gflop_per_s, arithmetic_double_gflop_per_s   of multiplications and additions alone
///     counters           of the processor, for this thread: available; note, which says why not; cycles, instructions,
///                        cache_references, cache_misses
///     to_device, to_host transfers between calls: count, bytes, time_ns
///     tree               scopes, regions and functions where they were entered; the first is the profile
///       name, kind         kind is "scope", "region", "function" or "loop"
///       function           index in `functions`
///       calls, time_ns     how often it was entered; the time within, its children's included
///       children           indexes in `tree`
///     functions
///       name, device
///       loop_of, loop_step, turns, carried_bytes      of loops only: the function or loop that it is a step of, whose
///                          time contains its own, and which step; its turns in all calls; memory for what it
///                          carries. Its steps are those of a turn
///       given, carried, left     of loops only, pairs of indexes in `buffers`: what is around it and what a turn sees of
///                          it; what a turn leaves and the next one sees; what a turn leaves and where it is kept around
///       state_bytes, turn_limit, stored_bytes, checkpoint_bytes, again_bytes      of loops only, in the last call: what
///                          a turn gives the next; how many turns there could be; what is stored of all of them for
///                          derivatives only, and what that were with `.checkpoint = sqrt_of_turns`, 0 where there is
///                          one or none can be; what is computed again for one
///       calls, failed      calls that threw are among the calls
///       time_ns, least_ns, most_ns    of all calls, of the shortest and the longest
///       overhead_ns        of time_ns, what is not in steps; the seven that follow add up to time_ns
///       steps_time_ns, arguments_time_ns, results_time_ns, layout_time_ns, staging_time_ns, recording_time_ns,
///       leaving_time_ns
///       nodes_traced, nodes, kernels  nodes of the graph as traced and as rewritten; steps that are loops
///       planned_bytes, peak_bytes, separate_bytes     memory for temporaries: held, needed at one time, without reuse
///       in_place_bytes, staged_bytes  saved by updates in place; arguments copied at each call for their layout
///       shapes_seen        how often the sizes changed
///       to_device, to_host transfers of its calls
///       steps
///         formula, operation            what it computes, with the names of its arrays and with i0, i1, ...
///         kind               "elementwise", "reduction", "rows", "numbers", "gemm", "gemv", "copy", "scan" (a loop) or the name of a routine
///         type, element      what it runs on ("SIMD", "BLAS", ...); the element type it computes in
///         shape              its loops in the last call: "400 x 784"
///         calls, time_ns, least_ns, most_ns
///         bytes, operations  in all calls
///         working_set_bytes, written_bytes              in the last call
///         gb_per_s, gflop_per_s
///         limit, limit_unit, limit_percent    what the machine allows, in "GB/s" or "GFLOP/s", and the share reached
///         constant, packs    writes numbers that no argument changes; copies a matrix before BLAS can read it
///         packed, apart      the first such matrix; of a product in a loop whether one of all turns could stand
///                            "before" or "behind" it
///         together           steps that its launch runs, this and the next ones; 0: an earlier step's launch runs it
///         reads, writes      indexes in `buffers`
///       buffers            arrays of the last call
///         name, type, bytes  type: "float [400, 784]"
///         role               "argument", "result" or "temporary"
///         offset             of a temporary: the byte of the memory of all where it begins; -1 of others
///         in_place           an argument that is updated where it lies
///         first_step, last_step         of a temporary: the steps that write it first and use it last
///         reason, avoidable  of a temporary: why it goes through memory; whether the program could avoid it
///     tips               id, where, evidence, advice, gain_ns (at most)
///     events             only where single events are kept: start_ns (from the profile's start), time_ns, node (index in
///                        `tree`), step (of its function; -1 is the whole), turn (only of a step in a loop: in which
///                        turn, and of a loop as a whole: how many it had)
///     events_lost        only then: older events that made room for newer ones
///
/// Opening the file throws `file_error`, before the profile has begun.
struct json_file : detail::file_sink<detail::json_format> {
    using detail::file_sink<detail::json_format>::file_sink;
};

/// The same to a `std::ostream`.
struct json_sink : detail::stream_sink<detail::json_format> {
    using detail::stream_sink<detail::json_format>::stream_sink;
};

}  // namespace croton::inline v0_1

#endif
