// SPDX-License-Identifier: MIT
// The innermost part of a product of matrices: a block of the result in registers, all along the depth.
#ifndef CROTON_DEVICE_CPU_PRODUCT_TILE_HPP
#define CROTON_DEVICE_CPU_PRODUCT_TILE_HPP

#include <croton/config.hpp>
#include <croton/device/cpu/lanes.hpp>
#include <croton/device/cpu/pack.hpp>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

namespace croton::inline v0_1::detail::cpu_device {

/// The first numbers of a register, as memory holds them: by masks where the instruction set has them.
template <class T, class Arch> struct some_lanes {
    using V = typename lanes_of<T, register_bytes<Arch>()>::type;
    static constexpr std::int64_t lanes = sizeof(V) / sizeof(T);
#if CROTON_HAS_AVX512
    static constexpr bool by_bits = std::is_floating_point_v<T> && simd::has_avx512<Arch>;
#else
    static constexpr bool by_bits = false;
#endif
#if CROTON_HAS_AVX2
    static constexpr bool by_lanes = std::is_floating_point_v<T> && simd::masks_by_avx2<Arch, T>;
#else
    static constexpr bool by_lanes = false;
#endif
    /// Whether one instruction reads them, and whether one writes them.
    static constexpr bool masks = by_bits || by_lanes, stores = by_bits;
    std::int64_t count;  // 0 or less is none, and `lanes` or more all of them

    CROTON_INLINE explicit some_lanes(std::int64_t n) : count(n), mask_(mask_of(n)) {}
    /// For loops: compilers would rather count them again in each turn.
    CROTON_INLINE void keep_count() {
        if constexpr (by_bits) CROTON_IN_MASK(mask_);
#if CROTON_HAS_AVX2
        if constexpr (by_lanes) CROTON_IN_REGISTER(mask_.bits);
#endif
    }

    CROTON_INLINE static V load_all(const T* p) {
        V v;
        std::memcpy(&v, p, sizeof v);
        return v;
    }
    CROTON_INLINE static void store_all(T* p, const V& v) { std::memcpy(p, &v, sizeof v); }
    CROTON_INLINE static void keep([[maybe_unused]] V& v) { CROTON_IN_REGISTER(v); }
    CROTON_INLINE V load(const T* p) const {
#if CROTON_HAS_AVX512
        if constexpr (by_bits) return __builtin_bit_cast(V, simd::avx512<Arch>::load(p, mask_).data);
#endif
#if CROTON_HAS_AVX2
        if constexpr (by_lanes) {
            // Unlike bits, a mask in a register tells no compiler that it is all of them.
            if (__builtin_constant_p(count >= lanes) && count >= lanes) return load_all(p);
            return __builtin_bit_cast(V, simd::avx2<Arch>::load(p, mask_).data);
        }
#endif
        if (count >= lanes) return load_all(p);
        V v{};
        for (std::int64_t i = 0; i < count; ++i) v[i] = p[i];
        return v;
    }
    CROTON_INLINE void store(T* p, const V& v) const {
#if CROTON_HAS_AVX512
        if constexpr (by_bits) return simd::avx512<Arch>::store(p, __builtin_bit_cast(xsimd::batch<T, Arch>, v), mask_);
#endif
        if (count >= lanes) return store_all(p, v);
#if CROTON_HAS_AVX2
        if constexpr (by_lanes) {
            if (count > 0) simd::avx2<Arch>::store(p, __builtin_bit_cast(xsimd::batch<T, Arch>, v), static_cast<int>(count));
            return;
        }
#endif
        for (std::int64_t i = 0; i < count; ++i) p[i] = v[i];
    }

private:
    // Without a branch, of which loops would have one for each register.
    CROTON_INLINE static auto mask_of([[maybe_unused]] std::int64_t n) {
#if CROTON_HAS_AVX2
        if constexpr (by_lanes) return simd::avx2<Arch>::template first<T>(n);
        else
#endif
        if constexpr (by_bits) return static_cast<std::uint16_t>((1u << std::clamp<std::int64_t>(n, 0, lanes)) - 1);
        else return std::uint16_t{0};
    }
    decltype(mask_of(0)) mask_;
};

/// What the blocks of a product share: how far rows and columns of `a`, rows of `b` and of `c` are apart, in elements. Columns of `b` and `c` lie side by
/// side.
template <class T> struct product_task {
    std::int64_t depth, a_row, a_column, b_row, c_row;
    T alpha, beta;
    bool whole = false;  // what is read of `b` is whole registers, however many columns there are
};

/// Memory that is asked for, a line at a time, beside sums that leave it idle: `lines` of each of `runs` runs, which are `apart` bytes from each other.
struct lines_ahead {
    static constexpr std::int64_t line_bytes = 64;
    const char* at = nullptr;
    std::int64_t lines = 0, apart = 0, runs = 0, left = 0;

    lines_ahead() = default;
    lines_ahead(const void* from, std::int64_t bytes, std::int64_t apart_bytes, std::int64_t count)
        : at(static_cast<const char*>(from)), lines((bytes + 2 * line_bytes - 2) / line_bytes), apart(apart_bytes - lines * line_bytes), runs(count), left(lines) {}

    template <class V> CROTON_INLINE void take(const V*) {
        __builtin_prefetch(at, 0, 2);
        at += line_bytes;
        if (--left == 0) {
            left = lines;
            at += apart;
            --runs;
        }
    }
};

/// `Rows` rows and `Columns` registers of a result. It is sums of products in the order of the depth, whatever the block.
template <class T, class Arch, int Rows, int Columns> struct product_tile {
    using some = some_lanes<T, Arch>;
    using V = typename some::V;
    static constexpr std::int64_t lanes = some::lanes, width = Columns * lanes;
    using rows_t = std::make_integer_sequence<int, Rows>;
    using columns_t = std::make_integer_sequence<int, Columns>;

    /// `c = alpha a b + beta c` for the first `rows` rows and `columns` columns, which may be fewer than the block has, but not by a whole register of
    /// columns; `beta == 0` does not read `c`. Without masks whole registers of `b` are read.
    [[gnu::noinline]] static void run(const product_task<T>& t, const T* a, std::int64_t rows, const T* b, std::int64_t columns, T* c) {
        no_copy none;
        go(t, a, std::min<std::int64_t>(rows, Rows), b, columns, c, none, rows_t());
    }
    /// The same for `Rows` rows, beside which memory is asked for.
    [[gnu::noinline]] static void run_asking(const product_task<T>& t, const T* a, const T* b, std::int64_t columns, T* c, lines_ahead& ahead) {
        go(t, a, Rows, b, columns, c, ahead, rows_t());
    }
    /// The same for `Rows` rows, and `b` is left in `kept`, whose rows are `across` apart: whole registers, filled up with zeros. Without masks `columns` is `width`.
    [[gnu::noinline]] static void run_keeping(const product_task<T>& t, const T* a, const T* b, std::int64_t columns, T* c, T* kept, std::int64_t across) {
        copy_of_b copy{kept, across};
        go(t, a, Rows, b, columns, c, copy, rows_t());
    }

private:
    struct no_copy {
        CROTON_INLINE void take(const V*) {}
    };
    /// Memory is written beside the sums, which leave it idle.
    struct copy_of_b {
        T* to;
        std::int64_t across;
        CROTON_INLINE void take(const V* x) {
            std::memcpy(to, x, Columns * sizeof(V));
            to += across;
        }
    };

    // Rows in groups that are so far apart that a pointer for each group and what all of them add to it reach every row. The last group ends at the last row: what it
    // has in common with the one before is computed twice. Where there is but one, rows that there are not are computed as the last one.
    static constexpr int group = Rows < 4 ? Rows : 4, groups = Rows / group;
    CROTON_INLINE static std::int64_t row_of(int r, std::int64_t rows) {
        if constexpr (groups == 1) return std::min<std::int64_t>(r, rows - 1);
        else return r < Rows - group ? r : rows - Rows + r;
    }
    CROTON_INLINE static std::int64_t place_of(std::int64_t row, std::int64_t rows) { return groups == 1 || row < Rows - group ? row : row + Rows - rows; }

    template <int R, int... C> CROTON_INLINE static void add_row(V* sum, T factor, const V* x, std::integer_sequence<int, C...>) {
        ((sum[R * Columns + C] += factor * x[C]), ...);
    }
    template <bool Masked, class Copy, int... R, int... C>
    CROTON_INLINE static void add(V* sum, const T* const* a, const std::int64_t* offset, const T* b, const some& last, Copy& copy, std::integer_sequence<int, R...>,
                                  std::integer_sequence<int, C...> all) {
        V x[Columns] = {(C == Columns - 1 && Masked ? last.load(b + C * lanes) : some::load_all(b + C * lanes))...};
        // Read once: compilers would rather have them read again for every row.
        (some::keep(x[C]), ...);
        copy.take(x);
        (add_row<R>(sum, a[R / group][offset[R % group]], x, all), ...);
    }
    CROTON_INLINE static void put(const V& v, T alpha, T beta, const some& part, T* c) {
        if (beta != T{}) part.store(c, alpha * v + beta * part.load(c));
        else part.store(c, alpha * v);
    }
    template <int... C> CROTON_INLINE static void put_row(const V* row, T alpha, T beta, const some& last, T* c, std::integer_sequence<int, C...>) {
        (put(row[C], alpha, beta, C == Columns - 1 ? last : some(lanes), c + C * lanes), ...);
    }
    template <int... C> CROTON_INLINE static void put_row(const V* row, T alpha, const some& last, T* c, std::integer_sequence<int, C...>) {
        ((C == Columns - 1 ? last.store(c + C * lanes, alpha * row[C]) : some::store_all(c + C * lanes, alpha * row[C])), ...);
    }
    template <int... N> CROTON_INLINE static void leave(V* to, const V* sum, std::integer_sequence<int, N...>) { ((to[N] = sum[N]), ...); }
    template <class Copy, int... R>
    CROTON_INLINE static void go(const product_task<T>& t, const T* a, std::int64_t rows, const T* b, std::int64_t columns, T* c, Copy& beside,
                                 std::integer_sequence<int, R...> all) {
        // Memory is asked for what lies far away before the sums are there. Stores wait for it by themselves, beside the sums of the next block.
        if (t.depth > 64 && t.beta != T{})
            for (std::int64_t r = 0; r < rows; ++r) prefetch(c + r * t.c_row);
        V sum[Rows * Columns] = {};
        const std::int64_t offset[] = {(R < group ? row_of(R, rows) * t.a_row : 0)...};
        const T* left[] = {(R < groups ? a + row_of(R * group, rows) * t.a_row : a)...};
        some last(columns - width + lanes);
        last.keep_count();
        const std::int64_t a_column = t.a_column, b_row = t.b_row;
        Copy copy = beside;
        const auto sum_up = [&]<bool Masked>(std::bool_constant<Masked>) CROTON_INLINED {
            for (std::int64_t k = t.depth; k > 0; --k, b += b_row) {
                add<Masked>(sum, left, offset, b, last, copy, all, columns_t());
                ((R < groups ? static_cast<void>(left[R] += a_column) : void()), ...);
            }
        };
        // A masked load takes the place of a sum.
        if (some::masks && columns < width && !t.whole) sum_up(std::bool_constant<some::masks>());
        else sum_up(std::false_type());
        beside = copy;
        const T alpha = t.alpha, beta = t.beta;
        const std::int64_t c_row = t.c_row;
        // By bits a register is stored by one instruction; any other way it takes so many that a loop over the rows has them once, and the registers are left in memory.
        if constexpr (some::stores) {
            if (beta == T{}) return (put_row(sum + R * Columns, alpha, last, c + row_of(R, rows) * c_row, columns_t()), ...);
            // What is computed twice may not be added twice.
            if (rows == Rows) return (put_row(sum + R * Columns, alpha, beta, last, c + R * c_row, columns_t()), ...);
        }
        V sums[Rows * Columns];
        leave(sums, sum, std::make_integer_sequence<int, Rows * Columns>());
        for (std::int64_t r = 0; r < rows; ++r) put_row(sums + place_of(r, rows) * Columns, alpha, beta, last, c + r * c_row, columns_t());
    }
    CROTON_INLINE static void prefetch(const T* c) {
        for (int i = 0; i < Columns; ++i) __builtin_prefetch(c + i * lanes, 1);
    }
};

/// Sums the lanes of registers.
template <class T, class Arch> struct lane_sums {
    using V = typename some_lanes<T, Arch>::V;
    static constexpr int lanes = static_cast<int>(some_lanes<T, Arch>::lanes);

    /// `Group` lanes of each of `2 Stride` registers are left so far.
    template <int Group, int Stride> CROTON_INLINE static V fold(const V* v) {
        if constexpr (Stride == 0) {
            return *v;
        } else {
            const V low = fold<Group * 2, Stride / 2>(v), high = fold<Group * 2, Stride / 2>(v + Stride);
            return halves<Group>(low, high, std::make_integer_sequence<int, lanes>());
        }
    }
    template <int Group, int... L> CROTON_INLINE static V halves(const V& low, const V& high, std::integer_sequence<int, L...>) {
#if CROTON_HAS_COMPUTED_SHUFFLES
        return __builtin_shufflevector(low, high, (L / Group * 2 * Group + L % Group)...) +
               __builtin_shufflevector(low, high, (L / Group * 2 * Group + L % Group + Group)...);
#else
        const auto lane = [&](int i) { return i < lanes ? low[i] : high[i - lanes]; };
        return V{(lane(L / Group * 2 * Group + L % Group) + lane(L / Group * 2 * Group + L % Group + Group))...};
#endif
    }
};

/// The sums of the lanes of as many registers as there are lanes, side by side.
template <class T, class Arch> CROTON_INLINE typename some_lanes<T, Arch>::V folded(const typename some_lanes<T, Arch>::V* v) {
    using sums = lane_sums<T, Arch>;
    return sums::template fold<1, sums::lanes / 2>(v);
}

/// Sums of products of `high` rows with `wide` others, all of which are runs of memory.
template <class T, class Arch> struct dot_tile {
    using some = some_lanes<T, Arch>;
    using V = typename some::V;
    static constexpr std::int64_t lanes = some::lanes;
    // Of 16 registers those that are read need some.
    static constexpr int high = 4, wide = register_bytes<Arch>() == 64 ? 4 : 3;

    /// `c = alpha a b + beta c` as above, for at most `high` rows and `wide` columns. Columns of `b` are `t.b_row` apart.
    [[gnu::noinline]] static void run(const product_task<T>& t, const T* a, std::int64_t rows, const T* b, std::int64_t columns, T* c) {
        alignas(sizeof(V)) T sum[folds * lanes];
        go(t, a, rows, b, columns, sum, rows_t(), columns_t());
        const auto put = [&](std::int64_t lines, std::int64_t numbers) CROTON_INLINED {
            for (std::int64_t i = 0; i < lines; ++i)
                for (std::int64_t j = 0; j < numbers; ++j) {
                    T& out = c[i * t.c_row + j];
                    out = t.beta == T{} ? t.alpha * sum[i * wide + j] : t.alpha * sum[i * wide + j] + t.beta * out;
                }
        };
        if (rows >= high && columns >= wide) put(high, wide);
        else put(std::min<std::int64_t>(rows, high), std::min<std::int64_t>(columns, wide));
    }

private:
    static constexpr int sums = high * wide, folds = (sums + static_cast<int>(lanes) - 1) / static_cast<int>(lanes);
    using rows_t = std::make_integer_sequence<int, high>;
    using columns_t = std::make_integer_sequence<int, wide>;

    template <int R, int... C> CROTON_INLINE static void add_row(V* sum, const V& factor, const V* x, std::integer_sequence<int, C...>) {
        ((sum[R * wide + C] += factor * x[C]), ...);
    }
    template <int... R, int... C>
    CROTON_INLINE static void add(V* sum, const T* const* a, const T* const* b, std::int64_t at, const some& part, std::integer_sequence<int, R...>,
                                  std::integer_sequence<int, C...> all) {
        V x[wide] = {part.load(b[C] + at)...};
        (some::keep(x[C]), ...);
        (add_row<R>(sum, part.load(a[R] + at), x, all), ...);
    }
    template <int... R, int... C>
    CROTON_INLINE static void go(const product_task<T>& t, const T* a, std::int64_t rows, const T* b, std::int64_t columns, T* to,
                                 std::integer_sequence<int, R...> all_rows, std::integer_sequence<int, C...> all_columns) {
        V sum[folds * lanes] = {};
        const T* const left[high] = {(a + std::min<std::int64_t>(R, rows - 1) * t.a_row)...};
        const T* const right[wide] = {(b + std::min<std::int64_t>(C, columns - 1) * t.b_row)...};
        std::int64_t at = 0;
        for (; at + lanes <= t.depth; at += lanes) add(sum, left, right, at, some(lanes), all_rows, all_columns);
        if (at < t.depth) add(sum, left, right, at, some(t.depth - at), all_rows, all_columns);
        put(sum, to, std::make_integer_sequence<int, folds>());
    }
    template <int... G> CROTON_INLINE static void put(const V* sum, T* to, std::integer_sequence<int, G...>) {
        const auto one = [&](const V& v, std::int64_t at) CROTON_INLINED { std::memcpy(to + at, &v, sizeof v); };
        (one(folded<T, Arch>(sum + G * lanes), G * lanes), ...);
    }
};

}  // namespace croton::inline v0_1::detail::cpu_device

#endif
