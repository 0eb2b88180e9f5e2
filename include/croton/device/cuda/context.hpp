// SPDX-License-Identifier: MIT
// What a host thread has on a GPU: a stream, a pool of memory, a cuBLAS handle, and memory that steps share.
#ifndef CROTON_DEVICE_CUDA_CONTEXT_HPP
#define CROTON_DEVICE_CUDA_CONTEXT_HPP

#include <croton/device/cuda/check.hpp>
#include <croton/device/cuda/bounds.hpp>
#include <croton/device/cuda/branch.hpp>
#include <croton/device/cuda/capture.hpp>
#include <croton/device/cuda/graph_conditions.hpp>
#include <croton/device/cuda/lt.hpp>
#include <croton/device/cuda/occupancy.hpp>
#include <croton/device/cuda/pinned.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <vector>

struct cusolverDnContext;

namespace croton::inline v0_1 {

/// What has crossed between the host and the GPUs, in this process.
struct transfer_counts {
    std::int64_t to_device = 0, to_device_bytes = 0;
    std::int64_t to_host = 0, to_host_bytes = 0;
};

namespace detail::cuda_device {

struct transfer_counters {
    std::atomic<std::int64_t> to_device{0}, to_device_bytes{0}, to_host{0}, to_host_bytes{0};
};
inline transfer_counters& transfers() {
    static transfer_counters counters;
    return counters;
}

/// The stream of one host thread on one device, and what belongs to it.
class context {
public:
    explicit context(int device) : device_(device) {
        check(cudaSetDevice(device), "cudaSetDevice");
        check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
        check(cudaDeviceGetDefaultMemPool(&pool_, device), "cudaDeviceGetDefaultMemPool");
        // Freed memory stays with the pool: in a steady state no call asks the system for any.
        std::uint64_t all = ~std::uint64_t{0};
        check(cudaMemPoolSetAttribute(pool_, cudaMemPoolAttrReleaseThreshold, &all), "cudaMemPoolSetAttribute");
        check(cudaDeviceGetAttribute(&processors_, cudaDevAttrMultiProcessorCount, device), "cudaDeviceGetAttribute");
    }
    context(const context&) = delete;
    context& operator=(const context&) = delete;

    int device() const { return device_; }
    cudaStream_t stream() const { return stream_; }
    int processors() const { return processors_; }
    /// Blocks of a kernel that run at once.
    std::int64_t resident(const void* function, int threads) { return processors_ * occupancy_.blocks(function, threads); }

    /// While one lives, steps on this stream make what they need and queue nothing.
    class rehearsal {
    public:
        explicit rehearsal(context& c) : of_(c) { of_.rehearses_ = true; }
        rehearsal(const rehearsal&) = delete;
        rehearsal& operator=(const rehearsal&) = delete;
        ~rehearsal() { of_.rehearses_ = false; }

    private:
        context& of_;
    };
    bool rehearses() const { return rehearses_; }

    /// Whether what is queued goes into a graph, and the conditional nodes of that.
    bool records() const { return conditions_.records(); }
    graph_conditions& conditions() { return conditions_; }
#if CROTON_HAS_CUDA_CONDITIONS
    /// What `body` queues runs if, or while, a condition is true that kernels set.
    template <class Body> void add_condition(const graph_condition& condition, Body&& body) {
        conditions_.add(stream_, condition, [this] { give_stream_to_blas(); }, body);
    }
#endif

    /// What `body` queues runs beside the steps that are recorded next, until `join_branch`; in its place where none are recorded, and in a conditional node.
    template <class Body> void beside(Body&& body) {
        if (rehearses_) branch_.make();
        if (records() && branch_.made() && !conditions_.inside()) branch_.fork(stream_, body);
        else body();
    }
    void join_branch() {
        if (!conditions_.inside()) branch_.join(stream_);
    }
    void forget_branch() noexcept { branch_.forget(); }

    /// Changes when products may be run otherwise than they were, or what was known of them has been dropped.
    std::int64_t state_of_products() const { return 4 * lt_dropped_ + settings_of_products(); }

    /// The steps that come next go into a graph of somebody else.
    void lend_memory() { held_by_others_ = true; }

    /// The workspace of cuBLAS is ours, so that a captured graph may hold it.
    cublasHandle_t blas() {
        if (blas_ == nullptr) {
            if (blas_workspace_ == nullptr) check(cudaMalloc(&blas_workspace_, blas_workspace_bytes), "cudaMalloc");
            cublasHandle_t made = nullptr;
            check(cublasCreate(&made), "cublasCreate");
            try {
                check(cublasSetStream(made, stream_), "cublasSetStream");
                check(cublasSetWorkspace(made, blas_workspace_, blas_workspace_bytes), "cublasSetWorkspace");
            } catch (...) {
                (void)cublasDestroy(made);
                throw;
            }
            blas_ = made;
        }
        return blas_;
    }

#if CROTON_HAS_CUSOLVER
    cusolverDnHandle_t solver() {
        if (solver_ == nullptr) {
            cusolverDnHandle_t made = nullptr;
            check(cusolverDnCreate(&made), "cusolverDnCreate");
            try {
                check(cusolverDnSetStream(made, stream_), "cusolverDnSetStream");
            } catch (...) {
                (void)cusolverDnDestroy(made);
                throw;
            }
            solver_ = made;
        }
        return solver_;
    }
#endif

    /// A product with an epilogue by cuBLASLt, of one element type; false where it refuses. It shares the workspace of cuBLAS:
    /// one stream runs one product at a time.
    bool fused_product(const lt_problem& p, const void* alpha, const void* a, const void* b, void* d, const void* bias) {
        // A handle of cuBLAS is one of cuBLASLt.
        auto* const handle = reinterpret_cast<cublasLtHandle_t>(blas());
        lt_choice* chosen = nullptr;
        for (const auto& known : lt_choices_)
            if (known->problem() == p) chosen = known.get();
        if (chosen == nullptr) {
            // Shapes that never come again must not pile up.
            if (lt_choices_.size() >= most_lt_choices) {
                lt_choices_.erase(lt_choices_.begin());
                ++lt_dropped_;
            }
            lt_choices_.push_back(std::make_unique<lt_choice>(handle, p, bias, blas_workspace_bytes));
            chosen = lt_choices_.back().get();
        }
        if (rehearses_) return chosen->usable();
        constexpr double zero = 0;  // of float as well
        return chosen->run(handle, alpha, a, b, &zero, d, bias, blas_workspace_, blas_workspace_bytes, stream_);
    }

    /// Memory that the steps which are queued next may use. A graph that somebody else records would take it anew each time it runs: then it comes
    /// from another stream, and at once.
    void* allocate(std::size_t bytes) {
        if (bytes == 0) return nullptr;
        void* p = nullptr;
        const bool outside = captures();
        if (!outside) give_back_late();
        const relaxed_capture here(outside);
        const cudaError_t code = cudaMallocFromPoolAsync(&p, bytes, pool_, outside ? aside() : stream_);
        if (code != cudaSuccess) fail_to_allocate(code, bytes, static_cast<std::size_t>(held().load()));
        if (outside) check(cudaStreamSynchronize(aside()), "cudaStreamSynchronize");
        held() += static_cast<std::int64_t>(bytes);
        return p;
    }
    /// What is queued may still use the block. While somebody records this stream it waits for the end of that.
    void deallocate(void* p, std::size_t bytes) noexcept {
        if (p == nullptr) return;
        held() -= static_cast<std::int64_t>(bytes);
        if (captures()) return late_.add(p);
        // At the end of the process the driver may be gone before the last array.
        (void)cudaFreeAsync(p, stream_);
    }
    /// What is queued from here on waits for what `other`, of the same device, has queued.
    void follow(context& other) noexcept {
        if (captures() || other.captures()) return;
        order(other.stream_, stream_);
    }
    /// What is queued on `later` from here on waits for what `sooner` has queued.
    void order(cudaStream_t sooner, cudaStream_t later) noexcept {
        if (order_ == nullptr) (void)cudaEventCreateWithFlags(&order_, cudaEventDisableTiming);
        if (cudaEventRecord(order_, sooner) == cudaSuccess) (void)cudaStreamWaitEvent(later, order_, 0);
    }
    /// Whether the stream queues nothing, because it is recorded: by a function, or by whoever uses `cuda::stream()`.
    bool captures() const noexcept { return is_captured(stream_); }
    bool captured_by_others() const noexcept { return !records() && captures(); }
    /// Bytes of all arrays and temporaries of this process on all devices.
    static std::atomic<std::int64_t>& held() {
        static std::atomic<std::int64_t> bytes{0};
        return bytes;
    }

    /// Memory for the partial results of one step; the next step writes over it.
    std::byte* workspace(std::size_t bytes) {
        if (bytes > workspace_bytes_) {
            const std::size_t wanted = bytes + bytes / 2;
            void* made = allocate(wanted);
            replace(workspace_, workspace_bytes_);
            workspace_ = made;
            workspace_bytes_ = wanted;
            ++generation_;
        }
        return static_cast<std::byte*>(workspace_);
    }
    /// Zeros that blocks count each other with, and leave as zeros.
    unsigned* counters(int n) {
        const std::size_t bytes = static_cast<std::size_t>(n) * sizeof(unsigned);
        if (bytes > counter_bytes_) {
            const std::size_t wanted = bytes < 4096 ? 4096 : 2 * bytes;
            void* made = allocate(wanted);
            zero_now(made, wanted);
            replace(counters_, counter_bytes_);
            counters_ = made;
            counter_bytes_ = wanted;
            ++generation_;
        }
        return static_cast<unsigned*>(counters_);
    }
    /// Three numbers of any element type: the factors of a product that a kernel computes, and one more for what looks at them.
    void* factors() {
        if (factors_ == nullptr) factors_ = allocate(64);
        return factors_;
    }
    /// Where kernels leave a label or an index that names nothing: memory of the host that they reach, so that whoever waits for the
    /// stream sees it without a copy. Its address for kernels.
    bound_report* bounds() {
        if (bounds_ == nullptr) {
            void* made = nullptr;
            check(cudaHostAlloc(&made, sizeof(bound_report), cudaHostAllocMapped), "cudaHostAlloc");
            bounds_ = new (made) bound_report;
            void* there = nullptr;
            check(cudaHostGetDevicePointer(&there, made, 0), "cudaHostGetDevicePointer");
            bounds_there_ = static_cast<bound_report*>(there);
        }
        return bounds_there_;
    }
    /// Changes when memory that a captured graph may hold has moved.
    std::int64_t generation() const { return generation_; }

    void synchronize() {
        check(cudaStreamSynchronize(stream_), "cudaStreamSynchronize");
        raise_bounds();
    }

    // Copies. Small ones from the host are taken into a ring of pinned memory and go on without waiting; a copy to the host
    // waits, because the host reads next.
    void copy(void* to, const void* from, std::size_t bytes) {
        if (bytes != 0 && !rehearses_) check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, stream_), "cudaMemcpyAsync on the device");
    }
    void zero(void* to, std::size_t bytes) {
        if (bytes != 0) check(cudaMemsetAsync(to, 0, bytes, stream_), "cudaMemsetAsync");
    }
    void copy_from_host(void* to, const void* from, std::size_t bytes) {
        if (bytes != 0) refuse_capture("what lies on the host cannot be copied to the device");
        auto* target = static_cast<std::byte*>(to);
        const auto* source = static_cast<const std::byte*>(from);
        for (std::size_t done = 0; done < bytes;) {
            const std::size_t part = bytes - done < pinned_part ? bytes - done : pinned_part;
            std::byte* const pinned = ring_.next(part, stream_);
            std::memcpy(pinned, source + done, part);
            check(cudaMemcpyAsync(target + done, pinned, part, cudaMemcpyHostToDevice, stream_), "cudaMemcpyAsync to the device");
            done += part;
        }
        if (bytes != 0) ++transfers().to_device;
        transfers().to_device_bytes += static_cast<std::int64_t>(bytes);
    }
    void copy_to_host(void* to, const void* from, std::size_t bytes) {
        if (bytes != 0) refuse_capture("the host cannot read what lies on the device");
        auto* target = static_cast<std::byte*>(to);
        const auto* source = static_cast<const std::byte*>(from);
        // While one part is copied out of the pinned memory the next is on its way into it.
        std::size_t copied = 0, sent = 0;
        std::byte* halves[2] = {};
        std::size_t size[2] = {};
        for (int turn = 0; copied < bytes; turn ^= 1) {
            if (sent < bytes) {
                size[turn] = bytes - sent < pinned_part ? bytes - sent : pinned_part;
                halves[turn] = ring_.next(size[turn], stream_);
                check(cudaMemcpyAsync(halves[turn], source + sent, size[turn], cudaMemcpyDeviceToHost, stream_), "cudaMemcpyAsync to the host");
                sent += size[turn];
                ring_.mark(halves[turn], stream_);
            }
            const int other = sent < bytes || size[turn ^ 1] != 0 ? turn ^ 1 : turn;
            if (size[other] == 0) continue;
            ring_.wait(halves[other]);
            std::memcpy(target + copied, halves[other], size[other]);
            copied += size[other];
            size[other] = 0;
        }
        if (bytes != 0) ++transfers().to_host;
        transfers().to_host_bytes += static_cast<std::int64_t>(bytes);
        // The copy was the last that the stream had to do.
        raise_bounds();
    }

private:
    static constexpr std::size_t blas_workspace_bytes = std::size_t{32} << 20;
    static constexpr std::size_t most_lt_choices = 256;
    static constexpr std::size_t pinned_part = pinned_ring::part_bytes;

    void give_stream_to_blas() {
        if (blas_ == nullptr) return;
        // With another stream cuBLAS forgets the workspace.
        check(cublasSetStream(blas_, stream_), "cublasSetStream");
        check(cublasSetWorkspace(blas_, blas_workspace_, blas_workspace_bytes), "cublasSetWorkspace");
    }
    // Of a graph of somebody else it is not known how long it holds the memory that steps share.
    void replace(void* block, std::size_t bytes) noexcept {
        if (!held_by_others_) deallocate(block, bytes);
    }
    void zero_now(void* to, std::size_t bytes) {
        const bool outside = captures();
        const relaxed_capture here(outside);
        check(cudaMemsetAsync(to, 0, bytes, outside ? aside() : stream_), "cudaMemsetAsync");
        if (outside) check(cudaStreamSynchronize(aside()), "cudaStreamSynchronize");
    }
    cudaStream_t aside() {
        if (aside_ == nullptr) check(cudaStreamCreateWithFlags(&aside_, cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
        return aside_;
    }
    void give_back_late() noexcept {
        late_.each([this](void* p) { (void)cudaFreeAsync(p, stream_); });
    }
    void refuse_capture(const char* what) const {
        if (captured_by_others())
            throw device_error(std::string("while cuda::stream() is captured, ") + what + ": do it before the capture begins, or after it ends");
    }
    void raise_bounds() {
        if (bounds_ != nullptr) bound_checks::raise(*bounds_);
    }

    int device_, processors_ = 1;
    occupancy occupancy_;
    bool rehearses_ = false;
    bool held_by_others_ = false;  // a graph that is not ours may hold memory that steps share
    graph_conditions conditions_;
    graph_branch branch_;
    cudaStream_t stream_ = nullptr;
    cudaStream_t aside_ = nullptr;  // for memory, while the other one is captured
    cudaEvent_t order_ = nullptr;
    late_blocks late_;
    cudaMemPool_t pool_ = nullptr;
    cublasHandle_t blas_ = nullptr;
    void* blas_workspace_ = nullptr;
    [[maybe_unused]] cusolverDnContext* solver_ = nullptr;  // what a handle is, also in units that do not use it
    std::vector<std::unique_ptr<lt_choice>> lt_choices_;
    std::int64_t lt_dropped_ = 0;
    void* workspace_ = nullptr;
    std::size_t workspace_bytes_ = 0;
    void* counters_ = nullptr;
    std::size_t counter_bytes_ = 0;
    void* factors_ = nullptr;
    bound_report* bounds_ = nullptr;  // of the host
    bound_report* bounds_there_ = nullptr;
    std::int64_t generation_ = 0;
    pinned_ring ring_;
};

}  // namespace detail::cuda_device

}  // namespace croton::inline v0_1

#endif
