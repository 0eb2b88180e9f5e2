// SPDX-License-Identifier: MIT
// What the CPU loops must know about a kernel type before they run it: which slots are touched how, and how many lanes fit.
#ifndef CROTON_DEVICE_CPU_ANALYSIS_HPP
#define CROTON_DEVICE_CPU_ANALYSIS_HPP

#include <croton/device/cpu/nest.hpp>
#include <croton/device/cpu/pack.hpp>
#include <croton/kernel/registers.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace croton::inline v0_1::detail::cpu_device {

/// How an instruction touches memory.
enum role : std::uint8_t { role_none = 0, role_load = 1, role_store = 2, role_accumulate = 4, role_fixed = 8, role_inner = 16, role_gather = 32 };

/// The slots a block touches along its innermost axis.
inline constexpr int role_stream = role_load | role_store | role_accumulate;

// Of a value in a register; truth values take the form of the others.
template <class T> inline constexpr int lane_bytes = std::is_same_v<T, bool> ? 0 : static_cast<int>(sizeof(arithmetic_t<T>));

template <class Instruction> struct facts {
    static constexpr int slot = -1, bytes = 0, axis = -1, lane = 0, cost = 1;
    static constexpr role uses = role_none;
};
template <class T, int Slot, role Uses> struct memory_facts {
    static constexpr int slot = Slot, bytes = static_cast<int>(sizeof(T)), axis = -1, lane = lane_bytes<T>, cost = 1;
    static constexpr role uses = Uses;
};
template <class T, int S> struct facts<kernel::load<T, S>> : memory_facts<T, S, role_load> {};
template <class T, int S> struct facts<kernel::load_fixed<T, S>> : memory_facts<T, S, role_fixed> {};
template <class T, int S, class A> struct facts<kernel::store<T, S, A>> : memory_facts<T, S, role_store> {};
template <class T, int S, class A> struct facts<kernel::gather<T, S, A>> : memory_facts<T, S, role_gather> {
    static constexpr int cost = 4;
};
template <class T, int S, class A> struct facts<kernel::load_at<T, S, A>> : memory_facts<T, S, role_load> {};
template <class R, class T, int S, class A>
struct facts<kernel::accumulate<R, T, S, A>> : memory_facts<T, S, role_accumulate> {};
template <class R, class T, int S, class A>
struct facts<kernel::accumulate_inner<R, T, S, A>> : memory_facts<T, S, role_inner> {};
template <class T, int Axis> struct facts<kernel::iota<T, Axis>> : facts<void> {
    static constexpr int axis = Axis, lane = lane_bytes<T>;
};
template <class T, std::uint64_t B> struct facts<kernel::literal<T, B>> : facts<void> {
    static constexpr int lane = lane_bytes<T>;
};
template <class T, int I> struct facts<kernel::scalar<T, I>> : facts<void> {
    static constexpr int lane = lane_bytes<T>;
};
template <class T, class A> struct facts<kernel::convert<T, A>> : facts<void> {
    static constexpr int lane = lane_bytes<T>;
};
template <class Op, class... A> struct facts<kernel::apply<Op, A...>> : facts<void> {
    // An operator may be exp: a guess that decides nothing but when threads are worth waking.
    static constexpr int cost = 4;
};

/// The slots of a kernel as a block uses them. `bytes` is 0 for a slot the block does not touch.
template <int Slots> struct usage {
    std::uint8_t bytes[bound<Slots>] = {};
    std::uint8_t uses[bound<Slots>] = {};
    unsigned axes = 0;  // bit per loop axis whose index is a value
    int lane = 0;       // the smallest element type of 4 or 8 bytes
    int cost = 0;

    constexpr void add(int slot, int size, int how, int axis, int bytes_per_lane, int price) {
        if (slot >= 0) {
            bytes[slot] = static_cast<std::uint8_t>(size);
            uses[slot] = static_cast<std::uint8_t>(uses[slot] | how);
        }
        if (axis >= 0) axes |= 1u << axis;
        if (bytes_per_lane != 0 && (lane == 0 || bytes_per_lane < lane)) lane = bytes_per_lane;
        cost += price;
    }
    constexpr bool any(int how) const {
        for (int s = 0; s < Slots; ++s)
            if (uses[s] & how) return true;
        return false;
    }
    constexpr int count(int how) const {
        int n = 0;
        for (int s = 0; s < Slots; ++s) n += (uses[s] & how) != 0;
        return n;
    }
};

template <int Slots, class... I> constexpr void note(usage<Slots>& u, kernel::block<I...>) {
    (u.add(facts<I>::slot, facts<I>::bytes, facts<I>::uses, facts<I>::axis, facts<I>::lane, facts<I>::cost), ...);
}
template <int Slots, class... Block> constexpr usage<Slots> usage_of() {
    usage<Slots> u;
    (note(u, kernel::listed_t<Block>{}), ...);
    return u;
}

template <class... I> constexpr int slot_limit(kernel::block<I...>) {
    int limit = 0;
    ((limit = facts<I>::slot >= limit ? facts<I>::slot + 1 : limit), ...);
    return limit;
}
template <class... Block> constexpr int slot_count() {
    int count = 1;
    ((count = slot_limit(kernel::listed_t<Block>{}) > count ? slot_limit(kernel::listed_t<Block>{}) : count), ...);
    return count;
}

// Whether a reduction keeps a value that is combined with itself, as maximum does and says by a member `idempotent`:
// then no digits are lost.
template <class Reduction> constexpr bool is_idempotent() {
    if constexpr (requires { Reduction::idempotent; }) return Reduction::idempotent;
    else return false;
}

/// The type in which partial results of `T` are kept: float sums lose digits in float.
template <class Reduction, class T>
using wide = std::conditional_t<std::is_same_v<T, float> && !is_idempotent<Reduction>(), double, T>;

/// A slot that an index displaces.
struct displaced {
    kernel::index_axis along;
    std::int64_t step;  // along the innermost axis, in bytes
    bool dense;         // the elements that an index chooses among lie side by side, and their number is an int
};

/// The instructions of a block whose index is one for the whole of the inner axes.
template <class Instruction> struct row_load {
    using type = kernel::block<>;
};
template <class T, int S, class A> struct row_load<kernel::load_at<T, S, A>> {
    using type = kernel::block<kernel::load_at<T, S, A>>;
};
// The instructions of a block that sum into memory: along the innermost axis, or one number per run.
template <class Instruction> struct column_sink {
    using type = kernel::block<>;
};
template <class R, class T, int S, class A> struct column_sink<kernel::accumulate<R, T, S, A>> {
    using type = kernel::block<kernel::accumulate<R, T, S, A>>;
};
template <class Instruction> struct inner_sink {
    using type = kernel::block<>;
};
template <class R, class T, int S, class A> struct inner_sink<kernel::accumulate_inner<R, T, S, A>> {
    using type = kernel::block<kernel::accumulate_inner<R, T, S, A>>;
};
template <template <class> class Sink, class Block> struct sinks_in;
template <template <class> class Sink, class... I> struct sinks_in<Sink, kernel::block<I...>> {
    using type = typename kernel::detail::joined<kernel::block<>, typename Sink<I>::type...>::type;
};
template <class Block> using inner_sinks = typename sinks_in<inner_sink, kernel::listed_t<Block>>::type;
template <class Block> using row_loads = typename sinks_in<row_load, kernel::listed_t<Block>>::type;
template <class Block> using column_sinks = typename sinks_in<column_sink, kernel::listed_t<Block>>::type;

template <class Instruction> struct sink;
template <class R, class T, class A> struct sink<kernel::reduce<R, T, A>> {
    using reduction = R;
    using element = T;
    using argument = A;
    using partial = wide<R, T>;
    static constexpr int slot = -1;
};
template <class R, class T, int S, class A>
struct sink<kernel::accumulate<R, T, S, A>> : sink<kernel::reduce<R, T, A>> {
    static constexpr int slot = S;
};
template <class R, class T, int S, class A>
struct sink<kernel::accumulate_inner<R, T, S, A>> : sink<kernel::reduce<R, T, A>> {
    static constexpr int slot = S;
};

#if CROTON_HAS_XSIMD

template <int LaneBytes, class Arch> struct lanes_for {
    static constexpr int size =
        static_cast<int>(LaneBytes == 8 ? xsimd::batch<double, Arch>::size : xsimd::batch<float, Arch>::size);
    using type = simd::pack_lanes<size, Arch>;
};

#else

/// One number at a time, where there is no xsimd: compilers vectorise what they can of these loops.
struct scalar_lanes : kernel::one_lane {
    static constexpr int size = 1;
    template <class T> CROTON_INLINE static CROTON_HD arithmetic_t<T> load(const T* p) { return *p; }
    template <class T> CROTON_INLINE static CROTON_HD arithmetic_t<T> load(const T* p, int) { return *p; }
    template <class T> CROTON_INLINE static CROTON_HD void store(T* p, arithmetic_t<T> v) { *p = v; }
    template <class T> CROTON_INLINE static CROTON_HD void store(T* p, arithmetic_t<T> v, int) { *p = v; }
    template <class T> CROTON_INLINE static CROTON_HD T iota(T first) { return first; }
};

template <int LaneBytes, class Arch> struct lanes_for {
    using type = scalar_lanes;
};

#endif

}  // namespace croton::inline v0_1::detail::cpu_device

#endif
