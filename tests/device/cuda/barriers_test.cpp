// SPDX-License-Identifier: MIT
// Kernels that are wrong without a barrier: for each barrier of a kernel body, one whose threads need what others have done.
// barriers.sh takes the barriers away, one by one, and expects this program to fail.
#include "device/emulated_cuda.hpp"

#include "device/convolution.hpp"
#include "device/kernels.hpp"

using namespace test;

namespace {

using device = emulated_cuda_of<128>;

/// Calls `f` under every schedule.
template <class F> void on_schedules(F&& f) {
    for (const auto order : {emulated::schedule::first_ahead, emulated::schedule::last_ahead, emulated::schedule::any}) {
        emulated::block_of_fibers::order = order;
        CAPTURE(static_cast<int>(order));
        f();
    }
    emulated::block_of_fibers::order = emulated::schedule::any;
}

// Row lengths of rows that one thread, a warp and a block take.
const std::int64_t lengths[] = {8, 33, 128, 130, 1024, 1030};

/// Runs `Kernel` on both devices. Slots are parts of one memory, so that they may overlap.
template <class Kernel, class T, class... Then> void check_shared(const std::vector<std::int64_t>& extents, std::int64_t elements, const std::vector<slot>& places) {
    memory a = memory::of<T>(static_cast<std::size_t>(elements), 1), b = a;
    std::vector<operand> here, there;
    for (const slot& s : places) {
        here.push_back({a.data(s.start), s.stride});
        there.push_back({b.data(s.start), s.stride});
    }
    if constexpr (sizeof...(Then) > 0) {
        // Numbers that close the loop have the last slots.
        const operand* const then = here.data() + here.size() - 2;
        device::run_closed<Kernel, Then...>(extents.data(), here.data(), &then, nullptr);
        croton::reference::run<Kernel>(extents.data(), there.data(), nullptr);
        (croton::reference::run<Then>(extents.data(), there.data() + there.size() - 2, nullptr), ...);
    } else {
        device::run<Kernel>(extents.data(), here.data(), nullptr);
        croton::reference::run<Kernel>(extents.data(), there.data(), nullptr);
    }
    check_close<T>(a, b, 1e-4);
}
slot at(std::int64_t start, std::array<std::int64_t, croton::max_rank> stride) { return {{}, start, stride}; }

// The second pass over a row reads from the other end what the first has stored.
using turned = kernel_of<1, 1, block<>, block<>, phase<block<load<float, 0>, apply<add, e<0, float>, e<0, float>>, store<float, 1, e<1, float>>>, block<>, block<>>,
                         phase<block<load<float, 2>, store<float, 3, e<0, float>>>, block<>, block<>>>;

// A number of the row that everybody reads, then one writes, and everybody reads again, before and after a pass.
using read_written = kernel_of<1, 1, block<>, block<load<float, 1>, apply<add, r<0, float>, r<0, float>>, store<float, 1, r<1, float>>, load<float, 2>>,
                               phase<block<load<float, 0>, apply<add, e<0, float>, r<0, float>>, apply<mul, e<1, float>, r<3, float>>, store<float, 3, e<2, float>>>, block<>,
                                     block<load<float, 4>, apply<add, r<4, float>, r<3, float>>, store<float, 4, r<5, float>>, load<float, 5>>>,
                               phase<block<load<float, 0>, apply<add, e<0, float>, r<7, float>>, apply<mul, e<1, float>, r<4, float>>, store<float, 6, e<2, float>>>, block<>, block<>>>;

// Two sums of a row and two of the next: each goes through the same shared memory.
using reduced = kernel_of<1, 1, block<>, block<>,
                          phase<block<load<float, 0>>, block<reduce<sum, float, e<0, float>>, reduce<test::max, float, e<0, float>>>, block<store<float, 1, r<0, float>>>>,
                          phase<block<load<float, 0>, apply<sub, e<0, float>, r<1, float>>, apply<mul, e<1, float>, r<0, float>>>, block<reduce<sum, float, e<2, float>>>, block<store<float, 2, r<3, float>>>>>;

// Sums over rows along the elements of a row, and of one number for each: copies that are cleared by other threads than add to them.
using columns = kernel_of<1, 1, block<>, block<>,
                          phase<block<load<float, 0>, accumulate<sum, float, 1, e<0, float>>>, block<reduce<sum, float, e<0, float>>>,
                                block<accumulate<sum, float, 2, r<0, float>>, accumulate<test::max, float, 3, r<0, float>>>>>;

// Two sums and a largest value of each column, which go through the same shared memory.
using of_columns = map<2, block<load<float, 0>, apply<add, e<0, float>, e<0, float>>, accumulate<sum, float, 1, e<0, float>>, accumulate<test::max, float, 2, e<0, float>>,
                                accumulate<sum, float, 3, e<1, float>>>>;

// Sums along the elements of rows, which many threads of the last block finish, and a number that one makes of one of them.
using some_columns = kernel_of<1, 1, block<>, block<>,
                               phase<block<load<float, 0>, accumulate<sum, float, 1, e<0, float>>>, block<reduce<sum, float, e<0, float>>>, block<store<float, 2, r<0, float>>>>>;
using twice = croton::kernel::kernel<0, 0, block<load<float, 0>, apply<add, u<0, float>, u<0, float>>, store<float, 1, u<1, float>>>, block<>>;

// An array that is read across.
using across = map<2, block<load<float, 0>, load<float, 1>, apply<add, e<0, float>, e<1, float>>, store<float, 2, e<2, float>>>>;

}  // namespace

TEST_CASE("a pass over a row reads what other threads have stored in the pass before") {
    on_schedules([] {
        for (const std::int64_t n : lengths)
            for (const std::int64_t m : {1, 5, 40}) {
                CAPTURE(n);
                CAPTURE(m);
                check_shared<turned, float>({m, n}, 3 * m * n, {at(0, {n, 1}), at(m * n, {n, 1}), at(m * n + n - 1, {n, -1}), at(2 * m * n, {n, 1})});
            }
    });
}

TEST_CASE("a number of the row is read before it is written, and after") {
    on_schedules([] {
        for (const std::int64_t n : lengths)
            for (const std::int64_t m : {1, 5, 40}) {
                CAPTURE(n);
                CAPTURE(m);
                const std::int64_t all = m * n;
                check_shared<read_written, float>({m, n}, 3 * all + 2 * m, {at(0, {n, 1}), at(3 * all, {1}), at(3 * all, {1}), at(all, {n, 1}),
                                                                              at(3 * all + m, {1}), at(3 * all + m, {1}), at(2 * all, {n, 1})});
            }
    });
}

TEST_CASE("reductions follow each other through the memory that warps share") {
    on_schedules([] {
        for (const std::int64_t n : lengths)
            for (const std::int64_t m : {1, 5, 40}) {
                CAPTURE(n);
                CAPTURE(m);
                check_shared<reduced, float>({m, n}, m * n + 2 * m, {at(0, {n, 1}), at(m * n, {1}), at(m * n + m, {1})});
            }
    });
}

TEST_CASE("sums are added to memory that other threads have cleared") {
    on_schedules([] {
        for (const std::int64_t n : lengths)
            for (const std::int64_t m : {5, 40, 300}) {
                CAPTURE(n);
                CAPTURE(m);
                check_shared<columns, float>({m, n}, m * n + n + 2, {at(0, {n, 1}), at(m * n, {0, 1}), at(m * n + n, {}), at(m * n + n + 1, {})});
            }
    });
}

TEST_CASE("warps bring the sums of their columns together") {
    on_schedules([] {
        for (const std::int64_t n : {3, 8, 40, 130})
            for (const std::int64_t m : {5, 300, 2000}) {
                CAPTURE(n);
                CAPTURE(m);
                check_shared<of_columns, float>({m, n}, m * n + 3 * n, {at(0, {n, 1}), at(m * n, {0, 1}), at(m * n + n, {0, 1}), at(m * n + 2 * n, {0, 1})});
            }
    });
}

TEST_CASE("sums are there before a number is made of them") {
    on_schedules([] {
        for (const std::int64_t n : {40, 130, 600})
            for (const std::int64_t m : {1, 5, 40}) {
                CAPTURE(n);
                CAPTURE(m);
                const std::int64_t sums = m * n, rows = sums + n, number = rows + m;
                check_shared<some_columns, float, twice>({m, n}, number + 1, {at(0, {n, 1}), at(sums, {0, 1}), at(rows, {1}), at(sums + n - 1, {}), at(number, {})});
            }
    });
}

TEST_CASE("a square is there before it is read, and until then") {
    on_schedules([] {
        for (const std::int64_t n : {33, 200})
            for (const std::int64_t m : {8, 40, 500}) {
                CAPTURE(n);
                CAPTURE(m);
                check_shared<across, float>({m, n}, 3 * m * n, {at(0, {1, m}), at(m * n, {n, 1}), at(2 * m * n, {n, 1})});
            }
    });
}

TEST_CASE("pieces of matrices are in the memory of the block before they are multiplied, and until then") {
    on_schedules([] {
        device_convolution::check<device, float, device_convolution::plain>({2, 9, 8, 8}, {5, 9, 3, 3});
        device_convolution::check<device, float, device_convolution::plain>({1, 20, 6, 6}, {40, 20, 3, 3});
    });
}
