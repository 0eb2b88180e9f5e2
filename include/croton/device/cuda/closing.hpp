// SPDX-License-Identifier: MIT
// Single numbers that the last block of a launch computes when the loop has ended: what the sums are for, and what may wait until then.
#ifndef CROTON_DEVICE_CUDA_CLOSING_HPP
#define CROTON_DEVICE_CUDA_CLOSING_HPP

#include <croton/device/cuda/footprint.hpp>
#include <croton/device/cuda/ports.hpp>
#include <croton/kernel/argument.hpp>
#include <croton/kernel/key.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace croton::inline v0_1::detail::cuda_device {

/// The memory of such numbers, that of one kernel behind that of another. The host's numbers are the same for all.
template <int Slots, int Scalars> struct closing_arguments {
    std::byte* data[bound<Slots>];
    std::int64_t scalar[bound<Scalars>];
};

/// The kernels of such numbers in their order, by their keys. One thread runs them: all other blocks have read what they write.
template <class... Key> struct closing_keys {
    static constexpr int slots = (0 + ... + footprint<kernel::keyed_t<Key>>::all.slots);
    static constexpr int scalars = std::max({0, footprint<kernel::keyed_t<Key>>::all.scalars...});
    using arguments = closing_arguments<slots, scalars>;

    /// The kernel with number k has its slots in slot[k].
    static arguments of(const kernel::operand* const* slot, const std::int64_t* scalar) {
        arguments a{};
        std::byte** to = a.data;
        const auto take = [&](int count) {
            for (int s = 0; s < count; ++s) *to++ = (*slot)[s].data;
            ++slot;
        };
        (take(footprint<kernel::keyed_t<Key>>::all.slots), ...);
        for (int k = 0; k < scalars; ++k) a.scalar[k] = scalar[k];
        return a;
    }
    static CROTON_DEVICE void run(const arguments& a) {
        memory at{a.data, a.scalar};
        (run_one(at, std::type_identity<kernel::keyed_t<Key>>()), ...);
    }

private:
    struct memory {
        std::byte* const* data;
        const std::int64_t* scalar;
    };
    template <int J, class U> static CROTON_DEVICE void run_one(memory& at, std::type_identity<kernel::kernel<0, J, U, kernel::block<>>>) {
        (void)compute_uniforms<U>(at);
        at.data += footprint<kernel::kernel<0, J, U, kernel::block<>>>::all.slots;
    }
};

/// How a loop is launched that is closed by `Keys`.
template <class Keys> struct closed_launch {
    static constexpr bool closes = true;
    typename Keys::arguments then;

    template <class Platform, class Kernel, int Width, auto Entry, class Args> std::int64_t resident(const Args& a) const {
        return Platform::template resident_closed<Kernel, Width, Entry>(a, Keys(), then);
    }
    template <class Platform, class Kernel, int Width, auto Entry, class Args> void launch(std::int64_t blocks, const Args& a) const {
        Platform::template launch_closed<Kernel, Width, Entry>(blocks, a, Keys(), then);
    }
};
/// The same of one that nothing closes.
struct open_launch {
    static constexpr bool closes = false;

    template <class Platform, class Kernel, int Width, auto Entry, class Args> static std::int64_t resident(const Args& a) {
        return Platform::template resident<Kernel, Width, Entry>(a);
    }
    template <class Platform, class Kernel, int Width, auto Entry, class Args> static void launch(std::int64_t blocks, const Args& a) {
        Platform::template launch<Kernel, Width, Entry>(blocks, a);
    }
};

}  // namespace croton::inline v0_1::detail::cuda_device

#endif
