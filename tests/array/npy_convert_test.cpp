// SPDX-License-Identifier: MIT
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <croton/array/npz.hpp>

#include "files.hpp"

using namespace croton;

namespace {

/// A .npy file of numbers of a type that NumPy has and croton need not have.
template <class T> std::string npy_file(const std::string& descr, const std::vector<T>& numbers) {
    const auto size = static_cast<std::int64_t>(numbers.size());
    std::string file = detail::npy_header_text(descr, &size, 1);
    for (T number : numbers) {
        std::string bytes(reinterpret_cast<const char*>(&number), sizeof number);
        if ((descr[0] == '>') == (std::endian::native == std::endian::little)) std::reverse(bytes.begin(), bytes.end());
        file += bytes;
    }
    return file;
}

template <class To> struct loader {
    const files::folder& f;

    template <class T> array<To, 1> operator()(const std::string& descr, const std::vector<T>& numbers) const {
        files::write_all(f.path / "x.npy", npy_file(descr, numbers));
        return load_npy<array<To, 1>>(f.path / "x.npy", astype);
    }
    template <class T> std::string error_of(const std::string& descr, const std::vector<T>& numbers) const {
        const std::string said = files::error_of([&] { (*this)(descr, numbers); });
        const std::string name = (f.path / "x.npy").string();
        return said.starts_with(name) ? said.substr(name.size() + 1) : said;
    }
};

}  // namespace

TEST_CASE("numbers of every type and byte order become floats") {
    const files::folder f;
    const loader<float> floats{f};
    const array<float, 1> small{0, 1, 100};
    for (char order : {'<', '>'}) {
        const auto type = [order](const char* name) { return order + std::string(name); };
        CHECK(floats(type("i2"), std::vector<std::int16_t>{0, 1, 100}) == small);
        CHECK(floats(type("i4"), std::vector<std::int32_t>{0, 1, 100}) == small);
        CHECK(floats(type("i8"), std::vector<std::int64_t>{0, 1, 100}) == small);
        CHECK(floats(type("u2"), std::vector<std::uint16_t>{0, 1, 100}) == small);
        CHECK(floats(type("u4"), std::vector<std::uint32_t>{0, 1, 100}) == small);
        CHECK(floats(type("u8"), std::vector<std::uint64_t>{0, 1, 100}) == small);
        CHECK(floats(type("f2"), std::vector<half>{0, 1, 100}) == small);
        CHECK(floats(type("f4"), std::vector<float>{0, 1, 100}) == small);
        CHECK(floats(type("f8"), std::vector<double>{0, 1, 100}) == small);
    }
    CHECK(floats("|i1", std::vector<std::int8_t>{-128, 127}) == array<float, 1>{-128, 127});
    CHECK(floats("|u1", std::vector<std::uint8_t>{0, 255}) == array<float, 1>{0, 255});
    CHECK(floats("|b1", std::vector<std::uint8_t>{0, 1}) == array<float, 1>{0, 1});
    CHECK(floats("<u8", std::vector<std::uint64_t>{std::numeric_limits<std::uint64_t>::max()}) == array<float, 1>{0x1p64f});
    // More than one block.
    std::vector<std::int16_t> many(5000);
    for (std::size_t i = 0; i < many.size(); ++i) many[i] = static_cast<std::int16_t>(i);
    const auto converted = floats("<i2", many);
    for (std::int64_t i = 0; i < 5000; ++i) REQUIRE(converted(i) == static_cast<float>(i));
}

TEST_CASE("digits are rounded, fractions cut off, and a bool is what is not 0") {
    const files::folder f;
    const auto as_float = loader<float>{f}("<f8", std::vector<double>{0.1, 1e300, -0.0, std::nan("")});
    CHECK(as_float(0) == 0.1f);
    CHECK(as_float(1) == HUGE_VALF);
    CHECK(std::signbit(as_float(2)));
    CHECK(std::isnan(as_float(3)));
    CHECK(loader<int>{f}("<f8", std::vector<double>{1.9, -1.9, -0.5, 2147483647.9, -2147483648.9}) ==
          array<int, 1>{1, -1, 0, 2147483647, std::numeric_limits<int>::min()});
    CHECK(loader<std::int64_t>{f}("<f4", std::vector<float>{-0x1p63f, 0x1p62f}) ==
          array<std::int64_t, 1>{std::numeric_limits<std::int64_t>::min(), std::int64_t{1} << 62});
    CHECK(loader<bool>{f}("<f8", std::vector<double>{0, -0.0, 0.5, std::nan("")}) == array<bool, 1>{false, false, true, true});
    CHECK(loader<bool>{f}("<i8", std::vector<std::int64_t>{0, -7}) == array<bool, 1>{false, true});
    CHECK(loader<half>{f}("<f4", std::vector<float>{0.1f, 1e6f}) == array<half, 1>{0.1f, HUGE_VALF});
    CHECK(loader<bfloat16>{f}("<f8", std::vector<double>{1.5, -2}) == array<bfloat16, 1>{1.5f, -2});
    CHECK(loader<double>{f}("<i8", std::vector<std::int64_t>{(std::int64_t{1} << 53) + 1}) == array<double, 1>{0x1p53});
}

TEST_CASE("a number that the type cannot hold is no other number") {
    const files::folder f;
    const loader<int> ints{f};
    CHECK(ints.error_of("<f8", std::vector<double>{1, std::nan("")}) == "holds nan, which is no int");
    CHECK(ints.error_of("<f4", std::vector<float>{HUGE_VALF}) == "holds inf, which is no int");
    CHECK(ints.error_of("<f8", std::vector<double>{2147483648.0}) == "holds 2147483648, which is no int");
    CHECK(ints.error_of("<f8", std::vector<double>{-1e10}) == "holds -1e+10, which is no int");
    CHECK(ints.error_of("<i8", std::vector<std::int64_t>{std::int64_t{1} << 40}) == "holds 1099511627776, which is no int");
    CHECK(ints.error_of("<u4", std::vector<std::uint32_t>{0xffffffff}) == "holds 4294967295, which is no int");
    CHECK(loader<std::int64_t>{f}.error_of("<f8", std::vector<double>{0x1p63}) == "holds 9223372036854775808, which is no int64");
    CHECK(ints.error_of("|b1", std::vector<std::uint8_t>{2}) == "holds a byte that is neither true nor false");
    CHECK(ints.error_of("<c8", std::vector<std::int64_t>{0}) == "holds '<c8' where int (<i4) is expected");
    CHECK(ints.error_of("<U2", std::vector<std::int64_t>{0}) == "holds '<U2' where int (<i4) is expected");
    CHECK(ints.error_of("<i8", std::vector<std::int32_t>{1, 2}) == "is cut short");
}

TEST_CASE("orders of memory, other ranks and models are converted as well") {
    CHECK(load_npy<array<double, 2>>(files::golden / "float_2x3_fortran.npy", astype) ==
          array<double, 2>{{1, -2.5, 3}, {4, 5, double{1e-3f}}});
    CHECK(load_npy<array<int, 2>>(files::golden / "float_2x3.npy", astype) == array<int, 2>{{1, -2, 3}, {4, 5, 0}});
    CHECK(load_npy<array<float, 0>>(files::golden / "double_number.npy", astype) == 2.5f);
    CHECK(load_npy<array<float, 1>>(files::golden / "big_endian.npy", astype) == array<float, 1>{1, 2});
}

namespace {

template <template <class, int> class A> struct singles {
    A<float, 2> a;
    A<float, 1> b;
};
template <template <class, int> class A> struct doubles {
    A<double, 2> a;
    A<double, 1> b;
};

}  // namespace

TEST_CASE("a model of doubles is loaded into one of floats") {
    const files::folder f;
    for (const char* name : {"m.npz", "m"}) {
        save(doubles<on<cpu>::array>{array<double, 2>{{1, 0.1}}, array<double, 1>{2}}, f.path / name);
        singles<on<cpu>::array> model;
        CHECK(files::error_of([&] { load(model, f.path / name); }).ends_with("holds double (<f8) where float (<f4) is expected; pass astype to convert it"));
        load(model, f.path / name, astype);
        CHECK(model.a == array<float, 2>{{1, 0.1f}});
        CHECK(model.b == array<float, 1>{2});
    }
}
