// SPDX-License-Identifier: MIT
// Products of matrices of whatever strides by register blocks: what does not lie as blocks read it is packed, a part that fits a cache at a time.
#ifndef CROTON_DEVICE_CPU_GEMM_HPP
#define CROTON_DEVICE_CPU_GEMM_HPP

#include <croton/config.hpp>
#include <croton/device/cpu/product_tile.hpp>
#include <croton/device/cpu/routines.hpp>
#include <croton/device/cpu/tile.hpp>
#include <croton/kernel/argument.hpp>

#include <algorithm>
#include <cstdint>
#include <type_traits>

namespace croton::inline v0_1::detail::cpu_device {

/// What the blocks of a product are made of, which depends on the type of its numbers and on the registers.
struct product_blocks {
    static constexpr int wide = 3;
    static constexpr std::int64_t line_bytes = 64;
    std::int64_t bytes, lanes, high;
    bool takes_dots, masks;
};

/// A matrix of whatever type: extents and strides are all that the way of a product depends on.
using matrix_sizes = kernel::matrix<const void>;
template <class T> CROTON_INLINE constexpr matrix_sizes sized(const kernel::matrix<T>& m) { return {nullptr, m.rows, m.cols, m.row_stride, m.col_stride}; }

template <class M> constexpr M turned(const M& m) { return {m.data, m.cols, m.rows, m.col_stride, m.row_stride}; }

/// Whether rows and columns change their places: `c` has unit strides along one of them.
template <class C> constexpr bool is_turned(const C& c) { return c.col_stride != 1 && c.cols != 1; }

/// A product none of whose extents is more is small: nothing is packed where its blocks can read it, and no thread is woken.
inline constexpr std::int64_t short_side = 64;
CROTON_INLINE constexpr bool is_short(std::int64_t m, std::int64_t k, std::int64_t n) { return m <= short_side && k <= short_side && n <= short_side; }

/// How a product is done, which depends on its sizes and strides.
struct product_way {
    // A panel of `b` and, on one thread, a block of `a` stay in the second cache; the panels behind it come from the third, and are asked for in time.
    static constexpr std::int64_t most_panels = 32, block_rows = 256, block_bytes = 256 * 1024;
    CROTON_INLINE static constexpr std::int64_t most_depth(const product_blocks& of) { return of.lanes * of.bytes == 64 ? 512 : 1024; }
    // A `b` of fewer bytes is near enough as it lies.
    static constexpr std::int64_t near_bytes = 256 * 1024, near_line_bytes = 2048, colliding_bytes = 1024, colliding_rows = 64, first_bytes = 32 * 1024;

    bool dots, packs_a, packs_b, packs_last;
    std::int64_t across, depth, columns, rows;  // `across`: what one panel has room for

    // Inline, where the blocks are constants: a division by a number that is none is felt by a small product.
    CROTON_INLINE constexpr product_way(const product_blocks& of, const matrix_sizes& a, const matrix_sizes& b, const matrix_sizes& c) {
        const std::int64_t panel = of.wide * of.lanes, panels = (c.cols + panel - 1) / panel;
        // Fewer rows than these do not pay for packing `b`, and of a `b` whose lines lie near each other not so many either.
        const std::int64_t few_rows = 4 * of.high, rows_of_near = 12 * of.high;
        across = panels > 1 ? panel : (c.cols + of.lanes - 1) / of.lanes * of.lanes;
        dots = sums_lanes(of, a, b, c);
        // Lines of memory that lie a multiple of this apart share few places of the first cache.
        const bool collides = b.row_stride * of.bytes % colliding_bytes == 0 && a.cols >= colliding_rows;
        // Nor do those of more lines than the first cache has, which come from the second one for each few rows (Zen 3).
        const bool deep = of.lanes * of.bytes < 64 && a.cols * panel * of.bytes > first_bytes;
        const bool far = collides || deep || a.cols * b.row_stride * of.bytes >= near_bytes;
        const bool pays = c.rows >= few_rows && (c.rows > (deep ? rows_of_near / 2 : rows_of_near) || b.row_stride * of.bytes > near_line_bytes);
        packs_b = !dots && (b.col_stride != 1 || (pays && far));
        packs_a = !dots && a.col_stride != 1 && panels > 1 && c.rows >= of.high && !is_short(c.rows, a.cols, c.cols);
        packs_last = !dots && !packs_b && !of.masks && c.cols % of.lanes != 0;
        // Parts of one length: a short one would read and write all of `c` for little.
        const std::int64_t parts = packs_a || packs_b || packs_last ? (a.cols + most_depth(of) - 1) / most_depth(of) : 1;
        depth = (a.cols + parts - 1) / parts;
        columns = packs_b ? std::min(panels, most_panels) * across : panels * across;
        rows = std::min(c.rows, packs_a || panels > 2 ? block_rows : c.rows);
    }
    /// Whether the sums are those of the lanes of a register: for products of so few rows or columns that turning `b` takes longer, or of a `b` that is read from afar.
    CROTON_INLINE static constexpr bool sums_lanes(const product_blocks& of, const matrix_sizes& a, const matrix_sizes& b, const matrix_sizes& c) {
        const bool narrow = of.lanes * of.bytes < 64;
        if (!of.takes_dots || b.col_stride == 1 || b.row_stride != 1 || a.col_stride != 1 || a.cols < (narrow ? 12 : 2) * of.lanes) return false;
        if (c.rows <= 4 || 2 * c.cols <= of.lanes) return true;
        // Registers of 64 bytes sum so fast that turning a `b` from afar is felt; narrower ones do where its lines share places of a cache, or fill few registers (Zen 3).
        const bool far = c.cols * b.col_stride * of.bytes > near_bytes, collides = b.col_stride * of.bytes % (2 * colliding_bytes) == 0;
        return c.rows < 4 * of.high && (narrow ? (far && collides) || c.cols <= 2 * of.lanes : far);
    }
    /// The rows of a block on one thread; several share more units.
    constexpr std::int64_t near_rows(const product_blocks& of, std::int64_t group_rows) const {
        if (rows <= group_rows) return rows;
        return std::min(rows, std::clamp(block_bytes / (depth * of.bytes) / group_rows * group_rows, group_rows, block_rows));
    }
    constexpr std::int64_t numbers_of_b() const { return packs_b ? depth * columns : packs_last ? depth * across : 0; }
    constexpr std::int64_t numbers_of_a(std::int64_t high) const { return packs_a ? (rows + high - 1) / high * high * depth : 0; }
};

/// The numbers that a product packs at a time: one function for all types.
template <class Arch> [[gnu::noinline]] std::int64_t packed_numbers(const product_blocks& of, const matrix_sizes& a, const matrix_sizes& b, const matrix_sizes& c) {
    if (is_turned(c)) return packed_numbers<Arch>(of, turned(b), turned(a), turned(c));
    const product_way how(of, a, b, c);
    std::int64_t numbers = how.numbers_of_a(of.high) + how.numbers_of_b();
    // The result of a short one may be computed turned.
    if (is_short(c.rows, a.cols, c.cols) && a.col_stride != 1) numbers = std::max(numbers, c.cols * ((c.rows + of.lanes - 1) / of.lanes * of.lanes));
    return numbers == 0 ? 0 : numbers + of.line_bytes / of.bytes;
}

/// Integers are multiplied as unsigned ones, which wrap and give the same bits. The parts into which a product is cut do not depend on the threads, and neither does any rounding.
template <class T, class Arch> struct gemm {
    using some = some_lanes<T, Arch>;
    // Sums that fill the registers but for the few that `b` needs.
    static constexpr int high = register_bytes<Arch>() == 64 ? 8 : 4, low = high / 2, wide = product_blocks::wide;
    static constexpr std::int64_t lanes = some::lanes, panel = wide * lanes, block_columns = product_way::most_panels * panel, group_rows = 8 * high,
                                  strip = 4 * high;

    // Of a `b` of more bytes the next panel is asked for beside the sums of this one: a smaller one is near by then.
    static constexpr std::int64_t asked_bytes = 128 * 1024;

    // A block of the result that another loop is to find in the second cache, beside what else that loop reads.
    static constexpr std::int64_t ended_bytes = 256 * 1024;

    // Sums of the lanes of so few registers are for floating numbers only.
    static constexpr bool takes_dots = std::is_floating_point_v<T>;

    using source = kernel::matrix<const T>;
    using target = kernel::matrix<T>;

    static constexpr product_blocks blocks{sizeof(T), lanes, high, takes_dots, some::masks};

    /// The numbers that are packed at a time.
    static std::int64_t packing(const source& a, const source& b, const target& c) { return packed_numbers<Arch>(blocks, sized(a), sized(b), sized(c)); }

    /// `c = alpha a b + beta c`, none of which is empty; `beta == 0` does not read `c`. `room` is for the numbers that `packing` counts.
    /// `end`, where there is one, follows each block of the result; it is there for products whose `c` does not turn and has more than a row and a column.
    static void run(T alpha, const source& a, const source& b, T beta, const target& c, T* room, const kernel::block_end* end = nullptr) {
        if (is_turned(c)) return run(alpha, turned(b), turned(a), beta, turned(c), room);
        if (is_short(c.rows, a.cols, c.cols) && end == nullptr) {
            if (beta == T{} && turns_result(a, b, c)) return run_turning(alpha, a, b, c, aligned(room));
            if (b.col_stride != 1) {
                if (!product_way::sums_lanes(blocks, sized(a), sized(b), sized(c))) return run_turned(alpha, a, b, beta, c, aligned(room));
            } else if (is_small(c.rows, a.cols, c.cols)) {
                return run_small(alpha, a, b, beta, c);
            }
        }
        product_way how(blocks, sized(a), sized(b), sized(c));
        if (end != nullptr)
            how.rows = std::min(how.rows, std::clamp(ended_bytes / (how.columns * static_cast<std::int64_t>(sizeof(T))) / group_rows * group_rows, group_rows, product_way::block_rows));
        else if (threads() == 1) how.rows = how.near_rows(blocks, group_rows);
        if constexpr (takes_dots)
            if (how.dots) {
                run_dots({a.cols, a.row_stride, 1, b.col_stride, c.row_stride, alpha, beta}, a, b, c);
                if (end != nullptr) end->run(end->context, 0, c.rows, 0, c.cols);
                return;
            }
        T* const packed_b = aligned(room);
        T* const packed_a = packed_b + how.numbers_of_b();
        for (std::int64_t j = 0; j < c.cols; j += how.columns)
            for (std::int64_t k = 0; k < a.cols; k += how.depth) {
                const std::int64_t depth = std::min(how.depth, a.cols - k), columns = std::min(how.columns, c.cols - j);
                product_task<T> t{depth, a.row_stride, a.col_stride, b.row_stride, c.row_stride, alpha, k == 0 ? beta : T(1)};
                const T* const from = b.data + k * b.row_stride + j * b.col_stride;
                const std::int64_t panels = (columns + panel - 1) / panel, rest = columns - (panels - 1) * panel;
                // Twice two registers rather than three and one, which would wait for its own sums.
                const bool evens = panels > 1 && rest <= lanes;
                const auto begin = [=](std::int64_t p) { return p * panel - (evens && p == panels - 1 ? lanes : 0); };
                const auto across = [=](std::int64_t p) { return p + 1 == panels ? rest + (evens ? lanes : 0) : panel - (evens && p + 2 == panels ? lanes : 0); };
                const std::int64_t first_rows = std::min(how.rows, c.rows), first_groups = (first_rows + group_rows - 1) / group_rows;
                // One thread packs a panel before its sums, which leave memory idle: the next panel, packed or not, and the next rows are asked for beside them, and what is read by
                // rows is packed beside the first ones.
                const bool single = (how.packs_a || how.packs_b) && parts_of(2 * depth * first_rows * columns, panels * first_groups) == 1, alone = how.packs_b && single;
                const bool keeps = alone && b.col_stride == 1 && (some::masks || columns % lanes == 0);
                const bool asks = alone && a.cols * c.cols * static_cast<std::int64_t>(sizeof(T)) > asked_bytes;
                if (how.packs_b && !alone) {
                    share(depth * columns, panels, 1, [&](std::int64_t p, std::int64_t) CROTON_APART {
                        pack_panel(from + begin(p) * b.col_stride, b, depth, across(p), packed_b + p * depth * panel, how.across);
                    });
                } else if (how.packs_last) {
                    pack_panel(from + begin(panels - 1) * b.col_stride, b, depth, across(panels - 1), packed_b, how.across);
                }
                for (std::int64_t i = 0; i < c.rows; i += how.rows) {
                    const std::int64_t rows = std::min(how.rows, c.rows - i), groups = (rows + group_rows - 1) / group_rows;
                    const T* const left = a.data + i * a.row_stride + k * a.col_stride;
                    // It packs rows of `a` before their first sums.
                    const bool follows = how.packs_a && single;
                    if (how.packs_a) t.a_column = high;
                    if (how.packs_a && !follows) {
                        share(depth * rows, (rows + strip - 1) / strip, 1, [&](std::int64_t s, std::int64_t) CROTON_APART {
                            pack_rows(left + s * strip * a.row_stride, a, depth, std::min(strip, rows - s * strip), packed_a + s * strip * depth);
                        });
                    }
                    share(2 * depth * rows * columns, panels, groups, [&](std::int64_t p, std::int64_t group) CROTON_APART {
                        const std::int64_t first = group * group_rows, count = across(p);
                        std::int64_t row = 0, height = std::min(group_rows, rows - first);
                        const auto block = [&] { return how.packs_a ? packed_a + (first + row) * depth : left + (first + row) * a.row_stride; };
                        T* const to = c.data + (i + first) * c.row_stride + j + begin(p);
                        product_task<T> own = t;
                        lines_ahead next;
                        const T* right = from + begin(p);
                        if (follows && p == 0)
                            for (std::int64_t r = first; r < first + height; r += strip)
                                pack_rows(left + r * a.row_stride, a, depth, std::min(strip, rows - r), packed_a + r * depth);
                        if (single && p == 0 && group + 1 < groups)
                            next = rows_ahead(left + (first + group_rows) * a.row_stride, a, depth, std::min(group_rows, rows - first - group_rows));
                        else if (asks && p + 1 < panels && group == (p == 0 ? groups - 1 : 0))
                            next = i == 0 ? panel_ahead(from + begin(p + 1) * b.col_stride, b, depth, across(p + 1))
                                          : lines_ahead(packed_b + (p + 1) * depth * panel, depth * panel * static_cast<std::int64_t>(sizeof(T)), 0, 1);
                        if (how.packs_b) {
                            T* const packed = packed_b + p * depth * panel;
                            if (alone && i == 0 && group == 0) {
                                if (keeps) {
                                    keep_panel(own, block(), how.packs_a, right, count, to, packed, how.across);
                                    row = high;
                                    height -= high;
                                } else {
                                    pack_panel(from + begin(p) * b.col_stride, b, depth, count, packed, how.across);
                                }
                            }
                            right = packed;
                            own.b_row = how.across;
                            own.whole = true;
                        } else if (how.packs_last && p == panels - 1) {
                            right = packed_b;
                            own.b_row = how.across;
                        }
                        run_rows(own, block(), how.packs_a, height, right, count, to + row * c.row_stride, &next);
                    });
                    if (end == nullptr || k + depth < a.cols) continue;
                    if (!end->whole_rows) end->run(end->context, i, rows, j, columns);
                    else if (j + columns == c.cols) end->run(end->context, i, rows, 0, c.cols);
                }
            }
    }

    /// Whether a product is one of those, where `b` and `c` lie by rows: the question what is to be packed takes as long as a product of few numbers.
    static bool is_small(std::int64_t m, std::int64_t k, std::int64_t n) {
        return is_short(m, k, n) && (some::masks || n % lanes == 0);
    }
    [[gnu::noinline]] static void run_small(T alpha, const source& a, const source& b, T beta, const target& c);
    /// The same of a `b` that does not lie by rows: all of it is turned first.
    [[gnu::noinline]] static void run_turned(T alpha, const source& a, const source& b, T beta, const target& c, T* room) {
        const std::int64_t across = (c.cols + lanes - 1) / lanes * lanes;
        turn_lines(b.data, b.col_stride, b.row_stride, c.cols, a.cols, room, across);
        run_small(alpha, a, {room, a.cols, c.cols, across, 1}, beta, c);
    }

    /// Whether registers along the rows of `a` are fewer than along the columns of `b`, or what is to be turned is less: the result is computed turned, and turned then.
    static bool turns_result(const source& a, const source& b, const target& c) {
        if (a.row_stride != 1 || a.col_stride == 1 || !is_small(c.cols, a.cols, c.rows)) return false;
        // A register of products takes as long as turning two numbers.
        const auto products = [&](std::int64_t rows, std::int64_t columns) { return 2 * rows * ((columns + lanes - 1) / lanes) * a.cols; };
        const std::int64_t turned_b = b.col_stride != 1 ? a.cols * c.cols : 0;
        return products(c.cols, c.rows) + c.rows * c.cols < products(c.rows, c.cols) + turned_b;
    }
    [[gnu::noinline]] static void run_turning(T alpha, const source& a, const source& b, const target& c, T* room) {
        constexpr auto bytes = static_cast<std::int64_t>(sizeof(T));
        const std::int64_t across = (c.rows + lanes - 1) / lanes * lanes;
        run_small(alpha, turned(b), turned(a), T{}, {room, c.cols, c.rows, across, 1});
        copy_turned<Arch, word>(reinterpret_cast<std::byte*>(c.data), c.row_stride * bytes, reinterpret_cast<const std::byte*>(room), across * bytes, c.cols, c.rows);
    }

private:
    using word = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::conditional_t<sizeof(T) == 4, std::uint32_t, std::conditional_t<sizeof(T) == 2, std::uint16_t, std::uint8_t>>>;
    static T* aligned(T* room) {
        constexpr std::uintptr_t line = product_blocks::line_bytes;
        return reinterpret_cast<T*>((reinterpret_cast<std::uintptr_t>(room) + line - 1) / line * line);
    }

    /// Calls f(i, j) for all of `outer` times `inner` units, on as many threads as their work is worth. `f` is CROTON_APART: it is called from two places.
    template <class F> static void share(std::int64_t work, std::int64_t outer, std::int64_t inner, const F& f) {
        if (const int parts = parts_of(work, outer * inner); parts > 1)
            return share_units(parts, outer, inner, [](const void* of, std::int64_t i, std::int64_t j) { (*static_cast<const F*>(of))(i, j); }, &f);
        for (std::int64_t i = 0; i < outer; ++i)
            for (std::int64_t j = 0; j < inner; ++j) f(i, j);
    }

    /// Some rows of a panel. Those of packed blocks lie side by side. `next`, where there is one, is asked for beside their sums.
    [[gnu::noinline]] static void run_rows(product_task<T>& t, const T* a, bool packed, std::int64_t rows, const T* b, std::int64_t columns, T* c, lines_ahead* next = nullptr) {
        if (packed) t.a_row = 1;
        for (std::int64_t i = 0; i < rows;) {
            const T* const left = packed ? a + i * t.depth : a + i * t.a_row;
            const auto block = [&]<class Tile>(Tile) { Tile::run(t, left, rows - i, b, columns, c); };
            std::int64_t done = high;
            if (const std::int64_t taller = packed ? 0 : taller_rows(rows - i, columns); taller > 0) run_taller(t, left, rows - i, b, columns, c, done = taller);
            else if (asks_ahead && next != nullptr && next->runs > 0 && rows - i >= high && columns > 2 * lanes) run_asking(t, left, b, columns, c, *next);
            else if (rows - i > low) for_columns<high>(columns, block);
            else for_columns<low>(columns, block);
            i += done;
            c += done * t.c_row;
        }
    }
    // Integers do without, which spares compilers a block.
    static constexpr bool asks_ahead = std::is_floating_point_v<T>;
    static void run_asking([[maybe_unused]] const product_task<T>& t, [[maybe_unused]] const T* a, [[maybe_unused]] const T* b, [[maybe_unused]] std::int64_t columns,
                           [[maybe_unused]] T* c, [[maybe_unused]] lines_ahead& next) {
        if constexpr (asks_ahead) product_tile<T, Arch, high, wide>::run_asking(t, a, b, columns, c, next);
    }
    // One or two registers across have room for more rows, which share what is read of `b`, and the way into a block and out of it.
    static constexpr bool has_taller = some::masks;
    static constexpr int tall = register_bytes<Arch>() == 64 ? 16 : 8, tall_of_two = register_bytes<Arch>() == 64 ? 12 : 0;
    static std::int64_t taller_rows([[maybe_unused]] std::int64_t rows, [[maybe_unused]] std::int64_t columns) {
        if constexpr (has_taller) {
            if (columns <= lanes) return rows > tall - 4 ? tall : 0;
            if (tall_of_two > 0 && columns <= 2 * lanes) return rows > tall || (rows > high && rows <= tall_of_two) ? tall_of_two : 0;
        }
        return 0;
    }
    static void run_taller([[maybe_unused]] const product_task<T>& t, [[maybe_unused]] const T* a, [[maybe_unused]] std::int64_t rows, [[maybe_unused]] const T* b,
                           [[maybe_unused]] std::int64_t columns, [[maybe_unused]] T* c, [[maybe_unused]] std::int64_t taller) {
        if constexpr (has_taller) {
            if (tall_of_two == 0 || taller == tall) return product_tile<T, Arch, tall, 1>::run(t, a, rows, b, columns, c);
            if constexpr (tall_of_two > 0) product_tile<T, Arch, tall_of_two, 2>::run(t, a, rows, b, columns, c);
        }
    }
    /// The first rows of a panel, which leave it in `kept`, whose rows are `across` apart.
    static void keep_panel(product_task<T> t, const T* a, bool packed, const T* b, std::int64_t columns, T* c, T* kept, std::int64_t across) {
        if (packed) t.a_row = 1;
        for_columns<high>(columns, [&]<class Tile>(Tile) { Tile::run_keeping(t, a, b, columns, c, kept, across); });
    }
    template <int Rows, class F> static void for_columns(std::int64_t columns, const F& f) {
        if (columns > 2 * lanes) f(product_tile<T, Arch, Rows, 3>());
        else if (columns > lanes) f(product_tile<T, Arch, Rows, 2>());
        else f(product_tile<T, Arch, Rows, 1>());
    }

    static void run_dots(const product_task<T>& t, const source& a, const source& b, const target& c) {
        using tile = dot_tile<T, Arch>;
        share(2 * t.depth * c.rows * c.cols, (c.cols + tile::wide - 1) / tile::wide, 1, [&](std::int64_t unit, std::int64_t) CROTON_APART {
            const std::int64_t j = unit * tile::wide;
            for (std::int64_t i = 0; i < c.rows; i += tile::high)
                tile::run(t, a.data + i * a.row_stride, c.rows - i, b.data + j * b.col_stride, c.cols - j, c.data + i * c.row_stride + j);
        });
    }

    /// The memory of rows of `a`.
    static lines_ahead rows_ahead(const T* from, const source& a, std::int64_t depth, std::int64_t rows) { return panel_ahead(from, turned(a), depth, rows); }
    /// The memory of a panel of `b`.
    static lines_ahead panel_ahead(const T* from, const source& b, std::int64_t depth, std::int64_t columns) {
        constexpr auto bytes = static_cast<std::int64_t>(sizeof(T));
        return b.col_stride == 1 ? lines_ahead(from, columns * bytes, b.row_stride * bytes, depth) : lines_ahead(from, depth * bytes, b.col_stride * bytes, columns);
    }
    /// Columns of `b`, filled up with zeros.
    static void pack_panel(const T* from, const source& b, std::int64_t depth, std::int64_t columns, T* to, std::int64_t across) {
        if (b.col_stride == 1) {
            for (std::int64_t k = 0; k < depth; ++k, from += b.row_stride, to += across) {
                if (columns == panel) std::copy_n(from, panel, to);
                else std::fill(std::copy_n(from, columns, to), to + across, T{});
            }
        } else {
            turn_lines(from, b.col_stride, b.row_stride, columns, depth, to, across);
        }
    }
    /// Rows of `a`, `high` of them side by side, the last ones filled up with zeros.
    static void pack_rows(const T* from, const source& a, std::int64_t depth, std::int64_t rows, T* to) {
        if (a.row_stride == 1 && rows == strip) {
            // All of a line of memory at once.
            for (std::int64_t k = 0; k < depth; ++k, from += a.col_stride, to += high)
                for (std::int64_t g = 0; g < strip; g += high) std::copy_n(from + g, high, to + g * depth);
            return;
        }
        for (std::int64_t i = 0; i < rows; i += high, from += high * a.row_stride, to += high * depth) {
            const std::int64_t count = std::min<std::int64_t>(high, rows - i);
            if (a.row_stride != 1 || count < high) turn_lines(from, a.row_stride, a.col_stride, count, depth, to, high);
            else
                for (std::int64_t k = 0; k < depth; ++k) std::copy_n(from + k * a.col_stride, high, to + k * high);
        }
    }
    /// `to[k][i] = from[i][k]`, and zeros for the lines behind the last.
    static void turn_lines(const T* from, std::int64_t line_stride, std::int64_t stride, std::int64_t count, std::int64_t depth, T* to, std::int64_t across) {
        constexpr auto bytes = static_cast<std::int64_t>(sizeof(T));
        if (stride == 1)
            copy_turned<Arch, word>(reinterpret_cast<std::byte*>(to), across * bytes, reinterpret_cast<const std::byte*>(from), line_stride * bytes, count, depth);
        else
            for (std::int64_t i = 0; i < count; ++i)
                for (std::int64_t k = 0; k < depth; ++k) to[k * across + i] = from[i * line_stride + k * stride];
        for (std::int64_t k = 0; k < depth && count < across; ++k) std::fill(to + k * across + count, to + (k + 1) * across, T{});
    }
};

template <class T, class Arch> void gemm<T, Arch>::run_small(T alpha, const source& a, const source& b, T beta, const target& c) {
    product_task<T> t{a.cols, a.row_stride, a.col_stride, b.row_stride, c.row_stride, alpha, beta};
    for (std::int64_t j = 0; j < c.cols;) {
        // Twice two registers rather than three and one, which would wait for its own sums.
        const std::int64_t left = c.cols - j, columns = left > panel && left <= panel + lanes ? 2 * lanes : std::min(panel, left);
        run_rows(t, a.data, false, c.rows, b.data + j, columns, c.data + j);
        j += columns;
    }
}

}  // namespace croton::inline v0_1::detail::cpu_device

#endif
