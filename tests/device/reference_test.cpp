// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <vector>

#include <croton/device/reference/reference.hpp>

using namespace croton::kernel;

namespace {

struct sub {
    template <class V> static CROTON_HD V value(V a, V b) { return a - b; }
};
struct sum {
    template <class V> static CROTON_HD V combine(V a, V b) { return a + b; }
    template <class T> static CROTON_HD constexpr T identity() { return T(0); }
};

operand over(void* p, std::array<std::int64_t, croton::max_rank> stride) { return {static_cast<std::byte*>(p), stride}; }

}  // namespace

TEST_CASE("a kernel of rows, phases and sums") {
    // The mean of each row, the deviations from it, and the sums of the deviations by column.
    using k = croton::kernel::kernel<1, 1, block<scalar<double, 0>>, block<>,
                                     phase<block<load<double, 0>>, block<reduce<sum, double, e<0, double>>>,
                                           block<literal<double, __builtin_bit_cast(std::uint64_t, 0.5)>>>,
                                     phase<block<load<double, 0>, apply<sub, e<0, double>, r<1, double>>, store<double, 1, e<1, double>>, accumulate<sum, double, 2, e<1, double>>>,
                                           block<>, block<store<double, 3, r<0, double>>>>>;
    double x[2][3] = {{1, 2, 3}, {4, 5, 6}}, y[2][3] = {}, columns[3] = {9, 9, 9}, rows[2] = {};
    const operand slots[] = {over(x, {3, 1}), over(y, {3, 1}), over(columns, {0, 1}), over(rows, {1})};
    const std::int64_t extents[] = {2, 3}, scalars[] = {1};
    croton::reference::run<k>(extents, slots, scalars);
    CHECK(y[0][0] == 0.5);
    CHECK(y[1][2] == 5.5);
    CHECK(columns[0] == 4);
    CHECK(columns[2] == 8);
    CHECK(rows[0] == 6);
    CHECK(rows[1] == 15);
    // Empty loops leave the identity in sums.
    const std::int64_t none[] = {0, 3};
    croton::reference::run<k>(none, slots, scalars);
    CHECK(columns[1] == 0);
}

TEST_CASE("products and copies") {
    const float a[] = {1, 2, 3, 4, 5, 6}, b[] = {1, 0, 2, 1, 0, 3};
    float c[4] = {1, 1, 1, 1};
    croton::reference::gemm<float>(2, {a, 2, 3, 3, 1}, {b, 3, 2, 2, 1}, 1, {c, 2, 2, 2, 1});
    CHECK(c[0] == 2 * 5 + 1);
    CHECK(c[3] == 2 * 23 + 1);
    float y[2] = {};
    croton::reference::gemv<float>(1, {a, 2, 3, 3, 1}, {b, 3, 2}, 0, {y, 2, 1});
    CHECK(y[0] == 5);
    CHECK(y[1] == 14);
    float t[6] = {};
    const std::int64_t extents[] = {3, 2};
    croton::reference::copy<float>(2, extents, over(const_cast<float*>(a), {1, 3}), over(t, {2, 1}));
    CHECK(t[1] == 4);
    CHECK(t[4] == 3);
}
