// SPDX-License-Identifier: MIT
// The tests of the loops of a device: every kind of kernel, at many sizes and layouts, against the reference device.
// The file that includes this has declared the device: `namespace test { using tested = ...; }`.
#ifndef CROTON_TESTS_DEVICE_LOOPS_HPP
#define CROTON_TESTS_DEVICE_LOOPS_HPP

#include "device/kernels.hpp"

using namespace test;

template <class Kernel, class... T>
void check(const std::vector<std::int64_t>& extents, const std::vector<slot>& slots, double tolerance = 2e-6,
           const std::vector<std::int64_t>& scalars = {}) {
    check_on<tested, Kernel, T...>(extents, slots, tolerance, scalars);
}

namespace {

const std::int64_t sizes[] = {0, 1, 2, 3, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 100, 511, 512, 513, 1000, 8200};

template <class T> slot full(std::int64_t n, unsigned seed, std::initializer_list<std::int64_t> stride = {1},
                             std::int64_t start = 0, double low = -2, double high = 2) {
    slot s{memory::of<T>(static_cast<std::size_t>(n), seed, low, high), start, {}};
    std::size_t a = 0;
    for (std::int64_t v : stride) s.stride[a++] = v;
    return s;
}

template <class T>
using polynomial = map<1, block<load<T, 0>, load<T, 1>, literal<T, bits(T(3))>, apply<mul, e<0, T>, e<1, T>>,
                                apply<add, e<3, T>, e<2, T>>, apply<sub, e<4, T>, e<0, T>>, store<T, 2, e<5, T>>>>;

}  // namespace

TEST_CASE_TEMPLATE("elementwise at every size and type", T, float, double, std::int32_t, std::int64_t) {
    for (std::int64_t n : sizes) {
        CAPTURE(n);
        check<polynomial<T>, T, T, T>({n}, {full<T>(n, 1), full<T>(n, 2), full<T>(n, 3)});
        // Broadcast, strided, reversed and offset operands.
        check<polynomial<T>, T, T, T>({n}, {full<T>(3 * n, 1, {3}), full<T>(1, 2, {0}), full<T>(n, 3)});
        check<polynomial<T>, T, T, T>({n}, {full<T>(n, 1, {-1}, n - 1), full<T>(n, 2), full<T>(2 * n, 3, {2})});
        check<polynomial<T>, T, T, T>({n}, {full<T>(n, 1), full<T>(n, 2), full<T>(n, 3, {-1}, n - 1)});
    }
}

TEST_CASE("a value does not depend on its position") {
    using k = map<1, block<load<float, 0>, apply<power_of_e, e<0, float>>, store<float, 1, e<1, float>>>>;
    for (std::int64_t n = 1; n < 40; ++n) {
        std::vector<float> x(static_cast<std::size_t>(n), 1.2345f), y(x.size());
        const operand slots[] = {{reinterpret_cast<std::byte*>(x.data()), {1}}, {reinterpret_cast<std::byte*>(y.data()), {1}}};
        tested::run<k>(&n, slots, nullptr);
        for (float v : y) CHECK(v == y[0]);
        if (n > 16) CHECK(y[0] == y[static_cast<std::size_t>(n - 1)]);
    }
}

TEST_CASE("truth values: comparison, logic, selection, memory") {
    using k = map<1, block<load<float, 0>, load<float, 1>, load<bool, 2>, apply<less, e<0, float>, e<1, float>>, apply<both, e<3, bool>, e<2, bool>>,
                           apply<negate, e<4, bool>>, store<bool, 3, e<5, bool>>, apply<choose, e<2, bool>, e<0, float>, e<1, float>>, store<float, 4, e<7, float>>,
                           apply<same, e<2, bool>, e<4, bool>>, convert<float, e<9, bool>>, store<float, 5, e<10, float>>>>;
    for (std::int64_t n : sizes) {
        CAPTURE(n);
        check<k, float, float, bool, bool, float, float>(
            {n}, {full<float>(n, 1), full<float>(n, 2), full<bool>(n, 3), full<bool>(n, 4), full<float>(n, 5), full<float>(n, 6)});
        check<k, float, float, bool, bool, float, float>(
            {n}, {full<float>(n, 1), full<float>(n, 2), full<bool>(2 * n, 3, {2}), full<bool>(3 * n, 4, {3}),
                  full<float>(n, 5), full<float>(n, 6)});
    }
}

TEST_CASE("element types mix in one kernel") {
    // float -> double arithmetic -> int, a comparison of doubles choosing between floats, a bool from an int64
    using k = map<1, block<load<float, 0>, convert<double, e<0, float>>, load<double, 1>, apply<mul, e<1, double>, e<2, double>>, store<double, 2, e<3, double>>,
                           convert<std::int32_t, e<3, double>>, store<std::int32_t, 3, e<5, std::int32_t>>, apply<less, e<1, double>, e<2, double>>,
                           literal<float, bits(0.5f)>, apply<choose, e<7, bool>, e<0, float>, e<8, float>>, store<float, 4, e<9, float>>,
                           load<std::int64_t, 5>, convert<bool, e<11, std::int64_t>>, apply<both, e<12, bool>, e<7, bool>>, store<bool, 6, e<13, bool>>,
                           convert<float, e<11, std::int64_t>>, store<float, 7, e<15, float>>, convert<std::int64_t, e<0, float>>,
                           apply<divide, e<17, std::int64_t>, e<11, std::int64_t>>, store<std::int64_t, 8, e<17, std::int64_t>>>>;
    for (std::int64_t n : sizes) {
        CAPTURE(n);
        check<k, float, double, double, std::int32_t, float, std::int64_t, bool, float, std::int64_t>(
            {n}, {full<float>(n, 1), full<double>(n, 2), full<double>(n, 3), full<std::int32_t>(n, 4), full<float>(n, 5),
                  full<std::int64_t>(n, 6, {1}, 0, 0.2, 2), full<bool>(n, 7), full<float>(n, 8), full<std::int64_t>(n, 9)});
    }
}

TEST_CASE("layouts of two and three inner axes") {
    using k = map<2, block<load<float, 0>, load<float, 1>, apply<sub, e<0, float>, e<1, float>>, store<float, 2, e<2, float>>>>;
    const std::pair<std::int64_t, std::int64_t> shapes[] = {{0, 3}, {3, 0}, {1, 1}, {1, 17}, {17, 1}, {3, 16}, {5, 33}, {40, 600}};
    for (const auto& shape : shapes) {
        const std::int64_t m = shape.first, n = shape.second;
        CAPTURE(m);
        CAPTURE(n);
        const std::int64_t all = m * n;
        const auto x = full<float>(all, 1, {n, 1}), y = full<float>(all, 2, {n, 1}), z = full<float>(all, 3, {n, 1});
        check<k, float, float, float>({m, n}, {x, y, z});
        check<k, float, float, float>({m, n}, {x, full<float>(all, 2, {1, m}), z});             // transposed
        check<k, float, float, float>({m, n}, {x, full<float>(n, 2, {0, 1}), z});               // a row for every row
        check<k, float, float, float>({m, n}, {x, full<float>(m, 2, {1, 0}), z});               // a column
        check<k, float, float, float>({m, n}, {x, full<float>(1, 2, {0, 0}), z});               // a number
        check<k, float, float, float>({m, n}, {x, y, full<float>(all, 3, {1, m})});             // stored transposed
        check<k, float, float, float>({m, n}, {full<float>(2 * all, 1, {2 * n, 1}), y, z});     // every second row
        check<k, float, float, float>({m, n}, {full<float>(all, 1, {-n, -1}, all - 1), y, z});  // turned around
    }
    using k3 = map<3, block<load<float, 0>, load<float, 1>, apply<sub, e<0, float>, e<1, float>>, store<float, 2, e<2, float>>>>;
    check<k3, float, float, float>({3, 4, 5}, {full<float>(60, 1, {20, 5, 1}), full<float>(60, 2, {1, 3, 12}), full<float>(60, 3, {20, 5, 1})});
    check<k3, float, float, float>({3, 1, 5}, {full<float>(15, 1, {5, 5, 1}), full<float>(15, 2, {5, 0, 1}), full<float>(15, 3, {1, 9, 3})});
}

TEST_CASE_TEMPLATE("matrices seen turned", T, float, double) {
    // Truth values beside numbers: tiles of both.
    using k = map<2, block<load<T, 0>, load<bool, 1>, load<T, 2>, apply<choose, e<1, bool>, e<0, T>, e<2, T>>, store<T, 3, e<3, T>>, apply<negate, e<1, bool>>, store<bool, 4, e<5, bool>>>>;
    const std::pair<std::int64_t, std::int64_t> shapes[] = {{3, 70}, {4, 9}, {70, 3}, {17, 33}, {33, 67}, {70, 130}, {131, 65}};
    for (const auto& shape : shapes) {
        const std::int64_t m = shape.first, n = shape.second, all = m * n;
        CAPTURE(m);
        CAPTURE(n);
        const auto x = full<T>(all, 1, {n, 1}), y = full<T>(all, 3, {n, 1}), z = full<T>(all, 4, {n, 1});
        const auto b = full<bool>(all, 2, {n, 1}), c = full<bool>(all, 5, {n, 1});
        const auto turned = full<T>(all, 1, {1, m});
        check<k, T, bool, T, T, bool>({m, n}, {turned, b, y, z, c});
        check<k, T, bool, T, T, bool>({m, n}, {x, full<bool>(all, 2, {1, m}), turned, z, full<bool>(all, 5, {1, m})});
        check<k, T, bool, T, T, bool>({m, n}, {turned, b, y, full<T>(all, 4, {1, m}), c});
        check<k, T, bool, T, T, bool>({m, n}, {full<T>(all, 1, {-1, m}, m - 1), b, full<T>(all, 3, {1, -m}, m * (n - 1)), full<T>(all, 4, {-1, -m}, all - 1), c});
        check<k, T, bool, T, T, bool>({m, n}, {turned, full<bool>(m, 2, {1, 0}), full<T>(n, 3, {0, 1}), z, c});
        check<k, T, bool, T, T, bool>({m, n}, {full<T>(2 * all, 1, {2, 2 * m}), full<bool>(1, 2, {0, 0}), turned, z, c});
    }
}

TEST_CASE("indices and sums over what is seen turned") {
    using i = map<2, block<load<float, 0>, iota<float, 0>, iota<float, 1>, apply<mul, e<0, float>, e<1, float>>, apply<add, e<3, float>, e<2, float>>, store<float, 1, e<4, float>>>>;
    check<i, float, float>({40, 70}, {full<float>(2800, 1, {1, 40}), full<float>(2800, 2, {70, 1})});
    using i3 = map<3, block<load<float, 0>, iota<float, 0>, iota<float, 1>, apply<mul, e<0, float>, e<1, float>>, apply<add, e<3, float>, e<2, float>>, store<float, 1, e<4, float>>>>;
    for (const auto& stride : {std::array<std::int64_t, 3>{1, 20, 400}, std::array<std::int64_t, 3>{20, 1, 400}, std::array<std::int64_t, 3>{400, 1, 20}})
        check<i3, float, float>({20, 20, 20}, {full<float>(8000, 1, {stride[0], stride[1], stride[2]}), full<float>(8000, 2, {400, 20, 1})});
    using sums = kernel_of<0, 2, block<>, block<>, phase<block<load<float, 0>, load<float, 1>, apply<mul, e<0, float>, e<1, float>>>, block<reduce<sum, float, e<2, float>>>, block<>>,
                           phase<block<>, block<>, block<store<float, 2, r<0, float>>>>>;
    check<sums, float, float, float>({40, 70}, {full<float>(2800, 1, {1, 40}), full<float>(2800, 2, {70, 1}), full<float>(1, 3, {0, 0})}, 1e-5);
}

TEST_CASE("in place") {
    using k = map<2, block<load<float, 0>, load<float, 1>, apply<sub, e<0, float>, e<1, float>>, store<float, 2, e<2, float>>>>;
    for (std::int64_t n : {1, 7, 16, 33, 700}) {
        for (bool turned : {false, true}) {
            const std::int64_t m = 3;
            std::vector<std::vector<float>> results;
            for (int device = 0; device < 2; ++device) {
                slot x = full<float>(m * n, 1, {n, 1}), y = full<float>(m * n, 2, {n, 1});
                operand in{x.m.data(), turned ? std::array<std::int64_t, 8>{1, m} : x.stride};
                const operand slots[] = {in, {y.m.data(), y.stride}, in};
                const std::int64_t extents[] = {m, n};
                if (device == 0) tested::run<k>(extents, slots, nullptr);
                else croton::reference::run<k>(extents, slots, nullptr);
                results.push_back(x.m.values<float>());
            }
            CHECK(results[0] == results[1]);
        }
    }
}

namespace {

// max, then exp(x - max) and its sum, then the quotient
template <class T>
using softmax = kernel_of<1, 1, block<>, block<>, phase<block<load<T, 0>>, block<reduce<test::max, T, e<0, T>>>, block<>>,
                          phase<block<load<T, 0>, apply<sub, e<0, T>, r<0, T>>, apply<power_of_e, e<1, T>>, store<T, 1, e<2, T>>>,
                                block<reduce<sum, T, e<2, T>>>, block<literal<T, bits(T(1))>, apply<divide, r<2, T>, r<1, T>>>>,
                          phase<block<load<T, 1>, apply<mul, e<0, T>, r<3, T>>, store<T, 1, e<1, T>>>, block<>, block<>>>;

}  // namespace

TEST_CASE_TEMPLATE("softmax rows in three phases", T, float, double) {
    for (std::int64_t n : sizes)
        for (std::int64_t m : {0, 1, 5}) {
            CAPTURE(n);
            check<softmax<T>, T, T>({m, n}, {full<T>(m * n, 1, {n, 1}), full<T>(m * n, 2, {n, 1})});
            check<softmax<T>, T, T>({m, n}, {full<T>(m * n, 1, {1, m}), full<T>(m * n, 2, {n, 1})});
            check<softmax<T>, T, T>({m, n}, {full<T>(m * n, 1, {1, m}), full<T>(m * n, 2, {1, m})});
        }
}

TEST_CASE("NaN passes through maxima and infinities are kept") {
    using k = kernel_of<0, 1, block<>, block<>, phase<block<load<float, 0>>, block<reduce<test::max, float, e<0, float>>>, block<store<float, 1, r<0, float>>>>>;
    for (std::int64_t n : {1, 5, 16, 40, 200})
        for (std::int64_t at = 0; at < n; ++at) {
            std::vector<float> x(static_cast<std::size_t>(n), -1.0f);
            float y = 0;
            const operand slots[] = {{reinterpret_cast<std::byte*>(x.data()), {1}}, {reinterpret_cast<std::byte*>(&y), {0}}};
            x[static_cast<std::size_t>(at)] = std::numeric_limits<float>::quiet_NaN();
            tested::run<k>(&n, slots, nullptr);
            CHECK(std::isnan(y));
            x[static_cast<std::size_t>(at)] = std::numeric_limits<float>::infinity();
            tested::run<k>(&n, slots, nullptr);
            CHECK(y == std::numeric_limits<float>::infinity());
        }
}

TEST_CASE_TEMPLATE("sums: full, by column, by row, beside other results", T, float, double, std::int32_t, std::int64_t) {
    using whole = kernel_of<0, 2, block<>, block<>, phase<block<load<T, 0>>, block<reduce<sum, T, e<0, T>>, reduce<test::max, T, e<0, T>>>,
                                                          block<store<T, 1, r<0, T>>, store<T, 2, r<1, T>>>>>;
    using columns = kernel_of<0, 2, block<>, block<>, phase<block<load<T, 0>, accumulate<sum, T, 1, e<0, T>>, accumulate<test::max, T, 2, e<0, T>>>, block<>, block<>>>;
    using inner = kernel_of<0, 2, block<>, block<>, phase<block<load<T, 0>, load_fixed<T, 3>, apply<mul, e<0, T>, e<1, T>>, store<T, 4, e<2, T>>,
                                                                accumulate_inner<sum, T, 1, e<0, T>>, accumulate_inner<sum, T, 2, e<2, T>>>, block<>, block<>>>;
    using outer = kernel_of<1, 1, block<>, block<>, phase<block<load<T, 0>, accumulate<sum, T, 1, e<0, T>>>, block<reduce<sum, T, e<0, T>>>,
                                                          block<accumulate<sum, T, 2, r<0, T>>, accumulate<test::max, T, 3, r<0, T>>>>>;
    const std::pair<std::int64_t, std::int64_t> shapes[] = {{0, 3}, {3, 0}, {1, 1}, {5, 1}, {1, 17}, {3, 16}, {130, 33}, {300, 70}, {7, 600}};
    for (const auto& shape : shapes) {
        const std::int64_t m = shape.first, n = shape.second;
        CAPTURE(m);
        CAPTURE(n);
        const std::int64_t all = m * n;
        for (bool turned : {false, true}) {
            const auto x = turned ? full<T>(all, 1, {1, m}) : full<T>(all, 1, {n, 1});
            check<whole, T, T, T>({m, n}, {x, full<T>(1, 2, {}), full<T>(1, 3, {})}, 1e-4);
            check<columns, T, T, T>({m, n}, {x, full<T>(n, 2, {0, 1}), full<T>(n, 3, {0, 1})}, 1e-4);
            check<columns, T, T, T>({m, n}, {x, full<T>(2 * n, 2, {0, 2}), full<T>(n, 3, {0, 1})}, 1e-4);
            check<inner, T, T, T, T, T>({m, n}, {x, full<T>(m, 2, {1, 0}), full<T>(1, 3, {}), full<T>(m, 4, {1, 0}), full<T>(all, 5, {n, 1})}, 1e-4);
            check<outer, T, T, T, T>({m, n}, {x, full<T>(n, 2, {0, 1}), full<T>(1, 3, {}), full<T>(1, 4, {})}, 1e-4);
        }
    }
}

TEST_CASE("reductions of truth values") {
    using k = kernel_of<1, 1, block<>, block<>,
                        phase<block<load<bool, 0>, apply<negate, e<0, bool>>, accumulate<some, bool, 2, e<0, bool>>>,
                              block<reduce<some, bool, e<0, bool>>, reduce<every, bool, e<1, bool>>>, block<store<bool, 1, r<0, bool>>, accumulate<every, bool, 3, r<1, bool>>>>>;
    for (std::int64_t n : {1, 3, 16, 17, 100})
        check<k, bool, bool, bool, bool>({4, n}, {full<bool>(4 * n, 1, {n, 1}, 0, -9, 0.1), full<bool>(4, 2, {1}), full<bool>(n, 3, {0, 1}), full<bool>(1, 4, {})});
}

TEST_CASE("uniform, row and element values meet; scalars and indices") {
    using k = kernel_of<2, 2, block<load<float, 0>, scalar<float, 1>, apply<mul, u<0, float>, u<1, float>>, store<float, 1, u<2, float>>>,
                        block<load<float, 2>, apply<add, r<0, float>, u<2, float>>, iota<float, 0>, apply<mul, r<1, float>, r<2, float>>, store<float, 3, r<3, float>>>,
                        phase<block<iota<std::int32_t, 3>, convert<float, e<0, std::int32_t>>, iota<std::int64_t, 2>, convert<float, e<2, std::int64_t>>,
                                    apply<mul, e<1, float>, e<3, float>>, apply<add, e<4, float>, r<3, float>>, apply<add, e<5, float>, u<1, float>>, iota<float, 1>,
                                    apply<add, e<6, float>, e<7, float>>, store<float, 4, e<8, float>>>,
                              block<reduce<sum, float, e<8, float>>>, block<apply<add, r<5, float>, u<0, float>>, store<float, 5, r<6, float>>>>>;
    for (std::int64_t n : {1, 5, 16, 37, 530})
        for (std::int64_t m : {1, 3}) {
            const std::int64_t a = 2, b = 3, all = a * b * m * n;
            check<k, float, float, float, float, float, float>(
                {a, b, m, n},
                {full<float>(1, 1, {}), full<float>(1, 2, {}), full<float>(a * b, 3, {b, 1}), full<float>(a * b, 4, {1, a}),
                 full<float>(all, 5, {b * m * n, m * n, n, 1}), full<float>(a * b, 6, {b, 1})},
                1e-5, {7, 11});
        }
}

TEST_CASE("kernels without phases, and without any axis") {
    using none = kernel_of<0, 0, block<load<double, 0>, load<double, 1>, apply<mul, u<0, double>, u<1, double>>, store<double, 2, u<2, double>>>, block<>>;
    check<none, double, double, double>({}, {full<double>(1, 1, {}), full<double>(1, 2, {}), full<double>(1, 3, {})});
    using rows = kernel_of<2, 0, block<load<double, 0>>, block<load<double, 1>, apply<mul, r<0, double>, u<0, double>>, store<double, 2, r<1, double>>, accumulate<sum, double, 3, r<1, double>>>>;
    for (std::int64_t n : {0, 1, 5})
        check<rows, double, double, double, double>({3, n}, {full<double>(1, 1, {}), full<double>(3 * n, 2, {n, 1}), full<double>(3 * n, 3, {n, 1}), full<double>(3, 4, {1, 0})});
}

TEST_CASE("float sums keep their digits") {
    // The pairwise sums of NumPy err by 1e-7 here, a plain float loop by 1e-2.
    std::int64_t n = 4'000'000;
    std::vector<float> x(static_cast<std::size_t>(n), 0.1f);
    using k = kernel_of<0, 1, block<>, block<>, phase<block<load<float, 0>>, block<reduce<sum, float, e<0, float>>>, block<store<float, 1, r<0, float>>>>>;
    float y = 0;
    const operand slots[] = {{reinterpret_cast<std::byte*>(x.data()), {1}}, {reinterpret_cast<std::byte*>(&y), {0}}};
    tested::run<k>(&n, slots, nullptr);
    CHECK(y == doctest::Approx(4'000'000 * static_cast<double>(0.1f)).epsilon(3e-6));
    // The same as a million rows of four, whose sums meet in one number.
    using rows = kernel_of<1, 1, block<>, block<>, phase<block<load<float, 0>>, block<reduce<sum, float, e<0, float>>>, block<accumulate<sum, float, 1, r<0, float>>>>>;
    const operand of_rows[] = {{reinterpret_cast<std::byte*>(x.data()), {4, 1}}, {reinterpret_cast<std::byte*>(&y), {0}}};
    const std::int64_t extents[] = {n / 4, 4};
    tested::run<rows>(extents, of_rows, nullptr);
    CHECK(y == doctest::Approx(4'000'000 * static_cast<double>(0.1f)).epsilon(3e-7));
}

TEST_CASE_TEMPLATE("copies of what is seen turned", T, bool, croton::half, float, double) {
    const auto same = [](const std::vector<std::int64_t>& extents, std::initializer_list<std::int64_t> from_stride, std::initializer_list<std::int64_t> to_stride,
                         std::int64_t from_start, std::int64_t to_start) {
        const std::int64_t size = 70 * 70 * 6;
        std::vector<unsigned char> numbers(static_cast<std::size_t>(size) * sizeof(T));
        for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<unsigned char>(std::is_same_v<T, bool> ? i * i % 7 % 2 : i * 31 % 113);
        std::vector<unsigned char> y(numbers.size()), z(numbers.size());
        operand from{reinterpret_cast<std::byte*>(numbers.data()) + from_start * static_cast<std::int64_t>(sizeof(T)), {}}, to = from;
        std::copy(from_stride.begin(), from_stride.end(), from.stride.begin());
        std::copy(to_stride.begin(), to_stride.end(), to.stride.begin());
        to.data = reinterpret_cast<std::byte*>(y.data()) + to_start * static_cast<std::int64_t>(sizeof(T));
        tested::copy<T>(static_cast<int>(extents.size()), extents.data(), from, to);
        to.data = reinterpret_cast<std::byte*>(z.data()) + to_start * static_cast<std::int64_t>(sizeof(T));
        croton::reference::copy<T>(static_cast<int>(extents.size()), extents.data(), from, to);
        CHECK(y == z);
    };
    for (std::int64_t m : {1, 3, 17, 33, 70})
        for (std::int64_t n : {2, 4, 31, 64, 70}) {
            CAPTURE(m);
            CAPTURE(n);
            same({m, n}, {1, m}, {n, 1}, 0, 0);
            same({m, n}, {-1, m}, {n, 1}, m - 1, 0);
            same({m, n}, {1, m}, {n, -1}, 0, n - 1);
            same({m, n}, {n, 1}, {-1, m}, 0, m - 1);
            same({m, n}, {2, 2 * m}, {n, 1}, 0, 0);
            same({m, 6, n}, {1, m, 6 * m}, {6 * n, n, 1}, 0, 0);
            same({6, m, n}, {m * n, 1, m}, {1, 6 * n, 6}, 0, 0);
        }
}

TEST_CASE("copies") {
    for (std::int64_t n : sizes) {
        slot x = full<float>(3 * n, 1), y = full<float>(3 * n, 2), z = y;
        const std::int64_t extents[] = {3, n};
        const operand from{x.m.data(), {1, 3}};
        tested::copy<float>(2, extents, from, {y.m.data(), {n, 1}});
        croton::reference::copy<float>(2, extents, from, {z.m.data(), {n, 1}});
        CHECK(y.m.values<float>() == z.m.values<float>());
    }
    const bool one = true;
    bool two = false;
    tested::copy<bool>(0, nullptr, {reinterpret_cast<std::byte*>(const_cast<bool*>(&one)), {}}, {reinterpret_cast<std::byte*>(&two), {}});
    CHECK(two);
}

#endif
