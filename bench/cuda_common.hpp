// SPDX-License-Identifier: MIT
// What the GPU benches share: interleaved timing of queued calls, the table of ratios, checks of results, raw cuBLAS.
#ifndef CROTON_BENCH_CUDA_COMMON_HPP
#define CROTON_BENCH_CUDA_COMMON_HPP

#include <croton/croton.hpp>

#include <cublas_v2.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace bench {

using croton::array;
using croton::cuda;

/// Ends the program, skipped, where there is no GPU; says which one there is.
inline void start() {
    if (cuda::count() == 0) {
        std::puts("skipped: no CUDA device");
        std::exit(77);
    }
    cudaDeviceProp p{};
    if (cudaGetDeviceProperties(&p, 0) == cudaSuccess) std::printf("%s, %d processors\n", p.name, p.multiProcessorCount);
}

inline void check(cudaError_t code) {
    if (code != cudaSuccess) throw croton::device_error(cudaGetErrorString(code));
}
inline void check(cublasStatus_t code) {
    if (code != CUBLAS_STATUS_SUCCESS) throw croton::device_error(cublasGetStatusString(code));
}

/// A cuBLAS handle on croton's stream, for what croton is compared with.
inline cublasHandle_t blas() {
    static cublasHandle_t const handle = [] {
        cublasHandle_t made = nullptr;
        check(cublasCreate(&made));
        check(cublasSetStream(made, cuda::stream()));
        return made;
    }();
    return handle;
}

/// Calls queued on the stream as one CUDA graph: what a careful person does by hand.
class graph {
public:
    template <class F> explicit graph(F&& calls) {
        calls();  // once outside, for whatever is made at the first call
        cuda::synchronize();
        cudaGraph_t made = nullptr;
        check(cudaStreamBeginCapture(cuda::stream(), cudaStreamCaptureModeThreadLocal));
        calls();
        check(cudaStreamEndCapture(cuda::stream(), &made));
        check(cudaGraphInstantiate(&exec_, made, 0));
        check(cudaGraphDestroy(made));
    }
    graph(const graph&) = delete;
    graph& operator=(const graph&) = delete;
    ~graph() { (void)cudaGraphExecDestroy(exec_); }
    void operator()() const { check(cudaGraphLaunch(exec_, cuda::stream())); }

private:
    cudaGraphExec_t exec_ = nullptr;
};

/// Numbers from low to high, the same in every run.
template <class T, int R> array<T, R> numbers(const croton::extents_of<R>& extents, double low, double high, unsigned seed) {
    array<T, R> a(extents);
    std::uint64_t state = seed;
    for (T& x : a) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        x = static_cast<T>(low + (high - low) * static_cast<double>(state >> 40) / (1 << 24));
    }
    return a;
}

template <class A, class B> double max_difference(const A& a, const B& b) {
    const auto x = a.template to<croton::cpu>(), y = b.template to<croton::cpu>();
    double most = 0;
    for (std::int64_t i = 0; i < x.size(); ++i) {
        const double d = std::fabs(static_cast<double>(x.data()[i]) - static_cast<double>(y.data()[i]));
        if (!(d <= most)) most = d;
    }
    return most;
}

/// Rows that are timed in turn: many calls are queued, then waited for. The first row is what the others are related to.
class table {
public:
    explicit table(std::string title) : title_(std::move(title)) {}

    /// `bytes` and `flops` are those of one call; 0 leaves the rate out. `target`: the first row should take at most so many times what this one takes, for as
    /// many bytes where both have some.
    void row(std::string name, std::function<void()> call, double bytes = 0, double flops = 0, double target = 0) {
        rows_.push_back({std::move(name), std::move(call), bytes, flops, target, {}});
    }
    /// The first row should take less than so many seconds.
    void limit(double seconds) { limit_ = seconds; }
    void check(const char* what, double difference, double limit) {
        const bool right = difference <= limit;
        std::printf("  %s: results differ by %.3g at most, of %.3g: %s\n", what, difference, limit, right ? "right" : "WRONG");
        wrong_ = wrong_ || !right;
    }

    /// Times and prints everything; 1 where a result was wrong. A target that is missed is printed, and no error.
    int finish() {
        constexpr int rounds = 15;
        for (auto& r : rows_) measure(r, 3);  // graphs, pools, clocks
        for (int k = 0; k < rounds; ++k)
            for (auto& r : rows_) r.times.push_back(measure(r, repeats(r)));
        std::printf("%s\n", title_.c_str());
        for (auto& r : rows_) std::sort(r.times.begin(), r.times.end());
        const timed& first = rows_.front();
        for (const auto& r : rows_) {
            std::printf("  %-44s %10.2f us  (%.2f to %.2f)", r.name.c_str(), median(r) * 1e6, r.times.front() * 1e6, r.times.back() * 1e6);
            if (r.bytes > 0) std::printf("  %7.1f GB/s", r.bytes / median(r) * 1e-9);
            if (r.flops > 0) std::printf("  %8.1f GFLOP/s", r.flops / median(r) * 1e-9);
            if (&r != &first) std::printf("  croton takes %.3f of it", related(first, r));
            std::printf("\n");
        }
        for (const auto& r : rows_)
            if (r.target > 0) {
                char wanted[160];
                std::snprintf(wanted, sizeof wanted, "%.3f of %s, at most %.3f", related(first, r), r.name.c_str(), r.target);
                judge(wanted, related(first, r) <= r.target);
            }
        if (limit_ > 0) {
            char wanted[80];
            std::snprintf(wanted, sizeof wanted, "%.2f us, less than %.2f us", median(first) * 1e6, limit_ * 1e6);
            judge(wanted, median(first) < limit_);
        }
        return wrong_ ? 1 : 0;
    }

private:
    struct timed {
        std::string name;
        std::function<void()> call;
        double bytes, flops, target;
        std::vector<double> times;
    };
    static double median(const timed& r) { return r.times[r.times.size() / 2]; }
    static double related(const timed& first, const timed& r) {
        const double more = first.bytes > 0 && r.bytes > 0 ? r.bytes / first.bytes : 1;
        return median(first) / median(r) * more;
    }
    // run.sh counts these lines.
    void judge(const char* wanted, bool reached) const { std::printf("  target: %s: %s: %s\n", title_.c_str(), wanted, reached ? "pass" : "falls short"); }
    static double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }
    static double measure(const timed& r, int calls) {
        cuda::synchronize();
        const double begin = now();
        for (int i = 0; i < calls; ++i) r.call();
        cuda::synchronize();
        return (now() - begin) / calls;
    }
    static int repeats(const timed& r) { return std::clamp(static_cast<int>(0.02 / measure(r, 2)), 2, 2000); }

    std::string title_;
    std::vector<timed> rows_;
    double limit_ = 0;
    bool wrong_ = false;
};

}  // namespace bench

#endif
