// SPDX-License-Identifier: MIT
// Sums of columns whose partial results are in registers: every element type, every width, one chunk and several.
#include "device/emulated_cuda.hpp"

#include "device/kernels.hpp"

using namespace test;

namespace {

using device = emulated_cuda_of<128>;

template <class T> slot full(std::int64_t n, unsigned seed, std::initializer_list<std::int64_t> stride = {1}) {
    slot s{memory::of<T>(static_cast<std::size_t>(n), seed, 0, 1), 0, {}};
    std::size_t a = 0;
    for (std::int64_t v : stride) s.stride[a++] = v;
    return s;
}
template <class F> void on_machines(F&& f) {
    for (int processors : {1, 3, 20}) {
        device::platform::processors_ = processors;
        CAPTURE(processors);
        f();
    }
    device::platform::processors_ = 3;
}

/// Sums and the largest of columns, with what is summed stored.
template <class T> using of_columns = map<2, block<load<T, 0>, accumulate<sum, T, 1, e<0, T>>, accumulate<test::max, T, 2, e<0, T>>, store<T, 3, e<0, T>>>>;
using any_of_columns = map<2, block<load<bool, 0>, accumulate<some, bool, 1, e<0, bool>>, accumulate<every, bool, 2, e<0, bool>>>>;
using sum_of_columns = map<2, block<load<float, 0>, accumulate<sum, float, 1, e<0, float>>>>;

}  // namespace

TEST_CASE_TEMPLATE("columns of every type", T, float, double, int, std::int64_t) {
    on_machines([] {
        for (std::int64_t m : {0, 1, 2, 9, 300, 2100})
            for (std::int64_t n : {0, 1, 5, 16, 130}) {
                CAPTURE(m);
                CAPTURE(n);
                check_on<device, of_columns<T>, T, T, T, T>({m, n}, {full<T>(m * n, 1, {n, 1}), full<T>(n, 2, {0, 1}), full<T>(n, 3, {0, 1}), full<T>(m * n, 4, {n, 1})}, 1e-4);
                // Columns that lie apart.
                check_on<device, of_columns<T>, T, T, T, T>({m, n}, {full<T>(m * n, 1, {1, m}), full<T>(3 * n, 2, {0, 3}), full<T>(n, 3, {0, 1}), full<T>(m * n, 4, {1, m})}, 1e-4);
            }
    });
}

TEST_CASE("columns of bool") {
    on_machines([] {
        for (std::int64_t m : {0, 1, 2, 3, 1000})
            for (std::int64_t n : {1, 5, 16, 48, 640}) {
                CAPTURE(m);
                CAPTURE(n);
                check_on<device, any_of_columns, bool, bool, bool>({m, n}, {full<bool>(m * n, 1, {n, 1}), full<bool>(n, 2, {0, 1}), full<bool>(n, 3, {0, 1})});
            }
    });
}

TEST_CASE("few partial results, in one launch, and the same bits each time") {
    device::platform::processors_ = 132;
    constexpr std::int64_t m = 4096, n = 256;
    memory x = memory::of<float>(m * n, 1), y = memory::of<float>(n, 2), z = y;
    const std::int64_t extents[] = {m, n};
    const auto run = [&](memory& to) {
        const operand slots[] = {{x.data(), {n, 1}}, {to.data(), {0, 1}}};
        device::run<sum_of_columns>(extents, slots, nullptr);
    };
    device::platform::work.clear();
    const auto launched = device::platform::launches;
    run(y);
    CHECK(device::platform::launches == launched + 1);
    CHECK(device::platform::work.size() <= 33 * n * 8 + 64);
    for (int processors : {132, 132}) {
        device::platform::processors_ = processors;
        run(z);
        CHECK(y.values<float>() == z.values<float>());
    }
    device::platform::processors_ = 3;
}
