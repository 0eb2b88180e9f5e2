// SPDX-License-Identifier: MIT
// The times of steps in a profile are those of the device: it does not wait for the host between them.
#include <doctest/doctest.h>

#include "device/logged_cuda.hpp"

using namespace croton;

namespace {

/// The nanoseconds of all steps of three calls.
template <class F, class... A> std::int64_t time_of_steps(F& f, const A&... a) {
    const profile here("steps", [](const profile_data&) {});
    for (int call = 0; call < 3; ++call) (void)f(a...);
    std::int64_t time = 0;
    for (const function_profile& called : here.functions()) time += called.steps_time;
    return time;
}

}  // namespace

TEST_CASE("a step takes what its kernels take") {
    auto f = function<cuda>([](matrix<float> a, matrix<float> b) { return softmax(dot(a, b)); });
    const array<float, 2, cuda> a(8, 8), b(8, 8);
    // A launch takes the host 10 us, and a kernel the device 2 us: of 3 calls of 2 launches.
    CHECK(time_of_steps(f, a, b) == 3 * 2 * 2000);
    CHECK(logged::count("host function") == 3);
    CHECK(logged::faults.empty());
}

TEST_CASE("nothing is measured, and nothing held, while somebody captures the stream") {
    auto f = function<cuda>([](matrix<float> a, matrix<float> b) { return softmax(dot(a, b)); });
    const array<float, 2, cuda> a(8, 8), b(8, 8);
    REQUIRE(cudaStreamBeginCapture(cuda::stream(), cudaStreamCaptureModeGlobal) == cudaSuccess);
    CHECK(time_of_steps(f, a, b) == 0);
    cudaGraph_t made = nullptr;
    CHECK(cudaStreamEndCapture(cuda::stream(), &made) == cudaSuccess);
    CHECK(made->nodes.size() == 3 * 2);
    (void)cudaGraphDestroy(made);
    CHECK(logged::faults.empty());
}
