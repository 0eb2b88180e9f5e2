// SPDX-License-Identifier: MIT
// What the CPU loops must know about a kernel type before they run it: which slots are touched how, and how many lanes fit.
#ifndef CROTON_DEVICE_CPU_ANALYSIS_HPP
#define CROTON_DEVICE_CPU_ANALYSIS_HPP

#include <croton/device/cpu/brief.hpp>
#include <croton/device/cpu/nest.hpp>
#include <croton/device/cpu/pack.hpp>
#include <croton/kernel/registers.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace croton::inline v0_1::detail::cpu_device {

using kernel::role_accumulate, kernel::role_fixed, kernel::role_gather, kernel::role_inner, kernel::role_load, kernel::role_store;

template <class Phase> struct parts;
template <class E, class F, class P> struct parts<kernel::phase<E, F, P>> {
    using element = E;
    using reduces = F;
    using row = P;
};

/// What an element block copies: so many slots, each from another one.
struct copied_slots {
    static constexpr int most = 8;
    int count = 0, from[most] = {}, to[most] = {};
};

/// Whether an instruction, the one at `At`, does nothing but copy: notes which slot its value comes from, and where it goes.
template <int At, class Each> constexpr bool follows_copy(Each, int*, copied_slots&) { return false; }
template <int At, class T, int Slot> constexpr bool follows_copy(kernel::load<T, Slot>, int* source, copied_slots&) {
    source[At] = Slot;
    return true;
}
template <int At, class Op, int K, class T>
    requires(is_named<Op>("copy"))
constexpr bool follows_copy(kernel::apply<Op, kernel::e<K, T>>, int* source, copied_slots&) {
    source[At] = source[K];
    return true;
}
template <int At, class Op, int K, class T>
    requires(is_named<Op>("copy"))
constexpr bool follows_copy(kernel::apply<Op, kernel::r<K, T>>, int* source, copied_slots&) {
    source[At] = source[K];
    return true;
}
template <int At, class T, int Slot, int K> constexpr bool follows_copy(kernel::store<T, Slot, kernel::e<K, T>>, int* source, copied_slots& out) {
    if (out.count == copied_slots::most) return false;
    out.from[out.count] = source[K];
    out.to[out.count++] = Slot;
    return true;
}

/// None where a block does anything else.
template <class Block> inline constexpr copied_slots copies_of{};
template <class... I> inline constexpr copied_slots copies_of<kernel::block<I...>> = []<int... At>(std::integer_sequence<int, At...>) {
    copied_slots out;
    [[maybe_unused]] int source[sizeof...(I) + 1] = {};
    return (true && ... && follows_copy<At>(I(), source, out)) ? out : copied_slots();
}(std::make_integer_sequence<int, sizeof...(I)>());

/// The same where a row block reads numbers that the element block stores all along its row.
template <class Row, class Element> inline constexpr copied_slots row_copies_of{};
template <class... I, class... T, int... Slot, int... K>
inline constexpr copied_slots row_copies_of<kernel::block<I...>, kernel::block<kernel::store<T, Slot, kernel::r<K, T>>...>> = []<int... At>(std::integer_sequence<int, At...>) {
    copied_slots out;
    [[maybe_unused]] int source[sizeof...(I) + 1] = {};
    const bool only = (true && ... && follows_copy<At>(I(), source, out)) && out.count == 0 && sizeof...(K) <= copied_slots::most;
    if (only) ((out.from[out.count] = source[K], out.to[out.count++] = Slot), ...);
    return out;
}(std::make_integer_sequence<int, sizeof...(I)>());

/// The slots a block touches along its innermost axis.
inline constexpr int role_stream = role_load | role_store | role_accumulate;

// Bytes of a value in a register: truth values take the form of the others.
template <class T> inline constexpr int lane_bytes = std::is_same_v<T, bool> ? 0 : static_cast<int>(sizeof(arithmetic_t<T>));
template <> inline constexpr int lane_bytes<void> = 0;

/// A load whose slot stands still while runs that are summed across lie one below the other: compilers keep it in registers.
template <class T, int Slot> struct still_load : kernel::load<T, Slot> {};
template <class Instruction> inline constexpr std::uint64_t still_bit = 0;
template <class T, int Slot> inline constexpr std::uint64_t still_bit<still_load<T, Slot>> = std::uint64_t{1} << Slot;

/// The slots of a kernel as a block uses them. `bytes` is 0 for a slot the block does not touch.
template <int Slots> struct usage {
    std::uint8_t bytes[bound<Slots>] = {};
    std::uint8_t uses[bound<Slots>] = {};
    unsigned axes = 0;  // bit per loop axis whose index is a value
    int lane = 0;       // the smallest element type of 4 or 8 bytes; where there is none, the largest
    int cost = 0;
    std::uint64_t still = 0;  // bit per slot of a `still_load`

    constexpr void add(int slot, int size, int how, int axis, int bytes_per_lane, int price) {
        if (slot >= 0) {
            bytes[slot] = static_cast<std::uint8_t>(size);
            uses[slot] = static_cast<std::uint8_t>(uses[slot] | how);
        }
        if (axis >= 0) axes |= 1u << axis;
        if (bytes_per_lane != 0) see_lane(bytes_per_lane);
        cost += price;
    }
    constexpr void see_lane(int size) {
        if (lane == 0 || (size >= 4 ? lane < 4 || size < lane : lane < 4 && size > lane)) lane = size;
    }
    constexpr bool any(int how) const {
        for (int s = 0; s < Slots; ++s)
            if (uses[s] & how) return true;
        return false;
    }
    /// The first slot that is used so and in no other way, or 0.
    constexpr int first(int how) const {
        for (int s = 0; s < Slots; ++s)
            if (uses[s] == how) return s;
        return 0;
    }
    constexpr int count(int how) const {
        int n = 0;
        for (int s = 0; s < Slots; ++s) n += (uses[s] & how) != 0;
        return n;
    }
};

template <int Slots, class... I> constexpr void note(usage<Slots>& u, kernel::block<I...>) {
    // An operator may be exp: its price is a guess that decides nothing but when threads are worth waking.
    (u.add(I::slot, kernel::memory_bytes<typename I::element>, I::does, I::axis, lane_bytes<typename I::element>,
           I::does == role_gather || std::is_void_v<typename I::element> ? 4 : 1), ...);
    ((u.still |= still_bit<I>), ...);
}
template <int Slots, class... Block> constexpr usage<Slots> usage_of() {
    usage<Slots> u;
    (note(u, kernel::listed_t<Block>{}), ...);
    return u;
}

/// Where a block seems to hold numbers of 4 bytes nowhere, what its operators take counts too: numbers of other bytes come from outside, or are made and
/// compared within it.
template <int Slots, class Op, class... A> constexpr void see_arguments(usage<Slots>& u, kernel::apply<Op, A...>*) {
    ((lane_bytes<typename A::type> != 0 ? u.see_lane(lane_bytes<typename A::type>) : void()), ...);
}
template <int Slots> constexpr void see_arguments(usage<Slots>&, void*) {}
template <int Slots, class... I> constexpr void see_arguments(usage<Slots>& u, kernel::block<I...>) {
    (see_arguments(u, static_cast<I*>(nullptr)), ...);
}
template <const auto& Usage, class... Block> constexpr int lane_of_blocks() {
    if constexpr (Usage.lane != 0 && Usage.lane != 4) {
        auto u = Usage;
        (see_arguments(u, kernel::listed_t<Block>{}), ...);
        return u.lane;
    } else {
        return Usage.lane;
    }
}

template <class... I> constexpr int slot_limit(kernel::block<I...>) {
    int limit = 0;
    ((limit = I::slot >= limit ? I::slot + 1 : limit), ...);
    return limit;
}
template <class... Block> constexpr int slot_count() {
    int count = 1;
    ((count = slot_limit(kernel::listed_t<Block>{}) > count ? slot_limit(kernel::listed_t<Block>{}) : count), ...);
    return count;
}

using kernel::wide;

/// A slot that an index displaces.
struct displaced {
    kernel::index_axis along;
    std::int64_t step;  // along the innermost axis, in bytes
    bool dense;         // along that axis the table does not move, and what an index chooses among is dense
};

/// The instructions of a block whose index is one for the whole of the inner axes.
template <class Block> using row_loads = kernel::with_role<kernel::role_row, Block>;
// Those that sum into memory: along the innermost axis, or one number per run.
template <class Block> using column_sinks = kernel::with_role<role_accumulate, Block>;
template <class Block> using inner_sinks = kernel::with_role<role_inner, Block>;

/// One number at a time: where there is no xsimd compilers vectorise what they can of these loops.
struct scalar_lanes : kernel::one_lane {
    static constexpr int size = 1;
    template <class T> CROTON_INLINE static CROTON_HD arithmetic_t<T> load(const T* p) { return *p; }
    template <class T> CROTON_INLINE static CROTON_HD arithmetic_t<T> load(const T* p, int) { return *p; }
    template <class T> CROTON_INLINE static CROTON_HD void store(T* p, arithmetic_t<T> v) { *p = v; }
    template <class T> CROTON_INLINE static CROTON_HD void store(T* p, arithmetic_t<T> v, int) { *p = v; }
    template <class T> CROTON_INLINE static CROTON_HD T iota(T first) { return first; }
};

/// Lanes of half as many numbers, and at last of one.
template <class Lanes> struct narrower {
    using type = scalar_lanes;
};

#if CROTON_HAS_XSIMD

template <int N, class A> requires (!std::is_void_v<simd::half_register<A>>)
struct narrower<simd::pack_lanes<N, A>> {
    using type = simd::pack_lanes<N / 2, simd::half_register<A>>;
};

template <int LaneBytes, class Arch> struct lanes_for {
    // Of truth values alone as many as bytes fit.
    static constexpr int size = simd::register_bytes<Arch> / (LaneBytes == 0 ? 1 : LaneBytes);
    using type = simd::pack_lanes<size, Arch>;
};

#else

template <int LaneBytes, class Arch> struct lanes_for {
    using type = scalar_lanes;
};

#endif

}  // namespace croton::inline v0_1::detail::cpu_device

#endif
