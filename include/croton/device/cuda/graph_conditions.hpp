// SPDX-License-Identifier: MIT
// Conditional nodes of a graph that is recorded: what a stream queues goes into the graph of such a node, and then into what is around it again.
#ifndef CROTON_DEVICE_CUDA_GRAPH_CONDITIONS_HPP
#define CROTON_DEVICE_CUDA_GRAPH_CONDITIONS_HPP

#include <croton/device/cuda/check.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>

namespace croton::inline v0_1::detail::cuda_device {

#if CROTON_HAS_CUDA_CONDITIONS
inline constexpr bool has_conditions = true;
using condition_handle = cudaGraphConditionalHandle;
#else
inline constexpr bool has_conditions = false;
using condition_handle = unsigned long long;
#endif

/// A condition that kernels set, and whether it is asked again after what it runs.
struct graph_condition {
    condition_handle handle = 0;
    bool repeats = false;
};

/// The conditional nodes of what a thread records. CUDA has them since 12.4.
class graph_conditions {
public:
    /// While one lives, steps are recorded.
    class recorder {
    public:
        explicit recorder(graph_conditions& of) : of_(of) {
            of_.records_ = true;
            of_.count_ = 0;
        }
        recorder(const recorder&) = delete;
        recorder& operator=(const recorder&) = delete;
        ~recorder() { of_.records_ = false; }
        /// Whether the graph has conditions.
        bool met_some() const { return of_.count_ > 0; }

    private:
        graph_conditions& of_;
    };
    bool records() const { return records_; }
    /// Whether what is recorded goes into a conditional node.
    bool inside() const { return depth_ > 0; }

    /// Whether the driver has them, and none has failed.
    bool possible() {
        if (driver_ == 0) check(cudaDriverGetVersion(&driver_), "cudaDriverGetVersion");
        return has_conditions && driver_ >= 12040 && !refused_;
    }
    void refuse() { refused_ = true; }

#if CROTON_HAS_CUDA_CONDITIONS
    /// A condition in the graph that the stream records into, false until a kernel sets it.
    graph_condition make(cudaStream_t stream, bool repeats) {
        ++count_;
        graph_condition made{0, repeats};
        check(cudaGraphConditionalHandleCreate(&made.handle, so_far(stream).graph, 0, cudaGraphCondAssignDefault), "cudaGraphConditionalHandleCreate");
        return made;
    }

    /// A node behind what the stream has recorded, for what `body` queues on it. A stream records into one graph at a time, so that it is another one until then:
    /// `changed` hears of both changes.
    template <class Changed, class Body> void add(cudaStream_t& stream, const graph_condition& condition, Changed&& changed, Body&& body) {
        const recorded before = so_far(stream);
        cudaGraphNodeParams params{};
        params.type = cudaGraphNodeTypeConditional;
        params.conditional.handle = condition.handle;
        params.conditional.type = condition.repeats ? cudaGraphCondTypeWhile : cudaGraphCondTypeIf;
        params.conditional.size = 1;
        cudaGraphNode_t node = nullptr;
#if CROTON_HAS_CUDA_EDGES
        check(cudaGraphAddNode(&node, before.graph, before.nodes, before.edges, before.count, &params), "cudaGraphAddNode");
        check(cudaStreamUpdateCaptureDependencies(stream, &node, nullptr, 1, cudaStreamSetCaptureDependencies), "cudaStreamUpdateCaptureDependencies");
#else
        check(cudaGraphAddNode(&node, before.graph, before.nodes, before.count, &params), "cudaGraphAddNode");
        check(cudaStreamUpdateCaptureDependencies(stream, &node, 1, cudaStreamSetCaptureDependencies), "cudaStreamUpdateCaptureDependencies");
#endif
        if (depth_ == most_depth) throw device_error("loops whose turns values count stand too deep in each other for a CUDA graph");
        cudaStream_t& inner = inner_[depth_];
        if (inner == nullptr) check(cudaStreamCreateWithFlags(&inner, cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
        check(cudaStreamBeginCaptureToGraph(inner, params.conditional.phGraph_out[0], nullptr, nullptr, 0, cudaStreamCaptureModeThreadLocal), "cudaStreamBeginCaptureToGraph");
        const cudaStream_t outer = std::exchange(stream, inner);
        ++depth_;
        const auto end = [&] {
            cudaGraph_t same = nullptr;
            const cudaError_t code = cudaStreamEndCapture(inner, &same);
            --depth_;
            stream = outer;
            return code;
        };
        try {
            changed();
            body();
        } catch (...) {
            (void)end();
            (void)cudaGetLastError();
            changed();
            throw;
        }
        const cudaError_t code = end();
        changed();
        check(code, "cudaStreamEndCapture");
    }
#endif

private:
#if CROTON_HAS_CUDA_CONDITIONS
    /// What a stream records into, and what the next node waits for.
    struct recorded {
        cudaGraph_t graph = nullptr;
        const cudaGraphNode_t* nodes = nullptr;
        const cudaGraphEdgeData* edges = nullptr;
        std::size_t count = 0;
    };
    static recorded so_far(cudaStream_t stream) {
        recorded r;
        cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
#if CROTON_HAS_CUDA_EDGES
        check(cudaStreamGetCaptureInfo(stream, &status, nullptr, &r.graph, &r.nodes, &r.edges, &r.count), "cudaStreamGetCaptureInfo");
#else
        check(cudaStreamGetCaptureInfo_v2(stream, &status, nullptr, &r.graph, &r.nodes, &r.count), "cudaStreamGetCaptureInfo");
#endif
        return r;
    }
#endif
    static constexpr int most_depth = 16;
    cudaStream_t inner_[most_depth] = {};  // by depth
    int depth_ = 0, driver_ = 0;
    std::int64_t count_ = 0;
    bool records_ = false, refused_ = false;
};

}  // namespace croton::inline v0_1::detail::cuda_device

#endif
