// SPDX-License-Identifier: MIT
// add_at, set_at, segment_sum and bincount on the devices of the host, and parameters of which only the rows are touched that were read.
#include "ops/scatter.hpp"

using namespace gathering;

TEST_CASE("rows and columns of a matrix") {
    check_scatter<cpu, float, int>();
    check_scatter<cpu, std::int64_t, std::int64_t>();
    check_scatter<reference, double, int>();
    check_scatter<cpu, bool, int>();
}

TEST_CASE("segments, counts, and indices of other ranks") {
    check_segments<cpu>();
    check_segments<reference>();
}

TEST_CASE("indices that name nothing are an error, and nothing has changed") {
    const auto f = function<cpu>("f", [](shared<matrix<float>> w, vector<int> ids, vector<int> segments, matrix<float> v) {
        auto sums = segment_sum<2>(v, segments);
        return outputs(sums).updates(update(w, add_at<0>(w, ids, v)));
    });
    array<float, 2> w{{1, 2}, {3, 4}, {5, 6}};
    const array<float, 2> before = w, v{{1, 1}, {2, 2}};
    CHECK_THROWS_WITH_AS(f(w, array<int, 1>{0, 3}, array<int, 1>{0, 1}, v), "f: argument 2 holds the index 3, but add_at finds 3 elements along its axis: -3 to 2",
                         value_error);
    CHECK_THROWS_WITH_AS(f(w, array<int, 1>{0, -3}, array<int, 1>{0, -1}, v), "f: argument 3 holds the index -1, but segment_sum finds 2 elements along its axis: 0 to 1",
                         value_error);
    CHECK(w == before);
    CHECK_THROWS_WITH_AS(f(w, array<int, 1>{0, 1, 2}, array<int, 1>{0, 1}, v), doctest::Contains("; indexing needs them equal"), shape_error);
    CHECK(f(w, array<int, 1>{-1, -1}, array<int, 1>{1, 1}, v) == array<float, 2>{{0, 0}, {3, 3}});
    CHECK(w == array<float, 2>{{1, 2}, {3, 4}, {8, 9}});
    array<float, 2> nothing(0, 2);
    CHECK_THROWS_WITH_AS(f(nothing, array<int, 1>{0, 0}, array<int, 1>{0, 1}, v), "f: add_at: the axis is empty, and no index names anything on it", shape_error);
}

TEST_CASE("an update by the gradient of a gather touches the rows that were gathered") {
    constexpr auto train = [](shared<matrix<float>> w, vector<int> a, vector<int> b, matrix<float> y, scalar<float> rate) {
        auto cost = sum(sqr(take<0>(w, a) - y)) + sum(take<0>(w, b) * 3.0f);
        return outputs(cost).updates(w -= rate * grad(cost, w));
    };
    const auto f = function<cpu>(train);
    const std::string text = explain(f);
    CHECK(text.find("arg1 <- add_at<0>(") != std::string::npos);
    CHECK(text.find("loop over [n1") == std::string::npos);
    array<float, 2> w{{1, 2}, {3, 4}, {5, 6}, {7, 8}};
    auto expected = w;
    const array<float, 2> y{{1, 1}, {0, 0}, {2, 2}};
    f(w, array<int, 1>{3, 1, 3}, array<int, 1>{0, -1}, y, 0.5f);
    function<reference>(train)(expected, array<int, 1>{3, 1, 3}, array<int, 1>{0, -1}, y, 0.5f);
    CHECK(w == expected);
    CHECK(w == array<float, 2>{{-0.5f, 0.5f}, {0, 0}, {5, 6}, {7 - 6 - 5 - 1.5f, 8 - 7 - 6 - 1.5f}});
    // What no index leads to is not computed with.
    f(w, array<int, 1>{1, 1, 1}, array<int, 1>{1, 1}, y, std::numeric_limits<float>::infinity());
    CHECK(w(2, 0) == 5);
    CHECK(w(3, 1) == 8 - 7 - 6 - 1.5f);
}

TEST_CASE("the optimiser without momentum updates such rows in place, those with momentum all of them") {
    const std::string plain = explain(function<cpu>([](shared<matrix<float>> w, vector<int> ids) {
        auto cost = sum(sqr(take<0>(w, ids)));
        return outputs(cost).updates(sgd(cost, w, {.learning_rate = 0.1}));
    }));
    CHECK(plain.find("arg1 <- add_at<0>(arg1, arg2, t1)") != std::string::npos);
    CHECK(plain.find("plan: 2 steps") != std::string::npos);
}
