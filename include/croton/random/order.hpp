// SPDX-License-Identifier: MIT
// Random orders: of numbers, and of what lies along the first axis of an array.
#ifndef CROTON_RANDOM_ORDER_HPP
#define CROTON_RANDOM_ORDER_HPP

#include <algorithm>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>

#include <croton/random/distributions.hpp>

namespace croton::inline v0_1 {

namespace detail {

/// `swap(i, j)` for i from size - 1 down to 1, with a random j from 0 to i: Fisher and Yates' shuffle. One order is more probable than another by
/// less than a part in 2^32.
template <class Swap> void shuffle_by(std::int64_t size, const random::stream_of& seed, const Swap& swap) {
    constexpr std::int64_t together = random::positions_together<std::uint64_t>;
    std::uint64_t words[together];
    for (std::int64_t i = size - 1, drawn = 0; i > 0; --i, ++drawn) {
        if (drawn % together == 0) draw_block<std::uint64_t, kernel::law::bits>(words, drawn, seed);
        const auto j = static_cast<std::int64_t>(upper_product(words[drawn % together], static_cast<std::uint64_t>(i) + 1));
        if (i != j) swap(i, j);
    }
}

/// 0, 1, ..., in a random order. A template, as what calls it, so that a program that shuffles nothing does not pay for it.
template <class Index> void draw_order(std::span<Index> order, const random::stream_of& seed) {
    Index next = 0;
    for (Index& i : order) i = next++;
    shuffle_by(next, seed, [&](Index i, Index j) {
        std::swap(order[static_cast<std::size_t>(i)], order[static_cast<std::size_t>(j)]);
    });
}

}  // namespace detail

namespace random {

/// The numbers from 0 to `size` - 1 in a random order. Not the order that `permutation` in a function draws.
template <class Index = std::int64_t> array<Index, 1> permutation(std::int64_t size, const stream_of& seed) {
    auto order = array<Index, 1>::uninitialized({size});
    detail::draw_order(order.span(), seed);
    return order;
}

/// Brings what lies along the first axis into a random order, that of `permutation` with this seed: several arrays of one length stay in step.
template <detail::fillable To>
    requires (std::remove_cvref_t<To>::rank > 0)
void shuffle(To&& to, const stream_of& seed) {
    using target = std::remove_cvref_t<To>;
    using T = detail::drawn_element<To>;
    constexpr int rank = target::rank;
    if constexpr (std::is_convertible_v<To&, view<T, rank>>) {
        const view<T, rank> x = to;
        detail::shuffle_by(x.extent(0), seed, [&](std::int64_t i, std::int64_t j) {
            const std::int64_t* const extents = x.extents().data();
            const std::int64_t* const strides = x.strides().data();
            T *const row = x.data() + i * strides[0], *const other = x.data() + j * strides[0];
            detail::visit_pairs<rank - 1>(extents + 1, row, strides + 1, other, strides + 1, [](T& a, T& b) {
                std::swap(a, b);
                return true;
            });
        });
    } else {
        array<T, rank> x = to.template to<cpu>();
        shuffle(x, seed);
        detail::write_elements(to, [&](T* data, std::int64_t) { std::copy(x.begin(), x.end(), data); });
    }
}

}  // namespace random

}  // namespace croton::inline v0_1

#endif
