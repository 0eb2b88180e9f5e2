// SPDX-License-Identifier: MIT
// cuBLAS that logs what it is asked for: the types of a product and how it computes.
#ifndef CROTON_TESTS_DEVICE_LOGGED_CUBLAS_V2_H
#define CROTON_TESTS_DEVICE_LOGGED_CUBLAS_V2_H

#include <cuda_runtime_api.h>

enum cublasStatus_t { CUBLAS_STATUS_SUCCESS, CUBLAS_STATUS_NOT_SUPPORTED, CUBLAS_STATUS_INVALID_VALUE };
enum cublasComputeType_t { CUBLAS_COMPUTE_32F, CUBLAS_COMPUTE_32F_FAST_TF32, CUBLAS_COMPUTE_64F };
enum cudaDataType_t { CUDA_R_16F, CUDA_R_16BF, CUDA_R_32F, CUDA_R_64F };
enum cublasOperation_t { CUBLAS_OP_N, CUBLAS_OP_T };
enum cublasPointerMode_t { CUBLAS_POINTER_MODE_HOST, CUBLAS_POINTER_MODE_DEVICE };
enum cublasGemmAlgo_t { CUBLAS_GEMM_DEFAULT };
struct logged_blas {
    cudaStream_t stream;
    cublasPointerMode_t factors = CUBLAS_POINTER_MODE_HOST;  // where they are
};
using cublasHandle_t = logged_blas*;

namespace logged {

/// What the last product with a vector was multiplied by, where the host said it.
inline double alpha = 0;

inline cublasStatus_t product(cublasHandle_t h, const char* name, cudaDataType_t in, cublasComputeType_t compute) {
    static constexpr const char* types[] = {"half", "bfloat16", "float", "double"};
    static constexpr const char* ways[] = {"float", "tf32", "double"};
    if (compute == CUBLAS_COMPUTE_32F_FAST_TF32 && in != CUDA_R_32F) {
        faults.push_back(std::string("a product of ") + types[in] + " in tf32");
        return CUBLAS_STATUS_NOT_SUPPORTED;
    }
    queue(h->stream, std::string(name) + " of " + types[in] + " in " + ways[compute], 2000);
    return CUBLAS_STATUS_SUCCESS;
}

}  // namespace logged

inline const char* cublasGetStatusName(cublasStatus_t) { return "a status"; }
inline const char* cublasGetStatusString(cublasStatus_t) { return "of the logging cuBLAS"; }
inline cublasStatus_t cublasCreate(cublasHandle_t* h) { return *h = new logged_blas{}, CUBLAS_STATUS_SUCCESS; }
inline cublasStatus_t cublasDestroy(cublasHandle_t h) { return delete h, CUBLAS_STATUS_SUCCESS; }
inline cublasStatus_t cublasSetStream(cublasHandle_t h, cudaStream_t s) { return h->stream = s, CUBLAS_STATUS_SUCCESS; }
inline cublasStatus_t cublasSetWorkspace(cublasHandle_t, void*, std::size_t) { return CUBLAS_STATUS_SUCCESS; }
inline cublasStatus_t cublasSetPointerMode(cublasHandle_t h, cublasPointerMode_t mode) { return h->factors = mode, CUBLAS_STATUS_SUCCESS; }
inline cublasStatus_t cublasGemmEx_64(cublasHandle_t h, cublasOperation_t, cublasOperation_t, std::int64_t, std::int64_t, std::int64_t, const void*,
                                      const void*, cudaDataType_t in, std::int64_t, const void*, cudaDataType_t, std::int64_t, const void*, void*,
                                      cudaDataType_t, std::int64_t, cublasComputeType_t compute, cublasGemmAlgo_t) {
    return logged::product(h, "product", in, compute);
}
inline cublasStatus_t cublasGemmStridedBatchedEx_64(cublasHandle_t h, cublasOperation_t, cublasOperation_t, std::int64_t, std::int64_t, std::int64_t,
                                                    const void*, const void*, cudaDataType_t in, std::int64_t, std::int64_t, const void*, cudaDataType_t,
                                                    std::int64_t, std::int64_t, const void*, void*, cudaDataType_t, std::int64_t, std::int64_t, std::int64_t,
                                                    cublasComputeType_t compute, cublasGemmAlgo_t) {
    return logged::product(h, "products", in, compute);
}
template <class T>
cublasStatus_t logged_gemv(cublasHandle_t h, cublasOperation_t, std::int64_t, std::int64_t, const T* alpha, const T*, std::int64_t, const T*, std::int64_t, const T*, T*,
                           std::int64_t) {
    if (h->factors == CUBLAS_POINTER_MODE_HOST) logged::alpha = static_cast<double>(*alpha);
    logged::queue(h->stream, "matrix times vector", 2000);
    return CUBLAS_STATUS_SUCCESS;
}
template <class... A> cublasStatus_t cublasSgemv_64(A... a) { return logged_gemv<float>(a...); }
template <class... A> cublasStatus_t cublasDgemv_64(A... a) { return logged_gemv<double>(a...); }

#endif
