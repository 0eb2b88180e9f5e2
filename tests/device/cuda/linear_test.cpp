// SPDX-License-Identifier: MIT
// Linear algebra as on a GPU, with LAPACK in the place of cuSOLVER: where it lies, what is waited for, and what is recorded.
#include "device/linear.hpp"

#if CROTON_HAS_LAPACK
#include "device/emulated_solver.hpp"

using gpu = emulated_linear_gpu;

TEST_CASE("equations") { test::check_solve<gpu>(); }
TEST_CASE("equations of float") { test::check_solve<gpu, float>(1e-4); }
TEST_CASE("factors of positive definite matrices, and triangles") { test::check_triangles<gpu>(); }
TEST_CASE("batches that lie the other way round") { test::check_turned_batches<gpu>(); }
TEST_CASE("decompositions") { test::check_decompositions<gpu>(); }
TEST_CASE("in a loop") { test::check_in_loop<gpu>(); }
TEST_CASE("what fails") { test::check_failures<gpu>(); }

TEST_CASE("the host reads what may have failed, once for a batch, and nothing is recorded") {
    const auto f = croton::function<gpu>([](test::square<double> a, croton::tensor<double, croton::dim("b"), croton::dim("n"), croton::dynamic> b) { return croton::solve(a, b); });
    const auto a = test::regular<double>(1, 5, 3).to<gpu>(), b = test::random_array<double, 3>(2, 5, 3, 2).to<gpu>();
    gpu::recording::runs = gpu::recording::replays = gpu::recording::rehearsals = 0;
    for (int call = 1; call <= 3; ++call) {
        const auto reads = emulated::solver::reads, calls = emulated::solver::calls, batched = emulated::solver::batched, crossed = croton::memory<emulated_gpu>::to_host;
        (void)f(a, b);
        CHECK(emulated::solver::reads == reads + 1);
        CHECK(emulated::solver::calls == calls + 10);
        CHECK(emulated::solver::batched == batched + 2);
        CHECK(croton::memory<emulated_gpu>::to_host == crossed + 1);
    }
    CHECK(gpu::recording::runs + gpu::recording::replays == 0);
    CHECK(gpu::recording::rehearsals > 0);  // without a call of the library
}

TEST_CASE("more matrices than are read at a time") {
    const auto f = croton::function<gpu>("many", [](test::square<float> a) { return croton::cholesky(a); });
    croton::array<float, 3> a(2500, 1, 1);
    a.fill(4);
    CHECK(f(a.to<gpu>()).to<croton::cpu>()(2499, 0, 0) == 2);
    a(2100, 0, 0) = a(2400, 0, 0) = 0;
    CHECK_THROWS_WITH_AS(f(a.to<gpu>()), "many: cholesky: matrix is not positive definite (matrix 2100 of 2500, counted from 0)", croton::value_error);
}
#endif
