// SPDX-License-Identifier: MIT
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

#include <string>

#include <croton/core/extents.hpp>

using namespace croton;

static_assert(is_static(0) && is_static(784) && !is_static(dynamic) && !is_static(dim("a")));
static_assert(is_named(dim("a")) && is_named(dim("feature")));
static_assert(!is_named(dynamic) && !is_named(3));
static_assert(dim("sample") == dim("sample"));
static_assert(dim("sample") != dim("Sample"));
static_assert(dim("a") != dim("aa"));
static_assert(dim("a") < dynamic);
static_assert(is_extent(dynamic) && is_extent(0) && is_extent(784) && is_extent(dim("a")) && is_extent(dim("__________")));
static_assert(!is_extent(-2) && !is_extent(-100) && !is_extent(-2147483648));

namespace {

std::string name(extent_code e) {
    char text[10];
    return std::string(text, static_cast<std::size_t>(detail::unpack_name(e, text)));
}

}  // namespace

TEST_CASE("a name survives packing") {
    CHECK(name(dim("sample")) == "sample");
    CHECK(name(dim("a")) == "a");
    CHECK(name(dim("Z9_")) == "Z9_");
    CHECK(name(dim("__________")) == "__________");
    CHECK(name(dim("0123456789")) == "0123456789");
    CHECK(name(dynamic) == "");
}

TEST_CASE("names of the longest kind stay negative") {
    CHECK(dim("__________") < dynamic);
    CHECK(is_named(dim("__________")));
}
