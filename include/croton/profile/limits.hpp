// SPDX-License-Identifier: MIT
// What this machine can do at most: loops over memory, products and arithmetic on the CPU, measured once in a process.
#ifndef CROTON_PROFILE_LIMITS_HPP
#define CROTON_PROFILE_LIMITS_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <croton/device/cpu/cpu.hpp>
#include <croton/graph/table.hpp>
#include <croton/profile/arithmetic.hpp>
#include <croton/profile/clock.hpp>

namespace croton::inline v0_1::detail {

/// A template, so that only programs that write a report compile it.
template <class Device = cpu> struct machine_of {
    /// The limits for the number of threads that is set; measured anew when it has changed.
    static machine_limits limits() {
        thread_local int measured_for = 0;
        thread_local machine_limits found;
        if (measured_for != threads()) {
            found = measure();
            measured_for = threads();
        }
        return found;
    }

private:
    // c = a + 3 b over floats, through the loops that functions run.
    using triad = kernel::kernel<
        0, 1, kernel::block<kernel::literal<float, 0x40400000>>, kernel::block<>,
        kernel::phase<kernel::block<kernel::load<float, 0>, kernel::load<float, 1>,
                                    kernel::apply<op::multiply, kernel::e<1, float>, kernel::u<0, float>>,
                                    kernel::apply<op::add, kernel::e<0, float>, kernel::e<2, float>>, kernel::store<float, 2, kernel::e<3, float>>>,
                      kernel::block<>, kernel::block<>>>;

    // The least time of some tries; what takes long is not tried again.
    template <class F> static nanoseconds best(int tries, F&& f) {
        nanoseconds least = 0;
        for (int i = 0; i < tries && least < 50'000'000; ++i) {
            const nanoseconds start = steady_nanoseconds::now();
            f();
            const nanoseconds t = std::max<nanoseconds>(steady_nanoseconds::now() - start, 1);
            least = i == 0 ? t : std::min(least, t);
        }
        return least;
    }

    using total = kernel::kernel<
        0, 1, kernel::block<>, kernel::block<>,
        kernel::phase<kernel::block<kernel::load<float, 0>, kernel::load<float, 1>,
                                    kernel::apply<op::add, kernel::e<0, float>, kernel::e<1, float>>,
                                    kernel::accumulate_inner<reduction::sum, float, 2, kernel::e<2, float>>>,
                      kernel::block<>, kernel::block<>>>;

    /// GB/s of a loop over arrays of `bytes` bytes together.
    template <class Kernel> static double rate(std::vector<float>& memory, std::int64_t bytes, int arrays, std::int64_t stride) {
        const std::int64_t n = bytes / (arrays * static_cast<std::int64_t>(sizeof(float)));
        kernel::operand slots[3];
        for (int i = 0; i < 3; ++i) {
            slots[i].data = reinterpret_cast<std::byte*>(memory.data() + i * n);
            slots[i].stride[0] = i < 2 ? 1 : stride;
        }
        const std::int64_t extents[max_rank] = {n};
        const std::int64_t repeats = std::max<std::int64_t>(1, (std::int64_t{8} << 20) / bytes);
        const nanoseconds t = best(4, [&] {
            for (std::int64_t r = 0; r < repeats; ++r) Device::template run<Kernel>(extents, slots, nullptr);
        });
        return static_cast<double>(arrays * n * repeats) * sizeof(float) / static_cast<double>(t);
    }

    template <class T> static double gemm_rate() {
        // Many threads are kept busy by large matrices only.
        double most = 0;
        for (std::int64_t n = 512;; n *= 2) {
            const auto size = static_cast<std::size_t>(n * n);
            std::vector<T> a(size, T(1)), b(size, T(1)), c(size);
            const kernel::matrix<const T> left{a.data(), n, n, n, 1}, right{b.data(), n, n, n, 1};
            const kernel::matrix<T> to{c.data(), n, n, n, 1};
            std::vector<T> room(static_cast<std::size_t>(cpu_device::gemm<T, simd::native>::packing(left, right, to)));
            const nanoseconds t = best(5, [&] { cpu_device::multiply_large<simd::native, T>(left, right, to, room.data()); });
            most = std::max(most, 2 * static_cast<double>(n * n * n) / static_cast<double>(t));
            if (t > 2'000'000 || n >= 4096) return most;
        }
    }

    static machine_limits measure() {
        // From the first cache of one core to beyond the last that one core of a large server can fill.
        constexpr std::int64_t sizes[] = {24 << 10, 384 << 10, 3 << 20, 24 << 20, 192 << 20};
        machine_limits m;
        std::vector<float> memory(static_cast<std::size_t>(sizes[4]) / sizeof(float) + 16, 1.0f);
        for (std::size_t i = 0; i < m.levels.size(); ++i)
            m.levels[i] = {sizes[i], rate<total>(memory, sizes[i], 2, 0), rate<triad>(memory, sizes[i], 3, 1)};
        m.gemm_float = gemm_rate<float>();
        m.gemm_double = gemm_rate<double>();
        m.arithmetic_float = arithmetic_measure<float>::rate();
        m.arithmetic_double = arithmetic_measure<double>::rate();
        return m;
    }
};

using machine = machine_of<>;

}  // namespace croton::inline v0_1::detail

#endif
