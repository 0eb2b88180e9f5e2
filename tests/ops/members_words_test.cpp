// SPDX-License-Identifier: MIT
#include "ops/members.hpp"

TEST_CASE_TEMPLATE("slices, joins, gathers, scatters, sorts and cumulations of words", T, std::int32_t, std::uint32_t, float) {
    members::check_type<T>();
}
