// SPDX-License-Identifier: MIT
// cuBLASLt: how a product with an epilogue is run, asked once for each shape and kept.
#ifndef CROTON_DEVICE_CUDA_LT_HPP
#define CROTON_DEVICE_CUDA_LT_HPP

#include <croton/device/cuda/check.hpp>

#include <cublasLt.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace croton::inline v0_1::detail::cuda_device {

/// Whether products of float may round their arguments to TF32.
inline std::atomic<bool>& tf32() {
    static std::atomic<bool> allowed{false};
    return allowed;
}

/// Whether cuBLASLt may take the operator behind a product, whatever becomes of NaN and of the last digits.
inline std::atomic<bool>& fused_activations() {
    static std::atomic<bool> allowed{false};
    return allowed;
}

/// Both as a number: a graph that was recorded with others is not that of a call.
inline int settings_of_products() {
    return 2 * (tf32().load(std::memory_order_relaxed) ? 1 : 0) + (fused_activations().load(std::memory_order_relaxed) ? 1 : 0);
}

/// `d = alpha a b`, by columns, `[m,k] x [k,n]`, with an epilogue: everything that the choice of an algorithm depends on.
struct lt_problem {
    std::int64_t m = 0, n = 0, k = 0;
    std::int64_t leading_a = 0, leading_b = 0, leading_d = 0;
    bool transposed_a = false, transposed_b = false;
    cudaDataType_t type = CUDA_R_32F;
    cublasComputeType_t compute = CUBLAS_COMPUTE_32F;
    cublasLtEpilogue_t epilogue = CUBLASLT_EPILOGUE_DEFAULT;
    std::uint32_t alignment_a = 0, alignment_b = 0, alignment_d = 0;  // of the addresses, bytes

    bool operator==(const lt_problem&) const = default;
};

/// What cuBLASLt may rely on of an address: the largest power of two up to 256 that divides it.
inline std::uint32_t lt_alignment(const void* p) {
    const auto low = reinterpret_cast<std::uintptr_t>(p) & 255u;
    return low == 0 ? 256u : static_cast<std::uint32_t>(low & (0u - low));
}

/// The descriptors and the algorithm for a problem.
class lt_choice {
public:
    lt_choice(cublasLtHandle_t handle, const lt_problem& p, const void* bias, std::size_t workspace) : problem_(p) {
        try {
            make(handle, bias, workspace);
        } catch (...) {
            release();
            throw;
        }
    }
    lt_choice(const lt_choice&) = delete;
    lt_choice& operator=(const lt_choice&) = delete;
    ~lt_choice() { release(); }

    const lt_problem& problem() const { return problem_; }
    bool usable() const { return usable_; }

    /// Queues the product; false where cuBLASLt refuses it.
    bool run(cublasLtHandle_t handle, const void* alpha, const void* a, const void* b, const void* zero, void* d, const void* bias, void* workspace,
             std::size_t workspace_bytes, cudaStream_t stream) {
        if (!usable_) return false;
        if (bias != nullptr) set_bias(bias);
        const cublasStatus_t code = cublasLtMatmul(handle, what_, alpha, a, a_, b, b_, zero, d, d_, d, d_, &algorithm_, workspace, workspace_bytes, stream);
        usable_ = code != CUBLAS_STATUS_NOT_SUPPORTED && code != CUBLAS_STATUS_INVALID_VALUE;
        if (usable_) check(code, "cublasLtMatmul");
        return usable_;
    }

private:
    lt_problem problem_;
    cublasLtMatmulDesc_t what_ = nullptr;
    cublasLtMatrixLayout_t a_ = nullptr, b_ = nullptr, d_ = nullptr;
    cublasLtMatmulAlgo_t algorithm_{};
    bool usable_ = false;

    template <class T> void set(cublasLtMatmulDescAttributes_t attribute, const T& value) {
        check(cublasLtMatmulDescSetAttribute(what_, attribute, &value, sizeof value), "cublasLtMatmulDescSetAttribute");
    }
    void set_bias(const void* bias) { set(CUBLASLT_MATMUL_DESC_BIAS_POINTER, bias); }

    void make(cublasLtHandle_t handle, const void* bias, std::size_t workspace) {
        const lt_problem& p = problem_;
        const auto layout = [&](cublasLtMatrixLayout_t& to, std::int64_t rows, std::int64_t columns, std::int64_t leading) {
            check(cublasLtMatrixLayoutCreate(&to, p.type, static_cast<std::uint64_t>(rows), static_cast<std::uint64_t>(columns), leading),
                  "cublasLtMatrixLayoutCreate");
        };
        check(cublasLtMatmulDescCreate(&what_, p.compute, p.type), "cublasLtMatmulDescCreate");
        set(CUBLASLT_MATMUL_DESC_TRANSA, p.transposed_a ? CUBLAS_OP_T : CUBLAS_OP_N);
        set(CUBLASLT_MATMUL_DESC_TRANSB, p.transposed_b ? CUBLAS_OP_T : CUBLAS_OP_N);
        set(CUBLASLT_MATMUL_DESC_EPILOGUE, p.epilogue);
        if (bias != nullptr) set_bias(bias);
        layout(a_, p.transposed_a ? p.k : p.m, p.transposed_a ? p.m : p.k, p.leading_a);
        layout(b_, p.transposed_b ? p.n : p.k, p.transposed_b ? p.k : p.n, p.leading_b);
        layout(d_, p.m, p.n, p.leading_d);
        cublasLtMatmulPreference_t wish = nullptr;
        check(cublasLtMatmulPreferenceCreate(&wish), "cublasLtMatmulPreferenceCreate");
        const auto prefer = [&](cublasLtMatmulPreferenceAttributes_t attribute, const auto& value) {
            return cublasLtMatmulPreferenceSetAttribute(wish, attribute, &value, sizeof value);
        };
        cublasStatus_t code = prefer(CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, workspace);
        if (code == CUBLAS_STATUS_SUCCESS) code = prefer(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES, p.alignment_a);
        if (code == CUBLAS_STATUS_SUCCESS) code = prefer(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES, p.alignment_b);
        if (code == CUBLAS_STATUS_SUCCESS) code = prefer(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES, p.alignment_d);
        if (code == CUBLAS_STATUS_SUCCESS) code = prefer(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES, p.alignment_d);
        cublasLtMatmulHeuristicResult_t found{};
        int count = 0;
        cublasStatus_t asked = CUBLAS_STATUS_SUCCESS;
        if (code == CUBLAS_STATUS_SUCCESS) asked = cublasLtMatmulAlgoGetHeuristic(handle, what_, a_, b_, d_, d_, wish, 1, &found, &count);
        (void)cublasLtMatmulPreferenceDestroy(wish);
        check(code, "cublasLtMatmulPreferenceSetAttribute");
        // That there is no way to do it is an answer too.
        if (asked != CUBLAS_STATUS_NOT_SUPPORTED && asked != CUBLAS_STATUS_INVALID_VALUE) check(asked, "cublasLtMatmulAlgoGetHeuristic");
        usable_ = asked == CUBLAS_STATUS_SUCCESS && count == 1 && found.state == CUBLAS_STATUS_SUCCESS;
        algorithm_ = found.algo;
    }

    void release() noexcept {
        if (d_ != nullptr) (void)cublasLtMatrixLayoutDestroy(d_);
        if (b_ != nullptr) (void)cublasLtMatrixLayoutDestroy(b_);
        if (a_ != nullptr) (void)cublasLtMatrixLayoutDestroy(a_);
        if (what_ != nullptr) (void)cublasLtMatmulDescDestroy(what_);
    }
};

}  // namespace croton::inline v0_1::detail::cuda_device

#endif
