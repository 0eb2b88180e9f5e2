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
/// expressions, which keep it in turn where it is a temporary; `x.as_view()` is the view alone, by which elements are written. On a `Device` whose
/// memory the host does not read there is no such view, and functions on that device and `y = x * 2` are what reads it.
template <class T, int Rank, class Device = cpu> class held_view {
    static constexpr bool on_host = memory<Device>::on_host;

public:
    using value_type = std::remove_const_t<T>;
    using device = Device;
    static constexpr int rank = Rank;

    held_view(const view<T, Rank>& elements, std::shared_ptr<const void> owner) requires (on_host) : elements_(elements), owner_(std::move(owner)) {}
    /// Elements on a device. Strides are in elements; the address is one of the device.
    held_view(T* data, const extents_of<Rank>& extents, const extents_of<Rank>& strides, std::shared_ptr<const void> owner) : elements_(data, extents, strides), owner_(std::move(owner)) {}
    /// The elements of an array that others may share, too.
    template <class Array> requires (on_host && requires(Array& x) { { x.as_view() } -> std::convertible_to<view<T, Rank>>; })
    explicit held_view(const std::shared_ptr<Array>& x) : elements_(x->as_view()), owner_(x) {}
    template <class Array> requires (!on_host && requires(Array& x) { { x.data() } -> std::convertible_to<T*>; requires std::same_as<typename Array::device, Device> && Array::rank == Rank; })
    explicit held_view(const std::shared_ptr<Array>& x) : elements_(x->data(), x->extents()), owner_(x) {}

    view<T, Rank> as_view() const& requires (on_host) { return elements_; }
    /// That of a temporary would outlive the owner: a compile-time error.
    template <class Held = held_view> view<T, Rank> as_view() const&& requires (on_host) {
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
    bool empty() const { return size() == 0; }
    bool is_contiguous() const { return elements_.is_contiguous(); }
    template <std::integral... I> requires (on_host && sizeof...(I) == Rank)
    T& operator()(I... i) const { return elements_(i...); }
    /// Parts, as of a view. Those of a temporary would outlive the owner.
    template <class... I> requires (on_host && !(sizeof...(I) == Rank && (std::integral<I> && ...)))
    auto operator()(const I&... i) const& { return elements_(i...); }
    template <class... I> requires (on_host && !(sizeof...(I) == Rank && (std::integral<I> && ...)))
    auto operator()(const I&... i) const&& { return std::move(*this).as_view()(i...); }
    decltype(auto) operator[](std::int64_t i) const& requires (on_host && Rank > 0) { return elements_[i]; }
    auto rows() const& requires (on_host && Rank > 1) { return elements_.rows(); }

    auto begin() const requires (on_host && Rank == 1) { return elements_.begin(); }
    auto end() const requires (on_host && Rank == 1) { return elements_.end(); }

    friend std::ostream& operator<<(std::ostream& out, const held_view& x) requires (on_host) { return out << x.elements_; }

private:
    view<T, Rank> elements_;  // of a device: where they lie, and how
    std::shared_ptr<const void> owner_;
};

template <class T, int Rank> held_view(const view<T, Rank>&, std::shared_ptr<const void>) -> held_view<T, Rank>;
template <class T, int Rank, class Device> held_view(const std::shared_ptr<array<T, Rank, Device>>&) -> held_view<T, Rank, array_device<Device>>;
template <class T, int Rank, class Device> held_view(const std::shared_ptr<const array<T, Rank, Device>>&) -> held_view<const T, Rank, array_device<Device>>;

template <class T, int Rank> struct other_array<held_view<T, Rank>> {
    static constexpr bool owns_elements = true, is_plain = true;
    static view<T, Rank> of(const held_view<T, Rank>& x) { return x.as_view(); }
};

/// On a device it is bound as an array of that device is.
template <class T, int Rank, class Device> requires (!memory<Device>::on_host)
struct detail::argument_traits<held_view<T, Rank, Device>> {
    static constexpr bool is_array = true;
    using element = std::remove_const_t<T>;
    static constexpr int rank = Rank;
    using device = Device;
};

}  // namespace croton::inline v0_1

#endif
