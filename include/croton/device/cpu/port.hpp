// SPDX-License-Identifier: MIT
// What the instructions of an element block read and write: a run of memory, register by register.
#ifndef CROTON_DEVICE_CPU_PORT_HPP
#define CROTON_DEVICE_CPU_PORT_HPP

#include <algorithm>
#include <cstdint>
#include <cstring>

#include <croton/device/cpu/analysis.hpp>

namespace croton::inline v0_1::detail::cpu_device {

/// Of an element of a run, how many rows behind the first of the run it lies: none, where the run is one row.
inline constexpr std::int64_t one_row[64] = {};

/// Which rows the runs of a panel are, where each of them is more than one: so many, and the first of them. `each` is 0 where all have the same number.
struct grouped_rows {
    std::int64_t first = 0, each = 1;
    const std::int64_t* place = one_row;
    std::int64_t mask = 0;  // of the position in a run: `place` has one for each
};

/// Memory as a register of lanes sees it: the pointers of the run and the position in it. `Rows`: of the rows of a panel, the axis along which their numbers are values, or the innermost one
/// where they are none.
template <class Lanes, int Slots, int InnermostAxis, bool Partial, int Rows = -1> struct lane_port {
    static constexpr bool partial = Partial, is_panel = Rows >= 0;
    static constexpr int slots = Slots;

    std::byte* p[bound<Slots>];
    std::byte fixed[bound<Slots>][8];
    const std::int64_t* scalars;
    const std::int64_t* index;
    const displaced* displacement;
    std::int64_t line;
    std::int64_t i;
    std::int64_t row;  // of a panel
    grouped_rows rows;
    int count;

    template <class T, int S> CROTON_INLINE CROTON_HD T* at() const { return reinterpret_cast<T*>(p[S]) + i; }

    template <class T, class V> CROTON_INLINE CROTON_HD void store(T* to, const V& v) const {
        if constexpr (Partial) Lanes::store(to, v, count);
        else Lanes::store(to, v);
    }

    template <class T, int S> CROTON_INLINE CROTON_HD auto read(kernel::load<T, S>) const {
        const T* const from = reinterpret_cast<const T*>(p[S]) + i;
        if constexpr (Partial) return Lanes::load(from, count);
        else return Lanes::load(from);
    }
    template <class T, int S> CROTON_INLINE CROTON_HD auto read(kernel::load_fixed<T, S>) const {
        T v;
        std::memcpy(&v, fixed[S], sizeof(T));
        return Lanes::broadcast(static_cast<arithmetic_t<T>>(v));
    }
    /// The slot is displaced already.
    template <class T, int S, class A, class Index> CROTON_INLINE CROTON_HD auto read(kernel::load_at<T, S, A>, Index) const {
        return read(kernel::load<T, S>{});
    }
    template <class T, int S, class A, class V> CROTON_INLINE CROTON_HD auto read(kernel::gather<T, S, A>, const V& indices) const {
        const displaced d = displacement[S];
        const std::byte* const from = p[S] + i * d.step;
        if constexpr (Lanes::size == 1) {
            return Lanes::broadcast(static_cast<arithmetic_t<T>>(reinterpret_cast<const T*>(from)[d.along.offset(indices)]));
        } else {
            if constexpr (!Partial && is_dense<T, typename A::type>)
                if (d.dense) return Lanes::gather(reinterpret_cast<const T*>(from), indices, static_cast<typename A::type>(d.along.extent), nullptr);
            // What lies behind the last element is no memory of the table.
            const std::size_t last = static_cast<std::size_t>(Partial ? count - 1 : Lanes::size - 1);
            return gather_any<T, typename A::type>(d, indices, [&](std::size_t k) CROTON_INLINED { return from + static_cast<std::int64_t>(k < last ? k : last) * d.step; });
        }
    }
    /// Whether elements of this type are gathered together by indices of that, where they lie side by side.
    template <class T, class Number>
    static constexpr bool is_dense = std::is_arithmetic_v<T> && sizeof(T) >= 4 && (std::is_same_v<Number, std::int32_t> || std::is_same_v<Number, std::int64_t>) && !is_narrow_or_unsigned<T>;
    /// The element that an index leads to in each lane, of those that begin at `row(k)`.
    template <class T, class Number, class V, class Row> CROTON_INLINE static auto gather_any(const displaced& d, const V& indices, const Row& row) {
        Number at[bound<Lanes::size>];
        T values[bound<Lanes::size>];
        Lanes::store(at, indices);
        for (std::size_t k = 0; k < Lanes::size; ++k) std::memcpy(values + k, reinterpret_cast<const T*>(row(k)) + d.along.offset(at[k]), sizeof(T));
        return Lanes::load(static_cast<const T*>(values));
    }
    template <class T, int I> CROTON_INLINE CROTON_HD auto read(kernel::scalar<T, I>) const {
        return Lanes::broadcast(static_cast<T>(scalars[I]));
    }
    template <class T, int Axis> CROTON_INLINE CROTON_HD auto read(kernel::iota<T, Axis>) const {
        if constexpr (Axis == InnermostAxis) return Lanes::iota(static_cast<T>(line + i));
        else if constexpr (Axis == Rows)
            return Lanes::broadcast(static_cast<T>(row)) + Lanes::template convert<T>(Lanes::load(rows.place + (i & rows.mask)));
        else return Lanes::broadcast(static_cast<T>(index[Axis]));
    }
    template <class T, int S, class A, class V>
    CROTON_INLINE CROTON_HD void write(kernel::store<T, S, A>, const V& v) const {
        store(at<T, S>(), v);
    }
    template <class R, class T, int S, class A, class V>
    CROTON_LAYER CROTON_HD void write(kernel::accumulate<R, T, S, A>, const V& v) const {
        if constexpr (!is_panel) settle<R, T, S>(Lanes::template convert<T>(v));
    }
    template <class R, class T, int S, class A, class V>
    CROTON_INLINE CROTON_HD void write(kernel::accumulate_inner<R, T, S, A>, const V&) const {}

    template <class R, class T, int S, class V> CROTON_LAYER CROTON_HD void settle(const V& v) const {
        store(at<T, S>(), R::combine(read(kernel::load<T, S>{}), v));
    }
    template <class T, int S, class V> CROTON_LAYER CROTON_HD void put(const V& v) const { store(at<T, S>(), v); }
};

/// How far what indices lead into goes from row to row, and from element to element of a row, in bytes.
struct table_steps {
    std::int64_t row, element;
};

/// A port of rows that stand turned in tiles, where indices lead into rows that stand in memory: those of the lanes begin so many elements behind the first of them.
template <class Lanes, int Slots, const auto& Bytes> struct gathering_port : lane_port<Lanes, Slots, 0, false> {
    using base = lane_port<Lanes, Slots, 0, false>;
    using base::read;
    std::byte* first[bound<Slots>];
    alignas(64) std::int64_t behind[bound<Slots>][bound<Lanes::size>];

    /// `i` is where it begins or goes on, of `all` rows. Lanes behind the last one see that.
    CROTON_INLINE void place(const table_steps* table, std::int64_t all) {
        for (int s = 0; s < Slots; ++s) first[s] = base::p[s] + base::i * table[s].row;
        if (base::i != 0 && all - base::i >= Lanes::size) return;
        for (int s = 0; s < Slots; ++s)
            for (std::int64_t k = 0; k < Lanes::size; ++k) behind[s][k] = std::min(k, all - 1 - base::i) * (table[s].row / std::max<std::int64_t>(1, Bytes[static_cast<std::size_t>(s)]));
    }
    template <class T, int S, class A, class V> CROTON_INLINE auto read(kernel::gather<T, S, A>, const V& indices) const {
        const displaced d = base::displacement[S];
        const T* const from = reinterpret_cast<const T*>(first[S]);
        if constexpr (base::template is_dense<T, typename A::type>)
            if (d.along.is_dense()) return Lanes::gather(from, indices, static_cast<typename A::type>(d.along.extent), behind[S]);
        return base::template gather_any<T, typename A::type>(d, indices, [&](std::size_t k) CROTON_INLINED { return from + behind[S][k]; });
    }
};

/// Whether all that an instruction, or a block of them, reads and writes along a run is the same in narrower lanes.
template <class Lanes, class Instruction> constexpr bool is_divisible() {
    constexpr int along = Instruction::does & ~role_fixed;
    if constexpr (Lanes::size == 1) return false;
    else if constexpr (along == 0) return true;
    else if constexpr (along == role_load || along == role_store) return Lanes::template fills<typename Instruction::element>;
    else return false;
}
template <class Lanes, class Block> inline constexpr bool runs_in_parts = false;
template <class Lanes, class... I> inline constexpr bool runs_in_parts<Lanes, kernel::block<I...>> = (true && ... && is_divisible<Lanes, I>());

/// What stays the same along a run.
template <class U, class R> struct surroundings {
    const U& uniforms;
    const R& rows;
    const std::int64_t* scalars;
    const std::int64_t* index;  // of the loop axes, where indices are values
    const displaced* displacement;  // by slot
    bool fresh = false;             // column sums have nothing in memory to be added to
    grouped_rows grouped = {};
};

/// A port of a run of which `Used` says how the block uses each slot. All slots behind slot `One`, where there is one, that are read alone lie where it lies.
template <class Port, const auto& Used, int One> CROTON_LAYER Port port_at(std::byte* const* p, std::int64_t line, const auto& outside) {
    Port port;
    CROTON_UNROLLED
    for (int s = 0; s < port.slots; ++s)
        if (Used.uses[s] != 0) port.p[s] = One >= 0 && s > One && Used.uses[s] == role_load ? port.p[One < 0 ? 0 : One] : kernel::alone(p[s]);
    port.scalars = outside.scalars;
    port.index = outside.index;
    port.displacement = outside.displacement;
    port.line = line;
    return port;
}

/// The element type that a block reads from a slot.
template <int Slot, class... Instruction> struct read_from;
template <int Slot, class First, class... Rest> struct read_from<Slot, First, Rest...> : read_from<Slot, Rest...> {};
template <int Slot, class T, class... Rest> struct read_from<Slot, kernel::load<T, Slot>, Rest...> {
    using type = T;
};
template <int Slot, class Block> struct read_from_slot;
template <int Slot, class... I> struct read_from_slot<Slot, kernel::block<I...>> : read_from<Slot, I...> {};

/// A port of a run in which all slots that are read alone lie where slot `One` does: each register is read once, by `begin`.
template <class Port, class Lanes, const auto& Used, int One, class T> struct one_read_port : Port {
    typename Lanes::template value<T> seen;

    CROTON_LAYER void begin() {
        seen = Port::read(kernel::load<T, One>{});
        Lanes::hold(seen);
    }
    using Port::read;
    template <int S> CROTON_INLINE CROTON_HD auto read(kernel::load<T, S> of) const {
        if constexpr (Used.uses[S] == role_load) return seen;
        else return Port::read(of);
    }
};

/// The same place of a run, as other lanes or their last few see it.
template <class Port, const auto& Used> CROTON_LAYER Port same_place(const auto& of) {
    Port port;
    CROTON_UNROLLED
    for (int s = 0; s < port.slots; ++s) {
        if (Used.uses[s] != 0) port.p[s] = of.p[s];
        if ((Used.uses[s] & role_fixed) != 0) std::memcpy(port.fixed[s], of.fixed[s], 8);
    }
    port.scalars = of.scalars;
    port.index = of.index;
    port.displacement = of.displacement;
    port.line = of.line;
    port.i = of.i;
    return port;
}

/// Reads what does not vary along a run.
template <const auto& Used> CROTON_LAYER void take_fixed(auto& port) {
    CROTON_UNROLLED
    for (int s = 0; s < port.slots; ++s)
        if ((Used.uses[s] & role_fixed) != 0) std::memcpy(port.fixed[s], port.p[s], Used.bytes[s]);
}

}  // namespace croton::inline v0_1::detail::cpu_device

#endif
