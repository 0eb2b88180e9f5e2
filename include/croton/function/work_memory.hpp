// SPDX-License-Identifier: MIT
// The memory that a function keeps for its next call.
#ifndef CROTON_FUNCTION_WORK_MEMORY_HPP
#define CROTON_FUNCTION_WORK_MEMORY_HPP

#include <cstddef>
#include <cstdint>

namespace croton::inline v0_1::detail {

/// The memory for the temporaries of a function, grown on demand and never shrunk. A copy of a function has its own.
template <class Device> class work_memory {
public:
    work_memory() = default;
    work_memory(const work_memory&) {}
    work_memory& operator=(const work_memory&) {
        settled = false;
        return *this;
    }
    ~work_memory() { Device::deallocate(data_, size_); }

    /// Whether the memory and everything that is computed from the layouts of the arguments fit the next run.
    bool settled = false;

    std::byte* data() const { return static_cast<std::byte*>(data_); }
    void reserve(std::int64_t bytes) {
        const auto wanted = static_cast<std::size_t>(bytes);
        if (wanted > size_) {
            void* made = Device::allocate(wanted);
            Device::deallocate(data_, size_);
            data_ = made;
            size_ = wanted;
        }
    }

private:
    void* data_ = nullptr;
    std::size_t size_ = 0;
};

}  // namespace croton::inline v0_1::detail

#endif
