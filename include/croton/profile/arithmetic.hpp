// SPDX-License-Identifier: MIT
// What the arithmetic units of this processor can do at most, whatever its libraries make of them.
#ifndef CROTON_PROFILE_ARITHMETIC_HPP
#define CROTON_PROFILE_ARITHMETIC_HPP

#include <algorithm>
#include <cstdint>
#include <utility>

#include <croton/device/cpu/threads.hpp>
#include <croton/profile/clock.hpp>

namespace croton::inline v0_1::detail {

/// Multiplications and additions in registers that wait for nothing, with the widest instructions that the processor has:
/// a program that was compiled for an older one calls a BLAS that uses them as well. A template, so that only programs that
/// write a report compile it.
template <class T> struct arithmetic_measure {
    /// GFLOP/s of all threads together.
    static double rate() {
        double most = std::max(rate_of(chains_here<12>), rate_of(chains_here<24>));
#if CROTON_HAS_X86_TARGETS
        if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) most = std::max(most, rate_of(chains_avx2));
        if (__builtin_cpu_supports("avx512f")) most = std::max({most, rate_of(chains_avx512<12>), rate_of(chains_avx512<24>)});
#endif
        return most;
    }

private:
    static constexpr std::int64_t turns = 40'000;

    struct result {
        T sum;
        std::int64_t operations;
    };

    template <int Chains> using count = std::make_integer_sequence<int, Chains>;

    // As many chains as hide the latency of the units, and fit into the registers: 12 of 16, 24 of 32. Each is a variable of
    // its own also where the optimiser unrolls nothing.
    template <int Bytes, int... C> CROTON_INLINE static result chains(std::integer_sequence<int, C...>) {
        typedef T numbers [[gnu::vector_size(Bytes)]];
        const numbers factor = numbers{} + T(0.5), addend = numbers{} + T(0.25);
        numbers value[] = {numbers{} + static_cast<T>(C)...};
        for (std::int64_t t = 0; t < turns; ++t) ((value[C] = value[C] * factor + addend), ...);
        T sum{};
        ((sum += value[C][0]), ...);
        return {sum, 2 * turns * static_cast<std::int64_t>(sizeof...(C) * Bytes / sizeof(T))};
    }
    template <int Chains> static result chains_here() { return chains<16>(count<Chains>()); }
#if CROTON_HAS_X86_TARGETS
    [[gnu::target("avx2,fma")]] static result chains_avx2() { return chains<32>(count<12>()); }
    template <int Chains> [[gnu::target("avx512f,fma")]] static result chains_avx512() { return chains<64>(count<Chains>()); }
#endif

    static double rate_of(result (*f)()) {
        const int parts = threads();
        volatile T sink{};
        double most = 0;
        for (int tried = 0; tried < 5; ++tried) {
            const nanoseconds start = steady_nanoseconds::now();
            std::int64_t operations = 0;
            parallel(parts, [&](int part) {
                const result r = f();
                if (part == 0) {
                    sink = r.sum;
                    operations = r.operations * parts;
                }
            });
            most = std::max(most, static_cast<double>(operations) /
                                      static_cast<double>(std::max<nanoseconds>(steady_nanoseconds::now() - start, 1)));
        }
        return most;
    }
};

}  // namespace croton::inline v0_1::detail

#endif
