// SPDX-License-Identifier: MIT
// cuBLASLt that logs the products it is given, and takes all that it has types for.
#ifndef CROTON_TESTS_DEVICE_LOGGED_CUBLASLT_H
#define CROTON_TESTS_DEVICE_LOGGED_CUBLASLT_H

#include <cublas_v2.h>

enum cublasLtEpilogue_t {
    CUBLASLT_EPILOGUE_DEFAULT,
    CUBLASLT_EPILOGUE_BIAS,
    CUBLASLT_EPILOGUE_RELU,
    CUBLASLT_EPILOGUE_RELU_BIAS,
    CUBLASLT_EPILOGUE_GELU,
    CUBLASLT_EPILOGUE_GELU_BIAS
};
enum cublasLtMatmulDescAttributes_t {
    CUBLASLT_MATMUL_DESC_TRANSA,
    CUBLASLT_MATMUL_DESC_TRANSB,
    CUBLASLT_MATMUL_DESC_EPILOGUE,
    CUBLASLT_MATMUL_DESC_BIAS_POINTER
};
enum cublasLtMatmulPreferenceAttributes_t {
    CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES,
    CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES,
    CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES,
    CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES,
    CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES
};
struct logged_matmul {
    cublasComputeType_t compute;
    cublasLtEpilogue_t epilogue = CUBLASLT_EPILOGUE_DEFAULT;
};
struct cublasLtMatmulAlgo_t {};
struct cublasLtMatmulHeuristicResult_t {
    cublasLtMatmulAlgo_t algo;
    cublasStatus_t state = CUBLAS_STATUS_SUCCESS;
};
struct logged_layout {
    cudaDataType_t type;
};
struct logged_preference {};
struct logged_lt;
using cublasLtHandle_t = logged_lt*;
using cublasLtMatmulDesc_t = logged_matmul*;
using cublasLtMatrixLayout_t = logged_layout*;
using cublasLtMatmulPreference_t = logged_preference*;

inline cublasStatus_t cublasLtMatmulDescCreate(cublasLtMatmulDesc_t* d, cublasComputeType_t c, cudaDataType_t) { return *d = new logged_matmul{c}, CUBLAS_STATUS_SUCCESS; }
inline cublasStatus_t cublasLtMatmulDescDestroy(cublasLtMatmulDesc_t d) { return delete d, CUBLAS_STATUS_SUCCESS; }
inline cublasStatus_t cublasLtMatmulDescSetAttribute(cublasLtMatmulDesc_t d, cublasLtMatmulDescAttributes_t a, const void* value, std::size_t bytes) {
    if (a == CUBLASLT_MATMUL_DESC_EPILOGUE) std::memcpy(&d->epilogue, value, bytes);
    return CUBLAS_STATUS_SUCCESS;
}
inline cublasStatus_t cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t* l, cudaDataType_t t, std::uint64_t, std::uint64_t, std::int64_t) {
    return *l = new logged_layout{t}, CUBLAS_STATUS_SUCCESS;
}
inline cublasStatus_t cublasLtMatrixLayoutDestroy(cublasLtMatrixLayout_t l) { return delete l, CUBLAS_STATUS_SUCCESS; }
inline cublasStatus_t cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t* p) { return *p = new logged_preference, CUBLAS_STATUS_SUCCESS; }
inline cublasStatus_t cublasLtMatmulPreferenceDestroy(cublasLtMatmulPreference_t p) { return delete p, CUBLAS_STATUS_SUCCESS; }
inline cublasStatus_t cublasLtMatmulPreferenceSetAttribute(cublasLtMatmulPreference_t, cublasLtMatmulPreferenceAttributes_t, const void*, std::size_t) {
    return CUBLAS_STATUS_SUCCESS;
}
inline cublasStatus_t cublasLtMatmulAlgoGetHeuristic(cublasLtHandle_t, cublasLtMatmulDesc_t, cublasLtMatrixLayout_t, cublasLtMatrixLayout_t, cublasLtMatrixLayout_t,
                                                     cublasLtMatrixLayout_t, cublasLtMatmulPreference_t, int, cublasLtMatmulHeuristicResult_t* found, int* n) {
    *found = {};
    *n = 1;
    return CUBLAS_STATUS_SUCCESS;
}
inline cublasStatus_t cublasLtMatmul(cublasLtHandle_t h, cublasLtMatmulDesc_t d, const void*, const void*, cublasLtMatrixLayout_t a, const void*,
                                     cublasLtMatrixLayout_t, const void*, const void*, cublasLtMatrixLayout_t, void*, cublasLtMatrixLayout_t,
                                     const cublasLtMatmulAlgo_t*, void*, std::size_t, cudaStream_t) {
    const auto name = "product with epilogue " + std::to_string(static_cast<int>(d->epilogue));
    return logged::product(reinterpret_cast<cublasHandle_t>(h), name.c_str(), a->type, d->compute);
}

#endif
