// SPDX-License-Identifier: MIT
// The rows of a view as a range.
#ifndef CROTON_ARRAY_ROWS_HPP
#define CROTON_ARRAY_ROWS_HPP

#include <compare>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>
#include <type_traits>

#include <croton/array/view.hpp>

namespace croton::inline v0_1 {

namespace detail {

/// Index after index of the first axis. What it points to is a view, made anew each time.
template <class T, int Rank> class row_iterator {
public:
    using iterator_concept = std::random_access_iterator_tag;
    using iterator_category = std::input_iterator_tag;
    using value_type = view<T, Rank - 1>;
    using difference_type = std::ptrdiff_t;
    using reference = value_type;
    using pointer = void;

    row_iterator() = default;
    row_iterator(const view<T, Rank>& all, std::int64_t at) : all_(all), at_(at) {}

    value_type operator*() const { return all_[at_]; }
    value_type operator[](difference_type n) const { return all_[at_ + n]; }

    row_iterator& operator+=(difference_type n) { return at_ += n, *this; }
    row_iterator& operator-=(difference_type n) { return at_ -= n, *this; }
    row_iterator& operator++() { return *this += 1; }
    row_iterator& operator--() { return *this -= 1; }
    row_iterator operator++(int) { return ++*this, *this - 1; }
    row_iterator operator--(int) { return --*this, *this + 1; }
    friend row_iterator operator+(row_iterator i, difference_type n) { return i += n; }
    friend row_iterator operator+(difference_type n, row_iterator i) { return i += n; }
    friend row_iterator operator-(row_iterator i, difference_type n) { return i -= n; }
    friend difference_type operator-(const row_iterator& a, const row_iterator& b) { return static_cast<difference_type>(a.at_ - b.at_); }
    friend bool operator==(const row_iterator& a, const row_iterator& b) { return a.at_ == b.at_; }
    friend auto operator<=>(const row_iterator& a, const row_iterator& b) { return a.at_ <=> b.at_; }

private:
    view<T, Rank> all_;
    std::int64_t at_ = 0;
};

template <class T, int Rank> class row_range {
public:
    explicit row_range(const view<T, Rank>& all) : all_(all) {}
    row_iterator<T, Rank> begin() const { return {all_, 0}; }
    row_iterator<T, Rank> end() const { return {all_, all_.extent(0)}; }
    std::size_t size() const { return static_cast<std::size_t>(all_.extent(0)); }

private:
    view<T, Rank> all_;
};

}  // namespace detail

}  // namespace croton::inline v0_1

template <class T, int Rank> inline constexpr bool std::ranges::enable_borrowed_range<croton::detail::row_range<T, Rank>> = true;

#endif
