// SPDX-License-Identifier: MIT
// A growing array for constant evaluation.
#ifndef CROTON_CORE_VEC_HPP
#define CROTON_CORE_VEC_HPP

#include <type_traits>

namespace croton::inline v0_1::detail {

/// What std::vector is at run time, inside constant evaluation. Not std::vector itself, because clang with libstdc++ 12
/// rejects parts of it there; not copyable, because g++ 12 miscompiles destructors of by-value class parameters.
template <class T> class vec {
public:
    /// The elements, for passes that visit every node: in constant evaluation `v.at[i]` costs a third of `v[i]`, which is a call.
    T* at = nullptr;

    constexpr vec() = default;
    constexpr explicit vec(int size, const T& value = T()) { resize(size, value); }
    vec(const vec&) = delete;
    vec& operator=(const vec&) = delete;
    constexpr ~vec() { delete[] at; }

    constexpr int size() const { return size_; }
    constexpr bool empty() const { return size_ == 0; }
    constexpr T& operator[](int i) { return at[i]; }
    constexpr const T& operator[](int i) const { return at[i]; }
    constexpr T& back() { return at[size_ - 1]; }
    constexpr const T* begin() const { return at; }
    constexpr const T* end() const { return at + size_; }
    constexpr T* begin() { return at; }
    constexpr T* end() { return at + size_; }

    constexpr void push(const T& value) {
        const T copy = value;
        if (size_ == capacity_) grow(capacity_ < 8 ? 16 : capacity_ * 2);
        at[size_++] = copy;
    }
    constexpr void pop() { --size_; }
    constexpr void clear() { size_ = 0; }
    constexpr void resize(int size, const T& value = T()) {
        if (size > capacity_) grow(size > 2 * capacity_ ? size : 2 * capacity_);
        for (int i = size_; i < size; ++i) at[i] = value;
        size_ = size;
    }
    constexpr void assign(int size, const T& value) {
        size_ = 0;
        resize(size, value);
    }

private:
    constexpr void grow(int capacity) {
        // Where the compiler counts every write, none is made twice; elsewhere g++ 12 warns of elements without a value.
        T* data = std::is_constant_evaluated() ? new T[static_cast<unsigned>(capacity)] : new T[static_cast<unsigned>(capacity)]{};
        for (int i = 0; i < size_; ++i) data[i] = at[i];
        delete[] at;
        at = data;
        capacity_ = capacity;
    }

    int size_ = 0;
    int capacity_ = 0;
};

}  // namespace croton::inline v0_1::detail

#endif
