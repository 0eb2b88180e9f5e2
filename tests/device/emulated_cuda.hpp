// SPDX-License-Identifier: MIT
// The CUDA kernels without a GPU: each thread of a block is a fiber, and a barrier is a switch to another.
#ifndef CROTON_TESTS_DEVICE_EMULATED_CUDA_HPP
#define CROTON_TESTS_DEVICE_EMULATED_CUDA_HPP

#include <setjmp.h>
#include <ucontext.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <list>
#include <memory>
#include <new>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include <croton/array/array.hpp>
#include <croton/array/transfer.hpp>
#include <croton/device/cuda/convolution.hpp>
#include <croton/device/cuda/engine.hpp>
#include <croton/device/cuda/epilogue.hpp>
#include <croton/device/cuda/factors.hpp>
#include <croton/device/cuda/bounds.hpp>
#include <croton/device/cuda/routines.hpp>
#include <croton/device/cuda/range.hpp>
#include <croton/device/cuda/rehearsals.hpp>
#include <croton/device/cuda/turns.hpp>
#include <croton/device/reference/reference.hpp>

namespace emulated {

/// Who runs when several can. A thread that runs does so until its next barrier: what it does not wait for has not happened.
enum class schedule {
    any,          // another order each time; a warp may run far ahead of the others, or lag behind
    first_ahead,  // the first thread goes as far as barriers allow before the second one starts
    last_ahead,   // the last thread does
};

/// A block of fibers. Between two barriers threads run one after the other, so that a barrier that is missing shows. A
/// barrier that not every thread reaches is an error.
class block_of_fibers {
public:
    explicit block_of_fibers(int threads) : fibers_(static_cast<std::size_t>(threads)) {
        for (fiber& f : fibers_) f.stack = std::make_unique_for_overwrite<char[]>(stack_bytes);
    }

    /// Runs `body(thread)` on every thread.
    template <class Body> void run(Body&& thread) {
        // By reference, which takes no memory.
        const std::function<void(int)> body(std::ref(thread));
        body_ = &body;
        alive_ = size();
        for (int i = 0; i < size(); ++i) prepare(i);
        for (int warp = 0; alive_ > 0;) {
            if (order != schedule::any) warp = order == schedule::first_ahead ? next_ready(0) : last_ready();
            else if ((draw() & 3) == 0 || !ready(warp)) warp = next_ready(static_cast<int>(draw() % static_cast<unsigned>(size() / 32)));
            if (warp < 0) {
                meet();
                warp = 0;
                continue;
            }
            const bool any = order == schedule::any;
            const int start = any ? static_cast<int>(draw() % 32) : order == schedule::first_ahead ? 0 : 31;
            const int step = (any ? (draw() & 1) != 0 : order == schedule::first_ahead) ? 1 : 31;
            for (int k = 0, lane = start; k < 32; ++k, lane = (lane + step) % 32) {
                fiber& f = at(32 * warp + lane);
                if (f.done || f.waits != nothing) continue;
                current_ = 32 * warp + lane;
                resume(f);
                alive_ -= f.done ? 1 : 0;
            }
            // Neighbours that wait for each other; those beside them may be elsewhere.
            for (int lane = 0, lanes = 1; lane < 32; lane += lanes) {
                lanes = at(32 * warp + lane).waits == of_lanes ? at(32 * warp + lane).lanes : 1;
                bool met = lanes > 1;
                for (int k = 0; met && k < lanes; ++k) met = at(32 * warp + lane + k).waits == of_lanes && at(32 * warp + lane + k).lanes == lanes;
                for (int k = 0; met && k < lanes; ++k) at(32 * warp + lane + k).waits = nothing;
            }
        }
    }

    int size() const { return static_cast<int>(fibers_.size()); }
    void wait_for_block() { wait(of_block); }
    void wait_for_lanes(int lanes) {
        if (lanes == 1) return;
        at(current_).lanes = lanes;
        wait(of_lanes);
    }

    inline static schedule order = schedule::any;

private:
    enum reason : char { nothing, of_lanes, of_block };
    struct fiber {
        ucontext_t context;
        std::unique_ptr<char[]> stack;
        jmp_buf here;
        bool done = false, entered = false;
        reason waits = nothing;
        int lanes = 0;  // that wait together
    };
    static constexpr std::size_t stack_bytes = std::size_t{1} << 16;

    fiber& at(int i) { return fibers_[static_cast<std::size_t>(i)]; }
    unsigned draw() { return state_ = state_ * 1664525u + 1013904223u, state_ >> 8; }

    static void enter(unsigned high, unsigned low, int thread) {
        auto* self = reinterpret_cast<block_of_fibers*>((static_cast<std::uintptr_t>(high) << 32) | low);
        (*self->body_)(thread);
        self->at(thread).done = true;
        _longjmp(self->scheduler_, 1);
    }

    [[gnu::noinline]] void prepare(int i) {
        fiber& f = at(i);
        f.done = false;
        f.waits = nothing;
        getcontext(&f.context);
        f.context.uc_stack.ss_sp = f.stack.get();
        f.context.uc_stack.ss_size = stack_bytes;
        f.context.uc_link = nullptr;
        f.entered = false;
        const auto self = reinterpret_cast<std::uintptr_t>(this);
        makecontext(&f.context, reinterpret_cast<void (*)()>(&enter), 3, static_cast<unsigned>(self >> 32),
                    static_cast<unsigned>(self), i);
    }
    // A context is entered once; after that a jump does, which asks nothing of the kernel.
    [[gnu::noinline]] void resume(fiber& f) {
        if (_setjmp(scheduler_) != 0) return;
        if (f.entered) _longjmp(f.here, 1);
        f.entered = true;
        setcontext(&f.context);
    }
    [[gnu::noinline]] void wait(reason why) {
        fiber& me = at(current_);
        me.waits = why;
        if (_setjmp(me.here) == 0) _longjmp(scheduler_, 1);
    }

    bool ready(int warp) {
        for (int lane = 0; lane < 32; ++lane)
            if (!at(32 * warp + lane).done && at(32 * warp + lane).waits == nothing) return true;
        return false;
    }
    int next_ready(int from) {
        const int warps = size() / 32;
        for (int k = 0; k < warps; ++k)
            if (ready((from + k) % warps)) return (from + k) % warps;
        return -1;
    }
    int last_ready() {
        int warp = size() / 32 - 1;
        while (warp >= 0 && !ready(warp)) --warp;
        return warp;
    }
    // Nobody can go on: then everybody must be at the barrier of the block.
    void meet() {
        for (fiber& f : fibers_) {
            if (f.waits != of_block) {
                std::fputs("a barrier that some threads never reach\n", stderr);
                std::abort();
            }
            f.waits = nothing;
        }
    }

    std::vector<fiber> fibers_;
    jmp_buf scheduler_;
    int alive_ = 0;
    const std::function<void(int)>* body_ = nullptr;
    int current_ = 0;
    unsigned state_ = 12345;
};

/// What a kernel body sees of its block.
struct thread_of_block {
    block_of_fibers* fibers;
    std::byte* memory;     // shared
    std::byte* exchanged;  // 16 bytes per thread: two buffers, so that one barrier an exchange is enough
    bool* last;
    int thread_;
    std::int64_t block_;
    int turn = 0;

    int thread() const { return thread_; }
    int threads() const { return fibers->size(); }
    std::int64_t block() const { return block_; }
    void sync() { fibers->wait_for_block(); }
    void sync_warp(int lanes) { fibers->wait_for_lanes(lanes); }
    std::byte* shared() { return memory; }
    template <class T> T exchange(T v, int mask, int lanes) {
        static_assert(sizeof(T) <= 8);
        if (mask >= lanes) throw std::logic_error("an exchange with a thread that takes no part");
        turn ^= 8;
        std::memcpy(exchanged + thread_ * 16 + turn, &v, sizeof v);
        sync_warp(lanes);
        std::memcpy(&v, exchanged + (thread_ ^ mask) * 16 + turn, sizeof v);
        return v;
    }
    bool claim(int* n, int value) {
        if (*n != 0) return false;
        *n = value;
        return true;
    }
    bool arrive(unsigned* n, unsigned count) {
        sync();
        if (thread_ == 0) {
            *last = ++*n == count;
            if (*last) *n = 0;
        }
        sync();
        return *last;
    }
};

/// While true steps make what they need and run nothing.
inline bool rehearses = false;

/// What a stream has recorded: launches with their arguments, some of them conditions with a graph of their own. Recorded steps have not run.
struct graph {
    std::vector<std::function<void()>> nodes;
    std::list<std::vector<std::byte>> kept;  // memory that steps share, as long as the graph lives
    void run() const {
        for (const auto& n : nodes) n();
    }
};
/// The graphs that are recorded, each in the one before.
inline std::vector<graph*> recorded;
/// Memory that holds as long as what is recorded.
inline std::byte* kept_memory(std::size_t bytes, std::byte filled) {
    auto& made = recorded.front()->kept.emplace_back(bytes + 64, filled);
    const auto p = reinterpret_cast<std::uintptr_t>(made.data());
    return reinterpret_cast<std::byte*>((p + 63) / 64 * 64);
}
/// Runs a launch, or records it: then it has copies of its arguments.
template <class Launch> void queue(Launch&& launch) {
    if (rehearses) return;
    if (recorded.empty()) launch();
    else recorded.back()->nodes.emplace_back(std::forward<Launch>(launch));
}

/// The block size and the number of processors of the machine that is emulated; tests change the second.
template <int Threads> struct platform {
    static constexpr int threads = Threads;
    inline static int processors_ = 3;
    inline static std::vector<std::byte> work;
    inline static std::vector<unsigned> count;
    inline static std::int64_t launches = 0;
    inline static std::int64_t launches_of[6]{};  // by entry

    static int processors() { return processors_; }
    inline static int blocks_of_processor = 4;
    template <class Kernel, int Width, croton::detail::cuda_device::entry Entry, class Args> static std::int64_t resident(const Args&) {
        return std::int64_t{blocks_of_processor} * processors_;
    }
    template <class Kernel, int Width, class Joined> static std::int64_t resident_joined(const Joined&) { return std::int64_t{blocks_of_processor} * processors_; }
    template <class Body, class Argument> static std::int64_t resident_blocks(std::type_identity<Body>, const Argument&) { return std::int64_t{blocks_of_processor} * processors_; }
    template <croton::detail::cuda_device::look When, class T, class In> static std::int64_t resident_factors(const croton::detail::cuda_device::factor_arguments<T, In>&) {
        return std::int64_t{blocks_of_processor} * processors_;
    }
    static std::byte* workspace(std::size_t bytes) {
        // Nothing may rely on what lies there.
        if (!recorded.empty()) return kept_memory(bytes, std::byte{0x5a});
        work.assign(bytes + 64, std::byte{0x5a});
        auto p = reinterpret_cast<std::uintptr_t>(work.data());
        return reinterpret_cast<std::byte*>((p + 63) / 64 * 64);
    }
    static unsigned* counters(int n) {
        if (!recorded.empty()) return reinterpret_cast<unsigned*>(kept_memory(static_cast<std::size_t>(n) * sizeof(unsigned), std::byte{0}));
        for (unsigned c : count)
            if (c != 0) throw std::logic_error("a counter was left behind");
        if (count.size() < static_cast<std::size_t>(n)) count.resize(static_cast<std::size_t>(n));
        return count.data();
    }
    template <class Kernel, int Width, croton::detail::cuda_device::entry Entry, class Args>
    static void launch(std::int64_t blocks, const Args& a) {
        launch_steps<Kernel, Entry>(blocks, [a, blocks](thread_of_block& t) { croton::detail::cuda_device::run_entry<Kernel, Width, Entry>(t, a, blocks); });
    }
    template <class Kernel, croton::detail::cuda_device::entry Entry, class Run> static void launch_steps(std::int64_t blocks, const Run& run) {
        alignas(16) static std::byte shared[croton::detail::cuda_device::shared_bytes_of<Kernel, Entry>];
        launch_threads({blocks, {&launches, &launches_of[static_cast<std::size_t>(Entry)]}, shared}, run);
    }
    /// Blocks, what counts them when they run, and the memory that threads share, of which so many bytes hold garbage before each block.
    struct grid {
        std::int64_t blocks;
        std::int64_t* counts[2];
        std::byte* shared = nullptr;
        std::size_t garbage = 0;
    };
    template <class Run> static void launch_threads(const grid& of, const Run& run) {
        static_assert(std::is_trivially_copyable_v<Run>);
        queue_threads(of, &run, sizeof run, [](const void* r, thread_of_block& t) { (*static_cast<const Run*>(r))(t); });
    }
    // One body for all launches, of which a program has hundreds of kinds.
    static void queue_threads(const grid& of, const void* run, std::size_t bytes, void (*call)(const void*, thread_of_block&)) {
        if (!recorded.empty() && !rehearses) {
            std::byte* const copy = kept_memory(bytes, std::byte{0});
            std::memcpy(copy, run, bytes);
            run = copy;
        }
        queue([of, run, call] {
            static block_of_fibers fibers(Threads);
            alignas(16) static std::byte exchanged[Threads * 16];
            static bool last;
            for (std::int64_t* n : of.counts)
                if (n != nullptr) ++*n;
            for (std::int64_t b = 0; b < of.blocks; ++b) {
                if (of.garbage != 0) std::memset(of.shared, 0x5a, of.garbage);
                fibers.run([&](int thread) {
                    thread_of_block t{&fibers, of.shared, exchanged, &last, thread, b};
                    call(run, t);
                });
            }
        });
    }
    template <class Kernel, int Width, croton::detail::cuda_device::entry Entry, class Args, class Keys>
    static std::int64_t resident_closed(const Args& a, Keys, const typename Keys::arguments&) {
        return resident<Kernel, Width, Entry>(a);
    }
    template <class Kernel, int Width, croton::detail::cuda_device::entry Entry, class Args, class Keys>
    static void launch_closed(std::int64_t blocks, const Args& a, Keys, const typename Keys::arguments& then) {
        launch_steps<Kernel, Entry>(blocks, [a, then, blocks](thread_of_block& t) { croton::detail::cuda_device::run_closed_entry<Kernel, Keys, Width, Entry>(t, a, then, blocks); });
        ++closed_launches[a.closes];
    }
    inline static std::int64_t closed_launches[2]{};  // those of such loops: by themselves, and with the numbers that close them
    template <class Kernel, int Width, class Joined> static void launch_joined(std::int64_t blocks, const Joined& all) {
        launch_threads({blocks, {&launches, &joint_launches}}, [all](thread_of_block& t) {
            croton::detail::cuda_device::run_member<Kernel, Width>(all, t.block_, [&](std::int64_t first) {
                return thread_of_block{t.fibers, nullptr, nullptr, nullptr, t.thread_, t.block_ - first};
            });
        });
    }
    inline static std::int64_t joint_launches = 0;
    /// Blocks of a body; what lies in the memory that they share is nothing that it may rely on.
    template <class Body, class Argument> static void run_blocks(std::type_identity<Body>, std::int64_t blocks, const Argument& a) {
        alignas(16) static std::byte shared[Body::shared_bytes + 16];
        launch_threads({blocks, {&bodies[Body::shared_bytes != 0], nullptr}, shared, sizeof shared}, [a](thread_of_block& in) {
            thread_of_block t{in.fibers, in.memory, nullptr, nullptr, in.thread_, in.block_};
            Body::run(t, a);
        });
    }
    inline static std::int64_t bodies[2]{};  // launches of those without memory that a block shares, and of those with it
    template <croton::detail::cuda_device::look When, class T, class In>
    static void launch_factors(const croton::detail::cuda_device::factor_arguments<T, In>& p) {
        launch_threads({p.blocks, {&launches, nullptr}}, [p](thread_of_block& in) {
            thread_of_block t{in.fibers, nullptr, nullptr, nullptr, in.thread_, in.block_};
            croton::detail::cuda_device::look_at_factors<When>(t, p);
        });
    }
};

}  // namespace emulated

/// The CUDA engine over emulated blocks of `Threads`; memory is that of the host, products are plain loops.
template <int Threads> struct emulated_cuda_of : croton::reference {
    static constexpr bool rewrites = true;
    static constexpr bool fuses = true;
    static constexpr bool multiplies_storage = true;
    using platform = emulated::platform<Threads>;

    // What cuBLAS does with half and bfloat16.
    template <class T, class In>
    static void gemm(std::type_identity_t<T> alpha, croton::kernel::matrix<const In> a, croton::kernel::matrix<const In> b,
                     std::type_identity_t<T> beta, croton::kernel::matrix<T> c) {
        emulated::queue([=] { multiply<T, In>(alpha, a, b, beta, c); });
    }
    template <class T, class In>
    static void multiply(T alpha, croton::kernel::matrix<const In> a, croton::kernel::matrix<const In> b, T beta, croton::kernel::matrix<T> c) {
        if constexpr (std::is_same_v<T, In>) {
            croton::reference::gemm<T>(alpha, a, b, beta, c);
        } else {
            std::vector<T> numbers[2];
            const auto widened = [&](const croton::kernel::matrix<const In>& m, std::vector<T>& to) {
                for (std::int64_t i = 0; i < m.rows; ++i)
                    for (std::int64_t j = 0; j < m.cols; ++j) to.push_back(m.data[i * m.row_stride + j * m.col_stride]);
                return croton::kernel::matrix<const T>{to.data(), m.rows, m.cols, m.cols, 1};
            };
            ++narrow_products;
            croton::reference::gemm<T>(alpha, widened(a, numbers[0]), widened(b, numbers[1]), beta, c);
        }
    }
    template <class T, class In>
    static void gemv(std::type_identity_t<T> alpha, croton::kernel::matrix<const In> a, croton::kernel::vector<const In> x,
                     std::type_identity_t<T> beta, croton::kernel::vector<T> y) {
        gemm<T>(alpha, a, croton::kernel::matrix<const In>{x.data, x.size, 1, x.stride, 1}, beta,
                croton::kernel::matrix<T>{y.data, y.size, 1, y.stride, 1});
    }
    template <class T, class In>
    static void gemm_batched(std::type_identity_t<T> alpha, croton::kernel::matrix<const In> a, croton::kernel::matrix<const In> b,
                             std::type_identity_t<T> beta, croton::kernel::matrix<T> c, const croton::kernel::batch& over) {
        for (std::int64_t i = 0; i < over.count; ++i, a.data += over.a, b.data += over.b, c.data += over.c) gemm<T>(alpha, a, b, beta, c);
    }
    inline static int narrow_products = 0;

    template <class Kernel>
    static void run(const std::int64_t* extents, const croton::kernel::operand* slots, const std::int64_t* scalars) {
        croton::detail::cuda_device::engine<platform, Kernel>::run(extents, slots, scalars);
    }
    static constexpr bool ended_routines = true;
    template <class Routine, class Types> static void routine(const croton::kernel::routine_call& call, std::byte* room) {
        croton::detail::cuda_device::routine_body<Routine, Types>::template run<platform>(call, room);
    }
    template <class Routine, class Types> static std::int64_t routine_room(const croton::kernel::routine_call& call) {
        return croton::detail::cuda_device::routine_body<Routine, Types>::template room<platform>(call);
    }
    static constexpr bool joint_launches = true, closes_loops = true;
    template <class Kernel, class... Then>
    static void run_closed(const std::int64_t* extents, const croton::kernel::operand* slots, const croton::kernel::operand* const* then, const std::int64_t* scalars) {
        croton::detail::cuda_device::engine<platform, Kernel>::template run_closed<Then...>(extents, slots, then, scalars);
    }
    template <class Kernel, int Count>
    static void run_joined(const std::int64_t* extents, const croton::kernel::operand* slots, int slot_count, const std::int64_t* scalars) {
        croton::detail::cuda_device::engine<platform, Kernel>::template run_joined<Count>(extents, slots, slot_count, scalars);
    }
};

using emulated_cuda = emulated_cuda_of<64>;

template <int Threads> struct croton::memory<emulated_cuda_of<Threads>> : croton::memory<croton::cpu> {};

/// The same with a memory that the host may not touch, as a GPU has it: arguments are transferred, factors stay there.
struct emulated_gpu : emulated_cuda {
    static constexpr bool asynchronous = true;

    using emulated_cuda::gemm;
    using emulated_cuda::gemm_batched;
    using emulated_cuda::gemv;
    template <class T, class In>
    static void gemm(const croton::kernel::computed_factors<T>& f, croton::kernel::matrix<const In> a, croton::kernel::matrix<const In> b, croton::kernel::matrix<T> c) {
        gemm_batched<T>(f, a, b, c, {});
    }
    template <class T, class In>
    static void gemv(const croton::kernel::computed_factors<T>& f, croton::kernel::matrix<const In> a, croton::kernel::vector<const In> x, croton::kernel::vector<T> y) {
        gemm<T>(f, a, croton::kernel::matrix<const In>{x.data, x.size, 1, x.stride, 1}, croton::kernel::matrix<T>{y.data, y.size, 1, y.stride, 1});
    }
    template <class T, class In>
    static void gemm_batched(const croton::kernel::computed_factors<T>& f, croton::kernel::matrix<const In> a, croton::kernel::matrix<const In> b,
                             croton::kernel::matrix<T> c, const croton::kernel::batch& over) {
        croton::detail::cuda_device::multiply_computed<platform>(f, a, b, c, over, [&](const T* alpha, const T* beta) {
            emulated::queue([=, accumulates = f.accumulates] {
                // A BLAS does not look at what it multiplies by 0.
                auto x = a;
                if (std::is_floating_point_v<T> && *alpha == T(0)) x.cols = 0;
                auto y = b;
                y.rows = x.cols;
                emulated_cuda::gemm_batched<T>(*alpha, x, y, accumulates ? *beta : T(0), c, over);
            });
        });
    }
    static constexpr bool epilogues = true;
    inline static int products_with_epilogue = 0;
    template <class T, class Activation>
    static void gemm(std::type_identity_t<T> alpha, croton::kernel::matrix<const T> a, croton::kernel::matrix<const T> b,
                     const croton::kernel::epilogue<T, Activation>& then, croton::kernel::matrix<T> c) {
        emulated::queue([=] {
            ++products_with_epilogue;
            croton::reference::gemm<T>(alpha, a, b, T(0), c);
        });
        croton::detail::cuda_device::run_epilogue<platform>(then, c);
    }
    template <class T> static T* factors(std::type_identity_t<T> alpha, std::type_identity_t<T> beta) {
        alignas(T) static std::byte memory[3 * sizeof(T)];
        T* const both = reinterpret_cast<T*>(memory);
        emulated::queue([=] {
            both[0] = alpha;
            both[1] = beta;
        });
        return both;
    }
    template <class T>
    static void copy(int rank, const std::int64_t* extents, const croton::kernel::operand& from, const croton::kernel::operand& to) {
        std::array<std::int64_t, croton::max_rank> all{};
        std::copy_n(extents, rank, all.begin());
        emulated::queue([=] { emulated_cuda::copy<T>(rank, all.data(), from, to); });
    }

    inline static croton::detail::cuda_device::bound_report bounds;
    inline static int bound_launches = 0;
    static int bound_check(std::string before, std::string after) {
        return croton::detail::cuda_device::bound_checks::number(std::move(before), std::move(after));
    }
    template <class T>
    static void check_bounds(int check, const T* first, int rank, const std::int64_t* extents, const std::int64_t* strides, std::int64_t lowest, std::int64_t limit) {
        using namespace croton::detail::cuda_device;
        static emulated::block_of_fibers fibers(platform::threads);
        const auto a = bound_arguments<T>::of(check, first, rank, extents, strides, lowest, limit, &bounds, platform::threads, 4 * platform::processors());
        emulated::queue([a] {
            ++bound_launches;
            for (std::int64_t b = 0; b < a.blocks; ++b)
                fibers.run([&](int thread) {
                    emulated::thread_of_block t{&fibers, nullptr, nullptr, nullptr, thread, b};
                    look_at_bounds(t, a);
                });
        });
    }
    static void synchronize() { croton::detail::cuda_device::bound_checks::raise(bounds); }

    class event {
    public:
        void record() { at_ = clock(); }
        std::int64_t since(const event& start) const { return at_ - start.at_; }

    private:
        std::int64_t at_ = 0;
    };

    using range = croton::detail::cuda_device::range;

    /// Loops whose turns values count: conditions in what is recorded.
    struct turns {
        using state = croton::detail::cuda_device::turn_state;
        template <class T> using copy_of = croton::detail::cuda_device::turn_copy<T>;
        inline static bool refused = false;
        inline static int asked = 0, taken = 0;  // conditions while graphs ran

        static bool possible() { return !refused; }
        static bool recording() { return !emulated::recorded.empty(); }
        static void begin(state* s, const croton::detail::cuda_device::turn_bounds& b) {
            emulated::queue([=] { s->begin(b); });
        }
        template <class T> static void copy(const copy_of<T>& c) {
            emulated::queue([c] {
                for (std::int64_t i = 0; i < c.count; ++i) c.copy(i);
            });
        }
        template <class Body> static void when(state* s, std::int64_t from, std::int64_t to, bool takes, Body&& body) {
            if (emulated::rehearses) return;
            const auto inner = recorded_by(body);
            emulated::queue([=] {
                ++asked;
                if (!(takes ? s->takes(from) : s->has(from, to))) return;
                ++taken;
                inner->run();
            });
        }
        template <class Even, class Odd> static void loop(state* s, Even&& even, Odd&& odd) {
            if (emulated::rehearses) return;
            const auto one = recorded_by(even), other = recorded_by(odd);
            emulated::queue([=] {
                const auto run = [](const emulated::graph& turn, bool goes_on) {
                    ++asked;
                    if (!goes_on) return false;
                    ++taken;
                    turn.run();
                    return true;
                };
                bool goes_on = s->has(0, 1);
                while (run(*one, goes_on) && run(*other, s->goes_on())) goes_on = s->goes_on();
            });
        }

    private:
        template <class Body> static std::shared_ptr<emulated::graph> recorded_by(Body&& body) {
            const auto inner = std::make_shared<emulated::graph>();
            emulated::recorded.push_back(inner.get());
            body();
            emulated::recorded.pop_back();
            return inner;
        }
    };

    /// Records steps when the same memory comes again, and runs what is recorded from then on.
    struct recording {
        struct one {
            std::vector<const void*> addresses;
            std::shared_ptr<emulated::graph> steps;
        };
        std::vector<one> known;
        inline static int replays = 0, runs = 0;
        inline static bool silent = false;  // a replay that leaves the steps out, as a graph passes none on the host
        croton::detail::cuda_device::rehearsals rehearsed;
        inline static int rehearsals = 0;
        void forget() noexcept {
            known.clear();
            rehearsed.forget();
        }
        template <class Steps> void rehearse(std::span<const void* const> addresses, Steps&& steps) {
            rehearsed.run(nullptr, 0, addresses, [&] {
                ++rehearsals;
                emulated::rehearses = true;
                const struct end {
                    ~end() { emulated::rehearses = false; }
                } at_end;
                steps();
            });
        }
        template <class Steps> void run(const std::string&, std::span<const void* const> addresses, Steps&& steps) {
            for (one& k : known) {
                if (!std::ranges::equal(k.addresses, addresses)) continue;
                ++replays;
                if (silent) return;
                if (k.steps == nullptr) {
                    k.steps = std::make_shared<emulated::graph>();
                    emulated::recorded.push_back(k.steps.get());
                    steps();
                    emulated::recorded.pop_back();
                }
                return k.steps->run();
            }
            known.push_back({{addresses.begin(), addresses.end()}, nullptr});
            ++runs;
            steps();
        }
    };
};

template <> struct croton::memory<emulated_gpu> {
    static constexpr bool on_host = false;
    static constexpr std::size_t alignment = 64;
    inline static std::int64_t to_device = 0, to_host = 0;

    static void* allocate(std::size_t bytes) { return memory<cpu>::allocate(bytes); }
    static void deallocate(void* block, std::size_t bytes) noexcept { memory<cpu>::deallocate(block, bytes); }
    static void zero(void* to, std::size_t bytes) {
        emulated::queue([=] { memory<cpu>::zero(to, bytes); });
    }
    static void copy(void* to, const void* from, std::size_t bytes) { memory<cpu>::copy(to, from, bytes); }
    static void copy_from_host(void* to, const void* from, std::size_t bytes) {
        if (!emulated::recorded.empty()) throw std::logic_error("a copy from the host is recorded");
        ++to_device;
        detail::cross(true, bytes, [&] { copy(to, from, bytes); });
    }
    static void copy_to_host(void* to, const void* from, std::size_t bytes) {
        if (!emulated::recorded.empty()) throw std::logic_error("the host reads while steps are recorded");
        ++to_host;
        detail::cross(false, bytes, [&] { copy(to, from, bytes); });
        emulated_gpu::synchronize();
    }
};

#endif
