// SPDX-License-Identifier: MIT
// How many processors this process may use: what there are, its affinity, and the limits of its control groups.
#ifndef CROTON_DEVICE_CPU_PROCESSORS_HPP
#define CROTON_DEVICE_CPU_PROCESSORS_HPP

#include <croton/config.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>

#if CROTON_HAS_AFFINITY
#include <sched.h>
#endif
#if CROTON_HAS_FORK
#include <unistd.h>
#else
#include <thread>
#endif

namespace croton::inline v0_1::detail {

/// The limit that control groups of Linux (cgroups, as containers have them) set to the processor time of this process. It
/// throws nothing and keeps nothing, because a call may be the first that asks. `root` stands before every path, for tests.
class processor_quota {
public:
    [[gnu::cold]] explicit processor_quota(const char* root = "") noexcept : root_(root) {
        std::string_view line;
        for (lines groups(root, "/proc/self/cgroup"); groups.next(line);) find_group(line);
        for (lines mounts(root, "/proc/self/mountinfo"); mounts.next(line);) find_mount(line);
    }

    /// In processors, rounded up; 0 where there is no limit.
    int processors() const noexcept { return least_; }

private:
    static constexpr std::size_t longest = 4096;
    struct text {
        char letters[longest] = {};
        bool known = false;
        void set(std::string_view s) {
            known = s.size() < longest;
            if (known) letters[s.copy(letters, longest - 1)] = '\0';
        }
    };

    /// The lines of a file under the root, or what of them has room.
    class lines {
    public:
        lines(const char* root, const char* path) noexcept {
            char name[2 * longest];
            const int length = std::snprintf(name, sizeof name, "%s%s", root, path);
            if (length > 0 && length < static_cast<int>(sizeof name)) file_ = std::fopen(name, "re");
        }
        lines(const lines&) = delete;
        lines& operator=(const lines&) = delete;
        ~lines() {
            if (file_ != nullptr) std::fclose(file_);
        }
        bool next(std::string_view& line) noexcept {
            if (file_ == nullptr || std::fgets(line_, sizeof line_, file_) == nullptr) return false;
            line = line_;
            if (line.ends_with('\n')) line.remove_suffix(1);
            else for (int c = 0; c != '\n' && c != EOF;) c = std::fgetc(file_);
            return true;
        }

    private:
        std::FILE* file_ = nullptr;
        char line_[longest];
    };

    static std::string_view take(std::string_view& rest, char until) {
        const std::size_t end = std::min(rest.find(until), rest.size());
        const std::string_view first = rest.substr(0, end);
        rest.remove_prefix(std::min(end + 1, rest.size()));
        return first;
    }

    static bool lists_cpu(std::string_view controllers) {
        while (!controllers.empty())
            if (take(controllers, ',') == "cpu") return true;
        return false;
    }

    /// `4:cpu,cpuacct:/path` in version 1, `0::/path` in version 2.
    void find_group(std::string_view line) {
        const std::string_view number = take(line, ':'), controllers = take(line, ':');
        if (number == "0" && controllers.empty()) unified_.set(line);
        else if (lists_cpu(controllers)) own_.set(line);
    }

    /// `36 35 0:31 /root /where options ... - type source options`
    [[gnu::cold]] void find_mount(std::string_view line) {
        const std::size_t separator = line.find(" - ");
        if (separator == line.npos) return;
        std::string_view behind = line.substr(separator + 3);
        const std::string_view type = take(behind, ' ');
        take(behind, ' ');
        const text* group = nullptr;
        if (type == "cgroup2") group = &unified_;
        else if (type == "cgroup" && lists_cpu(behind)) group = &own_;
        if (group == nullptr || !group->known) return;
        for (int i = 0; i < 3; ++i) take(line, ' ');
        const std::string_view within = take(line, ' '), where = take(line, ' ');
        // A container sees its own group where the whole tree would be.
        std::string_view path = group->letters;
        if (within != "/") path = path.starts_with(within) ? path.substr(within.size()) : "";
        for (;;) {
            read_limit(where, path, type == "cgroup2");
            if (path.empty()) return;
            path = path.substr(0, path.rfind('/') == path.npos ? 0 : path.rfind('/'));
        }
    }

    [[gnu::cold]] void read_limit(std::string_view where, std::string_view path, bool unified) {
        double quota = 0, period = 0;
        // `200000 100000` or `max 100000`; version 1 has a file for each.
        std::string_view line;
        if (lines limit(root_, file(where, path, unified ? "cpu.max" : "cpu.cfs_quota_us")); limit.next(line)) {
            quota = number(take(line, ' '));
            period = number(line);
        }
        if (!unified)
            if (lines limit(root_, file(where, path, "cpu.cfs_period_us")); limit.next(line)) period = number(line);
        if (quota <= 0 || period <= 0 || quota > 1e6 * period) return;
        const int limit = std::max(1, static_cast<int>(quota / period + 1 - 1e-9));
        least_ = least_ == 0 ? limit : std::min(least_, limit);
    }

    const char* file(std::string_view where, std::string_view path, const char* name) {
        const int length = std::snprintf(file_, sizeof file_, "%.*s%.*s/%s", static_cast<int>(where.size()), where.data(),
                                         static_cast<int>(path.size()), path.data(), name);
        return length > 0 && length < static_cast<int>(sizeof file_) ? file_ : "/";
    }

    static double number(std::string_view digits) {
        double value = 0;
        for (const char c : digits) {
            if (c < '0' || c > '9') return 0;
            value = 10 * value + (c - '0');
        }
        return value;
    }

    const char* root_;
    text unified_, own_;
    char file_[longest] = {};
    int least_ = 0;
};

/// What std::thread::hardware_concurrency gives, and at least 1.
inline int processors_of_machine() noexcept {
#if CROTON_HAS_FORK
    return static_cast<int>(std::max(1L, ::sysconf(_SC_NPROCESSORS_ONLN)));
#else
    return static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
#endif
}

/// The processors that this thread may run on.
inline int processors_by_affinity() noexcept {
#if CROTON_HAS_AFFINITY
    // More than the kernel of any machine knows.
    cpu_set_t set[16] = {};
    if (::sched_getaffinity(0, sizeof set, set) == 0) return std::max(1, CPU_COUNT_S(sizeof set, set));
#endif
    return processors_of_machine();
}

/// The processors that this process may use: at least one, at most those of its affinity and of its control groups.
CROTON_PLAIN int available_processors() noexcept {
    const int there = processors_by_affinity(), most = processor_quota().processors();
    return most == 0 ? there : std::min(there, most);
}
CROTON_ONCE(available_processors<>)

}  // namespace croton::inline v0_1::detail

#endif
