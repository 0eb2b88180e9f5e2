// SPDX-License-Identifier: MIT
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <numbers>
#include <numeric>
#include <string>

#include <croton/array/npy.hpp>

#include "files.hpp"

using namespace croton;

using files::folder;
using files::golden;
using files::read_all;
using files::write_all;

namespace {

template <class Array> std::string error_of(const std::filesystem::path& path) {
    return files::error_of([&] { (void)load_npy<Array>(path); });
}

}  // namespace

TEST_CASE("files written by NumPy are read") {
    const array<float, 2> matrix{{1, -2.5, 3}, {4, 5, 1e-3f}};
    CHECK(load_npy<array<float, 2>>(golden / "float_2x3.npy") == matrix);
    CHECK(load_npy<float, 2>(golden / "float_2x3.npy") == matrix);
    CHECK(load_npy<double, 2>(golden / "float_2x3.npy", astype)(1, 2) == matrix(1, 2));
    CHECK(load_npy<array<float, 2>>(golden / "float_2x3_fortran.npy") == matrix);
    CHECK(load_npy<array<float, 2>>(golden / "float_2x3_version2.npy") == matrix);
    CHECK(load_npy<array<float, 2>>(golden / "float_2x3_version3.npy") == matrix);
    CHECK(load_npy<array<half, 2>>(golden / "half_2x3.npy") == array<half, 2>{{1, -2.5, 0.1}, {65504, 6e-8, HUGE_VAL}});
    array<int, 3> cube(2, 3, 4);
    std::iota(cube.begin(), cube.end(), 0);
    CHECK(load_npy<array<int, 3>>(golden / "int_2x3x4.npy") == cube);
    CHECK(load_npy<array<int, 3>>(golden / "int_2x3x4_fortran.npy") == cube);
    CHECK(load_npy<array<bool, 2>>(golden / "bool_2x2.npy") == array<bool, 2>{{true, false}, {false, true}});
    using limits = std::numeric_limits<std::int64_t>;
    CHECK(load_npy<array<std::int64_t, 1>>(golden / "int64_3.npy") ==
          array<std::int64_t, 1>{limits::min(), 0, limits::max()});
    const auto special = load_npy<array<double, 1>>(golden / "double_5.npy");
    CHECK(std::signbit(special(1)));
    CHECK(special(2) == std::numeric_limits<double>::infinity());
    CHECK(special(4) == std::numbers::pi);
    CHECK(load_npy<array<double, 0>>(golden / "double_number.npy") == 2.5);
    CHECK(load_npy<array<float, 2>>(golden / "float_0x3.npy").extents() == extents_of<2>{0, 3});
}

TEST_CASE("the bytes are those that NumPy writes") {
    const folder f;
    const auto path = f.path / "x.npy";
    for (const char* name : {"float_2x3.npy", "float_0x3.npy"}) {
        save_npy(path, load_npy<array<float, 2>>(golden / name));
        CHECK(read_all(path) == read_all(golden / name));
    }
    save_npy(path, load_npy<array<double, 1>>(golden / "double_5.npy"));
    CHECK(read_all(path) == read_all(golden / "double_5.npy"));
    save_npy(path, load_npy<array<int, 3>>(golden / "int_2x3x4.npy"));
    CHECK(read_all(path) == read_all(golden / "int_2x3x4.npy"));
    save_npy(path, load_npy<array<bool, 2>>(golden / "bool_2x2.npy"));
    CHECK(read_all(path) == read_all(golden / "bool_2x2.npy"));
    save_npy(path, load_npy<array<double, 0>>(golden / "double_number.npy"));
    CHECK(read_all(path) == read_all(golden / "double_number.npy"));
    save_npy(path, 2.5);
    CHECK(read_all(path) == read_all(golden / "double_number.npy"));
}

TEST_CASE("views are written in row-major order") {
    const folder f;
    const auto path = f.path / "view.npy";
    array<int, 2> a{{1, 2, 3}, {4, 5, 6}};
    save_npy(path, a.transpose());
    CHECK(load_npy<array<int, 2>>(path) == array<int, 2>{{1, 4}, {2, 5}, {3, 6}});
    save_npy(path, a.slice(1, 2, -1, -2));
    CHECK(load_npy<array<int, 2>>(path) == array<int, 2>{{3, 1}, {6, 4}});
}

TEST_CASE("a file that is not the array asked for says so") {
    const auto name = [](const char* file) { return (golden / file).string(); };
    CHECK(error_of<array<double, 2>>(golden / "float_2x3.npy") ==
          name("float_2x3.npy") + " holds float (<f4) where double (<f8) is expected; pass astype to convert it");
    CHECK(error_of<array<float, 1>>(golden / "big_endian.npy") ==
          name("big_endian.npy") + " holds float (>f4) where float (<f4) is expected; pass astype to convert it");
    CHECK(error_of<array<float, 3>>(golden / "float_2x3.npy") ==
          name("float_2x3.npy") + " has rank 2 where rank 3 is expected");
    CHECK(error_of<array<float, 0>>(golden / "float_2x3.npy") ==
          name("float_2x3.npy") + " has rank 2 where one number is expected");
    CHECK(error_of<array<float, 1>>(golden / "record.npy") ==
          name("record.npy") + " holds records and not plain numbers");
    CHECK(error_of<array<float, 1>>(golden / "model.npz") == name("model.npz") + " is not a .npy file");
    CHECK(error_of<array<float, 1>>(golden / "absent.npy").find("absent.npy cannot be opened: ") != std::string::npos);
    CHECK(error_of<array<float, 1>>(golden) == golden.string() + " is a folder: only a regular file can be loaded");
    CHECK(error_of<array<float, 1>>("") == "'' names no file");
}

TEST_CASE("every cut of a file is an error, and so is anything after it") {
    const folder f;
    const auto path = f.path / "cut.npy";
    const std::string whole = read_all(golden / "float_2x3.npy");
    for (std::size_t size = 0; size < whole.size(); ++size) {
        write_all(path, whole.substr(0, size));
        REQUIRE_THROWS_AS((load_npy<array<float, 2>>(path)), file_error);
    }
    CHECK(error_of<array<float, 2>>(path) == path.string() + " is cut short");
    write_all(path, whole + "x");
    CHECK(error_of<array<float, 2>>(path) == path.string() + " goes on after its last element");
}

TEST_CASE("headers that ask for too much") {
    const folder f;
    const auto path = f.path / "huge.npy";
    const auto header = [](const std::string& shape) {
        const std::string text = "{'descr': '<f4', 'fortran_order': False, 'shape': " + shape + ", }\n";
        return std::string("\x93NUMPY\x01\x00", 8) + static_cast<char>(text.size()) + '\0' + text;
    };
    for (const char* shape : {"(9223372036854775807, 2)", "(99999999999999999999, 1)", "(4000000000, 4000000000)",
                              "(-1, 2)", "(2, 3", "2, 3", "(2 3)"}) {
        write_all(path, header(shape));
        CHECK_THROWS_AS((load_npy<array<float, 2>>(path)), file_error);
    }
    write_all(path, header("(1000000000, 100)"));
    CHECK(error_of<array<float, 2>>(path) == path.string() + " is cut short");
}

TEST_CASE("a byte that is no bool is an error") {
    const folder f;
    std::string bytes = read_all(golden / "bool_2x2.npy");
    bytes.back() = 2;
    write_all(f.path / "b.npy", bytes);
    CHECK(error_of<array<bool, 2>>(f.path / "b.npy") ==
          (f.path / "b.npy").string() + " holds a byte that is neither true nor false");
}

TEST_CASE("a file that cannot be written is an error") {
    const auto path = golden / "no folder" / "x.npy";
    CHECK_THROWS_AS(save_npy(path, array<float, 1>{1}), file_error);
    CHECK(!std::filesystem::exists(path));
}
