// SPDX-License-Identifier: MIT
// Instructions with other operands, and which values of their block they take.
#ifndef CROTON_KERNEL_REBUILT_HPP
#define CROTON_KERNEL_REBUILT_HPP

#include <croton/kernel/registers.hpp>

#include <cstdint>

namespace croton::inline v0_1::kernel {

/// An instruction that takes `Map::of<A>` where it took `A`.
template <class Map, class Instruction> struct rebuilt {
    using type = Instruction;
};
template <class Map, class Op, class... A> struct rebuilt<Map, apply<Op, A...>> {
    using type = apply<Op, typename Map::template of<A>...>;
};
template <class Map, class T, class A> struct rebuilt<Map, convert<T, A>> {
    using type = convert<T, typename Map::template of<A>>;
};
template <class Map, class T, int Slot, class A> struct rebuilt<Map, gather<T, Slot, A>> {
    using type = gather<T, Slot, typename Map::template of<A>>;
};
template <class Map, class T, int Slot, class A> struct rebuilt<Map, load_at<T, Slot, A>> {
    using type = load_at<T, Slot, typename Map::template of<A>>;
};
template <class Map, class T, int Slot, class A> struct rebuilt<Map, store<T, Slot, A>> {
    using type = store<T, Slot, typename Map::template of<A>>;
};
template <class Map, class R, class T, int Slot, class A> struct rebuilt<Map, accumulate<R, T, Slot, A>> {
    using type = accumulate<R, T, Slot, typename Map::template of<A>>;
};
template <class Map, class R, class T, int Slot, class A> struct rebuilt<Map, accumulate_inner<R, T, Slot, A>> {
    using type = accumulate_inner<R, T, Slot, typename Map::template of<A>>;
};
template <class Map, class R, class T, class A> struct rebuilt<Map, reduce<R, T, A>> {
    using type = reduce<R, T, typename Map::template of<A>>;
};

/// The values of its element block that an instruction takes, as bits.
template <class Instruction> inline constexpr std::uint64_t element_arguments = 0;
template <class Instruction> requires requires { typename Instruction::argument; }
inline constexpr std::uint64_t element_arguments<Instruction> = detail::element_bit<typename Instruction::argument>;
template <class Op, class... A> inline constexpr std::uint64_t element_arguments<apply<Op, A...>> = (std::uint64_t{0} | ... | detail::element_bit<A>);

}  // namespace croton::inline v0_1::kernel

#endif
