// SPDX-License-Identifier: MIT
// What to try first on a GPU: the state around launches, which no emulator has.
#include "device/compare.hpp"

#include <atomic>
#include <cmath>
#include <deque>
#include <limits>
#include <memory>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

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

TEST_CASE("relu by cuBLASLt, allowed and not, after a graph was recorded") {
    auto f = function<cuda>([](matrix<float> a, matrix<float> b, vector<float> row) { return relu(dot(a, b) + row); });
    auto expected = function<reference>([](matrix<float> a, matrix<float> b, vector<float> row) { return relu(dot(a, b) + row); });
    const auto a = whole_numbers<float>(1, 64, 32), b = whole_numbers<float>(2, 32, 128);
    const auto row = random_array<float, 1>(3, 128);
    const auto ga = a.to<cuda>(), gb = b.to<cuda>();
    const auto grow = row.to<cuda>();
    array<float, 2, cuda> c(64, 128);
    for (const bool allowed : {false, true, false}) {
        CAPTURE(allowed);
        cuda::allow_fused_activations(allowed);
        for (int call = 0; call < 4; ++call) f.call_into(c, ga, gb, grow);
        cuda::allow_fused_activations(false);
        check_close(c, expected(a, b, row));
    }
}

TEST_CASE("packed products, replayed with other addresses") {
    const auto make = [](auto device) {
        return function<decltype(device)>([](matrix<float> a, matrix<float> b, vector<float> x) {
            const auto every_other = a(slice(none, none, 2), slice(none, none, 2));
            return outputs(dot(every_other, b), dot(every_other, x), dot(b(slice(), slice(none, none, -1)), every_other));
        });
    };
    auto f = make(cuda{});
    auto expected = make(reference{});
    // More sets of addresses than graphs that are kept, and each of them again and again.
    constexpr int sets = 11;
    std::vector<array<float, 2>> a;
    std::vector<array<float, 2, cuda>> ga;
    for (unsigned i = 0; i < sets; ++i) {
        a.push_back(random_array<float, 2>(i, 66, 66));
        ga.push_back(a.back().to<cuda>());
    }
    const auto b = random_array<float, 2>(100, 33, 33);
    const auto x = random_array<float, 1>(101, 33);
    const auto gb = b.to<cuda>();
    const auto gx = x.to<cuda>();
    for (const std::size_t used : {std::size_t{1}, std::size_t{3}, std::size_t{sets}})
        for (int turn = 0; turn < 4; ++turn)
            for (std::size_t i = 0; i < used; ++i) {
                CAPTURE(i);
                const auto [y, z, v] = f(ga[i], gb, gx);
                const auto [wy, wz, wv] = expected(a[i], b, x);
                check_close(y, wy);
                check_close(z, wz);
                check_close(v, wv);
            }
}

TEST_CASE("beta = 0 does not read what is no number") {
    const int n = 33;
    const auto a = random_array<float, 2>(1, n, n), b = random_array<float, 2>(2, n, n);
    const auto x = random_array<float, 1>(3, n);
    const auto ga = a.to<cuda>(), gb = b.to<cuda>();
    const auto gx = x.to<cuda>();
    auto product = function<reference>([](matrix<float> p, matrix<float> q) { return dot(p, q); });
    auto column = function<reference>([](matrix<float> p, vector<float> q) { return dot(p, q); });
    constexpr float nan = std::numeric_limits<float>::quiet_NaN();
    array<float, 2, cuda> c(n, n), apart(n, 2 * n);
    array<float, 1, cuda> y(n);
    c.fill(nan);
    apart.fill(nan);
    y.fill(nan);
    cuda::gemm<float>(1, {ga.data(), n, n, n, 1}, {gb.data(), n, n, n, 1}, 0, {c.data(), n, n, n, 1});
    check_close(c, product(a, b));
    cuda::gemv<float>(1, {ga.data(), n, n, n, 1}, {gx.data(), n, 1}, 0, {y.data(), n, 1});
    check_close(y, column(a, x));
    c.fill(nan);
    cuda::gemm_batched<float>(1, {ga.data(), 1, n, n, 1}, {gb.data(), n, n, n, 1}, 0, {c.data(), 1, n, n, 1}, {n, n, 0, n});
    check_close(c, product(a, b));
    // Every other element of a row, which cuBLAS does not write: a loop.
    cuda::gemm<float>(1, {ga.data(), n, n, n, 1}, {gb.data(), n, n, n, 1}, 0, {apart.data(), n, n, 2 * n, 2});
    const auto written = apart.to<cpu>();
    const auto want = product(a, b);
    CHECK(written(n - 1, 2 * (n - 1)) == doctest::Approx(want(n - 1, n - 1)).epsilon(1e-4));
    CHECK(std::isnan(written(n - 1, 2 * n - 1)));
    // And in functions, by themselves and as graphs.
    auto f = function<cuda>([](matrix<float> p, matrix<float> q) { return dot(p, q); });
    for (int call = 0; call < 4; ++call) {
        c.fill(nan);
        f.call_into(c, ga, gb);
        check_close(c, want);
    }
}

TEST_CASE("the ring of pinned memory comes round while the GPU is busy") {
    // 4 MiB of it: many small copies, none of which waits, and one that is larger.
    auto busy = function<cuda>([](matrix<float> p) { return dot(p, dot(p, p)); });
    const auto p = random_array<float, 2>(1, 2048, 2048).to<cuda>();
    array<float, 2, cuda> q(2048, 2048);
    std::vector<array<int, 1, cuda>> small;
    for (int i = 0; i < 3000; ++i) {
        if (i % 500 == 0) busy.call_into(q, p);
        array<int, 1> host(1500);
        host.fill(i);
        small.push_back(host.to<cuda>());
    }
    std::int64_t wrong = 0;
    for (int i = 0; i < 3000; ++i) {
        const auto back = small[static_cast<std::size_t>(i)].to<cpu>();
        for (const int v : back) wrong += v != i ? 1 : 0;
    }
    CHECK(wrong == 0);
    const auto large = random_array<float, 1>(2, 2'500'001);
    check_close(large.to<cuda>(), large, 0);
}

TEST_CASE("results that are kept, dropped and kept again") {
    auto f = function<cuda>([](vector<float> x, scalar<float> s) { return cumsum(x * 0 + s); });
    const auto x = random_array<float, 1>(1, 300).to<cuda>();
    for (const std::size_t kept : {std::size_t{1}, std::size_t{5}, std::size_t{40}}) {
        std::deque<std::pair<float, array<float, 1, cuda>>> results;
        for (int call = 0; call < 300; ++call) {
            const auto s = static_cast<float>(call);
            results.emplace_back(s, f(x, s));
            if (results.size() <= kept) continue;
            const auto& [was, oldest] = results.front();
            CHECK(oldest.to<cpu>()(299) == 300 * was);
            results.pop_front();
        }
    }
}

TEST_CASE("two threads call one function") {
    auto f = function<cuda>([](matrix<float> a, matrix<float> b) { return softmax(dot(a(slice(none, none, 2), slice(none, none, 2)), b)) + sum<0>(b); });
    auto expected = function<reference>([](matrix<float> a, matrix<float> b) { return softmax(dot(a(slice(none, none, 2), slice(none, none, 2)), b)) + sum<0>(b); });
    std::vector<std::thread> threads;
    std::atomic<int> wrong{0};
    for (unsigned t = 0; t < 2; ++t)
        threads.emplace_back([&, t] {
            const auto a = random_array<float, 2>(t, 130, 130), b = random_array<float, 2>(10 + t, 65, 33);
            const auto want = expected(a, b);
            const auto ga = a.to<cuda>(), gb = b.to<cuda>();
            array<float, 2, cuda> c(65, 33);
            for (int call = 0; call < 200; ++call) {
                if (call % 2 == 0) f.call_into(c, ga, gb);
                const auto got = call % 2 == 0 ? c.to<cpu>() : f(ga, gb).to<cpu>();
                for (std::int64_t i = 0; i < want.size(); ++i) wrong += std::fabs(got.data()[i] - want.data()[i]) <= 1e-4f ? 0 : 1;
            }
        });
    for (std::thread& t : threads) t.join();
    CHECK(wrong == 0);
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
