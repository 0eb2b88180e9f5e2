// SPDX-License-Identifier: MIT
// What moves integers of every width, and what takes them all together: joining, slices, sorting, extremes, products, pictures.
#include <doctest/doctest.h>

#include <cstdint>
#include <limits>
#include <tuple>

#include <croton/croton.hpp>

#include "device/emulated_cuda.hpp"

using namespace croton;

namespace {

template <class T, int Rank, class Device> array<T, Rank> on_host(const array<T, Rank, Device>& x) { return x.template to<cpu>(); }

}  // namespace

TEST_CASE_TEMPLATE("uint8 in structures", Device, cpu, emulated_cuda) {
    using T = std::uint8_t;
    auto f = function<Device>([](tensor<T, 2, 3> x, tensor<T, 2, 3> y) {
        return std::tuple(concatenate<0>(x, y), x(slice(0, 2), slice(none, none, -1)), transpose(x), dot(x, transpose(y)), argmax<1>(x), argsort<1>(x), max<0>(x), min(x), ptp<1>(x));
    });
    const array<T, 2> x{{250, 3, 128}, {7, 255, 0}}, y{{1, 2, 3}, {4, 5, 6}};
    const auto [joined, reversed, turned, product, last, order, most, least, range] = f(x.template to<Device>(), y.template to<Device>());
    CHECK(on_host(joined) == array<T, 2>{{250, 3, 128}, {7, 255, 0}, {1, 2, 3}, {4, 5, 6}});
    CHECK(on_host(reversed) == array<T, 2>{{128, 3, 250}, {0, 255, 7}});
    CHECK(on_host(turned) == array<T, 2>{{250, 7}, {3, 255}, {128, 0}});
    // As NumPy's: in its own width.
    CHECK(on_host(product) == array<T, 2>{{T(640), T(1783)}, {T(517), T(1303)}});
    CHECK(on_host(last) == array<std::int64_t, 1>{0, 1});
    CHECK(on_host(order) == array<std::int64_t, 2>{{1, 2, 0}, {2, 0, 1}});
    CHECK(on_host(most) == array<T, 1>{250, 255, 128});
    CHECK(on_host(least)() == 0);
    CHECK(on_host(range) == array<T, 1>{247, 255});
}

TEST_CASE_TEMPLATE("uint64 beyond the range of int64", Device, cpu, emulated_cuda) {
    using T = std::uint64_t;
    constexpr T top = std::numeric_limits<T>::max(), half = T{1} << 63;
    auto f = function<Device>([](vector<T> x) {
        return std::tuple(sort(x), max(x), min(x), argmax(x), sum(x), x > half, x >> 62, cast<double>(x), where(x > half, x, top), x + top, x * 3 - x);
    });
    const array<T, 1> x{half + 5, 3, top, half};
    const auto [sorted, most, least, at, total, large, bits, wide, chosen, less, twice] = f(x.template to<Device>());
    CHECK(on_host(sorted) == array<T, 1>{3, half, half + 5, top});
    CHECK(on_host(most)() == top);
    CHECK(on_host(least)() == 3);
    CHECK(on_host(at)() == 2);
    CHECK(on_host(total)() == 7);
    CHECK(on_host(large) == array<bool, 1>{true, false, true, false});
    CHECK(on_host(bits) == array<T, 1>{2, 0, 3, 2});
    CHECK(on_host(wide) == array<double, 1>{0x1p63, 3, 0x1p64, 0x1p63});
    CHECK(on_host(chosen) == array<T, 1>{half + 5, top, top, top});
    CHECK(on_host(less) == array<T, 1>{half + 4, 2, top - 1, half - 1});
    CHECK(on_host(twice) == array<T, 1>{10, 6, top - 1, 0});
}
