// SPDX-License-Identifier: MIT
// A growing array for constant evaluation.
#ifndef CROTON_CORE_VEC_HPP
#define CROTON_CORE_VEC_HPP

#include <cstddef>
#include <memory>
#include <type_traits>

namespace croton::inline v0_1::detail {

/// The room after `capacity`. While the compiler counts every copy it is memory that is cheap: it makes no element before it is set.
constexpr int next_capacity(int capacity) {
    if (std::is_constant_evaluated()) return capacity == 0 ? 1024 : 16 * capacity;
    return capacity == 0 ? 16 : 2 * capacity;
}

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
    constexpr ~vec() { release(); }

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
        if (size_ < capacity_) {
            if constexpr (is_number) at[size_++] = value;
            else put(at + size_++, value);
        } else {
            const T copy = value;  // it may be an element
            grow(next_capacity(capacity_));
            put(at + size_++, copy);
        }
    }
    constexpr void pop() { --size_; }
    constexpr void clear() { size_ = 0; }
    constexpr void resize(int size, const T& value = T()) {
        if (size > capacity_) grow(size > next_capacity(capacity_) ? size : next_capacity(capacity_));
        if constexpr (is_number) {
            // A pass fills tables with a number for each node: a turn of a loop costs as much as a number.
            int i = size_;
            const T all = value;
            for (T* to = at + i; i + 8 <= size; i += 8, to += 8) {
                to[0] = all;
                to[1] = all;
                to[2] = all;
                to[3] = all;
                to[4] = all;
                to[5] = all;
                to[6] = all;
                to[7] = all;
            }
            for (; i < size; ++i) at[i] = all;
        } else {
            for (int i = size_; i < size; ++i) put(at + i, value);
        }
        size_ = size;
    }
    /// Elements whose values are set before they are read.
    constexpr void resize_unset(int size) {
        static_assert(is_number);
        if (size > capacity_) grow(size > next_capacity(capacity_) ? size : next_capacity(capacity_));
        size_ = size;
    }
    constexpr void assign(int size, const T& value) {
        size_ = 0;
        resize(size, value);
    }

private:
    // Room has no elements yet: in constant evaluation g++ 12 makes each element of `new T[n]` by a loop of its own, which costs more
    // than all that is done with most of them. Numbers need no making.
    // The compiler's own questions: the traits of the library take as long to instantiate as the rest of this class.
    static constexpr bool is_number = !__is_class(T);
    static_assert(__is_trivially_copyable(T) && !__is_union(T));

    static constexpr void put(T* place, const T& value) {
        if constexpr (is_number) *place = value;
        else std::construct_at(place, value);
    }

    constexpr void grow(int capacity) {
        T* data = nullptr;
        // Elsewhere g++ 12 warns of numbers without a value.
        if constexpr (is_number) data = std::is_constant_evaluated() ? new T[static_cast<unsigned>(capacity)] : new T[static_cast<unsigned>(capacity)]{};
        else data = std::allocator<T>().allocate(static_cast<std::size_t>(capacity));
        for (int i = 0; i < size_; ++i)
            if constexpr (is_number) data[i] = at[i];
            else put(data + i, at[i]);
        release();
        at = data;
        capacity_ = capacity;
    }

    constexpr void release() {
        if constexpr (is_number) {
            delete[] at;
        } else if (at != nullptr) {
            std::allocator<T>().deallocate(at, static_cast<std::size_t>(capacity_));
        }
    }

    int size_ = 0;
    int capacity_ = 0;
};

}  // namespace croton::inline v0_1::detail

#endif
