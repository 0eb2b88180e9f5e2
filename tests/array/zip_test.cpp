// SPDX-License-Identifier: MIT
// Archives at the edges of the format: 64-bit fields, comments, bytes around them, directories that lie.
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <croton/array/npz.hpp>

#include "files.hpp"

using namespace croton;
using files::error_of;
using files::read_all;
using files::write_all;

namespace {

std::uint32_t sum_of(std::string_view bytes) {
    detail::check_sum sum;
    sum.add(bytes);
    return sum.value();
}

std::string bytes_of(std::uint64_t value, int bytes) {
    std::string text;
    detail::put_bytes(text, value, bytes);
    return text;
}

std::string text_of(int i) { return std::string(static_cast<std::size_t>(i % 3), 'x'); }

/// Writes entries whose sizes and places take 64 bits from `limit` on.
void write_zip(const std::filesystem::path& path, std::uint64_t limit, int entries = 3) {
    detail::replace_file(path, [&](detail::replacement& out) {
        detail::zip_writer zip(out, limit);
        for (int i = 0; i < entries; ++i) zip.add("entry " + std::to_string(i), "header", text_of(i));
        zip.finish();
    });
}

/// The bytes of an entry.
std::string entry_of(const std::filesystem::path& path, const std::string& name) {
    const detail::input_file file(path);
    return detail::zip_reader(file).read_entry(name, [](detail::byte_source& from) {
        std::string bytes(from.left(), ' ');
        from.read(bytes.data(), from.left());
        return bytes;
    });
}

void check_entries(const std::filesystem::path& path, int entries = 3) {
    for (int i = 0; i < entries; ++i)
        REQUIRE(entry_of(path, "entry " + std::to_string(i)) == "header" + text_of(i));
}

template <template <class, int> class A> struct net {
    A<float, 2> a;
    A<float, 1> b;
};

}  // namespace

TEST_CASE("the check sum is CRC-32") {
    CHECK(sum_of("123456789") == 0xCBF43926U);
    CHECK(sum_of("") == 0);
    CHECK(sum_of("The quick brown fox jumps over the lazy dog") == 0x414FA339U);
}

TEST_CASE("archives of every mixture of 32 and 64 bit fields") {
    const files::folder f;
    const auto path = f.path / "x.zip";
    // 0: all fields; 7: the sizes from the second entry on; 50: places only; the largest: none.
    for (const std::uint64_t limit : {0ULL, 7ULL, 8ULL, 50ULL, 100ULL, 150ULL, 0xFFFFFFFFULL}) {
        write_zip(path, limit);
        check_entries(path);
        CHECK((read_all(path).find(detail::zip_end64) != std::string::npos) == (limit < 0xFFFFFFFF));
    }
    const std::string whole = read_all(path);
    CHECK(whole.size() == 3 * (30 + 46) + 6 * 7 + 3 * 6 + 3 + 22);
    // More entries than 16 bits count.
    write_zip(path, 0xFFFFFFFF, 65600);
    const detail::input_file file(path);
    const detail::zip_reader zip(file);
    CHECK(zip.read_entry("entry 65599", [](detail::byte_source& from) { return from.left(); }) == 6 + 65599 % 3);
}

TEST_CASE("archives that Python wrote with 64-bit fields") {
    for (const char* name : {"zip64_entries.npz", "zip64_end.npz", "streamed.npz"}) {
        net<on<cpu>::array> model;
        load(model, files::golden / name);
        CHECK(model.a == array<float, 2>{{1, 2}, {3, 4}});
        CHECK(model.b == array<float, 1>{5, 6});
    }
}

TEST_CASE("comments, and bytes before and behind an archive") {
    const files::folder f;
    const auto path = f.path / "x.zip";
    for (const std::uint64_t limit : {0ULL, 0xFFFFFFFFULL}) {
        write_zip(path, limit);
        const std::string whole = read_all(path);
        write_all(path, "#!/bin/sh\nbefore" + whole);
        check_entries(path);
        const std::string without_comment = whole.substr(0, whole.size() - 2);
        // The second looks like the end of an empty archive, the third like that of one whose directory is elsewhere.
        for (const std::string& comment : {std::string(65535, 'x'), std::string(detail::zip_end) + std::string(18, '\0'),
                                           std::string(detail::zip_end) + bytes_of(0, 4) + bytes_of(3, 2) + bytes_of(3, 2) + bytes_of(9, 8) + bytes_of(0, 2),
                                           std::string(detail::zip_end)}) {
            write_all(path, without_comment + bytes_of(comment.size(), 2) + comment);
            check_entries(path);
        }
        write_all(path, whole + std::string(1000, 'j'));
        check_entries(path);
    }
}

TEST_CASE("directories that lie") {
    const files::folder f;
    const auto path = f.path / "x.zip";
    write_zip(path, 0xFFFFFFFF, 1);
    const std::string whole = read_all(path);
    const std::size_t directory = whole.find(detail::zip_central);
    const std::size_t end = whole.find(detail::zip_end);
    const auto said_of = [&](std::size_t at, const std::string& bytes) {
        std::string lie = whole;
        lie.replace(at, bytes.size(), bytes);
        write_all(path, lie);
        const std::string said = error_of([&] { (void)entry_of(path, "entry 0"); });
        const std::string name = path.string();
        return said.starts_with(name) ? said.substr(name.size() + 1) : said.substr(0, said.find(name)) + said.substr(said.find(name) + name.size());
    };
    const std::string damaged = "is damaged: its directory cannot be read";
    CHECK(said_of(directory + 8, bytes_of(1, 2)) == "entry 0 in  is encrypted");
    CHECK(said_of(directory + 10, bytes_of(12, 2)) == "entry 0 in  is compressed by method 12 of zip, which croton does not read");
    CHECK(said_of(directory + 16, bytes_of(1, 4)) == "entry 0 in  is damaged: its check sum differs");
    CHECK(said_of(directory + 20, bytes_of(5, 4)) == damaged);
    CHECK(said_of(directory + 20, bytes_of(0xFFFFFFFE, 4)) == damaged);
    // A size of 64 bits that is not there, and one that would take all memory.
    CHECK(said_of(directory + 24, bytes_of(0xFFFFFFFF, 4)) == damaged);
    CHECK(said_of(directory + 42, bytes_of(7, 4)) == damaged);
    CHECK(said_of(directory + 42, bytes_of(0xFFFFFF00, 4)) == damaged);
    CHECK(said_of(directory + 28, bytes_of(60000, 2)) == damaged);
    CHECK(said_of(directory + 46, "Entry 0") == "has no entry 0");
    CHECK(said_of(30, "Entry 0") == damaged);
    CHECK(said_of(8, bytes_of(8, 2)) == damaged);
    CHECK(said_of(end + 10, bytes_of(2, 2)) == damaged);
    CHECK(said_of(end + 12, bytes_of(1000000, 4)) == "is not a .npz file, or is cut short");
    CHECK(said_of(end + 16, bytes_of(1000000, 4)) == "is not a .npz file, or is cut short");
    write_all(path, whole.substr(end, 10) + bytes_of(0, 2) + bytes_of(0, 10));
    CHECK(error_of([&] { (void)entry_of(path, "entry 0"); }) == path.string() + " has no entry 0");

    // Every changed byte of a directory with 64-bit fields.
    write_zip(path, 0);
    const std::string large = read_all(path);
    for (std::size_t at = 0; at < large.size(); ++at) {
        for (int change : {0x01, 0x04, 0x10, 0x80, 0xff}) {
            files::change(path, at, static_cast<char>(large[at] ^ change));
            for (int i = 0; i < 3; ++i) {
                try {
                    const std::string entry = entry_of(path, "entry " + std::to_string(i));
                    REQUIRE(entry == "header" + text_of(i));
                } catch (const file_error&) {
                }
            }
        }
        files::change(path, at, large[at]);
    }
}

TEST_CASE("a name beyond ASCII is marked as UTF-8") {
    const files::folder f;
    detail::replace_file(f.path / "x.zip", [](detail::replacement& out) {
        detail::zip_writer zip(out);
        zip.add("\xc3\xbc", "", "1");
        zip.finish();
    });
    CHECK(detail::get_bytes(read_all(f.path / "x.zip"), 6, 2) == 0x800);
    CHECK(entry_of(f.path / "x.zip", "\xc3\xbc") == "1");
}
