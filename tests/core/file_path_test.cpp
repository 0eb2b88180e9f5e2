// SPDX-License-Identifier: MIT
#include <filesystem>
#include <initializer_list>
#include <string>
#include <string_view>
#include <type_traits>

#include <doctest/doctest.h>

#include <croton/core/file_path.hpp>

namespace {

namespace fs = std::filesystem;
using croton::detail::file_path;

constexpr std::initializer_list<const char*> names = {"",         "a",      "a.npz",    ".npz",   "a.",     "..",    ".",      "...",      "/",
                                                      "//",       "/a",     "//a",      "a/",     "a//",    "a/b",   "a//b",   "/a/b/",    "a/.npz",
                                                      "a.b/c",    "a/../b", "a/b.c.d",  "./a",    "../a.b", "a/.",   "a/..",   "/a//b//c", "x.npz/",
                                                      "a b/c\nd", "///a",   "/a/b.npz", "..npz",  ".a.npz", "a/..x", "/.npz"};

TEST_CASE("the parts of a path are those of std::filesystem::path") {
    for (const char* name : names) {
        CAPTURE(name);
        const fs::path expected = name;
        const file_path path = name;
        CHECK(path.string() == expected.string());
        CHECK(std::string(path.c_str()) == name);
        CHECK(path.empty() == expected.empty());
        CHECK(path.filename() == expected.filename().string());
        CHECK(path.extension() == expected.extension().string());
        // "//" before the first name is one slash: both name the root.
        if (std::string_view(name).starts_with("//")) CHECK(fs::path(path.parent_path().string()).lexically_normal() == expected.parent_path().lexically_normal());
        else CHECK(path.parent_path().string() == expected.parent_path().string());
        for (const char* other : names) {
            CAPTURE(other);
            CHECK((path / other).string() == (expected / other).string());
            CHECK((path == file_path(other)) == (std::string_view(name) == other));
        }
    }
}

std::string taken(const file_path& path) { return path.string(); }

TEST_CASE("a path is made of what names a file") {
    const char letters[] = "a/b";
    CHECK(taken("a/b") == "a/b");
    CHECK(taken(letters) == "a/b");
    CHECK(taken(std::string("a/b")) == "a/b");
    CHECK(taken(std::string_view("a/bc").substr(0, 3)) == "a/b");
    CHECK(taken(fs::path("a") / "b") == "a/b");
    CHECK(taken(fs::directory_entry(fs::path("a/b"))) == "a/b");
    static_assert(!std::is_convertible_v<int, file_path>);
    static_assert(!std::is_convertible_v<fs::path*, file_path>);
}

}  // namespace
