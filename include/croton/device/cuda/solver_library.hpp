// SPDX-License-Identifier: MIT
// cuSOLVER and cuBLAS for the routines of matrices, on the stream of this thread.
#ifndef CROTON_DEVICE_CUDA_SOLVER_LIBRARY_HPP
#define CROTON_DEVICE_CUDA_SOLVER_LIBRARY_HPP

#include <croton/config.hpp>
#include <croton/device/cuda/memory.hpp>
#include <croton/device/cuda/products.hpp>
#include <croton/device/cuda/solver.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace croton::inline v0_1::detail::cuda_device {

template <class F> __global__ void __launch_bounds__(threads_per_block) each_step(const each_arguments<F> a) {
    block_of_gpu t{nullptr};
    run_each(t, a);
}

#if CROTON_HAS_CUSOLVER
/// The library of `solver_call`. Where steps are rehearsed its handle is made, and nothing is queued.
struct gpu_solver {
    static bool rehearses() { return current().rehearses(); }

    template <class T> static void copy(int rank, const std::int64_t* extents, const kernel::operand& from, const kernel::operand& to) { copy_elements<T>(rank, extents, from, to); }
    template <class F> static void each(std::int64_t count, const F& f) {
        const auto a = each_arguments<F>::of(f, count, threads_per_block, resident(&each_step<F>));
        queue(&each_step<F>, a.blocks, threads_per_block, a);
    }
    static void zero(void* to, std::size_t bytes) {
        if (!rehearses()) current().zero(to, bytes);
    }
    static void read(void* to, const void* from, std::size_t bytes) { memory<cuda>::copy_to_host(to, from, bytes); }

    /// Small matrices would wait for their launches more than for arithmetic.
    static bool batches(std::int64_t order, std::int64_t count) { return count > 1 && count <= std::numeric_limits<int>::max() && order <= 256 && (count > 8 || order <= 16); }
    template <class T> static void potrf_batched(int n, T** a, int lead, int* info, int count) {
        call("cusolverDnXpotrfBatched", pick<T>(cusolverDnSpotrfBatched, cusolverDnDpotrfBatched), CUBLAS_FILL_MODE_UPPER, n, a, lead, info, count);
    }
    template <class T> static void trsm_batched(bool upper, bool transposed, bool unit, int m, int n, const T* const* a, int lda, T* const* b, int ldb, int count) {
        const T one = 1;
        call_blas("cublasXtrsmBatched", pick<T>(cublasStrsmBatched, cublasDtrsmBatched), CUBLAS_SIDE_RIGHT, fill(upper), operation(transposed), diagonal(unit), m, n, &one, a, lda, b, ldb, count);
    }
    template <class T> static void gemm_batched(int n, const T* const* a, int lda, const T* const* b, int ldb, T* const* c, int ldc, int count) {
        const T one = 1, zero = 0;
        call_blas("cublasXgemmBatched", pick<T>(cublasSgemmBatched, cublasDgemmBatched), CUBLAS_OP_N, CUBLAS_OP_T, n, n, n, &one, a, lda, b, ldb, &zero, c, ldc, count);
    }
    template <class T> static void getrf_batched(int n, T* const* a, int lead, int* pivots, int* info, int count) {
        call_blas("cublasXgetrfBatched", pick<T>(cublasSgetrfBatched, cublasDgetrfBatched), n, a, lead, pivots, info, count);
    }
    template <class T> static void getrs_batched(bool transposed, int n, int m, const T* const* a, int lda, const int* pivots, T* const* b, int ldb, int count) {
        int wrong = 0;  // of impossible arguments only, on the host
        call_blas("cublasXgetrsBatched", pick<T>(cublasSgetrsBatched, cublasDgetrsBatched), operation(transposed), n, m, a, lda, pivots, b, ldb, &wrong, count);
    }

    template <class T> static int potrf_size(int n, int lead) {
        return size("cusolverDnXpotrf_bufferSize", pick<T>(cusolverDnSpotrf_bufferSize, cusolverDnDpotrf_bufferSize), CUBLAS_FILL_MODE_UPPER, n, static_cast<T*>(nullptr), lead);
    }
    template <class T> static void potrf(int n, T* a, int lead, T* work, int size, int* info) {
        call("cusolverDnXpotrf", pick<T>(cusolverDnSpotrf, cusolverDnDpotrf), CUBLAS_FILL_MODE_UPPER, n, a, lead, work, size, info);
    }
    template <class T> static void trsm(bool upper, bool transposed, bool unit, int m, int n, const T* a, int lda, T* b, int ldb) {
        const T one = 1;
        call_blas("cublasXtrsm", pick<T>(cublasStrsm, cublasDtrsm), CUBLAS_SIDE_RIGHT, fill(upper), operation(transposed), diagonal(unit), m, n, &one, a, lda, b, ldb);
    }
    template <class T> static void gemm(int n, const T* a, int lda, const T* b, int ldb, T* c, int ldc) {
        const T one = 1, zero = 0;
        call_blas("cublasXgemm", pick<T>(cublasSgemm, cublasDgemm), CUBLAS_OP_N, CUBLAS_OP_T, n, n, n, &one, a, lda, b, ldb, &zero, c, ldc);
    }
    template <class T> static int getrf_size(int n, int lead) {
        return size("cusolverDnXgetrf_bufferSize", pick<T>(cusolverDnSgetrf_bufferSize, cusolverDnDgetrf_bufferSize), n, n, static_cast<T*>(nullptr), lead);
    }
    template <class T> static void getrf(int n, T* a, int lead, T* work, int* pivots, int* info) {
        call("cusolverDnXgetrf", pick<T>(cusolverDnSgetrf, cusolverDnDgetrf), n, n, a, lead, work, pivots, info);
    }
    template <class T> static void getrs(bool transposed, int n, int m, const T* a, int lda, const int* pivots, T* b, int ldb, int* info) {
        call("cusolverDnXgetrs", pick<T>(cusolverDnSgetrs, cusolverDnDgetrs), operation(transposed), n, m, a, lda, pivots, b, ldb, info);
    }
    template <class T> static int geqrf_size(int m, int n) {
        return size("cusolverDnXgeqrf_bufferSize", pick<T>(cusolverDnSgeqrf_bufferSize, cusolverDnDgeqrf_bufferSize), m, n, static_cast<T*>(nullptr), m);
    }
    template <class T> static void geqrf(int m, int n, T* a, int lead, T* tau, T* work, int size, int* info) {
        call("cusolverDnXgeqrf", pick<T>(cusolverDnSgeqrf, cusolverDnDgeqrf), m, n, a, lead, tau, work, size, info);
    }
    template <class T> static int orgqr_size(int m, int k) {
        const T* const none = nullptr;
        return size("cusolverDnXorgqr_bufferSize", pick<T>(cusolverDnSorgqr_bufferSize, cusolverDnDorgqr_bufferSize), m, k, k, none, m, none);
    }
    template <class T> static void orgqr(int m, int k, T* a, int lead, const T* tau, T* work, int size, int* info) {
        call("cusolverDnXorgqr", pick<T>(cusolverDnSorgqr, cusolverDnDorgqr), m, k, k, a, lead, tau, work, size, info);
    }
    template <class T> static int syevd_size(int n, int lead) {
        const T* const none = nullptr;
        return size("cusolverDnXsyevd_bufferSize", pick<T>(cusolverDnSsyevd_bufferSize, cusolverDnDsyevd_bufferSize), CUSOLVER_EIG_MODE_VECTOR, CUBLAS_FILL_MODE_UPPER, n, none, lead, none);
    }
    template <class T> static void syevd(int n, T* a, int lead, T* values, T* work, int size, int* info) {
        call("cusolverDnXsyevd", pick<T>(cusolverDnSsyevd, cusolverDnDsyevd), CUSOLVER_EIG_MODE_VECTOR, CUBLAS_FILL_MODE_UPPER, n, a, lead, values, work, size, info);
    }
    template <class T> static int gesvd_size(int m, int n) { return size("cusolverDnXgesvd_bufferSize", pick<T>(cusolverDnSgesvd_bufferSize, cusolverDnDgesvd_bufferSize), m, n); }
    template <class T> static void gesvd(int m, int n, T* a, T* s, T* u, T* vt, T* work, int size, int* info) {
        T* const none = nullptr;
        const auto first = static_cast<signed char>('S');
        call("cusolverDnXgesvd", pick<T>(cusolverDnSgesvd, cusolverDnDgesvd), first, first, m, n, a, m, s, u, m, vt, n, work, size, none, info);
    }

private:
    static cublasFillMode_t fill(bool upper) { return upper ? CUBLAS_FILL_MODE_UPPER : CUBLAS_FILL_MODE_LOWER; }
    static cublasDiagType_t diagonal(bool unit) { return unit ? CUBLAS_DIAG_UNIT : CUBLAS_DIAG_NON_UNIT; }
    static cublasOperation_t operation(bool transposed) { return transposed ? CUBLAS_OP_T : CUBLAS_OP_N; }
    template <class T, class Single, class Double> static constexpr auto pick(Single* of_float, Double* of_double) {
        if constexpr (std::is_same_v<T, float>) return of_float;
        else return of_double;
    }
    template <class F, class... A> static int size(const char* name, F* f, A... a) {
        int numbers = 0;
        check(f(current().solver(), a..., &numbers), name);
        return numbers;
    }
    template <class F, class... A> static void call(const char* name, F* f, A... a) {
        cusolverDnHandle_t solver = current().solver();
        if (!rehearses()) check(f(solver, a...), name);
    }
    template <class F, class... A> static void call_blas(const char* name, F* f, A... a) {
        cublasHandle_t blas = current().blas();
        if (rehearses()) return;
        check(cublasSetPointerMode(blas, CUBLAS_POINTER_MODE_HOST), "cublasSetPointerMode");
        check(f(blas, a...), name);
    }
};
#endif

}  // namespace croton::inline v0_1::detail::cuda_device

#endif
