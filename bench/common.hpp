// SPDX-License-Identifier: MIT
// What all benches share: interleaved timing, the table of ratios, checks of results, hand-written loops on xsimd.
#ifndef CROTON_BENCH_COMMON_HPP
#define CROTON_BENCH_COMMON_HPP

#include <croton/croton.hpp>

#include <cblas.h>
#include <xsimd/xsimd.hpp>

#if __has_include(<Eigen/Core>)
#include <Eigen/Core>
#define BENCH_HAS_EIGEN 1
#else
#define BENCH_HAS_EIGEN 0
#endif

#ifndef BENCH_FLAGS
#define BENCH_FLAGS "not recorded"
#endif

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <limits>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

namespace bench {

// Threads

inline double seconds() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// Threads that share a loop. Idle, they watch for the next task for a moment and then sleep: those of OpenMP watch for
/// so long that they keep the threads of BLAS from their cores.
class workers {
public:
    explicit workers(int count) {
        for (int part = 1; part < count; ++part) threads_.emplace_back([this, part] { work(part); });
    }

    ~workers() { give(nullptr); }

    /// Calls `task` with 0, 1, ..., each on its own thread.
    void run(const std::function<void(int)>& task) {
        give(&task);
        task(0);
        while (running_.load(std::memory_order_acquire) != 0) std::this_thread::yield();
    }

private:
    void give(const std::function<void(int)>* task) {
        task_ = task;
        running_.store(static_cast<int>(threads_.size()), std::memory_order_relaxed);
        turn_.fetch_add(1, std::memory_order_release);
        turn_.notify_all();
    }

    void work(int part) {
        constexpr double patience = 50e-6;
        for (int seen = 0;; ++seen) {
            const double begin = seconds();
            while (turn_.load(std::memory_order_acquire) == seen && seconds() - begin < patience)
                std::this_thread::yield();
            turn_.wait(seen, std::memory_order_acquire);
            if (task_ == nullptr) return;
            (*task_)(part);
            running_.fetch_sub(1, std::memory_order_release);
        }
    }

    const std::function<void(int)>* task_ = nullptr;
    std::atomic<int> turn_{0}, running_{0};
    std::vector<std::jthread> threads_;
};

inline int thread_count = 1;
inline std::optional<workers> pool;

/// One number of threads for croton, for BLAS, for the hand-written loops and for Eigen, whose products share work only
/// where the program is compiled with OpenMP.
inline void set_threads(int count) {
    thread_count = count;
    croton::set_threads(count);
    openblas_set_num_threads(count);
    pool.emplace(count);
#if BENCH_HAS_EIGEN
    Eigen::setNbThreads(count);
#endif
}

/// Sets the number of threads that the first argument of the program asks for; 1 without one.
inline void start(int argc, char** argv) {
    const int count = argc > 1 ? std::atoi(argv[1]) : 1;
    if (argc > 2 || count < 1) {
        std::fprintf(stderr, "usage: %s [threads]\n", argv[0]);
        std::exit(2);
    }
    set_threads(count);
}

// Data

/// The elements of an array.
template <class Array> auto values(Array& a) { return std::span(a.data(), static_cast<std::size_t>(a.size())); }

/// Fills `a` with uniform numbers of [low, high), the same ones in every run.
template <class Array> void fill(Array& a, float low, float high, unsigned seed) {
    std::mt19937 generator(seed);
    std::uniform_real_distribution<float> uniform(low, high);
    for (auto& value : values(a)) value = uniform(generator);
}

/// The largest |a - b| / max(1, |b|); infinite where either is not a number.
template <class A, class B> double max_difference(const A& a, const B& b) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    if (static_cast<std::int64_t>(a.size()) != static_cast<std::int64_t>(b.size())) return infinity;
    double worst = 0;
    for (std::int64_t i = 0; i < static_cast<std::int64_t>(a.size()); ++i) {
        const double x = static_cast<double>(a.data()[i]);
        const double y = static_cast<double>(b.data()[i]);
        const double difference = std::abs(x - y) / std::max(1.0, std::abs(y));
        worst = std::isnan(difference) ? infinity : std::max(worst, difference);
    }
    return worst;
}

#if BENCH_HAS_EIGEN
template <class T, int Rank>
using eigen_type = std::conditional_t<
    Rank == 2, Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>, Eigen::Vector<T, Eigen::Dynamic>>;

/// Eigen's view of a matrix or vector of croton.
template <class T, int Rank> auto eigen(croton::array<T, Rank>& a) {
    return Eigen::Map<eigen_type<T, Rank>, Eigen::Aligned64>(a.data(), a.extent(0), a.size() / a.extent(0));
}
template <class T, int Rank> auto eigen(const croton::array<T, Rank>& a) {
    return Eigen::Map<const eigen_type<T, Rank>, Eigen::Aligned64>(a.data(), a.extent(0), a.size() / a.extent(0));
}
#endif

// The product of BLAS

/// c <- op(a) op(b) + beta c of float32 matrices whose rows lie one behind the other: [m,k] x [k,n] -> [m,n].
inline void gemm(CBLAS_TRANSPOSE ta, CBLAS_TRANSPOSE tb, int m, int n, int k, const float* a, const float* b, float beta, float* c) {
    cblas_sgemm(CblasRowMajor, ta, tb, m, n, k, 1, a, ta == CblasTrans ? m : k, b, tb == CblasTrans ? k : n, beta, c, n);
}

// Hand-written loops

using batch = xsimd::batch<float>;
inline constexpr std::int64_t lanes = static_cast<std::int64_t>(batch::size);

/// How a loop body handles one batch, and one number where no whole batch is left.
struct wide {
    static constexpr int width = static_cast<int>(lanes);
    static batch load(const float* p) { return batch::load_unaligned(p); }
    static void store(float* p, batch v) { v.store_unaligned(p); }
    static batch all(float v) { return batch(v); }
    static batch select(batch::batch_bool_type mask, batch a, batch b) { return xsimd::select(mask, a, b); }
};
struct narrow {
    static constexpr int width = 1;
    static float load(const float* p) { return *p; }
    static void store(float* p, float v) { *p = v; }
    static float all(float v) { return v; }
    static float select(bool mask, float a, float b) { return mask ? a : b; }
};

/// Calls `body(wide{}, i)` for whole batches from `first` on and `body(narrow{}, i)` for what is left before `last`.
template <class Body> void for_batches(std::int64_t first, std::int64_t last, Body body) {
    const std::int64_t whole = last - (last - first) % lanes;
    for (std::int64_t i = first; i < whole; i += lanes) body(wide{}, i);
    for (std::int64_t i = whole; i < last; ++i) body(narrow{}, i);
}

/// Calls `body(first, last)` for equal parts of [0, count) on all threads; for the whole on this one where `work`
/// elements are too few to share.
template <class Body> void parallel_for(std::int64_t count, std::int64_t work, Body body) {
    constexpr std::int64_t least_work = 16384;
    const int parts = work < least_work ? 1 : thread_count;
    if (parts == 1) return body(std::int64_t{0}, count);
    pool->run([=](int part) { body(count * part / parts, count * (part + 1) / parts); });
}

/// `for_batches` over [0, count) on all threads.
template <class Body> void parallel_batches(std::int64_t count, Body body) {
    parallel_for(count / lanes, count,
                 [body](std::int64_t first, std::int64_t last) { for_batches(first * lanes, last * lanes, body); });
    for_batches(count - count % lanes, count, body);
}

// Timing

/// Tells the compiler that all memory may have been read and written here.
inline void clobber() { asm volatile("" ::: "memory"); }

inline double median(std::vector<double> values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

/// One table: the first row is croton, every other row is compared with it.
class table {
public:
    explicit table(const std::string& title) { std::printf("%s, threads %d\n", title.c_str(), thread_count); }

    /// Adds a row. `target` is the ratio croton/this that is aimed at; 0 where the row is there for information.
    template <class Call> void row(std::string name, double target, Call call) {
        rows_.push_back({std::move(name), target, {repeated<-1>(call)}, 1, {}});
    }
    /// The same of a few nanoseconds: they hang by up to a half on where the instructions lie. The rounds take copies in turn, each 16 bytes further on in its 64.
    template <class Call> void placed_row(std::string name, double target, Call call) {
        rows_.push_back({std::move(name), target, {repeated<0>(call), repeated<16>(call), repeated<32>(call), repeated<48>(call)}, 1, {}});
    }

    /// Says by how much a result differs from the raw one; beyond `tolerance` the program will end with 1.
    void check(const std::string& what, double difference, double tolerance) {
        const bool right = difference <= tolerance;
        std::printf("  check %-34s max difference %.1e (at most %.0e)  %s\n", what.c_str(), difference, tolerance,
                    right ? "ok" : "WRONG");
        if (!right) wrong_ = true;
    }

    /// Times all rows in turn, round after round, and prints the table. Every other round goes backwards, and each pair of them begins with the next row: one that mostly came
    /// after the same one would find the caches as that one leaves them.
    void measure() {
        for (auto& r : rows_) r.count = calls_per_sample(r);
        const std::size_t n = rows_.size();
        for (std::size_t round = 0; round < rounds(); ++round)
            for (std::size_t i = 0; i < n; ++i) sample(rows_[(round / 2 + (round % 2 == 0 ? i : n - 1 - i)) % n]);
        print();
    }

    /// What main returns, after the line that says where the numbers come from.
    static int finish() {
        std::string model = "unknown processor";
        std::ifstream info("/proc/cpuinfo");
        for (std::string line; std::getline(info, line);)
            if (line.starts_with("model name")) {
                model = line.substr(line.find(':') + 2);
                break;
            }
#ifdef __clang__
        const char* compiler = "";
#else
        const char* compiler = "g++ ";
#endif
        std::printf("%s%s; flags %s; %s, %u cores; xsimd %s; %s\n", compiler, __VERSION__, BENCH_FLAGS, model.c_str(),
                    std::thread::hardware_concurrency(), xsimd::default_arch::name(), openblas_get_config());
        return wrong_ ? 1 : 0;
    }

private:
    struct entry {
        std::string name;
        double target;
        std::vector<std::function<void(std::int64_t)>> repeat;  // the same, in as many places
        std::int64_t count;
        std::vector<double> samples;
    };

    /// The loop that repeats a call; from 0 on so many bytes behind an address that is a multiple of 64.
    template <int Place, class Call> static std::function<void(std::int64_t)> repeated(Call call) {
        return [call](std::int64_t count) mutable {
#if defined(__x86_64__)
            if constexpr (Place >= 0) asm volatile(".p2align 6\n\t.skip %c0, 0x90" ::"i"(Place));
#endif
            for (std::int64_t i = 0; i < count; ++i) {
                call();
                clobber();
            }
        };
    }

    // On one thread samples are short and many: some of them no other program interrupts.
    static std::size_t rounds() {
        static const char* const wanted = std::getenv("BENCH_ROUNDS");
        return wanted ? static_cast<std::size_t>(std::max(1, std::atoi(wanted))) : thread_count > 1 ? 31 : 201;
    }
    static double sample_seconds() { return thread_count > 1 ? 5e-3 : 5e-4; }

    static double time(entry& r) {
        const auto& repeat = r.repeat[r.samples.size() % r.repeat.size()];
        const double begin = seconds();
        repeat(r.count);
        return seconds() - begin;
    }

    static std::int64_t calls_per_sample(entry& r) {
        double taken = 0;
        for (time(r); (taken = time(r)) < sample_seconds() / 4; r.count *= 2) {}
        const double calls = sample_seconds() / taken * static_cast<double>(r.count);
        return std::max<std::int64_t>(1, static_cast<std::int64_t>(calls));
    }

    static void sample(entry& r) {
        // Waiting workers of the row before spin for up to 30 ms and would sit on the cores of this one.
        if (thread_count > 1) std::this_thread::sleep_for(std::chrono::milliseconds(40));
        // The caches are those of the row before until then.
        r.repeat[r.samples.size() % r.repeat.size()](3);
        r.samples.push_back(time(r) / static_cast<double>(r.count));
        if (openblas_get_num_threads() != thread_count) {
            std::printf("  %s changed the threads of BLAS: %d\n", r.name.c_str(), openblas_get_num_threads());
            openblas_set_num_threads(thread_count);
            wrong_ = true;
        }
    }

    static std::string in_units(double t) {
        const auto [unit, scale] = t < 1e-6   ? std::pair{"ns", 1e9}
                                   : t < 1e-3 ? std::pair{"us", 1e6}
                                              : std::pair{"ms", 1e3};
        char text[32];
        std::snprintf(text, sizeof text, "%.2f %s", t * scale, unit);
        return text;
    }

    // The ratio is the median of the ratios of the rounds: what slows the machine for a while slows both sides of one. Beside many other programs that of the
    // best is the better one.
    void print() const {
        std::printf("  %-40s %11s %11s %12s %11s %8s\n", "", "median", "best", "croton/this", "of bests", "target");
        for (const auto& r : rows_) {
            std::vector<double> ratios;
            for (std::size_t i = 0; i < rounds(); ++i) ratios.push_back(rows_.front().samples[i] / r.samples[i]);
            char target[16] = "";
            if (r.target > 0) std::snprintf(target, sizeof target, "%.2f", r.target);
            const double best = std::ranges::min(r.samples);
            std::printf("  %-40s %11s %11s %12.2f %11.2f %8s\n", r.name.c_str(), in_units(median(r.samples)).c_str(), in_units(best).c_str(), median(ratios),
                        std::ranges::min(rows_.front().samples) / best, target);
        }
    }

    static inline bool wrong_ = false;
    std::vector<entry> rows_;
};

}  // namespace bench

#endif
