// SPDX-License-Identifier: MIT
// Positions that lie side by side: what a draw is asked for in most loops, and known from the instructions of the block that lead to it.
#ifndef CROTON_DEVICE_CPU_NEIGHBOURS_HPP
#define CROTON_DEVICE_CPU_NEIGHBOURS_HPP

#include <croton/device/cpu/pack.hpp>
#include <croton/kernel/registers.hpp>

#include <cstdint>

namespace croton::inline v0_1 {

namespace op {
struct add;
}

namespace detail::cpu_device {

/// How a value changes from lane to lane.
enum class along_run : std::uint8_t { somehow, not_at_all, by_one };

/// The operand `Operand` of a block `List` in a loop whose innermost axis is `Axis`. `number` is what its first lane holds.
template <class List, int Axis, class Operand> struct on_the_run {
    static constexpr along_run changes = along_run::not_at_all;
    template <class P, class U, class R> CROTON_INLINE static auto number(const P&, const U& us, const R& rs) {
        return kernel::fetch<kernel::one_lane>(Operand{}, us, rs, kernel::nothing{});
    }
};
template <class List, int Axis, class Instruction> struct made_on_the_run {
    static constexpr along_run changes = along_run::somehow;
};
template <class List, int Axis, int I, class T>
struct on_the_run<List, Axis, kernel::e<I, T>> : made_on_the_run<List, Axis, kernel::detail::entry<List, I>> {};

template <class List, int Axis, class T, int Along> struct made_on_the_run<List, Axis, kernel::iota<T, Along>> {
    static constexpr along_run changes = Along != Axis ? along_run::not_at_all : sizeof(T) == 8 ? along_run::by_one : along_run::somehow;
    template <class P, class U, class R> CROTON_INLINE static T number(const P& port, const U&, const R&) {
        return static_cast<T>(Along == Axis ? port.line + port.i : port.index[Along]);
    }
};
template <class List, int Axis, class T, std::uint64_t Bits> struct made_on_the_run<List, Axis, kernel::literal<T, Bits>> {
    static constexpr along_run changes = along_run::not_at_all;
    template <class P, class U, class R> CROTON_INLINE static T number(const P&, const U&, const R&) { return kernel::literal_value<T, Bits>(); }
};
template <class List, int Axis, class Op, class A, class B> struct made_on_the_run<List, Axis, kernel::apply<Op, A, B>> {
    using left = on_the_run<List, Axis, A>;
    using right = on_the_run<List, Axis, B>;
    static constexpr along_run changes = [] {
        if (left::changes == along_run::somehow || right::changes == along_run::somehow) return along_run::somehow;
        if (left::changes == along_run::not_at_all && right::changes == along_run::not_at_all) return along_run::not_at_all;
        return std::is_same_v<Op, op::add> && left::changes != right::changes ? along_run::by_one : along_run::somehow;
    }();
    template <class P, class U, class R> CROTON_INLINE static auto number(const P& port, const U& us, const R& rs) {
        return Op::value(left::number(port, us, rs), right::number(port, us, rs));
    }
};

/// `Op` on neighbours whose first one is `Position`, and on what is the same for all.
template <class Instruction, class Op, class Position, class... Same> struct apply_on_run {
    using element = void;
    static constexpr int slot = -1, axis = -1;
    static constexpr kernel::role does = Instruction::does;
};

template <class List, int Axis, class Instruction> struct run_form {
    using type = Instruction;
};
#if CROTON_HAS_XSIMD
template <class List, int Axis, class Op, class T, int I, class... Same>
    requires(requires { requires Op::takes_neighbours; } && !(false || ... || kernel::detail::is_element<Same>) &&
             on_the_run<List, Axis, kernel::e<I, T>>::changes == along_run::by_one)
struct run_form<List, Axis, kernel::apply<Op, kernel::e<I, T>, Same...>> {
    using type = apply_on_run<kernel::apply<Op, kernel::e<I, T>, Same...>, Op, on_the_run<List, Axis, kernel::e<I, T>>, Same...>;
};
#endif

template <class Numbered, int Axis> struct run_forms;
template <class Sequence, class... I, int Axis> struct run_forms<kernel::numbered<Sequence, kernel::block<I...>>, Axis> {
    using type = kernel::numbered<Sequence, kernel::block<typename run_form<kernel::block<I...>, Axis, I>::type...>>;
};

/// The instructions of an element block as a loop of lanes along `Axis` runs them.
template <int Axis, class Element> using run_forms_t = typename run_forms<kernel::numbered_t<Element>, Axis>::type;

}  // namespace detail::cpu_device

#if CROTON_HAS_XSIMD
namespace kernel::detail {

template <class Lanes, class Instruction, class... More>
struct result<Lanes, croton::detail::cpu_device::apply_on_run<Instruction, More...>> : result<Lanes, Instruction> {};

template <class Lanes, class Instruction, class Op, class Position, class... Same>
struct step<Lanes, croton::detail::cpu_device::apply_on_run<Instruction, Op, Position, Same...>, false> {
    template <class P, class U, class R, class E> CROTON_LAYER static auto run(P& port, const U& us, const R& rs, const E& es) {
        if constexpr (Lanes::size == 1) return step<Lanes, Instruction>::run(port, us, rs, es);
        else return Op::value(simd::neighbours<Lanes::size, typename Lanes::arch>{Position::number(port, us, rs)}, take<one_lane>(Same{}, &us, &rs, nullptr)...);
    }
};

}  // namespace kernel::detail
#endif

}  // namespace croton::inline v0_1

#endif
