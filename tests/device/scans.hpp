// SPDX-License-Identifier: MIT
// Loops of every kind on a device, beside the reference: forwards and backwards, nested, with the number of the turn, of several lengths, and those whose turns a
// value counts.
#ifndef CROTON_TESTS_DEVICE_SCANS_HPP
#define CROTON_TESTS_DEVICE_SCANS_HPP

#include "device/compare.hpp"

namespace test {

/// Calls check(f, expected) with the function that `make` makes on `Device` and on the reference.
template <class Device, class Make, class Check> void with_functions(const Make& make, const Check& check) {
    auto f = make(Device{});
    auto expected = make(reference{});
    check(f, expected);
}

template <class Device> void check_recurrent_network() {
    const auto make = [](auto device) {
        return function<decltype(device)>([](tensor<float, dynamic, 3, dynamic> x, matrix<float> h0, matrix<float> w, matrix<float> u, vector<float> b) {
            auto [last, ys] = scan([&](auto h, auto xt) {
                auto n = tanh(dot(xt, w) + dot(h, u) + b);
                return step(n, sum<1>(n));
            }, h0, x);
            auto cost = sum(sqr(last)) + sum(ys);
            return std::tuple_cat(std::tuple(cost, ys), grad(cost, x, w, u, b));
        });
    };
    with_functions<Device>(make, [](auto& f, auto& expected) {
        for (const int turns : {3, 40, 0, 3})
            compare_on<Device>(f, expected, random_array<float, 3>(1, turns, 3, 5), random_array<float, 2>(2, 3, 7), random_array<float, 2>(3, 5, 7), random_array<float, 2>(4, 7, 7), random_array<float, 1>(5, 7));
    });
}

template <class Device> void check_nested_loops() {
    const auto make = [](auto device) {
        return function<decltype(device)>([](matrix<float> x, vector<float> w) {
            auto [state, rows] = scan([&](auto s, auto row) {
                auto [total, parts] = scan([&](auto t, auto k) { return step(t * 0.5f + sum(row) * cast<float>(k), t); }, sum(s), times(4));
                return step(s + w * total, parts);
            }, w, x, {.reverse = true});
            return std::tuple(state, rows);
        });
    };
    with_functions<Device>(make, [](auto& f, auto& expected) { compare_on<Device>(f, expected, random_array<float, 2>(1, 6, 5), random_array<float, 1>(2, 9)); });
}

/// A derivative that goes back through few turns.
template <class Device> void check_truncated() {
    const auto make = [](auto device) {
        return function<decltype(device)>([](matrix<float> x, vector<float> w) {
            auto [last, ys] = scan([&](auto s, auto row) {
                auto n = tanh(s * w + row);
                return step(n, sum(n));
            }, w, x, {.truncate = 3});
            return std::tuple_cat(std::tuple(last), grad(sum(last) + sum(sqr(ys)), x, w));
        });
    };
    with_functions<Device>(make, [](auto& f, auto& expected) {
        for (const int turns : {7, 2}) compare_on<Device>(f, expected, random_array<float, 2>(1, turns, 5), random_array<float, 1>(2, 5));
    });
}

/// Turns that a derivative runs again, and turns that are written out as one.
template <class Device> void check_chunks() {
    const auto make = [](auto device) {
        return function<decltype(device)>([](matrix<float> x, vector<float> w) {
            const auto turn = [&](auto s, auto row) {
                auto n = tanh(s * w + row);
                return step(n, sum(n));
            };
            auto [first, ys] = scan(turn, w, x, {.checkpoint = 3});
            auto [last, zs] = scan(turn, first, x, {.reverse = true, .unroll = 2});
            return std::tuple_cat(std::tuple(last, ys, zs), grad(sum(last) + sum(sqr(ys)) + sum(zs), x, w));
        });
    };
    with_functions<Device>(make, [](auto& f, auto& expected) {
        for (const int turns : {7, 2, 0, 6}) compare_on<Device>(f, expected, random_array<float, 2>(1, turns, 5), random_array<float, 1>(2, 5));
    });
}

/// Loops that a condition ends, with the derivative over the turns that there were.
template <class Device> void check_until() {
    const auto make = [](auto device) {
        return function<decltype(device)>([](matrix<float> x, vector<float> w, scalar<float> most) {
            auto [last, ys, turns] = scan([&](auto s, auto row) {
                auto n = s * w + row;
                return step(n, sum(s), until(sum(n * n) > most));
            }, w, x);
            return std::tuple_cat(std::tuple(last, ys, turns), grad(sum(last) + sum(ys), x, w));
        });
    };
    with_functions<Device>(make, [](auto& f, auto& expected) {
        // After one turn, after some, never.
        for (const float most : {0.0f, 2.0f, 1000.0f, 0.0f}) compare_on<Device>(f, expected, random_array<float, 2>(1, 9, 5), random_array<float, 1>(2, 5), array<float, 0>(most));
    });
}

/// As often as a value says, with the number of the turn, and as long as a condition holds.
template <class Device> void check_counted() {
    const auto make = [](auto device) {
        return function<decltype(device)>([](vector<float> w, scalar<int> n) {
            auto [far, nothing] = scan([&](auto s, auto t) { return step(s * 0.5f + cast<float>(t), none); }, w, times(n));
            auto [last, ys] = scan([&](auto s, auto t) { return step(s * w + cast<float>(t), s); }, w, times(n, 6), {.reverse = true});
            auto root = while_loop([&](auto x) { return max(abs(x * x - 2.0f)) > 1e-4f; }, [](auto x) { return 0.5f * (x + 2.0f / x); }, sqr(w) + 1.0f);
            return std::tuple(far, last, ys, root, grad(sum(last), w));
        });
    };
    with_functions<Device>(make, [](auto& f, auto& expected) {
        for (const int n : {3, 0, 9, 200}) compare_on<Device>(f, expected, random_array<float, 1>(1, 5), array<int, 0>(n));
    });
}

/// The branch that is taken.
template <class Device> void check_branches() {
    const auto make = [](auto device) {
        return function<decltype(device)>([](vector<float> x, scalar<float> a) {
            auto z = cond(a > 0, [&] { return log(a) * exp(x); }, [&] { return x * sqrt(-a); });
            return std::tuple_cat(std::tuple(z), grad(sum(z * z), x, a));
        });
    };
    with_functions<Device>(make, [](auto& f, auto& expected) {
        for (const float a : {2.0f, -4.0f}) compare_on<Device>(f, expected, random_array<float, 1>(1, 5), array<float, 0>(a));
    });
}

}  // namespace test

#endif
