// SPDX-License-Identifier: MIT
// Short rows whose elements are summed, or taken where indices lead: a row in each lane, so that what is summed along rows is summed lane by lane.
#ifndef CROTON_DEVICE_CPU_LANE_ROWS_HPP
#define CROTON_DEVICE_CPU_LANE_ROWS_HPP

#include <croton/device/cpu/running.hpp>
#include <croton/device/cpu/kept_rows.hpp>
#include <croton/device/cpu/short_rows.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace croton::inline v0_1::detail::cpu_device {

/// The loops of a kernel over rows that stand turned in tiles: a line of them for each element of a row, or one for the number of a row.
struct lane_row_code {
    int slots;
    const std::uint8_t *uses, *bytes;  // by slot, of rows as well;
    const bool* by_row;                // whether it has one number for each row
    int lanes;
    bool is_long, is_longer;  // whether a row is so much work that it is worth more than to be read in its registers, or in narrow ones
    bool gives_elements;  // whether it leaves more than numbers of its own
    bool is_dear;         // whether its elements go through functions, as exp
    bool is_read_again;   // whether it takes more than one pass
    bool gathers;         // whether it reads where indices lead
    int own;              // the slot that stands in tiles only, or -1
    /// `rows` rows of `count` elements. Each slot has the first of its lines, of `line` numbers each, at `tile`; of what is read where indices lead
    /// the first row is there, and `table` says where the others are.
    void (*run)(std::byte* const* tile, std::int64_t line, std::int64_t rows, std::int64_t count, const table_steps* table, const void* outside);
    /// Sums into which more than a row goes, or null where they lose digits: before rows, `n` of them, and joined with what is in memory, `step` bytes apart or one number, or with a total where it is `whole`.
    void (*begin_sums)(int slot, std::byte* sums, std::int64_t n);
    void (*join_sums)(int slot, std::byte* to, std::int64_t step, std::byte* sums, std::int64_t n, total* whole);
};

inline constexpr int most_lane_slots = 18;
/// Of longer kernels another copy takes the compiler too long.
inline constexpr int most_lane_cost = 240;
/// Of shorter ones a row is read in its registers in less time than it is turned; by registers of less than 64 bytes one that fills them is where there is as little to do as in a softmax (Zen 3).
inline constexpr int least_long_cost = 41, least_long_cost_of_narrow = 55;

/// Whether the last outer axis is so short that lanes lie along the one before it, for each index of the short one.
inline bool lies_before_short_axis(const std::int64_t* extent, int rank, std::int64_t few) {
    constexpr std::int64_t longest = 128;
    return rank > 1 && extent[rank - 1] <= longest && extent[rank - 2] >= few;
}

/// The rows begin .. end of `count` elements each, counted along all outer axes; false where they are not worth it.
template <class Arch, unsigned Widths>
[[gnu::noinline]] bool run_lane_rows(const lane_row_code& code, const nest_view& outer, const std::int64_t (*inner)[max_rank], bool unit, const operand* slot, std::int64_t count,
                                   std::int64_t begin, std::int64_t end, const bool* whole, total* totals, const void* outside) {
    // Longer rows, and those of whole registers, are read and summed in less time than they are turned.
    constexpr std::int64_t most_bytes = 8192, most_line = 512, most_line_across = 64, longest = 96, longest_of_registers = 64, longest_of_long = 64;
    // Of rows that give numbers of their own only, nothing is turned back.
    constexpr std::int64_t longest_of_numbers = 160, longest_of_dear = 256;
    // Elements that lie apart are packed in any case.
    constexpr std::int64_t longest_apart = 8 * longest;
    // Indices lead to one element after the other in any case.
    constexpr std::int64_t longest_gathered = 16;
    const int last = outer.rank - 1;
    if (last < 0 || count < 1 || count > (code.gathers ? longest_gathered : longest) || end - begin < 2 * code.lanes) return false;
    const auto is_turned = [&](int s) { return s != code.own && (code.uses[s] & ~role_gather) != 0 && !code.by_row[s]; };
    const std::int64_t few = 2 * code.lanes, rows = outer.extent[last];
    const bool across = lies_before_short_axis(outer.extent, outer.rank, few) && begin % rows == 0 && end % rows == 0;
    if (!across && rows < few) return false;
    const int along = across ? last - 1 : last;
    // Rows of elements that lie apart may be turned already, but for those before a short axis.
    for (int s = 0; s < code.slots; ++s)
        if (!across && !unit && is_turned(s) && outer.stride[s][along] == code.bytes[s]) return false;
    // What does not move along both axes is turned once for all indices of the short one, or not at all.
    bool turns_once = across;
    int widest = 1;
    for (int s = 0; s < code.slots; ++s) widest = std::max<int>(widest, code.bytes[s]);
    const std::int64_t most_numbers = most_bytes / widest;
    bool joins[most_lane_slots] = {};  // whether sums are of more than a row
    for (int s = 0; s < code.slots; ++s) turns_once &= !is_turned(s) || outer.stride[s][along] == 0 || outer.stride[s][last] == 0;
    const bool fills = count % code.lanes == 0, fills_narrow = fills && register_bytes<Arch>() < 64;
    const std::int64_t longest_row = !unit                                              ? longest_apart
                                     : code.gives_elements || register_bytes<Arch>() < 32 ? (fills ? longest_of_registers : longest)
                                     : code.is_dear                                     ? (fills_narrow ? longest_of_numbers : longest_of_dear)
                                     : widest > 4 || fills_narrow                       ? longest
                                     : code.is_read_again                               ? longest_of_dear
                                                                                        : longest_of_numbers;
    const bool is_worth_turning = turns_once || ((register_bytes<Arch>() == 64 ? code.is_long : code.is_longer || (code.is_long && !fills && count <= longest_of_long / 2)) && count <= longest_of_long);
    for (int s = 0; s < code.slots; ++s) {
        if (is_turned(s) && !is_worth_turning && count * code.bytes[s] > longest_row) return false;
        // Memory is where the sums of a row are added where each lane has one of its own; sums along a row are stored there.
        if ((code.uses[s] & role_accumulate) != 0) joins[s] = outer.stride[s][along] == 0;
        for (int a = 0; a <= last && (code.uses[s] & role_inner) != 0; ++a) joins[s] |= outer.stride[s][a] == 0;
        if (joins[s] && code.join_sums == nullptr) return false;
    }
    const auto lines_of = [&](int s) { return code.by_row[s] ? 1 : count; };
    const auto is_kept = [&](int s) { return across && code.by_row[s] && !joins[s] && code.uses[s] != 0 && (code.uses[s] & (role_load | role_accumulate)) == 0; };
    // Tiles begin at places of the first cache that they do not share.
    constexpr std::int64_t room_bytes = 64 * 1024, apart = 192;
    const auto bytes_of = [&](int s, std::int64_t line) {
        if (code.uses[s] == 0 || code.uses[s] == role_gather) return std::int64_t{0};
        return (is_kept(s) ? most_numbers * code.bytes[s] : lines_of(s) * line * code.bytes[s]) + apart;
    };
    // Whole registers, of bytes as well.
    std::int64_t line_numbers = std::min(across ? most_line_across : most_line, (most_numbers / count) & -32);
    const auto all_bytes = [&] {
        std::int64_t all = 0;
        for (int s = 0; s < code.slots; ++s) all += bytes_of(s, line_numbers);
        return all;
    };
    while (line_numbers > 0 && all_bytes() > room_bytes) line_numbers -= 32;
    if (line_numbers < std::max(code.lanes, 1)) return false;
    // The numbers of rows are kept until there are some of the short axis, and turned together.
    const std::int64_t turns = across ? rows : 1, kept_turns = most_numbers / line_numbers;
    alignas(64) std::byte room[room_bytes];
    std::byte *tiles[most_lane_slots], *tile[most_lane_slots];
    for (std::int64_t s = 0, at = 0; s < code.slots; at += bytes_of(static_cast<int>(s++), line_numbers)) tiles[s] = room + at;
    const std::byte* written[most_lane_slots] = {};  // what stands in a tile that is the same for all rows, or for all indices of the short axis
    table_steps table[most_lane_slots];
    for (int s = 0; s < code.slots; ++s) table[s] = {outer.stride[s][along], inner[s][0]};
    const auto element_step = [&](int s) { return code.by_row[s] || count == 1 ? std::int64_t{code.bytes[s]} : inner[s][0]; };
    const auto run = [&](std::byte* const* base, std::int64_t n, std::int64_t turn) {
        const std::int64_t groups = (n + code.lanes - 1) / code.lanes;
        // A line of whole registers that lies in memory as it would in a tile.
        const auto is_line = [&](int s) { return s != code.own && !joins[s] && (code.by_row[s] || count == 1) && outer.stride[s][along] == code.bytes[s] && n == groups * code.lanes; };
        for (int s = 0; s < code.slots; ++s)
            if (code.uses[s] != 0) tile[s] = code.uses[s] == role_gather ? base[s] : is_kept(s) ? tiles[s] + turn % kept_turns * line_numbers * code.bytes[s] : is_line(s) ? base[s] : tiles[s];
        for (int s = 0; s < code.slots; ++s) {
            if ((code.uses[s] & (role_load | role_accumulate)) == 0 && !joins[s]) continue;
            if (is_line(s) || s == code.own) continue;
            const int bytes = code.bytes[s];
            const std::int64_t lines = lines_of(s), step = outer.stride[s][along], line = line_numbers * bytes;
            for (std::int64_t j = 0; joins[s] && j < lines; ++j) code.begin_sums(s, tile[s] + j * line, groups * code.lanes);
            if (joins[s]) continue;
            if (step == 0) {
                if (written[s] != base[s]) repeat_numbers<Arch, Widths>(tile[s], base[s], element_step(s), lines, line_numbers, bytes);
                written[s] = base[s];
                continue;
            }
            if (turn > 0 && outer.stride[s][last] == 0 && code.uses[s] == role_load) continue;
            copy_rows<Arch, Widths>(grid{tile[s], bytes, line}, grid{base[s], step, element_step(s)}, lines, n, bytes);
            // What is computed of no row must be a number.
            for (std::int64_t j = 0; n < groups * code.lanes && j < lines; ++j) std::memset(tile[s] + j * line + n * bytes, 0, static_cast<std::size_t>((groups * code.lanes - n) * bytes));
        }
        code.run(tile, line_numbers, n, count, table, outside);
        for (int s = 0; s < code.slots; ++s) {
            if ((code.uses[s] & (role_store | role_inner | role_accumulate)) == 0) continue;
            if (joins[s]) {
                for (std::int64_t j = 0; j < lines_of(s); ++j)
                    code.join_sums(s, base[s] + j * element_step(s), outer.stride[s][along], tile[s] + j * line_numbers * code.bytes[s], n, whole[s] ? totals + s : nullptr);
                continue;
            }
            if (is_kept(s)) {
                if (const std::int64_t back = turn % kept_turns; back + 1 == kept_turns || turn + 1 == turns)
                    copy_rows<Arch, Widths>(grid{base[s] - back * outer.stride[s][last], outer.stride[s][along], outer.stride[s][last]},
                                            grid{tiles[s], code.bytes[s], line_numbers * code.bytes[s]}, back + 1, n, code.bytes[s]);
                continue;
            }
            if (is_line(s) || s == code.own) continue;
            const int bytes = code.bytes[s];
            copy_rows<Arch, Widths>(grid{base[s], outer.stride[s][along], element_step(s)}, grid{tile[s], bytes, line_numbers * bytes}, lines_of(s), n, bytes);
        }
    };
    each_rows<Arch, most_lane_slots>(nest_view{along + 1, outer.extent, outer.stride}, slot, code.slots, begin / turns, end / turns, line_numbers, [&](std::byte* const* base, std::int64_t n) {
        std::byte* at[most_lane_slots];
        std::copy_n(base, code.slots, at);
        for (std::int64_t turn = 0; turn < turns; ++turn) {
            run(at, n, turn);
            for (int s = 0; s < code.slots; ++s) at[s] += outer.stride[s][last];
        }
    });
    return true;
}

/// Sums are elements as well, and so is the index along a row, which is the same in all lanes.
template <class R, class T, class A> inline constexpr bool may_be_of_elements<kernel::reduce<R, T, A>> = true;
template <class R, class T, int S, class A> inline constexpr bool may_be_of_elements<kernel::accumulate_inner<R, T, S, A>> = true;
template <class R, class T, int S, class A> inline constexpr bool may_be_of_elements<kernel::accumulate<R, T, S, A>> = true;
template <class T, int S, class A> inline constexpr bool may_be_of_elements<kernel::gather<T, S, A>> = true;
template <class T, int Axis> inline constexpr bool may_be_of_elements<kernel::iota<T, Axis>> = true;

/// Of an engine whose kernel sums along its rows, into values of these or into memory, or reads where an index of each element leads.
template <class Engine> struct lane_rows {
    static constexpr bool found = false;
};
template <template <class, class> class Engine, int O, int I, class U, class Row, class... Phases, class Arch>
    requires(O > 0 && I > 0 && sizeof...(Phases) > 0)
struct lane_rows<Engine<kernel::kernel<O, I, U, Row, Phases...>, Arch>> {
    using arranged = arrangement<kernel::kernel<O, I, U, Row, Phases...>, Arch>;
    using lanes = typename arranged::lanes;
    static constexpr int slots = arranged::slots, row_values = kernel::size_of_block<typename arranged::rows_block>;

    template <class Block> static constexpr bool is_known = all_of_elements<0, kernel::listed_t<Block>>::found;
    template <class Phase> static constexpr bool is_short = is_known<typename parts<Phase>::element> && is_known<typename parts<Phase>::row>;
    static constexpr bool sums_along = arranged::in_elements.any(role_inner) || (false || ... || (kernel::size_of_block<typename parts<Phases>::reduces> > 0));
    static constexpr bool knows_indices = !arranged::outer_index_used && (I == 1 || !arranged::inner_index_used);
    static constexpr int cost = arranged::in_elements.cost + arranged::in_rows.cost;
    static constexpr bool gathers = arranged::in_elements.any(role_gather);
    /// Whether there are indices for a whole row, or for all of them.
    static constexpr bool gathers_by_rows = usage_of<slots, U>().any(role_gather) || arranged::in_rows.any(role_gather) ||
                                            (false || ... || (kernel::size_of_block<row_loads<typename parts<Phases>::element>> > 0));
    static constexpr bool found = lanes::size > 1 && slots <= most_lane_slots && cost <= most_lane_cost && !gathers_by_rows && knows_indices &&
                                  (sums_along || gathers) && !arranged::in_rows.any(role_inner) && is_known<Row> && (true && ... && is_short<Phases>) && !any_slot_of_both<arranged>;

    static constexpr int own = own_slot<Phases...>();
    static constexpr bool gives_elements = [] {
        for (int s = 0; s < slots; ++s)
            if (s != own && (arranged::in_elements.uses[s] & (role_store | role_accumulate)) != 0) return true;
        return false;
    }();

    static bool run(const typename arranged::setup& s, const operand* slot, std::int64_t begin, std::int64_t end, total* totals) {
        static constexpr lane_row_code code = [] {
            lane_row_code c{slots, facts.uses, facts.bytes, facts.by_row, lanes::size, cost >= least_long_cost, cost >= least_long_cost_of_narrow, gives_elements,
                            !(true && ... && is_brief<kernel::listed_t<typename parts<Phases>::element>>), sizeof...(Phases) > 1, gathers, own, run_groups, nullptr, nullptr};
            if constexpr (joins_sums) c.begin_sums = begin_sums, c.join_sums = join_sums;
            return c;
        }();
        return run_lane_rows<Arch, widths_of<slots>(facts.bytes)>(code, s.outer.view(), s.inner.stride, s.unit, slot, s.inner.extent[0], begin, end, arranged::has_sums ? s.whole : nullptr, totals, &s);
    }

private:
    /// In pairs, so that float keeps its digits. What stands behind the last number, up to a register, is written over.
    template <class R, class T> static wide<R, T> joined(T* sums, std::int64_t n) {
        std::int64_t registers = (n + lanes::size - 1) / lanes::size;
        std::fill_n(sums + n, registers * lanes::size - n, R::template identity<T>());
        for (std::int64_t half = registers / 2; half > 0; half = registers / 2) {
            registers -= half;
            for (std::int64_t k = 0; k < half * lanes::size; k += lanes::size)
                lanes::store(sums + k, R::combine(lanes::load(sums + k), lanes::load(sums + registers * lanes::size + k)));
        }
        return static_cast<wide<R, T>>(fold_lanes<lanes, R>(lanes::load(sums)));
    }
    template <class R, class T> static void join_numbers(T* to, std::int64_t step, const T* sums, std::int64_t n) {
        using number = wide<R, T>;
        std::int64_t i = 0;
        if (step == sizeof(T))
            for (; i + lanes::size <= n; i += lanes::size) lanes::store(to + i, R::combine(lanes::load(to + i), lanes::load(sums + i)));
        for (; i < n; ++i) {
            T& memory = *reinterpret_cast<T*>(reinterpret_cast<std::byte*>(to) + i * step);
            memory = static_cast<T>(R::combine(static_cast<number>(memory), static_cast<number>(sums[i])));
        }
    }
    /// Numbers of 16 bits, which are computed in wider ones, would lose digits on the way.
    static constexpr bool joins_sums = arranged::has_sums && [] {
        bool fine = true;
        const auto look = [&](auto effect) { fine = fine && std::is_arithmetic_v<typename decltype(effect)::element>; };
        visit_sums<typename arranged::rows_block>(look);
        (visit_sums<typename parts<Phases>::element>(look), ...);
        return fine;
    }();
    template <class F> static void visit_slot(int slot, const F& f) {
        const auto one = [&](auto effect) {
            if (decltype(effect)::slot == slot) f(effect);
        };
        visit_sums<typename arranged::rows_block>(one);
        (visit_sums<typename parts<Phases>::element>(one), ...);
    }
    [[gnu::noinline]] static void begin_sums(int slot, std::byte* sums, std::int64_t n) {
        visit_slot(slot, [&](auto effect) {
            using T = typename decltype(effect)::element;
            std::fill_n(reinterpret_cast<T*>(sums), n, decltype(effect)::reduction::template identity<T>());
        });
    }
    [[gnu::noinline]] static void join_sums(int slot, std::byte* to, std::int64_t step, std::byte* sums, std::int64_t n, total* whole) {
        visit_slot(slot, [&](auto effect) {
            using R = typename decltype(effect)::reduction;
            using T = typename decltype(effect)::element;
            T* const of = reinterpret_cast<T*>(sums);
            T* const memory = reinterpret_cast<T*>(to);
            if (whole != nullptr) whole->set(R::combine(whole->template get<wide<R, T>>(), joined<R>(of, n)));
            else if (step == 0) *memory = static_cast<T>(R::combine(static_cast<wide<R, T>>(*memory), joined<R>(of, n)));
            else join_numbers<R>(memory, step, of, n);
        });
    }

    struct slot_facts {
        std::uint8_t uses[bound<slots>], bytes[bound<slots>];
        bool by_row[bound<slots>];
    };
    static constexpr slot_facts facts = [] {
        slot_facts f{};
        for (int s = 0; s < slots; ++s) {
            f.uses[s] = static_cast<std::uint8_t>(arranged::in_rows.uses[s] | arranged::in_elements.uses[s]);
            f.bytes[s] = arranged::all_bytes[static_cast<std::size_t>(s)];
            f.by_row[s] = arranged::in_rows.uses[s] != 0 || (f.uses[s] & role_inner) != 0;
        }
        return f;
    }();

    static constexpr bool is_walked(int s) { return (arranged::in_elements.uses[s] & role_stream) != 0; }

    template <int N, class Block> using turned = typename all_of_elements<N, kernel::listed_t<Block>>::type;
    /// Where the element values of a phase begin.
    template <int At, class... Phase> struct file_of {
        using type = kernel::block<>;
    };
    template <int At, class First, class... Rest> struct file_of<At, First, Rest...> {
        using own = turned<At, typename parts<First>::element>;
        using type = typename kernel::detail::joined<own, typename file_of<At + kernel::detail::length<own>::value, Rest...>::type>::type;
    };
    template <class... P> struct all_values {
        using type = kernel::registers<lanes, typename kernel::detail::joined<turned<0, typename arranged::rows_block>, typename file_of<row_values, P...>::type>::type>;
    };
    using port = std::conditional_t<gathers, gathering_port<lanes, slots, arranged::all_bytes>, lane_port<lanes, slots, 0, false>>;
    using uniforms = typename arranged::uniform_file;

    template <int First, class Block, int... K, class File>
    CROTON_LAYER static void run_block(port& at, const uniforms& us, File& file, std::integer_sequence<int, K...>) {
        kernel::run_element_block<lanes>(kernel::numbered<std::integer_sequence<int, First + K...>, Block>{}, at, us, kernel::nothing{}, file);
    }
    template <int First, class Block, class File> CROTON_LAYER static void run_block(port& at, const uniforms& us, File& file) {
        run_block<First, Block>(at, us, file, kernel::detail::sequence_of<Block>{});
    }
    template <int Value, class T> using held = kernel::detail::cell<Value, typename lanes::template value<T>>;

    template <int First, class File, class... Reduce, int... K>
    CROTON_LAYER static void begin_sums(File& file, kernel::block<Reduce...>, std::integer_sequence<int, K...>) {
        ((static_cast<held<First + K, typename Reduce::element>&>(file).value = lanes::broadcast(Reduce::reduction::template identity<typename Reduce::element>())), ...);
    }
    template <int First, class File, class... Reduce, int... K>
    CROTON_LAYER static void feed_sums(const uniforms& us, File& file, kernel::block<Reduce...>, std::integer_sequence<int, K...>) {
        ((static_cast<held<First + K, typename Reduce::element>&>(file).value = Reduce::reduction::combine(
              static_cast<held<First + K, typename Reduce::element>&>(file).value,
              lanes::template convert<typename Reduce::element>(kernel::fetch<lanes>(typename Reduce::argument{}, us, kernel::nothing{}, file)))), ...);
    }

    template <int First, int At, class File> CROTON_LAYER static void run_phases(port&, std::int64_t*, std::int64_t, std::int64_t, const table_steps*, const uniforms&, File&) {}
    template <int First, int At, class Phase, class... Rest, class File>
    CROTON_LAYER static void run_phases(port& at, [[maybe_unused]] std::int64_t* index, std::int64_t line, std::int64_t count, [[maybe_unused]] const table_steps* table, const uniforms& us,
                                        File& file) {
        using element = turned<At, typename parts<Phase>::element>;
        using reduces = turned<At, typename parts<Phase>::reduces>;
        using row = turned<At, typename parts<Phase>::row>;
        constexpr kernel::detail::sequence_of<reduces> sequence{};
        constexpr int reduced = kernel::detail::length<reduces>::value;
        begin_sums<First>(file, reduces{}, sequence);
        running<lanes, inner_sinks<element>> sums;
        sums.reset();
        for (std::int64_t j = 0; j < count; ++j) {
            if constexpr (arranged::inner_index_used) *index = j;
            run_block<At, element>(at, us, file);
            feed_sums<First>(us, file, reduces{}, sequence);
            sums.feed(us, kernel::nothing{}, file);
            CROTON_UNROLLED
            for (int s = 0; s < slots; ++s)
                if (is_walked(s)) at.p[s] += line * arranged::in_elements.bytes[s];
                else if constexpr (gathers) at.first[s] += table[s].element;
        }
        CROTON_UNROLLED
        for (int s = 0; s < slots; ++s)
            if (is_walked(s)) at.p[s] -= count * line * arranged::in_elements.bytes[s];
            else if constexpr (gathers) at.first[s] -= count * table[s].element;
        sums.settle(at, true);
        run_block<First + reduced, row>(at, us, file);
        run_phases<First + reduced + kernel::detail::length<row>::value, At + kernel::detail::length<element>::value, Rest...>(at, index, line, count, table, us, file);
    }
    [[gnu::noinline]] static void run_groups(std::byte* const* tile, std::int64_t line, std::int64_t rows, std::int64_t count, [[maybe_unused]] const table_steps* table, const void* of) {
        const auto& s = *static_cast<const typename arranged::setup*>(of);
        const uniforms us = s.uniforms;
        port at;
        CROTON_UNROLLED
        for (int k = 0; k < slots; ++k) at.p[k] = kernel::alone(tile[k]);
        at.scalars = s.scalars;
        at.displacement = s.displacement;
        std::int64_t index[bound<arranged::indices>] = {};
        at.index = index;
        for (at.i = 0; at.i < rows; at.i += lanes::size) {
            if constexpr (gathers) at.place(table, rows);
            typename all_values<Phases...>::type file;
            run_block<0, turned<0, Row>>(at, us, file);
            run_phases<kernel::size_of_block<Row>, row_values, Phases...>(at, index + (arranged::inner_index_used ? O : 0), line, count, table, us, file);
        }
    }
};

/// Whether an engine has loops for short rows of either kind.
template <class Engine> inline constexpr bool takes_short_rows = short_rows<Engine>::found || lane_rows<Engine>::found;
/// So many rows are to stay together: those of an axis that is too short for either kind, or along which lanes do not lie.
template <class Engine> std::int64_t short_row_grain(const typename Engine::setup& s) {
    if constexpr (takes_short_rows<Engine> && std::extent_v<decltype(s.outer.extent)> > 1) {
        if (s.outer.rank < 2) return 1;
        constexpr std::int64_t few = 2 * Engine::lanes::size;
        const std::int64_t last = s.outer.extent[s.outer.rank - 1];
        if (last < few || (!short_rows<Engine>::found && lies_before_short_axis(s.outer.extent, s.outer.rank, few))) return last;
    }
    return 1;
}
/// Runs rows by them; false where these are none for them.
template <class Engine> bool run_if_short(const typename Engine::setup& s, const operand* slot, std::int64_t begin, std::int64_t end, [[maybe_unused]] total* totals) {
    if constexpr (short_rows<Engine>::found) return short_rows<Engine>::run(s, slot, begin, end);
    else return lane_rows<Engine>::run(s, slot, begin, end, totals);
}

}  // namespace croton::inline v0_1::detail::cpu_device

#endif
