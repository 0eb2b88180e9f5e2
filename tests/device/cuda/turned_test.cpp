// SPDX-License-Identifier: MIT
// Loops that read across the way they write: by squares, for every type, size and order of axes.
#include "device/emulated_cuda.hpp"

#include <algorithm>
#include <array>

#include "device/kernels.hpp"

using namespace test;

namespace {

using device = emulated_cuda_of<128>;
namespace cuda_device = croton::detail::cuda_device;

std::int64_t turned() { return device::platform::launches_of[static_cast<std::size_t>(cuda_device::entry::turned)]; }

template <class T> slot placed(std::int64_t n, unsigned seed, std::vector<std::int64_t> stride, std::int64_t start = 0) {
    slot s{memory::of<T>(static_cast<std::size_t>(n), seed), start, {}};
    std::copy(stride.begin(), stride.end(), s.stride.begin());
    return s;
}
/// The strides of an array over `extents` that lies with its axes in the order `order`, the last one densely.
std::vector<std::int64_t> lying(const std::vector<std::int64_t>& extents, const std::vector<std::size_t>& order) {
    std::vector<std::int64_t> stride(extents.size());
    std::int64_t step = 1;
    for (std::size_t k = order.size(); k-- > 0; step *= extents[order[k]]) stride[order[k]] = step;
    return stride;
}

template <class T, int Rank> using copy_of = map<Rank, block<load<T, 0>, store<T, 1, e<0, T>>>>;
template <class T> using mixed = map<2, block<load<T, 0>, load<T, 1>, apply<add, e<0, T>, e<1, T>>, load<bool, 2>, apply<choose, e<3, bool>, e<2, T>, e<0, T>>, store<T, 3, e<4, T>>>>;
// What is stored depends on where.
using numbered_copy = map<2, block<load<float, 0>, iota<float, 0>, iota<float, 1>, apply<mul, e<0, float>, e<1, float>>, apply<add, e<3, float>, e<2, float>>, store<float, 1, e<4, float>>>>;

const std::int64_t sizes[] = {1, 7, 8, 9, 31, 32, 33, 64, 65, 100};

}  // namespace

TEST_CASE_TEMPLATE("transposed copies", T, bool, int, float, double, std::int64_t) {
    for (const std::int64_t m : sizes)
        for (const std::int64_t n : sizes) {
            CAPTURE(m);
            CAPTURE(n);
            const auto before = turned();
            check_on<device, copy_of<T, 2>, T, T>({m, n}, {placed<T>(m * n, 1, {1, m}), placed<T>(m * n, 2, {n, 1})});
            CHECK(turned() == before + (m >= 8 && n >= 8 ? 1 : 0));
            // What is stored lies across.
            check_on<device, copy_of<T, 2>, T, T>({m, n}, {placed<T>(m * n, 1, {n, 1}), placed<T>(m * n, 2, {1, m})});
            CHECK(turned() == before + (m >= 8 && n >= 8 ? 2 : 0));
            // Not aligned, and parts of larger matrices.
            check_on<device, copy_of<T, 2>, T, T>({m, n}, {placed<T>((m + 3) * n + 1, 1, {1, m + 3}, 1), placed<T>(m * (n + 5), 2, {n + 5, 1})});
        }
    const auto before = turned();
    check_on<device, copy_of<T, 2>, T, T>({0, 40}, {placed<T>(1, 1, {1, 0}), placed<T>(1, 2, {40, 1})});
    check_on<device, copy_of<T, 2>, T, T>({40, 0}, {placed<T>(1, 1, {1, 40}), placed<T>(1, 2, {0, 1})});
    CHECK(turned() == before);
}

TEST_CASE("axes in any order") {
    std::vector<std::size_t> order{0, 1, 2, 3};
    do {
        const std::vector<std::int64_t> extents{3, 12, 9, 16};
        CAPTURE(order);
        const std::int64_t all = 3 * 12 * 9 * 16;
        check_on<device, copy_of<float, 4>, float, float>(extents, {placed<float>(all, 1, lying(extents, order)), placed<float>(all, 2, lying(extents, {0, 1, 2, 3}))});
        check_on<device, copy_of<double, 4>, double, double>(extents, {placed<double>(all, 1, lying(extents, {2, 0, 3, 1})), placed<double>(all, 2, lying(extents, order))});
    } while (std::next_permutation(order.begin(), order.end()));
}

TEST_CASE_TEMPLATE("with others beside it, one way and the other", T, int, float, double) {
    for (const std::int64_t m : {9, 40, 64})
        for (const std::int64_t n : {8, 33, 64}) {
            CAPTURE(m);
            CAPTURE(n);
            const std::int64_t all = m * n;
            const auto before = turned();
            check_on<device, mixed<T>, T, T, bool, T>({m, n}, {placed<T>(all, 1, {1, m}), placed<T>(all, 2, {n, 1}), placed<bool>(n, 3, {0, 1}), placed<T>(all, 4, {n, 1})});
            // Two of them across, and then three, which is too many.
            check_on<device, mixed<T>, T, T, bool, T>({m, n}, {placed<T>(all, 1, {1, m}), placed<T>(all, 2, {n, 1}), placed<bool>(all, 3, {1, m}), placed<T>(all, 4, {n, 1})});
            CHECK(turned() == before + 2);
            check_on<device, mixed<T>, T, T, bool, T>({m, n}, {placed<T>(all, 1, {1, m}), placed<T>(all, 2, {1, m}), placed<bool>(all, 3, {1, m}), placed<T>(all, 4, {n, 1})});
            CHECK(turned() == before + 2);
            // A column and a single number.
            check_on<device, mixed<T>, T, T, bool, T>({m, n}, {placed<T>(all, 1, {1, m}), placed<T>(m, 2, {1, 0}), placed<bool>(1, 3, {0, 0}), placed<T>(all, 4, {n, 1})});
            CHECK(turned() == before + 3);
        }
}

TEST_CASE("values that are indices") {
    for (const std::int64_t m : {9, 40})
        for (const std::int64_t n : {8, 65}) {
            CAPTURE(m);
            CAPTURE(n);
            check_on<device, numbered_copy, float, float>({m, n}, {placed<float>(m * n, 1, {1, m}), placed<float>(m * n, 2, {n, 1})});
            check_on<device, numbered_copy, float, float>({m, n}, {placed<float>(m * n, 1, {n, 1}), placed<float>(m * n, 2, {1, m})});
        }
}
