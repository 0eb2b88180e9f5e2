// SPDX-License-Identifier: MIT
// What a profile gives reason to change. Every tip names the numbers in the record that it rests on.
#ifndef CROTON_PROFILE_TIPS_HPP
#define CROTON_PROFILE_TIPS_HPP

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <croton/profile/format.hpp>
#include <croton/profile/ranking.hpp>
#include <croton/profile/record.hpp>

namespace croton::inline v0_1::detail {

/// Finds the tips of a profile. A template, so that only programs that write reports pay for it.
template <class Data> class tip_finder {
public:
    explicit tip_finder(Data& data) : d(data) {}

    void find() {
        products();
        for (const auto& f : d.functions) {
            if (f.calls == 0) continue;
            if (f.is_loop()) {
                turn_overhead(f);
                stored_turns(f);
            } else {
                call_overhead(f);
            }
            copied_arguments(f);
            transfers(f);
            unfused(f);
            fighting_threads(f);
            for (std::size_t s = 0; s < f.steps.size(); ++s) {
                const std::string where = f.name + ", step " + std::to_string(s + 1);
                packed_matrix(f, f.steps[s], where);
                small_product(f, f.steps[s], where);
                loop_product(f, f.steps[s], where);
                wide_numbers(f, f.steps[s], where);
                slow_reduction(f, f.steps[s], where);
                constant_array(f, f.steps[s], where);
            }
        }
        auto found = std::exchange(d.tips, {});
        for (const std::size_t i : greatest_first(found, [](const auto& tip) { return tip.gain; })) d.tips.push_back(std::move(found[i]));
    }

private:
    Data& d;

    /// What is below a hundredth of the profile is not worth a line.
    bool matters(nanoseconds gain) const { return gain > d.time / 100; }
    void tip(const char* id, std::string where, std::string evidence, std::string advice, nanoseconds gain) {
        d.tips.push_back({id, std::move(where), std::move(evidence), std::move(advice), gain});
    }
    static nanoseconds part_of(nanoseconds time, double share) {
        return static_cast<nanoseconds>(static_cast<double>(time) * std::clamp(share, 0.0, 1.0));
    }

    void call_overhead(const function_profile& f) {
        const nanoseconds overhead = f.time - f.steps_time - f.recording_time;
        if (overhead * 10 <= f.steps_time || !matters(overhead)) return;
        std::string largest = "checking and binding the arguments";
        std::string advice = "do more in one call: larger batches, several steps of the algorithm in one function";
        if (f.results_time * 2 > overhead) {
            largest = "allocating the results";
            advice = "give the results arrays of their own with call_into, which allocates nothing";
        } else if (f.layout_time * 2 > overhead) {
            largest = "working out sizes";
            advice = "call with the same shapes in a row; " + std::to_string(f.shapes_seen) + " shapes took turns here";
        }
        tip("call-overhead", f.name,
            "a call spends " + time_text(overhead / f.calls) + " outside of its steps, " +
                percent_text(overhead, f.time) + " of its time, most of it " + largest,
            advice, overhead);
    }

    /// `in each of 88 turns`: how often a loop runs its steps in one of its calls.
    static std::string in_each_turn(const function_profile& f) {
        const std::int64_t turns = (f.turns + f.calls / 2) / f.calls;
        return turns == 1 ? "in each turn" : "in each of " + std::to_string(turns) + " turns";
    }

    void turn_overhead(const function_profile& f) {
        if (f.turns == 0 || f.overhead() * 2 <= f.steps_time || !matters(f.overhead())) return;
        tip("turn-overhead", f.name,
            "a turn spends " + time_text(f.overhead() / f.turns) + " outside of its steps, " + percent_text(f.overhead(), f.time) +
                " of the loop's time",
            "let a turn do more: carry a batch of states as the rows of one, or take several elements in a turn", f.overhead());
    }

    /// Below this it is not worth a second run of the loop.
    static constexpr std::int64_t much_memory = 64 << 20;

    void stored_turns(const function_profile& f) {
        if (f.stored_bytes < much_memory || f.checkpoint_bytes == 0 || f.checkpoint_bytes * 2 > f.stored_bytes) return;
        tip("checkpoint", f.name,
            bytes_text(f.stored_bytes) + " of its " + std::to_string(f.turn_limit) + " turns are stored for derivatives only",
            "scan(..., {.checkpoint = sqrt_of_turns}) stores the states before some turns, and runs the turns from there again: " +
                bytes_text(f.checkpoint_bytes) + ", for one more run of the loop",
            0);
    }

    void copied_arguments(const function_profile& f) {
        if (f.staged_bytes > 0 && f.is_loop()) return copied_in_turns(f);
        if (f.staged_bytes == 0 || !matters(f.staging_time)) return;
        tip("layout-copy", f.name,
            bytes_text(f.staged_bytes) + " of strided arguments are copied before each call, because a reshape reads them: " +
                percent_text(f.staging_time, f.time) + " of its time",
            "pass contiguous arrays, or store them in the order in which the reshape reads them", f.staging_time);
    }

    /// The same in a loop. Nothing measures the copies of a turn apart from what else stands between its steps.
    void copied_in_turns(const function_profile& f) {
        if (!d.limits.known()) return;
        const double rate = d.limits.bandwidth(2 * f.staged_bytes, f.staged_bytes);
        const auto gain = std::min(f.overhead(), static_cast<nanoseconds>(2.0 * static_cast<double>(f.staged_bytes * f.turns) / rate));
        if (!matters(gain)) return;
        tip("layout-copy", f.name,
            bytes_text(f.staged_bytes) + " of strided arrays are copied " + in_each_turn(f) + ", because a reshape in the turn reads them",
            "pass contiguous arrays, or store them in the order in which the reshape reads them", gain);
    }

    void packed_matrix(const function_profile& f, const step_profile& s, const std::string& where) {
        const double limit = gemm_limit(s);
        if (!s.packs || s.kind != "gemm" || s.type != "BLAS" || limit <= 0 || !matters(s.time)) return;
        const nanoseconds gain = part_of(s.time, 1 - s.gigaflops() / limit);
        tip("layout-copy", where,
            s.packed + " in " + s.formula + " has no axis of unit stride, and is copied " + (f.is_loop() ? in_each_turn(f) : "at every call") +
                " before BLAS can read it",
            std::string("pass the array itself or a transposed view of it; copy a strided view once, ") +
                (f.is_loop() ? "before the call; let one axis of the elements of a sequence be contiguous" : "outside of the loop"),
            gain);
    }

    void transfers(const function_profile& f) {
        const auto say = [&](const transfer_profile& t, const char* direction, const char* advice) {
            if (t.count < f.calls || t.count == 0 || !matters(t.time)) return;
            tip("transfer", f.name,
                bytes_text(t.bytes / f.calls) + " cross from " + direction + " at each call: " + percent_text(t.time, d.time) +
                    " of the profile",
                advice, t.time);
        };
        say(f.to_device, "host to device", "keep the array on the device: x.to<cuda>() once, before the loop");
        say(f.to_host, "device to host", "leave the results on the device, and read them when they are needed");
    }

    void unfused(const function_profile& f) {
        for (const buffer_profile& b : f.buffers) {
            if (!b.avoidable || b.bytes == 0 || !d.limits.known()) continue;
            // What is written and read again passes twice.
            const double rate = d.limits.bandwidth(2 * b.bytes, b.bytes);
            const auto gain = static_cast<nanoseconds>(2.0 * static_cast<double>(b.bytes * (f.is_loop() ? f.turns : f.calls)) / rate);
            if (!matters(gain)) continue;
            tip("unfused", f.name + ", steps " + std::to_string(b.first + 1) + " and " + std::to_string(b.last + 1),
                b.name + " " + b.type + ", " + bytes_text(b.bytes) + ", goes through memory between two loops: " + b.reason,
                "let both loops run over the same indices in the same order", std::min(gain, f.steps_time));
        }
    }

    void fighting_threads(const function_profile& f) {
        if (d.blas_threads < 2 || d.threads < 2 || d.blas_threads + d.threads - 1 <= d.cores || !d.limits.known()) return;
        nanoseconds products = 0, loops = 0, lost = 0;
        for (const step_profile& s : f.steps) {
            if (s.type == "BLAS") products += s.time;
            if (s.type != "SIMD" || s.working_set < large) continue;
            loops += s.time;
            if (s.limit_share(d.limits) < 50) lost += part_of(s.time, 1 - s.limit_share(d.limits) / 100);
        }
        if (products * 20 < f.time || loops * 20 < f.time || !matters(lost)) return;
        tip("thread-fight", f.name,
            std::to_string(d.blas_threads) + " threads of " + d.blas + " and " + std::to_string(d.threads) + " of croton's loops share " +
                std::to_string(d.cores) + " cores, and the loops between the products run at less than half of the machine's rate",
            "try set_threads(1), or fewer threads for both", lost);
    }

    /// Below this a loop is too short to be held to the machine's rates.
    static constexpr std::int64_t large = 1 << 20;

    double gemm_limit(const step_profile& s) const { return d.limits.gemm(s.element == "double"); }

    /// Written for its processor: where such a library is slow, the machine has other work, and another would not be faster.
    static bool tuned(std::string_view library) {
        for (const std::string_view name : {"OpenBLAS", "MKL", "BLIS", "Accelerate", "Arm Performance Libraries", "NVPL"})
            if (library.starts_with(name)) return true;
        return false;
    }

    /// Products on the CPU that run at a fraction of what it could, because of their library or of its threads.
    void products() {
        if (!d.limits.known()) return;
        const bool few = d.blas_threads > 0 && d.blas_threads * 2 <= d.threads;
        const double threads = few ? static_cast<double>(d.blas_threads) / d.threads : 1;
        const auto slow = [&](bool wide) { return !tuned(d.blas) && d.limits.gemm(wide) < d.limits.products(wide) * threads / 4; };
        nanoseconds lost = 0, waiting = 0;
        bool wide = true;
        std::vector<const function_profile*> in;
        for (const function_profile& f : d.functions) {
            nanoseconds in_this = 0;
            for (const step_profile& s : f.steps) {
                if (f.device != "cpu" || (s.kind != "gemm" && s.kind != "gemv")) continue;
                if (s.element != "float" && s.element != "double") continue;
                in_this += s.time;
                if (s.type == "BLAS") waiting += part_of(s.time, 1 - threads);
                if (!slow(s.element == "double")) continue;
                lost += part_of(s.time, 1 - s.limit_share(d.limits) / 100);
                wide = wide && s.element == "double";
            }
            if (in_this > 0 && std::find(in.begin(), in.end(), &whole_of(f)) == in.end()) in.push_back(&whole_of(f));
        }
        if (in.empty()) return;
        const std::string names = in[0]->name + (in.size() > 1 ? " and " + std::to_string(in.size() - 1) + " more" : "");
        if (lost > 0 && matters(lost))
            tip("slow-blas", names,
                (d.blas == "none" ? "there was no BLAS when this was compiled, and croton's own loops compute products of "
                                  : d.blas + " computes products of ") +
                    (wide ? "double" : "float") + " at " + number_text(d.limits.gemm(wide)) + " GFLOP/s; this machine can do " +
                    number_text(d.limits.products(wide)),
                "install OpenBLAS (Debian: libopenblas-dev) and link it: with -lopenblas, or by running CMake again", lost);
        else if (few && matters(waiting))
            tip("blas-threads", names,
                d.blas + " computes products on " + std::to_string(d.blas_threads) + " of the " + std::to_string(d.threads) +
                    " threads that loops use",
                "call set_threads(" + std::to_string(d.threads) + "), which sets both, or look for an environment variable that limits it",
                waiting);
    }

    /// The function that a loop is of.
    const function_profile& whole_of(const function_profile& f) const { return f.is_loop() ? whole_of(d.functions[static_cast<std::size_t>(f.outer)]) : f; }

    void small_product(const function_profile& f, const step_profile& s, const std::string& where) {
        const double limit = gemm_limit(s);
        if ((s.kind != "gemm" && s.kind != "gemv") || s.type != "BLAS" || s.calls == 0 || limit <= 0) return;
        const std::int64_t work = s.operations / s.calls;
        if (work > 2 * 32 * 32 * 32 || s.gigaflops() > limit / 4) return;
        const nanoseconds gain = part_of(s.time, 1 - s.gigaflops() / limit);
        if (!matters(gain)) return;
        tip("small-product", where,
            "a product of " + s.shape + (f.is_loop() ? " " + in_each_turn(f) : "") + " is " + std::to_string(work) + " operations at " +
                number_text(s.gigaflops()) + " GFLOP/s, " + time_text(s.time / s.calls) + " each; large ones reach " + number_text(limit),
            f.is_loop() ? "let a turn multiply more: a batch of states as the rows of one, one product with all matrices that multiply the same"
                        : "put several small products into one larger: a batch as the rows of one matrix",
            gain);
    }

    /// A product of a turn with what is the same for all turns, whose other factor or whose result is nothing that is carried on.
    void loop_product(const function_profile& f, const step_profile& s, const std::string& where) {
        const double limit = gemm_limit(s);
        if (s.apart.empty() || limit <= 0) return;
        const nanoseconds gain = part_of(s.time, 1 - s.gigaflops() / limit);
        if (!matters(gain)) return;
        tip("loop-product", where,
            s.formula + ", " + s.shape + ", is computed " + in_each_turn(f) + ", but " +
                (s.apart == "before" ? "of nothing that is carried from turn to turn" : "no turn needs what another had of it"),
            s.apart == "before" ? "multiply before the scan, all turns in one product, and walk along the rows of the result"
                                : "give out what is multiplied, and multiply behind the scan, all turns in one product",
            gain);
    }

    void wide_numbers(const function_profile& f, const step_profile& s, const std::string& where) {
        if (s.element != "double" || !matters(s.time / 2)) return;
        bool narrow = false, wide = false;
        for (const buffer_profile& b : f.buffers) {
            if (b.what != buffer_profile::role::argument) continue;
            narrow = narrow || b.type.starts_with("float") || b.type.starts_with("half") || b.type.starts_with("bfloat16");
            wide = wide || b.type.starts_with("double");
        }
        if (!narrow || wide) return;
        tip("float64", where, "computes in double, but every number that comes in is a float",
            "leave out the cast to double; float moves half the bytes", s.time / 2);
    }

    void slow_reduction(const function_profile& f, const step_profile& s, const std::string& where) {
        if ((s.kind != "reduction" && s.kind != "rows") || !d.limits.known() || s.working_set < large) return;
        const double rate = s.limit_share(d.limits) / 100;
        if (rate > 0.5 || s.time * 5 < f.time || !matters(part_of(s.time, 1 - rate))) return;
        tip("slow-reduction", where,
            "reads at " + number_text(s.gigabytes_per_second()) + " GB/s of the " + number_text(s.limit(d.limits)) +
                " that this machine gives: the reduction, not the memory, sets the pace",
            "reduce along the last axis of arrays in row-major order, and leave what is costly out of the sum",
            part_of(s.time, 1 - rate));
    }

    /// A result that is the same number everywhere. Zeros that other steps add to, and those that pad a part, are none.
    void constant_array(const function_profile& f, const step_profile& s, const std::string& where) {
        if (!s.constant || f.is_loop()) return;
        std::string names;
        for (const int b : s.writes) {
            const auto& written = f.buffers[static_cast<std::size_t>(b)];
            const auto writers = std::count_if(f.steps.begin(), f.steps.end(),
                                               [&](const auto& o) { return std::count(o.writes.begin(), o.writes.end(), b) > 0; });
            if (written.what == buffer_profile::role::result && writers == 1) names += (names.empty() ? "" : ", ") + written.name;
        }
        if (names.empty()) return;
        tip("constant-array", where,
            s.formula + " writes the same number into " + names + " at every call, whatever the arguments are",
            "if it is a gradient, the cost does not depend on that parameter in a way that has a derivative: leave it out", s.time);
    }
};

template <class Data> void add_tips(Data& data) { tip_finder<Data>(data).find(); }

}  // namespace croton::inline v0_1::detail

#endif
