// SPDX-License-Identifier: MIT
// Where the elements of an array live: how a device gives memory out, and the owner of one block of it.
#ifndef CROTON_ARRAY_STORAGE_HPP
#define CROTON_ARRAY_STORAGE_HPP

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <type_traits>
#include <utility>

#include <croton/core/device.hpp>
#include <croton/core/pages.hpp>

namespace croton::inline v0_1 {

/// The device whose memory the arrays of `Device` use: `reference` computes in the memory of `cpu`.
template <class Device> using array_device = std::conditional_t<std::is_same_v<Device, reference>, cpu, Device>;

/// The memory of a device; each device specialises it. Blocks are aligned to 64 bytes, sizes are in bytes, and a block
/// of no bytes is a null pointer. `on_host` says whether the host may read and write the memory directly.
template <class Device> struct memory;

template <> struct memory<cpu> {
    static constexpr bool on_host = true;
    static constexpr std::size_t alignment = detail::host_alignment;

    /// Throws `std::bad_alloc` where the host has no such block.
    static void* allocate(std::size_t bytes) { return bytes == 0 ? nullptr : detail::allocate_on_host(bytes); }
    static void deallocate(void* block, std::size_t bytes) noexcept {
        if (block != nullptr) detail::deallocate_on_host(block, bytes);
    }

    static void zero(void* to, std::size_t bytes) {
        if (bytes != 0) std::memset(to, 0, bytes);
    }

    /// Copies within the device. The other two cross from and to the host.
    static void copy(void* to, const void* from, std::size_t bytes) {
        if (bytes != 0) std::memcpy(to, from, bytes);
    }
    static void copy_from_host(void* to, const void* from, std::size_t bytes) { copy(to, from, bytes); }
    static void copy_to_host(void* to, const void* from, std::size_t bytes) { copy(to, from, bytes); }
};

template <> struct memory<reference> : memory<cpu> {};

namespace detail {

/// Owns `size` elements that nothing has been written to.
template <class T, class Device> class buffer {
public:
    buffer() = default;
    explicit buffer(std::int64_t size)
        : data_(static_cast<T*>(memory<Device>::allocate(static_cast<std::size_t>(size) * sizeof(T)))), size_(size) {}
    buffer(buffer&& other) noexcept
        : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
    buffer& operator=(buffer&& other) noexcept {
        buffer taken(std::move(other));
        std::swap(data_, taken.data_);
        std::swap(size_, taken.size_);
        return *this;
    }
    ~buffer() { memory<Device>::deallocate(data_, static_cast<std::size_t>(size_) * sizeof(T)); }

    T* data() noexcept { return data_; }
    const T* data() const noexcept { return data_; }

private:
    T* data_ = nullptr;
    std::int64_t size_ = 0;
};

/// One element on the host, kept in place: a rank-0 array allocates nothing and stays valid when it is moved from.
template <class T> class single {
public:
    single() = default;
    explicit single(std::int64_t) {}

    T* data() noexcept { return &value_; }
    const T* data() const noexcept { return &value_; }

private:
    alignas(memory<cpu>::alignment) T value_{};
};

template <class T, int Rank, class Device>
using storage = std::conditional_t<Rank == 0 && memory<Device>::on_host, single<T>, buffer<T, Device>>;

}  // namespace detail

}  // namespace croton::inline v0_1

#endif
