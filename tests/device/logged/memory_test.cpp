// SPDX-License-Identifier: MIT
// Memory goes back to the device that it came from, behind the steps that use it; and a capture of somebody else's is only added to.
#include <doctest/doctest.h>

#include <memory>
#include <optional>
#include <thread>
#include <vector>

#include "device/logged_cuda.hpp"

using namespace croton;

TEST_CASE("an array outlives the choice of its device") {
    logged::lines.clear();
    {
        std::optional<array<float, 1, cuda>> there;
        {
            const cuda::scoped_device on(1);
            there.emplace(1000);
        }
        const array<float, 1, cuda> here(10);
    }
    CHECK(logged::count("free on stream") == 2);
    CHECK(logged::count("of device 1") > 0);
    CHECK(logged::faults.empty());
    CHECK(cuda::bytes_held() == 0);
    int device = -1;
    (void)cudaGetDevice(&device);
    CHECK(device == 0);
}

TEST_CASE("results outlive their function, its thread and the choice of its device") {
    auto made = function<cuda>([](vector<float> x) { return x * 2; });
    std::vector<array<float, 1, cuda>> results;
    for (const int device : {0, 1}) {
        const cuda::scoped_device on(device);
        const array<float, 1, cuda> x(100);
        auto f = std::make_unique<decltype(made)>(made);
        for (int call = 0; call < 3; ++call) results.push_back((*f)(x));
        results.pop_back();
        if (device == 1) f.reset();
        else std::thread([&] { f.reset(); }).join();
    }
    std::thread([&] {
        auto f = made;
        results.push_back(f(array<float, 1, cuda>(100)));
    }).join();
    results.clear();
    CHECK(logged::faults.empty());
    CHECK(cuda::bytes_held() == 0);
}

TEST_CASE("what waits for results is given back where memory is short") {
    auto f = function<cuda>([](vector<float> x) { return x * 2; });
    {
        const array<float, 1, cuda> x(100'000);
        (void)f(x);
    }
    std::size_t taken = 0;
    for (const auto& [at, b] : logged::blocks) taken += b.bytes;
    const auto before = std::exchange(logged::limit, taken);
    logged::lines.clear();
    CHECK_NOTHROW((void)(array<float, 1, cuda>(100'000)));
    CHECK(logged::count("free on") == 2);
    CHECK_THROWS_AS((void)(array<float, 1, cuda>(1'000'000)), device_error);
    logged::limit = before;
    CHECK(logged::faults.empty());
}

TEST_CASE("a function has memory on each device that it is called on") {
    {
        auto f = function<cuda>([](matrix<float> a, matrix<float> b, vector<float> host) { return softmax(dot(a, b)) + host; });
        const array<float, 1> host(8);
        for (int call = 0; call < 4; ++call)
            for (const int device : {0, 1}) {
                const cuda::scoped_device on(device);
                const array<float, 2, cuda> a(8, 8), b(8, 8);
                (void)f(a, b, host);
            }
    }
    CHECK(logged::faults.empty());
    CHECK(cuda::bytes_held() == 0);
}

TEST_CASE("a function that ends in another thread waits there for its steps") {
    auto made = function<cuda>([](matrix<float> a) { return sum(softmax(dot(a, a))); });
    auto f = std::make_unique<decltype(made)>(std::move(made));
    array<float, 2, cuda> a(8, 8);
    (void)(*f)(a);
    logged::lines.clear();
    std::thread([&] {
        const array<float, 1, cuda> own(4);
        logged::lines.clear();
        f.reset();
    }).join();
    REQUIRE(logged::count("free on") > 0);
    // An event behind what the first thread has queued, and then the memory.
    CHECK(logged::lines.at(0).starts_with("event on"));
    CHECK(logged::lines.at(1).starts_with("wait of"));
    // A thread that has no stream of its own waits for all of them.
    auto b = std::make_unique<array<float, 1, cuda>>(4);
    logged::lines.clear();
    std::thread([&] { b.reset(); }).join();
    CHECK(logged::lines.at(0) == "all wait");
    CHECK(logged::faults.empty());
}

TEST_CASE("steps go into the graph of whoever captures the stream") {
    auto f = function<cuda>([](matrix<float> a, matrix<float> b) { return softmax(dot(a, transpose(b))) * 2; });
    array<float, 2, cuda> a(8, 8), b(8, 8), c(8, 8);
    for (const bool known : {false, true}) {
        CAPTURE(known);
        REQUIRE(cudaStreamBeginCapture(cuda::stream(), cudaStreamCaptureModeGlobal) == cudaSuccess);
        logged::lines.clear();
        {
            const array<float, 2, cuda> given_back(8, 8);
            f.call_into(c, a, b);
            (void)f(a, b);
        }
        CHECK_THROWS_AS((void)c.to<cpu>(), device_error);
        CHECK_THROWS_AS((void)(array<float, 1>(3).to<cuda>()), device_error);
        cudaGraph_t made = nullptr;
        CHECK(cudaStreamEndCapture(cuda::stream(), &made) == cudaSuccess);
        REQUIRE(made != nullptr);
        CHECK(std::count(made->nodes.begin(), made->nodes.end(), "product of float in float") == 2);
        CHECK(logged::count("capture") == 0);
        CHECK(logged::count("graph of") == 0);
        (void)cudaGraphDestroy(made);
        // By itself it records again.
        for (int call = 0; call < 3; ++call) f.call_into(c, a, b);
        CHECK(logged::count("graph of") >= 1);
    }
    CHECK(logged::faults.empty());
}

TEST_CASE("out of memory and going on") {
    auto f = function<cuda>([](vector<float> x) { return cumsum(x * 2) + 1; });
    array<float, 1, cuda> x(1000);
    const std::int64_t held = cuda::bytes_held();
    const auto before = std::exchange(logged::limit, std::size_t{1});
    CHECK_THROWS_WITH_AS((void)f(x), doctest::Contains("out of memory on the CUDA device"), device_error);
    logged::limit = before;
    CHECK(cuda::bytes_held() == held);
    CHECK_NOTHROW((void)f(x));
    CHECK(logged::faults.empty());
}
