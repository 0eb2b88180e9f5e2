// SPDX-License-Identifier: MIT
// Kernels whose blocks wait for each other, so often that a mistake which is rare shows, and loops that only 64 bits count.
#include "device/compare.hpp"

#include <string>
#include <tuple>

using namespace test;

namespace {

constexpr int often = 100'000;

/// Whether `call` leaves the same bits in `got` each time. The GPU compares; the host looks once.
template <class Symbol, int Rank, class Call> void check_repeats(const char* what, array<float, Rank, cuda>& got, Call&& call) {
    auto compare = function<cuda>([](Symbol now, Symbol first, shared<scalar<std::int64_t>> wrong) {
        return updates(wrong += sum(cast<std::int64_t>(now != first)));
    });
    CAPTURE(what);
    array<std::int64_t, 0, cuda> wrong;
    call();
    const auto first = got;
    for (int turn = 0; turn < often; ++turn) {
        call();
        compare(got, first, wrong);
    }
    CHECK(static_cast<std::int64_t>(wrong) == 0);
}

}  // namespace

TEST_CASE("a hundred thousand times: sums that the last block finishes, and rows in parts") {
    auto total = function<cuda>([](vector<float> x) { return sum(sqr(x)); });
    auto columns = function<cuda>([](matrix<float> x) { return sum<0>(x * x); });
    auto large_columns = function<cuda>([](matrix<float> x) { return sum<0>(x + 1); });
    auto rows = function<cuda>([](matrix<float> x) { return softmax<1>(x); });
    auto closed = function<cuda>([](matrix<float> x) { return sqrt(sum<0>(x * x)(-1)) + sum(x) / 3; });
    auto lines = function<cuda>([](matrix<float> x) { return sum<1>(x); });
    const auto line = random_array<float, 1>(1, 70'001).to<cuda>();
    const auto tall = random_array<float, 2>(2, 999, 129).to<cuda>(), wide = random_array<float, 2>(3, 3, 20'011).to<cuda>(),
               broad = random_array<float, 2>(4, 300, 5000).to<cuda>();
    array<float, 0, cuda> y0;
    array<float, 1, cuda> y1(129), y2(5000), y3(3);
    array<float, 2, cuda> y4(3, 20'011);
    check_repeats<scalar<float>>("a total", y0, [&] { total.call_into(y0, line); });
    check_repeats<scalar<float>>("a number of sums", y0, [&] { closed.call_into(y0, tall); });
    check_repeats<vector<float>>("few columns", y1, [&] { columns.call_into(y1, tall); });
    check_repeats<vector<float>>("many columns", y2, [&] { large_columns.call_into(y2, broad); });
    check_repeats<vector<float>>("long lines", y3, [&] { lines.call_into(y3, wide); });
    check_repeats<matrix<float>>("softmax of long rows", y4, [&] { rows.call_into(y4, wide); });
}

TEST_CASE("a hundred thousand times: what indices lead to") {
    auto taken = function<cuda>([](matrix<float> table, vector<int> ids) { return take<0>(table, ids) * 2; });
    auto brought = function<cuda>([](matrix<float> table, vector<int> ids, matrix<float> v) { return add_at<0>(table, ids, v); });
    const int rows = 500, columns = 37, picked = 2000;
    const auto table = random_array<float, 2>(1, rows, columns).to<cuda>(), v = random_array<float, 2>(2, picked, columns).to<cuda>();
    array<int, 1> ids(picked);
    // Many lead to the same rows, whose sums have an order.
    for (int i = 0; i < picked; ++i) ids(i) = i * 7919 % 41 * 11;
    const auto there = ids.to<cuda>();
    array<float, 2, cuda> y(picked, columns), z(rows, columns);
    check_repeats<matrix<float>>("take", y, [&] { taken.call_into(y, table, there); });
    check_repeats<matrix<float>>("add_at", z, [&] { brought.call_into(z, table, there, v); });
}

TEST_CASE("more than 2^31 elements with strides") {
    constexpr std::int64_t rows = 70'000, columns = 40'000;
    std::size_t available = 0, total = 0;
    (void)cudaMemGetInfo(&available, &total);
    if (available < std::size_t{3} * rows * columns) {
        MESSAGE("not enough memory on this GPU for more than 2^31 elements: not tested");
        return;
    }
    const auto bit = [](std::int64_t i, std::int64_t j) { return (i * 31 + j * 7) % 5 == 0; };
    array<bool, 2> host(rows, columns);
    for (std::int64_t i = 0; i < rows; ++i)
        for (std::int64_t j = 0; j < columns; ++j) host.data()[i * columns + j] = bit(i, j);
    const auto x = host.to<cuda>();
    // The rows backwards and without their first column: no two axes are one, and an index goes beyond 32 bits.
    auto f = function<cuda>([](matrix<bool> b) { return !b(slice(none, none, -1), slice(1, none)); });
    auto count = function<cuda>([](matrix<bool> b) { return sum(cast<std::int64_t>(b)); });
    const auto y = f(x);
    std::int64_t expected = 0, wrong = 0;
    const auto back = y.to<cpu>();
    for (std::int64_t i = 0; i < rows; ++i)
        for (std::int64_t j = 0; j < columns - 1; ++j) {
            const bool want = !bit(rows - 1 - i, j + 1);
            expected += want ? 1 : 0;
            wrong += back.data()[i * (columns - 1) + j] != want ? 1 : 0;
        }
    CHECK(wrong == 0);
    CHECK(static_cast<std::int64_t>(count(y)) == expected);
    // By columns, which a sum walks across.
    auto by_columns = function<cuda>([](matrix<bool> b) { return sum<1>(cast<std::int64_t>(transpose(b))); });
    const auto sums = by_columns(x).to<cpu>();
    for (const std::int64_t j : {std::int64_t{0}, std::int64_t{12'345}, columns - 1}) {
        std::int64_t want = 0;
        for (std::int64_t i = 0; i < rows; ++i) want += bit(i, j) ? 1 : 0;
        CHECK(sums(j) == want);
    }
}
