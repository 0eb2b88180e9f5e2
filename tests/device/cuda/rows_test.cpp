// SPDX-License-Identifier: MIT
// Rows of every length for which threads, neighbours in a warp, warps and blocks share them, held in registers or read for each phase.
#include "device/emulated_cuda.hpp"

#include "device/kernels.hpp"

using namespace test;

namespace {

using device = emulated_cuda_of<128>;

template <class T> slot full(std::int64_t n, unsigned seed, std::initializer_list<std::int64_t> stride = {1}) {
    slot s{memory::of<T>(static_cast<std::size_t>(n), seed), 0, {}};
    std::size_t a = 0;
    for (std::int64_t v : stride) s.stride[a++] = v;
    return s;
}

/// The largest of a row, what is left of the others as a sum, and both in each element; a total over all rows.
template <class T>
using normalised = kernel_of<1, 1, block<>, block<load<T, 3>>, phase<block<load<T, 0>>, block<reduce<test::max, T, e<0, T>>>, block<apply<add, r<0, T>, r<1, T>>>>,
                             phase<block<load<T, 0>, load<T, 4>, apply<sub, e<0, T>, r<2, T>>, apply<mul, e<2, T>, e<1, T>>>, block<reduce<sum, T, e<3, T>>>,
                                   block<accumulate<sum, T, 2, r<3, T>>>>,
                             phase<block<load<T, 0>, apply<sub, e<0, T>, r<3, T>>, store<T, 1, e<1, T>>>, block<>, block<>>>;
using any_of_row = kernel_of<1, 1, block<>, block<>, phase<block<load<bool, 0>>, block<reduce<some, bool, e<0, bool>>>, block<>>,
                             phase<block<load<bool, 0>, apply<both, e<0, bool>, r<0, bool>>, store<bool, 1, e<1, bool>>>, block<>, block<>>>;

}  // namespace

TEST_CASE_TEMPLATE("rows of every length, few and many", T, float, double, int, std::int64_t) {
    for (int processors : {1, 20}) {
        device::platform::processors_ = processors;
        for (std::int64_t m : {0, 1, 7, 130, 3000})
            for (std::int64_t n : {1, 2, 4, 5, 8, 10, 16, 31, 32, 33, 64, 100, 128, 257, 513, 1024, 1025, 5000}) {
                if (m * n > 400'000) continue;
                CAPTURE(processors);
                CAPTURE(m);
                CAPTURE(n);
                check_on<device, normalised<T>, T, T, T, T, T>({m, n}, {full<T>(m * n, 1, {n, 1}), full<T>(m * n, 2, {n, 1}), full<T>(1, 3, {0, 0}), full<T>(m, 4, {1, 0}), full<T>(n, 5, {0, 1})}, 1e-3);
            }
    }
    device::platform::processors_ = 3;
}

TEST_CASE("in place, and across") {
    for (std::int64_t m : {5, 300})
        for (std::int64_t n : {8, 30, 200, 1000}) {
            CAPTURE(m);
            CAPTURE(n);
            memory a = memory::of<float>(static_cast<std::size_t>(m * n), 1), b = a, total = memory::of<float>(1, 2), expected = total, row = memory::of<float>(static_cast<std::size_t>(m), 3),
                   weight = memory::of<float>(static_cast<std::size_t>(n), 4);
            const std::int64_t extents[] = {m, n};
            for (const bool across : {false, true}) {
                const std::array<std::int64_t, croton::max_rank> stride = across ? std::array<std::int64_t, croton::max_rank>{1, m} : std::array<std::int64_t, croton::max_rank>{n, 1};
                const operand here[] = {{a.data(), stride}, {a.data(), stride}, {total.data(), {}}, {row.data(), {1, 0}}, {weight.data(), {0, 1}}};
                const operand there[] = {{b.data(), stride}, {b.data(), stride}, {expected.data(), {}}, {row.data(), {1, 0}}, {weight.data(), {0, 1}}};
                device::run<normalised<float>>(extents, here, nullptr);
                croton::reference::run<normalised<float>>(extents, there, nullptr);
                check_close<float>(a, b, 1e-3);
                check_close<float>(total, expected, 1e-3);
            }
        }
}

TEST_CASE("rows of bool") {
    for (std::int64_t m : {1, 700})
        for (std::int64_t n : {1, 5, 16, 48, 100, 1000}) {
            CAPTURE(m);
            CAPTURE(n);
            check_on<device, any_of_row, bool, bool>({m, n}, {full<bool>(m * n, 1, {n, 1}), full<bool>(m * n, 2, {n, 1})});
        }
}
