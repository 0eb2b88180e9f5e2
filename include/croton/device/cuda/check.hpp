// SPDX-License-Identifier: MIT
// Every call of the CUDA runtime, cuBLAS and cuSOLVER is checked here and thrown as a device_error.
#ifndef CROTON_DEVICE_CUDA_CHECK_HPP
#define CROTON_DEVICE_CUDA_CHECK_HPP

#include <croton/config.hpp>
#include <croton/core/error.hpp>

#include <cublas_v2.h>
#include <cuda_runtime_api.h>
#if CROTON_HAS_CUSOLVER
#include <cusolverDn.h>
#endif

#include <cstddef>
#include <string>

namespace croton::inline v0_1::detail::cuda_device {

[[noreturn]] inline void fail(cudaError_t code, const char* call) {
    // An error that is only reported must not be found again by the next call.
    (void)cudaGetLastError();
    if (code == cudaErrorNoDevice || code == cudaErrorInsufficientDriver)
        throw device_error(std::string("there is no CUDA device that this program can use: ") + cudaGetErrorString(code));
    throw device_error(std::string(call) + ": " + cudaGetErrorName(code) + ": " + cudaGetErrorString(code));
}

inline void check(cudaError_t code, const char* call) {
    if (code != cudaSuccess) fail(code, call);
}

inline void check(cublasStatus_t code, const char* call) {
    if (code != CUBLAS_STATUS_SUCCESS)
        throw device_error(std::string(call) + ": " + cublasGetStatusName(code) + ": " + cublasGetStatusString(code));
}

#if CROTON_HAS_CUSOLVER
inline void check(cusolverStatus_t code, const char* call) {
    // cuSOLVER has no names for its numbers.
    if (code != CUSOLVER_STATUS_SUCCESS) throw device_error(std::string(call) + ": " + (code == CUSOLVER_STATUS_ALLOC_FAILED ? "out of memory: " : "") + "cusolverStatus_t " + std::to_string(static_cast<int>(code)));
}
#endif

/// Says how much was asked for, how much this program holds, and how much the device has left.
[[noreturn]] inline void fail_to_allocate(cudaError_t code, std::size_t asked, std::size_t held) {
    (void)cudaGetLastError();
    if (code != cudaErrorMemoryAllocation) fail(code, "cudaMallocAsync");
    std::size_t available = 0, total = 0;
    (void)cudaMemGetInfo(&available, &total);
    (void)cudaGetLastError();
    throw device_error("out of memory on the CUDA device: " + std::to_string(asked) + " bytes were asked for, croton holds " +
                       std::to_string(held) + ", and " + std::to_string(available) + " of " + std::to_string(total) + " are free");
}

}  // namespace croton::inline v0_1::detail::cuda_device

#endif
