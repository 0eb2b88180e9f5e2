// SPDX-License-Identifier: MIT
// Matrix products by cuBLAS and cuBLASLt; what cuBLAS does not take (integers, empty sums, odd strides) runs as a kernel or is packed.
#ifndef CROTON_DEVICE_CUDA_PRODUCTS_HPP
#define CROTON_DEVICE_CUDA_PRODUCTS_HPP

#include <croton/device/cuda/epilogue.hpp>
#include <croton/device/cuda/launch.hpp>
#include <croton/kernel/argument.hpp>
#include <croton/kernel/batch.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>
#include <type_traits>

namespace croton::inline v0_1::detail::cuda_device {

/// How a product of `In` is computed. TF32 is what float may be rounded to: cuBLAS takes it for no other type.
template <class In> cublasComputeType_t compute_type() {
    if constexpr (std::is_same_v<In, double>) return CUBLAS_COMPUTE_64F;
    else return std::is_same_v<In, float> && tf32().load(std::memory_order_relaxed) ? CUBLAS_COMPUTE_32F_FAST_TF32 : CUBLAS_COMPUTE_32F;
}

/// alpha and beta of a product, both on the host or both on the device.
template <class T> struct factors {
    const T* alpha;
    const T* beta;
    bool on_device;
    bool reads;  // beta may be other than 0
};

// The operators of the product as a kernel.
struct times {
    static constexpr std::string_view name = "product times";
    template <class V> CROTON_HD static constexpr V value(V a, V b) { return a * b; }
};
struct total_of {
    static constexpr std::string_view name = "product sum";
    static constexpr bool idempotent = false;
    template <class T> CROTON_HD static constexpr T identity() { return T(0); }
    template <class V> CROTON_HD static constexpr V combine(V a, V b) { return a + b; }
};

/// Of two elements of `In` their product, as element value 2.
template <class In>
using product_elements = kernel::block<kernel::load<In, 0>, kernel::load<In, 1>, kernel::apply<times, kernel::e<0, In>, kernel::e<1, In>>>;
template <class T, class In>
using product_terms = kernel::phase<product_elements<In>, kernel::block<kernel::reduce<total_of, T, kernel::e<2, arithmetic_t<In>>>>,
                                    kernel::block<kernel::apply<times, kernel::r<0, T>, kernel::u<0, T>>, kernel::store<T, 3, kernel::r<1, T>>>>;
// `Outer` axes: rows and columns, and in front of them the batch where there is one.
template <class T, class In, int Outer>
using product_kernel = kernel::kernel<Outer, 1, kernel::block<kernel::load<T, 2>>, kernel::block<>, product_terms<T, In>>;
template <class T, class In, int Outer>
using sum_kernel = kernel::kernel<
    Outer, 1, kernel::block<kernel::load<T, 2>, kernel::load<T, 4>>, kernel::block<>,
    kernel::phase<product_elements<In>, kernel::block<kernel::reduce<total_of, T, kernel::e<2, arithmetic_t<In>>>>,
                  kernel::block<kernel::apply<times, kernel::r<0, T>, kernel::u<0, T>>, kernel::load<T, 3>, kernel::apply<times, kernel::r<2, T>, kernel::u<1, T>>,
                                kernel::apply<plus, kernel::r<1, T>, kernel::r<3, T>>, kernel::store<T, 3, kernel::r<4, T>>>>>;

// Numbers of the host as arguments of a launch: a copy from the host would not outlive the call in a graph.
template <class T> __global__ void set_factors(T* to, T alpha, T beta) {
    to[0] = alpha;
    to[1] = beta;
}

/// `c = alpha a b + beta c` as a loop; with three `Outer` axes for each matrix of a batch.
template <int Outer = 2, class T, class In>
void multiply_by_kernel(const factors<T>& f, kernel::matrix<const In> a, kernel::matrix<const In> b, kernel::matrix<T> c, const kernel::batch& over = {}) {
    const auto bytes = []<class P>(const P* p) { return reinterpret_cast<std::byte*>(const_cast<P*>(p)); };
    auto* const there = static_cast<T*>(current().factors());
    if (!f.on_device) queue(&set_factors<T>, 1, 1, there, *f.alpha, *f.beta);
    const T* const alpha = f.on_device ? f.alpha : there;
    const T* const beta = f.on_device ? f.beta : there + 1;
    using strides = std::array<std::int64_t, max_rank>;
    const auto along = [](std::int64_t batch, std::int64_t row, std::int64_t col, std::int64_t inner) {
        return Outer == 2 ? strides{row, col, inner} : strides{batch, row, col, inner};
    };
    const kernel::operand slots[] = {{bytes(a.data), along(over.a, a.row_stride, 0, a.col_stride)},
                                     {bytes(b.data), along(over.b, 0, b.col_stride, b.row_stride)},
                                     {bytes(alpha), {}},
                                     {bytes(c.data), along(over.c, c.row_stride, c.col_stride, 0)},
                                     {bytes(beta), {}}};
    const std::int64_t extents[] = {over.count, c.rows, c.cols, a.cols};
    if (f.reads) engine<gpu, sum_kernel<T, In, Outer>>::run(extents + 3 - Outer, slots, nullptr);
    else engine<gpu, product_kernel<T, In, Outer>>::run(extents + 3 - Outer, slots, nullptr);
}

template <class T>
inline constexpr cudaDataType_t blas_type = std::is_same_v<T, half>       ? CUDA_R_16F
                                            : std::is_same_v<T, bfloat16> ? CUDA_R_16BF
                                            : std::is_same_v<T, float>    ? CUDA_R_32F
                                                                          : CUDA_R_64F;

/// A matrix as cuBLAS stores one, by columns: its leading dimension, and whether it is the transpose that lies there.
struct column_major {
    bool fits = false, transposed = false;
    std::int64_t leading = 1;
};
template <class T> column_major as_columns(const kernel::matrix<T>& m) {
    const std::int64_t row = m.rows <= 1 ? std::max<std::int64_t>(m.cols, 1) : m.row_stride;
    const std::int64_t col = m.cols <= 1 ? std::max<std::int64_t>(m.rows, 1) : m.col_stride;
    if ((m.cols <= 1 || m.col_stride == 1) && row >= std::max<std::int64_t>(m.cols, 1)) return {true, true, row};
    if ((m.rows <= 1 || m.row_stride == 1) && col >= std::max<std::int64_t>(m.rows, 1)) return {true, false, col};
    return {};
}

/// A copy of elements: one kernel for each size of them where all bits of a number pass through a register as they are.
template <class T> using unit_of =
    std::conditional_t<sizeof(T) == 8, std::int64_t, std::conditional_t<sizeof(T) == 4, std::int32_t, T>>;
template <class T> using copy_kernel =
    kernel::kernel<0, max_rank, kernel::block<>, kernel::block<>,
                   kernel::phase<kernel::block<kernel::load<T, 0>, kernel::store<T, 1, kernel::e<0, T>>>, kernel::block<>, kernel::block<>>>;
template <class T> void copy_elements(int rank, const std::int64_t* extents, const kernel::operand& from, const kernel::operand& to) {
    kernel::operand slots[] = {{from.data, {}}, {to.data, {}}};
    std::int64_t all[max_rank];
    std::int64_t dense = 1, count = 1;
    bool even = true;
    for (int a = rank - 1; a >= 0; --a) count *= extents[a];
    if (count == 0) return;
    for (int a = rank - 1; a >= 0; --a) {
        const auto x = static_cast<std::size_t>(a);
        even = even && (extents[a] == 1 || (from.stride[x] == dense && to.stride[x] == dense));
        dense *= extents[a];
    }
    if (even) return current().copy(to.data, from.data, static_cast<std::size_t>(count) * sizeof(T));
    for (int a = 0; a < max_rank; ++a) {
        const int x = a - (max_rank - rank);
        all[a] = x < 0 ? 1 : extents[x];
        slots[0].stride[static_cast<std::size_t>(a)] = x < 0 ? 0 : from.stride[static_cast<std::size_t>(x)];
        slots[1].stride[static_cast<std::size_t>(a)] = x < 0 ? 0 : to.stride[static_cast<std::size_t>(x)];
    }
    engine<gpu, copy_kernel<unit_of<T>>>::run(all, slots, nullptr);
}

/// Matrices `step` apart as an operand over all of them.
template <class T> kernel::operand operand_of(const kernel::matrix<T>& m, std::int64_t step) {
    return {reinterpret_cast<std::byte*>(const_cast<std::remove_const_t<T>*>(m.data)), {step, m.row_stride, m.col_stride}};
}

/// The bytes of a copy of `count` matrices, `step` apart, that cuBLAS takes; 0 where it takes them as they lie.
inline std::size_t packed_bytes(const kernel::matrix<const void>& m, std::int64_t count, std::int64_t step, std::size_t bytes) {
    if (as_columns(m).fits) return 0;
    return (static_cast<std::size_t>((step == 0 ? 1 : count) * m.rows * m.cols) * bytes + 255) / 256 * 256;
}
template <class T> std::size_t packed_bytes(const kernel::matrix<const T>& m, std::int64_t count, std::int64_t step) {
    return packed_bytes({m.data, m.rows, m.cols, m.row_stride, m.col_stride}, count, step, sizeof(T));
}
/// `bytes` of `room`; of the memory that steps share where who multiplies has none.
inline std::byte* packing_room(std::byte* room, std::size_t bytes) { return bytes == 0 || room != nullptr ? room : current().workspace(bytes); }

/// Calls `use` with a matrix of the same elements that cuBLAS takes, or with `count` of them, `step` apart. What has to be copied
/// goes to `room`.
template <class T, class Use> void with_columns(kernel::matrix<const T> m, std::int64_t count, std::int64_t step, std::byte* room, Use&& use) {
    const column_major form = as_columns(m);
    if (form.fits) return use(m, form, step);
    if (step == 0) count = 1;
    const std::int64_t size = m.rows * m.cols;
    kernel::matrix<T> dense{reinterpret_cast<T*>(room), m.rows, m.cols, m.cols, 1};
    const std::int64_t extents[] = {count, m.rows, m.cols};
    copy_elements<T>(3, extents, operand_of(m, step), operand_of(dense, size));
    const kernel::matrix<const T> read{dense.data, dense.rows, dense.cols, dense.row_stride, dense.col_stride};
    use(read, as_columns(read), step == 0 ? 0 : size);
}

/// `c = alpha a b + beta c`, for each matrix of a batch where there is one. `room`: where matrices are packed.
template <bool Batched = false, class T, class In>
void multiply(const factors<T>& f, kernel::matrix<const In> a, kernel::matrix<const In> b, kernel::matrix<T> c, std::byte* room, const kernel::batch& over = {}) {
    if (c.rows == 0 || c.cols == 0) return;
    constexpr int outer = Batched ? 3 : 2;
    if constexpr (!std::is_floating_point_v<T>) {
        multiply_by_kernel<outer>(f, a, b, c, over);
    } else {
        const column_major to = as_columns(c);
        if (a.cols == 0 || !to.fits) return multiply_by_kernel<outer>(f, a, b, c, over);
        const std::size_t bytes = packed_bytes(a, over.count, over.a), more = packed_bytes(b, over.count, over.b);
        room = packing_room(room, bytes + more);
        with_columns(a, over.count, over.a, room, [&](kernel::matrix<const In> x, column_major xf, std::int64_t x_step) {
            with_columns(b, over.count, over.b, room + bytes, [&](kernel::matrix<const In> y, column_major yf, std::int64_t y_step) {
                cublasHandle_t blas = current().blas();
                if (current().rehearses()) return;
                check(cublasSetPointerMode(blas, f.on_device ? CUBLAS_POINTER_MODE_DEVICE : CUBLAS_POINTER_MODE_HOST), "cublasSetPointerMode");
                const auto compute = compute_type<In>();
                struct side {
                    const In* data;
                    std::int64_t leading;
                    bool transposed;
                    std::int64_t step;
                };
                const auto call = [&](std::int64_t m, std::int64_t n, const side& p, const side& q) {
                    const auto op_p = p.transposed ? CUBLAS_OP_T : CUBLAS_OP_N, op_q = q.transposed ? CUBLAS_OP_T : CUBLAS_OP_N;
                    if constexpr (Batched)
                        check(cublasGemmStridedBatchedEx_64(blas, op_p, op_q, m, n, x.cols, f.alpha, p.data, blas_type<In>, p.leading, p.step, q.data,
                                                            blas_type<In>, q.leading, q.step, f.beta, c.data, blas_type<T>, to.leading, over.c,
                                                            over.count, compute, CUBLAS_GEMM_DEFAULT),
                              "cublasGemmStridedBatchedEx");
                    else
                        check(cublasGemmEx_64(blas, op_p, op_q, m, n, x.cols, f.alpha, p.data, blas_type<In>, p.leading, q.data, blas_type<In>, q.leading,
                                              f.beta, c.data, blas_type<T>, to.leading, compute, CUBLAS_GEMM_DEFAULT),
                              "cublasGemmEx");
                };
                // What lies by rows is the transpose of what lies by columns: c^T = b^T a^T.
                if (to.transposed) call(c.cols, c.rows, {y.data, yf.leading, !yf.transposed, y_step}, {x.data, xf.leading, !xf.transposed, x_step});
                else call(c.rows, c.cols, {x.data, xf.leading, xf.transposed, x_step}, {y.data, yf.leading, yf.transposed, y_step});
            });
        });
    }
}

/// The same for each matrix of a batch, in one call where none of them lies in front of the one before it.
template <class T, class In>
void multiply_batched(const factors<T>& f, kernel::matrix<const In> a, kernel::matrix<const In> b, kernel::matrix<T> c, const kernel::batch& over, std::byte* room) {
    if (over.count != 1 && over.a >= 0 && over.b >= 0 && over.c >= 0) return multiply<true>(f, a, b, c, room, over);
    for (std::int64_t i = 0; i < over.count; ++i, a.data += over.a, b.data += over.b, c.data += over.c) multiply(f, a, b, c, room);
}

/// What cuBLASLt calls an epilogue.
template <class Activation> constexpr cublasLtEpilogue_t lt_epilogue(bool bias) {
    if constexpr (std::is_void_v<Activation>) {
        return bias ? CUBLASLT_EPILOGUE_BIAS : CUBLASLT_EPILOGUE_DEFAULT;
    } else {
        static_assert(Activation::name == "relu" || Activation::name == "gelu_tanh");
        if constexpr (Activation::name == "relu") return bias ? CUBLASLT_EPILOGUE_RELU_BIAS : CUBLASLT_EPILOGUE_RELU;
        else return bias ? CUBLASLT_EPILOGUE_GELU_BIAS : CUBLASLT_EPILOGUE_GELU;
    }
}

/// `c = relu(alpha a b + bias)`, or what the epilogue says, by cuBLASLt; false where it cannot. The bias lies along the columns
/// of c as cuBLASLt sees them: c by rows.
template <class T, class Activation>
bool multiply_fused(T alpha, kernel::matrix<const T> a, kernel::matrix<const T> b, const kernel::epilogue<T, Activation>& then,
                    kernel::matrix<T> c) {
    if (!std::is_void_v<Activation> && !fused_activations().load(std::memory_order_relaxed)) return false;
    const column_major x = as_columns(a), y = as_columns(b), to = as_columns(c);
    if (a.cols == 0 || !x.fits || !y.fits || !to.fits || !to.transposed) return false;
    if (then.bias.data != nullptr && ((then.bias.stride != 1 && then.bias.size != 1) || lt_alignment(then.bias.data) < 16)) return false;
    lt_problem p;
    p.m = c.cols;
    p.n = c.rows;
    p.k = a.cols;
    p.leading_a = y.leading;
    p.leading_b = x.leading;
    p.leading_d = to.leading;
    p.transposed_a = !y.transposed;
    p.transposed_b = !x.transposed;
    p.type = blas_type<T>;
    p.compute = compute_type<T>();
    p.epilogue = lt_epilogue<Activation>(then.bias.data != nullptr);
    p.alignment_a = lt_alignment(b.data);
    p.alignment_b = lt_alignment(a.data);
    p.alignment_d = lt_alignment(c.data);
    return current().fused_product(p, &alpha, b.data, a.data, c.data, then.bias.data);
}

/// `c = relu(alpha a b + bias)`, or what the epilogue says.
template <class T, class Activation>
void multiply(T alpha, kernel::matrix<const T> a, kernel::matrix<const T> b, const kernel::epilogue<T, Activation>& then, kernel::matrix<T> c, std::byte* room) {
    if (c.rows == 0 || c.cols == 0) return;
    // What cuBLASLt refuses when it runs is rehearsed for both ways.
    if (multiply_fused(alpha, a, b, then, c) && !current().rehearses()) return;
    const T zero{};
    multiply<false, T>({&alpha, &zero, false, false}, a, b, c, room);
    run_epilogue<gpu>(then, c);
}

/// `y = alpha a x + beta y`.
template <class T, class In>
void multiply(const factors<T>& f, kernel::matrix<const In> a, kernel::vector<const In> x, kernel::vector<T> y, std::byte* room) {
    if (y.size == 0) return;
    const kernel::matrix<const In> column{x.data, x.size, 1, x.stride, 1};
    const kernel::matrix<T> result{y.data, y.size, 1, y.stride, 1};
    const auto by_kernel = [&] { multiply_by_kernel(f, a, column, result); };
    if constexpr (!std::is_floating_point_v<T>) {
        by_kernel();
    } else if constexpr (!std::is_same_v<T, In>) {
        // cuBLAS has no gemv of these: it is a product with one column.
        multiply(f, a, column, result, room);
    } else {
        // cuBLAS counts a negative step from the other end.
        const auto step = [](std::int64_t stride, std::int64_t size) { return size == 1 ? std::int64_t{1} : stride; };
        const std::int64_t dx = step(x.stride, x.size), dy = step(y.stride, y.size);
        if (a.cols == 0 || dx == 0 || dy == 0) return by_kernel();
        const T* const px = dx < 0 ? x.data + (x.size - 1) * dx : x.data;
        T* const py = dy < 0 ? y.data + (y.size - 1) * dy : y.data;
        with_columns(a, 1, 0, packing_room(room, packed_bytes(a, 1, 0)), [&](kernel::matrix<const T> m, column_major form, std::int64_t) {
            cublasHandle_t blas = current().blas();
            if (current().rehearses()) return;
            check(cublasSetPointerMode(blas, f.on_device ? CUBLAS_POINTER_MODE_DEVICE : CUBLAS_POINTER_MODE_HOST), "cublasSetPointerMode");
            const auto op = form.transposed ? CUBLAS_OP_T : CUBLAS_OP_N;
            const std::int64_t rows = form.transposed ? m.cols : m.rows, cols = form.transposed ? m.rows : m.cols;
            if constexpr (std::is_same_v<T, float>)
                check(cublasSgemv_64(blas, op, rows, cols, f.alpha, m.data, form.leading, px, dx, f.beta, py, dy), "cublasSgemv");
            else
                check(cublasDgemv_64(blas, op, rows, cols, f.alpha, m.data, form.leading, px, dx, f.beta, py, dy), "cublasDgemv");
        });
    }
}

}  // namespace croton::inline v0_1::detail::cuda_device

#endif
