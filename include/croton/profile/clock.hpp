// SPDX-License-Identifier: MIT
// The clock of profiles: nanoseconds that go on steadily, read as cheaply as the processor can.
#ifndef CROTON_PROFILE_CLOCK_HPP
#define CROTON_PROFILE_CLOCK_HPP

#include <cstdint>

#include <croton/config.hpp>
#include <croton/core/clock.hpp>
#include <croton/profile/record.hpp>

#if CROTON_HAS_CYCLE_CLOCK
#include <cpuid.h>
#include <cstdio>
#include <cstring>
#endif

namespace croton::inline v0_1::detail {

#if CROTON_HAS_CYCLE_CLOCK

/// The processor's counter, where it counts at one rate and the system trusts it on all cores: the system's own clock is that counter, but waits for what
/// stands before it and takes two to four times as long.
class cycle_clock {
public:
    static const cycle_clock& get() noexcept {
        static const cycle_clock one;
        return one;
    }
    /// Not where the counter is not to be trusted.
    explicit operator bool() const noexcept { return nanoseconds_per_cycle_ > 0; }
    nanoseconds now() const noexcept {
        return start_.time + static_cast<nanoseconds>(static_cast<double>(static_cast<std::int64_t>(cycles() - start_.cycles)) * nanoseconds_per_cycle_);
    }

private:
    struct moment {
        std::uint64_t cycles;
        nanoseconds time;
    };

    cycle_clock() noexcept : start_(moment_now()) {
        if (!counts_steadily() || !system_counts_cycles()) return;
        // Both clocks are read to some 20 ns: within a millisecond that is 1 in 50,000.
        while (system_nanoseconds() - start_.time < 1'000'000) {}
        const moment end = moment_now();
        if (end.cycles > start_.cycles) nanoseconds_per_cycle_ = static_cast<double>(end.time - start_.time) / static_cast<double>(end.cycles - start_.cycles);
    }

    static std::uint64_t cycles() noexcept { return __builtin_ia32_rdtsc(); }
    /// Both clocks at one time: of several readings the one that nothing came between.
    static moment moment_now() noexcept {
        moment best{};
        std::uint64_t least = ~std::uint64_t{0};
        for (int i = 0; i < 8; ++i) {
            const std::uint64_t before = cycles();
            const nanoseconds time = system_nanoseconds();
            const std::uint64_t took = cycles() - before;
            if (took >= least) continue;
            least = took;
            best = {before + took / 2, time};
        }
        return best;
    }
    static bool counts_steadily() noexcept {
        unsigned a = 0, b = 0, c = 0, d = 0;
        return __get_cpuid(0x80000007, &a, &b, &c, &d) != 0 && (d >> 8 & 1) != 0;
    }
    static bool system_counts_cycles() noexcept {
        std::FILE* const file = std::fopen("/sys/devices/system/clocksource/clocksource0/current_clocksource", "r");
        if (file == nullptr) return false;
        char name[5] = {};
        const bool found = std::fread(name, 1, 4, file) == 4 && std::strcmp(name, "tsc\n") == 0;
        std::fclose(file);
        return found;
    }

    moment start_;
    double nanoseconds_per_cycle_ = 0;
};

struct steady_nanoseconds {
    static nanoseconds now() noexcept {
        const cycle_clock& cycles = cycle_clock::get();
        return cycles ? cycles.now() : system_nanoseconds();
    }
};

#else

struct steady_nanoseconds {
    static nanoseconds now() noexcept { return system_nanoseconds(); }
};

#endif

}  // namespace croton::inline v0_1::detail

#endif
