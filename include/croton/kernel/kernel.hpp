// SPDX-License-Identifier: MIT
// The expression templates a fused step is made of: instructions in SSA form, blocks, phases and the kernel type.
#ifndef CROTON_KERNEL_KERNEL_HPP
#define CROTON_KERNEL_KERNEL_HPP

#include <croton/config.hpp>

#include <cstdint>
#include <type_traits>

#include <croton/core/half.hpp>

namespace croton::inline v0_1::kernel {

/// @name Operands: where an instruction takes a value from, and the element type it has there.
/// @{

/// Value `I` of the uniform block: one per run.
template <int I, class T> struct u {
    using type = T;
};
/// Row value `I`: one per outer index.
template <int I, class T> struct r {
    using type = T;
};
/// Value `I` of the element block of the phase that runs.
template <int I, class T> struct e {
    using type = T;
};
/// @}

/// What an instruction does with a slot, as bits.
enum role : std::uint8_t {
    role_none = 0,
    role_load = 1,        // reads along the innermost axis
    role_store = 2,
    role_accumulate = 4,  // sums along the innermost axis
    role_fixed = 8,       // reads what does not vary along it
    role_inner = 16,      // sums into what does not
    role_gather = 32,     // reads where an index of each element leads
    role_row = 64,        // and `role_load`: where an index of the row leads
};
inline constexpr int role_sum = role_accumulate | role_inner, role_write = role_store | role_sum;

template <class T> inline constexpr int memory_bytes = static_cast<int>(sizeof(T));
template <> inline constexpr int memory_bytes<void> = 0;

/// What an instruction that touches no memory says of itself; the others say the same, but have no base: that costs time wherever functions
/// are chosen by what is read or written. `element` is void where the operator decides it; `argument` and `reduction` are said where there are any.
template <class T, int Axis = -1> struct instruction {
    using element = T;
    static constexpr int slot = -1, axis = Axis;  // the loop axis whose index is a value
    static constexpr role does = role_none;
};

/// @name Instructions. Each stands at a position of its block and yields the value with that number.
/// Effects (`store`, `accumulate`, `accumulate_inner`) take a position too and yield nothing.
/// @{

/// Reads memory: along the innermost axis in an element block, one number elsewhere. Values are of `arithmetic_t<T>`: half and
/// bfloat16 are float here, and are rounded where they are stored.
template <class T, int Slot> struct load {
    using element = T;
    static constexpr int slot = Slot, axis = -1;
    static constexpr role does = role_load;
};

/// Reads, in an element block, a number that does not vary along the innermost axis.
template <class T, int Slot> struct load_fixed {
    using element = T;
    static constexpr int slot = Slot, axis = -1;
    static constexpr role does = role_fixed;
};

/// Reads memory where `Index`, a value, displaces it along the axis that comes with the slot: for each element an index of its own.
template <class T, int Slot, class Index> struct gather {
    using element = T;
    static constexpr int slot = Slot, axis = -1;
    static constexpr role does = role_gather;
    using argument = Index;
};

/// The same in an element block, for an index that does not vary along the inner axes, and a slot that does along the innermost.
template <class T, int Slot, class Index> struct load_at {
    using element = T;
    static constexpr int slot = Slot, axis = -1;
    static constexpr role does = static_cast<role>(role_load | role_row);
    using argument = Index;
};

/// The number whose bit pattern is the low bytes of `Bits`.
template <class T, std::uint64_t Bits> struct literal : instruction<T> {};

/// The run-time number `scalars[Index]`, converted to `T`.
template <class T, int Index> struct scalar : instruction<T> {
    static constexpr int number = Index;
};

/// The index along the loop axis `Axis`.
template <class T, int Axis> struct iota : instruction<T, Axis> {};

/// `Op::value(args...)`.
template <class Op, class... Args> struct apply : instruction<void> {};

/// `static_cast<T>(arg)`; for half and bfloat16 the float that is left of it.
template <class T, class Arg> struct convert : instruction<T> {
    using argument = Arg;
};

/// Effect: writes memory.
template <class T, int Slot, class Arg> struct store {
    using element = T;
    static constexpr int slot = Slot, axis = -1;
    static constexpr role does = role_store;
    using argument = Arg;
};

/// Effect: memory = combine(memory, arg). In an element block the slot varies along the innermost axis.
template <class Reduction, class T, int Slot, class Arg> struct accumulate {
    using element = T;
    static constexpr int slot = Slot, axis = -1;
    static constexpr role does = role_accumulate;
    using argument = Arg;
    using reduction = Reduction;
};

/// Effect, element blocks only: the same for a slot that does not vary along the innermost axis.
template <class Reduction, class T, int Slot, class Arg> struct accumulate_inner {
    using element = T;
    static constexpr int slot = Slot, axis = -1;
    static constexpr role does = role_inner;
    using argument = Arg;
    using reduction = Reduction;
};

/// Only in the reduce block of a phase: combines an element value over all inner axes into a row value.
template <class Reduction, class T, class Arg> struct reduce : instruction<T> {
    using argument = Arg;
    using reduction = Reduction;
};
/// @}

/// Instructions in the order they run. Wherever a block stands in another type, a short name may stand for it (key.hpp).
template <class... Instruction> struct block {};

/// One sweep over the inner axes: `Element` for every inner index, which feeds `Reduces`; then `Row` once.
template <class Element, class Reduces, class Row> struct phase {};

/// A fused step. Loop axes 0 .. OuterRank-1 are outer, the next InnerRank are inner.
///
/// `Uniform` runs once. For each outer index `Row` runs, then each phase. Row values are numbered through `Row`, then
/// for each phase its reduces and its row block. Kernels without phases may have no inner axes.
/// The device fills every accumulated slot with the identity of its reduction first.
template <int OuterRank, int InnerRank, class Uniform, class Row, class... Phases> struct kernel {};

/// What an effect yields.
struct nothing {};

/// The number a `literal` stands for.
template <class T, std::uint64_t Bits> CROTON_HD constexpr T literal_value() {
    if constexpr (std::is_same_v<T, bool>) return Bits != 0;
    else if constexpr (std::is_integral_v<T>) return static_cast<T>(Bits);
    else if constexpr (sizeof(T) == 8) return __builtin_bit_cast(T, Bits);
    else return __builtin_bit_cast(T, static_cast<std::uint32_t>(Bits));
}

/// The type of a number, or of the numbers in lanes.
template <class V> struct lane_of {
    using type = typename V::batch::value_type;
};
template <class V>
    requires std::is_arithmetic_v<V>
struct lane_of<V> {
    using type = V;
};
template <class V> using lane_type = typename lane_of<V>::type;

/// The number `v` as a scalar, or in every lane of a pack of SIMD batches.
template <class V> CROTON_HD constexpr V constant(double v) {
    if constexpr (std::is_arithmetic_v<V>) {
        return static_cast<V>(v);
    } else {
        V lanes;
        for (auto& part : lanes.part) part = typename V::batch(static_cast<lane_type<V>>(v));
        return lanes;
    }
}

/// @name Arithmetic on a scalar or on lanes. Integers wrap around, and nothing traps, as in NumPy: the quotient of an integer
/// by 0 is 0.
/// @{
/// What wraps around as `V` does: of small numbers an unsigned, because they would become ints.
template <class V> using wrapping = std::conditional_t<(sizeof(V) < 4), unsigned, std::make_unsigned_t<V>>;

template <class V> CROTON_INLINE CROTON_HD constexpr V plus(V a, V b) {
    if constexpr (std::is_integral_v<V>) return static_cast<V>(wrapping<V>(a) + wrapping<V>(b));
    else return a + b;
}
template <class V> CROTON_INLINE CROTON_HD constexpr V minus(V a, V b) {
    if constexpr (std::is_integral_v<V>) return static_cast<V>(wrapping<V>(a) - wrapping<V>(b));
    else return a - b;
}
template <class V> CROTON_INLINE CROTON_HD constexpr V minus(V a) {
    if constexpr (std::is_integral_v<V>) return minus(V(0), a);
    else return -a;
}
template <class V> CROTON_INLINE CROTON_HD constexpr V times(V a, V b) {
    if constexpr (std::is_integral_v<V>) return static_cast<V>(wrapping<V>(a) * wrapping<V>(b));
    else return a * b;
}
template <class V> CROTON_INLINE CROTON_HD constexpr V quotient(V a, V b) {
    if constexpr (std::is_integral_v<V> && std::is_unsigned_v<V>) return b == 0 ? V(0) : static_cast<V>(a / b);
    else if constexpr (std::is_integral_v<V>) return b == 0 ? V(0) : b == V(-1) ? minus(a) : static_cast<V>(a / b);
    else return a / b;
}
/// @}

/// sum + a b.
template <class V> CROTON_HD constexpr V plus_product(V sum, V a, V b) {
    if constexpr (std::is_integral_v<V>) return plus(sum, times(a, b));
    else return sum + a * b;
}

/// @name Shifts of integers, which lose what leaves them, as in NumPy: also by their width and more, which a negative number is.
/// @{
template <int Width, class T> CROTON_HD constexpr bool fits_shift(T b) { return static_cast<wrapping<T>>(b) < static_cast<wrapping<T>>(Width); }
template <class T>
    requires std::is_integral_v<T>
CROTON_HD constexpr T shifted_left(T a, T b) {
    constexpr int width = 8 * static_cast<int>(sizeof(T));
    return fits_shift<width>(b) ? static_cast<T>(static_cast<wrapping<T>>(a) << b) : T(0);
}
template <class T>
    requires std::is_integral_v<T>
CROTON_HD constexpr T shifted_right(T a, T b) {
    constexpr int width = 8 * static_cast<int>(sizeof(T));
    if constexpr (std::is_unsigned_v<T>) return fits_shift<width>(b) ? static_cast<T>(a >> b) : T(0);
    else return static_cast<T>(fits_shift<width>(b) ? a >> b : a >> (width - 1));
}
/// @}

/// How many bits are set.
template <class T>
    requires std::is_integral_v<T>
CROTON_HD T counted_bits(T a) {
    const auto bits = static_cast<std::make_unsigned_t<T>>(a);
#if CROTON_HAS_GPU_CODE
    return static_cast<T>(sizeof(T) <= 4 ? __popc(static_cast<unsigned>(bits)) : __popcll(bits));
#else
    return static_cast<T>(__builtin_popcountll(bits));
#endif
}

/// A floating-point number as an integer `T` of another width than int and int64: without its fraction, and wrapped around as from
/// int where `T` has 8 or 16 bits, else as from int64. What those cannot hold, NaN too, is 0; of uint64 all of its numbers are kept.
template <class T, class V> CROTON_HD constexpr T to_integer(V v) {
    constexpr V limit = sizeof(T) <= 2 ? V(2147483648.0) : V(9223372036854775808.0);
    if (v > -limit && v < limit) {
        if constexpr (sizeof(T) <= 2) return static_cast<T>(static_cast<std::int32_t>(v));
        else return static_cast<T>(static_cast<std::int64_t>(v));
    }
    if constexpr (std::is_same_v<T, std::uint64_t>)
        if (v >= limit && v < 2 * limit) return static_cast<T>(v);
    return T(0);
}

/// The number `v` as a `T`: static_cast, but of floating-point numbers as the integers above.
template <class T, class V> CROTON_HD constexpr T number_as(V v) {
    if constexpr (std::is_floating_point_v<V> && std::is_integral_v<T> && !std::is_same_v<T, std::int32_t> && !std::is_same_v<T, std::int64_t>) return to_integer<T>(v);
    else return static_cast<T>(v);
}

/// `condition ? a : b`; the SIMD overloads live beside their types.
template <class T> CROTON_HD constexpr T select(bool condition, T a, T b) {
    return condition ? a : b;
}

/// The larger number, NaN if either is NaN.
template <class T>
    requires std::is_arithmetic_v<T>
CROTON_HD constexpr T maximum(T a, T b) {
    return a > b || a != a ? a : b;
}

/// The smaller number, NaN if either is NaN.
template <class T>
    requires std::is_arithmetic_v<T>
CROTON_HD constexpr T minimum(T a, T b) {
    return a < b || a != a ? a : b;
}

}  // namespace croton::inline v0_1::kernel

#endif
