// SPDX-License-Identifier: MIT
// The bias and the relu or gelu of a product as a kernel over its result, for products that cannot do them themselves.
#ifndef CROTON_DEVICE_CUDA_EPILOGUE_HPP
#define CROTON_DEVICE_CUDA_EPILOGUE_HPP

#include <croton/device/cuda/engine.hpp>
#include <croton/kernel/argument.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

namespace croton::inline v0_1::detail::cuda_device {

struct plus {
    static constexpr std::string_view name = "product plus";
    template <class V> CROTON_HD static constexpr V value(V a, V b) { return a + b; }
};

template <class... Instruction>
using matrix_kernel = kernel::kernel<0, 2, kernel::block<>, kernel::block<>, kernel::phase<kernel::block<Instruction...>, kernel::block<>, kernel::block<>>>;
template <class T, class Activation>
using activation_kernel = matrix_kernel<kernel::load<T, 0>, kernel::apply<Activation, kernel::e<0, T>>, kernel::store<T, 0, kernel::e<1, T>>>;
template <class T, class Activation> struct with_bias {
    using type = matrix_kernel<kernel::load<T, 0>, kernel::load<T, 1>, kernel::apply<plus, kernel::e<0, T>, kernel::e<1, T>>,
                               kernel::apply<Activation, kernel::e<2, T>>, kernel::store<T, 0, kernel::e<3, T>>>;
};
template <class T> struct with_bias<T, void> {
    using type = matrix_kernel<kernel::load<T, 0>, kernel::load<T, 1>, kernel::apply<plus, kernel::e<0, T>, kernel::e<1, T>>,
                               kernel::store<T, 0, kernel::e<2, T>>>;
};

/// `c = relu(c + bias)`, or what the epilogue says, `[m,n]` and `[n]`.
template <class Platform, class T, class Activation> void run_epilogue(const kernel::epilogue<T, Activation>& then, kernel::matrix<T> c) {
    const kernel::operand slots[] = {{reinterpret_cast<std::byte*>(c.data), {c.row_stride, c.col_stride}},
                                     {reinterpret_cast<std::byte*>(const_cast<T*>(then.bias.data)), {0, then.bias.stride}}};
    const std::int64_t extents[] = {c.rows, c.cols};
    if (then.bias.data != nullptr) engine<Platform, typename with_bias<T, Activation>::type>::run(extents, slots, nullptr);
    else if constexpr (!std::is_void_v<Activation>) engine<Platform, activation_kernel<T, Activation>>::run(extents, slots, nullptr);
}

}  // namespace croton::inline v0_1::detail::cuda_device

#endif
