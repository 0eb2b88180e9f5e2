// SPDX-License-Identifier: MIT
// The array: dense row-major elements that it owns, on one device.
#ifndef CROTON_ARRAY_ARRAY_HPP
#define CROTON_ARRAY_ARRAY_HPP

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include <croton/array/braces.hpp>
#include <croton/array/standard.hpp>
#include <croton/array/storage.hpp>
#include <croton/array/view.hpp>
#include <croton/core/device.hpp>
#include <croton/core/element.hpp>
#include <croton/core/error.hpp>
#include <croton/core/extents.hpp>
#include <croton/core/leaves.hpp>

namespace croton::inline v0_1 {

template <class T, int Rank, class Device = cpu> class array;

/// Owns elements of type `T` on `Device`: 64-byte aligned, row-major, with 64-bit extents and the semantics of a value.
/// Copying copies the elements, moving leaves an empty array (a rank-0 array keeps its value). Assigning elements of
/// the same number reuses the memory. Extents go in parentheses, values in braces: `array<float, 2> x(100, 784)` is
/// zeros and `array<float, 2> a{{1, 2}, {3, 4}}` is a matrix.
template <class T, int Rank, class Device> class array {
    static_assert(element_type<T>, "croton: an array holds bool, the integers of <cstdint> (std::int64_t for long long), float, double, half or bfloat16; of complex numbers keep real and imaginary parts in arrays of their own");
    static_assert(Rank >= 0 && Rank <= max_rank, "croton: the rank of an array is 0 to 8");

    using memory = croton::memory<Device>;
    static constexpr bool on_host = memory::on_host;

public:
    using value_type = T;
    using device = Device;
    static constexpr int rank = Rank;

    /// All extents 0; a rank-0 array is the number 0.
    array() requires (Rank > 0) = default;
    array() requires (Rank == 0) : array(extents_of<0>{}) {}

    /// Zeros of these extents, one per axis.
    template <std::integral... I> requires (Rank > 0 && sizeof...(I) == Rank)
    explicit array(I... extents) : array(extents_of<Rank>{static_cast<std::int64_t>(extents)...}) {}

    explicit array(const extents_of<Rank>& extents) : array(uninitialized(extents)) { memory::zero(data(), bytes()); }

    /// The same as a list: `array<int, 2> a({100, 32})`.
    template <std::size_t N> requires (Rank > 1 && N == static_cast<std::size_t>(Rank))
    explicit array(const std::int64_t (&extents)[N]) : array(std::to_array(extents)) {}

    /// The values in braces, a list per axis: `{1, 2, 3}`, `{{1, 2}, {3, 4}}`. Throws `shape_error` where ragged.
    array(typename detail::nested_values<T, Rank>::type values) {
        detail::measure<T, Rank>(values, extents_.data());
        if constexpr (on_host) {
            *this = uninitialized(extents_);
            detail::write_values<T, Rank>(values, extents_.data(), data());
        } else {
            *this = array<T, Rank, cpu>(values).template to<Device>();
        }
    }

    /// A copy of the elements of a view, of an array of another library (see `other_array`), or of a range of iterators.
    template <class U> requires std::same_as<std::remove_const_t<U>, T>
    array(view<U, Rank> from) requires (on_host) : array(uninitialized(from.extents())) { as_view().copy_from(from); }

    template <class X> requires (on_host && detail::seen_as<X, const T, Rank> && !std::same_as<std::remove_cvref_t<X>, extents_of<Rank>>)
    array(X&& x) : array(view<const T, Rank>(other_array<std::remove_cvref_t<X>>::of(x))) {}
    explicit array(std::span<const T> values) requires (Rank == 1 && on_host) : array(view<const T, 1>(values)) {}

    template <class... N> requires (Rank > 0 && sizeof...(N) > 0 && (std::is_arithmetic_v<N> && ...) && !(sizeof...(N) == Rank && (std::integral<N> && ...)))
    explicit array(N...) = delete;  // an array is made of one whole number for each of its axes, as in array<float, 2> x(100, 784), or of values in braces
    template <std::same_as<bool> X> requires (Rank > 0)
    array(X) = delete;  // one truth value is no array; a == b compares whole arrays, and equal(a, b) their elements, as in array<bool, 1> mask = equal(a, b)
    template <class X> requires (on_host && detail::seen<const X> && !detail::seen_as<const X&, const T, Rank>)
    explicit array(const X&) = delete;  // an array is made of elements of its type and rank; convert them, as in array<float, 1> y = cast<float>(x)
    template <class U, int R> requires (Rank + R > 0 && (R != Rank || !std::same_as<U, T>))
    explicit array(const croton::array<U, R, Device>&) = delete;  // an array is made of elements of its type and rank; convert them, as in array<float, 1> y = cast<float>(x)

    template <class X> requires std::is_convertible_v<const X&, std::string_view>
    explicit array(const X&) = delete;  // text is no array; one that a file holds is read as in load_npy<array<float, 1>>("x.npy")
    template <class... X> requires (sizeof...(X) > 1 && !(std::is_arithmetic_v<X> && ...) && !(std::forward_iterator<X> && ...))
    explicit array(const X&...) = delete;  // an array is made of one whole number for each of its axes, as in array<float, 2> x(100, 784), or of values in braces
    template <class... X> explicit array(const std::tuple<X...>&) = delete;  // several results are no array; name them, as in auto [y, z] = f(x)
    template <std::size_t... N> requires (Rank > 0 && sizeof...(N) > 1)
    array(const typename detail::nested_values<T, (Rank > 0 ? Rank - 1 : 0)>::type (&... values)[N]) = delete;  // the values have more axes than the array

    template <std::forward_iterator I> requires (Rank == 1 && on_host)
    array(I first, I last) : array(uninitialized({static_cast<std::int64_t>(std::distance(first, last))})) {
        for (T* to = data(); first != last; ++first, ++to) *to = static_cast<T>(*first);
    }

    array(const array& other) : array(uninitialized(other.extents_)) { memory::copy(data(), other.data(), bytes()); }

    array(array&& other) noexcept : extents_(std::exchange(other.extents_, {})), storage_(std::move(other.storage_)) {}

    array& operator=(const array& other) & {
        if (size() != other.size()) return *this = array(other);
        extents_ = other.extents_;
        if (this != &other) memory::copy(data(), other.data(), bytes());
        return *this;
    }

    array& operator=(array&& other) & noexcept {
        storage_ = std::move(other.storage_);
        if (this != &other) extents_ = std::exchange(other.extents_, {});
        return *this;
    }

    /// Takes the elements of a view, which may be one of this array.
    template <class U> requires (on_host && std::same_as<std::remove_const_t<U>, T>)
    array& operator=(view<U, Rank> from) & {
        if (size() != from.size()) return *this = array(from);
        view<T, Rank>(data(), from.extents()).copy_from(from);
        extents_ = from.extents();
        return *this;
    }

    template <class X> requires (on_host && detail::seen_as<X, const T, Rank>)
    array& operator=(X&& from) & { return *this = view<const T, Rank>(other_array<std::remove_cvref_t<X>>::of(from)); }
    /// Writes elements with fewer axes, repeated along the first, or one number: `y(ellipsis) = from`.
    template <class X> requires (on_host && (detail::unlike<X, T, Rank> || (Rank > 0 && std::is_arithmetic_v<X>)))
    array& operator=(const X& from) & { return detail::says_no_mask<X, T>(), as_view() = from, *this; }

    array& operator=(T value) & requires (Rank == 0) { return memory::copy_from_host(data(), &value, sizeof value), *this; }

    /// The values of an expression on arrays, which may read this one: `y = a * exp(b) + 1`. Throws `shape_error` where the extents differ; an array
    /// without elements takes those of the expression.
    template <class E> requires requires { typename E::lazy_graph; }
    CROTON_INLINE array& operator=(const E& e) & { return e.assign_to(*this), *this; }

    /// What is assigned to an array that is about to go, such as `x(ids)` or `x(mask)`, would be lost: a compile-time error.
    template <class Value> void operator=(const Value&) && {
        static_assert(std::is_void_v<Value>, "croton: what is assigned to a temporary array is lost; a part is written by x(slice(1, -1)).copy_from(y) or .fill(0), and where indices lead by x = set_at<0>(x, ids, y), where a mask does by x = where(mask, y, x)");
    }
    template <class Value> requires (requires { typename Value::lazy_graph; } || std::same_as<Value, array> || !std::is_convertible_v<const Value&, array>) void operator=(const Value&) const& {
        static_assert(std::is_void_v<Value>, "croton: the array is const, or takes no such value; it takes arrays of its own type, expressions and, on the host, numbers and what has fewer axes");
    }

    ~array() = default;

    /// An array of these extents that nothing has been written to.
    static array uninitialized(const extents_of<Rank>& extents) {
        return array(extents, storage(detail::checked_size(extents.data(), Rank, sizeof(T))));
    }

    /// An array of these extents that holds `value` everywhere.
    static array full(const extents_of<Rank>& extents, T value) {
        array result = uninitialized(extents);
        result.fill(value);
        return result;
    }

    T* data() noexcept { return storage_.data(); }
    const T* data() const noexcept { return storage_.data(); }
    const extents_of<Rank>& extents() const& noexcept { return extents_; }
    extents_of<Rank> extents() const&& noexcept { return extents_; }
    std::int64_t extent(int axis) const { return extents_[detail::axis_at<Rank>(axis)]; }
    std::int64_t stride(int axis) const { return detail::row_major_strides<Rank>(extents_)[detail::axis_at<Rank>(axis)]; }

    /// The number of elements.
    std::int64_t size() const noexcept { return detail::count_elements(extents_); }
    bool empty() const noexcept { return size() == 0; }

    /// The element at one index per axis, counted from the end where it is negative; not checked. What an array that is about to go
    /// gives out of itself is a copy.
    template <detail::whole_number... I> requires (on_host && sizeof...(I) == Rank)
    T& operator()(I... i) & { return data()[offset(i...)]; }
    template <detail::whole_number... I> requires (on_host && sizeof...(I) == Rank)
    const T& operator()(I... i) const& { return data()[offset(i...)]; }
    template <detail::whole_number... I> requires (on_host && sizeof...(I) == Rank)
    T operator()(I... i) const&& { return data()[offset(i...)]; }

    /// A part; see `view`. That of an array which is about to go is an array of its own.
    template <detail::index... I> requires (on_host && detail::names_part<Rank, I...>)
    auto operator()(I... i) & { return as_view()(i...); }
    template <detail::index... I> requires (on_host && detail::names_part<Rank, I...>)
    auto operator()(I... i) const& { return as_view()(i...); }
    template <detail::index... I> requires (on_host && detail::names_part<Rank, I...>)
    auto operator()(I... i) const&& {
        using part = detail::array_part<Rank, I...>;
        return std::conditional_t<part::new_axes != 0, widened_array<T, part::rank, part::new_axes>, croton::array<T, part::rank, Device>>(as_view()(i...));
    }

    /// The elements that arrays of whole numbers pick, an array of its own; see `view`.
    template <class... I> requires (on_host && detail::picks_elements<I...>)
    auto operator()(const I&... i) const& { return as_view()(i...); }
    template <class Of = array> detail::wrong_result operator()(std::initializer_list<std::int64_t>) const { return detail::no_braces<Of>(); }

    /// Elements on a device that the host cannot read: a compile-time error.
    template <std::integral... I> requires (!on_host && sizeof...(I) == Rank)
    T operator()(I...) const {
        static_assert(on_host && sizeof...(I) == Rank,
                      "croton: the host cannot read single elements of a device's array; copy it first: x.to<cpu>()(i)");
        return T{};
    }

    /// The same, checked: `std::out_of_range` names the axis.
    template <std::integral... I> requires (on_host && sizeof...(I) == Rank)
    T& at(I... i) & { return as_view().at(i...); }
    template <std::integral... I> requires (on_host && sizeof...(I) == Rank)
    const T& at(I... i) const& { return as_view().at(i...); }
    template <std::integral... I> requires (on_host && sizeof...(I) == Rank)
    T at(I... i) const&& { return as_view().at(i...); }

    /// The number that a rank-0 array is.
    operator T() const requires (Rank == 0) {
        T value;
        memory::copy_to_host(&value, data(), sizeof value);
        return value;
    }
    T item() const requires (Rank == 0) { return *this; }

    T* begin() & noexcept requires (on_host) { return data(); }
    T* end() & noexcept requires (on_host) { return data() + size(); }
    const T* begin() const& noexcept requires (on_host) { return data(); }
    const T* end() const& noexcept requires (on_host) { return data() + size(); }

    /// The parts `x[0]`, `x[1]`, ... as a range; see `view`.
    auto rows() & requires (on_host && Rank > 1) { return as_view().rows(); }
    auto rows() const& requires (on_host && Rank > 1) { return as_view().rows(); }
    template <class Array = array> auto rows() const&& requires (on_host && Rank > 1) { return borrowed<Array>().as_view().rows(); }

    /// All elements in row-major order.
    std::span<T> span() & requires (on_host) { return {data(), static_cast<std::size_t>(size())}; }
    std::span<const T> span() const& requires (on_host) { return {data(), static_cast<std::size_t>(size())}; }

    croton::view<T, Rank> as_view() & requires (on_host) { return viewed<T>(*this); }
    croton::view<const T, Rank> as_view() const& requires (on_host) { return viewed<const T>(*this); }
    template <class B> requires (Rank > 0 && std::is_same_v<B, bool>) explicit operator B() const { return detail::says_no_truth<B>(); }
    operator croton::view<T, Rank>() & requires (on_host) { return as_view(); }
    operator croton::view<const T, Rank>() const& requires (on_host) { return as_view(); }

    /// What borrows from an array that is about to go would read freed memory: compile-time errors.
    template <class Array = array> const T* begin() const&& requires (on_host) { return borrowed<Array>().begin(); }
    template <class Array = array> const T* end() const&& requires (on_host) { return borrowed<Array>().end(); }
    template <class Array = array> std::span<const T> span() const&& requires (on_host) { return borrowed<Array>().span(); }
    template <class Array = array> croton::view<const T, Rank> as_view() const&& requires (on_host) { return borrowed<Array>().as_view(); }
    template <class View> requires (on_host && (std::same_as<View, croton::view<T, Rank>> || std::same_as<View, croton::view<const T, Rank>>))
    operator View() const&& { return View(const_cast<T*>(borrowed<View>().data()), extents_); }

    /// Views of parts of the array; see `view`. Parts of an array that is about to go are arrays of their own.
    decltype(auto) operator[](std::int64_t i) & requires (on_host && Rank > 0) { return as_view()[i]; }
    decltype(auto) operator[](std::int64_t i) const& requires (on_host && Rank > 0) { return as_view()[i]; }
    auto operator[](std::int64_t i) const&& requires (on_host && Rank > 0) {
        if constexpr (Rank == 1) return data()[offset(i)];
        else return croton::array<T, Rank - 1, Device>(as_view()[i]);
    }
    /// Any other index, as in parentheses.
    template <detail::no_position I> decltype(auto) operator[](const I& i) & requires (on_host && Rank > 0) { return (*this)(i); }
    template <detail::no_position I> decltype(auto) operator[](const I& i) const& requires (on_host && Rank > 0) { return (*this)(i); }
    template <detail::no_position I> auto operator[](const I& i) const&& requires (on_host && Rank > 0) { return std::move(*this)(i); }
    auto slice(int axis, std::int64_t start, std::int64_t stop, std::int64_t step = 1) & requires (on_host && Rank > 0) {
        return as_view().slice(axis, start, stop, step);
    }
    auto slice(int axis, std::int64_t start, std::int64_t stop, std::int64_t step = 1) const& requires (on_host && Rank > 0) {
        return as_view().slice(axis, start, stop, step);
    }
    array slice(int axis, std::int64_t start, std::int64_t stop, std::int64_t step = 1) const&& requires (on_host && Rank > 0) {
        return as_view().slice(axis, start, stop, step);
    }
    template <int... Axes> auto transpose() & requires (on_host) { return as_view().template transpose<Axes...>(); }
    template <int... Axes> auto transpose() const& requires (on_host) { return as_view().template transpose<Axes...>(); }
    template <int... Axes> array transpose() const&& requires (on_host) { return as_view().template transpose<Axes...>(); }

    /// The same elements under other extents; one of them may be -1 and is inferred. Throws `shape_error` where the
    /// number of elements differs. An array that is moved from gives its memory away.
    template <std::integral... I> array<T, static_cast<int>(sizeof...(I)), Device> reshape(I... extents) const& {
        return reshaped(*this, extents_of<static_cast<int>(sizeof...(I))>{static_cast<std::int64_t>(extents)...});
    }
    template <std::integral... I> array<T, static_cast<int>(sizeof...(I)), Device> reshape(I... extents) && {
        return reshaped(std::move(*this), extents_of<static_cast<int>(sizeof...(I))>{static_cast<std::int64_t>(extents)...});
    }

    /// Sets every element.
    void fill(T value) {
        if constexpr (on_host) std::fill(begin(), end(), value);
        else memory::copy_from_host(data(), array<T, Rank, cpu>::full(extents_, value).data(), bytes());
    }

    /// A copy on another device (`cuda`), or on the same.
    template <class Target> array<T, Rank, array_device<Target>> to() const {
        using target = array_device<Target>;
        auto result = array<T, Rank, target>::uninitialized(extents_);
        if constexpr (std::same_as<target, Device>) {
            memory::copy(result.data(), data(), bytes());
        } else if constexpr (on_host) {
            croton::memory<target>::copy_from_host(result.data(), data(), bytes());
        } else {
            static_assert(croton::memory<target>::on_host, "croton: go through the host: x.to<cpu>().to<...>()");
            memory::copy_to_host(result.data(), data(), bytes());
        }
        return result;
    }

    /// Equal extents and equal elements. Rank-0 arrays compare as the numbers they are.
    friend bool operator==(const array& a, const array& b) requires (on_host && Rank > 0) {
        return a.as_view() == b.as_view();
    }
    template <class U> requires (on_host && Rank > 0)
    friend bool operator==(const array& a, const croton::view<U, Rank>& b) {
        return a.as_view() == b;
    }

private:
    template <class, int, class> friend class array;
    using storage = detail::storage<T, Rank, Device>;

    template <class U, class Array> static croton::view<U, Rank> viewed(Array& x) {
        return {detail::already_checked{}, x.data(), x.extents_, detail::row_major_strides<Rank>(x.extents_)};
    }

    template <class Use> const array& borrowed() const {
        static_assert(std::is_void_v<Use>, "croton: a view of a temporary array would read freed memory; give the array a name first, as in: auto y = f(x);");
        return *this;
    }

    array(const extents_of<Rank>& extents, storage&& elements) : extents_(extents), storage_(std::move(elements)) {}

    std::size_t bytes() const { return static_cast<std::size_t>(size()) * sizeof(T); }

    template <std::integral... I> std::int64_t offset(I... i) const {
        std::int64_t result = 0;
        [[maybe_unused]] std::size_t axis = 0;
        (..., (result = result * extents_[axis] + detail::from_front(i, extents_[axis]), ++axis));
        return result;
    }

    template <class From, std::size_t N>
    static auto reshaped(From&& from, std::array<std::int64_t, N> extents) {
        using result = array<T, static_cast<int>(N), Device>;
        const auto asked = extents;
        std::int64_t* inferred = nullptr;
        for (auto& extent : extents) {
            if (extent != -1) continue;
            if (inferred != nullptr) throw shape_error("reshape: at most one extent may be -1");
            inferred = &extent;
            extent = 1;
        }
        std::int64_t size = detail::checked_size(extents.data(), static_cast<int>(N), sizeof(T));
        if (inferred != nullptr && size > 0) {
            *inferred = from.size() / size;
            size *= *inferred;
        }
        if (size != from.size() || (inferred != nullptr && size == 0))
            throw shape_error("reshape: " + std::to_string(from.size()) + " elements of shape " + detail::shape_text(from.extents_.data(), Rank) +
                              " do not fit into shape " + detail::shape_text(asked.data(), static_cast<int>(N)));
        if constexpr (!std::is_lvalue_reference_v<From> &&
                      std::same_as<typename result::storage, typename array::storage>) {
            from.extents_ = {};
            return result(extents, std::move(from.storage_));
        } else {
            result copy = result::uninitialized(extents);
            memory::copy(copy.data(), from.data(), from.bytes());
            return copy;
        }
    }

    extents_of<Rank> extents_{};
    storage storage_;
};

/// A part of an array that is about to go, with axes that `none` brought; see `widened_view`.
template <class T, int Rank, unsigned New> struct widened_array : array<T, Rank> {
    static constexpr unsigned new_axes = New;
    using array<T, Rank>::array;
    using array<T, Rank>::operator=;
};

template <class T, int Rank, class Device> view(array<T, Rank, Device>&) -> view<T, Rank>;
template <class T, int Rank, class Device> view(const array<T, Rank, Device>&) -> view<const T, Rank>;

namespace detail {

template <class T, int Rank, class Device> inline constexpr bool is_leaf<array<T, Rank, Device>> = true;
template <class T, int Rank, unsigned New> inline constexpr bool is_leaf<widened_array<T, Rank, New>> = true;

}  // namespace detail

/// The kinds of arrays of a device, as a model takes them: `mlp<on<cpu>::array>`.
template <class Device> struct on {
    template <class T, int Rank> using array = croton::array<T, Rank, array_device<Device>>;
};

}  // namespace croton::inline v0_1

#endif
