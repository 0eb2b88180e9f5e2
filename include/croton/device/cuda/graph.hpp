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
/// the results of one call while it makes the next, and two layouts where the last batch is smaller. Where addresses never come again, as where every
/// result is kept, one graph goes from call to call and takes new ones. A copy starts with none.
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
        refused_ = 0;
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
        const kind now{&c, c.generation(), settings_of_products(), layout_};
        int met = 0;
        for (known& k : known_) {
            if (k.of != now) continue;
            ++met;
            if (!std::ranges::equal(k.addresses, addresses)) continue;
            k.used = ++calls_;
            k.came_again = true;
            if (k.graph == nullptr && !record(name, k, c, steps)) return steps();
            verify(cudaGraphLaunch(k.graph, c.stream()), name, "cudaGraphLaunch");
            return;
        }
        // Many functions run once, or in turn for two sets of addresses: what comes for the third time with new ones has a graph for such calls.
        const bool recorded = met >= 2 && refused_ < most_refused;
        known& k = note(addresses);
        const bool takes = recorded && take_over(now);
        const std::int64_t made = made_;
        const bool done = recorded && record(name, k, c, steps);
        if (takes && made_ != made) ++refused_;
        if (done) verify(cudaGraphLaunch(k.graph, c.stream()), name, "cudaGraphLaunch");
        else steps();
        k.of = {&c, c.generation(), now.settings, layout_};
    }

private:
    static constexpr std::size_t most = 8;
    static constexpr int most_refused = 4;  // graphs that did not take new addresses: another one for each call would cost more than its steps do

    /// What a graph depends on besides addresses.
    struct kind {
        const context* owner = nullptr;
        std::int64_t generation = 0;  // of the memory that steps share
        int settings = 0;
        std::int64_t layout = 0;
        bool operator==(const kind&) const = default;
    };
    struct known {
        std::vector<const void*> addresses;
        kind of;
        cudaGraphExec_t graph = nullptr;
        bool came_again = false;
        std::int64_t used = 0;  // by the call with this number
    };

    /// Notes a run before it begins, as everything else that may fail: it is of no kind until it has ended. The one that was used least lately makes place.
    known& note(std::span<const void* const> addresses) {
        if (known_.size() < most) known_.emplace_back();
        known& k = known_.back().used == 0 ? known_.back() : *std::min_element(known_.begin(), known_.end(), [](const known& a, const known& b) { return a.used < b.used; });
        k.of = {};
        k.addresses.assign(addresses.begin(), addresses.end());
        k.came_again = false;
        k.used = ++calls_;
        keep_spare(k);
        return k;
    }
    /// The graph of a run of this kind whose addresses have not come again.
    bool take_over(const kind& now) noexcept {
        for (known& k : known_)
            if (k.of == now && k.graph != nullptr && !k.came_again) return keep_spare(k), true;
        return false;
    }
    void keep_spare(known& k) noexcept {
        if (k.graph == nullptr) return;
        destroy(spare_);
        spare_ = std::exchange(k.graph, nullptr);
    }

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
                ++made_;
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
            c.join_branch();
        } catch (...) {
            c.forget_branch();
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
    std::int64_t calls_ = 0, made_ = 0;
    int refused_ = 0;
    rehearsals rehearsals_;
    cudaGraphExec_t spare_ = nullptr;
};

}  // namespace croton::inline v0_1::detail::cuda_device

#endif
