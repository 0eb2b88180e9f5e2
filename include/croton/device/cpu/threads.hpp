// SPDX-License-Identifier: MIT
// How many threads croton uses, and the small pool of workers that waits for loops worth splitting.
#ifndef CROTON_DEVICE_CPU_THREADS_HPP
#define CROTON_DEVICE_CPU_THREADS_HPP

#include <croton/config.hpp>
#include <croton/device/cpu/blas_library.hpp>
#include <croton/device/cpu/processors.hpp>
#include <croton/device/cpu/worker.hpp>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <new>
#include <type_traits>
#include <utility>

#if CROTON_HAS_FORK
#include <pthread.h>
#endif

namespace croton::inline v0_1 {

namespace detail {

/// The threads among which one loop is split at most.
inline constexpr int most_threads = 64;

/// 0 until somebody asks or sets it.
inline constinit std::atomic<int> thread_count{0};

/// OpenBLAS knows nothing of control groups: where they leave less, its threads would wait for each other.
CROTON_PLAIN [[gnu::cold, gnu::noinline]] bool limit_threads_of_blas() {
    if (blas_threads() > 1 && blas_threads() > available_processors()) blas_library().set_threads(available_processors());
    return true;
}
CROTON_ONCE(limit_threads_of_blas<>)
inline void keep_blas_within_limits() { [[maybe_unused]] static const bool kept = limit_threads_of_blas(); }

/// Workers that run the parts of one job. Which part does what depends on the number of parts only, so that a job is the
/// same without workers: where there is no memory or no thread for them, in a process that ends, and where a job starts a job.
///
/// The pool is made when the first job wants it and never freed, because objects that are destroyed after it may call
/// functions. The child of a fork has none of its threads, and makes a pool of its own.
class thread_pool {
public:
    using work = void (*)(void* context, int part);

    thread_pool(const thread_pool&) = delete;
    thread_pool& operator=(const thread_pool&) = delete;

    /// Whether the calling thread runs a part of a job.
    static bool working() noexcept { return inside_; }

    /// Ends all workers. The next job starts as many as it wants.
    static void end_workers() {
        thread_pool* const pool = current_.load(std::memory_order_acquire);
        // A part of a job cannot wait for its end.
        if (pool == nullptr || inside_) return;
        // From here on, jobs are done by who brings them.
        pool->callers_only_.fetch_add(1, std::memory_order_relaxed);
        {
            const lock_scope lock(pool->busy_);
            pool->stop();
        }
        pool->callers_only_.fetch_sub(1, std::memory_order_relaxed);
    }

    /// Calls `f(context, part)` for each part. Rethrows the first exception by part.
    CROTON_PLAIN [[gnu::noinline]] static void run(int parts, work f, void* context);

private:
    thread_pool() = default;

    /// Null where there can be none.
    static thread_pool* instance() noexcept {
        thread_pool* pool = current_.load(std::memory_order_acquire);
        if (pool != nullptr) return pool;
        static const process_watch watch;
        if (!watch.sees_forks) return nullptr;
        auto* const made = new (std::nothrow) thread_pool;
        if (made == nullptr || current_.compare_exchange_strong(pool, made, std::memory_order_acq_rel)) return made;
        delete made;
        return pool;
    }

    ~thread_pool() = default;

    struct process_watch {
        bool sees_forks = true;

        process_watch() noexcept {
#if CROTON_HAS_FORK
            sees_forks = pthread_atfork(nullptr, nullptr, [] {
                // What the parent's pool holds has no threads any more, and its locks may be taken by some of them.
                thread_pool* const parents = current_.exchange(nullptr, std::memory_order_relaxed);
                if (parents == nullptr) return;
                parents->older_ = abandoned_;
                abandoned_ = parents;
            }) == 0;
#endif
        }
        // A library that is unloaded takes the code of its workers with it.
        ~process_watch() {
            if (thread_pool* const pool = current_.load(std::memory_order_acquire); pool != nullptr) {
                pool->callers_only_.fetch_add(1, std::memory_order_relaxed);
                end_workers();
            }
        }
    };

    /// False where the caller has to do it alone: another job runs, or there is a reason to start none.
    bool run_job(int parts, work f, void* context) {
        if (callers_only_.load(std::memory_order_relaxed) != 0 || !busy_.try_lock()) return false;
        const lock_scope lock(busy_, already_locked);
        start(parts - 1);
        if (workers_ == 0) return false;
        work_ = f;
        context_ = context;
        error_ = nullptr;
        failed_ = parts;
        pending_.store(parts, std::memory_order_relaxed);
        const std::uint32_t job = generation_.load(std::memory_order_relaxed) + 1;
        open_.store(std::uint64_t{job} << 32 | static_cast<std::uint32_t>(parts), std::memory_order_release);
        generation_.store(job, std::memory_order_release);
        generation_.notify_all();
        // Parts that no worker has begun by now are the caller's: it never waits for a worker to wake.
        inside_ = true;
        work_on(job);
        inside_ = false;
        for (int left = pending_.load(std::memory_order_acquire); left != 0;
             left = pending_.load(std::memory_order_acquire))
            if (!spin([&] { return pending_.load(std::memory_order_acquire) != left; })) pending_.wait(left);
        if (failed_ < parts) std::rethrow_exception(std::exchange(error_, nullptr));
        return true;
    }

    // Half a millisecond: threads that share memory end that far apart, and to wake one that sleeps takes long.
    template <class Done> static bool spin(Done done) {
        for (int turn = 0; turn < 1024; ++turn) {
            for (int i = 0; i < 64; ++i)
                if (done()) return true;
            let_others_run();
        }
        return false;
    }

    // Runs parts of a job until none is open. Whoever holds a part keeps the job, and what belongs to it, alive.
    void work_on(std::uint32_t job) {
        std::uint64_t state = open_.load(std::memory_order_acquire);
        while (state >> 32 == job && static_cast<std::uint32_t>(state) != 0) {
            if (!open_.compare_exchange_weak(state, state - 1, std::memory_order_acq_rel, std::memory_order_acquire))
                continue;
            const int part = static_cast<int>(static_cast<std::uint32_t>(state)) - 1;
            try {
                work_(context_, part);
            } catch (...) {
                const lock_scope lock(failing_);
                if (part < failed_) {
                    failed_ = part;
                    error_ = std::current_exception();
                }
            }
            if (pending_.fetch_sub(1, std::memory_order_acq_rel) == 1) pending_.notify_one();
            state = open_.load(std::memory_order_acquire);
        }
    }

    // Where the system gives no more threads, or no memory for them, the caller does their parts.
    void start(int wanted) noexcept {
        wanted = std::min(wanted, most_threads);
        for (; workers_ < wanted; ++workers_) {
            seen_[workers_] = {this, generation_.load(std::memory_order_relaxed)};
            const auto serve = [](void* of) noexcept {
                const auto [pool, seen] = *static_cast<const beginning*>(of);
                pool->serve(seen);
            };
            if (!worker_[workers_].start(serve, &seen_[workers_])) return;
        }
    }

    void stop() {
        if (workers_ == 0) return;
        stopping_ = true;
        generation_.fetch_add(1, std::memory_order_release);
        generation_.notify_all();
        for (; workers_ > 0; --workers_) worker_[workers_ - 1].join();
        stopping_ = false;
    }

    void serve(std::uint32_t seen) {
        inside_ = true;
        for (;;) {
            const auto changed = [&] { return generation_.load(std::memory_order_acquire) != seen; };
            while (!changed())
                if (!spin(changed)) generation_.wait(seen, std::memory_order_acquire);
            seen = generation_.load(std::memory_order_acquire);
            if (stopping_) return;
            work_on(seen);
        }
    }

    /// What a worker knows when it begins: the last job that it has no part in.
    struct beginning {
        thread_pool* pool;
        std::uint32_t seen;
    };

    mutex busy_, failing_;
    int workers_ = 0;
    worker worker_[most_threads];
    beginning seen_[most_threads];
    work work_ = nullptr;
    void* context_ = nullptr;
    std::exception_ptr error_;  // of the part `failed_`, the first that threw
    int failed_ = 0;
    [[maybe_unused]] thread_pool* older_ = nullptr;
    std::atomic<bool> stopping_ = false;
    std::atomic<int> callers_only_{0};  // how many want that no job comes to the workers
    alignas(64) std::atomic<std::uint32_t> generation_{0};
    alignas(64) std::atomic<std::uint64_t> open_{0};  // the job, and how many of its parts nobody has begun
    alignas(64) std::atomic<int> pending_{0};         // how many parts have not ended

    static inline constinit std::atomic<thread_pool*> current_{nullptr};
    static inline constinit thread_pool* abandoned_ = nullptr;  // of the processes from which this one was forked
    static inline constinit thread_local bool inside_ = false;
};

template <class Unit> void thread_pool::run(int parts, work f, void* context) {
    thread_pool* const pool = parts > 1 && !inside_ ? instance() : nullptr;
    if (pool != nullptr && pool->run_job(parts, f, context)) return;
    for (int part = 0; part < parts; ++part) f(context, part);
}
CROTON_ONCE(thread_pool::run<>)

/// Calls `f(part)` for each of `parts` parts, on as many threads.
template <class F> void parallel(int parts, F&& f) {
    thread_pool::run(parts, [](void* context, int part) { (*static_cast<std::remove_reference_t<F>*>(context))(part); }, &f);
}

}  // namespace detail

/// The number of threads that CPU functions use: the processors that this process may use, by its affinity and by the limits
/// of its container (cgroups), unless `set_threads` said otherwise. One loop is split among 64 at most.
inline int threads() {
    int count = detail::thread_count.load(std::memory_order_relaxed);
    if (count != 0) [[likely]] return count;
    const int available = detail::available_processors();
    return detail::thread_count.compare_exchange_strong(count, available, std::memory_order_relaxed) ? available : count;
}

/// Sets the number of threads of CPU functions and of the BLAS, where that is OpenBLAS, MKL, BLIS or FlexiBLAS; others have
/// means of their own. 0 or less means the processors that this process may use now; more than the machine has, or than 64
/// where it has less, means that. Results of sums depend on this number, and on nothing else. It may be called at any time;
/// calls that run go on with what they have.
inline void set_threads(int count) {
    const int most = std::max(detail::most_threads, detail::processors_of_machine());
    count = count <= 0 ? detail::available_processors() : std::min(count, most);
    detail::thread_count.store(count, std::memory_order_relaxed);
    detail::thread_pool::end_workers();
    detail::blas_library().set_threads(count);
}

/// The number of threads while it lives: `const auto alone = threads(1);`. Behind it there are as many as before, in the BLAS too. Scopes end in the reverse
/// order of their begin, also where several threads open them.
class [[nodiscard("the number of threads goes back at once: keep it, as in const auto scope = threads(1);")]] thread_scope {
public:
    explicit thread_scope(int count) : before_(threads()), blas_before_(detail::blas_threads()) { set_threads(count); }
    thread_scope(const thread_scope&) = delete;
    thread_scope& operator=(const thread_scope&) = delete;
    ~thread_scope() {
        set_threads(before_);
        if (blas_before_ > 0) detail::blas_library().set_threads(blas_before_);
    }

private:
    int before_, blas_before_;
};

/// Sets the number of threads as `set_threads` does, until the end of the scope that keeps what it gives.
inline thread_scope threads(int count) { return thread_scope(count); }

}  // namespace croton::inline v0_1

#endif
