// SPDX-License-Identifier: MIT
#include "ops/members.hpp"

TEST_CASE_TEMPLATE("slices, joins, gathers, scatters, sorts and cumulations of shorts", T, std::int16_t, std::uint16_t, croton::half, croton::bfloat16) {
    members::check_type<T>();
}
