// SPDX-License-Identifier: MIT
// How many threads croton uses, and the small pool of workers that waits for loops worth splitting.
#ifndef CROTON_DEVICE_CPU_THREADS_HPP
#define CROTON_DEVICE_CPU_THREADS_HPP

#include <croton/config.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <type_traits>
#include <vector>

#if CROTON_HAS_CBLAS
// Weak, because only OpenBLAS has it.
extern "C" [[gnu::weak]] void openblas_set_num_threads(int);
extern "C" [[gnu::weak]] int openblas_get_num_threads();
#endif

namespace croton::inline v0_1 {

namespace detail {

inline int hardware_threads() {
    const unsigned n = std::thread::hardware_concurrency();
    return n == 0 ? 1 : static_cast<int>(n);
}

/// How many threads OpenBLAS uses; 0 where it is not the BLAS.
inline int blas_threads() {
#if CROTON_HAS_CBLAS
    if (openblas_get_num_threads) return openblas_get_num_threads();
#endif
    return 0;
}

/// Workers that run the parts of one job. Which part does what depends on the number of parts only.
class thread_pool {
public:
    using work = void (*)(void* context, int part);

    static thread_pool& instance() {
        static thread_pool pool;
        return pool;
    }

    thread_pool(const thread_pool&) = delete;
    thread_pool& operator=(const thread_pool&) = delete;
    ~thread_pool() { stop(); }

    int size() const noexcept { return size_.load(std::memory_order_relaxed); }

    /// Whether the calling thread runs a part of a job.
    static bool working() noexcept { return inside_; }

    void resize(int size) {
        const std::lock_guard lock(busy_);
        stop();
        size_.store(size, std::memory_order_relaxed);
    }

    /// Calls `f(context, part)` for each part. Rethrows the first exception by part.
    void run(int parts, work f, void* context) {
        std::unique_lock lock(busy_, std::defer_lock);
        // A second caller, and a job that starts a job, do their parts themselves.
        if (parts <= 1 || inside_ || !lock.try_lock()) {
            for (int part = 0; part < parts; ++part) f(context, part);
            return;
        }
        start(parts - 1);
        errors_.assign(static_cast<std::size_t>(parts), nullptr);
        work_ = f;
        context_ = context;
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
        for (const std::exception_ptr& error : errors_)
            if (error) std::rethrow_exception(error);
    }

private:
    thread_pool() : size_(hardware_threads()) {}

    // Half a millisecond: threads that share memory end that far apart, and to wake one that sleeps takes long.
    template <class Done> static bool spin(Done done) {
        for (int turn = 0; turn < 1024; ++turn) {
            for (int i = 0; i < 64; ++i)
                if (done()) return true;
            std::this_thread::yield();
        }
        return false;
    }

    // Runs parts of a job until none is open. Whoever holds a part keeps the job, and what belongs to it, alive.
    void work_on(std::uint32_t job) {
        std::uint64_t state = open_.load(std::memory_order_acquire);
        while (state >> 32 == job && static_cast<std::uint32_t>(state) != 0) {
            if (!open_.compare_exchange_weak(state, state - 1, std::memory_order_acq_rel, std::memory_order_acquire))
                continue;
            const std::uint32_t part = static_cast<std::uint32_t>(state) - 1;
            try {
                work_(context_, static_cast<int>(part));
            } catch (...) {
                errors_[part] = std::current_exception();
            }
            if (pending_.fetch_sub(1, std::memory_order_acq_rel) == 1) pending_.notify_one();
            state = open_.load(std::memory_order_acquire);
        }
    }

    void start(int wanted) {
        const int current = static_cast<int>(workers_.size());
        if (current >= wanted) return;
        try {
            for (int w = current; w < wanted; ++w)
                workers_.emplace_back([this, seen = generation_.load(std::memory_order_relaxed)] { serve(seen); });
        } catch (const std::system_error&) {
            // The system gives no more threads: the caller does their parts.
        }
    }

    void stop() {
        if (workers_.empty()) return;
        stopping_ = true;
        generation_.fetch_add(1, std::memory_order_release);
        generation_.notify_all();
        for (std::thread& worker : workers_) worker.join();
        workers_.clear();
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

    std::mutex busy_;
    std::atomic<int> size_;
    std::vector<std::thread> workers_;
    std::vector<std::exception_ptr> errors_;
    work work_ = nullptr;
    void* context_ = nullptr;
    std::atomic<bool> stopping_ = false;
    alignas(64) std::atomic<std::uint32_t> generation_{0};
    alignas(64) std::atomic<std::uint64_t> open_{0};  // the job, and how many of its parts nobody has begun
    alignas(64) std::atomic<int> pending_{0};         // how many parts have not ended
    static inline thread_local bool inside_ = false;
};

/// Calls `f(part)` for each of `parts` parts, on as many threads.
template <class F> void parallel(int parts, F&& f) {
    thread_pool::instance().run(
        parts, [](void* context, int part) { (*static_cast<std::remove_reference_t<F>*>(context))(part); }, &f);
}

}  // namespace detail

/// The number of threads that CPU functions use: the hardware's unless `set_threads` said otherwise.
inline int threads() { return detail::thread_pool::instance().size(); }

/// Sets the number of threads of CPU functions and of OpenBLAS; 0 or less means the hardware's. Results of sums depend on
/// this number, and on nothing else. Call it while no function runs.
inline void set_threads(int count) {
    if (count <= 0) count = detail::hardware_threads();
    detail::thread_pool::instance().resize(count);
#if CROTON_HAS_CBLAS
    if (openblas_set_num_threads) openblas_set_num_threads(count);
#endif
}

}  // namespace croton::inline v0_1

#endif
