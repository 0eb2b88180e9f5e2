// SPDX-License-Identifier: MIT
// Runs the instructions of a block over a file of registers, for any lane type: one number, or a pack of them.
#ifndef CROTON_KERNEL_REGISTERS_HPP
#define CROTON_KERNEL_REGISTERS_HPP

#include <croton/kernel/kernel.hpp>

#include <type_traits>
#include <utility>

namespace croton::inline v0_1::kernel {

/// The lane policy of scalar evaluation: a value is one number.
struct one_lane {
    template <class T> using value = arithmetic_t<T>;
    // The form in which the result of an operator is kept.
    template <class V> using kept = V;
    template <class V> CROTON_INLINE static CROTON_HD constexpr V keep(V v) { return v; }
    template <class T> CROTON_INLINE static CROTON_HD constexpr T broadcast(T v) { return v; }
    template <class T, class V> CROTON_INLINE static CROTON_HD constexpr T convert(V v) {
        if constexpr (std::is_same_v<T, bool>) return v != V{};
        else return static_cast<arithmetic_t<T>>(static_cast<T>(v));
    }
};

namespace detail {

template <int I, class T> struct indexed {
    using type = T;
};
template <class Sequence, class... T> struct table;
template <int... I, class... T> struct table<std::integer_sequence<int, I...>, T...> : indexed<I, T>... {};
template <int I, class T> indexed<I, T> pick(const indexed<I, T>&);

template <class Block> struct listing;
template <class... T> struct listing<block<T...>> {
    static constexpr int size = static_cast<int>(sizeof...(T));
    using sequence = std::make_integer_sequence<int, size>;
    using types = table<sequence, T...>;
};

}  // namespace detail

/// The number of instructions in a block.
template <class Block> inline constexpr int size_of_block = detail::listing<Block>::size;

/// Instruction `I` of a block.
template <class Block, int I>
using instruction_t = typename decltype(detail::pick<I>(std::declval<typename detail::listing<Block>::types>()))::type;

namespace detail {

template <class... Block> struct joined;
template <> struct joined<> {
    using type = block<>;
};
template <class... A> struct joined<block<A...>> {
    using type = block<A...>;
};
template <class... A, class... B, class... Rest>
struct joined<block<A...>, block<B...>, Rest...> : joined<block<A..., B...>, Rest...> {};

template <class Row, class... Phase> struct row_blocks;
template <class Row> struct row_blocks<Row> {
    using type = Row;
};
template <class Row, class E, class F, class R, class... Rest> struct row_blocks<Row, phase<E, F, R>, Rest...> {
    using type = typename row_blocks<typename joined<Row, F, R>::type, Rest...>::type;
};

}  // namespace detail

/// Every row value of a kernel as one block: `Row`, then the reduces and the row block of each phase.
template <class Row, class... Phase> using row_program = typename detail::row_blocks<Row, Phase...>::type;

/// What an instruction can see: its lane policy and the blocks whose values it may name.
template <class Lanes, class Uniform, class Row, class Element> struct scope {};

namespace detail {

template <class Scope, class Instruction> struct result {
    using type = nothing;
};

template <class Scope, class Operand> struct operand_result;
template <class L, class U, class R, class E, int I> struct operand_result<scope<L, U, R, E>, e<I>> {
    using type = typename result<scope<L, U, R, E>, instruction_t<E, I>>::type;
};
template <class L, class U, class R, class E, int I> struct operand_result<scope<L, U, R, E>, r<I>> {
    using type = typename L::template value<
        typename result<scope<one_lane, U, R, block<>>, instruction_t<R, I>>::type>;
};
template <class L, class U, class R, class E, int I> struct operand_result<scope<L, U, R, E>, u<I>> {
    using type = typename L::template value<
        typename result<scope<one_lane, U, block<>, block<>>, instruction_t<U, I>>::type>;
};

template <class Scope, class T> struct lane;
template <class L, class U, class R, class E, class T> struct lane<scope<L, U, R, E>, T> {
    using type = typename L::template value<T>;
};

template <class Scope, class T, int S> struct result<Scope, load<T, S>> : lane<Scope, T> {};
template <class Scope, class T, int S> struct result<Scope, load_fixed<T, S>> : lane<Scope, T> {};
template <class Scope, class T, std::uint64_t B> struct result<Scope, literal<T, B>> : lane<Scope, T> {};
template <class Scope, class T, int I> struct result<Scope, scalar<T, I>> : lane<Scope, T> {};
template <class Scope, class T, int A> struct result<Scope, iota<T, A>> : lane<Scope, T> {};
template <class Scope, class T, class A> struct result<Scope, convert<T, A>> : lane<Scope, T> {};
template <class Scope, class Red, class T, class A> struct result<Scope, reduce<Red, T, A>> : lane<Scope, T> {};
template <class L, class U, class R, class E, class Op, class... A>
struct result<scope<L, U, R, E>, apply<Op, A...>> {
    using type = typename L::template kept<std::remove_cvref_t<
        decltype(Op::value(std::declval<typename operand_result<scope<L, U, R, E>, A>::type>()...))>>;
};

template <int I, class V> struct cell {
    V value;
};

template <class Scope, class Sequence, class Block> struct cells;
template <class Scope, int... I, class... Instruction>
struct cells<Scope, std::integer_sequence<int, I...>, block<Instruction...>>
    : cell<I, typename result<Scope, Instruction>::type>... {};

template <int I, class V> CROTON_INLINE CROTON_HD V& at(cell<I, V>& c) {
    return c.value;
}
template <int I, class V> CROTON_INLINE CROTON_HD const V& at(const cell<I, V>& c) {
    return c.value;
}

template <class Lanes, class U, class R, class E, int I>
CROTON_INLINE CROTON_HD decltype(auto) fetch(e<I>, const U&, const R&, const E& elements) {
    return at<I>(elements);
}
template <class Lanes, class U, class R, class E, int I>
CROTON_INLINE CROTON_HD auto fetch(r<I>, const U&, const R& rows, const E&) {
    return Lanes::broadcast(at<I>(rows));
}
template <class Lanes, class U, class R, class E, int I>
CROTON_INLINE CROTON_HD auto fetch(u<I>, const U& uniforms, const R&, const E&) {
    return Lanes::broadcast(at<I>(uniforms));
}

template <class Lanes, class Instruction> struct step {
    template <class P, class U, class R, class E>
    CROTON_INLINE static CROTON_HD auto run(P& port, const U&, const R&, const E&) {
        return port.read(Instruction{});
    }
};
template <class Lanes, class T, std::uint64_t Bits> struct step<Lanes, literal<T, Bits>> {
    template <class P, class U, class R, class E>
    CROTON_INLINE static CROTON_HD auto run(P&, const U&, const R&, const E&) {
        return Lanes::broadcast(literal_value<T, Bits>());
    }
};
template <class Lanes, class Op, class... A> struct step<Lanes, apply<Op, A...>> {
    template <class P, class U, class R, class E>
    CROTON_INLINE static CROTON_HD auto run(P&, const U& us, const R& rs, const E& es) {
        return Lanes::keep(Op::value(fetch<Lanes>(A{}, us, rs, es)...));
    }
};
template <class Lanes, class T, class A> struct step<Lanes, convert<T, A>> {
    template <class P, class U, class R, class E>
    CROTON_INLINE static CROTON_HD auto run(P&, const U& us, const R& rs, const E& es) {
        return Lanes::template convert<T>(fetch<Lanes>(A{}, us, rs, es));
    }
};
template <class Lanes, class T, int S, class A> struct step<Lanes, store<T, S, A>> {
    template <class P, class U, class R, class E>
    CROTON_INLINE static CROTON_HD nothing run(P& port, const U& us, const R& rs, const E& es) {
        port.write(store<T, S, A>{}, fetch<Lanes>(A{}, us, rs, es));
        return {};
    }
};
template <class Lanes, class Red, class T, int S, class A> struct step<Lanes, accumulate<Red, T, S, A>> {
    template <class P, class U, class R, class E>
    CROTON_INLINE static CROTON_HD nothing run(P& port, const U& us, const R& rs, const E& es) {
        port.write(accumulate<Red, T, S, A>{}, fetch<Lanes>(A{}, us, rs, es));
        return {};
    }
};
template <class Lanes, class Red, class T, int S, class A> struct step<Lanes, accumulate_inner<Red, T, S, A>> {
    template <class P, class U, class R, class E>
    CROTON_INLINE static CROTON_HD nothing run(P& port, const U& us, const R& rs, const E& es) {
        port.write(accumulate_inner<Red, T, S, A>{}, fetch<Lanes>(A{}, us, rs, es));
        return {};
    }
};

template <class Lanes, int... I, class... Instruction, class P, class U, class R, class E>
CROTON_INLINE CROTON_HD void run_elements(block<Instruction...>, std::integer_sequence<int, I...>, P& port,
                                          const U& us, const R& rs, E& es) {
    ((at<I>(es) = step<Lanes, Instruction>::run(port, us, rs, es)), ...);
}
template <int First, int... I, class... Instruction, class P, class U, class R>
CROTON_INLINE CROTON_HD void run_rows(block<Instruction...>, std::integer_sequence<int, I...>, P& port, const U& us,
                                      R& rs) {
    ((at<First + I>(rs) = step<one_lane, Instruction>::run(port, us, rs, nothing{})), ...);
}

template <int... I, class... Instruction, class P, class U>
CROTON_INLINE CROTON_HD void run_uniforms(block<Instruction...>, std::integer_sequence<int, I...>, P& port, U& us) {
    ((at<I>(us) = step<one_lane, Instruction>::run(port, us, nothing{}, nothing{})), ...);
}

}  // namespace detail

/// The values a block yields, seen from `Scope`.
template <class Scope, class Block>
struct registers : detail::cells<Scope, typename detail::listing<Block>::sequence, Block> {};

/// The registers of the uniform block, of all row values, and of an element block.
template <class Uniform> using uniform_registers = registers<scope<one_lane, Uniform, block<>, block<>>, Uniform>;
template <class Uniform, class Rows> using row_registers = registers<scope<one_lane, Uniform, Rows, block<>>, Rows>;
template <class Lanes, class Uniform, class Rows, class Element>
using element_registers = registers<scope<Lanes, Uniform, Rows, Element>, Element>;

/// Register `I` of a file.
template <int I, class File> CROTON_INLINE CROTON_HD auto& value(File& file) {
    return detail::at<I>(file);
}

/// The value of `operand` in lanes of `Lanes`.
template <class Lanes, class Operand, class U, class R, class E>
CROTON_INLINE CROTON_HD auto fetch(Operand operand, const U& uniforms, const R& rows, const E& elements) {
    return detail::fetch<Lanes>(operand, uniforms, rows, elements);
}

/// Runs an element block. `port` reads and writes memory: `read(instruction)`, `write(instruction, value)`.
template <class Lanes, class Block, class Port, class U, class R, class E>
CROTON_INLINE CROTON_HD void run_element_block(Port& port, const U& uniforms, const R& rows, E& elements) {
    detail::run_elements<Lanes>(Block{}, typename detail::listing<Block>::sequence{}, port, uniforms, rows, elements);
}

/// Runs a row block whose first value has the number `First`.
template <int First, class Block, class Port, class U, class R>
CROTON_INLINE CROTON_HD void run_row_block(Port& port, const U& uniforms, R& rows) {
    detail::run_rows<First>(Block{}, typename detail::listing<Block>::sequence{}, port, uniforms, rows);
}

/// Runs a uniform block.
template <class Block, class Port, class U> CROTON_INLINE CROTON_HD void run_uniform_block(Port& port, U& uniforms) {
    detail::run_uniforms(Block{}, typename detail::listing<Block>::sequence{}, port, uniforms);
}

}  // namespace croton::inline v0_1::kernel

#endif
