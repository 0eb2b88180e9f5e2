// SPDX-License-Identifier: MIT
// Zeros in the shape of an array or of a model.
#ifndef CROTON_ARRAY_ZEROS_LIKE_HPP
#define CROTON_ARRAY_ZEROS_LIKE_HPP

#include <type_traits>

#include <croton/array/array.hpp>
#include <croton/core/leaves.hpp>
#include <croton/core/model.hpp>

namespace croton::inline v0_1 {

/// Zeros of the extents of an array.
template <class T, int Rank, class Device> array<T, Rank, Device> zeros_like(const array<T, Rank, Device>& x) {
    return array<T, Rank, Device>(x.extents());
}

/// A model of zeros with the extents of another.
template <detail::model M> M zeros_like(const M& from) {
    M result{};
    detail::for_each_leaf2(result, from, [](auto& zeros, const auto& x) { zeros = zeros_like(x); });
    return result;
}

}  // namespace croton::inline v0_1

#endif
