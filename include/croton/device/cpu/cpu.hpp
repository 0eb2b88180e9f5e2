// SPDX-License-Identifier: MIT
// The CPU device: SIMD loops, CBLAS and threads behind the device policy.
#ifndef CROTON_DEVICE_CPU_CPU_HPP
#define CROTON_DEVICE_CPU_CPU_HPP

#include <croton/core/clock.hpp>
#include <croton/core/device.hpp>
#include <croton/core/pages.hpp>
#include <croton/device/cpu/convolution.hpp>
#include <croton/device/cpu/cumulate.hpp>
#include <croton/device/cpu/instances.hpp>
#include <croton/device/cpu/kept_rows.hpp>
#include <croton/device/cpu/lane_products.hpp>
#include <croton/device/cpu/lane_routines.hpp>
#include <croton/device/cpu/lapack.hpp>
#include <croton/device/cpu/loop.hpp>
#include <croton/device/cpu/pooling.hpp>
#include <croton/device/cpu/products.hpp>
#include <croton/device/cpu/row_loop.hpp>
#include <croton/device/cpu/number_turns.hpp>
#include <croton/device/cpu/search.hpp>
#include <croton/device/cpu/sort.hpp>
#include <croton/device/cpu/scatter.hpp>
#include <croton/device/device.hpp>

#include <memory>
#include <new>
#include <string>
#include <string_view>

namespace croton::inline v0_1 {

/// SIMD loops through xsimd, matrix products through CBLAS, on `threads()` threads.
///
/// `Arch` is the instruction set of the translation unit, so that two units with different flags share no code.
struct cpu {
    static constexpr bool rewrites = true;
    static constexpr bool fuses = true;
    static constexpr std::string_view loop_name = has_xsimd ? "SIMD" : "loop";
    static constexpr std::string_view product_name = has_cblas ? "BLAS" : "loop";
    /// Who computes the products.
    static std::string product_library() {
        return blas_name() + (has_cblas && detail::cpu_device::multiplies_itself<simd::native>() ? "; croton multiplies matrices itself" : "");
    }

    /// Called when a function is made.
    static void prepare() { detail::keep_blas_within_limits(); }

    /// Runs a kernel type over the loop axes `extents`. A slot stored through the memory of a slot loaded has its strides.
    template <class Kernel, class Arch = simd::native>
    static void run(const std::int64_t* extents, const kernel::operand* slots, const std::int64_t* scalars) {
        detail::cpu_device::engine<typename detail::cpu_device::keeping_rows<Kernel>::type, Arch>::run(extents, slots, scalars);
    }

    static constexpr bool flat_loops = true;
    template <class Kernel, class Arch = simd::native> using flat = detail::cpu_device::flat<typename detail::cpu_device::keeping_rows<Kernel>::type, Arch>;

    /// Turns of kernels of single numbers, whose slots are `Slots`: see kernel/turns.hpp.
    template <class Kernels, const auto& Slots, class Arch = simd::native> using number_turns = detail::cpu_device::number_turns<Kernels, Slots, Arch>;
    static constexpr bool carries_numbers = true;

    static constexpr bool direct_products = true;
    template <class T, class Arch = simd::native> static bool multiplies_directly(std::int64_t m, std::int64_t k, std::int64_t n) {
        return detail::cpu_device::multiplies_directly<T, Arch>(m, k, n);
    }
    template <class T, class Arch = simd::native>
    static void gemm_directly(std::type_identity_t<T> alpha, kernel::matrix<const T> a, kernel::matrix<const T> b, kernel::matrix<T> c) {
        detail::cpu_device::gemm<T, Arch>::run_small(alpha, a, b, T{}, c);
    }

    /// `c = alpha a b + beta c`, `[m,k] x [k,n] -> [m,n]`; `beta == 0` never reads `c`. `c` overlaps neither input. `room` is
    /// for the numbers that `packing` counts; a call without it makes its own.
    template <class T, class Arch = simd::native>
    static void gemm(std::type_identity_t<T> alpha, kernel::matrix<const T> a, kernel::matrix<const T> b,
                     std::type_identity_t<T> beta, kernel::matrix<T> c, std::byte* room) {
        detail::cpu_device::multiply<Arch, T>(alpha, a, b, beta, c, room);
    }
    /// Whether the loop behind a product `[m,k] x [k,n]` had better run on each block of its result: then it is our blocks that multiply.
    template <class Arch = simd::native> static bool ends_product(std::int64_t m, std::int64_t k, std::int64_t n, element type, bool turned) {
        return detail::cpu_device::ends_product<Arch>(m, k, n, type, turned);
    }
    /// The same, and `end` behind each block; `room` is for the numbers that `packing` counts of an ended product.
    template <class T, class Arch = simd::native>
    static void gemm(std::type_identity_t<T> alpha, kernel::matrix<const T> a, kernel::matrix<const T> b,
                     std::type_identity_t<T> beta, kernel::matrix<T> c, std::byte* room, const kernel::block_end& end) {
        detail::cpu_device::multiply<Arch, T>(alpha, a, b, beta, c, room, end);
    }
    template <class T, class Arch = simd::native>
    static void gemm(std::type_identity_t<T> alpha, kernel::matrix<const T> a, kernel::matrix<const T> b,
                     std::type_identity_t<T> beta, kernel::matrix<T> c) {
        gemm_batched<T, Arch>(alpha, a, b, beta, c, {});
    }

    /// The same for each matrix of a batch: `[b,m,k] x [b,k,n] -> [b,m,n]`.
    template <class T, class Arch = simd::native>
    static void gemm_batched(std::type_identity_t<T> alpha, kernel::matrix<const T> a, kernel::matrix<const T> b,
                             std::type_identity_t<T> beta, kernel::matrix<T> c, const kernel::batch& over, std::byte* room) {
        if constexpr (std::is_floating_point_v<T>)
            if (detail::cpu_device::lane_products<T, Arch>::fits(alpha, a, b, over)) return detail::cpu_device::lane_products<T, Arch>::run(alpha, a, b, beta, c, over);
        for (std::int64_t i = 0; i < over.count; ++i, a.data += over.a, b.data += over.b, c.data += over.c)
            detail::cpu_device::multiply<Arch, T>(alpha, a, b, beta, c, room);
    }
    template <class T, class Arch = simd::native>
    static void gemm_batched(std::type_identity_t<T> alpha, kernel::matrix<const T> a, kernel::matrix<const T> b,
                             std::type_identity_t<T> beta, kernel::matrix<T> c, const kernel::batch& over) {
        std::unique_ptr<T[]> own;
        if constexpr (std::is_floating_point_v<T> || detail::cpu_device::multiplies_whole<T>) {
            const auto left = kernel::matrix<const void>{nullptr, a.rows, a.cols, a.row_stride, a.col_stride};
            const auto right = kernel::matrix<const void>{nullptr, b.rows, b.cols, b.row_stride, b.col_stride};
            const auto to = kernel::matrix<void>{nullptr, c.rows, c.cols, c.row_stride, c.col_stride};
            own = std::make_unique_for_overwrite<T[]>(packing<Arch>(left, right, to, element_of<T>));
        }
        gemm_batched<T, Arch>(alpha, a, b, beta, c, over, reinterpret_cast<std::byte*>(own.get()));
    }

    /// The numbers of a product that are copied on the way, because they do not lie as its blocks or BLAS read them.
    template <class Arch = simd::native>
    static std::uint64_t packing(const kernel::matrix<const void>& a, const kernel::matrix<const void>& b, const kernel::matrix<void>& c, element type = element::float64,
                                 bool ended = false) {
        return detail::cpu_device::packing<Arch>(a, b, c, ended, type);
    }

    /// `y = alpha a x + beta y`, `[m,k] x [k] -> [m]`; `beta == 0` never reads `y`. `y` overlaps neither input.
    template <class T, class Arch = simd::native>
    static void gemv(std::type_identity_t<T> alpha, kernel::matrix<const T> a, kernel::vector<const T> x,
                     std::type_identity_t<T> beta, kernel::vector<T> y) {
        detail::cpu_device::multiply<Arch, T>(alpha, a, x, beta, y);
    }

    /// Copies every element of `from` to the same index of `to`.
    template <class T, class Arch = simd::native>
    static void copy(int rank, const std::int64_t* extents, const kernel::operand& from, const kernel::operand& to) {
        const kernel::operand slots[] = {from, to};
        const std::uint8_t bytes[] = {sizeof(T), sizeof(T)};
        namespace of = detail::cpu_device;
        of::nest<2> n;
        n.rank = of::collapse<Arch>(0, rank, extents, slots, 2, bytes, {0, false}, n.extent, n.stride);
        if (n.rank == 0) {
            n.rank = 1;
            n.extent[0] = 1;
            n.stride[0][0] = n.stride[1][0] = sizeof(T);
        }
        for (int a = 0; a < n.rank; ++a)
            if (n.extent[a] == 0) return;
        const int last = n.rank - 1;
        std::int64_t at[max_rank] = {};
        const of::tiling tiles = last > 0 ? of::tiling_of<Arch>(2, n.rank, n.stride, at, n.extent, bytes) : of::tiling{-1, {1, n.extent[last]}};
        const std::int64_t rows = last > 0 ? n.extent[tiles.axis] : 1, count = n.extent[last];
        const auto seen = [&](int s, std::byte* p) { return of::grid{p, n.stride[s][last], last > 0 ? n.stride[s][tiles.axis] : 0}; };
        of::grid f = seen(0, from.data), t = seen(1, to.data);
        for (;;) {
            tiles.shape.each(rows, count, [&](std::int64_t row, std::int64_t height, std::int64_t column, std::int64_t length) {
                of::copy_rows<Arch, sizeof(T)>(t.from(row, column), f.from(row, column), height, length, static_cast<int>(sizeof(T)));
            });
            int a = last - 1;
            for (; a >= 0; --a) {
                if (a == tiles.axis) continue;
                f.data += n.stride[0][a];
                t.data += n.stride[1][a];
                if (++at[a] < n.extent[a]) break;
                f.data -= n.stride[0][a] * n.extent[a];
                t.data -= n.stride[1][a] * n.extent[a];
                at[a] = 0;
            }
            if (a < 0) return;
        }
    }

    /// Runs a routine; `room` is for the bytes that `routine_room` counts.
    template <class Routine, class Types, class Arch = simd::native> static void routine(const kernel::routine_call& c, std::byte* room) {
        detail::cpu_device::routine_body<Routine, Types, Arch>::run(c, room);
    }
    template <class Routine, class Types, class Arch = simd::native> static std::int64_t routine_room(const kernel::routine_call& c) {
        return detail::cpu_device::routine_body<Routine, Types, Arch>::room(c);
    }

    /// In which way a routine is computed and why, for explanations; empty where there is one way. Of extents -1 is one that only the call knows.
    static std::string routine_way(const kernel::routine_facts& facts, element type, const kernel::routine_call& c) {
        return detail::cpu_device::convolution_text<simd::native>(facts, type, c);
    }

    // A block stays in the second cache of most processors; matrices that stay in the third one gain little (on Zen 5, 784 columns of float: 0.5 of the
    // time of two passes over 125 MB, 0.9 over 12, 1 over 3).
    static constexpr std::int64_t block_bytes = 256 * 1024, streamed_bytes = 4'000'000;
    // Rows of which a few stay in the first cache gain in the second one as well (logistic regression on 784 columns of float, in the time of two passes: 0.8 of 40 rows,
    // 0.75 of 400, 0.71 of 4,000).
    static constexpr std::int64_t near_bytes = 32 * 1024, near_streamed_bytes = 100'000;
    template <class F> static void each_part(int parts, std::int64_t work, F&& f) {
        const int groups = detail::cpu_device::parts_of(work, parts);
        detail::parallel(groups, [&](int group) {
            for (int part = parts * group / groups; part < parts * (group + 1) / groups; ++part) f(part);
        });
    }

    struct part;

    static constexpr bool joins_spreads = true;
    static constexpr bool ended_routines = true;
    static constexpr bool leaves_out_copies = true;
    static constexpr bool factors_matrices = true;
    /// Runs a routine of matrices: gives the number of the first one that it fails on, or -1. `room` is for the bytes that `matrices_room` counts.
    template <class Routine, class T, class Arch = simd::native> static std::int64_t matrices(const kernel::routine_call& c, std::byte* room) {
        // Which matrix fails, one after the other finds out.
        if constexpr (detail::cpu_device::in_lanes<Routine>::known)
            if (detail::cpu_device::lane_routine<Routine, T, Arch>::fits(c) && detail::cpu_device::lane_routine<Routine, T, Arch>::run(c)) return -1;
        const kernel::matrix_task task = kernel::task_of(c);
        return kernel::each_matrix<Routine, T>(c, [&](const kernel::elements<T>& y, const kernel::elements<const T>* in) {
            return detail::cpu_device::matrix_body<Routine, T, Arch>::run(task, y, in, reinterpret_cast<T*>(room));
        });
    }
    template <class Routine, class T, class Arch = simd::native> static std::int64_t matrices_room(const kernel::routine_call& c) {
        return detail::cpu_device::matrix_body<Routine, T, Arch>::room(kernel::task_of(c)) * static_cast<std::int64_t>(sizeof(T));
    }

    /// Memory for `bytes` bytes, 64-byte aligned; throws std::bad_alloc.
    static void* allocate(std::size_t bytes) { return detail::allocate_on_host(bytes); }
    static void deallocate(void* memory, std::size_t bytes) noexcept { detail::deallocate_on_host(memory, bytes); }

    /// Nanoseconds of a steady clock.
    static std::int64_t clock() noexcept {
        return detail::system_nanoseconds();
    }
};

/// What one of the parts of `each_part` multiplies with: never a BLAS, whose threads would wait for each other.
struct cpu::part : cpu {
    static void ends_product() = delete;

    template <class T, class Arch = simd::native>
    static void gemm(std::type_identity_t<T> alpha, kernel::matrix<const T> a, kernel::matrix<const T> b, std::type_identity_t<T> beta, kernel::matrix<T> c,
                     std::byte* room) {
        detail::cpu_device::multiply<Arch, T>(alpha, a, b, beta, c, room, true);
    }
    template <class Arch = simd::native>
    static std::uint64_t packing(const kernel::matrix<const void>& a, const kernel::matrix<const void>& b, const kernel::matrix<void>& c, element type = element::float64) {
        return detail::cpu_device::packing<Arch>(a, b, c, true, type);
    }
    template <class T, class Arch = simd::native>
    static void gemv(std::type_identity_t<T> alpha, kernel::matrix<const T> a, kernel::vector<const T> x, std::type_identity_t<T> beta, kernel::vector<T> y) {
        detail::cpu_device::multiply<Arch, T>(alpha, a, x, beta, y, true);
    }
    /// The same of an `a` whose rows are runs of memory, where nothing is empty and `alpha` is not 0.
    template <class T, class Arch = simd::native>
    static void multiply_rows(T alpha, const kernel::matrix<const T>& a, const kernel::vector<const T>& x, T beta, const kernel::vector<T>& y) {
        detail::cpu_device::gemv<T, Arch>::multiply_rows(alpha, a, x, beta, y);
    }
    template <class T, class Arch = simd::native>
    static void add_rows(const kernel::matrix<const T>& a, const kernel::vector<const T>& x, T* sum, bool first, std::int64_t ahead) {
        detail::cpu_device::gemv<T, Arch>::add_rows(a, x, sum, first, ahead);
    }
    template <class Kernel, class Arch = simd::native> using row_loop = detail::cpu_device::row_loop<Kernel, Arch>;
};

static_assert(device<cpu>);

}  // namespace croton::inline v0_1

#endif
