// SPDX-License-Identifier: MIT
// The processors of a process: its affinity, and the limits of control groups in trees of files as Linux shows them.
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include <croton/device/cpu/processors.hpp>

using croton::detail::processor_quota;

namespace {

/// Files under a directory of its own.
class tree {
public:
    tree() : root_(std::filesystem::temp_directory_path() / ("croton_processors_" + std::to_string(reinterpret_cast<std::uintptr_t>(this)))) {
        std::filesystem::create_directories(root_);
    }
    ~tree() { std::filesystem::remove_all(root_); }
    tree& add(const std::string& path, const std::string& text) {
        const auto file = root_ / path.substr(1);
        std::filesystem::create_directories(file.parent_path());
        std::ofstream(file) << text;
        return *this;
    }
    int processors() const { return processor_quota(root_.c_str()).processors(); }

private:
    std::filesystem::path root_;
};

const std::string unified = "29 23 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate\n";

}  // namespace

TEST_CASE("version 2: the group and all around it, of which the least counts") {
    tree t;
    CHECK(t.processors() == 0);
    t.add("/proc/self/cgroup", "0::/user.slice/job.scope\n").add("/proc/self/mountinfo", unified);
    CHECK(t.processors() == 0);
    t.add("/sys/fs/cgroup/user.slice/job.scope/cpu.max", "max 100000\n");
    CHECK(t.processors() == 0);
    t.add("/sys/fs/cgroup/user.slice/job.scope/cpu.max", "400000 100000\n");
    CHECK(t.processors() == 4);
    t.add("/sys/fs/cgroup/user.slice/cpu.max", "250000 100000\n");
    CHECK(t.processors() == 3);
    t.add("/sys/fs/cgroup/cpu.max", "50000 100000\n");
    CHECK(t.processors() == 1);
}

TEST_CASE("version 2 in a container: the root is the container's group") {
    tree t;
    t.add("/proc/self/cgroup", "0::/\n").add("/proc/self/mountinfo", unified).add("/sys/fs/cgroup/cpu.max", "200000 100000\n");
    CHECK(t.processors() == 2);
    // Without a name space of its own the path is the host's, and the mount begins there.
    t.add("/proc/self/cgroup", "0::/docker/abc/inner\n")
        .add("/proc/self/mountinfo", "29 23 0:26 /docker/abc /sys/fs/cgroup ro - cgroup2 cgroup rw\n")
        .add("/sys/fs/cgroup/inner/cpu.max", "100000 100000\n");
    CHECK(t.processors() == 1);
    t.add("/proc/self/cgroup", "0::/elsewhere\n");
    CHECK(t.processors() == 2);
}

TEST_CASE("version 1, alone and beside version 2") {
    tree t;
    t.add("/proc/self/cgroup", "11:cpuset:/\n4:cpu,cpuacct:/docker/abc\n1:name=systemd:/\n0::/system.slice\n")
        .add("/proc/self/mountinfo", "30 23 0:27 / /sys/fs/cgroup/cpuset rw - cgroup cgroup rw,cpuset\n" + std::string(9000, 'x') +
                                         " a line longer than any buffer\n34 23 0:31 /docker/abc /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct\n" + unified)
        .add("/sys/fs/cgroup/cpuset/cpu.cfs_quota_us", "100000\n")
        .add("/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "-1\n")
        .add("/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us", "100000\n");
    CHECK(t.processors() == 0);
    t.add("/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "150000\n");
    CHECK(t.processors() == 2);
    t.add("/sys/fs/cgroup/system.slice/cpu.max", "90000 100000\n");
    CHECK(t.processors() == 1);
}

TEST_CASE("files that say something else set no limit") {
    tree t;
    t.add("/proc/self/cgroup", "no group\n0:\n:::\n\n0::relative\n").add("/proc/self/mountinfo", "short\n - \n1 2 - cgroup2\n" + unified);
    for (const char* text : {"", "\n", "0 0\n", "100000\n", "-5 100000\n", "nan nan\n", "100000 0\n", "99999999999999999999999 1\n"}) {
        CAPTURE(text);
        t.add("/sys/fs/cgroup/cpu.max", text).add("/sys/fs/cgrouprelative/cpu.max", text);
        CHECK(t.processors() == 0);
    }
}

#if CROTON_HAS_AFFINITY
TEST_CASE("a thread that may run on one processor has one") {
    cpu_set_t before, one;
    REQUIRE(sched_getaffinity(0, sizeof before, &before) == 0);
    CHECK(croton::detail::available_processors() <= CPU_COUNT(&before));
    CPU_ZERO(&one);
    for (std::size_t i = 0; i < CPU_SETSIZE && CPU_COUNT(&one) == 0; ++i)
        if (CPU_ISSET(i, &before)) CPU_SET(i, &one);
    REQUIRE(sched_setaffinity(0, sizeof one, &one) == 0);
    CHECK(croton::detail::available_processors() == 1);
    REQUIRE(sched_setaffinity(0, sizeof before, &before) == 0);
    CHECK(croton::detail::available_processors() >= 1);
}
#endif
