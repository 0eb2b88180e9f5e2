// SPDX-License-Identifier: MIT
#include "ops/members.hpp"

TEST_CASE_TEMPLATE("slices, joins, gathers, scatters, sorts and cumulations of bytes", T, bool, std::int8_t, std::uint8_t) {
    members::check_type<T>();
}
