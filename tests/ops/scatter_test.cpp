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
    check_joined_segments<cpu, double>();
    check_joined_segments<reference, double>();
    check_joined_segments<cpu, std::uint8_t>();
    check_joined_segments<cpu, std::int64_t>();
}

TEST_CASE("segments of none, of NaN and of all element types") {
    const auto f = function<cpu>([](vector<float> v, vector<half> h, vector<std::uint64_t> u, vector<bool> b, vector<std::int16_t> ids) {
        return outputs(segment_max<3>(v, ids), segment_min<3>(v, ids), segment_mean<3>(v, ids), segment_max<3>(h, ids), segment_min<3>(u, ids), segment_max<3>(b, ids), segment_min<3>(b, ids));
    });
    const auto [most, least, middle, of_half, of_longs, any, all] =
        f(array<float, 1>{1, NAN, 3, 5}, array<half, 1>{1, 2, 3, 5}, array<std::uint64_t, 1>{7, ~std::uint64_t{1}, 8, 9}, array<bool, 1>{true, false, true, false}, array<std::int16_t, 1>{0, 1, 0, 1});
    CHECK((most(0) == 3 && std::isnan(most(1)) && most(2) == -INFINITY));
    CHECK((least(0) == 1 && std::isnan(least(1)) && least(2) == INFINITY));
    CHECK((middle(0) == 2 && std::isnan(middle(1)) && std::isnan(middle(2))));
    CHECK(of_half == array<float, 1>{3, 5, -INFINITY});
    CHECK(of_longs == array<std::uint64_t, 1>{7, 9, ~std::uint64_t{0}});
    CHECK(any == array<bool, 1>{true, false, false});
    CHECK(all == array<bool, 1>{true, false, true});
}

TEST_CASE("segments where none are declared") {
    const auto f = function<cpu>("f", [](vector<float> v, vector<int> ids, vector<float, dim("n")> like) { return outputs(segment_max<dim("n")>(v, ids), like); });
    CHECK_THROWS_AS(f(array<float, 1>{1}, array<int, 1>{0}, array<float, 1>(0)), value_error);
    CHECK_THROWS_WITH_AS(f(array<float, 1>{1}, array<int, 1>{3}, array<float, 1>(2)), "f: argument 2 holds the index 3, but segment_max finds 2 elements along its axis: 0 to 1", value_error);
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
