// SPDX-License-Identifier: MIT
// What a profile knows, as plain data: what the reports are written from, and what a program can read itself.
#ifndef CROTON_PROFILE_RECORD_HPP
#define CROTON_PROFILE_RECORD_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <croton/config.hpp>

namespace croton::inline v0_1 {

/// All times are nanoseconds of a steady clock.
using nanoseconds = std::int64_t;

/// What this machine can do at most, measured on as many threads as croton uses.
struct machine_limits {
    /// The rates of arrays of `bytes` bytes together: the caches first, memory last.
    struct level {
        std::int64_t bytes = 0;
        double read = 0;   ///< GB/s of a sum
        double triad = 0;  ///< GB/s of `c = a + 3 b`
    };

    std::array<level, 5> levels{};
    double gemm_float = 0;  ///< GFLOP/s of products of large matrices, as the BLAS computes them
    double gemm_double = 0;
    double arithmetic_float = 0;  ///< GFLOP/s of multiplications and additions alone
    double arithmetic_double = 0;

    bool known() const { return levels.back().triad > 0; }
    const level& memory() const { return levels.back(); }
    /// GFLOP/s of products of `double`, or of `float`: what the BLAS reaches; what the machine allows, however slow that is.
    double gemm(bool wide) const { return wide ? gemm_double : gemm_float; }
    double products(bool wide) const {
        const double allowed = wide ? arithmetic_double : arithmetic_float;
        return allowed > gemm(wide) ? allowed : gemm(wide);
    }

    /// The GB/s that a loop over `working_set` bytes can reach, of which it writes `written`. Between two measured sizes
    /// the faster rate counts.
    double bandwidth(std::int64_t working_set, std::int64_t written) const {
        std::size_t i = 0;
        while (i + 1 < levels.size() && levels[i + 1].bytes <= working_set) ++i;
        double fastest = 0;
        for (; i < levels.size(); ++i) {
            const double rate = written * 4 < working_set ? levels[i].read : levels[i].triad;
            fastest = rate > fastest ? rate : fastest;
        }
        return fastest;
    }
};

/// One step of a function.
struct step_profile {
    std::string formula;         ///< what it computes: `t2 = sigmoid(u) - y`
    std::string operation;       ///< the same whatever its arrays are called: `sigmoid(i0) - i1`
    std::string kind;            ///< `elementwise`, `reduction`, `rows`, `numbers`, `gemm`, `gemv`, `copy`, `scan` for a loop, or the name of a routine: `cumsum`
    std::string type;            ///< of what it runs on: `SIMD`, `BLAS`, `loop`
    std::string element;         ///< the element type it computes in
    std::string shape;           ///< its loops in the last call: `400 x 784`; of a product `400 x 784 x 10`
    std::int64_t calls = 0;
    nanoseconds time = 0, least = 0, most = 0;
    std::int64_t bytes = 0;      ///< through memory in all calls: every array it reads or writes, once
    std::int64_t operations = 0; ///< arithmetic in all calls; exp, log and the like count as one
    std::int64_t working_set = 0;///< bytes of the last call
    std::int64_t written = 0;    ///< of these, those that it writes
    std::vector<int> reads, writes;  ///< buffers of the function
    int together = 1;       ///< steps that its launch runs, this and the next ones, whose work is counted here; 0: an earlier step's does
    bool constant = false;  ///< writes an array that depends on no argument's values
    bool packs = false;     ///< a product whose matrix lies in memory as BLAS takes none: it is copied first, each time
    std::string packed;     ///< of such a product: the first such matrix
    std::string apart;      ///< of a product that no turn of a loop needs of another: where one of all turns could stand, `before` or `behind` the loop

    double gigabytes_per_second() const { return time > 0 ? static_cast<double>(bytes) / static_cast<double>(time) : 0; }
    double gigaflops() const { return time > 0 ? static_cast<double>(operations) / static_cast<double>(time) : 0; }

    /// The GFLOP/s or, for what is not a product of matrices, the GB/s that the machine allows; 0 where it is not known, and of a
    /// loop, whose steps have limits of their own.
    double limit(const machine_limits& machine) const {
        if (!machine.known() || kind == "scan") return 0;
        if (is_gemm()) return machine.products(element == "double");
        return machine.bandwidth(working_set, written);
    }
    /// The share of it that the step reached, in percent.
    double limit_share(const machine_limits& machine) const {
        const double reachable = limit(machine);
        return reachable > 0 ? 100 * (is_gemm() ? gigaflops() : gigabytes_per_second()) / reachable : 0;
    }
    bool is_gemm() const { return kind == "gemm"; }
};

/// An array that a function reads or writes, in the last call.
struct buffer_profile {
    enum class role { argument, result, temporary };

    std::string name;
    std::string type;     ///< `float [400, 784]`
    role what = role::temporary;
    std::int64_t bytes = 0;
    std::int64_t offset = -1;   ///< of a temporary: the byte of the memory of all where it begins
    bool in_place = false;  ///< an argument that is updated where it lies
    int first = -1, last = -1;  ///< of a temporary: the steps that write it first and use it last
    std::string reason;   ///< of a temporary: why it goes through memory
    bool avoidable = false;  ///< the program could be written so that it does not
};

/// Bytes moved between host and device.
struct transfer_profile {
    std::int64_t count = 0, bytes = 0;
    nanoseconds time = 0;

    void add(const transfer_profile& other) {
        count += other.count;
        bytes += other.bytes;
        time += other.time;
    }
};

/// An array of a function and one of another, or of the same.
struct buffer_pair {
    int from = -1, to = -1;
};

struct function_profile {
    std::string name;
    std::string device;
    int outer = -1;           ///< of a loop: the index of the function or the loop that it is a step of, whose time contains its own
    int outer_step = -1;      ///< which step
    std::vector<buffer_pair> given;    ///< of a loop: what is around it, and what a turn sees of that
    std::vector<buffer_pair> carried;  ///< of a loop: what a turn leaves, and what the next one sees of that
    std::vector<buffer_pair> left;     ///< of a loop: what a turn leaves, and where that is kept around it, of the last turn or of all
    std::int64_t turns = 0;   ///< of a loop, in all calls: its steps are those of a turn
    std::int64_t carried_bytes = 0;  ///< of a loop: memory for what it carries from turn to turn
    std::int64_t state_bytes = 0;    ///< of a loop, in the last call: what one turn gives the next
    std::int64_t turn_limit = 0;     ///< of a loop, in the last call: how many turns what it stores of all has room for
    std::int64_t stored_bytes = 0;   ///< of a loop, in the last call: what it stores of all turns for derivatives only
    std::int64_t checkpoint_bytes = 0;  ///< of a loop: the same with `.checkpoint = sqrt_of_turns`; 0 where it has one, or can have none
    std::int64_t again_bytes = 0;    ///< of a loop of a derivative, in the last call: what it computes again, that is not stored
    std::int64_t calls = 0;   ///< those that threw included
    std::int64_t failed = 0;  ///< calls that threw
    nanoseconds time = 0, least = 0, most = 0;
    /// The time, in parts that add up to it.
    nanoseconds steps_time = 0, arguments_time = 0, results_time = 0, layout_time = 0, staging_time = 0, recording_time = 0, leaving_time = 0;
    nanoseconds overhead() const { return time - steps_time; }
    bool is_loop() const { return outer >= 0; }

    int nodes_traced = 0;  ///< when the lambda and its derivatives had been traced
    int nodes = 0;         ///< after rewriting
    int kernels = 0;       ///< steps that are loops; the others are products and copies
    std::int64_t planned_bytes = 0;   ///< memory for temporaries, with reuse
    std::int64_t peak_bytes = 0;      ///< the most that is needed at one time
    std::int64_t separate_bytes = 0;  ///< if every temporary had its own
    std::int64_t in_place_bytes = 0;  ///< what updating in place saves: the new arrays and their copies back
    std::int64_t staged_bytes = 0;    ///< arguments that are copied at every call because of their layout
    std::int64_t shapes_seen = 0;     ///< how often the sizes changed from one call to the next
    std::vector<step_profile> steps;
    std::vector<buffer_profile> buffers;
    transfer_profile to_device, to_host;
};

/// A scope, region or function where it was entered: the tree of a program.
struct scope_profile {
    enum class kind { scope, region, function, loop };

    std::string name;
    kind what = kind::scope;
    int function = -1;  ///< index in `profile_data::functions`
    std::int64_t calls = 0;
    nanoseconds time = 0;
    std::vector<int> children;  ///< indexes in `profile_data::tree`
};

/// Something that happened, for time lines.
struct profile_event {
    nanoseconds start = 0;  ///< since the profile began
    nanoseconds time = 0;
    int node = 0;   ///< index in `profile_data::tree`
    int step = -1;  ///< of the function; -1 for a call, a region or a scope as a whole
    std::int64_t turn = -1;  ///< of a step in a loop: in which turn; of a loop as a whole: how many it had
};

/// What the processor counted on the profile's thread.
struct hardware_counters {
    bool available = false;
    std::string note;  ///< why they are not available
    std::int64_t cycles = 0, instructions = 0, cache_references = 0, cache_misses = 0;
};

/// What to change, why, and what it would bring.
struct profile_tip {
    std::string id;        ///< `call-overhead`: the same for every report
    std::string where;     ///< function and step
    std::string evidence;  ///< the numbers in this profile that say so
    std::string advice;
    nanoseconds gain = 0;  ///< what it would save of the profile's time, at most; 0 where it saves memory
};

/// A whole profile.
struct profile_data {
    std::string name;
    nanoseconds time = 0;  ///< from its construction to its end, or to now
    int threads = 1;       ///< of croton's loops
    std::string blas;      ///< what computes products on the CPU: `blas_name()`
    bool own_products = false;  ///< whether croton multiplies matrices itself, because that BLAS knows narrower registers
    int blas_threads = 0;  ///< of it; 0 where it does not tell, or there is none
    int cores = 1;         ///< that the process may use
    std::vector<function_profile> functions;
    std::vector<scope_profile> tree;  ///< the first is the profile itself
    std::vector<profile_event> events;
    std::int64_t events_lost = 0;  ///< older ones that made room for newer ones
    machine_limits limits;
    hardware_counters counters;
    std::vector<profile_tip> tips;
    transfer_profile to_device, to_host;  ///< between the calls of functions

    nanoseconds functions_time() const {
        nanoseconds sum = 0;
        for (const function_profile& f : functions) sum += f.is_loop() ? 0 : f.time;
        return sum;
    }
};

}  // namespace croton::inline v0_1

#endif
