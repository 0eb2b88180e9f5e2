// SPDX-License-Identifier: MIT
// A device with a memory of its own whose matrices LAPACK takes apart, with the arguments that cuSOLVER would get.
#ifndef CROTON_TESTS_DEVICE_EMULATED_SOLVER_HPP
#define CROTON_TESTS_DEVICE_EMULATED_SOLVER_HPP

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include <croton/device/cpu/lapack.hpp>
#include <croton/device/cuda/solver.hpp>

#include "device/emulated_cuda.hpp"

extern "C" {
#define CROTON_TEST_LAPACK(T, trsm, getrs, geqrf, orgqr, gesvd)                                                                                                                      \
    void test_##trsm(const char*, const char*, const char*, const char*, const int*, const int*, const T*, const T*, const int*, T*, const int*, std::size_t, std::size_t,           \
                     std::size_t, std::size_t) CROTON_LAPACK_NAME(trsm);                                                                                                             \
    void test_##getrs(const char*, const int*, const int*, const T*, const int*, const int*, T*, const int*, int*, std::size_t) CROTON_LAPACK_NAME(getrs);                            \
    void test_##geqrf(const int*, const int*, T*, const int*, T*, T*, const int*, int*) CROTON_LAPACK_NAME(geqrf);                                                                   \
    void test_##orgqr(const int*, const int*, const int*, T*, const int*, const T*, T*, const int*, int*) CROTON_LAPACK_NAME(orgqr);                                                 \
    void test_##gesvd(const char*, const char*, const int*, const int*, T*, const int*, T*, T*, const int*, T*, const int*, T*, const int*, int*, std::size_t, std::size_t)          \
        CROTON_LAPACK_NAME(gesvd);
CROTON_TEST_LAPACK(float, strsm, sgetrs, sgeqrf, sorgqr, sgesvd)
CROTON_TEST_LAPACK(double, dtrsm, dgetrs, dgeqrf, dorgqr, dgesvd)
#undef CROTON_TEST_LAPACK
}

namespace emulated {

/// What `gpu_solver` is on a GPU.
struct solver {
    inline static std::int64_t calls = 0, batched = 0, reads = 0;

    static bool rehearses() { return emulated::rehearses; }
    template <class T>
    static void copy(int rank, const std::int64_t* extents, const croton::kernel::operand& from, const croton::kernel::operand& to) {
        emulated_gpu::copy<T>(rank, extents, from, to);
    }
    template <class F> static void each(std::int64_t count, const F& f) {
        constexpr int threads = 64;
        static block_of_fibers fibers(threads);
        if (emulated::rehearses) return;
        const auto a = croton::detail::cuda_device::each_arguments<F>::of(f, count, threads, 4);
        for (std::int64_t b = 0; b < a.blocks; ++b)
            fibers.run([&](int thread) {
                thread_of_block t{&fibers, nullptr, nullptr, nullptr, thread, b};
                croton::detail::cuda_device::run_each(t, a);
            });
    }
    static void zero(void* to, std::size_t bytes) {
        if (!emulated::rehearses) croton::memory<emulated_gpu>::zero(to, bytes);
    }
    static void read(void* to, const void* from, std::size_t bytes) {
        ++reads;
        croton::memory<emulated_gpu>::copy_to_host(to, from, bytes);
    }

    static bool batches(std::int64_t, std::int64_t count) { return count > 2; }
    template <class T> static void potrf_batched(int n, T** a, int lead, int* info, int count) {
        each_of(count, [&](int i) { potrf<T>(n, a[i], lead, nullptr, 0, info + i); });
    }
    template <class T> static void trsm_batched(bool upper, bool transposed, bool unit, int m, int n, T** a, int lda, T** b, int ldb, int count) {
        each_of(count, [&](int i) { trsm<T>(upper, transposed, unit, m, n, a[i], lda, b[i], ldb); });
    }
    template <class T> static void gemm_batched(int n, T** a, int lda, T** b, int ldb, T** c, int ldc, int count) {
        each_of(count, [&](int i) { gemm<T>(n, a[i], lda, b[i], ldb, c[i], ldc); });
    }
    template <class T> static void getrf_batched(int n, T** a, int lead, int* pivots, int* info, int count) {
        each_of(count, [&](int i) { getrf<T>(n, a[i], lead, nullptr, pivots + i * n, info + i); });
    }
    template <class T> static void getrs_batched(bool transposed, int n, int m, T** a, int lda, const int* pivots, T** b, int ldb, int count) {
        int wrong = 0;
        each_of(count, [&](int i) { getrs<T>(transposed, n, m, a[i], lda, pivots + i * n, b[i], ldb, &wrong); });
    }

    template <class T> static int potrf_size(int, int) { return 1; }
    template <class T> static void potrf(int n, T* a, int lead, T*, int, int* info) { call<T>(croton_spotrf, croton_dpotrf, "U", &n, a, &lead, info, letter); }
    template <class T> static void trsm(bool upper, bool transposed, bool unit, int m, int n, const T* a, int lda, T* b, int ldb) {
        const T one = 1;
        call<T>(test_strsm, test_dtrsm, "R", upper ? "U" : "L", transposed ? "T" : "N", unit ? "U" : "N", &m, &n, &one, a, &lda, b, &ldb, letter, letter, letter, letter);
    }
    template <class T> static void gemm(int n, const T* a, int lda, const T* b, int ldb, T* c, int ldc) {
        if (emulated::rehearses) return;
        ++calls;
        for (int j = 0; j < n; ++j)
            for (int i = 0; i < n; ++i) {
                T sum = 0;
                for (int k = 0; k < n; ++k) sum += a[i + k * lda] * b[j + k * ldb];
                c[i + j * ldc] = sum;
            }
    }
    template <class T> static int getrf_size(int, int) { return 1; }
    template <class T> static void getrf(int n, T* a, int lead, T*, int* pivots, int* info) { call<T>(croton_sgetrf, croton_dgetrf, &n, &n, a, &lead, pivots, info); }
    template <class T> static void getrs(bool transposed, int n, int m, const T* a, int lda, const int* pivots, T* b, int ldb, int* info) {
        call<T>(test_sgetrs, test_dgetrs, transposed ? "T" : "N", &n, &m, a, &lda, pivots, b, &ldb, info, letter);
    }
    template <class T> static int geqrf_size(int, int n) { return 32 * n; }
    template <class T> static void geqrf(int m, int n, T* a, int lead, T* tau, T* work, int size, int* info) { call<T>(test_sgeqrf, test_dgeqrf, &m, &n, a, &lead, tau, work, &size, info); }
    template <class T> static int orgqr_size(int, int k) { return 32 * k; }
    template <class T> static void orgqr(int m, int k, T* a, int lead, const T* tau, T* work, int size, int* info) { call<T>(test_sorgqr, test_dorgqr, &m, &k, &k, a, &lead, tau, work, &size, info); }
    template <class T> static int syevd_size(int n, int) { return 1 + 6 * n + 2 * n * n; }
    template <class T> static void syevd(int n, T* a, int lead, T* values, T* work, int size, int* info) {
        std::vector<int> places(static_cast<std::size_t>(3 + 5 * n));
        const int count = 3 + 5 * n;
        call<T>(croton_ssyevd, croton_dsyevd, "V", "U", &n, a, &lead, values, work, &size, places.data(), &count, info, letter, letter);
    }
    template <class T> static int gesvd_size(int m, int n) { return 5 * n + m; }
    template <class T> static void gesvd(int m, int n, T* a, T* s, T* u, T* vt, T* work, int size, int* info) {
        if (m < n) throw std::logic_error("cuSOLVER takes no wide matrix");
        call<T>(test_sgesvd, test_dgesvd, "S", "S", &m, &n, a, &m, s, u, &m, vt, &n, work, &size, info, letter, letter);
    }

private:
    static constexpr std::size_t letter = 1;  // its length, behind the arguments
    template <class F> static void each_of(int count, const F& f) {
        if (emulated::rehearses) return;
        ++batched;
        for (int i = 0; i < count; ++i) f(i);
    }
    template <class T, class Single, class Double, class... A> static void call(Single* of_float, Double* of_double, A... a) {
        if (emulated::rehearses) return;
        ++calls;
        if constexpr (std::is_same_v<T, float>) of_float(a...);
        else of_double(a...);
    }
};

}  // namespace emulated

struct emulated_linear_gpu : emulated_gpu {
    template <class Routine, class T> static std::int64_t matrices(const croton::kernel::routine_call& call, std::byte* room) {
        return croton::detail::cuda_device::run_solver<emulated::solver, Routine, T>(call, room);
    }
    template <class Routine, class T> static std::int64_t matrices_room(const croton::kernel::routine_call& call) {
        return croton::detail::cuda_device::solver_room<emulated::solver, Routine, T>(call);
    }
};

template <> struct croton::memory<emulated_linear_gpu> : croton::memory<emulated_gpu> {};

#endif
