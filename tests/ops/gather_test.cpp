// SPDX-License-Identifier: MIT
// take and take_along_axis on the devices of the host.
#include "ops/gather.hpp"

using namespace gathering;

TEST_CASE("rows, columns and places of a matrix") {
    check_rank_2<cpu, float, int>();
    check_rank_2<cpu, double, std::int64_t>();
    check_rank_2<reference, std::int64_t, int>();
    check_rank_2<cpu, bool, std::int64_t>();
}

TEST_CASE("every kind of loop reads through indices") {
    check_loops<cpu>();
    check_loops<reference>();
}

TEST_CASE("computed indices are moved into range") {
    check_computed<cpu>();
    check_computed<reference>();
}

TEST_CASE("indices that name nothing are an error, and nothing has changed") {
    const auto f = function<cpu>("f", [](matrix<float> x, matrix<std::int64_t> ids, shared<vector<float>> w) {
        auto y = sum<0, 1>(take<0>(x, transpose(ids)));
        return outputs(y).updates(w += y);
    });
    const array<float, 2> x{{1, 2}, {3, 4}, {5, 6}};
    array<float, 1> w{0, 0};
    CHECK_THROWS_WITH_AS(f(x, array<std::int64_t, 2>{{0, 1}, {3, 2}}, w), "f: argument 2 holds the index 3, but take finds 3 elements along its axis: -3 to 2", value_error);
    CHECK_THROWS_AS(f(x, array<std::int64_t, 2>{{0, -4}}, w), value_error);
    CHECK(w == array<float, 1>{0, 0});
    CHECK_NOTHROW(f(x, array<std::int64_t, 2>{{0, 1}, {-3, 2}}, w));
    CHECK(w == array<float, 1>{10, 14});
    CHECK(f(x, array<std::int64_t, 2>(0, 4), w) == array<float, 1>{0, 0});
}

TEST_CASE("there is nothing to take from an empty axis") {
    const auto f = function<cpu>("f", [](matrix<float> x, vector<int> ids) { return outputs(take<1>(x, ids), take<1>(x, ids + 1)); });
    CHECK_THROWS_WITH_AS(f(array<float, 2>(3, 0), array<int, 1>{0}), "f: take: the axis is empty, and no index names anything on it", shape_error);
    CHECK(std::get<1>(f(array<float, 2>(3, 0), array<int, 1>(0))).extents() == extents_of<2>{3, 0});
    CHECK(std::get<0>(f(array<float, 2>(0, 3), array<int, 1>{2, -1})).extents() == extents_of<2>{0, 2});
}

TEST_CASE("take_along_axis repeats axes of extent 1, and says which do not fit") {
    const auto f = function<cpu>("f", [](matrix<float> x, matrix<int, 1, dynamic> row, matrix<int> ids) {
        return outputs(take_along_axis<1>(x, row), take_along_axis<0>(x, ids));
    });
    const array<float, 2> x{{1, 2, 3}, {4, 5, 6}};
    const auto [same, own] = f(x, array<int, 2>{{2, 0}}, array<int, 2>{{1, 0, -1}});
    CHECK(same == array<float, 2>{{3, 1}, {6, 4}});
    CHECK(own == array<float, 2>{{4, 2, 6}});
    CHECK_THROWS_WITH_AS(f(x, array<int, 2>{{2, 0}}, array<int, 2>{{1, 0}}),
                         "f: argument 3 has extent 2 along axis 1, but argument 1 has extent 3 along axis 1; take_along_axis needs them equal", shape_error);
}

TEST_CASE("rank 4, tables of half, and a table that an update overwrites") {
    const auto f = function<cpu>([](tensor<int, dynamic, dynamic, dynamic, dynamic> x, scalar<std::int64_t> i, matrix<half> h, vector<int> ids) {
        return outputs(take<2>(x, i), take<0>(h, ids));
    });
    array<int, 4> x(2, 3, 4, 5);
    int count = 0;
    for (int& e : x) e = count++;
    array<half, 2> h(3, 2);
    for (int i = 0; i < 6; ++i) h(i / 2, i % 2) = half(0.5f * static_cast<float>(i));
    const auto [third, rows] = f(x, std::int64_t{-1}, h, array<int, 1>{2, 0});
    CHECK(third(1, 2, 4) == x(1, 2, 3, 4));
    CHECK(third.extents() == extents_of<3>{2, 3, 5});
    CHECK(rows == array<float, 2>{{2, 2.5f}, {0, 0.5f}});

    // Every element reads the old values, wherever they are.
    const auto turn = function<cpu>([](shared<vector<float>> w, vector<int> ids) { return updates(update(w, take<0>(w, ids))); });
    array<float, 1> w{1, 2, 3, 4};
    turn(w, array<int, 1>{1, 2, 3, 0});
    CHECK(w == array<float, 1>{2, 3, 4, 1});
}

TEST_CASE("an index of rows is read once for each row, and the row as it lies") {
    const std::string text = explain(function<cpu>([](matrix<float> table, vector<int> ids) { return exp(take<0>(table, ids)); }));
    CHECK(text.find("plan: 1 step") != std::string::npos);
    CHECK(text.find("output 1 = exp(arg1[arg2])") != std::string::npos);
    CHECK(text.find("output 1 = exp(take<0>(arg1, arg2))") != std::string::npos);
    CHECK(text.find("indices of an axis of n1, checked") != std::string::npos);
}

TEST_CASE("sums over rows that indices lead to") {
    const auto f = function<cpu>([](matrix<float> table, vector<int> ids, matrix<float> v) {
        const auto rows = take<0>(table, ids) - v;
        return outputs(sum(sqr(rows)), 2.0f * rows);
    });
    const auto g = function<cpu>([](matrix<float> table, vector<int> ids) { return outputs(sum<1>(take<0>(table, ids)), max(take<0>(table, ids))); });
    for (const std::int64_t width : {0, 1, 7, 64, 5000})
        for (const std::int64_t rows : {0, 1, 5, 700}) {
            CAPTURE(width);
            CAPTURE(rows);
            array<float, 2> table(10, width), v(rows, width), twice(rows, width);
            array<int, 1> ids(rows);
            for (std::int64_t i = 0; i < 10; ++i)
                for (std::int64_t j = 0; j < width; ++j) table(i, j) = static_cast<float>((3 * i + j) % 4);
            for (std::int64_t q = 0; q < rows; ++q) ids(q) = static_cast<int>(7 * q % 10);
            std::int64_t squares = 0;
            array<float, 1> lines(rows);
            lines.fill(0);
            for (std::int64_t q = 0; q < rows; ++q)
                for (std::int64_t j = 0; j < width; ++j) {
                    v(q, j) = static_cast<float>((q + 2 * j) % 3);
                    const std::int64_t number = (3 * ids(q) + j) % 4, d = number - (q + 2 * j) % 3;
                    squares += d * d;
                    twice(q, j) = static_cast<float>(2 * d);
                    lines(q) += static_cast<float>(number);
                }
            const auto [cost, both] = f(table, ids, v);
            CHECK(*cost.data() == static_cast<float>(squares));
            CHECK(both == twice);
            if (rows == 0 || width < 4) continue;
            const auto [by_row, largest] = g(table, ids);
            CHECK(by_row == lines);
            CHECK(*largest.data() == 3);
        }
}

namespace {

/// Rows of few bytes, in steps of their own, and nothing written behind the last.
template <class T, class I> void check_narrow() {
    const auto rows = function<cpu>([](matrix<T> x, vector<I> ids) { return take<0>(x, ids); });
    const auto fused = function<cpu>([](vector<T> x, vector<I> ids) { return take<0>(x, ids) + take<0>(x, ids + 1); });
    for (std::int64_t width = 1; width < 40; ++width)
        for (const std::int64_t count : {1, 3, 16, 17, 40, 300}) {
            CAPTURE(width);
            CAPTURE(count);
            array<T, 2> wide(29, width + 2), to(count + 1, width + 1);
            for (std::int64_t i = 0; i < wide.size(); ++i) wide.data()[i] = static_cast<T>(i % 113);
            const auto table = wide(slice(none, none), slice(1, width + 1));
            array<I, 1> ids(count);
            for (std::int64_t q = 0; q < count; ++q) ids(q) = static_cast<I>(7 * q % 29 - (std::is_signed_v<I> && q % 3 == 0 ? 29 : 0));
            to.fill(T(99));
            rows.call_into(to(slice(none, count), slice(none, width)), table, ids);
            bool same = true;
            for (std::int64_t q = 0; q <= count; ++q)
                for (std::int64_t j = 0; j <= width; ++j) same = same && to(q, j) == (q < count && j < width ? table(7 * q % 29, j) : T(99));
            REQUIRE(same);
            REQUIRE(rows(wide, ids)(count - 1, width + 1) == wide(7 * (count - 1) % 29, width + 1));
        }
    for (const std::int64_t count : {1, 7, 8, 15, 16, 17, 33, 1000}) {
        array<T, 1> x(29);
        array<I, 1> ids(count);
        for (std::int64_t i = 0; i < 29; ++i) x(i) = static_cast<T>(i);
        for (std::int64_t q = 0; q < count; ++q) ids(q) = static_cast<I>(7 * q % 29 - (std::is_signed_v<I> && q % 3 == 0 ? 29 : 0));
        const auto sums = fused(x, ids);
        for (std::int64_t q = 0; q < count; ++q) {
            const std::int64_t at = static_cast<std::int64_t>(ids(q)) + 1, next = at < 0 ? at + 29 : std::min<std::int64_t>(at, 28);
            REQUIRE(sums(q) == static_cast<T>(7 * q % 29 + next));
        }
    }
}

}  // namespace

TEST_CASE("rows of every few bytes, and numbers by indices of another size") {
    check_narrow<float, std::int64_t>();
    check_narrow<float, int>();
    check_narrow<double, std::int64_t>();
    check_narrow<double, int>();
    check_narrow<std::int32_t, std::int64_t>();
    check_narrow<std::int64_t, int>();
    check_narrow<std::uint8_t, std::int64_t>();
    check_narrow<std::int16_t, std::uint32_t>();
    check_narrow<float, std::uint64_t>();
}

TEST_CASE("the one index among many that names nothing is found") {
    const auto f = function<cpu>("f", [](vector<float> x, vector<int> ids) { return take<0>(x, ids); });
    for (const std::int64_t count : {1, 2, 100, 127, 128, 129, 300})
        for (std::int64_t wrong = 0; wrong < count; wrong += 1 + count / 50)
            for (const int which : {-6, 5, 100}) {
                array<int, 1> ids(count);
                for (std::int64_t q = 0; q < count; ++q) ids(q) = static_cast<int>(q % 10 - 5);
                CHECK_NOTHROW(f(array<float, 1>{1, 2, 3, 4, 5}, ids));
                ids(wrong) = which;
                CHECK_THROWS_AS(f(array<float, 1>{1, 2, 3, 4, 5}, ids), value_error);
            }
}
