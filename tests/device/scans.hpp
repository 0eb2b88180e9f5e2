// SPDX-License-Identifier: MIT
// Loops of every kind on a device, beside the reference: forwards and backwards, nested, with the number of the turn, of several lengths, and those whose turns a
// value counts.
#ifndef CROTON_TESTS_DEVICE_SCANS_HPP
#define CROTON_TESTS_DEVICE_SCANS_HPP

#include <tuple>
#include <vector>

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

/// Calls with the same memory each time and other values in it, so that what was recorded for some runs for all.
template <class Device, class F, class R, class... X> void compare_again(F& f, R& expected, const std::vector<std::tuple<X...>>& calls) {
    auto there = std::apply([](const auto&... x) { return std::tuple(x.template to<Device>()...); }, calls[0]);
    auto results = std::apply([&](auto&... x) { return f(x...); }, there);
    for (const auto& call : calls) {
        [&]<std::size_t... I>(std::index_sequence<I...>) {
            (memory<Device>::copy_from_host(std::get<I>(there).data(), std::get<I>(call).data(), static_cast<std::size_t>(std::get<I>(call).size()) * sizeof(*std::get<I>(call).data())), ...);
        }(std::index_sequence_for<X...>());
        std::apply([&](auto&... r) { std::apply([&](auto&... x) { f.call_into(std::tie(r...), x...); }, there); }, results);
        const auto e = std::apply([&](const auto&... x) { return expected(x...); }, call);
        [&]<std::size_t... I>(std::index_sequence<I...>) { (check_close(std::get<I>(results), std::get<I>(e)), ...); }(std::make_index_sequence<std::tuple_size_v<decltype(e)>>());
    }
}

/// Loops that values end, forwards and backwards, and what stands in them.
template <class Device> void check_until_again() {
    const auto make = [](auto device) {
        return function<decltype(device)>([](matrix<float> x, vector<float> w, scalar<float> most) {
            auto [last, ys, turns] = scan([&](auto s, auto row) {
                auto n = s * w + row;
                return step(n, sum(s), until(sum(n * n) > most));
            }, w, x);
            auto [back, zs, others] = scan([&](auto s, auto row) {
                auto n = tanh(s * row) + w;
                return step(n, n, until(max(n) > most));
            }, w, x, {.reverse = true, .truncate = 4});
            return std::tuple_cat(std::tuple(last, ys, turns, back, zs, others), grad(sum(last) + sum(ys) + sum(back) + sum(sqr(zs)), x, w));
        });
    };
    with_functions<Device>(make, [](auto& f, auto& expected) {
        // Few turns and more than are left out at once; the conditions hold after one turn, after some, never.
        for (const int turns : {9, 40}) {
            std::vector<std::tuple<array<float, 2>, array<float, 1>, array<float, 0>>> calls;
            for (const float most : {0.0f, 1.9f, 1000.0f, 0.5f, 2.5f, 0.0f}) calls.emplace_back(random_array<float, 2>(static_cast<unsigned>(calls.size()) + 1, turns, 5), random_array<float, 1>(2, 5), most);
            compare_again<Device>(f, expected, calls);
        }
    });
}
template <class Device> void check_counted_again() {
    const auto make = [](auto device) {
        return function<decltype(device)>([](vector<float> w, scalar<int> n) {
            auto [far, nothing] = scan([&](auto s, auto t) { return step(s * 0.5f + cast<float>(t), none); }, w, times(n));
            auto [last, ys] = scan([&](auto s, auto t) { return step(s * w + cast<float>(t), s); }, w, times(n, 6), {.reverse = true});
            auto root = while_loop([&](auto x) { return max(abs(x * x - 2.0f)) > 1e-4f; }, [](auto x) { return 0.5f * (x + 2.0f / x); }, sqr(w) + 1.0f);
            auto down = foldr([&](auto s, auto k) { return s * 0.5f + cast<float>(k) * w; }, w, times(n));
            auto [sums, parts] = scan([&](auto s, auto k) {
                auto inner = foldl([&](auto t, auto i) { return t * 0.5f + cast<float>(i + k) * w; }, s, times(n, 3));
                return step(cond(sum(inner) > 1, [&] { return inner * 0.1f; }, [&] { return inner + w; }), sum(inner));
            }, w, times(n, 5));
            return std::tuple(far, down, last, ys, root, sums, parts, grad(sum(last) + sum(sums) + sum(sqr(parts)), w));
        });
    };
    with_functions<Device>(make, [](auto& f, auto& expected) {
        std::vector<std::tuple<array<float, 1>, array<int, 0>>> calls;
        for (const int n : {3, 0, 9, 200, 1, 4, -1}) calls.emplace_back(random_array<float, 1>(static_cast<unsigned>(calls.size()) + 1, 5), n);
        compare_again<Device>(f, expected, calls);
    });
}
/// Both branches, and the second derivative of a loop that a condition ends.
template <class Device> void check_branches_again() {
    const auto make = [](auto device) {
        return function<decltype(device)>([](vector<float> x, scalar<float> a, matrix<float> m) {
            auto z = cond(a > 0, [&] { return log(a) * exp(x) + dot(m, x); }, [&] { return x * sqrt(-a); });
            auto [last, ys, turns] = scan([&](auto s, auto row) {
                auto n = sin(s * row) + x;
                return step(n, sum(n), until(sum(n) > a));
            }, x, m);
            auto cost = sum(z * z) + sum(last) + sum(sqr(ys));
            return std::tuple_cat(std::tuple(z, last, turns), grad(cost, x, a), std::tuple(hvp(cost, x, x)));
        });
    };
    with_functions<Device>(make, [](auto& f, auto& expected) {
        std::vector<std::tuple<array<float, 1>, array<float, 0>, array<float, 2>>> calls;
        for (const float a : {2.0f, -4.0f, 0.5f, -0.25f}) calls.emplace_back(random_array<float, 1>(static_cast<unsigned>(calls.size()) + 1, 5), a, random_array<float, 2>(3, 5, 5));
        compare_again<Device>(f, expected, calls);
    });
}

}  // namespace test

#endif
