// SPDX-License-Identifier: MIT
// Which calls of a function are one graph: those of shapes and memory that it has seen.
#include <doctest/doctest.h>

#include <cstddef>
#include <deque>
#include <tuple>
#include <vector>

#include "device/logged_cuda.hpp"

using namespace croton;

TEST_CASE("shapes that alternate have a graph each") {
    auto f = function<cuda>([](matrix<float> a, matrix<float> b) { return softmax(dot(a, b)) + 1; });
    const array<float, 2, cuda> weights(8, 8), batch(32, 8), last(5, 8);
    array<float, 2, cuda> of_batch(32, 8), of_last(5, 8);
    const auto epoch = [&] {
        f.call_into(of_batch, batch, weights);
        f.call_into(of_last, last, weights);
    };
    for (int i = 0; i < 3; ++i) epoch();
    logged::lines.clear();
    for (int i = 0; i < 5; ++i) epoch();
    CHECK(logged::count("graph of 2:") == 10);
    CHECK(logged::count("capture") == 0);
    CHECK(logged::count("take") == 0);
    CHECK(logged::faults.empty());
}

TEST_CASE("results lie where earlier ones did, whoever takes memory meanwhile") {
    auto f = function<cuda>([](matrix<float> a, matrix<float> b) { return softmax(dot(a, b)) + 1; });
    const array<float, 2, cuda> a(8, 8), b(8, 8);
    std::vector<array<float, 2, cuda>> others;
    auto result = f(a, b);
    for (int call = 0; call < 6; ++call) {
        result = f(a, b);
        others.emplace_back(8, 8);
    }
    logged::lines.clear();
    for (int call = 0; call < 10; ++call) {
        result = f(a, b);
        others.emplace_back(8, 8);
    }
    CHECK(logged::count("graph of 2:") == 10);
    CHECK(logged::count("capture") == 0);
    CHECK(logged::count("take 256 ") == 10);
    CHECK(logged::faults.empty());
}

TEST_CASE("results that are kept a while, and more of them than graphs are") {
    auto f = function<cuda>([](matrix<float> a, matrix<float> b) { return softmax(dot(a, b)) + 1; });
    const array<float, 2, cuda> a(8, 8), b(8, 8);
    for (const std::size_t kept : {std::size_t{3}, std::size_t{12}}) {
        CAPTURE(kept);
        std::deque<array<float, 2, cuda>> last;
        for (int call = 0; call < 100; ++call) {
            if (call == 60) logged::lines.clear();
            last.push_back(f(a, b));
            if (last.size() > kept) last.pop_front();
        }
        CHECK(logged::count("graph of 2:") == 40);
        // Eight graphs are kept; with more addresses one of them takes those of each call.
        CHECK(logged::count("updated graph") == (kept < 8 ? 0 : 40));
        CHECK(logged::count("new graph") == 0);
    }
    CHECK(logged::faults.empty());
}

TEST_CASE("every result is kept, and so is every argument: one graph, which takes the addresses of each call") {
    auto f = function<cuda>([](matrix<float> a, matrix<float> b) { return softmax(dot(a, b)) + 1; });
    const array<float, 2, cuda> b(8, 8);
    std::deque<array<float, 2, cuda>> arguments, results;
    logged::lines.clear();
    for (int call = 0; call < 100; ++call) {
        arguments.emplace_back(8, 8);
        results.push_back(f(arguments.back(), b));
    }
    // The first two calls may be all that come.
    CHECK(logged::count("new graph") == 1);
    CHECK(logged::count("updated graph") == 97);
    CHECK(logged::count("graph of 2:") == 98);
    CHECK(logged::count("capture") == 98);
    CHECK(logged::faults.empty());
}

TEST_CASE("calls whose addresses come again keep their graph beside others") {
    auto f = function<cuda>([](matrix<float> a, matrix<float> b) { return softmax(dot(a, b)) + 1; });
    const array<float, 2, cuda> a(8, 8), b(8, 8);
    array<float, 2, cuda> same(8, 8);
    std::deque<array<float, 2, cuda>> results;
    const auto both = [&] {
        f.call_into(same, a, b);
        results.push_back(f(a, b));
    };
    for (int i = 0; i < 5; ++i) both();
    logged::lines.clear();
    for (int i = 0; i < 50; ++i) both();
    CHECK(logged::count("graph of 2:") == 100);
    CHECK(logged::count("updated graph") == 50);
    CHECK(logged::count("new graph") == 0);
    CHECK(logged::faults.empty());
}

TEST_CASE("a graph that is not kept takes the addresses of the next") {
    auto f = function<cuda>([](vector<float> a) { return cumsum(a * 2); });
    array<float, 1, cuda> a(1000);
    std::vector<array<float, 1, cuda>> into;
    for (int i = 0; i < 12; ++i) into.emplace_back(1000);
    const auto each = [&] {
        for (auto& b : into)
            for (int call = 0; call < 3; ++call) f.call_into(b, a);
    };
    each();
    logged::lines.clear();
    each();
    CHECK(logged::count("updated graph") == 12);
    CHECK(logged::count("new graph") == 0);
    CHECK(logged::faults.empty());
}

TEST_CASE("matrices are packed in memory of the function, and nothing that was recorded moves") {
    auto known = function<cuda>([](vector<float> x) { return sum(x * 2); });
    auto f = function<cuda>([](matrix<float> a, matrix<float> b) {
        return outputs(dot(a(slice(none, none, 2), slice(none, none, 2)), b), dot(a(slice(none, none, 2), slice(none, none, 2)), b(slice(), 0)));
    });
    const array<float, 1, cuda> x(100'000);
    array<float, 0, cuda> total;
    for (int call = 0; call < 3; ++call) known.call_into(total, x);
    const array<float, 2, cuda> a(2000, 2000), b(1000, 8);
    array<float, 2, cuda> y(1000, 8);
    array<float, 1, cuda> z(1000);
    auto both = std::tie(y, z);
    logged::lines.clear();
    for (int call = 0; call < 3; ++call) f.call_into(both, a, b);
    // One matrix at a time, and the workspace of cuBLAS comes from elsewhere.
    CHECK(logged::count("take") == 1);
    CHECK(logged::count("take 4000000 ") == 1);
    CHECK(logged::count("graph of 4:") == 2);
    logged::lines.clear();
    known.call_into(total, x);
    CHECK(logged::count("graph of") == 1);
    CHECK(logged::count("capture") == 0);
    CHECK(logged::faults.empty());
}

TEST_CASE("loops of shapes that alternate") {
    auto f = function<cuda>([](matrix<float> x, vector<float> w) {
        return scan([](auto carried, auto row) { return step(tanh(carried + row), carried * row); }, w * 2, x);
    });
    const array<float, 2, cuda> many(5, 8), few(3, 8), wide(2, 8000);
    const array<float, 1, cuda> w(8), of_wide(8000);
    const auto epoch = [&] {
        (void)f(many, w);
        (void)f(few, w);
    };
    for (int i = 0; i < 4; ++i) epoch();
    logged::lines.clear();
    for (int i = 0; i < 5; ++i) epoch();
    CHECK(logged::count("graph of") == 10);
    CHECK(logged::count("capture") == 0);
    // The memory of the loop moves.
    (void)f(wide, of_wide);
    for (int i = 0; i < 4; ++i) epoch();
    logged::lines.clear();
    for (int i = 0; i < 5; ++i) epoch();
    CHECK(logged::count("graph of") == 10);
    CHECK(logged::count("capture") == 0);
    CHECK(logged::faults.empty());
}

TEST_CASE("more shapes than are kept") {
    auto f = function<cuda>([](matrix<float> a) { return softmax(a * 2); });
    for (int turn = 0; turn < 3; ++turn)
        for (int n = 1; n < 20; ++n) {
            const array<float, 2, cuda> a(n, 8);
            array<float, 2, cuda> b(n, 8);
            for (int call = 0; call < 3; ++call) {
                logged::lines.clear();
                f.call_into(b, a);
            }
            CHECK(logged::count("graph of 1:") == 1);
        }
    CHECK(logged::faults.empty());
}

TEST_CASE("labels are looked at beside the steps, until one writes what a call has brought") {
    const auto place = [](const std::string& part, std::size_t from) {
        while (from < logged::lines.size() && logged::lines[from].find(part) == std::string::npos) ++from;
        return from;
    };
    const array<float, 2, cuda> x(8, 4), w(4, 5);
    array<int, 1, cuda> label(8);
    array<float, 0, cuda> cost;
    auto loss = function<cuda>([](matrix<float> a, matrix<float> b, vector<int> l) { return mean(cross_entropy(dot(a, b), l)); });
    for (int call = 0; call < 2; ++call) {
        logged::lines.clear();
        loss.call_into(cost, x, w, label);
    }
    // The look, a product, and the loop of the loss, which writes the cost.
    CHECK(logged::count("graph of 3: beside, launch") == 1);
    const std::size_t product = place("node: product", 0), back = place("wait of", product), loop = place("node: launch", product);
    CHECK(back < loop);
    CHECK(loop < logged::lines.size());

    // Labels that the first step changes.
    auto next = function<cuda>([](matrix<float> a, shared<vector<int>> l) { return outputs(take<0>(a, l)).updates(update(l, (l + 1) % 8)); });
    array<float, 2, cuda> rows(8, 4);
    for (int call = 0; call < 2; ++call) {
        logged::lines.clear();
        next.call_into(rows, x, label);
    }
    const std::size_t look = place("node: beside", 0), first = place("node: launch", look + 1);
    CHECK(place("wait of", look) < first);
    CHECK(first < logged::lines.size());

    // One behind the other where nothing is recorded.
    cuda::use_graphs(false);
    logged::lines.clear();
    loss.call_into(cost, x, w, label);
    cuda::use_graphs(true);
    CHECK(logged::count("wait of") == 0);
    CHECK(logged::count("launch of") == 2);
    CHECK(logged::faults.empty());
}
