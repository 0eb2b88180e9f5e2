// SPDX-License-Identifier: MIT
// Runs the instructions of a block over a file of registers, for any lane type: one number, or a pack of them.
#ifndef CROTON_KERNEL_REGISTERS_HPP
#define CROTON_KERNEL_REGISTERS_HPP

#include <croton/kernel/blocks.hpp>

#include <type_traits>
#include <utility>

namespace croton::inline v0_1::kernel {

/// The lane policy of scalar evaluation: a value is one number.
struct one_lane {
    template <class T> using value = arithmetic_t<T>;
    // The form in which the result of an operator is kept.
    template <class V> using kept = V;
    template <class V> CROTON_INLINE static CROTON_HD constexpr V keep(V v) { return v; }
    template <class V> CROTON_INLINE static CROTON_HD constexpr void hold(V&) {}
    template <class T> CROTON_INLINE static CROTON_HD constexpr T broadcast(T v) { return v; }
    template <class T, class V> CROTON_INLINE static CROTON_HD constexpr T convert(V v) {
        if constexpr (std::is_same_v<T, bool>) return v != V{};
        else return static_cast<arithmetic_t<T>>(number_as<T>(v));
    }
};

namespace detail {

// The value an instruction yields.
template <class Lanes, class T, bool Writes> struct lane {
    using type = typename Lanes::template value<T>;
};
template <class Lanes, class T> struct lane<Lanes, T, true> {
    using type = nothing;
};
template <class Lanes, class Instruction> struct result : lane<Lanes, typename Instruction::element, (Instruction::does & role_write) != 0> {};
template <class Lanes, class Op, class... A> struct result<Lanes, apply<Op, A...>> {
    using type = typename Lanes::template kept<std::remove_cvref_t<
        decltype(Op::value(std::declval<typename Lanes::template value<typename A::type>>()...))>>;
};

template <int I, class V> struct cell {
    V value;
};

// With the type of the value stated, the way to a cell is a conversion, and this one function for all files: a search through all of them is what it replaces.
template <int I, class V> CROTON_INLINE CROTON_HD V& at(cell<I, V>& c) {
    return c.value;
}
template <int I, class V> CROTON_INLINE CROTON_HD const V& at(const cell<I, V>& c) {
    return c.value;
}
template <int I, class V> CROTON_INLINE CROTON_HD V& find(cell<I, V>& c) {
    return c.value;
}

template <class Operand> inline constexpr bool is_element = false;
template <int I, class T> inline constexpr bool is_element<e<I, T>> = true;

template <class Lanes, class Sequence, class List> struct cells;
template <class Lanes, int... I, class... Instruction>
struct cells<Lanes, std::integer_sequence<int, I...>, block<Instruction...>>
    : cell<I, typename result<Lanes, Instruction>::type>... {};

// The value of an operand, of pointers to the three files: of two nothing need be known, so that this is one function for all blocks.
template <class Lanes, int I, class T>
CROTON_INLINE CROTON_HD decltype(auto) take(e<I, T>, const void*, const void*, const std::type_identity_t<cell<I, typename Lanes::template value<T>>>* elements) {
    return (elements->value);
}
template <class Lanes, int I, class T> CROTON_INLINE CROTON_HD auto take(r<I, T>, const void*, const std::type_identity_t<cell<I, one_lane::value<T>>>* rows, const void*) {
    return Lanes::broadcast(rows->value);
}
template <class Lanes, int I, class T> CROTON_INLINE CROTON_HD auto take(u<I, T>, const std::type_identity_t<cell<I, one_lane::value<T>>>* uniforms, const void*, const void*) {
    return Lanes::broadcast(uniforms->value);
}

/// A port that an instruction does not look at, so that it is one function for all ports.
struct any_port {
    template <class P> CROTON_INLINE CROTON_HD constexpr any_port(const P&) {}
};

template <class Lanes, class Instruction, bool Writes = (Instruction::does & role_write) != 0> struct step {
    template <class P, class U, class R, class E>
    CROTON_LAYER static CROTON_HD auto run(P& port, const U&, const R&, const E&) {
        return port.read(Instruction{});
    }
};
template <class Lanes, class Instruction> struct step<Lanes, Instruction, true> {
    template <class P, class U, class R, class E>
    CROTON_LAYER static CROTON_HD nothing run(P& port, const U& us, const R& rs, const E& es) {
        port.write(Instruction{}, take<Lanes>(typename Instruction::argument{}, &us, &rs, &es));
        return {};
    }
};
template <class Lanes, class T, int S, class A> struct step<Lanes, gather<T, S, A>, false> {
    template <class P, class U, class R, class E>
    CROTON_LAYER static CROTON_HD auto run(P& port, const U& us, const R& rs, const E& es) {
        return port.read(gather<T, S, A>{}, take<Lanes>(A{}, &us, &rs, &es));
    }
};
template <class Lanes, class T, std::uint64_t Bits> struct step<Lanes, literal<T, Bits>, false> {
    template <class U, class R, class E>
    CROTON_LAYER static CROTON_HD auto run(any_port, const U&, const R&, const E&) {
        return Lanes::broadcast(literal_value<T, Bits>());
    }
};
template <class Lanes, class T, int S, class A> struct step<Lanes, load_at<T, S, A>, false> {
    template <class P, class U, class R, class E>
    CROTON_LAYER static CROTON_HD auto run(P& port, const U& us, const R& rs, const E&) {
        return port.read(load_at<T, S, A>{}, take<one_lane>(A{}, &us, &rs, nullptr));
    }
};
/// Where an operator takes single numbers beside lanes, what is the same for all lanes is one.
template <class Lanes, class Op, class A> struct argument_lanes {
    using type = Lanes;
};
template <class Lanes, class Op, class A>
    requires(requires { requires Op::takes_numbers; } && !is_element<A>)
struct argument_lanes<Lanes, Op, A> {
    using type = one_lane;
};
template <class Lanes, class Op, class A> using lanes_for = typename argument_lanes<Lanes, Op, A>::type;

template <class Lanes, class Op, class... A> struct step<Lanes, apply<Op, A...>, false> {
    template <class U, class R, class E>
    CROTON_LAYER static CROTON_HD auto run(any_port, const U& us, const R& rs, const E& es) {
        return Lanes::keep(Op::value(take<lanes_for<Lanes, Op, A>>(A{}, &us, &rs, &es)...));
    }
};
template <class Lanes, class T, class A> struct step<Lanes, convert<T, A>, false> {
    template <class U, class R, class E>
    CROTON_LAYER static CROTON_HD auto run(any_port, const U& us, const R& rs, const E& es) {
        return Lanes::template convert<T>(take<Lanes>(A{}, &us, &rs, &es));
    }
};
template <int First, int... I, class... Instruction, class P, class U, class R>
CROTON_INLINE CROTON_HD void run_rows(block<Instruction...>, std::integer_sequence<int, I...>, P& port, const U& us,
                                      R& rs) {
    ((at<First + I, typename result<one_lane, Instruction>::type>(rs) =
          step<one_lane, Instruction>::run(port, us, rs, nothing{})), ...);
}
template <int... I, class... Instruction, class P, class U>
CROTON_INLINE CROTON_HD void run_uniforms(block<Instruction...>, std::integer_sequence<int, I...>, P& port, U& us) {
    ((at<I, typename result<one_lane, Instruction>::type>(us) =
          step<one_lane, Instruction>::run(port, us, nothing{}, nothing{})), ...);
}

/// Which values of an element block operators take more than once, as bits.
struct reuse {
    std::uint64_t once = 0, again = 0;

    constexpr void see(std::uint64_t bit) { again |= once & bit, once |= bit; }
};
template <class A> inline constexpr std::uint64_t element_bit = 0;
template <int I, class T> inline constexpr std::uint64_t element_bit<e<I, T>> = I < 64 ? std::uint64_t{1} << I : 0;
template <class Op, class... A> constexpr void see_arguments(reuse& of, apply<Op, A...>*) { (of.see(element_bit<A>), ...); }
constexpr void see_arguments(reuse&, void*) {}
template <class I> inline constexpr bool is_load = false;
template <class T, int S> inline constexpr bool is_load<load<T, S>> = true;
/// Those that short blocks read from memory and take more than once, or `All` that they read: of long ones not all fit into registers.
template <bool All, class... Instruction> inline constexpr std::uint64_t read_once = [] {
    if (sizeof...(Instruction) > 16) return std::uint64_t{0};
    reuse of;
    (see_arguments(of, static_cast<Instruction*>(nullptr)), ...);
    std::uint64_t loads = 0, bit = 1;
    ((loads |= is_load<Instruction> ? bit : 0, bit <<= 1), ...);
    return All ? loads : loads & of.again;
}();

}  // namespace detail

/// The values of a block, numbered from 0.
template <class Lanes, class Block>
struct registers : detail::cells<Lanes, detail::sequence_of<Block>, listed_t<Block>> {};

/// The registers of the uniform block, and of all row values.
template <class Uniform> using uniform_registers = registers<one_lane, Uniform>;
template <class Rows> using row_registers = registers<one_lane, Rows>;

/// Register `I` of a file, found by its number alone.
template <int I, class File> CROTON_INLINE CROTON_HD auto& value(File& file) {
    return detail::find<I>(file);
}

/// The value of `operand` in lanes of `Lanes`.
template <class Lanes, class Operand, class U, class R, class E>
CROTON_INLINE CROTON_HD auto fetch(Operand operand, const U& uniforms, const R& rows, const E& elements) {
    return detail::take<Lanes>(operand, &uniforms, &rows, &elements);
}

/// Runs an element block, given as `numbered_t`. `port` reads and writes memory: `read(instruction)`, `write(instruction, value)`.
/// `Apart`: short blocks read all in instructions of their own.
/// A compiler optimises and copies a block once for each function around it, so that there is none that only passes it on.
template <class Lanes, bool Apart = false, int... I, class... Instruction, class Port, class U, class R, class Elements>
CROTON_LAYER CROTON_HD void run_element_block(numbered<std::integer_sequence<int, I...>, block<Instruction...>>, Port& port,
                                               const U& uniforms, const R& rows, Elements& elements) {
    constexpr std::uint64_t held = detail::read_once<Apart, Instruction...>;
    ((static_cast<detail::cell<I, typename detail::result<Lanes, Instruction>::type>&>(elements).value =
          detail::step<Lanes, Instruction>::run(port, uniforms, rows, elements),
      (I < 64 && (held >> (I % 64) & 1) != 0 ? Lanes::hold(static_cast<detail::cell<I, typename detail::result<Lanes, Instruction>::type>&>(elements).value) : void())), ...);
}

/// Runs a row block whose first value has the number `First`.
template <int First, class Block, class Port, class U, class R>
CROTON_INLINE CROTON_HD void run_row_block(Port& port, const U& uniforms, R& rows) {
    detail::run_rows<First>(listed_t<Block>{}, detail::sequence_of<Block>{}, port, uniforms, rows);
}

/// Runs a uniform block.
template <class Block, class Port, class U> CROTON_INLINE CROTON_HD void run_uniform_block(Port& port, U& uniforms) {
    detail::run_uniforms(listed_t<Block>{}, detail::sequence_of<Block>{}, port, uniforms);
}

}  // namespace croton::inline v0_1::kernel

#endif
