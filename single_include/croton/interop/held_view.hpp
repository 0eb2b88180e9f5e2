// SPDX-License-Identifier: MIT
// A view with a share in the owner of its elements.
#ifndef CROTON_INTEROP_HELD_VIEW_HPP
#define CROTON_INTEROP_HELD_VIEW_HPP

#include <concepts>
#include <cstdint>
#include <memory>
#include <ostream>
#include <utility>

#include <croton/croton.hpp>

namespace croton::inline v0_1 {

/// Elements that somebody else owns, and keeps as long as this or a copy of it is there. It is an argument of functions and an operand of
/// expressions, which keep it in turn where it is a temporary; `x.as_view()` is the view alone, by which elements are written.
template <class T, int Rank> class held_view {
public:
    using value_type = std::remove_const_t<T>;
    static constexpr int rank = Rank;

    held_view(const view<T, Rank>& elements, std::shared_ptr<const void> owner) : elements_(elements), owner_(std::move(owner)) {}
    /// The elements of an array that others may share, too.
    template <class Array> requires requires(Array& x) { { x.as_view() } -> std::convertible_to<view<T, Rank>>; }
    explicit held_view(const std::shared_ptr<Array>& x) : elements_(x->as_view()), owner_(x) {}

    view<T, Rank> as_view() const& { return elements_; }
    /// That of a temporary would outlive the owner: a compile-time error.
    template <class Held = held_view> view<T, Rank> as_view() const&& {
        static_assert(std::is_void_v<Held>, "croton: a view of a temporary would read freed memory; give what holds the elements a name first");
        return elements_;
    }
    const std::shared_ptr<const void>& owner() const { return owner_; }

    T* data() const { return elements_.data(); }
    const extents_of<Rank>& extents() const& { return elements_.extents(); }
    const extents_of<Rank>& strides() const& { return elements_.strides(); }
    std::int64_t extent(int axis) const { return elements_.extent(axis); }
    std::int64_t stride(int axis) const { return elements_.stride(axis); }
    std::int64_t size() const { return elements_.size(); }
    template <std::integral... I> requires (sizeof...(I) == Rank)
    T& operator()(I... i) const { return elements_(i...); }

    auto begin() const requires (Rank == 1) { return elements_.begin(); }
    auto end() const requires (Rank == 1) { return elements_.end(); }

    friend std::ostream& operator<<(std::ostream& out, const held_view& x) { return out << x.elements_; }

private:
    view<T, Rank> elements_;
    std::shared_ptr<const void> owner_;
};

template <class T, int Rank, class Device> held_view(const std::shared_ptr<array<T, Rank, Device>>&) -> held_view<T, Rank>;
template <class T, int Rank, class Device> held_view(const std::shared_ptr<const array<T, Rank, Device>>&) -> held_view<const T, Rank>;

template <class T, int Rank> struct other_array<held_view<T, Rank>> {
    static constexpr bool owns_elements = true, is_plain = true;
    static view<T, Rank> of(const held_view<T, Rank>& x) { return x.as_view(); }
};

}  // namespace croton::inline v0_1

#endif
