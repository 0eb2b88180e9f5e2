// SPDX-License-Identifier: MIT
// Elements picked by indices, and values brought to where they lead, as NumPy has them: indices that occur twice, that count from the end, none.
#include "golden/packed.hpp"

using namespace croton;

namespace {

const array<int, 1> rows{4, 0, -1, 2, 0, 4, -5};
const array<std::int64_t, 1> columns{0, -1, 2, 1, 1, -3, 0};
const array<int, 2> grid{{1, -1, 1}, {0, 2, -3}};

array<double, 2> squares() {
    array<double, 2> x(5, 3);
    for (std::int64_t i = 0; i < 15; ++i) x.data()[i] = static_cast<double>(i * i);
    return x;
}
array<double, 3> counted() {
    array<double, 3> y(3, 4, 5);
    for (std::int64_t i = 0; i < 60; ++i) y.data()[i] = static_cast<double>(i);
    return y;
}
array<int, 1> from_front(int extent) {
    array<int, 1> at = rows;
    for (int& i : at) i = (i % extent + extent) % extent;
    return at;
}

template <class Device> void check_picked() {
    const auto f = function<Device>([](matrix<double> x, tensor<double, dynamic, dynamic, dynamic> y, vector<int> r, vector<std::int64_t> c, matrix<int> at, vector<int> third, vector<int> fourth,
                                       vector<int> no, matrix<int> each, vector<std::int64_t> head) {
        return outputs(take<0>(x, r), take<1>(x, c), take<1>(y, at), y(ellipsis, -2), take<0>(x, no), take_along_axis<0>(x, each), take_along_axis<1>(x, head(slice(), none)), x(r),
                       x(slice(), c), x(r, c), y(slice(1, none), at), transpose<0, 2, 1>(y)(third, 2), y(ellipsis, r), y(slice(), fourth, c), y(none, 0, at), y(slice(), slice(none, none, -1))(slice(), at));
    });
    golden::packed want("picked");
    array<int, 1> third(2), fourth = from_front(4);
    third(0) = 1, third(1) = 0;
    want.check(f(squares(), counted(), rows, columns, grid, third, fourth, array<int, 1>(0), array<int, 2>{{0, -1, 2}, {4, 4, -5}}, columns(slice(5))));
    want.done();
}

template <class Device> void check_brought() {
    const auto f = function<Device>([](matrix<double> x, tensor<double, dynamic, dynamic, dynamic> y, vector<int> r, vector<int> fifth, matrix<int> at, vector<int> no, vector<std::int64_t> c,
                                       matrix<double> v, tensor<double, dynamic, dynamic, dynamic, dynamic> w, vector<bool> yes) {
        return outputs(add_at<0>(x, r, v), set_at<0>(x, r, v), add_at<0>(x, r, v(0)), set_at<0>(x, r, 7), set_at<0>(x, no, v(slice(0))), add_at<1>(y, at, w), set_at<1>(y, at, w),
                       concatenate(x(slice(-1)), x(slice(-1, none)) + v(slice(1, 2))), bincount<9>(fifth), bincount<4>(no), segment_sum<6>(v, fifth), add_at<0>(zeros<3>(yes), c, yes));
    });
    golden::packed values("values"), want("brought");
    const auto v = values.take<double, 2>();
    const auto w = values.take<double, 4>();
    want.check(f(squares(), counted(), rows, from_front(5), grid, array<int, 1>(0), columns, v, w, array<bool, 1>{false, true, false, false, false, false, false}));
    want.done();
}

}  // namespace

TEST_CASE("picked") {
    check_picked<cpu>();
    check_picked<reference>();
}
TEST_CASE("brought") {
    check_brought<cpu>();
    check_brought<reference>();
}
