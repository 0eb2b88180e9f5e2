// SPDX-License-Identifier: MIT
// Rows whose last pass computes again what the pass before it has summed: where that takes long, as exp does, it is kept where the result will be.
#ifndef CROTON_DEVICE_CPU_KEPT_ROWS_HPP
#define CROTON_DEVICE_CPU_KEPT_ROWS_HPP

#include <croton/device/cpu/brief.hpp>
#include <croton/kernel/blocks.hpp>
#include <croton/kernel/key.hpp>

#include <cstdint>
#include <type_traits>

namespace croton::inline v0_1::detail::cpu_device {

/// The instructions of a block behind those that it begins with as another does.
template <class First, class Block> struct rest_behind {
    static constexpr bool found = false;
};
template <class... I> struct rest_behind<kernel::block<>, kernel::block<I...>> {
    static constexpr bool found = true;
    using type = kernel::block<I...>;
};
template <class I, class... First, class... Block>
struct rest_behind<kernel::block<I, First...>, kernel::block<I, Block...>> : rest_behind<kernel::block<First...>, kernel::block<Block...>> {};

/// An operand or an instruction where value `Kept` of its block is the first one: `fits` where it needs none before. `kept` is the element type in which it
/// takes that one.
template <int Kept, class X> struct moved_to_front {
    static constexpr bool fits = false, stores = false;
    using kept = void;
};
template <int Kept, int X, class T> struct moved_to_front<Kept, kernel::e<X, T>> {
    static constexpr bool fits = X >= Kept;
    using type = kernel::e<X - Kept, T>;
    using kept = std::conditional_t<X == Kept, T, void>;
};
template <class X> struct moved_as_it_is {
    static constexpr bool fits = true, stores = false;
    using type = X;
    using kept = void;
    template <class...> struct moved : std::type_identity<X> {};
};
template <int Kept, int X, class T> struct moved_to_front<Kept, kernel::r<X, T>> : moved_as_it_is<kernel::r<X, T>> {};
template <int Kept, int X, class T> struct moved_to_front<Kept, kernel::u<X, T>> : moved_as_it_is<kernel::u<X, T>> {};
template <int Kept, class T, std::uint64_t Bits> struct moved_to_front<Kept, kernel::literal<T, Bits>> : moved_as_it_is<kernel::literal<T, Bits>> {};

template <class... X> struct first_of_types {
    using type = void;
};
template <class X, class... More> struct first_of_types<X, More...> : std::conditional_t<std::is_void_v<X>, first_of_types<More...>, std::type_identity<X>> {};

template <int Kept, class Op, class... A> struct moved_to_front<Kept, kernel::apply<Op, A...>> {
    static constexpr bool fits = (moved_to_front<Kept, A>::fits && ...), stores = false;
    template <class...> struct moved {
        using type = kernel::apply<Op, typename moved_to_front<Kept, A>::type...>;
    };
    using kept = typename first_of_types<typename moved_to_front<Kept, A>::kept...>::type;
};
template <int Kept, class T, int Slot, class A> struct moved_to_front<Kept, kernel::store<T, Slot, A>> {
    static constexpr bool fits = moved_to_front<Kept, A>::fits, stores = true;
    static constexpr int slot = Slot;
    using element = T;
    template <class...> struct moved {
        using type = kernel::store<T, Slot, typename moved_to_front<Kept, A>::type>;
    };
    using kept = typename moved_to_front<Kept, A>::kept;
};

/// What takes the place of two passes.
struct no_kept_row {
    static constexpr bool found = false;
};
template <class Block, class Rest, int Kept> struct kept_row_of : no_kept_row {};
template <class... First, class... Rest, int Kept> requires (sizeof...(Rest) > 0)
struct kept_row_of<kernel::block<First...>, kernel::block<Rest...>, Kept> {
    using last = moved_to_front<Kept, kernel::instruction_t<kernel::block<Rest...>, static_cast<int>(sizeof...(Rest)) - 1>>;
    using kept = typename first_of_types<typename moved_to_front<Kept, Rest>::kept...>::type;

    /// The rest reads nothing else of memory, which the first of the passes would have written by then, and stores one result of the kept type.
    static constexpr bool found = [] {
        if constexpr (last::stores && (moved_to_front<Kept, Rest>::fits && ...) && (0 + ... + moved_to_front<Kept, Rest>::stores) == 1)
            return std::is_floating_point_v<kept> && std::is_same_v<kept, typename last::element> && !(is_brief<First> && ...) &&
                   ((First::does == kernel::role_none || First::does == kernel::role_load || First::does == kernel::role_fixed) && ...);
        return false;
    }();
    template <class...> struct made {
        using summed = kernel::block<First..., kernel::store<kept, last::slot, kernel::e<Kept, kept>>>;
        using rest = kernel::block<kernel::load<kept, last::slot>, typename moved_to_front<Kept, Rest>::template moved<>::type...>;
    };
};
template <class Block, class Whole, bool Begins = rest_behind<Block, Whole>::found> struct kept_row : no_kept_row {};
template <class Block, class Whole> struct kept_row<Block, Whole, true> : kept_row_of<Block, typename rest_behind<Block, Whole>::type, kernel::size_of_block<Block> - 1> {};

/// The same kernel, or the one that keeps such values.
template <class Kernel> struct keeping_rows {
    using type = Kernel;
};
template <class Done, class... Phases> struct keeping_phases;
template <int O, int I, class U, class Row, class... Phases>
struct keeping_rows<kernel::kernel<O, I, U, Row, Phases...>> : keeping_phases<kernel::kernel<O, I, U, Row>, Phases...> {};
template <int O, int I, class U, class Row, class... Done, class... Last> struct keeping_phases<kernel::kernel<O, I, U, Row, Done...>, Last...> {
    using type = kernel::kernel<O, I, U, Row, Done..., Last...>;
};
template <int O, int I, class U, class Row, class... Done, class Phase, class Next, class After, class... More>
struct keeping_phases<kernel::kernel<O, I, U, Row, Done...>, Phase, Next, After, More...>
    : keeping_phases<kernel::kernel<O, I, U, Row, Done..., Phase>, Next, After, More...> {};
template <class Kernel, class Pair, bool Found, class... Phases> struct ending_in;
template <int O, int I, class U, class Row, class... Done, class Pair, class... Phases> struct ending_in<kernel::kernel<O, I, U, Row, Done...>, Pair, false, Phases...> {
    using type = kernel::kernel<O, I, U, Row, Done..., Phases...>;
};
template <int O, int I, class U, class Row, class... Done, class Pair, class E1, class F1, class R1, class E2, class F2, class R2>
struct ending_in<kernel::kernel<O, I, U, Row, Done...>, Pair, true, kernel::phase<E1, F1, R1>, kernel::phase<E2, F2, R2>> {
    using blocks = typename Pair::template made<>;
    using type = kernel::kernel<O, I, U, Row, Done..., kernel::phase<typename blocks::summed, F1, R1>, kernel::phase<typename blocks::rest, F2, R2>>;
};
template <int O, int I, class U, class Row, class... Done, class E1, class F1, class R1, class E2, class F2, class R2>
struct keeping_phases<kernel::kernel<O, I, U, Row, Done...>, kernel::phase<E1, F1, R1>, kernel::phase<E2, F2, R2>>
    : ending_in<kernel::kernel<O, I, U, Row, Done...>, kept_row<kernel::listed_t<E1>, kernel::listed_t<E2>>, kept_row<kernel::listed_t<E1>, kernel::listed_t<E2>>::found,
                kernel::phase<E1, F1, R1>, kernel::phase<E2, F2, R2>> {};

}  // namespace croton::inline v0_1::detail::cpu_device

#endif
