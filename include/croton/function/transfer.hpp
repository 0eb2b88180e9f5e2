// SPDX-License-Identifier: MIT
// Arguments that lie on the host, for a device that cannot read them there: packed, and copied to it before the steps run.
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
        std::size_t bytes = 0;
        for (int i = 0; i < p.leaf_count; ++i) {
            if (!leaves[i].on_host) continue;
            offset_[at(i)] = bytes;
            const std::size_t unit = size_of(p.leaves[i].type);
            bytes += (static_cast<std::size_t>(checked_size(leaves[i].extent.data(), p.leaves[i].shape.rank, unit)) * unit + 63) / 64 * 64;
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
        for (int i = 0; i < p.leaf_count; ++i) {
            const bound_array& from = host_[at(i)];
            if (!from.on_host) continue;
            const int rank = p.leaves[i].shape.rank;
            const std::size_t unit = size_of(p.leaves[i].type), bytes = static_cast<std::size_t>(count(p, i, from)) * unit;
            const std::byte* dense = from.data;
            if (!from.contiguous(rank)) {
                packed_.resize(bytes);
                pack(from, rank, unit);
                dense = packed_.data();
            }
            where::copy_from_host(static_cast<std::byte*>(data_) + offset_[at(i)], dense, bytes);
        }
    }

private:
    static constexpr std::size_t at(int i) { return static_cast<std::size_t>(i); }
    static std::int64_t count(const plan_view& p, int leaf, const bound_array& a) {
        std::int64_t n = 1;
        for (int x = 0; x < p.leaves[leaf].shape.rank; ++x) n *= a.extent[at(x)];
        return n;
    }
    void pack(const bound_array& from, int rank, std::size_t unit) {
        std::array<std::int64_t, max_rank> index{};
        const std::byte* source = from.data;
        for (std::size_t to = 0; to < packed_.size(); to += unit) {
            std::memcpy(packed_.data() + to, source, unit);
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
    std::array<std::size_t, static_cast<std::size_t>(Leaves + 1)> offset_{};
    std::vector<std::byte> packed_;
};

}  // namespace croton::inline v0_1::detail

#endif
