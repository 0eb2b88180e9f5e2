// SPDX-License-Identifier: MIT
// A function as an object: copies, moves, several at once, and the memory it holds.
#include <doctest/doctest.h>

#include <atomic>
#include <memory>
#include <optional>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

#include <croton/croton.hpp>

#include "faults.hpp"

using namespace croton;
using test::allocations;

namespace {

array<float, 2> counting(std::int64_t rows, std::int64_t columns) {
    array<float, 2> x(rows, columns);
    float next = 1;
    for (float& each : x) each = next++;
    return x;
}

// Two steps with a temporary between them, a strided argument that is copied first, an update and a rank-0 result.
auto made() {
    return function<cpu>("made", [](matrix<float> x, matrix<float> w, shared<vector<float>> b, scalar<float> rate) {
        auto h = exp(-dot(x, w)) + b;
        auto folded = sum<0>(reshape<dynamic, 2>(x));
        return outputs(softmax(h), sum(h), folded).updates(b -= rate * sum<0>(h));
    });
}
using made_type = decltype(made());

struct job {
    array<float, 2> x = counting(6, 4), w{{0.1F, 0}, {0, 0.1F}, {0.2F, 0}, {0, 0}}, p{array<float, 2>(6, 2)};
    array<float, 1> b{1, 2}, folded{array<float, 1>(2)};
    array<float, 0> total;

    void run(const made_type& f) { f.call_into(std::tie(p, total, folded), x, w, b, 0.5F); }
    void run_strided(const made_type& f) {
        f.call_into(std::tie(p, total, folded), x.slice(0, 5, -1, -1), w.slice(0, 0, 4), b, 0.5F);
    }
};

bool same(const job& a, const job& b) { return a.p == b.p && a.b == b.b && a.folded == b.folded && a.total() == b.total(); }

}  // namespace

TEST_CASE("copies are independent of what they were copied from") {
    job expected, twice;
    {
        made_type f = made();
        expected.run(f);
        twice.run(f);
        twice.run_strided(f);
    }
    std::optional<made_type> original(made());
    job first;
    first.run(*original);
    CHECK(same(first, expected));

    made_type copy = *original;
    CHECK(copy.name() == "made");
    original.reset();  // the memory for temporaries was the original's
    job second;
    second.run(copy);
    CHECK(same(second, expected));
    second.run_strided(copy);
    CHECK(same(second, twice));

    made_type moved = std::move(copy);
    job third;
    third.run(moved);
    CHECK(same(third, expected));

    made_type assigned = made();
    third.run_strided(assigned);
    assigned = moved;
    job fourth;
    fourth.run(assigned);
    fourth.run_strided(assigned);
    CHECK(same(fourth, twice));
    job fifth;
    fifth.run(moved);
    CHECK(same(fifth, expected));
}

TEST_CASE("two functions take turns on the same arrays") {
    auto f = made();
    auto g = made();
    auto double_it = function<cpu>([](shared<vector<float>> b) { return updates(b *= 2); });
    job one, two;
    one.run(f);
    double_it(one.b);
    one.run(g);
    two.run(f);
    double_it(two.b);
    two.run(f);
    CHECK(same(one, two));
}

TEST_CASE("a function can be kept and passed on") {
    std::vector<made_type> all;
    for (int i = 0; i < 3; ++i) all.push_back(made());
    const auto held = std::make_unique<made_type>(all[1]);
    job expected;
    expected.run(all[0]);
    for (made_type* f : {&all[1], &all[2], held.get()}) {
        job one;
        one.run(*f);
        CHECK(same(one, expected));
    }
}

TEST_CASE("threads call one object at once") {
    const auto f = made();  // what is called from several threads is constant
    job expected, expected_strided;
    expected.run(f);
    expected_strided.run_strided(f);
    std::atomic<int> wrong{0}, ready{0};
    constexpr int count = 20;  // more than it keeps places for
    std::vector<std::thread> threads;
    for (int t = 0; t < count; ++t)
        threads.emplace_back([&, t] {
            ++ready;
            while (ready != count) std::this_thread::yield();
            for (int i = 0; i < 200; ++i) {
                job mine;
                if ((i + t) % 3 == 0) {
                    mine.run_strided(f);
                    wrong += !same(mine, expected_strided);
                } else {
                    mine.run(f);
                    wrong += !same(mine, expected);
                }
            }
        });
    for (auto& thread : threads) thread.join();
    CHECK(wrong == 0);
    job after;
    after.run(f);
    CHECK(same(after, expected));
}

TEST_CASE("a thread that is not the first to call keeps what it needs too") {
    const auto f = made();
    job first;
    first.run(f);
    long later = -1;
    std::thread([&] {
        job mine;
        mine.run(f);
        const long before = allocations;
        for (int i = 0; i < 10; ++i) mine.run(f);
        later = allocations - before;
    }).join();
    CHECK(later == 0);
    std::thread([&] {
        job mine;
        const long before = allocations;
        mine.run(f);
        later = allocations - before;
    }).join();
    CHECK(later == 0);
}

TEST_CASE("call_into allocates nothing after the first call") {
    auto f = made();
    job one;
    array<float, 2> other_x = counting(6, 4);
    one.run(f);
    long before = allocations;
    for (int i = 0; i < 20; ++i) one.run(f);
    CHECK(allocations.load() == before);

    SUBCASE("other memory of the same layout") {
        std::swap(one.x, other_x);
        before = allocations;
        one.run(f);
        const long after = allocations;
        CHECK(after == before);
    }
    SUBCASE("smaller shapes, and strided ones once they have been seen") {
        job small;
        small.x = counting(4, 4);
        small.p = array<float, 2>(4, 2);
        before = allocations;
        small.run(f);
        CHECK(allocations.load() == before);
        one.run_strided(f);
        before = allocations;
        for (int i = 0; i < 5; ++i) {
            one.run(f);
            one.run_strided(f);
            small.run(f);
        }
        CHECK(allocations.load() == before);
    }
    SUBCASE("a function without a name and with returned numbers") {
        auto g = function<cpu>([](vector<float> v, shared<vector<float>> w) { return outputs(sum(v)).updates(w += v); });
        array<float, 1> v{1, 2}, w{1, 2};
        float total = g(v, w);
        before = allocations;
        for (int i = 0; i < 10; ++i) total += g(v, w);  // an array of rank 0 allocates nothing
        CHECK(allocations.load() == before);
        CHECK(total == 33);
    }
}

TEST_CASE("large arrays and threads allocate nothing either") {
    auto f = function<cpu>([](matrix<float> x, vector<float> v, shared<vector<float>> w) {
        auto y = tanh(x * v);
        return outputs(y, sum<0>(y), dot(x, v)).updates(w += 0.5 * sum<0>(y * x));
    });
    array<float, 2> x(700, 800), y(700, 800);
    x.fill(0.5F);
    array<float, 1> v = array<float, 1>::full({800}, 0.25F), w(800), columns(800), rows(700);
    f.call_into(std::tie(y, columns, rows), x, v, w);
    f.call_into(std::tie(y, columns, rows), x, v, w);
    const long before = allocations;
    for (int i = 0; i < 5; ++i) f.call_into(std::tie(y, columns, rows), x, v, w);
    CHECK(allocations.load() == before);
    CHECK(rows(699) == doctest::Approx(100));
}
