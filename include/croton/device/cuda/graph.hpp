// SPDX-License-Identifier: MIT
// The steps of a function as CUDA graphs: recorded when the same memory comes again, replayed from then on.
#ifndef CROTON_DEVICE_CUDA_GRAPH_HPP
#define CROTON_DEVICE_CUDA_GRAPH_HPP

#include <croton/device/cuda/threads.hpp>
#include <croton/device/cuda/rehearsals.hpp>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace croton::inline v0_1::detail::cuda_device {

inline std::atomic<bool>& graphs_enabled() {
    static std::atomic<bool> on{true};
    return on;
}

/// The graphs of a function, one for each layout of its arguments and set of addresses: two sets alternate in a loop that keeps
/// the results of one call while it makes the next, and two layouts where the last batch is smaller. A copy starts with none.
class recording {
public:
    recording() = default;
    recording(const recording&) {}
    recording& operator=(const recording&) {
        forget();
        return *this;
    }
    ~recording() { forget(); }

    /// All numbers that the steps depend on besides the addresses of a run. What was recorded for others holds when they come again.
    void lay_out(std::vector<std::int64_t> numbers) {
        const auto found = std::find(layouts_.begin(), layouts_.end(), numbers);
        layout_ = found - layouts_.begin();
        if (found != layouts_.end()) return;
        if (layouts_.size() == most) forget();
        layouts_.push_back(std::move(numbers));
        layout_ = static_cast<std::int64_t>(layouts_.size()) - 1;
    }

    /// Nothing that was recorded holds.
    void forget() noexcept {
        for (known& k : known_) destroy(k.graph);
        destroy(spare_);
        known_.clear();
        layouts_.clear();
        layout_ = 0;
        turn_ = 0;
        rehearsals_.forget();
    }

    /// Makes what `steps` need, if a run like this one has not: a call that fails then has changed nothing.
    template <class Steps> void rehearse(std::span<const void* const> addresses, Steps&& steps) {
        context& c = current();
        rehearsals_.run(&c, c.state_of_products() * static_cast<std::int64_t>(most) + layout_, addresses, [&] {
            const relaxed_capture here(c.captures());
            const context::rehearsal only_prepares(c);
            steps();
        });
    }

    /// Runs `steps` on the stream of this thread, or the graph of an earlier run with the same addresses. Errors name the
    /// function.
    template <class Steps> void run(const std::string& name, std::span<const void* const> addresses, Steps&& steps) {
        context& c = current();
        if (c.captures()) {
            // They go into the graph of whoever captures this stream.
            c.lend_memory();
            return steps();
        }
        if (!graphs_enabled().load(std::memory_order_relaxed)) return steps();
        const int settings = settings_of_products();
        for (known& k : known_) {
            if (k.owner != &c || k.generation != c.generation() || k.settings != settings || k.layout != layout_ || !std::ranges::equal(k.addresses, addresses)) continue;
            if (k.graph == nullptr && !record(name, k, c, steps)) return steps();
            verify(cudaGraphLaunch(k.graph, c.stream()), name, "cudaGraphLaunch");
            return;
        }
        // Many functions run once. What is noted of the run is there before it, as everything else that may fail.
        if (known_.size() < most) {
            known_.emplace_back();
            turn_ = known_.size() - 1;
        }
        known& oldest = known_[turn_];
        oldest.owner = nullptr;
        oldest.addresses.assign(addresses.begin(), addresses.end());
        turn_ = (turn_ + 1) % most;
        if (oldest.graph != nullptr) {
            destroy(spare_);
            spare_ = std::exchange(oldest.graph, nullptr);
        }
        steps();
        oldest.owner = &c;
        oldest.generation = c.generation();
        oldest.settings = settings;
        oldest.layout = layout_;
    }

private:
    static constexpr std::size_t most = 8;
    struct known {
        std::vector<const void*> addresses;
        const context* owner = nullptr;
        std::int64_t generation = 0;  // of the memory that steps share
        int settings = 0;
        std::int64_t layout = 0;
        cudaGraphExec_t graph = nullptr;
    };

    static void destroy(cudaGraphExec_t& graph) noexcept {
        if (graph != nullptr) (void)cudaGraphExecDestroy(graph);
        graph = nullptr;
    }

    static void verify(cudaError_t code, const std::string& name, const char* call) {
        if (code != cudaSuccess) fail(code, (name + ", all steps as a graph: " + call).c_str());
    }

    /// False where the conditions in the graph are what failed: then the host counts the turns from now on.
    template <class Steps> bool record(const std::string& name, known& k, context& c, Steps& steps) {
        const graph_conditions::recorder recorded(c.conditions());
        cudaGraph_t made = nullptr;
        try {
            capture(name, made, c, steps);
            // A graph of the same steps takes new addresses, which costs less than a new graph. One with conditions is made anew: they are of its own.
            cudaGraphExecUpdateResultInfo info{};
            if (spare_ != nullptr && !recorded.met_some() && cudaGraphExecUpdate(spare_, made, &info) == cudaSuccess) {
                k.graph = std::exchange(spare_, nullptr);
            } else {
                (void)cudaGetLastError();
                verify(cudaGraphInstantiate(&k.graph, made, 0), name, "cudaGraphInstantiate");
            }
        } catch (const device_error&) {
            if (made != nullptr) (void)cudaGraphDestroy(made);
            k.graph = nullptr;
            if (!recorded.met_some()) throw;
            c.conditions().refuse();
            return false;
        }
        (void)cudaGraphDestroy(made);
        return true;
    }
    template <class Steps> static void capture(const std::string& name, cudaGraph_t& made, context& c, Steps& steps) {
        verify(cudaStreamBeginCapture(c.stream(), cudaStreamCaptureModeThreadLocal), name, "cudaStreamBeginCapture");
        try {
            steps();
        } catch (...) {
            (void)cudaStreamEndCapture(c.stream(), &made);
            if (made != nullptr) (void)cudaGraphDestroy(std::exchange(made, nullptr));
            (void)cudaGetLastError();
            throw;
        }
        verify(cudaStreamEndCapture(c.stream(), &made), name, "cudaStreamEndCapture");
    }

    std::vector<known> known_;
    std::vector<std::vector<std::int64_t>> layouts_;
    std::int64_t layout_ = 0;
    std::size_t turn_ = 0;
    rehearsals rehearsals_;
    cudaGraphExec_t spare_ = nullptr;
};

}  // namespace croton::inline v0_1::detail::cuda_device

#endif
