// SPDX-License-Identifier: MIT
// Elements that arrays of indices and masks pick, as an array of their own.
#ifndef CROTON_ARRAY_PICKED_HPP
#define CROTON_ARRAY_PICKED_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <tuple>
#include <type_traits>

#include <croton/array/array.hpp>
#include <croton/array/places.hpp>
#include <croton/core/picked_axes.hpp>

namespace croton::inline v0_1::detail {

/// The elements that several arrays of indices pick together, as offsets. They are repeated to one shape as NumPy does.
template <int Rank> class picked_offsets {
public:
    extents_of<Rank> extents{};
    std::int64_t size = 1;

    picked_offsets() { extents.fill(1); }

    template <class I, int IndexRank> void fit(const view<const I, IndexRank>& at) {
        for (int i = 0; i < IndexRank; ++i) {
            const std::size_t to = static_cast<std::size_t>(i + Rank - IndexRank);
            if (extents[to] == 1) extents[to] = at.extent(i);
            else if (at.extent(i) != 1 && at.extent(i) != extents[to])
                throw shape_error("indices: an array of shape " + shape_text(at.extents().data(), IndexRank) + " does not go with one of shape " + shape_text(extents.data(), Rank));
        }
    }
    void begin() {
        for (const std::int64_t e : extents) size *= e;
        offsets_ = buffer<std::int64_t, cpu>(size);
        memory<cpu>::zero(offsets_.data(), static_cast<std::size_t>(size) * sizeof(std::int64_t));
    }
    /// `axis` is the one of the whole array, for the message.
    template <class I, int IndexRank> void add(const view<const I, IndexRank>& at, int axis, std::int64_t extent, std::int64_t stride) {
        extents_of<Rank> steps{};
        for (int i = 0; i < IndexRank; ++i)
            if (at.extent(i) != 1) steps[static_cast<std::size_t>(i + Rank - IndexRank)] = at.stride(i);
        const extents_of<Rank> dense = row_major_strides<Rank>(extents);
        visit_pairs<Rank>(extents.data(), offsets_.data(), dense.data(), at.data(), steps.data(), [&](std::int64_t& to, const I& index) {
            check_index(index, axis, extent);
            to += from_front(index, extent) * stride;
            return true;
        });
    }
    std::int64_t operator[](std::int64_t q) const { return offsets_.data()[q]; }

private:
    buffer<std::int64_t, cpu> offsets_;
};

template <class I> constexpr auto view_of_indices(const I& i) { return view<const typename I::value_type, I::rank>(i); }

template <class I> concept computed_first = index_expression<I> || seen<const I>;
template <class I> concept wrong_index = !index<I> && !array_index<I> && !computed_first<I>;

template <class I> decltype(auto) computed_index(const I& i) {
    if constexpr (index_expression<I>) return i.eval();
    else if constexpr (seen<const I>) return other_array<I>::of(i);
    else return (i);
}
template <class T, int Rank, class... I> requires ((computed_first<I> || ...) && !(wrong_index<I> || ...))
auto picked_by(by_places places, const view<T, Rank>& x, const I&... i) { return picked_by(places, x, computed_index(i)...); }

/// An index as a tuple of those that it stands for: a mask is one for each of its axes.
template <class I> auto indices_meant(const I& i) {
    if constexpr (is_mask<I>) {
        static_assert(I::rank > 0, "croton: a mask that is an index has axes; one bool is asked by if");
        return places_where(view_of_indices(i), [](bool holds) { return holds; });
    } else {
        return std::tuple<const I&>(i);
    }
}
template <class T, int Rank, class... I> requires ((is_mask<I> || ...) && !(computed_first<I> || ...) && !(wrong_index<I> || ...))
auto picked_by(by_places places, const view<T, Rank>& x, const I&... i) {
    return std::apply([&](const auto&... each) { return picked_by(places, x, each...); }, std::tuple_cat(indices_meant(i)...));
}
inline void check_index_extent(const auto&, int, std::int64_t) {}
inline void check_index_extent(const mask_places& mask, int axis, std::int64_t extent) {
    if (mask.extent != extent)
        throw shape_error("indices: a mask with " + std::to_string(mask.extent) + " elements along axis " + std::to_string(axis) + ", whose extent is " + std::to_string(extent));
}

template <class T, int Rank, class... I> requires (wrong_index<I> || ...)
wrong_result picked_by(by_places, const view<T, Rank>&, const I&...) {
    static_assert(sizeof...(I) == 0, "croton: an index is a whole number, a slice, or an array of whole numbers");
    return {};
}

template <class T, int Rank, class... I> auto picked_by(by_places, const view<T, Rank>& x, const I&... i) {
    constexpr indexed_axes<Rank, I...> axes;
    constexpr int most = largest_rank<I...>(), count = axes.count, first = axes.axis[0], left = axes.rank - count, rank = left + most;
    constexpr bool named = indices_fit<Rank, I...>, whole = (are_indices_outside<I> && ...), fits = named && whole && axes.neighbours() && rank <= max_rank;
    static_assert(axes_named<I...> <= Rank, "croton: an array takes at most one index for each of its axes");
    static_assert(ellipses<I...> <= 1, "croton: an ellipsis stands for the axes that are left, so that there is at most one");
    static_assert(whole, "croton: an array that is an index holds whole numbers, of an integer type");
    static_assert(!named || axes.neighbours(), "croton: several arrays of indices index axes side by side; transpose the array first");
    static_assert(!named || rank <= max_rank, "croton: the rank of an array is 0 to 8");
    using element = std::remove_const_t<T>;
    if constexpr (!fits) {
        return wrong_result();
    } else {
        const auto part = x(whole_where_array(i)...);
        picked_offsets<most> offsets;
        const auto each = [&](auto&& f) {
            int k = 0;
            const auto look = [&](const auto& index) {
                if constexpr (!croton::detail::index<std::remove_cvref_t<decltype(index)>>) f(index, k++);
            };
            (look(i), ...);
        };
        each([&](const auto& at, int k) {
            check_index_extent(at, axes.named[k], part.extent(axes.axis[k]));
            offsets.fit(view_of_indices(at));
        });
        offsets.begin();
        each([&](const auto& at, int k) { offsets.add(view_of_indices(at), axes.named[k], part.extent(axes.axis[k]), part.stride(axes.axis[k])); });

        extents_of<rank> extents{};
        extents_of<left> others{}, from{}, to{};
        for (int k = 0; k < most; ++k) extents[static_cast<std::size_t>(first + k)] = offsets.extents[static_cast<std::size_t>(k)];
        for (int k = 0; k < left; ++k) {
            const int at = k < first ? k : k + count;
            others[static_cast<std::size_t>(k)] = extents[static_cast<std::size_t>(k < first ? k : k + most)] = part.extent(at);
            from[static_cast<std::size_t>(k)] = part.stride(at);
        }
        auto result = array<element, rank>::uninitialized(extents);
        if (result.size() == 0) return result;
        const extents_of<rank> dense = row_major_strides<rank>(extents);
        for (int k = 0; k < left; ++k) to[static_cast<std::size_t>(k)] = dense[static_cast<std::size_t>(k < first ? k : k + most)];
        std::int64_t inner = 1;
        for (int k = first; k < left; ++k) inner *= others[static_cast<std::size_t>(k)];
        if constexpr (left == 0) {
            for (std::int64_t q = 0; q < offsets.size; ++q) result.data()[q] = part.data()[offsets[q]];
        } else {
            const auto source = [&](std::int64_t q) { return view<const element, left>(already_checked{}, part.data() + offsets[q], others, from); };
            const auto place = [&](std::int64_t q) { return view<element, left>(already_checked{}, result.data() + q * inner, others, to); };
            const bool dense_rows = source(0).is_contiguous() && place(0).is_contiguous();
            for (std::int64_t q = 0; q < offsets.size; ++q) {
                if (dense_rows) std::copy_n(source(q).data(), source(q).size(), place(q).data());
                else visit_pairs<left>(others.data(), place(q).data(), to.data(), source(q).data(), from.data(), [](element& y, const element& v) { return y = v, true; });
            }
        }
        return result;
    }
}

}  // namespace croton::inline v0_1::detail

#endif
