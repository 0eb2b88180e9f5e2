// SPDX-License-Identifier: MIT
// Turns that the GPU decides on while a graph runs: conditional nodes of CUDA 12.4 and later.
#ifndef CROTON_DEVICE_CUDA_CONDITIONS_HPP
#define CROTON_DEVICE_CUDA_CONDITIONS_HPP

#include <croton/device/cuda/launch.hpp>
#include <croton/device/cuda/turns.hpp>

#include <algorithm>
#include <cstdint>
#include <utility>

namespace croton::inline v0_1::detail::cuda_device {

#if CROTON_HAS_CUDA_CONDITIONS

// Templates, so that each unit may have them.
template <class State> __global__ void begin_turns(State* s, const turn_bounds b) { s->begin(b); }
template <class T> __global__ void __launch_bounds__(threads_per_block) copy_of_turn(const turn_copy<T> c) {
    for (std::int64_t i = std::int64_t{blockIdx.x} * threads_per_block + threadIdx.x; i < c.count; i += std::int64_t{gridDim.x} * threads_per_block) c.copy(i);
}
template <class State> __global__ void decide_turns(condition_handle runs, State* s, std::int64_t from, std::int64_t to, bool takes) {
    cudaGraphSetConditional(runs, (takes ? s->takes(from) : s->has(from, to)) ? 1u : 0u);
}
/// Behind a turn of an unbounded loop: `next` runs the turn behind it, and `all` the loop.
template <class State> __global__ void decide_next(condition_handle next, condition_handle all, State* s) {
    const unsigned goes_on = s->goes_on() ? 1u : 0u;
    cudaGraphSetConditional(next, goes_on);
    if (next != all) cudaGraphSetConditional(all, goes_on);
}

/// The steps of a loop whose turns values count, while they are recorded.
struct gpu_turns {
    using state = turn_state;
    template <class T> using copy_of = turn_copy<T>;

    static bool possible() { return current().conditions().possible(); }
    static bool recording() { return current().records(); }

    static void begin(turn_state* s, const turn_bounds& b) { queue(&begin_turns<turn_state>, 1, 1, s, b); }
    template <class T> static void copy(const turn_copy<T>& c) {
        const std::int64_t blocks = std::min((c.count + threads_per_block - 1) / threads_per_block, resident(&copy_of_turn<T>));
        if (blocks > 0) queue(&copy_of_turn<T>, blocks, threads_per_block, c);
    }
    /// What `body` queues runs where one of the turns does; with `takes` it is the one turn `from`.
    template <class Body> static void when(turn_state* s, std::int64_t from, std::int64_t to, bool takes, Body&& body) {
        context& c = current();
        const graph_condition runs = new_condition(c, false);
        queue(&decide_turns<turn_state>, 1, 1, runs.handle, s, from, to, takes);
        if (!c.rehearses()) c.add_condition(runs, body);
    }
    /// Turn by turn, while there are some.
    template <class Even, class Odd> static void loop(turn_state* s, Even&& even, Odd&& odd) {
        context& c = current();
        const graph_condition all = new_condition(c, true);
        queue(&decide_turns<turn_state>, 1, 1, all.handle, s, 0, 1, false);
        if (c.rehearses()) return queue(&decide_next<turn_state>, 1, 1, all.handle, all.handle, s);
        c.add_condition(all, [&] {
            even();
            const graph_condition next = new_condition(c, false);
            queue(&decide_next<turn_state>, 1, 1, next.handle, all.handle, s);
            c.add_condition(next, [&] {
                odd();
                queue(&decide_next<turn_state>, 1, 1, all.handle, all.handle, s);
            });
        });
    }

private:
    static graph_condition new_condition(context& c, bool repeats) { return c.rehearses() ? graph_condition{} : c.conditions().make(c.stream(), repeats); }
};

#endif

}  // namespace croton::inline v0_1::detail::cuda_device

#endif
