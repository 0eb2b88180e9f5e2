// SPDX-License-Identifier: MIT
// The CUDA device: fused kernels, cuBLAS and a stream behind the device policy.
#ifndef CROTON_DEVICE_CUDA_CUDA_HPP
#define CROTON_DEVICE_CUDA_CUDA_HPP

#include <croton/core/clock.hpp>
#include <croton/core/device.hpp>
#include <croton/device/cuda/conditions.hpp>
#include <croton/device/cuda/convolution.hpp>
#include <croton/device/cuda/gate.hpp>
#include <croton/device/cuda/graph.hpp>
#include <croton/device/cuda/memory.hpp>
#include <croton/device/cuda/products.hpp>
#include <croton/device/cuda/range.hpp>
#include <croton/device/cuda/result_memory.hpp>
#include <croton/device/cuda/solver_library.hpp>
#include <croton/device/device.hpp>

#include <string>
#include <string_view>
#include <utility>

namespace croton::inline v0_1 {

/// Fused CUDA kernels and cuBLAS on the stream of the calling thread. Calls return before the GPU has finished; what the host
/// reads has finished. Arrays of one thread are used by another only after `cuda::synchronize()`.
///
/// Errors are `device_error`. One that the GPU reports late names the call that noticed it.
struct cuda {
    static constexpr bool rewrites = true;
    static constexpr bool fuses = true;
    static constexpr std::string_view loop_name = "CUDA";
    static constexpr std::string_view product_name = "cuBLAS";
    /// cuBLAS takes half and bfloat16, and sums in float.
    static constexpr bool multiplies_storage = true;
    /// The host does not see what a step has written: numbers between steps stay on the device.
    static constexpr bool asynchronous = true;
    /// A product takes up the row that is added to it, and the relu or gelu behind.
    static constexpr bool epilogues = true;
    /// Each launch costs the GPU a microsecond or two: as much as a small loop.
    static constexpr bool joint_launches = true, closes_loops = true;

    /// Runs a kernel type over the loop axes `extents`. A slot stored through the memory of a slot loaded has its strides.
    template <class Kernel>
    static void run(const std::int64_t* extents, const kernel::operand* slots, const std::int64_t* scalars) {
        detail::cuda_device::engine<detail::cuda_device::gpu, Kernel>::run(extents, slots, scalars);
    }
    /// The same for `Count` loops in one launch: extents are `max_rank` apart, slots `slot_count`.
    template <class Kernel, int Count>
    static void run_joined(const std::int64_t* extents, const kernel::operand* slots, int slot_count, const std::int64_t* scalars) {
        detail::cuda_device::engine<detail::cuda_device::gpu, Kernel>::template run_joined<Count>(extents, slots, slot_count, scalars);
    }

    /// `Kernel`, a loop with sums, and behind it single numbers by `Then...`, whose slots are then[0], then[1], ...
    template <class Kernel, class... Then>
    static void run_closed(const std::int64_t* extents, const kernel::operand* slots, const kernel::operand* const* then, const std::int64_t* scalars) {
        detail::cuda_device::engine<detail::cuda_device::gpu, Kernel>::template run_closed<Then...>(extents, slots, then, scalars);
    }

    /// `c = alpha a b + beta c`, `[m,k] x [k,n] -> [m,n]`; `beta == 0` never reads `c`. `c` overlaps neither input. Where `T` is
    /// float, `In` may be half or bfloat16. `room` is for the bytes that `packed_operands` counts; without it they are taken of memory that calls share.
    template <class T, class In = T>
    static void gemm(std::type_identity_t<T> alpha, kernel::matrix<const In> a, kernel::matrix<const In> b,
                     std::type_identity_t<T> beta, kernel::matrix<T> c, std::byte* room = nullptr) {
        detail::cuda_device::multiply<false, T>({&alpha, &beta, false, beta != T{}}, a, b, c, room);
    }
    /// The same for each matrix of a batch: `[b,m,k] x [b,k,n] -> [b,m,n]`.
    template <class T, class In = T>
    static void gemm_batched(std::type_identity_t<T> alpha, kernel::matrix<const In> a, kernel::matrix<const In> b,
                             std::type_identity_t<T> beta, kernel::matrix<T> c, const kernel::batch& over, std::byte* room = nullptr) {
        detail::cuda_device::multiply_batched<T>({&alpha, &beta, false, beta != T{}}, a, b, c, over, room);
    }
    /// `y = alpha a x + beta y`, `[m,k] x [k] -> [m]`; `beta == 0` never reads `y`. `y` overlaps neither input.
    template <class T, class In = T>
    static void gemv(std::type_identity_t<T> alpha, kernel::matrix<const In> a, kernel::vector<const In> x,
                     std::type_identity_t<T> beta, kernel::vector<T> y, std::byte* room = nullptr) {
        detail::cuda_device::multiply<T>({&alpha, &beta, false, beta != T{}}, a, x, y, room);
    }
    /// The bytes of the copies of matrices that cuBLAS does not take as they lie, with elements of `bytes`, for each matrix of a batch.
    static std::uint64_t packed_operands(const kernel::matrix<const void>& a, const kernel::matrix<const void>& b, const kernel::batch& over, std::size_t bytes) {
        return detail::cuda_device::packed_bytes(a, over.count, over.a, bytes) + detail::cuda_device::packed_bytes(b, over.count, over.b, bytes);
    }

    /// The same with alpha and beta on the device. There a computed factor of 0 is a factor like others: 0 times a NaN is one.
    template <class T, class In = T>
    static void gemm(const kernel::computed_factors<T>& f, kernel::matrix<const In> a, kernel::matrix<const In> b, kernel::matrix<T> c, std::byte* room = nullptr) {
        multiply_computed(f, a, b, c, {}, [&](const auto& at) { detail::cuda_device::multiply<false, T>(at, a, b, c, room); });
    }
    template <class T, class In = T>
    static void gemm_batched(const kernel::computed_factors<T>& f, kernel::matrix<const In> a, kernel::matrix<const In> b, kernel::matrix<T> c,
                             const kernel::batch& over, std::byte* room = nullptr) {
        multiply_computed(f, a, b, c, over, [&](const auto& at) { detail::cuda_device::multiply_batched<T>(at, a, b, c, over, room); });
    }
    template <class T, class In = T>
    static void gemv(const kernel::computed_factors<T>& f, kernel::matrix<const In> a, kernel::vector<const In> x, kernel::vector<T> y, std::byte* room = nullptr) {
        multiply_computed(f, a, kernel::matrix<const In>{x.data, x.size, 1, x.stride, 1}, kernel::matrix<T>{y.data, y.size, 1, y.stride, 1}, {},
                          [&](const auto& at) { detail::cuda_device::multiply<T>(at, a, x, y, room); });
    }
    /// `c = relu(alpha a b + bias)`, or what the epilogue says: `[m,k] x [k,n] + [n] -> [m,n]`. `c` overlaps nothing.
    template <class T, class Activation>
    static void gemm(std::type_identity_t<T> alpha, kernel::matrix<const T> a, kernel::matrix<const T> b,
                     const kernel::epilogue<T, Activation>& then, kernel::matrix<T> c, std::byte* room = nullptr) {
        detail::cuda_device::multiply<T>(alpha, a, b, then, c, room);
    }
    /// Memory on the device for alpha and beta, which hold `alpha` and `beta` when the steps that come next run.
    template <class T> static T* factors(std::type_identity_t<T> alpha, std::type_identity_t<T> beta) {
        auto* const there = static_cast<T*>(detail::cuda_device::current().factors());
        detail::cuda_device::queue(&detail::cuda_device::set_factors<T>, 1, 1, there, alpha, beta);
        return there;
    }

    /// The number of a check of labels or indices, which says `before`, what was found and `after` when it fails.
    static int bound_check(std::string before, std::string after) {
        return detail::cuda_device::bound_checks::number(std::move(before), std::move(after));
    }
    /// Looks on the stream at numbers that lie on the device. One that is none of `lowest` to `limit` - 1 is a `value_error` the next
    /// time the host waits for this stream: when it reads, and in `synchronize`. In a graph nothing waits for this until `join_checks`.
    template <class T>
    static void check_bounds(int check, const T* numbers, int rank, const std::int64_t* extents, const std::int64_t* strides,
                             std::int64_t lowest, std::int64_t limit) {
        namespace device = detail::cuda_device;
        device::context& c = device::current();
        const auto a = device::bound_arguments<T>::of(check, numbers, rank, extents, strides, lowest, limit, c.bounds(), device::threads_per_block,
                                                      device::resident(&device::check_bounds<T>));
        if (a.blocks == 0) return;
        c.beside([&] { device::queue(&device::check_bounds<T>, a.blocks, device::threads_per_block, a); });
    }
    /// What is queued next waits for the looks.
    static void join_checks() { detail::cuda_device::current().join_branch(); }

    /// Copies every element of `from` to the same index of `to`.
    template <class T>
    static void copy(int rank, const std::int64_t* extents, const kernel::operand& from, const kernel::operand& to) {
        detail::cuda_device::copy_elements<T>(rank, extents, from, to);
    }

    /// A convolution takes up the number of each channel that is added to it, and the relu behind.
    static constexpr bool ended_routines = true;
    /// Runs a routine: a thread for each row, where it has no better way. `room`: the bytes that it works in.
    template <class Routine, class Types> static void routine(const kernel::routine_call& call, std::byte* room) {
        detail::cuda_device::routine_body<Routine, Types>::template run<detail::cuda_device::gpu>(call, room);
    }
    template <class Routine, class Types> static std::int64_t routine_room(const kernel::routine_call& call) {
        return detail::cuda_device::routine_body<Routine, Types>::template room<detail::cuda_device::gpu>(call);
    }

#if CROTON_HAS_CUSOLVER
    static constexpr bool factors_matrices = true;
    /// Runs a routine of matrices: gives the number of the first one that it fails on, or -1. The host waits for what may fail.
    template <class Routine, class T> static std::int64_t matrices(const kernel::routine_call& call, std::byte* room) {
        return detail::cuda_device::run_solver<detail::cuda_device::gpu_solver, Routine, T>(call, room);
    }
    template <class Routine, class T> static std::int64_t matrices_room(const kernel::routine_call& call) {
        return detail::cuda_device::solver_room<detail::cuda_device::gpu_solver, Routine, T>(call);
    }
#endif

    /// Memory from the pool of the stream; throws `device_error`.
    static void* allocate(std::size_t bytes) { return memory<cuda>::allocate(bytes); }
    static void deallocate(void* block, std::size_t bytes) noexcept { memory<cuda>::deallocate(block, bytes); }

    /// Nanoseconds of a steady clock of the host; see `event` for the GPU's.
    static std::int64_t clock() noexcept {
        return detail::system_nanoseconds();
    }

    /// What a function keeps between calls: the graphs of its steps.
    using recording = detail::cuda_device::recording;

    /// Where it keeps its results.
    using result_memory = detail::cuda_device::result_memory;

#if CROTON_HAS_CUDA_CONDITIONS
    /// Loops whose turns values count are part of the graphs.
    using turns = detail::cuda_device::gpu_turns;
#endif

    /// While one lives the GPU holds what this thread queues, so that steps which are measured follow each other without a gap.
    using gate = detail::cuda_device::gate;

    /// Calls and steps have these around them, for Nsight; they cost nothing where no tool listens.
    using range = detail::cuda_device::range;

    /// What queues the steps of this thread on the device that it has chosen: a function keeps memory for each.
    static const void* caller() { return &detail::cuda_device::current(); }

    /// Waits until everything this thread has asked for is done, and throws what went wrong there; `value_error` for a label
    /// that named no class.
    static void synchronize() { detail::cuda_device::current().synchronize(); }

    /// The stream of this thread, for kernels and libraries of your own. While you capture it, steps of calls go into your graph, which holds the memory of
    /// their arrays and functions; what crosses between host and device is a `device_error` then.
    static cudaStream_t stream() { return detail::cuda_device::current().stream(); }

    /// The streams of other libraries that work on the same elements: what this thread asks for from here on waits for what is queued on `other`, or that for
    /// what this thread has asked for. The host waits for nothing.
    using stream_type = cudaStream_t;
    static void wait_for(cudaStream_t other) noexcept {
        auto& mine = detail::cuda_device::current();
        mine.order(other, mine.stream());
    }
    static void let_wait(cudaStream_t other) noexcept {
        auto& mine = detail::cuda_device::current();
        mine.order(mine.stream(), other);
    }
    /// The host waits for the stream of this thread, or for all of the GPU. What went wrong there is said by whoever asks for a result.
    static void drain() noexcept { (void)cudaStreamSynchronize(stream()); }
    static void wait_for_all() noexcept { (void)cudaDeviceSynchronize(); }

    /// The number of the GPU that this thread works on, and of the one on which memory lies.
    static int index() { return detail::cuda_device::current().device(); }
    static int index_of(const void* at) {
        cudaPointerAttributes found{};
        if (at == nullptr || cudaPointerGetAttributes(&found, at) != cudaSuccess) return index();
        return found.device;
    }

    /// How many GPUs this program can use; 0 where there is no driver.
    static int count() noexcept {
        int n = 0;
        if (cudaGetDeviceCount(&n) != cudaSuccess) {
            (void)cudaGetLastError();
            return 0;
        }
        return n;
    }

    /// Lets products of float round their arguments to TF32 (10 bits of mantissa), which is faster; off at first.
    static void allow_tf32(bool allow) { detail::cuda_device::tf32() = allow; }
    /// Lets cuBLASLt take the relu or gelu behind a product, which saves a pass over the result; off at first, because it may make
    /// a 0 of a NaN, and its gelu has digits of its own.
    static void allow_fused_activations(bool allow) { detail::cuda_device::fused_activations() = allow; }
    /// Whether functions record their steps as CUDA graphs; on at first.
    static void use_graphs(bool use) { detail::cuda_device::graphs_enabled() = use; }

    /// Copies between host and GPUs so far.
    static transfer_counts transfers() {
        const auto& t = detail::cuda_device::transfers();
        return {t.to_device, t.to_device_bytes, t.to_host, t.to_host_bytes};
    }
    /// Bytes that arrays, functions and what they keep for their next results hold on GPUs in this process.
    static std::int64_t bytes_held() { return detail::cuda_device::context::held(); }

    /// A moment of the stream: recording one waits for nothing.
    class event {
    public:
        event() { detail::cuda_device::check(cudaEventCreate(&event_), "cudaEventCreate"); }
        event(const event&) = delete;
        event& operator=(const event&) = delete;
        ~event() { (void)cudaEventDestroy(event_); }

        /// Nothing, while somebody captures the stream.
        void record() {
            recorded_ = !detail::cuda_device::current().captures();
            if (recorded_) detail::cuda_device::check(cudaEventRecord(event_, stream()), "cudaEventRecord");
        }
        /// Nanoseconds of the GPU from `start` to this; waits for this. 0 where one of them was not recorded.
        std::int64_t since(const event& start) const {
            if (!recorded_ || !start.recorded_) return 0;
            float ms = 0;
            detail::cuda_device::check(cudaEventSynchronize(event_), "cudaEventSynchronize");
            detail::cuda_device::check(cudaEventElapsedTime(&ms, start.event_, event_), "cudaEventElapsedTime");
            return static_cast<std::int64_t>(static_cast<double>(ms) * 1e6);
        }

    private:
        cudaEvent_t event_ = nullptr;
        bool recorded_ = false;
    };

    /// Chooses the GPU of this thread for as long as the object lives: `cuda::scoped_device on(1);`.
    class scoped_device {
    public:
        explicit scoped_device(int index) : before_(detail::cuda_device::thread_contexts::get().device()) {
            detail::cuda_device::thread_contexts::get().select(index);
        }
        scoped_device(const scoped_device&) = delete;
        scoped_device& operator=(const scoped_device&) = delete;
        ~scoped_device() {
            try {
                detail::cuda_device::thread_contexts::get().select(before_);
            } catch (const device_error&) {
                // It was there before; a device that has gone is said by the next call.
            }
        }

    private:
        int before_;
    };

private:
    template <class T, class In, class Product>
    static void multiply_computed(const kernel::computed_factors<T>& f, const kernel::matrix<const In>& a, const kernel::matrix<const In>& b,
                                  const kernel::matrix<T>& c, const kernel::batch& over, Product&& product) {
        namespace device = detail::cuda_device;
        device::multiply_computed<device::gpu>(f, a, b, c, over, [&](const T* alpha, const T* beta) {
            product(device::factors<T>{alpha, beta, true, f.accumulates});
        });
    }
};

static_assert(device<cuda>);

}  // namespace croton::inline v0_1

#endif
