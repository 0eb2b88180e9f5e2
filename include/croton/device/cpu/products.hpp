// SPDX-License-Identifier: MIT
// Who computes a product of matrices on the CPU: BLAS, register blocks of our own, or plain loops.
#ifndef CROTON_DEVICE_CPU_PRODUCTS_HPP
#define CROTON_DEVICE_CPU_PRODUCTS_HPP

#include <croton/device/cpu/blas.hpp>
#include <croton/device/cpu/gemm.hpp>
#include <croton/device/cpu/gemv.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace croton::inline v0_1::detail::cpu_device {

enum class multiplier { loops, blocks, blas };

// Up to so many multiplications plain loops are faster than the look at strides and sizes (measured on Zen 5).
inline constexpr std::int64_t small_product = 48;

// Up to so many multiplications our blocks are faster than a BLAS that packs and checks first: one whose registers are as wide as ours, or wider ones. With its
// kernels for AVX-512 OpenBLAS 0.3.21 takes 1 to 2.4 times as long at 4 x 4 x 4 to 12 x 12 x 12 on a Xeon.
inline constexpr std::int64_t few_multiplications = 12 * 12 * 12, very_few_multiplications = 8 * 8 * 8;

/// Whether our blocks are faster than a BLAS with registers as wide, which is called through a look at strides, triangles and symmetry, with a short product. They are
/// not where the registers are nearly empty, or where sums of lanes are as many as products. `turned`: the first factor lies by columns; `both`: the second one does,
/// too. Of m, k and n of 4 to 64, float and double on a Xeon with AVX-512, they take these parts of the time of a bare call of OpenBLAS 0.3.21, geometric means: 0.83
/// and 0.86 by rows, 0.57 and 0.58 with the second factor by columns, 0.88 and 0.96 with the first one, 0.83 and 0.95 with both; with AVX2 on both sides 0.60 to 0.70, and
/// 0.34 to 0.75 where there are fewer than 8 columns by rows (Zen 3): 8 rows of one register are at work at a time.
template <class Arch> bool is_near(std::int64_t m, std::int64_t k, std::int64_t n, bool turned, bool both) {
    if (!is_short(m, k, n)) return false;
    if (turned) return n >= (both ? 12 : 8);
    constexpr std::int64_t least = register_bytes<Arch>() == 64 ? 8 : 2;
    return k < 32 || (both ? n > 8 && m > 4 : n >= least);
}
template <class Arch, class A, class B, class C> bool is_near(const A& a, const B& b, const C& c) {
    // A result with neither stride 1 is computed in a copy that lies by rows.
    if (c.col_stride != 1 && c.row_stride == 1) return is_near<Arch>(turned(b), turned(a), turned(c));
    if ((a.col_stride != 1 && a.row_stride != 1) || (b.col_stride != 1 && b.row_stride != 1)) return false;
    return is_near<Arch>(c.rows, a.cols, c.cols, a.col_stride != 1, b.col_stride != 1);
}

/// By how many bytes our registers are wider than those that the BLAS knows.
template <class Arch> int register_lead() {
    static const int lead = static_cast<int>(register_bytes<Arch>()) - blas_register_bytes();
    return lead;
}

/// Whether BLAS multiplies no matrices: one with narrower registers is slower at all sizes, half as fast with OpenBLAS 0.3.21 on Zen 5, which it
/// takes for a processor without AVX-512.
template <class Arch> bool multiplies_itself() { return register_lead<Arch>() > 0; }

// Of larger products our blocks take 0.81 to 1.08 of the time of OpenBLAS 0.3.21 with registers as wide (a Xeon with AVX-512, float and double, one thread, 64 to 3000 rows, either factor by
// rows or by columns), as long as the second factor has at most so many bytes; up to 1.17 where few rows are multiplied by lines that share places of a cache, as those of 1024 doubles do.
// With AVX2 on both sides (Zen 3) they take 0.87 to 0.97 with a second factor of so many floats where there are many rows to multiply by it, and 1 to 1.1 with fewer rows or a larger one.
// On several threads those of a BLAS and ours would wait for each other between products.
inline constexpr std::int64_t least_lines = 32, least_rows = 64, least_by_columns = 64 * 64 * 64, most_bytes_in_second = 10 * 1024 * 1024, short_row_bytes = 1024;
inline constexpr std::int64_t many_rows = 2048, many_rows_by_columns = 512, most_bytes_of_avx2 = 4 * 1024 * 1024, most_of_narrow = 512 * 1024;

/// Whether our blocks are as fast as a BLAS with registers as wide, on one thread. `turned`: the first factor lies by columns; `both`: the second one does, too.
template <class Arch> bool suits_blocks(std::int64_t m, std::int64_t k, std::int64_t n, element type, bool turned, bool both) {
    const auto bytes = static_cast<std::int64_t>(size_of(type));
    const bool narrow = register_bytes<Arch>() < 64, many = !turned && m >= (both ? many_rows_by_columns : many_rows);
    const std::int64_t most = !narrow ? most_bytes_in_second / bytes : register_bytes<Arch>() == 32 && many ? most_bytes_of_avx2 / bytes : most_of_narrow;
    if (m < least_rows || k < least_lines || n < least_lines || m > blas_limit || k > most || n > most || k * n > most) return false;
    if (turned) return !(narrow && both) && m * k * n > least_by_columns && n * bytes >= short_row_bytes;
    return both || m * k * n > least_by_columns;
}
/// Whether our blocks are faster than a BLAS with registers as wide, of AVX2, where there are few rows, few columns or little depth, for which it packs more than it multiplies: 0.2 to
/// 1.0 of the time of OpenBLAS 0.3.21 (Zen 3, bench/results/2026-11-30-slim-products.txt). They are not where the first cache holds no panel and there are more rows than a few, nor where
/// lines that are to be turned share its places.
template <class Arch> bool suits_slim(std::int64_t m, std::int64_t k, std::int64_t n, element type, bool turned, bool both) {
    const bool is_float = type == element::float32;
    const std::int64_t bytes = is_float ? 4 : 8;
    constexpr std::int64_t first_bytes = 32 * 1024, panel_bytes = 96, page = 4096, few_columns = 24, most_lines = 1024, far_bytes = 8 * 1024 * 1024, long_row = 512;
    if (register_bytes<Arch>() != 32 || m > blas_limit || k > blas_limit || n > blas_limit) return false;
    const bool deep = k * panel_bytes > first_bytes, collides = k * bytes % page == 0;
    if (m < least_rows) {
        if (both && turned) return n * bytes >= (is_float ? 256 : 1024) && !collides;
        if (both) return k >= 8 && (m <= 4 || n > few_columns) && (m < 16 || !collides);
        if (turned) return (m <= 4 || n >= 64) && ((m <= 8 && k <= most_lines) || (is_float && !deep));
        return m <= 6 || (m <= 12 && k <= most_lines) || n <= few_columns || !deep;
    }
    if (n >= long_row && m * n * bytes > far_bytes) return false;
    if (!turned) return k < least_lines || n <= 2 * few_columns;
    return is_float ? k <= 64 : k < 28 && (n >= 64 || k <= 8);
}

template <class Arch, class A, class B, class C> bool suits_blocks(const A& a, const B& b, const C& c, element type) {
    if (c.col_stride != 1) return c.row_stride == 1 && suits_blocks<Arch>(turned(b), turned(a), turned(c), type);
    if ((a.col_stride != 1 && a.row_stride != 1) || (b.col_stride != 1 && b.row_stride != 1)) return false;
    const bool by_columns = a.col_stride != 1, both = b.col_stride != 1;
    return suits_blocks<Arch>(c.rows, a.cols, c.cols, type, by_columns, both) || suits_slim<Arch>(c.rows, a.cols, c.cols, type, by_columns, both);
}
/// A BLAS of several threads multiplies nothing by them that is less, and they do not wait for ours.
template <class A, class C> bool is_for_one_thread(const A& a, const C& c) { return threads() == 1 || 2.0 * static_cast<double>(c.rows) * static_cast<double>(c.cols) * static_cast<double>(a.cols) < 2.0 * work_per_thread; }

/// `alone`: as one of several threads that multiply, which must not wait for each other in a BLAS. `near`: as `is_near` has it, or as `suits_blocks` on one thread.
template <class Arch> multiplier multiplier_of(std::int64_t m, std::int64_t k, std::int64_t n, bool alone, bool near = false) {
    // Each of the sizes first: their product may be more than a number holds.
    const auto within = [&](std::int64_t most) { return m <= most && k <= most && n <= most && m * k * n <= most; };
    if (within(small_product)) return multiplier::loops;
    if constexpr (!has_cblas) return multiplier::blocks;
    const int lead = register_lead<Arch>();
    if (alone || lead > 0 || (near && lead == 0) || within(lead == 0 ? few_multiplications : very_few_multiplications)) return multiplier::blocks;
    return m <= blas_limit && k <= blas_limit && n <= blas_limit ? multiplier::blas : multiplier::blocks;
}

/// Whether a product of matrices that lie by rows, of which the first may be turned, is computed as it is: by our blocks, which pack nothing of it. Where nothing is asked of
/// strides they are faster than plain loops.
template <class T, class Arch> bool multiplies_directly(std::int64_t m, std::int64_t k, std::int64_t n) {
    return m > 1 && n > 1 && k > 0 && gemm<T, Arch>::is_small(m, k, n) && multiplier_of<Arch>(m, k, n, false, is_near<Arch>(m, k, n, true, false)) != multiplier::blas;
}

// From so many bytes on the result of a product does not stay in the second cache until the loop behind has come to it.
inline constexpr std::int64_t ended_bytes = 1 << 20;

/// Whether the loop behind a product is to run on each block of its result: where it is our blocks that multiply, all columns at a time, and one thread, which needs not
/// wait for others behind each block. On a Xeon with AVX-512 and 2 MB of second cache that is 0.65 to 0.95 of one after the other; with several column blocks 0.85 to 1.8,
/// on two threads 1 to 1.5. Beside a BLAS that is as fast as our blocks, the pass that is saved is no more than what it is faster by.
template <class Arch> bool ends_product(std::int64_t m, std::int64_t k, std::int64_t n, element type, bool turned) {
    const std::int64_t bytes = static_cast<std::int64_t>(size_of(type));
    const std::int64_t columns = type == element::float32 ? gemm<float, Arch>::block_columns : gemm<double, Arch>::block_columns;
    return m > 1 && n > 1 && k > 0 && m <= blas_limit && n <= columns && m * n * bytes >= ended_bytes && threads() == 1 &&
           multiplier_of<Arch>(m, k, n, false, suits_blocks<Arch>(m, k, n, type, turned, false)) == multiplier::blocks;
}

/// Integers that are multiplied by our blocks.
template <class T> inline constexpr bool multiplies_whole = std::is_integral_v<T> && !std::is_same_v<T, bool>;

inline multiplier multiplier_of_whole(std::int64_t m, std::int64_t k, std::int64_t n) {
    return m <= small_product && k <= small_product && n <= small_product && m * k * n <= small_product ? multiplier::loops : multiplier::blocks;
}

/// Whether BLAS multiplies no vectors by matrices: memory limits both, so that only wider registers are faster, in cache. 8 x 8 to 4000 x 4000 take 0.4 to
/// 1.1 of the time of OpenBLAS 0.3.21 on Zen 5.
template <class Arch> bool multiplies_vectors_itself() { return !has_cblas || register_lead<Arch>() >= 0; }

// A matrix of so few elements is multiplied before a BLAS has looked at it.
inline constexpr std::int64_t small_matrix = 256;

/// Whether products are stored where `m` lies, without a copy.
template <class T> bool lies_as_wanted([[maybe_unused]] multiplier by, const matrix<T>& m) {
#if CROTON_HAS_CBLAS
    if (by == multiplier::blas) return layout_of(m).fits;
#endif
    return m.col_stride == 1 || m.row_stride == 1;
}

/// The numbers of any of some types that blocks pack at a time.
template <class Arch, class... T> std::int64_t most_packed(const matrix<const void>& a, const matrix<const void>& b, const matrix<void>& c) {
    std::int64_t most = 0;
    for (const product_blocks& of : {gemm<T, Arch>::blocks...}) most = std::max(most, packed_numbers<Arch>(of, a, b, sized(c)));
    return most;
}

/// The numbers that a product of `type` copies on the way.
template <class Arch>
std::uint64_t packing(const matrix<const void>& a, const matrix<const void>& b, const matrix<void>& c, bool alone = false, element type = element::float64) {
    if (c.rows <= 1 || c.cols <= 1 || a.cols == 0) return 0;
    const bool whole = !is_floating(type);
    const auto by = [&](const matrix<void>& to) {
        return whole ? multiplier_of_whole(to.rows, a.cols, to.cols) : multiplier_of<Arch>(to.rows, a.cols, to.cols, alone, is_near<Arch>(a, b, to));
    };
    const multiplier first = by(c);
    if (first == multiplier::loops) return 0;
    const auto size_of = [](const auto& m) { return static_cast<std::uint64_t>(m.rows) * static_cast<std::uint64_t>(m.cols); };
    // How many threads there are is not asked here: it may change before the product is computed.
    const auto of_blocks = [&](const matrix<void>& to) {
        if (by(to) != multiplier::blocks && (whole || !(suits_blocks<Arch>(a, b, to, element::float32) || suits_blocks<Arch>(a, b, to, element::float64)))) return std::uint64_t{0};
        return static_cast<std::uint64_t>(whole ? most_packed<Arch, std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t>(a, b, to) : most_packed<Arch, float, double>(a, b, to));
    };
    // A result that does not lie as it is wanted is computed in a copy by rows, and who multiplies is asked once more.
    const std::uint64_t of_copy = size_of(c) + of_blocks({nullptr, c.rows, c.cols, c.cols, 1});
    std::uint64_t most = lies_as_wanted(multiplier::blocks, c) ? of_blocks(c) : of_copy;
#if CROTON_HAS_CBLAS
    if (first == multiplier::blas) {
        const auto copied = [&](const auto& m) { return layout_of(m).fits ? std::uint64_t{0} : size_of(m); };
        most = std::max(most, lies_as_wanted(first, c) ? std::uint64_t{0} : of_copy);
        most = std::max(most, copied(a) + copied(b) + copied(c));
    }
#endif
    return most;
}

/// `y = alpha a x + beta y`.
template <class Arch, class T>
void multiply(T alpha, const matrix<const T>& a, vector<const T> x, T beta, vector<T> y, [[maybe_unused]] bool alone = false) {
    if (y.size == 0) return;
    if (x.size == 0 || alpha == T{}) {
        const matrix<T> column{y.data, y.size, 1, y.stride, 1};
        if (x.size == 0) scale<Arch>(beta, column);
        else multiply_by_zero<Arch, T>(a, {x.data, x.size, 1, x.stride, 1}, beta, column);
        return;
    }
    if constexpr (std::is_floating_point_v<T>) {
#if CROTON_HAS_CBLAS
        if (!alone && a.rows * a.cols > small_matrix && !multiplies_vectors_itself<Arch>()) {
            if (x.size == 1) x.stride = 1;
            if (y.size == 1) y.stride = 1;
            const auto fits = [](std::int64_t n) { return n <= blas_limit && n >= -blas_limit; };
            const blas_layout l = layout_of(a);
            if (l.fits && x.stride != 0 && fits(x.stride) && fits(y.stride) && fits(a.rows) && fits(a.cols)) {
                const bool plain = l.transpose == CblasNoTrans;
                call_gemv(l.transpose, static_cast<int>(plain ? a.rows : a.cols), static_cast<int>(plain ? a.cols : a.rows), alpha, a.data, l.leading, lowest(x),
                          static_cast<int>(x.stride), beta, lowest(y), static_cast<int>(y.stride));
                return;
            }
        }
#endif
        if (gemv<T, Arch>::fits(a)) return gemv<T, Arch>::run(alpha, a, x, beta, y);
    }
    multiply_loops<Arch, T>(alpha, a, x, beta, y);
}

/// Whether it is our blocks that compute a large product beside a BLAS: one of which no half can be left out, as BLAS does.
template <class Arch, class T> bool multiplies_large([[maybe_unused]] const matrix<const T>& a, [[maybe_unused]] const matrix<const T>& b, [[maybe_unused]] T beta, [[maybe_unused]] const matrix<T>& c) {
#if CROTON_HAS_CBLAS
    if constexpr (std::is_floating_point_v<T>)
        return suits_blocks<Arch>(a, b, c, element_of<T>) && is_for_one_thread(a, c) && !is_symmetric<T>(a, b, beta) && !has_zero_corner(a) && !has_zero_corner(b);
#endif
    return false;
}

/// `c = alpha a b + beta c`. `room` is for the numbers that `packing` counts.
template <class Arch, class T>
void multiply(T alpha, const matrix<const T>& a, const matrix<const T>& b, T beta, const matrix<T>& c, [[maybe_unused]] std::byte* room, [[maybe_unused]] bool alone = false) {
    if (c.rows == 0 || c.cols == 0) return;
    if (a.cols == 0) {
        scale<Arch>(beta, c);
        return;
    }
    if (alpha == T{}) {
        multiply_by_zero<Arch, T>(a, b, beta, c);
        return;
    }
    if constexpr (std::is_floating_point_v<T> || multiplies_whole<T>) {
        if (c.cols == 1) return multiply<Arch, T>(alpha, a, vector<const T>{b.data, b.rows, b.row_stride}, beta, {c.data, c.rows, c.row_stride}, alone);
        if (c.rows == 1)
            return multiply<Arch, T>(alpha, transposed(b), vector<const T>{a.data, a.cols, a.col_stride}, beta, {c.data, c.cols, c.col_stride}, alone);
        const multiplier by = multiplies_whole<T> ? multiplier_of_whole(c.rows, a.cols, c.cols)
                                                  : multiplier_of<Arch>(c.rows, a.cols, c.cols, alone, is_near<Arch>(a, b, c) || multiplies_large<Arch, T>(a, b, beta, c));
        if (by != multiplier::loops) {
            if (!lies_as_wanted(by, c)) {
                const matrix<T> copy = packed_copy<Arch>(c, room, beta != T{});
                multiply<Arch, T>(alpha, a, b, beta, copy, room, alone);
                for (std::int64_t i = 0; i < c.rows; ++i)
                    for (std::int64_t j = 0; j < c.cols; ++j) c.data[i * c.row_stride + j * c.col_stride] = copy.data[i * copy.row_stride + j];
                return;
            }
            if constexpr (multiplies_whole<T>) {
                using U = std::make_unsigned_t<T>;
                const auto seen = [](const matrix<const T>& m) { return matrix<const U>{reinterpret_cast<const U*>(m.data), m.rows, m.cols, m.row_stride, m.col_stride}; };
                return gemm<U, Arch>::run(static_cast<U>(alpha), seen(a), seen(b), static_cast<U>(beta),
                                          {reinterpret_cast<U*>(c.data), c.rows, c.cols, c.row_stride, c.col_stride}, reinterpret_cast<U*>(room));
            } else {
#if CROTON_HAS_CBLAS
                if (by == multiplier::blas) return multiply_blas<Arch, T>(alpha, a, b, beta, c, room);
#endif
                return gemm<T, Arch>::run(alpha, a, b, beta, c, reinterpret_cast<T*>(room));
            }
        }
    }
    multiply_loops<Arch, T>(alpha, a, b, beta, c);
}

/// `c = a b` of large square matrices that lie by rows, one behind the other, and have no zeros: by what `multiply` takes for them, and without the code for all others, which
/// takes a compiler seconds.
template <class Arch, class T> void multiply_large(const matrix<const T>& a, const matrix<const T>& b, const matrix<T>& c, T* room) {
#if CROTON_HAS_CBLAS
    const bool near = suits_blocks<Arch>(a, b, c, element_of<T>) && threads() == 1;
    if (multiplier_of<Arch>(c.rows, a.cols, c.cols, false, near) == multiplier::blas) {
        const int n = static_cast<int>(c.rows);
        return call_gemm(CblasNoTrans, CblasNoTrans, n, n, n, T(1), a.data, n, b.data, n, T{}, c.data, n);
    }
#endif
    gemm<T, Arch>::run(T(1), a, b, T{}, c, room);
}

/// The same by blocks, whose results `end` goes on with. `room` is for the numbers that `packing` counts of who multiplies alone.
template <class Arch, class T>
void multiply(T alpha, const matrix<const T>& a, const matrix<const T>& b, T beta, const matrix<T>& c, std::byte* room, const kernel::block_end& end) {
    if (c.rows > 1 && c.cols > 1 && a.cols > 0 && alpha != T{} && lies_as_wanted(multiplier::blocks, c) && !is_turned(c))
        return gemm<T, Arch>::run(alpha, a, b, beta, c, reinterpret_cast<T*>(room), &end);
    multiply<Arch, T>(alpha, a, b, beta, c, room, true);
    end.run(end.context, 0, c.rows, 0, c.cols);
}

}  // namespace croton::inline v0_1::detail::cpu_device

#endif
