// SPDX-License-Identifier: MIT
// Slices, turns, joins and padding as NumPy has them, of arrays with few elements, with one and with none.
#include "golden/packed.hpp"

using namespace croton;

namespace {

array<double, 2> counted(std::int64_t rows, std::int64_t columns) {
    array<double, 2> x(rows, columns);
    for (std::int64_t i = 0; i < x.size(); ++i) x.data()[i] = static_cast<double>(i) * 1.5 - 3;
    return x;
}

template <class F> void check(const std::string& name, const F& f, std::initializer_list<extents_of<2>> shapes) {
    for (const auto& [rows, columns] : shapes) {
        golden::packed want(name + "_" + std::to_string(rows) + "x" + std::to_string(columns));
        want.check(f(counted(rows, columns)));
        want.done();
    }
}

const std::initializer_list<extents_of<2>> all_shapes = {{5, 6}, {1, 1}, {0, 3}, {4, 1}, {2, 7}, {3, 0}};

template <class X, class V> constexpr auto sliced(const X& x, const V& v) {
    constexpr slice every;
    return std::tuple(x(slice(1, -1), slice(none, none, -1)), x(slice(none, none, 2), slice(-3, none)), x(slice(10, none)), x(slice(-100, 100, 3)), x(slice(none, none, -2)), x(slice(3, 1)),
                      x(slice(3, 1, -1)), x(slice(none, -100, -1)), x(slice(100, none, -3), slice(-2, none, -1)), x(ellipsis, slice(none, none, -1)), x(none, slice(1, none)),
                      x(every, none, slice(-1, none)), transpose(x)(slice(2, 0, -1)), x(slice(1, none))(slice(none, none, -1))(slice(2)), x(slice(none, none, 3))(every, slice(1, none, 2)),
                      v(slice(-2, none, -2)), x(slice(0)), x(slice(-1, -3, -1), slice(1, 2)));
}

template <class Device> void check_slices() {
    check("slices", function<Device>([](matrix<double> x) { return sliced(x, sum<0>(x)); }), all_shapes);
}

template <int Rank> array<double, Rank> own(view<const double, Rank> x) { return x; }

/// The same of arrays, outside of functions.
void check_views() {
    for (const auto& [rows, columns] : all_shapes) {
        const auto x = counted(rows, columns);
        constexpr slice every;
        golden::packed want("slices_" + std::to_string(rows) + "x" + std::to_string(columns));
        const auto next = [&](const auto& v) { want.check(own(v)); };
        next(x(slice(1, -1), slice(none, none, -1)));
        next(x(slice(none, none, 2), slice(-3, none)));
        next(x(slice(10, none)));
        next(x(slice(-100, 100, 3)));
        next(x(slice(none, none, -2)));
        next(x(slice(3, 1)));
        next(x(slice(3, 1, -1)));
        next(x(slice(none, -100, -1)));
        next(x(slice(100, none, -3), slice(-2, none, -1)));
        next(x(ellipsis, slice(none, none, -1)));
        next(x(none, slice(1, none)));
        next(x(every, none, slice(-1, none)));
        next(x.transpose()(slice(2, 0, -1)));
        next(x(slice(1, none))(slice(none, none, -1))(slice(2)));
        next(x(slice(none, none, 3))(every, slice(1, none, 2)));
    }
}

template <class Device> void check_turned() {
    check("turned", function<Device>([](matrix<double> x) {
        const auto v = sum<0>(x);
        return std::tuple(flip(x), flip<0>(x), rot90(x), rot90<2>(x), rot90<-1>(x), roll<0>(x, 3), roll<1>(x, -8), roll<0>(v, 1), diff<0>(x), diff<-1, 2>(x * x), diff<0>(x > 2.0), tril(x), tril<-1>(x),
                          tril<2>(x), triu(x), triu<1>(x), triu<-2>(x), diagonal(x), diagonal<2>(x), diagonal<-1>(x), trace(x), trace<-2>(x));
    }), all_shapes);
}

template <class Device> void check_repeated() {
    check("repeated", function<Device>([](matrix<double> x) {
        const auto v = sum<0>(x);
        const auto [across, down] = meshgrid(v, sum<1>(x));
        const auto both = stack(x, -x);
        return std::tuple(tile<2, 3>(x), tile<2>(x), tile<2, 1, 2>(v), tile<1, 0>(x), repeat<0, 3>(x), repeat<1, 2>(x), repeat<1, 0>(x), kron(x, x + 1), kron(v, v), across, down, pad(x, 1),
                          pad(x, {{0, 2}, {1, 0}}, 7), concatenate(x, x(slice(1)), x), concatenate<1>(x, -x), stack<1>(x, -x), stack<-1>(x, -x), outer(v, v), swapaxes<0, 2>(both), moveaxis<0, -1>(both));
    }), all_shapes);
}

template <class Device> void check_padded() {
    check("edge", function<Device>([](matrix<double> x) {
        return std::tuple(pad(x, 3, pad_mode::edge), pad(x, {{1, 0}, {0, 2}}, pad_mode::edge), pad(x, {{1, 1}, {0, 1}}, pad_mode::wrap));
    }), {{5, 6}, {1, 1}, {4, 1}, {2, 7}});
    check("reflect", function<Device>([](matrix<double> x) {
        return std::tuple(pad(x, 1, pad_mode::reflect), pad(x, {{1, 1}, {0, 5}}, pad_mode::reflect), pad(x, {{2, 1}, {1, 2}}, pad_mode::wrap));
    }), {{5, 6}, {2, 7}});
}

}  // namespace

TEST_CASE("slices") {
    check_slices<cpu>();
    check_slices<reference>();
    check_views();
}
TEST_CASE("turned, rolled and cut") {
    check_turned<cpu>();
}
TEST_CASE("repeated and joined") {
    check_repeated<cpu>();
}
TEST_CASE("padded") {
    check_padded<cpu>();
    check_padded<reference>();
}
