// SPDX-License-Identifier: MIT
// A kernel without phases as one whose loops are all inner: row values become element values.
#ifndef CROTON_DEVICE_CUDA_AS_ELEMENTS_HPP
#define CROTON_DEVICE_CUDA_AS_ELEMENTS_HPP

#include <croton/kernel/key.hpp>

namespace croton::inline v0_1::detail::cuda_device {

template <class Operand> struct as_element_operand {
    using type = Operand;
};
template <int N, class T> struct as_element_operand<kernel::r<N, T>> {
    using type = kernel::e<N, T>;
};
template <class Operand> using as_element_operand_t = typename as_element_operand<Operand>::type;
template <class Instruction> struct as_element {
    using type = Instruction;
};
template <class Op, class... A> struct as_element<kernel::apply<Op, A...>> {
    using type = kernel::apply<Op, as_element_operand_t<A>...>;
};
template <class T, class A> struct as_element<kernel::convert<T, A>> {
    using type = kernel::convert<T, as_element_operand_t<A>>;
};
template <class T, int S, class A> struct as_element<kernel::gather<T, S, A>> {
    using type = kernel::gather<T, S, as_element_operand_t<A>>;
};
template <class T, int S, class A> struct as_element<kernel::store<T, S, A>> {
    using type = kernel::store<T, S, as_element_operand_t<A>>;
};
template <class R, class T, int S, class A> struct as_element<kernel::accumulate<R, T, S, A>> {
    using type = kernel::accumulate<R, T, S, as_element_operand_t<A>>;
};
template <class Block> struct as_elements;
template <class... Instruction> struct as_elements<kernel::block<Instruction...>> {
    using type = kernel::named_t<kernel::block<typename as_element<Instruction>::type...>>;
};
template <class Kernel> struct with_phases {
    using type = Kernel;
};
template <int O, int I, class U, class Row> struct with_phases<kernel::kernel<O, I, U, Row>> {
    using type = kernel::kernel<0, O, U, kernel::block<>, kernel::phase<typename as_elements<kernel::listed_t<Row>>::type, kernel::block<>, kernel::block<>>>;
};

}  // namespace croton::inline v0_1::detail::cuda_device

#endif
