// SPDX-License-Identifier: MIT
// How the loops of a kernel type lie before they run: axes that merge, strides in bytes, and which sums stay in registers.
#ifndef CROTON_DEVICE_CPU_ARRANGEMENT_HPP
#define CROTON_DEVICE_CPU_ARRANGEMENT_HPP

#include <croton/device/cpu/numbers.hpp>
#include <croton/device/cpu/quotients.hpp>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace croton::inline v0_1::detail::cpu_device {

/// What is known of a kernel type, and of the extents and slots of a run of it.
template <class Kernel, class Arch> struct arrangement;
template <int O, int I, class U, class Row, class... Phases, class Arch>
struct arrangement<kernel::kernel<O, I, U, Row, Phases...>, Arch> {
    using rows_block = kernel::row_program<Row, Phases...>;
    using uniform_file = kernel::uniform_registers<U>;
    using row_file = kernel::row_registers<rows_block>;

    static constexpr int slots = slot_count<U, rows_block, typename parts<Phases>::element...>();
    static constexpr usage<slots> in_elements = usage_of<slots, typename parts<Phases>::element...>();
    static constexpr usage<slots> in_rows = usage_of<slots, rows_block>();
    static constexpr bool has_sums = in_elements.any(kernel::role_sum) || in_rows.any(kernel::role_sum);
    static constexpr bool gathers = usage_of<slots, U>().any(role_gather) || in_elements.any(role_gather) || in_rows.any(role_gather) ||
                                    (false || ... || (kernel::size_of_block<row_loads<typename parts<Phases>::element>> > 0));
    static constexpr unsigned axes = in_elements.axes | in_rows.axes;
    static constexpr bool outer_index_used = (axes & ((1u << O) - 1u)) != 0;
    static constexpr bool inner_index_used = (axes >> O) != 0;
    static constexpr int numbered = static_cast<int>(std::bit_width(axes >> O));  // inner axes, up to the last along which indices are values
    // Indices that are kept: a short call feels it where more are cleared.
    static constexpr int indices = axes == 0 ? 1 : O + I;

    using lanes = with_quotients<typename lanes_for<lane_of_blocks<in_elements, typename parts<Phases>::element...>(), Arch>::type, typename parts<Phases>::element...>;

    struct setup {
        nest<slots, O == 0 ? 1 : O> outer;
        nest<slots, I == 0 ? 1 : I> inner;
        const std::int64_t* scalars;
        uniform_file uniforms;
        displaced displacement[bound<gathers ? slots : 1>];
        bool unit;          // every stream of every element block has unit stride
        bool streams;       // what is only stored goes past the caches
        // Where there are sums in memory:
        bool whole[bound<slots>];  // sums of these slots stay in totals until the end
        bool sweep_sum[bound<slots>];  // accumulate_inner slots that one sweep over the inner axes leaves alone
    };

    static constexpr std::array<std::uint8_t, bound<slots>> all_bytes = [] {
        std::array<std::uint8_t, bound<slots>> bytes{};
        for (std::size_t s = 0; s < bound<slots>; ++s)
            bytes[s] = in_elements.bytes[s] != 0 ? in_elements.bytes[s] : in_rows.bytes[s];
        return bytes;
    }();

    /// Of the slots that element blocks run along.
    static constexpr std::array<std::uint8_t, bound<slots>> stream_bytes = [] {
        std::array<std::uint8_t, bound<slots>> bytes{};
        for (std::size_t s = 0; s < bound<slots>; ++s)
            bytes[s] = (in_elements.uses[s] & role_stream) != 0 ? in_elements.bytes[s] : std::uint8_t{0};
        return bytes;
    }();

    template <int Most> static bool constant(const nest<slots, Most>& n, int slot) {
        for (int a = 0; a < n.rank; ++a)
            if (n.extent[a] != 1 && n.stride[slot][a] != 0) return false;
        return true;
    }

    static constexpr nest_facts facts{O, I, slots, in_elements.uses, in_elements.bytes, all_bytes.data(), role_stream, {outer_index_used ? O : 0, false},
                                      {numbered, in_elements.any(role_fixed | role_inner | role_accumulate)}};

    /// `Brief`: the code of its own that a short call is worth.
    template <bool Brief> static void prepare(setup& s, const std::int64_t* extents, const operand* slot) {
        if constexpr (Brief) s.unit = arrange(facts, s.outer.room(), s.inner.room(), extents, slot, [](auto&&...) { return 0; });
        else s.unit = arrange_many<Arch>(facts, s.outer.room(), s.inner.room(), extents, slot);
        if constexpr (gathers)
            for (int k = 0; k < slots; ++k) {
                const std::int64_t step = I > 0 ? s.inner.stride[k][s.inner.rank - 1] : 0;
                s.displacement[k] = {slot[k].along, step, step == 0 && slot[k].along.is_dense()};
            }
        if constexpr (has_sums) place_sums(s);
    }
    /// Which sums stay where while the loops run.
    static void place_sums(setup& s) {
        for (int k = 0; k < slots; ++k) s.whole[k] = s.sweep_sum[k] = false;
        const auto classify = [&](auto effect) {
            constexpr int k = decltype(effect)::slot;
            if constexpr (decltype(effect)::does == role_inner) {
                s.sweep_sum[k] = constant(s.inner, k);
                s.whole[k] = s.sweep_sum[k] && constant(s.outer, k);
            } else if constexpr ((in_elements.uses[k] & role_accumulate) == 0) {
                s.whole[k] = constant(s.outer, k);
            }
        };
        visit_sums<rows_block>(classify);
        (visit_sums<typename parts<Phases>::element>(classify), ...);
    }

    static void fill_sums([[maybe_unused]] const std::int64_t* extents, [[maybe_unused]] const operand* slot, [[maybe_unused]] total* totals) {
        if constexpr (has_sums) clear_sums(extents, slot, totals);
    }
    static void clear_sums(const std::int64_t* extents, const operand* slot, total* totals) {
        const auto clear = [&](int rank) {
            return [=](auto effect) {
                using e = decltype(effect);
                using t = typename e::element;
                const t identity = e::reduction::template identity<t>();
                std::uint64_t bits = 0;
                std::memcpy(&bits, &identity, sizeof(t));
                if (slot) fill<Arch>(slot[e::slot], rank, extents, bits, sizeof(t));
                if (totals) totals[e::slot].set(e::reduction::template identity<kernel::partial_t<e>>());
            };
        };
        visit_sums<rows_block>(clear(O));
        (visit_sums<typename parts<Phases>::element>(clear(O + I)), ...);
    }

    // Adds the totals of a thread to memory.
    static void settle([[maybe_unused]] const setup& s, [[maybe_unused]] const operand* slot, [[maybe_unused]] const total* totals) {
        if constexpr (has_sums) add_totals(s, slot, totals);
    }
    static void add_totals(const setup& s, const operand* slot, const total* totals) {
        const auto add = [&](auto effect) {
            using e = decltype(effect);
            using t = typename e::element;
            if (!s.whole[e::slot]) return;
            t& memory = *reinterpret_cast<t*>(slot[e::slot].data);
            memory = static_cast<t>(e::reduction::combine(static_cast<kernel::partial_t<e>>(memory),
                                                          totals[e::slot].template get<kernel::partial_t<e>>()));
        };
        visit_sums<rows_block>(add);
        (visit_sums<typename parts<Phases>::element>(add), ...);
    }

    // Whether every sum into memory survives a split: it stays with its thread, or each thread has its own part of it.
    template <int Most> static bool splits([[maybe_unused]] const setup& s, [[maybe_unused]] const nest<slots, Most>& n, [[maybe_unused]] int axis, [[maybe_unused]] bool rows) {
        if constexpr (!has_sums) return true;
        else return splits_sums<0>(s, n, axis, rows);
    }
    // The same of all sums but those that are used so.
    template <int But, int Most> static bool splits_sums(const setup& s, const nest<slots, Most>& n, int axis, bool rows) {
        bool fine = true;
        const auto check = [&](auto effect) {
            constexpr int k = decltype(effect)::slot;
            if (decltype(effect)::does != But && !s.whole[k] && (axis < 0 || n.stride[k][axis] == 0)) fine = false;
        };
        if (rows) visit_sums<rows_block>(check);
        (visit_sums<typename parts<Phases>::element>(check), ...);
        return fine;
    }
};

}  // namespace croton::inline v0_1::detail::cpu_device

#endif
