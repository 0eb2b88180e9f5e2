// SPDX-License-Identifier: MIT
// What to try first on a GPU: the state around launches, which no emulator has.
#include "device/compare.hpp"

#include <memory>
#include <optional>
#include <thread>

using fp16 = croton::half;

using namespace test;

namespace {

// What is allowed, and again as it was.
struct allowed_tf32 {
    allowed_tf32() { cuda::allow_tf32(true); }
    allowed_tf32(const allowed_tf32&) = delete;
    allowed_tf32& operator=(const allowed_tf32&) = delete;
    ~allowed_tf32() { cuda::allow_tf32(false); }
};

template <class T> array<T, 2> whole_numbers(std::uint64_t seed, std::int64_t rows, std::int64_t columns) {
    array<T, 2> x(rows, columns);
    for (std::int64_t i = 0; i < x.size(); ++i) x.data()[i] = T(static_cast<float>((static_cast<std::uint64_t>(i) * 7 + seed) % 5) - 2);
    return x;
}
// Sums of small whole numbers are exact in every type, TF32 included.
template <class T> void check_products() {
    auto f = function<cuda>([](matrix<T> a, matrix<T> b) { return cast<double>(dot(a, b)); });
    auto expected = function<reference>([](matrix<T> a, matrix<T> b) { return cast<double>(dot(a, b)); });
    for (const int n : {1, 7, 16, 65, 128}) {
        CAPTURE(n);
        const auto a = whole_numbers<T>(1, n, n + 3), b = whole_numbers<T>(2, n + 3, n);
        for (int call = 0; call < 3; ++call) check_close(f(a, b), expected(a, b), 0);
    }
}

}  // namespace

TEST_CASE("tf32 and every type of a product") {
    const allowed_tf32 here;
    check_products<float>();
    check_products<double>();
    check_products<fp16>();
    check_products<bfloat16>();
}

TEST_CASE("settings that change after a graph was recorded") {
    auto f = function<cuda>([](matrix<float> a, matrix<float> b) { return dot(a, b); });
    const int n = 256;
    array<float, 2> a(n, n), b(n, n);
    // 1 + 2^-12 is 1 in TF32.
    a.fill(1.000244140625f);
    b.fill(1);
    const auto ga = a.to<cuda>(), gb = b.to<cuda>();
    array<float, 2, cuda> c(n, n);
    const auto all = [&] {
        for (int call = 0; call < 4; ++call) f.call_into(c, ga, gb);
        return c.template to<cpu>()(n - 1, n - 1);
    };
    const float exact = 256.0625f;
    CHECK(all() == exact);
    {
        const allowed_tf32 here;
        const float rounded = all();
        MESSAGE("with tf32: " << rounded);
    }
    CHECK(all() == exact);
}

TEST_CASE("two devices") {
    if (cuda::count() < 2) {
        MESSAGE("one GPU: not tested on two");
        return;
    }
    auto f = function<cuda>([](matrix<float> a, vector<float> host) { return softmax(dot(a, a)) + host; });
    auto expected = function<reference>([](matrix<float> a, vector<float> host) { return softmax(dot(a, a)) + host; });
    const auto a = random_array<float, 2>(1, 65, 65);
    const auto host = random_array<float, 1>(2, 65);
    const auto want = expected(a, host);
    const auto held = cuda::bytes_held();
    {
        std::optional<array<float, 2, cuda>> kept;
        for (int call = 0; call < 4; ++call)
            for (const int device : {0, 1}) {
                const cuda::scoped_device on(device);
                const auto there = a.to<cuda>();
                kept.emplace(f(there, host));
                check_close(*kept, want);
            }
        // The last result is of device 1, and goes back there while device 0 is chosen.
    }
    cuda::synchronize();
    const auto kept_by_function = cuda::bytes_held() - held;
    CHECK(kept_by_function < (std::int64_t{1} << 20));
}

TEST_CASE("a function that ends in another thread") {
    const auto a = random_array<float, 2>(1, 512, 512);
    auto expected = function<reference>([](matrix<float> x) { return sum(softmax(x * 2)); });
    const auto want = expected(a);
    auto made = function<cuda>([](matrix<float> x) { return sum(softmax(x * 2)); });
    const auto ga = a.to<cuda>();
    for (int turn = 0; turn < 20; ++turn) {
        auto f = std::make_unique<decltype(made)>(made);
        const auto got = (*f)(ga);
        std::thread([&] {
            // What this thread takes may be the memory that it gave back: not before the steps have ended.
            const array<float, 1, cuda> before(1);
            f.reset();
            array<float, 2, cuda> after(512, 512);
            after.fill(-1);
            cuda::synchronize();
        }).join();
        check_close(got, want);
    }
}

TEST_CASE("steps in a graph of one's own") {
    auto f = function<cuda>([](matrix<float> a, matrix<float> b) { return softmax(dot(a, transpose(b))) * 2; });
    auto expected = function<reference>([](matrix<float> a, matrix<float> b) { return softmax(dot(a, transpose(b))) * 2; });
    const auto a = random_array<float, 2>(1, 33, 65), b = random_array<float, 2>(2, 17, 65);
    const auto ga = a.to<cuda>(), gb = b.to<cuda>();
    array<float, 2, cuda> c(33, 17);
    // At first nothing is known of the function, and then it has a graph.
    for (int turn = 0; turn < 2; ++turn) {
        CAPTURE(turn);
        cudaGraph_t graph = nullptr;
        cudaGraphExec_t runs = nullptr;
        cuda::synchronize();
        REQUIRE(cudaStreamBeginCapture(cuda::stream(), cudaStreamCaptureModeThreadLocal) == cudaSuccess);
        f.call_into(c, ga, gb);
        CHECK_THROWS_AS((void)(c.to<cpu>()), device_error);
        REQUIRE(cudaStreamEndCapture(cuda::stream(), &graph) == cudaSuccess);
        REQUIRE(cudaGraphInstantiate(&runs, graph, 0) == cudaSuccess);
        for (int launch = 0; launch < 3; ++launch) {
            // Calls in between have memory of their own.
            const auto next = random_array<float, 2>(static_cast<unsigned>(10 + launch), 33, 65);
            check_close(f(next.to<cuda>(), gb), expected(next, b));
            c.fill(0);
            REQUIRE(cudaGraphLaunch(runs, cuda::stream()) == cudaSuccess);
            check_close(c, expected(a, b));
        }
        (void)cudaGraphExecDestroy(runs);
        (void)cudaGraphDestroy(graph);
        for (int call = 0; call < 3; ++call) f.call_into(c, ga, gb);
    }
}

TEST_CASE("out of memory and going on") {
    auto f = function<cuda>([](vector<float> x) { return sum(x * 2); });
    const auto x = random_array<float, 1>(1, 1000);
    const auto gx = x.to<cuda>();
    const float want = f(gx);
    using too_much = array<float, 1, cuda>;
    for (int turn = 0; turn < 3; ++turn) {
        const auto held = cuda::bytes_held();
        CHECK_THROWS_WITH_AS(too_much(std::int64_t{1} << 44), doctest::Contains("out of memory on the CUDA device"), device_error);
        CHECK(cuda::bytes_held() == held);
        CHECK(static_cast<float>(f(gx)) == want);
    }
}

TEST_CASE("a profile has the times of the GPU") {
    auto f = function<cuda>([](matrix<float> a) { return softmax(dot(a, a)); });
    const auto a = random_array<float, 2>(1, 64, 64).to<cuda>();
    for (int call = 0; call < 3; ++call) (void)f(a);
    const profile here("steps", [](const profile_data&) {});
    for (int call = 0; call < 20; ++call) (void)f(a);
    for (const function_profile& called : here.functions())
        for (const step_profile& step : called.steps) {
            CAPTURE(step.formula);
            // A launch takes the host about as long as two of these kernels; a gate that did not open in time would take 20 ms.
            CHECK(step.least < 10'000);
            CHECK(step.most < 5'000'000);
        }
}

TEST_CASE("shapes that alternate, each with its graph") {
    auto f = function<cuda>([](matrix<float> a, matrix<float> b) { return softmax(dot(a, b)) + sum<0>(a * 2); });
    auto expected = function<reference>([](matrix<float> a, matrix<float> b) { return softmax(dot(a, b)) + sum<0>(a * 2); });
    const auto weights = random_array<float, 2>(1, 65, 65);
    const auto there = weights.to<cuda>();
    // More shapes than are kept, and few that come again and again.
    for (const int shapes : {2, 3, 12})
        for (int turn = 0; turn < 5; ++turn)
            for (int s = 0; s < shapes; ++s) {
                CAPTURE(s);
                const auto a = random_array<float, 2>(static_cast<unsigned>(turn * 100 + s), 1 + 37 * s, 65);
                check_close(f(a.to<cuda>(), there), expected(a, weights));
            }
}
