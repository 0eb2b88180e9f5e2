// SPDX-License-Identifier: MIT
// Linear algebra on a GPU, by cuSOLVER.
#include "device/linear.hpp"

static_assert(croton::factors_matrices<croton::cuda>);

TEST_CASE("equations") { test::check_solve<croton::cuda>(); }
TEST_CASE("equations of float") { test::check_solve<croton::cuda, float>(1e-4); }
TEST_CASE("factors of positive definite matrices, and triangles") { test::check_triangles<croton::cuda>(); }
TEST_CASE("batches that lie the other way round") { test::check_turned_batches<croton::cuda>(); }
TEST_CASE("decompositions") { test::check_decompositions<croton::cuda>(); }
TEST_CASE("in a loop") { test::check_in_loop<croton::cuda>(); }
TEST_CASE("what fails") { test::check_failures<croton::cuda>(); }
