// SPDX-License-Identifier: MIT
// What stands where a model is saved: links, modes, special files, full disks; nothing but the whole new file or the old.
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <string>
#include <vector>

#include <croton/array/npz.hpp>

#include "files.hpp"

using namespace croton;
using files::error_of;
using files::folder;
namespace fs = std::filesystem;

namespace {

template <template <class, int> class A> struct net {
    A<float, 2> a;
    A<float, 1> b;
    A<float, 1> c;
};
using network = net<on<cpu>::array>;

network filled(float value, std::int64_t rows = 2) {
    network n{array<float, 2>(rows, 2), array<float, 1>(3), array<float, 1>(1)};
    for (float& v : n.a) v = value;
    n.b.fill(value);
    n.c.fill(value);
    return n;
}

/// The number that a saved model holds everywhere.
float value_in(const fs::path& path) {
    network n;
    load(n, path);
    for (float v : n.a) REQUIRE(v == n.c(0));
    for (float v : n.b) REQUIRE(v == n.c(0));
    return n.c(0);
}

float number_in(const fs::path& path) { return load_npy<array<float, 1>>(path)(0); }

using names = std::vector<std::string>;

struct stat state_of(const fs::path& path) {
    struct stat state = {};
    REQUIRE(::lstat(path.c_str(), &state) == 0);
    return state;
}
unsigned mode_of(const fs::path& path) { return state_of(path).st_mode & 07777U; }

const array<float, 1> one{1}, two{2};

}  // namespace

TEST_CASE("symbolic links are followed and stay") {
    const folder f;
    fs::create_directory(f.path / "elsewhere");
    save_npy(f.path / "elsewhere" / "target.npy", one);
    fs::create_symlink("elsewhere/target.npy", f.path / "link.npy");
    fs::create_symlink(f.path / "link.npy", f.path / "chain.npy");
    save_npy(f.path / "chain.npy", two);
    CHECK(number_in(f.path / "elsewhere" / "target.npy") == 2);
    // A link to what is not yet there.
    fs::create_symlink("elsewhere/new.npz", f.path / "new.npz");
    save(filled(3), f.path / "new.npz");
    CHECK(value_in(f.path / "elsewhere" / "new.npz") == 3);
    CHECK(f.names() == names{"chain.npy", "elsewhere", "elsewhere/new.npz", "elsewhere/target.npy", "link.npy", "new.npz"});
    for (const char* link : {"chain.npy", "link.npy", "new.npz"}) CHECK(fs::is_symlink(f.path / link));
    // A link to a folder.
    fs::create_directory_symlink("elsewhere", f.path / "folder");
    save(filled(4), f.path / "folder");
    CHECK(value_in(f.path / "elsewhere") == 4);
    CHECK(fs::is_symlink(f.path / "folder"));

    fs::create_symlink("circle.npy", f.path / "circle.npy");
    CHECK(error_of([&] { save_npy(f.path / "circle.npy", one); }).find("circle.npy cannot be written: ") != std::string::npos);
    fs::create_symlink("absent/x.npy", f.path / "lost.npy");
    CHECK(error_of([&] { save_npy(f.path / "lost.npy", one); }) ==
          (f.path / "lost.npy").string() + " cannot be written: No such file or directory");
}

TEST_CASE("a file keeps its mode and its owner, a new one gets the usual mode") {
    const folder f;
    const fs::path path = f.path / "x.npy";
    for (const mode_t hidden : {mode_t{022}, mode_t{077}}) {
        const mode_t before = ::umask(hidden);
        save_npy(path, one);
        ::umask(before);
        CHECK(mode_of(path) == (0666U & ~hidden));
        fs::remove(path);
    }
    save_npy(path, one);
    for (const unsigned mode : {0600U, 0664U, 0755U}) {
        REQUIRE(::chmod(path.c_str(), mode) == 0);
        save_npy(path, two);
        CHECK(mode_of(path) == mode);
    }
    save(filled(1), f.path / "model");
    REQUIRE(::chmod((f.path / "model" / "b.npy").c_str(), 0600) == 0);
    save(filled(2), f.path / "model");
    CHECK(mode_of(f.path / "model" / "b.npy") == 0600U);

    if (::geteuid() == 0) {
        REQUIRE(::chown(path.c_str(), 12345, 23456) == 0);
        REQUIRE(::chmod(path.c_str(), 0640) == 0);
        save_npy(path, one);
        CHECK(state_of(path).st_uid == 12345);
        CHECK(state_of(path).st_gid == 23456);
        CHECK(mode_of(path) == 0640U);
    } else {
        REQUIRE(::chmod(path.c_str(), 0400) == 0);
        CHECK(error_of([&] { save_npy(path, one); }) == path.string() + " cannot be written: Permission denied");
        fs::create_directory(f.path / "locked");
        save_npy(f.path / "locked" / "x.npy", one);
        REQUIRE(::chmod((f.path / "locked").c_str(), 0500) == 0);
        CHECK(error_of([&] { save_npy(f.path / "locked" / "x.npy", two); }) ==
              (f.path / "locked" / "x.npy").string() + " cannot be written: its folder takes no new file: Permission denied");
        REQUIRE(::chmod((f.path / "locked").c_str(), 0700) == 0);
        CHECK(number_in(f.path / "locked" / "x.npy") == 1);
    }
}

TEST_CASE("other hard links of a file keep what they had") {
    const folder f;
    save_npy(f.path / "x.npy", one);
    fs::create_hard_link(f.path / "x.npy", f.path / "backup.npy");
    save_npy(f.path / "x.npy", two);
    CHECK(number_in(f.path / "x.npy") == 2);
    CHECK(number_in(f.path / "backup.npy") == 1);
}

TEST_CASE("what is no regular file is neither replaced nor loaded") {
    const folder f;
    REQUIRE(::mkfifo((f.path / "fifo").c_str(), 0600) == 0);
    fs::create_directory(f.path / "x.npz");
    fs::create_symlink(f.path / "fifo", f.path / "link");
    const auto refused = [&](const fs::path& path, const std::string& kind) {
        CHECK(error_of([&] { save_npy(path, one); }) == path.string() + " is " + kind + ": only a regular file can be replaced");
        CHECK(error_of([&] { (void)load_npy<array<float, 1>>(path); }) ==
              path.string() + " is " + kind + ": only a regular file can be loaded");
    };
    refused(f.path / "fifo", "a FIFO");
    refused(f.path / "link", "a FIFO");
    refused(f.path / "x.npz", "a folder");
    refused("/dev/null", "a device");
    refused("/dev/full", "a device");
    CHECK(error_of([&] { save(filled(1), f.path / "x.npz"); }).ends_with("x.npz is a folder: only a regular file can be replaced"));
    CHECK(error_of([&] { save(filled(1), "/dev/null"); }) == "'/dev/null' is not a folder");
    CHECK(error_of([&] { save_npy("", one); }) == "'' names no file");
    CHECK(error_of([&] { save_npy(f.path / "new" / "", one); }).ends_with("' names no file"));
    CHECK(S_ISFIFO(state_of(f.path / "fifo").st_mode));
    CHECK(f.names() == names{"fifo", "link", "x.npz"});
}

TEST_CASE("names as long as file systems allow, and no longer") {
    const folder f;
    const std::string name = std::string(251, 'x') + ".npy";
    save_npy(f.path / name, one);
    save_npy(f.path / name, two);
    CHECK(number_in(f.path / name) == 2);
    CHECK(error_of([&] { save_npy(f.path / ("x" + name), one); }).ends_with(" cannot be written: File name too long"));
    CHECK(f.names() == names{name});
    // In the folder where the program stands, a path has no other part.
    const fs::path before = fs::current_path();
    fs::current_path(f.path);
    save_npy("here.npy", one);
    save(filled(1), "here.npz");
    fs::current_path(before);
    CHECK(number_in(f.path / "here.npy") == 1);
}

TEST_CASE("a folder is replaced as a whole or not at all") {
    const folder f;
    const fs::path model = f.path / "model";
    save(filled(1), model);
    files::write_all(model / "notes", "mine");
    save(filled(2), model);
    CHECK(value_in(model) == 2);
    CHECK(files::read_all(model / "notes") == "mine");

    // The second file cannot be replaced.
    fs::remove(model / "b.npy");
    fs::create_directory(model / "b.npy");
    CHECK(error_of([&] { save(filled(3), model); }) == (model / "b.npy").string() + " is a folder: only a regular file can be replaced");
    CHECK(load_npy<array<float, 2>>(model / "a.npy")(0, 0) == 2);
    CHECK(number_in(model / "c.npy") == 2);
    CHECK(f.names() == names{"model", "model/a.npy", "model/b.npy", "model/c.npy", "model/notes"});

    // What was made for a save that failed goes away.
    fs::create_directories(f.path / "w" / "x");
    CHECK_THROWS_AS(save(filled(1), f.path / "w" / "x" / ".." / "y" / "z" / std::string(300, 'n')), file_error);
    CHECK(f.names() == names{"model", "model/a.npy", "model/b.npy", "model/c.npy", "model/notes", "w", "w/x"});
    save(filled(5), f.path / "deep" / "er" / "model");
    CHECK(value_in(f.path / "deep" / "er" / "model") == 5);
}

TEST_CASE("files of a folder that have their names already give them back when a later one fails") {
    const folder f;
    const fs::path model = f.path / "model";
    save(filled(1), model);
    fs::remove(model / "a.npy");
    {
        detail::folder_replacement files(model);
        const auto add = [&](const char* name) {
            files.add(name, [](detail::replacement& out) { out.write("new"); });
        };
        for (const char* name : {"a.npy", "b.npy", "c.npy"}) add(name);
        // After everything that can be checked was.
        fs::remove(model / "c.npy");
        fs::create_directories(model / "c.npy" / "in the way");
        CHECK_THROWS_AS(files.commit(), file_error);
    }
    CHECK(number_in(model / "b.npy") == 1);
    CHECK(f.names() == names{"model", "model/b.npy", "model/c.npy", "model/c.npy/in the way"});
}

TEST_CASE("a full disk leaves what was there") {
    const folder f;
    for (const char* name : {"m.npz", "m"}) save(filled(1), f.path / name);
    save_npy(f.path / "x.npy", one);
    const names before = f.names();
    const auto old_handler = std::signal(SIGXFSZ, SIG_IGN);
    rlimit old_limit = {};
    REQUIRE(::getrlimit(RLIMIT_FSIZE, &old_limit) == 0);
    for (const rlim_t bytes : {0U, 1U, 100U, 128U, 1000U, 4096U, 8000U}) {
        const rlimit limit{bytes, old_limit.rlim_max};
        std::vector<std::string> said;
        REQUIRE(::setrlimit(RLIMIT_FSIZE, &limit) == 0);
        for (const char* name : {"m.npz", "m"}) said.push_back(error_of([&] { save(filled(2, 1000), f.path / name); }));
        said.push_back(error_of([&] { save_npy(f.path / "x.npy", array<float, 1>(2000)); }));
        said.push_back(error_of([&] { save(filled(2, 1000), f.path / "new" / "model"); }));
        REQUIRE(::setrlimit(RLIMIT_FSIZE, &old_limit) == 0);
        for (const std::string& sentence : said) CHECK(sentence.ends_with(" cannot be written: File too large"));
        for (const char* name : {"m.npz", "m"}) CHECK(value_in(f.path / name) == 1);
        CHECK(number_in(f.path / "x.npy") == 1);
        CHECK(f.names() == before);
    }
    std::signal(SIGXFSZ, old_handler);
}

// A program whose stdout is closed gets its number for the next file that it opens: what it prints must not go there.
TEST_CASE("a closed stdout does not print into a model") {
    const folder f;
    const int kept = ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 10);
    REQUIRE(kept >= 10);
    ::close(STDOUT_FILENO);
    {
        detail::replacement file(f.path / "x.npy");
        file.write("abc");
        const bool printed = ::write(STDOUT_FILENO, "printed", 7) == 7;
        file.finish();
        file.commit();
        ::dup2(kept, STDOUT_FILENO);
        CHECK(!printed);
    }
    ::close(kept);
    CHECK(files::read_all(f.path / "x.npy") == "abc");
}
