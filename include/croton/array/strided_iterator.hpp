// SPDX-License-Identifier: MIT
// An iterator over elements that lie a step apart.
#ifndef CROTON_ARRAY_STRIDED_ITERATOR_HPP
#define CROTON_ARRAY_STRIDED_ITERATOR_HPP

#include <compare>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <type_traits>

namespace croton::inline v0_1::detail {

/// It counts, because a step may be 0 and places behind the last one need not exist.
template <class T> class strided_iterator {
public:
    using iterator_category = std::random_access_iterator_tag;
    using value_type = std::remove_const_t<T>;
    using difference_type = std::ptrdiff_t;
    using pointer = T*;
    using reference = T&;

    strided_iterator() = default;
    strided_iterator(T* first, std::int64_t step) : first_(first), step_(step) {}

    T& operator*() const { return first_[at_ * step_]; }
    T* operator->() const { return &**this; }
    T& operator[](difference_type n) const { return *(*this + n); }

    strided_iterator& operator+=(difference_type n) { return at_ += n, *this; }
    strided_iterator& operator-=(difference_type n) { return at_ -= n, *this; }
    strided_iterator& operator++() { return *this += 1; }
    strided_iterator& operator--() { return *this -= 1; }
    strided_iterator operator++(int) { return ++*this, *this - 1; }
    strided_iterator operator--(int) { return --*this, *this + 1; }
    friend strided_iterator operator+(strided_iterator i, difference_type n) { return i += n; }
    friend strided_iterator operator+(difference_type n, strided_iterator i) { return i += n; }
    friend strided_iterator operator-(strided_iterator i, difference_type n) { return i -= n; }
    friend difference_type operator-(const strided_iterator& a, const strided_iterator& b) { return static_cast<difference_type>(a.at_ - b.at_); }
    friend bool operator==(const strided_iterator& a, const strided_iterator& b) { return a.at_ == b.at_; }
    friend auto operator<=>(const strided_iterator& a, const strided_iterator& b) { return a.at_ <=> b.at_; }

private:
    T* first_ = nullptr;
    std::int64_t step_ = 1, at_ = 0;
};

}  // namespace croton::inline v0_1::detail

#endif
