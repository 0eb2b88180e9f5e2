// SPDX-License-Identifier: MIT
#include "ops/members.hpp"

TEST_CASE_TEMPLATE("slices, joins, gathers, scatters, sorts and cumulations of longs", T, std::int64_t, std::uint64_t, double) {
    members::check_type<T>();
}
