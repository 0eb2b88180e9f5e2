// SPDX-License-Identifier: MIT
// A view: elements that someone else owns, as a pointer with extents and strides.
#ifndef CROTON_ARRAY_VIEW_HPP
#define CROTON_ARRAY_VIEW_HPP

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <limits>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

#include <croton/array/other_array.hpp>
#include <croton/array/overlap.hpp>
#include <croton/array/part.hpp>
#include <croton/array/strided_iterator.hpp>
#include <croton/array/strides.hpp>
#include <croton/core/complex.hpp>
#include <croton/core/element.hpp>
#include <croton/core/error.hpp>
#include <croton/core/extents.hpp>
#include <croton/core/message.hpp>
#include <croton/core/number_range.hpp>
#include <croton/core/wrong.hpp>

namespace croton::inline v0_1 {

template <class T, int Rank, unsigned New> class widened_view;
template <class T, int Rank, unsigned New> struct widened_array;

namespace detail {

template <class T, int Rank> class row_range;

/// Of a view of what has been checked.
struct already_checked {};

/// An array or a view of another rank or element type than T and Rank.
template <class X, class T, int Rank>
concept unlike = requires(const X& x) {
    x.extents();
    requires X::rank != Rank || !std::is_same_v<typename X::value_type, T>;
};

/// Of one truth value in the place of a mask.
template <class X, class T> constexpr void says_no_mask() {
    static_assert(!std::is_same_v<X, bool> || !std::is_same_v<T, bool>, "croton: one truth value is assigned to an array; a == b compares whole arrays, and equal(a, b) their elements, as in mask = equal(a, b); all are set by mask.fill(true)");
}

}  // namespace detail

/// Borrows elements of an array, a `std::span` or any other memory. Strides count elements and may be 0 or negative.
/// Copying a view copies no elements; the owner must outlive it. Constness is that of `T`, as for `std::span`.
template <class T, int Rank> class view {
    static_assert(element_type<std::remove_const_t<T>>,
                  "croton: an array holds bool, the integers of <cstdint> (std::int64_t for long long), float, double, half or bfloat16; of complex numbers keep real and imaginary parts in arrays of their own");
    static_assert(Rank >= 0 && Rank <= max_rank, "croton: the rank of an array is 0 to 8");

public:
    using value_type = std::remove_const_t<T>;
    static constexpr int rank = Rank;

    view() requires (Rank > 0) = default;

    /// Dense row-major elements at `data`.
    view(T* data, const extents_of<Rank>& extents) : data_(data), extents_(extents) {
        detail::checked_size(extents_.data(), Rank, sizeof(T));
        strides_ = detail::row_major_strides<Rank>(extents);
    }

    view(T* data, const extents_of<Rank>& extents, const extents_of<Rank>& strides)
        : data_(data), extents_(extents), strides_(strides) {
        detail::checked_size(extents_.data(), Rank, 1);
        detail::check_reach(extents_.data(), strides_.data(), Rank, sizeof(T));
    }

    view(const view&) = default;
    view& operator=(const view&) & = default;
    /// Assigning a view makes this one a view of other elements. Where it is about to go, as in `x(slice(1, -1)) = y`, the elements are written
    /// instead, by those of a view or an array, or all by a number; an expression on arrays is always written to the elements. What has fewer axes is
    /// repeated along the first, what has extent 1 along an axis along that, as in NumPy. Throws `shape_error` where extents do not fit.
    template <class E> requires requires { typename E::lazy_graph; }
    view& operator=(const E& e) & {
        e.assign_to(*this);
        return *this;
    }
    template <class Value> void operator=(const Value& value) && {
        if constexpr (std::is_const_v<T>) static_assert(!std::is_const_v<T>, "croton: the elements of this view can only be read");
        else if constexpr (requires { typename Value::lazy_graph; }) value.assign_to(*this);
        else if constexpr (std::is_same_v<Value, bool> && !std::is_same_v<value_type, bool>)
            static_assert(std::is_void_v<Value>, "croton: one truth value is assigned to numbers; a == b compares whole arrays, and equal(a, b) their elements, as in y = cast<float>(equal(a, b))");
        else if constexpr (std::is_convertible_v<const Value&, value_type>) fill(detail::assigned_number<value_type>(value));
        else if constexpr (detail::holds_complex<Value>) detail::say_no_complex<!detail::holds_complex<Value>>();
        else if constexpr (requires { value.strides(); }) write(value);
        else if constexpr (detail::seen<const Value>) write(other_array<Value>::of(value));
        else if constexpr (requires { value.as_view(); }) write(value.as_view());
        else static_assert(std::is_void_v<Value>, "croton: elements are written by a number, or by an array or a view whose elements lie on the host");
    }
    /// Numbers in braces, `m(0) = {1, 2, 3}`.
    void operator=(std::initializer_list<value_type> values) && requires (!std::is_const_v<T> && Rank > 0) {
        write(view<const value_type, 1>(values.begin(), {static_cast<std::int64_t>(values.size())}));
    }
    /// A const view stays one of its elements, which an expression is written to. All else is a compile-time error.
    template <class Value> void operator=(const Value& value) const& {
        if constexpr (requires { typename Value::lazy_graph; }) value.assign_to(*this);
        else static_assert(std::is_void_v<Value>, "croton: the view is const; its elements are written by v(ellipsis) = x");
    }
    /// Another kind of elements cannot be what a view with a name becomes one of: a compile-time error.
    template <class Value> requires (!requires { typename std::remove_cvref_t<Value>::lazy_graph; } && !std::is_convertible_v<Value, view>)
    view& operator=(Value&&) & {
        static_assert(std::is_void_v<Value>, "croton: a view that has a name becomes a view of what it is assigned, which must have its element type and its rank; "
                                             "elements are written by v(ellipsis) = x");
        return *this;
    }

    view(detail::already_checked, T* data, const extents_of<Rank>& extents, const extents_of<Rank>& strides)
        : data_(data), extents_(extents), strides_(strides) {}

    view(std::span<T> elements) requires (Rank == 1)
        : data_(elements.data()), extents_{static_cast<std::int64_t>(elements.size())}, strides_{1} {}

    /// Of an array of another library, which stays where it is; see `other_array`.
    template <class X> requires (detail::seen_as<X, T, Rank> && detail::stays<X>)
    view(X&& x) : view(other_array<std::remove_cvref_t<X>>::of(x)) {}

    /// The elements of a temporary would be freed at once: a compile-time error.
    template <class Owner>
        requires ((detail::seen_as<Owner, T, Rank> && !detail::stays<Owner>) ||
                  (Rank == 1 && !detail::seen<Owner> && !std::is_lvalue_reference_v<Owner> && !std::ranges::enable_borrowed_range<std::remove_const_t<Owner>> &&
                   std::is_constructible_v<std::span<T>, Owner>))
    explicit view(Owner&&) {
        static_assert(std::is_void_v<Owner>, "croton: a view of a temporary would read freed memory; give what owns the elements a name first");
    }

    /// Elements that may be written are also elements that may be read.
    template <class U> requires (std::same_as<const U, T> && !std::same_as<U, T>)
    view(view<U, Rank> other) : data_(other.data()), extents_(other.extents()), strides_(other.strides()) {}

    T* data() const { return data_; }
    const extents_of<Rank>& extents() const& { return extents_; }
    const extents_of<Rank>& strides() const& { return strides_; }
    // A view is mostly a temporary itself, as in `for (auto n : x[0].extents())`.
    extents_of<Rank> extents() const&& { return extents_; }
    extents_of<Rank> strides() const&& { return strides_; }
    /// Of one axis, counted from the end where it is negative.
    std::int64_t extent(int axis) const { return extents_[detail::axis_at<Rank>(axis)]; }
    std::int64_t stride(int axis) const { return strides_[detail::axis_at<Rank>(axis)]; }

    /// The number of elements.
    std::int64_t size() const { return detail::count_elements(extents_); }
    bool empty() const { return size() == 0; }

    /// The element at one index per axis, counted from the end where it is negative; not checked.
    template <detail::whole_number... I> requires (sizeof...(I) == Rank)
    T& operator()(I... i) const {
        std::int64_t offset = 0;
        [[maybe_unused]] std::size_t axis = 0;
        (..., (offset += detail::from_front(i, extents_[axis]) * strides_[axis], ++axis));
        return data_[offset];
    }

    /// A part, as in NumPy: `x(slice(1, -1), 0)`, `x(ellipsis, slice(none, none, -1))`. A whole number drops its axis, `none` brings a new
    /// one, axes that are not named stay whole, and negative numbers count from the end. No copy. Throws `std::out_of_range` where a whole
    /// number lies outside, `shape_error` where a step is 0.
    template <detail::index... I> requires detail::names_part<Rank, I...>
    auto operator()(I... i) const {
        using part_type = detail::array_part<Rank, I...>;
        const part_type part(extents_, strides_, i...);
        if constexpr (!part_type::fits) return detail::wrong_result();
        else if constexpr (part_type::new_axes != 0) return widened_view<T, part_type::rank, part_type::new_axes>(detail::already_checked{}, data_ + part.offset, part.extents, part.strides);
        else return view<T, part_type::rank>(detail::already_checked{}, data_ + part.offset, part.extents, part.strides);
    }

    /// The elements that arrays of whole numbers pick along their axes, as NumPy does, an array of its own: `x(ids)`, `x(slice(), ids)`, `x(rows, columns)`.
    /// Those of several axes, which lie side by side, are repeated to one shape and pick together. Throws `std::out_of_range` where one lies outside.
    template <class... I> requires detail::picks_elements<I...>
    auto operator()(const I&... i) const {
        return picked_by(detail::by_places(), *this, i...);
    }
    template <class Of = view> detail::wrong_result operator()(std::initializer_list<std::int64_t>) const { return detail::no_braces<Of>(); }

    T item() const requires (Rank == 0) { return *data_; }

    /// One element, checked: `std::out_of_range` names the axis.
    template <std::integral... I> requires (sizeof...(I) == Rank)
    T& at(I... i) const {
        [[maybe_unused]] int axis = 0;
        (..., (detail::check_index(i, axis, extent(axis)), ++axis));
        return (*this)(i...);
    }

    /// Index `i` of the first axis, counted from the end where it is negative: a view with one axis less, or the element itself of a rank-1 view; not checked.
    decltype(auto) operator[](std::int64_t i) const requires (Rank > 0) {
        if constexpr (Rank == 1) {
            return data_[detail::from_front(i, extents_[0]) * strides_[0]];
        } else {
            extents_of<Rank - 1> extents{};
            extents_of<Rank - 1> strides{};
            for (std::size_t k = 1; k < Rank; ++k) {
                extents[k - 1] = extents_[k];
                strides[k - 1] = strides_[k];
            }
            return view<T, Rank - 1>(detail::already_checked{}, data_ + detail::from_front(i, extents_[0]) * strides_[0], extents, strides);
        }
    }

    /// Any other index in square brackets, as in parentheses: `x[slice(1, -1)]`, `x[ids]`.
    template <detail::no_position I> decltype(auto) operator[](const I& i) const requires (Rank > 0) { return (*this)(i); }

    /// The elements of a view with one axis, whatever its step: a range of random access.
    detail::strided_iterator<T> begin() const requires (Rank == 1) { return {data_, strides_[0]}; }
    detail::strided_iterator<T> end() const requires (Rank == 1) { return begin() + extents_[0]; }
    /// Of a view with more axes: a compile-time error.
    template <class V = view> requires (Rank > 1) detail::wrong_walk begin() const {
        static_assert(sizeof(V) == 0, "croton: a view with several axes is walked along by its rows, as in for (auto row : x.rows())");
        return {};
    }
    template <class V = view> requires (Rank > 1) detail::wrong_walk end() const { return {}; }

    /// The parts `x[0]`, `x[1]`, ... as a range of random access: `for (auto row : x.rows()) row /= sum(row);`.
    detail::row_range<T, Rank> rows() const requires (Rank > 1) { return detail::row_range<T, Rank>(*this); }

    /// Whether the elements lie densely in row-major order.
    bool is_contiguous() const {
        std::int64_t dense = 1;
        bool contiguous = true;
        for (int axis = Rank; axis-- > 0;) {
            if (extent(axis) == 0) return true;
            if (extent(axis) != 1 && stride(axis) != dense) contiguous = false;
            dense *= extent(axis);
        }
        return contiguous;
    }

    /// Indices start, start + step, ... before `stop` of one axis. A negative step walks backwards to after `stop`,
    /// which may then be -1. Throws `shape_error` where that leaves the axis.
    view slice(int axis, std::int64_t start, std::int64_t stop, std::int64_t step = 1) const requires (Rank > 0) {
        if (axis < 0 || axis >= Rank)
            throw shape_error("slice: axis " + std::to_string(axis) + " of an array of rank " + std::to_string(Rank));
        const std::int64_t size = extent(axis);
        const bool inside = step > 0 ? 0 <= start && start <= stop && stop <= size
                                     : step < 0 && -1 <= stop && stop <= start && start < size;
        if (!inside)
            throw shape_error("slice: from " + std::to_string(start) + " to " + std::to_string(stop) + " by " +
                              std::to_string(step) + " leaves axis " + std::to_string(axis) + " of extent " +
                              std::to_string(size));
        const std::int64_t count =
            start == stop ? 0 : (step > 0 ? (stop - start - 1) / step + 1 : (start - stop - 1) / -step + 1);
        view result = *this;
        const auto k = static_cast<std::size_t>(axis);
        if (count > 0) result.data_ += start * strides_[k];
        result.extents_[k] = count;
        // One element needs no step, and a huge step must not overflow.
        result.strides_[k] = count > 1 ? step * strides_[k] : strides_[k];
        return result;
    }

    /// The axes in another order, `x.transpose<1, 0, 2>()`, or reversed.
    template <int... Axes> view transpose() const {
        static_assert(detail::axes_order<Rank, Axes...>, "croton: transpose names every axis of its argument once, or none");
        return view(detail::already_checked{}, data_, detail::permuted<Rank, Axes...>(extents_), detail::permuted<Rank, Axes...>(strides_));
    }

    /// Writes the elements of `from`, which may overlap. Throws `shape_error` where the extents differ.
    void copy_from(view<const value_type, Rank> from) const requires (!std::is_const_v<T>) {
        if (extents_ != from.extents())
            throw shape_error("copy_from: elements of shape " + detail::shape_text(from.extents().data(), Rank) +
                              " do not fit into shape " + detail::shape_text(extents_.data(), Rank));
        if (size() == 0) return;
        if (is_contiguous() && from.is_contiguous()) {
            std::memmove(data_, from.data(), static_cast<std::size_t>(size()) * sizeof(T));
        } else if (overlaps(from)) {
            const auto copy = std::make_unique_for_overwrite<value_type[]>(static_cast<std::size_t>(size()));
            view dense(copy.get(), extents_);
            dense.copy_strided(from);
            copy_strided(dense);
        } else {
            copy_strided(from);
        }
    }

    /// The same from an array, which may be a temporary.
    template <class Array>
        requires requires(const Array& from) { { from.as_view() } -> std::convertible_to<view<const value_type, Rank>>; }
    void copy_from(const Array& from) const requires (!std::is_const_v<T>) {
        copy_from(view<const value_type, Rank>(from.as_view()));
    }

    /// Sets every element.
    void fill(value_type value) const requires (!std::is_const_v<T>) {
        constexpr extents_of<Rank> still{};
        detail::visit_pairs<Rank>(extents_.data(), data_, strides_.data(), &value, still.data(),
                                  [](T& to, const value_type& from) { return to = from, true; });
    }

    /// Equal extents and equal elements.
    template <class U> requires std::same_as<std::remove_const_t<U>, value_type>
    bool operator==(const view<U, Rank>& other) const {
        return extents_ == other.extents() &&
               detail::visit_pairs<Rank>(extents_.data(), data_, strides_.data(), other.data(),
                                         other.strides().data(), [](const T& a, const U& b) { return a == b; });
    }

    /// Whether a write through one view could be read through the other: whether they have an element in common.
    bool overlaps(view<const value_type, Rank> other) const {
        return detail::share_memory(elements(), other.elements());
    }

private:
    template <class, int> friend class view;

    template <class U, int Of> void write(const view<U, Of>& from) const {
        constexpr bool same = std::is_same_v<std::remove_const_t<U>, value_type>, fits = Of <= Rank;
        static_assert(same, "croton: elements of another type are assigned; convert them, as in y(slice(1, -1)) = cast<float>(x)");
        static_assert(!same || fits, "croton: elements with more axes are assigned than these have; take a part, as in x(0), or reduce them, as in sum<0>(x)");
        if constexpr (same && fits) copy_from(view<const value_type, Rank>(detail::already_checked{}, from.data(), extents_, detail::repeated_strides<Rank>(extents_, from.extents(), from.strides())));
    }

    void copy_strided(view<const value_type, Rank> from) const {
        detail::visit_pairs<Rank>(extents_.data(), data_, strides_.data(), from.data(), from.strides().data(),
                                  [](T& to, const value_type& value) { return to = value, true; });
    }

    detail::strided_elements elements() const { return {data_, extents_.data(), strides_.data(), Rank, sizeof(T)}; }

    T* data_ = nullptr;
    extents_of<Rank> extents_{};
    extents_of<Rank> strides_{};
};

/// A part with axes that `none` brought, those of the bits `New`: beside other arrays they are repeated, as in `x(slice(), none) - y`.
template <class T, int Rank, unsigned New> class widened_view : public view<T, Rank> {
public:
    static constexpr unsigned new_axes = New;

    using view<T, Rank>::view;
    using view<T, Rank>::operator=;
    widened_view(const widened_view&) = default;
    widened_view& operator=(const widened_view&) & = default;
};

template <class T> view(std::span<T>) -> view<T, 1>;
template <class X> requires detail::seen<std::remove_reference_t<X>>
view(X&&) -> view<detail::element_seen<X>, detail::rank_seen<X>>;
template <class T, std::size_t Rank>
view(T*, const std::array<std::int64_t, Rank>&) -> view<T, static_cast<int>(Rank)>;
template <class T, std::size_t Rank>
view(T*, const std::array<std::int64_t, Rank>&, const std::array<std::int64_t, Rank>&)
    -> view<T, static_cast<int>(Rank)>;

/// The elements of an array of another library, as those of one of croton's, and to be written as such: `as_view(m) = a * b`. (`view(m) = a * b` would
/// declare an m.)
template <class X> requires detail::seen<std::remove_reference_t<X>>
auto as_view(X&& x) { return view<detail::element_seen<X>, detail::rank_seen<X>>(std::forward<X>(x)); }
template <class X> requires requires(X&& x) { std::forward<X>(x).as_view(); }
auto as_view(X&& x) { return std::forward<X>(x).as_view(); }
/// Of complex numbers: a compile-time error.
template <class X> requires detail::holds_complex<std::remove_cvref_t<X>>
auto as_view(X&&) {
    detail::say_no_complex<!detail::holds_complex<std::remove_cvref_t<X>>>();
    return detail::wrong_result();
}

}  // namespace croton::inline v0_1

// A view is one for std::ranges, too: its iterators outlive it.
template <class T> inline constexpr bool std::ranges::enable_view<croton::view<T, 1>> = true;
template <class T> inline constexpr bool std::ranges::enable_borrowed_range<croton::view<T, 1>> = true;

#endif
