// SPDX-License-Identifier: MIT
// Sums down columns by threads that share the rows: each has sums of its own, which are joined in their order.
#ifndef CROTON_DEVICE_CPU_OWN_COLUMNS_HPP
#define CROTON_DEVICE_CPU_OWN_COLUMNS_HPP

#include <croton/device/cpu/nest.hpp>
#include <croton/device/cpu/threads.hpp>
#include <croton/kernel/registers.hpp>

#include <algorithm>

namespace croton::inline v0_1::detail::cpu_device {

/// `Sinks` are what is summed along the innermost axis, in a kernel with `Slots` slots.
template <class Arch, int Slots, class Sinks> class own_columns;
template <class Arch, int Slots, class... Sink> class own_columns<Arch, Slots, kernel::block<Sink...>> {
    /// Of more columns than have room threads take some each.
    static constexpr std::int64_t room_bytes = 32 * 1024, line = 64;

    std::byte* base_[most_threads][bound<Slots>];
    alignas(line) std::byte room_[room_bytes];

    template <class S> static std::int64_t bytes_of(std::int64_t columns) {
        return (columns * static_cast<std::int64_t>(sizeof(typename S::element)) + line - 1) / line * line;
    }

public:
    /// Whether rows may be split along `axis`: the sums lie side by side, and there is room for those of all threads.
    template <class Nest> static bool fit(const Nest& inner, int axis) {
        const int last = inner.rank - 1;
        bool fine = axis < last;
        const auto check = [&](int slot, std::int64_t bytes) {
            for (int a = 0; a < last; ++a) fine = fine && inner.stride[slot][a] == 0;
            fine = fine && inner.stride[slot][last] == bytes;
        };
        (check(Sink::slot, static_cast<std::int64_t>(sizeof(typename Sink::element))), ...);
        return fine && inner.extent[last] <= room_bytes && (std::int64_t{0} + ... + bytes_of<Sink>(inner.extent[last])) * (std::min(threads(), most_threads) - 1) <= room_bytes;
    }

    /// Calls `f` with what each of `parts` threads has in the place of `base`, and how far apart that is. The first adds to what is there.
    template <class F> static void share(std::byte* const* base, std::int64_t columns, int parts, F f) {
        own_columns own;
        std::byte* next = own.room_;
        for (int part = 0; part < parts; ++part) {
            std::copy_n(base, Slots, own.base_[part]);
            if (part > 0) (own.template give<Sink>(part, columns, next), ...);
        }
        f(own.base_[0], Slots);
        for (int part = 1; part < parts; ++part) (own.template add<Sink>(part, columns), ...);
    }

private:
    template <class S> void give(int part, std::int64_t columns, std::byte*& next) {
        using T = typename S::element;
        std::fill_n(reinterpret_cast<T*>(next), columns, static_cast<T>(S::reduction::template identity<T>()));
        base_[part][S::slot] = next;
        next += bytes_of<S>(columns);
    }
    template <class S> void add(int part, std::int64_t columns) {
        using T = typename S::element;
        T* const to = reinterpret_cast<T*>(base_[0][S::slot]);
        const T* const from = reinterpret_cast<const T*>(base_[part][S::slot]);
        for (std::int64_t k = 0; k < columns; ++k)
            to[k] = static_cast<T>(S::reduction::combine(static_cast<arithmetic_t<T>>(to[k]), static_cast<arithmetic_t<T>>(from[k])));
    }
};

}  // namespace croton::inline v0_1::detail::cpu_device

#endif
