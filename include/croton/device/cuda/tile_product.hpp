// SPDX-License-Identifier: MIT
// The kernel of such products: a block makes a tile of the result, from pieces of both matrices in shared memory.
#ifndef CROTON_DEVICE_CUDA_TILE_PRODUCT_HPP
#define CROTON_DEVICE_CUDA_TILE_PRODUCT_HPP

#include <croton/core/half.hpp>
#include <croton/device/cuda/tile_task.hpp>
#include <croton/kernel/kernel.hpp>

#include <cstddef>
#include <cstdint>

namespace croton::inline v0_1::detail::cuda_device {

/// `Down` by `Across` threads, each with `Rows` by `Columns` results, take `Depth` rows of k at a time.
template <int Down, int Across, int Rows, int Columns, int Depth> struct tile_shape {
    static constexpr int down = Down, across = Across, rows = Rows, columns = Columns, depth = Depth;
    static constexpr int threads = Down * Across, m = Down * Rows, n = Across * Columns;
    static_assert(Rows % 4 == 0 && Columns % 4 == 0 && Depth % 4 == 0 && threads % n == 0);
};

/// Tiles of few rows, of some, and of many.
template <int Threads> using flat_tile = tile_shape<4, Threads / 4, 4, 4, 8>;
template <int Threads> using middle_tile = tile_shape<(Threads >= 256 ? 16 : 8), Threads / (Threads >= 256 ? 16 : 8), 4, 4, 16>;
template <int Threads> using large_tile = tile_shape<(Threads >= 256 ? 16 : 8), Threads / (Threads >= 256 ? 16 : 8), 8, 8, 8>;

template <class E> struct alignas(4 * sizeof(E)) four_of {
    E at[4];
};

/// Sums are of the type that arithmetic on `T` has, each in the order of k. While a piece is multiplied the next one is on its way.
template <class T, class A, class B, class Shape> class tile_product {
    using number = arithmetic_t<T>;
    struct row_of_k {
        std::int64_t a, b;
        int place[3];
        int inside;
    };
    // Four more in each row: threads that store down a column meet other banks.
    static constexpr int pitch_a = Shape::m + 4, pitch_b = Shape::n + 4, depth = Shape::depth;
    struct memory {
        alignas(16) number a[2][depth * pitch_a];
        alignas(16) number b[2][depth * pitch_b];
        row_of_k rows[2][depth];
    };
    // Of each piece a thread loads so many; where there are fewer fours than threads, some load none.
    static constexpr int some(int all) { return (all + Shape::threads - 1) / Shape::threads; }
    static constexpr int of_a = some(Shape::m * depth), of_b = some(Shape::n * depth);
    static constexpr int fours_of_a = some(Shape::m * depth / 4), fours_of_b = some(Shape::n * depth / 4);

public:
    static constexpr std::size_t shared_bytes = sizeof(memory);

    template <class Threads> CROTON_DEVICE static void run(Threads& t, const tile_task& p) {
        memory& shared = *reinterpret_cast<memory*>(t.shared());
        tile_product me(p, t.thread(), t.block());
        me.write_rows(shared.rows[0], me.first_);
        t.sync();
        me.load(shared.rows[0]);
        me.store(shared, 0);
        me.write_rows(shared.rows[1], me.first_ + depth);
        t.sync();
        int turn = 0;
        for (int k = me.first_; k < me.end_; k += depth, turn ^= 1) {
            const bool more = k + depth < me.end_;
            if (more) me.load(shared.rows[turn ^ 1]);
            me.multiply(shared, turn);
            if (more) {
                me.store(shared, turn ^ 1);
                me.write_rows(shared.rows[turn], k + 2 * depth);
            }
            t.sync();
        }
        me.write();
    }

private:
    CROTON_DEVICE tile_product(const tile_task& p, int thread, std::int64_t block) : p_(p), thread_(thread) {
        row_ = static_cast<int>(block % p.tiles_m) * Shape::m;
        block /= p.tiles_m;
        column_ = static_cast<int>(block % p.tiles_n) * Shape::n;
        block /= p.tiles_n;
        split_ = static_cast<int>(block % p.splits);
        group_ = static_cast<int>(block / p.splits);
        first_ = split_ * p.chunk;
        end_ = p.k.count - first_ < p.chunk ? p.k.count : first_ + p.chunk;
        a_ = static_cast<const A*>(p.a) + p.a_first + group_ * p.a_group;
        const int n = column_ + thread % Shape::n;
        inside_ = n < p.n.count;
        const tile_index i = p.n.index(inside_ ? n : 0);
        b_ = static_cast<const B*>(p.b) + group_ * p.b_group + i.outer * p.b_n;
        CROTON_UNROLL
        for (int a = 0; a < 3; ++a) place_[a] = p.b_start[a] + i.at[a] * p.b_by_n[a];
        CROTON_UNROLL
        for (int r = 0; r < Shape::rows; ++r) {
            CROTON_UNROLL
            for (int c = 0; c < Shape::columns; ++c) sum_[r][c] = number{};
        }
    }

    /// What the threads share of `depth` rows of k from `first` on: where they lie.
    CROTON_DEVICE void write_rows(row_of_k* rows, int first) const {
        if (thread_ >= depth) return;
        row_of_k& row = rows[thread_];
        const int k = first + thread_;
        row.inside = k < end_ ? 1 : 0;
        if (k >= end_) return;
        const tile_index i = p_.k.index(k);
        row.a = i.outer * p_.a_outer + i.at[0] * p_.a_at[0] + i.at[1] * p_.a_at[1] + i.at[2] * p_.a_at[2];
        row.b = i.outer * p_.b_k;
        CROTON_UNROLL
        for (int a = 0; a < 3; ++a) row.place[a] = i.at[a] * p_.b_by_k[a];
    }

    CROTON_DEVICE void load(const row_of_k* rows) {
        if (p_.a_vectors == tile_vectors::none) {
            CROTON_UNROLL
            for (int i = 0; i < of_a; ++i) {
                const int e = thread_ + i * Shape::threads, k = e % depth, m = row_ + e / depth;
                next_a_[i] = e < Shape::m * depth && m < p_.m && rows[k].inside != 0 ? static_cast<number>(a_[m * p_.a_m + rows[k].a]) : number{};
            }
        } else {
            CROTON_UNROLL
            for (int i = 0; i < fours_of_a; ++i) {
                const int e = thread_ + i * Shape::threads;
                const bool down = p_.a_vectors == tile_vectors::along_k;
                const int k = down ? e % (depth / 4) * 4 : e / (Shape::m / 4), m = row_ + (down ? e / (depth / 4) : e % (Shape::m / 4) * 4);
                four_of<A> four{};
                if (e < Shape::m * depth / 4 && m < p_.m && rows[k].inside != 0) four = *reinterpret_cast<const four_of<A>*>(a_ + m * p_.a_m + rows[k].a);
                CROTON_UNROLL
                for (int j = 0; j < 4; ++j) next_a_[4 * i + j] = static_cast<number>(four.at[j]);
            }
        }
        if (!p_.b_vectors) {
            CROTON_UNROLL
            for (int i = 0; i < of_b; ++i) {
                std::int64_t at = 0;
                next_b_[i] = find(rows[thread_ / Shape::n + i * (Shape::threads / Shape::n)], at) ? static_cast<number>(b_[at]) : number{};
            }
        } else {
            CROTON_UNROLL
            for (int i = 0; i < fours_of_b; ++i) {
                const int k = 4 * (thread_ / Shape::n + i * (Shape::threads / Shape::n));
                std::int64_t at = 0;
                four_of<B> four{};
                if (k < depth && find(rows[k], at)) four = *reinterpret_cast<const four_of<B>*>(b_ + at);
                CROTON_UNROLL
                for (int j = 0; j < 4; ++j) next_b_[4 * i + j] = static_cast<number>(four.at[j]);
            }
        }
    }
    /// Whether the column of this thread has an element in a row, and where.
    CROTON_DEVICE bool find(const row_of_k& row, std::int64_t& at) const {
        bool inside = inside_ && row.inside != 0;
        at = row.b;
        CROTON_UNROLL
        for (int a = 0; a < 3; ++a) {
            const int place = place_[a] + row.place[a];
            inside = inside && static_cast<unsigned>(place) < static_cast<unsigned>(p_.b_limit[a]);
            at += place * p_.b_at[a];
        }
        return inside;
    }

    CROTON_DEVICE void store(memory& shared, int turn) const {
        if (p_.a_vectors == tile_vectors::none) {
            CROTON_UNROLL
            for (int i = 0; i < of_a; ++i) {
                const int e = thread_ + i * Shape::threads;
                if (e < Shape::m * depth) shared.a[turn][e % depth * pitch_a + e / depth] = next_a_[i];
            }
        } else {
            const bool down = p_.a_vectors == tile_vectors::along_k;
            CROTON_UNROLL
            for (int i = 0; i < fours_of_a; ++i) {
                const int e = thread_ + i * Shape::threads;
                if (e >= Shape::m * depth / 4) continue;
                const int k = down ? e % (depth / 4) * 4 : e / (Shape::m / 4), m = down ? e / (depth / 4) : e % (Shape::m / 4) * 4;
                CROTON_UNROLL
                for (int j = 0; j < 4; ++j) shared.a[turn][(down ? k + j : k) * pitch_a + (down ? m : m + j)] = next_a_[4 * i + j];
            }
        }
        const int step = Shape::threads / Shape::n, first = thread_ / Shape::n;
        if (!p_.b_vectors) {
            CROTON_UNROLL
            for (int i = 0; i < of_b; ++i) shared.b[turn][(first + i * step) * pitch_b + thread_ % Shape::n] = next_b_[i];
        } else {
            CROTON_UNROLL
            for (int i = 0; i < fours_of_b; ++i) {
                const int k = 4 * (first + i * step);
                if (k >= depth) continue;
                CROTON_UNROLL
                for (int j = 0; j < 4; ++j) shared.b[turn][(k + j) * pitch_b + thread_ % Shape::n] = next_b_[4 * i + j];
            }
        }
    }

    // Fours of a thread lie a row of threads apart, so that neighbours read neighbouring fours.
    CROTON_DEVICE static int own(int i, int thread, int threads) { return (i / 4 * threads + thread) * 4 + i % 4; }

    CROTON_DEVICE void multiply(const memory& shared, int turn) {
        const int down = thread_ / Shape::across, across = thread_ % Shape::across;
        CROTON_UNROLL
        for (int k = 0; k < depth; ++k) {
            number a[Shape::rows], b[Shape::columns];
            CROTON_UNROLL
            for (int r = 0; r < Shape::rows; ++r) a[r] = shared.a[turn][k * pitch_a + own(r, down, Shape::down)];
            CROTON_UNROLL
            for (int c = 0; c < Shape::columns; ++c) b[c] = shared.b[turn][k * pitch_b + own(c, across, Shape::across)];
            CROTON_UNROLL
            for (int r = 0; r < Shape::rows; ++r) {
                CROTON_UNROLL
                for (int c = 0; c < Shape::columns; ++c) sum_[r][c] = kernel::plus_product(sum_[r][c], b[c], a[r]);
            }
        }
    }

    CROTON_DEVICE void write() const {
        const int down = thread_ / Shape::across, across = thread_ % Shape::across;
        CROTON_UNROLL
        for (int c = 0; c < Shape::columns; ++c) {
            const int n = column_ + own(c, across, Shape::across);
            if (n >= p_.n.count) continue;
            const tile_index i = p_.n.index(n);
            CROTON_UNROLL
            for (int r = 0; r < Shape::rows; ++r) {
                const int m = row_ + own(r, down, Shape::down);
                if (m >= p_.m) continue;
                if (p_.splits > 1) {
                    static_cast<number*>(p_.partial)[((std::int64_t{split_} * p_.groups + group_) * p_.m + m) * p_.n.count + n] = sum_[r][c];
                    continue;
                }
                number sum = sum_[r][c];
                if (p_.bias != nullptr) sum = kernel::plus(sum, static_cast<number>(static_cast<const T*>(p_.bias)[(std::int64_t{group_} * p_.m + m) * p_.bias_m]));
                static_cast<T*>(p_.c)[p_.place_of_c(group_, m, i)] = static_cast<T>(p_.relu && sum < number{} ? number{} : sum);
            }
        }
    }

    const tile_task& p_;
    int thread_, row_, column_, split_, group_, first_, end_, place_[3];
    bool inside_;
    const A* a_;
    const B* b_;
    number next_a_[of_a > 4 * fours_of_a ? of_a : 4 * fours_of_a], next_b_[of_b > 4 * fours_of_b ? of_b : 4 * fours_of_b];
    number sum_[Shape::rows][Shape::columns];
};

/// Adds what the splits have made, in their order.
template <class T> struct tile_sum {
    static constexpr std::size_t shared_bytes = 0;
    template <class Threads> CROTON_DEVICE static void run(Threads& t, const tile_task& p) {
        const std::int64_t all = std::int64_t{p.groups} * p.m * p.n.count, i = t.block() * t.threads() + t.thread();
        if (i >= all) return;
        const auto* const from = static_cast<const arithmetic_t<T>*>(p.partial);
        arithmetic_t<T> sum{};
        for (int s = 0; s < p.splits; ++s) sum = kernel::plus(sum, from[s * all + i]);
        const std::int64_t row = i / p.n.count;
        static_cast<T*>(p.c)[p.place_of_c(static_cast<int>(row / p.m), static_cast<int>(row % p.m), p.n.index(static_cast<int>(i % p.n.count)))] = static_cast<T>(sum);
    }
};

}  // namespace croton::inline v0_1::detail::cuda_device

#endif
