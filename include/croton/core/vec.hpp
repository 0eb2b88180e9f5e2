// SPDX-License-Identifier: MIT
// A growing array for constant evaluation.
#ifndef CROTON_CORE_VEC_HPP
#define CROTON_CORE_VEC_HPP

namespace croton::inline v0_1::detail {

/// What std::vector is at run time, inside constant evaluation. Not std::vector itself, because clang with libstdc++ 12
/// rejects parts of it there; not copyable, because g++ 12 miscompiles destructors of by-value class parameters.
template <class T> class vec {
public:
    constexpr vec() = default;
    constexpr explicit vec(int size, const T& value = T()) { resize(size, value); }
    vec(const vec&) = delete;
    vec& operator=(const vec&) = delete;
    constexpr ~vec() { delete[] data_; }

    constexpr int size() const { return size_; }
    constexpr bool empty() const { return size_ == 0; }
    constexpr T& operator[](int i) { return data_[i]; }
    constexpr const T& operator[](int i) const { return data_[i]; }
    constexpr T& back() { return data_[size_ - 1]; }
    constexpr const T* begin() const { return data_; }
    constexpr const T* end() const { return data_ + size_; }
    constexpr T* begin() { return data_; }
    constexpr T* end() { return data_ + size_; }

    constexpr void push(const T& value) {
        const T copy = value;
        if (size_ == capacity_) grow(capacity_ < 8 ? 16 : capacity_ * 2);
        data_[size_++] = copy;
    }
    constexpr void pop() { --size_; }
    constexpr void clear() { size_ = 0; }
    constexpr void resize(int size, const T& value = T()) {
        if (size > capacity_) grow(size > 2 * capacity_ ? size : 2 * capacity_);
        for (int i = size_; i < size; ++i) data_[i] = value;
        size_ = size;
    }
    constexpr void assign(int size, const T& value) {
        size_ = 0;
        resize(size, value);
    }

private:
    constexpr void grow(int capacity) {
        T* data = new T[static_cast<unsigned>(capacity)]{};
        for (int i = 0; i < size_; ++i) data[i] = data_[i];
        delete[] data_;
        data_ = data;
        capacity_ = capacity;
    }

    T* data_ = nullptr;
    int size_ = 0;
    int capacity_ = 0;
};

}  // namespace croton::inline v0_1::detail

#endif
