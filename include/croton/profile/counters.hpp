// SPDX-License-Identifier: MIT
// The processor's own counters for the profile's thread, where the system lets a program read them.
#ifndef CROTON_PROFILE_COUNTERS_HPP
#define CROTON_PROFILE_COUNTERS_HPP

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <string>

#include <croton/profile/record.hpp>

#if CROTON_HAS_PERF_EVENTS
#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

namespace croton::inline v0_1::detail {

#if CROTON_HAS_PERF_EVENTS

/// Cycles, instructions, cache references and cache misses of this thread in user code, counted by the kernel.
class counter_group {
public:
    counter_group() = default;
    counter_group(const counter_group&) = delete;
    counter_group& operator=(const counter_group&) = delete;
    ~counter_group() { close_all(); }

    void start() {
        constexpr std::uint64_t what[] = {PERF_COUNT_HW_CPU_CYCLES, PERF_COUNT_HW_INSTRUCTIONS,
                                          PERF_COUNT_HW_CACHE_REFERENCES, PERF_COUNT_HW_CACHE_MISSES};
        for (std::size_t i = 0; i < handles_.size(); ++i) {
            perf_event_attr wanted{};
            wanted.size = sizeof wanted;
            wanted.type = PERF_TYPE_HARDWARE;
            wanted.config = what[i];
            wanted.disabled = i == 0 ? 1 : 0;
            wanted.exclude_kernel = 1;
            wanted.exclude_hv = 1;
            wanted.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
            handles_[i] = static_cast<int>(::syscall(SYS_perf_event_open, &wanted, 0, -1, handles_[0], 0));
            if (handles_[i] < 0) {
                note_ = std::string("perf_event_open: ") + std::strerror(errno);
                close_all();
                return;
            }
        }
        ::ioctl(handles_[0], PERF_EVENT_IOC_ENABLE, PERF_IOC_FLAG_GROUP);
    }

    void stop() {
        if (handles_[0] >= 0) ::ioctl(handles_[0], PERF_EVENT_IOC_DISABLE, PERF_IOC_FLAG_GROUP);
    }

    hardware_counters read() const {
        hardware_counters c;
        std::int64_t* to[] = {&c.cycles, &c.instructions, &c.cache_references, &c.cache_misses};
        c.available = handles_[0] >= 0;
        c.note = note_;
        for (std::size_t i = 0; c.available && i < handles_.size(); ++i) {
            std::uint64_t value[3] = {};  // the count, the time enabled, the time really counted
            if (::read(handles_[i], value, sizeof value) != static_cast<ssize_t>(sizeof value) || value[2] == 0) {
                c.available = false;
                c.note = "the counters never ran";
            } else {
                // The processor may have shared its counters with others.
                *to[i] = static_cast<std::int64_t>(static_cast<double>(value[0]) * static_cast<double>(value[1]) /
                                                   static_cast<double>(value[2]));
            }
        }
        return c;
    }

private:
    void close_all() {
        for (int& h : handles_) {
            if (h >= 0) ::close(h);
            h = -1;
        }
    }

    std::array<int, 4> handles_{-1, -1, -1, -1};
    std::string note_;
};

#else

class counter_group {
public:
    void start() {}
    void stop() {}
    hardware_counters read() const {
        hardware_counters c;
        c.note = "only on Linux";
        return c;
    }
};

#endif

}  // namespace croton::inline v0_1::detail

#endif
