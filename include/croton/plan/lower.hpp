// SPDX-License-Identifier: MIT
// The instructions of a step as the type of its kernel: types and integers only, so that equal steps are one kernel.
#ifndef CROTON_PLAN_LOWER_HPP
#define CROTON_PLAN_LOWER_HPP

#include <bit>
#include <utility>

#include <croton/graph/own_operator.hpp>
#include <croton/kernel/key.hpp>
#include <croton/plan/emit.hpp>

namespace croton::inline v0_1::detail {

template <level At, int Index, class T> struct operand_of;
template <int Index, class T> struct operand_of<level::uniform, Index, T> { using type = kernel::u<Index, T>; };
template <int Index, class T> struct operand_of<level::row, Index, T> { using type = kernel::r<Index, T>; };
template <int Index, class T> struct operand_of<level::element, Index, T> { using type = kernel::e<Index, T>; };

/// The bits of a literal of type `T`, given the bits that a node holds: those of a double, or of an integer.
template <class T> constexpr std::uint64_t literal_bits(std::int64_t bits) {
    if constexpr (std::is_same_v<T, float>) return std::bit_cast<std::uint32_t>(static_cast<float>(std::bit_cast<double>(bits)));
    else if constexpr (sizeof(T) == 4) return static_cast<std::uint32_t>(static_cast<std::int32_t>(bits));
    else return static_cast<std::uint64_t>(bits);
}

/// The type of operator `Fn`.
template <class Plan, int Fn> constexpr auto operator_type() {
    if constexpr (Fn < operators::size) return std::type_identity<typename type_at<Fn, operators>::type>{};
    else return type_of(kernel::address_key<Plan::value().own_operators[Fn - operators::size]>{});
}

/// `Plan` is a type with a static `value()`, the plan; `I` counts its instructions.
template <class Plan, int I> constexpr auto instruction_type() {
    constexpr instruction i = Plan::value().instructions[I];
    using T = element_t<i.type>;
    using A = typename operand_of<i.in[0].at, i.in[0].index, element_t<i.in[0].type>>::type;
    if constexpr (i.what == code_of::load && i.fixed) {
        return kernel::load_fixed<T, i.slot>();
    } else if constexpr (i.what == code_of::load) {
        return kernel::load<T, i.slot>();
    } else if constexpr (i.what == code_of::gather && i.fixed) {
        return kernel::load_at<T, i.slot, A>();
    } else if constexpr (i.what == code_of::gather) {
        return kernel::gather<T, i.slot, A>();
    } else if constexpr (i.what == code_of::literal) {
        return kernel::literal<T, literal_bits<T>(i.bits)>();
    } else if constexpr (i.what == code_of::size) {
        return kernel::scalar<T, i.slot>();
    } else if constexpr (i.what == code_of::arange) {
        return kernel::iota<T, i.slot>();
    } else if constexpr (i.what == code_of::convert) {
        return kernel::convert<T, A>();
    } else if constexpr (i.what == code_of::store) {
        return kernel::store<T, i.slot, A>();
    } else if constexpr (i.what == code_of::reduce) {
        return kernel::reduce<typename type_at<i.fn, reductions>::type, T, A>();
    } else if constexpr (i.what == code_of::accumulate && i.fixed) {
        return kernel::accumulate_inner<typename type_at<i.fn, reductions>::type, T, i.slot, A>();
    } else if constexpr (i.what == code_of::accumulate) {
        return kernel::accumulate<typename type_at<i.fn, reductions>::type, T, i.slot, A>();
    } else {
        using Op = typename decltype(operator_type<Plan, i.fn>())::type;
        if constexpr (Op::arity == 1) {
            return kernel::apply<Op, A>();
        } else if constexpr (Op::arity == 2) {
            return kernel::apply<Op, A, typename operand_of<i.in[1].at, i.in[1].index, element_t<i.in[1].type>>::type>();
        } else {
            return kernel::apply<Op, A, typename operand_of<i.in[1].at, i.in[1].index, element_t<i.in[1].type>>::type,
                                 typename operand_of<i.in[2].at, i.in[2].index, element_t<i.in[2].type>>::type>();
        }
    }
}

struct block_range {
    int from = 0, count = 0;
};

template <class Plan, int Step, int Block> constexpr block_range find_block() {
    constexpr step s = Plan::value().steps[Step];
    block_range r;
    for (int i = s.instruction_from; i < s.instruction_from + s.instruction_count; ++i) {
        const int block = Plan::value().instructions[i].block;
        if (block < Block) ++r.from;
        if (block == Block) ++r.count;
    }
    r.from += s.instruction_from;
    return r;
}

template <class Plan, int From, int... I> constexpr auto make_block(std::integer_sequence<int, I...>) {
    return kernel::named_t<kernel::block<decltype(instruction_type<Plan, From + I>())...>>();
}
template <class Plan, int Step, int Block>
using block_type = decltype(make_block<Plan, find_block<Plan, Step, Block>().from>(
    std::make_integer_sequence<int, find_block<Plan, Step, Block>().count>()));

template <class Plan, int Step, int... P> constexpr auto make_kernel(std::integer_sequence<int, P...>) {
    constexpr step s = Plan::value().steps[Step];
    return kernel::kernel<s.outer, s.inner, block_type<Plan, Step, 0>, block_type<Plan, Step, 1>,
                          kernel::phase<block_type<Plan, Step, 2 + 3 * P>, block_type<Plan, Step, 3 + 3 * P>,
                                        block_type<Plan, Step, 4 + 3 * P>>...>();
}

/// The kernel of a step. For a product: the program that computes its factors.
template <class Plan, int Step>
using kernel_type = decltype(make_kernel<Plan, Step>(std::make_integer_sequence<int, Plan::value().steps[Step].phases>()));

}  // namespace croton::inline v0_1::detail

#endif
