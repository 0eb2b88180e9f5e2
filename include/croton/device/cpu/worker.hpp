// SPDX-License-Identifier: MIT
// Threads and locks of the system. <thread> and <mutex> bring clocks, calendars, semaphores and tokens as well, which every unit would read.
#ifndef CROTON_DEVICE_CPU_WORKER_HPP
#define CROTON_DEVICE_CPU_WORKER_HPP

#include <croton/config.hpp>

#if CROTON_HAS_FORK
#include <pthread.h>
#include <sched.h>
#else
#include <mutex>
#include <system_error>
#include <thread>
#endif

namespace croton::inline v0_1::detail {

#if CROTON_HAS_FORK

/// What std::mutex is where there are threads of POSIX.
class mutex {
public:
    mutex() = default;
    mutex(const mutex&) = delete;
    mutex& operator=(const mutex&) = delete;

    void lock() noexcept { pthread_mutex_lock(&system_); }
    bool try_lock() noexcept { return pthread_mutex_trylock(&system_) == 0; }
    void unlock() noexcept { pthread_mutex_unlock(&system_); }

private:
    pthread_mutex_t system_ = PTHREAD_MUTEX_INITIALIZER;
};

/// One thread, or none.
class worker {
public:
    /// Calls `run(of)` in a thread; false where the system gives none. Who started it joins it.
    bool start(void (*run)(void* of) noexcept, void* of) noexcept {
        run_ = run;
        of_ = of;
        const auto begin = [](void* me) -> void* {
            const worker& self = *static_cast<const worker*>(me);
            self.run_(self.of_);
            return nullptr;
        };
        return pthread_create(&system_, nullptr, begin, this) == 0;
    }
    void join() noexcept { pthread_join(system_, nullptr); }

private:
    void (*run_)(void* of) noexcept = nullptr;
    void* of_ = nullptr;
    pthread_t system_{};
};

inline void let_others_run() noexcept { sched_yield(); }

#else

using mutex = std::mutex;

class worker {
public:
    bool start(void (*run)(void* of) noexcept, void* of) noexcept {
        try {
            system_ = std::thread(run, of);
        } catch (const std::system_error&) {
            return false;
        }
        return true;
    }
    void join() { system_.join(); }

private:
    std::thread system_;
};

inline void let_others_run() noexcept { std::this_thread::yield(); }

#endif

struct already_locked_t {};
inline constexpr already_locked_t already_locked;

/// Holds a lock until the end of a scope.
class lock_scope {
public:
    explicit lock_scope(mutex& held) : held_(held) { held.lock(); }
    lock_scope(mutex& held, already_locked_t) noexcept : held_(held) {}
    lock_scope(const lock_scope&) = delete;
    lock_scope& operator=(const lock_scope&) = delete;
    ~lock_scope() { held_.unlock(); }

private:
    mutex& held_;
};

}  // namespace croton::inline v0_1::detail

#endif
