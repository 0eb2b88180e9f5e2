// SPDX-License-Identifier: MIT
// Arguments that lie on the host, for a device that cannot read them there: packed, small ones together, and copied to it before the steps run.
#ifndef CROTON_FUNCTION_TRANSFER_HPP
#define CROTON_FUNCTION_TRANSFER_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include <croton/function/layout.hpp>

namespace croton::inline v0_1::detail {

/// Memory on `Device` for the arguments of a call that lie on the host. A copy of a function has its own.
template <class Device, int Leaves> class host_arguments {
    using where = memory<array_device<Device>>;

public:
    host_arguments() = default;
    host_arguments(const host_arguments&) {}
    host_arguments& operator=(const host_arguments&) { return *this; }
    ~host_arguments() { where::deallocate(data_, size_); }

    /// Gives every argument on the host its place on the device, where it will lie in row-major order.
    void place(const plan_view& p, bound_array* leaves) {
        // The small ones side by side: they travel in one block.
        std::size_t bytes = 0;
        for (const bool small : {true, false}) {
            for (int i = 0; i < p.leaf_count; ++i) {
                if (!leaves[i].on_host) continue;
                const std::size_t unit = size_of(p.leaves[i].type);
                bytes_[at(i)] = static_cast<std::size_t>(checked_size(leaves[i].extent.data(), p.leaves[i].shape.rank, unit)) * unit;
                if ((bytes_[at(i)] <= small_bytes) != small) continue;
                const std::size_t aligned = small ? 16 : 64;
                offset_[at(i)] = (bytes + aligned - 1) / aligned * aligned;
                bytes = offset_[at(i)] + bytes_[at(i)];
            }
            if (small) together_ = bytes;
        }
        if (bytes > size_) {
            void* made = where::allocate(bytes);
            where::deallocate(data_, size_);
            data_ = made;
            size_ = bytes;
        }
        for (int i = 0; i < p.leaf_count; ++i) {
            host_[at(i)].take(leaves[i], p.leaves[i].shape.rank);
            if (!leaves[i].on_host) continue;
            leaves[i].data = static_cast<std::byte*>(data_) + offset_[at(i)];
            std::int64_t step = 1;
            for (int a = p.leaves[i].shape.rank; a-- > 0; step *= leaves[i].extent[at(a)]) leaves[i].stride[at(a)] = step;
        }
    }

    /// Argument `leaf` as the caller passed it.
    const bound_array& host(int leaf) const { return host_[at(leaf)]; }

    /// Copies the arguments; called when nothing can be wrong with the call any more.
    void send(const plan_view& p) {
        packed_.resize(together_);
        for (int i = 0; i < p.leaf_count; ++i)
            if (host_[at(i)].on_host && bytes_[at(i)] <= small_bytes)
                pack(host_[at(i)], p.leaves[i].shape.rank, size_of(p.leaves[i].type), packed_.data() + offset_[at(i)], bytes_[at(i)]);
        if (together_ > 0) where::copy_from_host(data_, packed_.data(), together_);
        for (int i = 0; i < p.leaf_count; ++i) {
            const bound_array& from = host_[at(i)];
            if (!from.on_host || bytes_[at(i)] <= small_bytes) continue;
            const int rank = p.leaves[i].shape.rank;
            const std::byte* dense = from.data;
            if (!from.contiguous(rank)) {
                packed_.resize(bytes_[at(i)]);
                pack(from, rank, size_of(p.leaves[i].type), packed_.data(), bytes_[at(i)]);
                dense = packed_.data();
            }
            where::copy_from_host(static_cast<std::byte*>(data_) + offset_[at(i)], dense, bytes_[at(i)]);
        }
    }

private:
    // What a copy of its own would take longer to start than to run.
    static constexpr std::size_t small_bytes = 1024;

    static constexpr std::size_t at(int i) { return static_cast<std::size_t>(i); }
    static void pack(const bound_array& from, int rank, std::size_t unit, std::byte* to, std::size_t bytes) {
        std::array<std::int64_t, max_rank> index{};
        const std::byte* source = from.data;
        for (const std::byte* const end = to + bytes; to < end; to += unit) {
            std::memcpy(to, source, unit);
            for (int a = rank; a-- > 0;) {
                source += from.stride[at(a)] * static_cast<std::int64_t>(unit);
                if (++index[at(a)] < from.extent[at(a)]) break;
                source -= from.stride[at(a)] * from.extent[at(a)] * static_cast<std::int64_t>(unit);
                index[at(a)] = 0;
            }
        }
    }

    void* data_ = nullptr;
    std::size_t size_ = 0;
    std::array<bound_array, static_cast<std::size_t>(Leaves + 1)> host_{};
    std::array<std::size_t, static_cast<std::size_t>(Leaves + 1)> offset_{}, bytes_{};
    std::size_t together_ = 0;  // bytes of the small ones
    std::vector<std::byte> packed_;
};

}  // namespace croton::inline v0_1::detail

#endif
