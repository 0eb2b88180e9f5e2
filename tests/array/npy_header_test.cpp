// SPDX-License-Identifier: MIT
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>

#include <croton/array/npy.hpp>

#include "files.hpp"

using namespace croton;

namespace {

/// A file that lies in memory.
class text_source final : public detail::byte_source {
public:
    explicit text_source(std::string_view text) : byte_source("x", text.size()), text_(text) {}

private:
    void fill(char* to, std::uint64_t bytes) override {
        std::memcpy(to, text_.data(), bytes);
        text_.remove_prefix(bytes);
    }
    std::string_view text_;
};

/// The numbers 0 to 5 behind a header.
std::string file_of(const std::string& header, char version = 1, char minor = 0) {
    std::string file = std::string("\x93NUMPY", 6) + version + minor + static_cast<char>(header.size()) + '\0';
    if (version > 1) file += std::string(2, '\0');
    file += header;
    const float numbers[] = {0, 1, 2, 3, 4, 5};
    return file.append(reinterpret_cast<const char*>(numbers), sizeof numbers);
}

std::string header_of(const std::string& descr, const std::string& order, const std::string& shape) {
    return "{'descr': " + descr + ", 'fortran_order': " + order + ", 'shape': " + shape + ", }\n";
}

template <int Rank = 1> std::string said_of(const std::string& file) {
    return files::error_of([&] {
        text_source from(file);
        const auto x = detail::read_npy<float, Rank, false>(from);
        REQUIRE(x.size() == 6);
        float next = 0;
        for (float v : x) REQUIRE(v == next++);
    });
}

const std::string right = header_of("'<f4'", "False", "(6,)");
constexpr const char* no_dictionary = "x has a header that is no dictionary of 'descr', 'fortran_order' and 'shape'";

}  // namespace

TEST_CASE("headers that NumPy reads") {
    for (const char* shape : {"(6,)", "( 6 , )", "(6\t,)", "(6,\n)", "(6L,)"})
        CHECK(said_of(file_of(header_of("'<f4'", "False", shape))) == "no error");
    for (const char* header : {"{'shape': (6,), 'fortran_order': False, 'descr': '<f4'}", "{\"shape\":(6,),\"fortran_order\":True,\"descr\":\"<f4\"}",
                               "{\n'shape' :\n(6,) ,\t'fortran_order' : False , 'descr':'<f4'}   \n"})
        CHECK(said_of(file_of(header)) == "no error");
    for (char version : {'\1', '\2', '\3'}) CHECK(said_of(file_of(right, version)) == "no error");
    CHECK(said_of<2>(file_of(header_of("'<f4'", "False", "(2, 3)"))) == "no error");
    CHECK(said_of<2>(file_of(header_of("'<f4'", "False", "(2,3,)"))) == "no error");
}

TEST_CASE("headers that lie") {
    for (const char* shape : {"(6)", "(+6,)", "(-6,)", "(06,)", "(6.,)", "(0x6,)", "(6,,)", "(,)", "(,6)", "[6]", "(True,)", "(6_0,)", "6", "",
                              "(18446744073709551622,)", "(9223372036854775807,)", "(6", "(6,", "((6,),)", "(6;)", "(2 3)", "(6L)", "(6LL,)"})
        CHECK_MESSAGE(said_of(file_of(header_of("'<f4'", "False", shape))) == "x has a header whose shape cannot be read", shape);
    for (const char* order : {"true", "1", "0", "banana", "None", "'True'", "\"False\"", "", "Tru", "(True)"})
        CHECK_MESSAGE(said_of(file_of(header_of("'<f4'", order, "(6,)"))) ==
                          "x has a header whose 'fortran_order' is neither True nor False", order);
    for (const char* order : {"Truely", "FalseTrue", "False False", "True or False"})
        CHECK_MESSAGE(said_of(file_of(header_of("'<f4'", order, "(6,)"))) == no_dictionary, order);
    for (const char* descr : {"<f4", "'<f4", "b'<f4'", "u'<f4'", "'<f4\\x00'", "'<' 'f4'", "None", "", "'<f4\n'"})
        CHECK_MESSAGE(said_of(file_of(header_of(descr, "False", "(6,)"))) == no_dictionary, descr);
    for (const char* descr : {"=f4", "f4", "|f4", "<c8", "<U1", "|O", "float32", "", "<f4 ", "|b2", "<b1", "<f16"})
        CHECK(said_of(file_of(header_of("'" + std::string(descr) + "'", "False", "(6,)"))) ==
              "x holds '" + std::string(descr) + "' where float (<f4) is expected");
    CHECK(said_of(file_of(header_of("'<i4'", "False", "(6,)"))) ==
          "x holds int (<i4) where float (<f4) is expected; pass astype to convert it");
    CHECK(said_of(file_of(header_of("[('a', '<f4')]", "False", "(6,)"))) == "x holds records and not plain numbers");

    for (const char* header : {"", "{", "{}}", "'descr': '<f4', 'fortran_order': False, 'shape': (6,)", "({'descr': '<f4'})",
                               "{'descr': '<f4', 'fortran_order': False, 'shape': (6,)",
                               "{'descr': '<f4', 'fortran_order': False, 'shape': (6,)} # and more",
                               "{'descr': '<f4', 'fortran_order': False, 'shape': (6,)}{}",
                               "{'descr': '<f4' 'fortran_order': False, 'shape': (6,)}",
                               "{'descr': '<f4', 'fortran_order': False,, 'shape': (6,)}",
                               "{,'descr': '<f4', 'fortran_order': False, 'shape': (6,)}",
                               "{'descr'; '<f4', 'fortran_order': False, 'shape': (6,)}",
                               "{'z': 1, 'descr': '<f4', 'fortran_order': False, 'shape': (6,)}",
                               "{'descr': '<f4', 'fortran_order': False, 'x': \"'shape': (5,)\", 'shape': (6,)}"})
        CHECK_MESSAGE(said_of(file_of(header)) == no_dictionary, header);
    CHECK(said_of(file_of("{'descr': '<f4', 'fortran_order': False, 'shape': (5,), 'shape': (6,)}")) == "x has 'shape' twice in its header");
    CHECK(said_of(file_of("{'descr': '<f4', 'fortran_order': False}")) == "x has no 'shape' in its header");
    CHECK(said_of(file_of("{'descr': '<f4', 'shape': (6,)}")) == "x has no 'fortran_order' in its header");
    CHECK(said_of(file_of("{}")) == "x has no 'descr' in its header");

    for (const auto& [version, minor] : {std::pair{0, 0}, {4, 0}, {1, 9}, {2, 1}})
        CHECK(said_of(file_of(right, static_cast<char>(version), static_cast<char>(minor))) ==
              "x has version " + std::to_string(version) + "." + std::to_string(minor) + " of the .npy format; 1.0, 2.0 and 3.0 are known");
    CHECK(said_of<2>(file_of(header_of("'<f4'", "False", "(4611686018427387904, 4)"))).starts_with("x: the extents "));
    CHECK(said_of<2>(file_of(header_of("'<f4'", "False", "(6148914691236517206, 3)"))).starts_with("x: the extents "));
    CHECK(said_of(file_of(header_of("'<f4'", "False", "(7,)"))) == "x is cut short");
    CHECK(said_of(file_of(header_of("'<f4'", "False", "(5,)"))) == "x goes on after its last element");
    CHECK(said_of<2>(file_of(right)) == "x has rank 1 where rank 2 is expected");
}

// 255 other values for every byte of the header, in both orders: what is still read is the same array.
TEST_CASE("no changed byte of a header gives another array") {
    for (const char* name : {"float_2x3.npy", "float_2x3_fortran.npy", "float_2x3_version2.npy", "float_2x3_version3.npy"}) {
        const std::string whole = files::read_all(files::golden / name);
        text_source unchanged(whole);
        const auto expected = detail::read_npy<float, 2, false>(unchanged);
        int read = 0;
        for (std::size_t at = 0; at + 6 * sizeof(float) < whole.size(); ++at) {
            std::string changed = whole;
            for (int value = 0; value < 256; ++value) {
                changed[at] = static_cast<char>(value);
                text_source from(changed);
                try {
                    const auto x = detail::read_npy<float, 2, false>(from);
                    ++read;
                    REQUIRE(x == expected);
                } catch (const file_error&) {
                }
            }
        }
        CHECK(read > 128);
    }
}

TEST_CASE("no cut of a file is read") {
    for (const char* name : {"float_2x3.npy", "float_2x3_fortran.npy", "float_2x3_version3.npy"}) {
        const std::string whole = files::read_all(files::golden / name);
        for (std::size_t size = 0; size < whole.size(); ++size) {
            text_source from(std::string_view(whole).substr(0, size));
            REQUIRE_THROWS_AS((detail::read_npy<float, 2, false>(from)), file_error);
        }
    }
}
