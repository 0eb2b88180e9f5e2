// SPDX-License-Identifier: MIT
// What a host thread has on a GPU: a stream, a pool of memory, a cuBLAS handle, and memory that steps share.
#ifndef CROTON_DEVICE_CUDA_CONTEXT_HPP
#define CROTON_DEVICE_CUDA_CONTEXT_HPP

#include <croton/device/cuda/check.hpp>
#include <croton/device/cuda/bounds.hpp>
#include <croton/device/cuda/graph_conditions.hpp>
#include <croton/device/cuda/lt.hpp>
#include <croton/device/cuda/pinned.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <mutex>
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

    /// Changes when products may be run otherwise than they were, or what was known of them has been dropped.
    std::int64_t state_of_products() const { return 4 * lt_dropped_ + settings_of_products(); }

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

    void* allocate(std::size_t bytes) {
        if (bytes == 0) return nullptr;
        void* p = nullptr;
        const cudaError_t code = cudaMallocFromPoolAsync(&p, bytes, pool_, stream_);
        if (code != cudaSuccess) fail_to_allocate(code, bytes, static_cast<std::size_t>(held().load()));
        held() += static_cast<std::int64_t>(bytes);
        return p;
    }
    void deallocate(void* p, std::size_t bytes) noexcept {
        if (p == nullptr) return;
        held() -= static_cast<std::int64_t>(bytes);
        // At the end of the process the driver may be gone before the last array.
        (void)cudaFreeAsync(p, stream_);
    }
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
            deallocate(workspace_, workspace_bytes_);
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
            check(cudaMemsetAsync(made, 0, wanted, stream_), "cudaMemsetAsync");
            deallocate(counters_, counter_bytes_);
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
    void raise_bounds() {
        if (bounds_ != nullptr) bound_checks::raise(*bounds_);
    }

    int device_, processors_ = 1;
    bool rehearses_ = false;
    graph_conditions conditions_;
    cudaStream_t stream_ = nullptr;
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

/// Contexts outlive the threads that use them and are never destroyed: the driver ends before static objects do.
class context_pool {
public:
    static context_pool& get() {
        static context_pool* const pool = new context_pool;
        return *pool;
    }
    context* take(int device) {
        {
            const std::lock_guard lock(mutex_);
            for (std::size_t i = 0; i < idle_.size(); ++i)
                if (idle_[i]->device() == device) {
                    context* c = idle_[i];
                    idle_.erase(idle_.begin() + static_cast<std::ptrdiff_t>(i));
                    return c;
                }
        }
        return std::make_unique<context>(device).release();
    }
    void give_back(context* c) {
        const std::lock_guard lock(mutex_);
        idle_.push_back(c);
    }

private:
    std::mutex mutex_;
    std::vector<context*> idle_;
};

/// The contexts of this thread, by device, and the device that is chosen.
class thread_contexts {
public:
    static thread_contexts& get() {
        static thread_local thread_contexts mine;
        return mine;
    }
    ~thread_contexts() {
        for (context* c : made_) context_pool::get().give_back(c);
    }
    int device() const { return device_; }
    void select(int device) {
        if (device == device_ && current_ != nullptr) return;
        int count = 0;
        check(cudaGetDeviceCount(&count), "cudaGetDeviceCount");
        if (device < 0 || device >= count)
            throw device_error("there is no CUDA device " + std::to_string(device) + ": this machine has " + std::to_string(count));
        check(cudaSetDevice(device), "cudaSetDevice");
        device_ = device;
        current_ = nullptr;
        for (context* c : made_)
            if (c->device() == device) current_ = c;
    }
    context& current() {
        if (current_ == nullptr) {
            select(device_);
            if (current_ == nullptr) {
                made_.reserve(made_.size() + 1);
                current_ = context_pool::get().take(device_);
                made_.push_back(current_);
            }
        }
        return *current_;
    }
    /// Also at the end of a thread, when the object has gone and arrays have not.
    static context* current_if_any() noexcept { return current_; }

private:
    inline static thread_local context* current_ = nullptr;
    int device_ = 0;
    std::vector<context*> made_;
};

inline context& current() { return thread_contexts::get().current(); }

}  // namespace detail::cuda_device

}  // namespace croton::inline v0_1

#endif
