// SPDX-License-Identifier: MIT
// A block of the GPU as kernel bodies see it, and the __global__ functions: the one that every loop is, and those of routines, labels and indices.
#ifndef CROTON_DEVICE_CUDA_LAUNCH_HPP
#define CROTON_DEVICE_CUDA_LAUNCH_HPP

#include <croton/device/cuda/threads.hpp>
#include <croton/device/cuda/engine.hpp>
#include <croton/device/cuda/factors.hpp>
#include <croton/device/cuda/bounds.hpp>
#include <croton/device/cuda/routines.hpp>
#include <croton/kernel/key.hpp>

#include <type_traits>

namespace croton::inline v0_1::detail::cuda_device {

inline constexpr int threads_per_block = 256;
static_assert(threads_per_block * 8 <= shared_bytes);

/// Blocks of a joint launch that a processor holds at once: so few registers that Adam for some million parameters is one wave.
inline constexpr int joint_blocks = 4;

/// The block that runs.
struct block_of_gpu {
    std::byte* memory;
    std::int64_t first = 0;  // the block that has number 0

    __device__ int thread() const { return static_cast<int>(threadIdx.x); }
    __device__ int threads() const { return threads_per_block; }
    __device__ std::int64_t block() const { return static_cast<std::int64_t>(blockIdx.x) - first; }
    __device__ void sync() { __syncthreads(); }
    __device__ void sync_warp(int lanes) { __syncwarp(neighbours(lanes)); }
    __device__ std::byte* shared() { return memory; }

    template <class T> __device__ T exchange(T v, int mask, int lanes) {
        if constexpr (std::is_same_v<T, bool>) return __shfl_xor_sync(neighbours(lanes), static_cast<int>(v), mask) != 0;
        else return __shfl_xor_sync(neighbours(lanes), v, mask);
    }
    /// Those of this warp that take part, as bits. Others may be elsewhere: neighbours have rows of their own.
    static __device__ unsigned neighbours(int lanes) {
        return lanes >= warp_size ? 0xffffffffu : ((1u << lanes) - 1u) << (threadIdx.x & (warp_size - 1u) & ~static_cast<unsigned>(lanes - 1));
    }

    __device__ bool claim(int* n, int value) { return atomicCAS(n, 0, value) == 0; }

    // What this block has written is seen by the block that comes last.
    __device__ bool arrive(unsigned* n, unsigned count) {
        __threadfence();
        __syncthreads();
        unsigned* const last = reinterpret_cast<unsigned*>(memory);
        if (threadIdx.x == 0) {
            *last = atomicAdd(n, 1u) + 1u == count ? 1u : 0u;
            if (*last != 0) *n = 0;
            __threadfence();
        }
        __syncthreads();
        const bool came_last = *last != 0;
        __syncthreads();
        return came_last;
    }
};

/// A step. `Key` stands for the type of its kernel.
template <class Key, int Width, entry Entry, int Outer, int Inner, int Slots, int Scalars, int Sums, int Gathered>
__global__ void __launch_bounds__(threads_per_block) step(const arguments<Outer, Inner, Slots, Scalars, Sums, Gathered> a) {
    alignas(16) __shared__ std::byte memory[shared_bytes_of<kernel::keyed_t<Key>, Entry>];
    block_of_gpu t{memory};
    run_entry<kernel::keyed_t<Key>, Width, Entry>(t, a, static_cast<std::int64_t>(gridDim.x));
}

/// The same, and when all of its blocks have ended, in the last one, the numbers that `Closing` computes.
template <class Key, class Closing, int Width, entry Entry, int Outer, int Inner, int Slots, int Scalars, int Sums, int Gathered, int ThenSlots, int ThenScalars>
__global__ void __launch_bounds__(threads_per_block)
    closed_step(const arguments<Outer, Inner, Slots, Scalars, Sums, Gathered> a, const closing_arguments<ThenSlots, ThenScalars> then) {
    alignas(16) __shared__ std::byte memory[shared_bytes_of<kernel::keyed_t<Key>, Entry>];
    block_of_gpu t{memory};
    run_closed_entry<kernel::keyed_t<Key>, Closing, Width, Entry>(t, a, then, static_cast<std::int64_t>(gridDim.x));
}

/// Steps of one kernel side by side. The arguments stay where the launch has them, though which of them are read is known late.
template <class Key, int Width, int Most, int Outer, int Inner, int Slots, int Scalars, int Sums, int Gathered>
__global__ void __launch_bounds__(threads_per_block, joint_blocks)
    joint_step(const __grid_constant__ joined<arguments<Outer, Inner, Slots, Scalars, Sums, Gathered>, Most> all) {
    run_member<kernel::keyed_t<Key>, Width>(all, static_cast<std::int64_t>(blockIdx.x),
                                            [](std::int64_t first) { return block_of_gpu{nullptr, first}; });
}

/// Queues a kernel on the stream of this thread. Where steps are rehearsed it is only loaded, which takes memory of the GPU.
inline void queue(const void* function, std::int64_t blocks, int threads, void** arguments) {
    context& c = current();
    if (c.rehearses()) {
        cudaFuncAttributes loaded{};
        check(cudaFuncGetAttributes(&loaded, function), "cudaFuncGetAttributes");
    } else {
        check(cudaLaunchKernel(function, dim3(static_cast<unsigned>(blocks)), dim3(static_cast<unsigned>(threads)), arguments, 0, c.stream()), "cudaLaunchKernel");
    }
}
template <class... Argument> void queue(void (*function)(Argument...), std::int64_t blocks, int threads, std::type_identity_t<Argument>... arguments) {
    void* list[] = {static_cast<void*>(&arguments)...};
    queue(reinterpret_cast<const void*>(function), blocks, threads, list);
}

/// How many blocks of a kernel run at once. Loops over more than those take one after the other.
template <class... Argument> std::int64_t resident(void (*function)(Argument...)) { return current().resident(reinterpret_cast<const void*>(function), threads_per_block); }

/// Looks at labels and indices before a step reads them.
template <class T> __global__ void __launch_bounds__(threads_per_block) check_bounds(const bound_arguments<T> a) {
    block_of_gpu t{nullptr};
    look_at_bounds(t, a);
}

/// What `Body` does with its blocks: routines.
template <class Body, class Argument> __global__ void __launch_bounds__(threads_per_block) run_body(const Argument a) {
    alignas(16) __shared__ std::byte memory[Body::shared_bytes > 16 ? Body::shared_bytes : 16];
    block_of_gpu t{memory};
    Body::run(t, a);
}
/// That of the types of its arguments: nvcc spells a type as the program did, also where that is by way of a lambda, which has no name; what is
/// found from an argument is spelled as it is.
template <class Body, class Argument> auto kernel_of_body(std::type_identity<Body>, const Argument&) { return &run_body<Body, Argument>; }

/// Looks at factors in front of a product or behind it.
template <look When, class T, class In> __global__ void __launch_bounds__(threads_per_block) check_factors(const factor_arguments<T, In> p) {
    block_of_gpu t{nullptr};
    look_at_factors<When>(t, p);
}

/// The GPU and stream of this thread, for the engine.
struct gpu {
    static constexpr int threads = threads_per_block;

    static int processors() { return current().processors(); }
    static std::byte* workspace(std::size_t bytes) { return current().workspace(bytes); }
    static unsigned* counters(int n) { return current().counters(n); }

    template <class Kernel, int Width, entry Entry, int Outer, int Inner, int Slots, int Scalars, int Sums, int Gathered>
    static std::int64_t resident(const arguments<Outer, Inner, Slots, Scalars, Sums, Gathered>&) {
        return current().resident(function_of<Kernel, Width, Entry, Outer, Inner, Slots, Scalars, Sums, Gathered>(), threads_per_block);
    }
    template <class Body, class Argument> static std::int64_t resident_blocks(std::type_identity<Body> body, const Argument& a) {
        return cuda_device::resident(kernel_of_body(body, a));
    }
    template <look When, class T, class In> static std::int64_t resident_factors(const factor_arguments<T, In>&) { return cuda_device::resident(&check_factors<When, T, In>); }
    template <class Kernel, int Width, int Most, int Outer, int Inner, int Slots, int Scalars, int Sums, int Gathered>
    static std::int64_t resident_joined(const joined<arguments<Outer, Inner, Slots, Scalars, Sums, Gathered>, Most>&) {
        return current().resident(function_of_joined<Kernel, Width, Most, Outer, Inner, Slots, Scalars, Sums, Gathered>(), threads_per_block);
    }

    // By its numbers and not as the `args` of an engine: what nvcc writes for the host says the type before keys have theirs.
    template <class Kernel, int Width, entry Entry, int Outer, int Inner, int Slots, int Scalars, int Sums, int Gathered>
    static void launch(std::int64_t blocks, const arguments<Outer, Inner, Slots, Scalars, Sums, Gathered>& a) {
        using taken = arguments<Outer, Inner, Slots, Scalars, Sums, Gathered>;
        void* list[] = {const_cast<taken*>(&a)};
        queue(function_of<Kernel, Width, Entry, Outer, Inner, Slots, Scalars, Sums, Gathered>(), blocks, threads_per_block, list);
    }
    template <class Kernel, int Width, entry Entry, class Closing, int Outer, int Inner, int Slots, int Scalars, int Sums, int Gathered, int ThenSlots, int ThenScalars>
    static std::int64_t resident_closed(const arguments<Outer, Inner, Slots, Scalars, Sums, Gathered>&, Closing, const closing_arguments<ThenSlots, ThenScalars>&) {
        return current().resident(function_of_closed<Kernel, Closing, Width, Entry, Outer, Inner, Slots, Scalars, Sums, Gathered, ThenSlots, ThenScalars>(), threads_per_block);
    }
    template <class Kernel, int Width, entry Entry, class Closing, int Outer, int Inner, int Slots, int Scalars, int Sums, int Gathered, int ThenSlots, int ThenScalars>
    static void launch_closed(std::int64_t blocks, const arguments<Outer, Inner, Slots, Scalars, Sums, Gathered>& a, Closing, const closing_arguments<ThenSlots, ThenScalars>& then) {
        void* list[] = {const_cast<void*>(static_cast<const void*>(&a)), const_cast<void*>(static_cast<const void*>(&then))};
        queue(function_of_closed<Kernel, Closing, Width, Entry, Outer, Inner, Slots, Scalars, Sums, Gathered, ThenSlots, ThenScalars>(), blocks, threads_per_block, list);
    }
    template <class Body, class Argument> static void run_blocks(std::type_identity<Body> body, std::int64_t blocks, const Argument& a) {
        queue(kernel_of_body(body, a), blocks, threads_per_block, a);
    }
    template <look When, class T, class In> static void launch_factors(const factor_arguments<T, In>& p) {
        queue(&check_factors<When, T, In>, p.blocks, threads_per_block, p);
    }
    template <class Kernel, int Width, int Most, int Outer, int Inner, int Slots, int Scalars, int Sums, int Gathered>
    static void launch_joined(std::int64_t blocks, const joined<arguments<Outer, Inner, Slots, Scalars, Sums, Gathered>, Most>& all) {
        void* list[] = {const_cast<void*>(static_cast<const void*>(&all))};
        queue(function_of_joined<Kernel, Width, Most, Outer, Inner, Slots, Scalars, Sums, Gathered>(), blocks, threads_per_block, list);
    }

private:
    template <class Kernel, int Width, entry Entry, int Outer, int Inner, int Slots, int Scalars, int Sums, int Gathered> static const void* function_of() {
        return reinterpret_cast<const void*>(&step<kernel::key_of<Kernel>, Width, Entry, Outer, Inner, Slots, Scalars, Sums, Gathered>);
    }
    template <class Kernel, class Closing, int Width, entry Entry, int Outer, int Inner, int Slots, int Scalars, int Sums, int Gathered, int ThenSlots, int ThenScalars>
    static const void* function_of_closed() {
        return reinterpret_cast<const void*>(&closed_step<kernel::key_of<Kernel>, Closing, Width, Entry, Outer, Inner, Slots, Scalars, Sums, Gathered, ThenSlots, ThenScalars>);
    }
    template <class Kernel, int Width, int Most, int Outer, int Inner, int Slots, int Scalars, int Sums, int Gathered> static const void* function_of_joined() {
        return reinterpret_cast<const void*>(&joint_step<kernel::key_of<Kernel>, Width, Most, Outer, Inner, Slots, Scalars, Sums, Gathered>);
    }
};

}  // namespace croton::inline v0_1::detail::cuda_device

#endif
