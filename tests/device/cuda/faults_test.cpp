// SPDX-License-Identifier: MIT
// Every allocation of a call on a GPU fails in turn: the memory of partial results and of counters too, which steps ask for.
#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "device/emulated_cuda.hpp"
#include "failing_calls.hpp"

using namespace test;

namespace {

using gpu = emulated_gpu;

// An update in front of a sum along rows that many blocks share, and of one over everything.
auto made_sums() {
    return function<gpu>("sums", [](matrix<float> x, shared<vector<float>> a, shared<vector<float>> b, shared<scalar<float>> c, scalar<float> rate) {
        auto h = tanh(dot(x, a));
        return outputs(h).updates(a -= rate * dot(transpose(x), h), b -= sum<0>(exp(x)), c -= sum(sqr(x)));
    });
}

template <bool Recorded> struct sums {
    static constexpr int allocates = 3;
    decltype(made_sums()) f = made_sums();
    array<float, 2> on_host = numbers<2>(1, 70, 33);
    array<float, 2, gpu> x = on_host.template to<gpu>();
    array<float, 1, gpu> a = numbers<1>(2, 33).to<gpu>(), b = numbers<1>(3, 33).to<gpu>(), h;
    array<float, 0, gpu> c = array<float, 0>{0.5f}.to<gpu>();

    // The process has no GPU yet.
    sums() {
        gpu::platform::work = std::vector<std::byte>();
        gpu::platform::count = std::vector<unsigned>();
    }
    void call() {
        if constexpr (Recorded) {
            const profile around{"a name that is longer than what a string holds in place"};
            h = f(x, a, b, c, 0.5f);
        } else {
            h = f(x, a, b, c, 0.5f);
        }
    }
    std::string bits() const {
        std::string all;
        append(all, x.template to<cpu>());
        for (const auto* v : {&a, &b, &h}) append(all, v->template to<cpu>());
        append(all, c.template to<cpu>());
        return all;
    }
};

}  // namespace

TEST_CASE("steps that ask for memory") { each_allocation_fails<sums<false>>(); }
TEST_CASE("the same, measured") { each_allocation_fails<sums<true>>(); }

TEST_CASE("a run is rehearsed once for each caller, state and alignment") {
    detail::cuda_device::rehearsals known;
    alignas(256) static std::byte memory[1024];
    const int one = 0, other = 0;
    int made = 0;
    const auto run = [&](const void* owner, std::int64_t state, std::vector<const void*> addresses) {
        known.run(owner, state, addresses, [&] { ++made; });
        return made;
    };
    CHECK(run(&one, 0, {memory, memory + 256}) == 1);
    CHECK(run(&one, 0, {memory + 512, memory}) == 1);
    CHECK(run(&one, 0, {memory + 4, memory}) == 2);
    CHECK(run(&one, 0, {memory, memory + 4}) == 3);
    CHECK(run(&other, 0, {memory, memory}) == 4);
    CHECK(run(&one, 1, {memory, memory}) == 5);
    CHECK(run(&one, 0, {memory + 260, memory}) == 5);
    CHECK_THROWS_AS(known.run(&one, 2, std::vector<const void*>{memory}, [] { throw std::bad_alloc(); }), std::bad_alloc);
    CHECK(run(&one, 2, {memory}) == 6);
    for (std::int64_t state = 10; state < 30; ++state) run(&one, state, {memory});
    CHECK(run(&one, 29, {memory}) == 26);
    known.forget();
    CHECK(run(&one, 29, {memory}) == 27);
}
