// SPDX-License-Identifier: MIT
// Where the few largest elements of a row lie, by one pass over it: registers whose elements are no larger than those found so far are passed over.
#ifndef CROTON_DEVICE_CPU_FEW_LARGEST_HPP
#define CROTON_DEVICE_CPU_FEW_LARGEST_HPP

#include <croton/device/cpu/lanes.hpp>
#include <croton/kernel/routine/sort.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace croton::inline v0_1::detail::cpu_device {

/// The places that `kernel::topk` gives.
template <class In, class Arch> class few_largest {
    using T = arithmetic_t<In>;
    static constexpr std::int64_t most = 32;
    static constexpr std::size_t bytes = register_bytes<Arch>();

    T found_[most];
    std::int64_t place_[most], count_ = 0, wanted_;

    explicit few_largest(std::int64_t wanted) : wanted_(wanted) {}

    CROTON_INLINE bool belongs(T v) const { return kernel::stands_before<true>(v, found_[wanted_ - 1]); }
    /// Of equal elements the first is there first.
    void put(T v, std::int64_t place) {
        std::int64_t at = count_ < wanted_ ? count_++ : wanted_ - 1;
        for (; at > 0 && kernel::stands_before<true>(v, found_[at - 1]); --at) found_[at] = found_[at - 1], place_[at] = place_[at - 1];
        found_[at] = v, place_[at] = place;
    }
    /// How many of the elements at the places begin .. end were put among those found.
    std::int64_t look(const kernel::vector<const In>& x, std::int64_t begin, std::int64_t end) {
        std::int64_t put_in = 0;
        for (std::int64_t i = begin; i < end; ++i)
            if (const T v = x.data[i * x.stride]; belongs(v)) put(v, i), ++put_in;
        return put_in;
    }
    /// Whether any of `together` registers has one that belongs there; never of what is no number.
    static constexpr std::int64_t together = 4;
    template <class V> CROTON_INLINE bool may_belong(const In* x) const {
        const auto at = [x](std::int64_t k) CROTON_INLINED {
            V v;
            std::memcpy(&v, x + k * static_cast<std::int64_t>(sizeof(V) / sizeof(In)), sizeof v);
            return v;
        };
        const V last = V{} + found_[wanted_ - 1];
        const auto larger = (at(0) > last) | (at(1) > last) | (at(2) > last) | (at(3) > last);
        std::uint64_t word[sizeof larger / 8], any = 0;
        std::memcpy(word, &larger, sizeof larger);
        for (const std::uint64_t each : word) any |= each;
        return any != 0;
    }

public:
    /// Of shorter rows many elements are among the largest for a while, and each that is found moves half of them.
    static bool takes(std::int64_t wanted, std::int64_t length) { return wanted > 0 && wanted <= most && length >= wanted * (2 * wanted + 20); }

    /// False where more and more are larger, as in a row that ascends, which is sooner sorted: nothing is written.
    template <class I> static bool run(const kernel::vector<I>& y, const kernel::vector<const In>& x) {
        few_largest all(y.size);
        for (std::int64_t i = 0; i < y.size; ++i) all.put(x.data[i * x.stride], i);
        // In rows of no order w ln(n / w) of n elements are among the w largest so far.
        const std::int64_t limit = 8 + y.size * (2 + static_cast<std::int64_t>(std::bit_width(static_cast<std::uint64_t>(x.size / y.size))));
        std::int64_t i = y.size, put_in = 0;
        if constexpr (requires { typename lanes_of<In, bytes>::type; }) {
            using V = typename lanes_of<In, bytes>::type;
            constexpr std::int64_t step = together * static_cast<std::int64_t>(bytes / sizeof(In));
            if (x.stride == 1)
                for (; i + step <= x.size && put_in <= limit; i += step) {
                    const T last = all.found_[y.size - 1];
                    if (last == last && !all.template may_belong<V>(x.data + i)) continue;
                    put_in += all.look(x, i, i + step);
                }
        }
        constexpr std::int64_t some = 64;
        for (; i < x.size && put_in <= limit; i += some) put_in += all.look(x, i, i + some < x.size ? i + some : x.size);
        if (put_in > limit) return false;
        for (std::int64_t k = 0; k < y.size; ++k) y.data[k * y.stride] = static_cast<I>(all.place_[k]);
        return true;
    }
};

}  // namespace croton::inline v0_1::detail::cpu_device

#endif
