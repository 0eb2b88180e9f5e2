// SPDX-License-Identifier: MIT
// take and take_along_axis in the kernels of the GPU, and indices that are checked there.
#include "device/emulated_cuda.hpp"
#include "ops/gather.hpp"

using namespace gathering;

TEST_CASE("rows, columns and places of a matrix") { check_rank_2<emulated_gpu, float, int>(); }

TEST_CASE("every kind of loop reads through indices") { check_loops<emulated_gpu>(); }

TEST_CASE("computed indices are moved into range") { check_computed<emulated_gpu>(); }

TEST_CASE("indices on the device are checked there, and the host hears of it when it waits") {
    const auto f = function<emulated_gpu>("f", [](matrix<float> x, vector<int> ids) { return take<0>(x, ids); });
    const auto x = array<float, 2>{{1, 2}, {3, 4}}.to<emulated_gpu>();
    CHECK(f(x, array<int, 1>{1, -2}.to<emulated_gpu>()).to<cpu>() == array<float, 2>{{3, 4}, {1, 2}});
    const auto wrong = f(x, array<int, 1>{1, 2}.to<emulated_gpu>());
    CHECK_THROWS_WITH_AS((void)wrong.to<cpu>(), "f: argument 2 holds the index 2, but take finds 2 elements along its axis: -2 to 1; the indices lie on the device, "
                         "where this was found while the call ran: it may have updated parameters", value_error);
}
