// SPDX-License-Identifier: MIT
// CUDA kernel bodies where they could go wrong: at the borders of pieces, warps, blocks and chunks, in place, and where
// blocks meet in one number.
#include "device/emulated_cuda.hpp"

#include <array>

#include "device/kernels.hpp"

using namespace test;

namespace {

using device = emulated_cuda_of<128>;

const std::int64_t sizes[] = {1, 3, 4, 5, 31, 32, 33, 127, 128, 129, 255, 256, 257, 511, 513, 1023, 1024, 1025, 4097, 20'000};

template <class T> slot full(std::int64_t n, unsigned seed, std::initializer_list<std::int64_t> stride = {1}, std::int64_t start = 0) {
    slot s{memory::of<T>(static_cast<std::size_t>(n), seed), start, {}};
    std::size_t a = 0;
    for (std::int64_t v : stride) s.stride[a++] = v;
    return s;
}

/// Calls `f` as machines with few and with many processors would run it.
template <class F> void on_machines(F&& f) {
    for (int processors : {1, 3, 20}) {
        device::platform::processors_ = processors;
        CAPTURE(processors);
        f();
    }
}

using twice = map<1, block<load<float, 0>, load<bool, 1>, apply<choose, e<1, bool>, e<0, float>, e<0, float>>, apply<add, e<0, float>, e<2, float>>, store<float, 2, e<3, float>>>>;

// A sum, what it does to a number in place, and elements that use the number as it was: blocks must not see it change.
using updated = kernel_of<0, 1, block<load<float, 1>>, block<>,
                          phase<block<load<float, 0>, apply<add, e<0, float>, u<0, float>>, store<float, 2, e<1, float>>>, block<reduce<sum, float, e<0, float>>>,
                                block<apply<add, r<0, float>, u<0, float>>, store<float, 1, r<1, float>>>>,
                          phase<block<load<float, 0>, apply<mul, e<0, float>, u<0, float>>, apply<add, e<1, float>, r<1, float>>, store<float, 3, e<2, float>>>, block<>, block<>>>;

// The uniform block itself writes the number that it reads.
using uniform_update = kernel_of<0, 1, block<load<float, 1>, apply<add, u<0, float>, u<0, float>>, store<float, 1, u<1, float>>>, block<>,
                                 phase<block<load<float, 0>, apply<mul, e<0, float>, u<0, float>>, apply<add, e<1, float>, u<1, float>>, store<float, 2, e<2, float>>>, block<>, block<>>>;

// A number of each row, updated in place by the block that reads it.
using row_update = kernel_of<1, 1, block<>, block<load<float, 1>>,
                             phase<block<load<float, 0>>, block<reduce<sum, float, e<0, float>>>, block<apply<add, r<0, float>, r<1, float>>, load<float, 2>, apply<add, r<2, float>, r<3, float>>, store<float, 2, r<4, float>>>>,
                             phase<block<load<float, 0>, apply<mul, e<0, float>, r<4, float>>>, block<reduce<sum, float, e<1, float>>>, block<load<float, 3>, apply<sub, r<6, float>, r<7, float>>, store<float, 3, r<8, float>>>>>;

// One row or a few, in phases that need each other: chunks, and a launch for each phase.
template <class T>
using centred = kernel_of<1, 1, block<>, block<load<T, 1>>,
                          phase<block<load<T, 0>>, block<reduce<test::max, T, e<0, T>>>, block<apply<add, r<0, T>, r<1, T>>>>,
                          phase<block<load<T, 0>, apply<sub, e<0, T>, r<2, T>>>, block<reduce<sum, T, e<1, T>>>, block<store<T, 2, r<3, T>>>>,
                          phase<block<load<T, 0>, apply<sub, e<0, T>, r<3, T>>, store<T, 3, e<1, T>>, accumulate<sum, T, 4, e<1, T>>>, block<>, block<>>>;

}  // namespace

TEST_CASE("pieces and their tails, aligned or not") {
    on_machines([] {
        for (std::int64_t n : sizes)
            for (std::int64_t shift : {0, 1, 2}) {
                CAPTURE(n);
                CAPTURE(shift);
                check_on<device, twice, float, bool, float>({n}, {full<float>(n + 2, 1, {1}, shift), full<bool>(n + 2, 2, {1}, shift), full<float>(n + 2, 3, {1}, 2 - shift)});
            }
    });
}

TEST_CASE("a number updated in place by the step that reads it") {
    on_machines([] {
        for (std::int64_t n : sizes) {
            CAPTURE(n);
            check_on<device, updated, float, float, float, float>({n}, {full<float>(n, 1), full<float>(1, 2, {}), full<float>(n, 3), full<float>(n, 4)}, 1e-4);
            check_on<device, uniform_update, float, float, float>({n}, {full<float>(n, 1), full<float>(1, 2, {}), full<float>(n, 3)});
        }
    });
}

TEST_CASE("numbers of rows, updated in place") {
    on_machines([] {
        for (std::int64_t m : {1, 3, 40})
            for (std::int64_t n : {1, 3, 8, 31, 33, 300, 3000}) {
                CAPTURE(m);
                CAPTURE(n);
                check_on<device, row_update, float, float, float, float>({m, n}, {full<float>(m * n, 1, {n, 1}), full<float>(m, 2, {1}), full<float>(m, 3, {1}), full<float>(m, 4, {1})}, 1e-3);
            }
    });
}

TEST_CASE_TEMPLATE("rows in chunks", T, float, double) {
    on_machines([] {
        for (std::int64_t m : {1, 2, 7})
            for (std::int64_t n : sizes) {
                CAPTURE(m);
                CAPTURE(n);
                check_on<device, centred<T>, T, T, T, T, T>({m, n}, {full<T>(m * n, 1, {n, 1}), full<T>(m, 2, {1}), full<T>(m, 3, {1}), full<T>(m * n, 4, {n, 1}), full<T>(n, 5, {0, 1})}, 1e-3);
                check_on<device, centred<T>, T, T, T, T, T>({m, n}, {full<T>(m * n, 1, {1, m}), full<T>(m, 2, {1}), full<T>(m, 3, {1}), full<T>(m * n, 4, {n, 1}), full<T>(1, 5, {0, 0})}, 1e-3);
            }
    });
}

TEST_CASE("sums of every shape in one kernel") {
    // over everything, over all but the first axis, over all but the last, over the middle one, and over nothing
    using k = kernel_of<0, 3, block<>, block<>,
                        phase<block<load<double, 0>, accumulate_inner<sum, double, 1, e<0, double>>, accumulate_inner<sum, double, 2, e<0, double>>, accumulate<sum, double, 3, e<0, double>>,
                                    accumulate<test::max, double, 4, e<0, double>>, accumulate<sum, double, 5, e<0, double>>, accumulate_inner<test::max, double, 6, e<0, double>>>, block<>, block<>>>;
    on_machines([] {
        for (const auto& e : {std::array<std::int64_t, 3>{1, 1, 1}, {5, 3, 4}, {2, 7, 33}, {40, 2, 129}, {3, 300, 8}, {0, 3, 4}, {3, 0, 4}, {3, 4, 0}}) {
            const std::int64_t a = e[0], b = e[1], c = e[2];
            CAPTURE(a);
            CAPTURE(b);
            CAPTURE(c);
            const std::int64_t all = a * b * c;
            check_on<device, k, double, double, double, double, double, double, double>(
                {a, b, c}, {full<double>(all, 1, {b * c, c, 1}), full<double>(1, 2, {}), full<double>(a, 3, {1, 0, 0}), full<double>(c, 4, {0, 0, 1}),
                            full<double>(a * c, 5, {c, 0, 1}), full<double>(all, 6, {b * c, c, 1}), full<double>(a * b, 7, {b, 1, 0})});
        }
    });
}

TEST_CASE("what runs twice gives the same bits") {
    std::int64_t n = 100'003;
    slot x = full<float>(n, 1);
    using k = kernel_of<0, 1, block<>, block<>, phase<block<load<float, 0>, accumulate_inner<sum, float, 2, e<0, float>>>, block<reduce<sum, float, e<0, float>>>, block<store<float, 1, r<0, float>>>>>;
    float y[2] = {}, z[2] = {};
    for (int i = 0; i < 2; ++i) {
        const operand slots[] = {{x.m.data(), {1}}, {reinterpret_cast<std::byte*>(&y[i]), {0}}, {reinterpret_cast<std::byte*>(&z[i]), {0}}};
        device::run<k>(&n, slots, nullptr);
    }
    CHECK(y[0] == y[1]);
    CHECK(z[0] == z[1]);
}

TEST_CASE("few launches") {
    device::platform::processors_ = 3;
    const auto launches = [](auto kernel, std::vector<std::int64_t> extents, std::vector<slot> slots) {
        const auto before = device::platform::launches;
        const auto o = operands(slots);
        device::run<decltype(kernel)>(extents.data(), o.data(), nullptr);
        return device::platform::launches - before;
    };
    CHECK(launches(twice{}, {20'000}, {full<float>(20'000, 1), full<bool>(20'000, 2), full<float>(20'000, 3)}) == 1);
    // A sum and what follows from it: one launch, where blocks meet.
    using total = kernel_of<0, 1, block<>, block<>, phase<block<load<float, 0>>, block<reduce<sum, float, e<0, float>>>, block<store<float, 1, r<0, float>>>>>;
    CHECK(launches(total{}, {20'000}, {full<float>(20'000, 1), full<float>(1, 2, {})}) == 1);
    using summed = map<1, block<load<float, 0>, accumulate_inner<sum, float, 1, e<0, float>>, store<float, 2, e<0, float>>>>;
    CHECK(launches(summed{}, {20'000}, {full<float>(20'000, 1), full<float>(1, 2, {}), full<float>(20'000, 3)}) == 1);
    CHECK(launches(centred<float>{}, {50, 300}, {full<float>(15'000, 1, {300, 1}), full<float>(50, 2), full<float>(50, 3), full<float>(15'000, 4, {300, 1}), full<float>(1, 5, {})}) == 1);
}

TEST_CASE("columns of every width, with totals and elements beside them") {
    using k = kernel_of<0, 2, block<load<float, 5>>, block<>,
                        phase<block<load<float, 0>, apply<add, e<0, float>, u<0, float>>, accumulate<sum, float, 1, e<1, float>>, accumulate<test::max, float, 2, e<0, float>>,
                                    accumulate_inner<sum, float, 3, e<1, float>>, store<float, 4, e<1, float>>>, block<>, block<>>>;
    on_machines([] {
        for (std::int64_t m : {1, 2, 7, 100, 1025})
            for (std::int64_t n : {1, 2, 3, 4, 10, 31, 33, 64, 127, 128, 129, 300}) {
                CAPTURE(m);
                CAPTURE(n);
                check_on<device, k, float, float, float, float, float, float>(
                    {m, n}, {full<float>(m * n, 1, {n, 1}), full<float>(n, 2, {0, 1}), full<float>(n, 3, {0, 1}), full<float>(1, 4, {}), full<float>(m * n, 5, {n, 1}), full<float>(1, 6, {})}, 1e-4);
            }
    });
}
