// SPDX-License-Identifier: MIT
// The arguments of a call as memory with extents and strides.
#ifndef CROTON_FUNCTION_BINDING_HPP
#define CROTON_FUNCTION_BINDING_HPP

#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include <croton/array/array.hpp>
#include <croton/graph/trace.hpp>

namespace croton::inline v0_1::detail {

/// One array of a call: where it lies and how. Strides are in elements.
struct bound_array {
    std::byte* data = nullptr;
    std::array<std::int64_t, max_rank> extent{}, stride{};

    bool same_layout(const bound_array& other, int rank) const {
        for (int i = 0; i < rank; ++i)
            if (extent[static_cast<unsigned>(i)] != other.extent[static_cast<unsigned>(i)] ||
                stride[static_cast<unsigned>(i)] != other.stride[static_cast<unsigned>(i)])
                return false;
        return true;
    }
    bool contiguous(int rank) const {
        std::int64_t expected = 1;
        for (int i = rank; i-- > 0;) {
            if (extent[static_cast<unsigned>(i)] == 0) return true;
            if (extent[static_cast<unsigned>(i)] != 1 && stride[static_cast<unsigned>(i)] != expected) return false;
            expected *= extent[static_cast<unsigned>(i)];
        }
        return true;
    }
    /// The bytes between the lowest and one past the highest element, as addresses.
    std::array<std::uintptr_t, 2> reach(int rank, std::size_t element_bytes) const {
        std::int64_t low = 0, high = 1;
        for (int i = 0; i < rank; ++i) {
            const std::int64_t n = extent[static_cast<unsigned>(i)], s = stride[static_cast<unsigned>(i)];
            if (n == 0) return {0, 0};
            (s < 0 ? low : high) += (n - 1) * s;
        }
        const auto base = reinterpret_cast<std::uintptr_t>(data);
        const auto bytes = static_cast<std::int64_t>(element_bytes);
        return {base + static_cast<std::uintptr_t>(low * bytes), base + static_cast<std::uintptr_t>(high * bytes)};
    }
};

template <class T, int Rank> bound_array bound(view<T, Rank> v) {
    bound_array b;
    b.data = reinterpret_cast<std::byte*>(const_cast<std::remove_const_t<T>*>(v.data()));
    for (int i = 0; i < Rank; ++i) {
        b.extent[static_cast<unsigned>(i)] = v.extent(i);
        b.stride[static_cast<unsigned>(i)] = v.stride(i);
    }
    return b;
}

template <class X> struct argument_traits {
    static constexpr bool is_array = false;
};
template <class T, int R, class D> struct argument_traits<array<T, R, D>> {
    static constexpr bool is_array = true;
    using element = T;
    static constexpr int rank = R;
    using device = D;
};
template <class T, int R> struct argument_traits<view<T, R>> {
    static constexpr bool is_array = true;
    using element = std::remove_const_t<T>;
    static constexpr int rank = R;
    using device = cpu;
};
template <class T, std::size_t N> struct argument_traits<std::span<T, N>> {
    static constexpr bool is_array = true;
    using element = std::remove_const_t<T>;
    static constexpr int rank = 1;
    using device = cpu;
};
template <class T, class A> struct argument_traits<std::vector<T, A>> {
    static constexpr bool is_array = true;
    using element = T;
    static constexpr int rank = 1;
    using device = cpu;
};

/// Room for numbers that are passed for rank-0 parameters.
struct number_store {
    alignas(8) std::byte bytes[8];
};

template <bool IsConst> inline constexpr bool writable = !IsConst;

/// Binds one argument to a leaf of element type `T` and rank `Rank`.
template <class T, int Rank, bool Shared, class Device, class A> bound_array bind_array(A& argument, number_store& numbers) {
    using X = std::remove_cv_t<A>;
    if constexpr (std::is_arithmetic_v<X>) {
        static_assert(Rank == 0, "croton: a number was passed where the function takes an array; pass an array, a view or a std::span");
        static_assert(!Shared, "croton: a shared parameter takes an array that can be updated; a number cannot");
        static_assert(std::is_floating_point_v<T> || !std::is_floating_point_v<X>,
                      "croton: a floating-point number was passed for a parameter of integers");
        const T value = static_cast<T>(argument);
        __builtin_memcpy(numbers.bytes, &value, sizeof value);
        bound_array b;
        b.data = numbers.bytes;
        return b;
    } else {
        using traits = argument_traits<X>;
        static_assert(traits::is_array, "croton: an argument is an array, a view, a std::span, a std::vector, a number (for a scalar) or a model struct");
        if constexpr (traits::is_array) {
            static_assert(std::is_same_v<typename traits::element, T>, "croton: an argument has another element type than the parameter it is passed for");
            static_assert(traits::rank == Rank, "croton: an argument has another rank than the parameter it is passed for");
            static_assert(std::is_same_v<array_device<typename traits::device>, array_device<Device>>,
                          "croton: an argument lies on another device than the function runs on; move it with x.to<...>()");
            if constexpr (requires { argument.as_view(); }) {
                static_assert(!Shared || !std::is_const_v<A>, "croton: a shared parameter is updated in place; pass an array that is not const");
                return bound(argument.as_view());
            } else if constexpr (requires { argument.strides(); }) {
                static_assert(!Shared || !std::is_const_v<std::remove_pointer_t<decltype(argument.data())>>,
                              "croton: a shared parameter is updated in place; pass a view of elements that are not const");
                return bound(view(argument));
            } else {
                static_assert(!Shared || !std::is_const_v<std::remove_pointer_t<decltype(argument.data())>>,
                              "croton: a shared parameter is updated in place; pass a span of elements that are not const");
                bound_array b;
                b.data = reinterpret_cast<std::byte*>(const_cast<T*>(argument.data()));
                b.extent[0] = static_cast<std::int64_t>(argument.size());
                b.stride[0] = 1;
                return b;
            }
        } else {
            return {};
        }
    }
}

/// Binds an argument to a parameter: one array, or every array of a model.
template <class P, class Device, class A> void bind_parameter(A& argument, bound_array*& to, number_store*& numbers) {
    using S = symbol_of<P>;
    if constexpr (traced<S>) {
        *to++ = bind_array<element_in<S>, rank_of<S>, is_shared_parameter<P>, Device>(argument, *numbers++);
    } else {
        static_assert(!argument_traits<std::remove_cv_t<A>>::is_array && !std::is_arithmetic_v<std::remove_cv_t<A>>,
                      "croton: a parameter that is a model takes a model struct of arrays, such as mlp<on<cpu>::array>");
        static_assert(leaf_count<std::remove_cv_t<A>> == leaf_count<S>, "croton: the model that is passed is another struct than the parameter's");
        for_each_leaf(argument, [&](auto& a, auto index) {
            using L = std::remove_cvref_t<leaf_t<S, decltype(index)::value>>;
            *to++ = bind_array<element_in<L>, rank_of<L>, is_shared_parameter<P>, Device>(a, *numbers++);
        });
    }
}

}  // namespace croton::inline v0_1::detail

#endif
