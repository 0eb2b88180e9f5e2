// SPDX-License-Identifier: MIT
// Operators, random operands and the comparison of two devices, for the tests of the loops of a device.
#ifndef CROTON_TESTS_DEVICE_KERNELS_HPP
#define CROTON_TESTS_DEVICE_KERNELS_HPP

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include <croton/device/reference/reference.hpp>

namespace test {

using namespace croton::kernel;
using croton::kernel::block;
template <int O, int I, class U, class R, class... P> using kernel_of = croton::kernel::kernel<O, I, U, R, P...>;
/// A kernel of inner axes only, with one phase and nothing else.
template <int I, class Element> using map = kernel_of<0, I, block<>, block<>, phase<Element, block<>, block<>>>;

struct add {
    template <class V> static CROTON_HD V value(V a, V b) { return a + b; }
};
struct sub {
    template <class V> static CROTON_HD V value(V a, V b) { return a - b; }
};
struct mul {
    template <class V> static CROTON_HD V value(V a, V b) { return a * b; }
};
struct divide {
    template <class V> static CROTON_HD V value(V a, V b) { return a / b; }
};
struct power_of_e {
    template <class V> static CROTON_HD V value(V x) {
        using std::exp;
        return exp(x);
    }
};
struct less {
    template <class V> static CROTON_HD auto value(V a, V b) { return a < b; }
};
struct both {
    template <class V> static CROTON_HD V value(V a, V b) { return a && b; }
};
struct either {
    template <class V> static CROTON_HD V value(V a, V b) { return a || b; }
};
struct negate {
    template <class V> static CROTON_HD V value(V a) { return !a; }
};
struct same {
    template <class V> static CROTON_HD auto value(V a, V b) { return a == b; }
};
struct choose {
    template <class C, class V> static CROTON_HD V value(C c, V a, V b) {
        using croton::kernel::select;
        return select(c, a, b);
    }
};
struct larger {
    template <class V> static CROTON_HD V value(V a, V b) {
        using croton::kernel::maximum;
        return maximum(a, b);
    }
};

struct sum {
    template <class V> static CROTON_HD V combine(V a, V b) { return a + b; }
    template <class T> static CROTON_HD constexpr T identity() { return T(0); }
};
// A constant, because device code may not call the functions.
template <class T>
inline constexpr T least = std::numeric_limits<T>::has_infinity ? -std::numeric_limits<T>::infinity() : std::numeric_limits<T>::lowest();

struct max {
    static constexpr bool idempotent = true;
    template <class V> static CROTON_HD V combine(V a, V b) { return larger::value(a, b); }
    template <class T> static CROTON_HD constexpr T identity() {
        return least<T>;
    }
};
struct some {
    template <class V> static CROTON_HD V combine(V a, V b) { return a || b; }
    template <class T> static CROTON_HD constexpr T identity() { return T(false); }
};
struct every {
    template <class V> static CROTON_HD V combine(V a, V b) { return a && b; }
    template <class T> static CROTON_HD constexpr T identity() { return T(true); }
};

template <class T> constexpr std::uint64_t bits(T v) {
    if constexpr (sizeof(T) == 8) return __builtin_bit_cast(std::uint64_t, v);
    else if constexpr (sizeof(T) == 4) return __builtin_bit_cast(std::uint32_t, v);
    else return v ? 1 : 0;
}

/// Memory with a margin, so that a write beside the array is seen; strides may be negative.
class memory {
public:
    template <class T> static memory of(std::size_t elements, unsigned seed, double low = -2, double high = 2) {
        memory m;
        m.bytes_.resize((elements + 2 * margin) * sizeof(T));
        std::mt19937 random(seed);
        std::uniform_real_distribution<double> draw(low, high);
        for (std::size_t i = 0; i < elements + 2 * margin; ++i) {
            const double x = draw(random);
            T v;
            if constexpr (std::is_same_v<T, bool>) v = x > 0;
            else if constexpr (std::is_integral_v<T>) v = static_cast<T>(x * 10);
            else v = static_cast<T>(x);
            std::memcpy(m.bytes_.data() + i * sizeof(T), &v, sizeof(T));
        }
        m.size_ = sizeof(T);
        return m;
    }
    std::byte* data(std::int64_t element = 0) {
        return bytes_.data() + (static_cast<std::int64_t>(margin) + element) * static_cast<std::int64_t>(size_);
    }
    template <class T> T* as() { return reinterpret_cast<T*>(data()); }
    template <class T> std::vector<T> values() const {
        std::vector<T> v;
        for (std::size_t i = 0; i < bytes_.size() / sizeof(T); ++i) {
            T x;
            std::memcpy(&x, bytes_.data() + i * sizeof(T), sizeof(T));
            v.push_back(x);
        }
        return v;
    }

private:
    static constexpr std::size_t margin = 24;
    std::vector<std::byte> bytes_;
    std::size_t size_ = 1;
};

/// One slot of a test: its memory, the element it starts at, and its strides.
struct slot {
    memory m;
    std::int64_t start;
    std::array<std::int64_t, croton::max_rank> stride;
};

inline std::vector<operand> operands(std::vector<slot>& slots) {
    std::vector<operand> result;
    for (slot& s : slots) result.push_back({s.m.data(s.start), s.stride});
    return result;
}

template <class T> void check_close(const memory& a, const memory& b, double tolerance) {
    const std::vector<T> x = a.values<T>(), y = b.values<T>();
    REQUIRE(x.size() == y.size());
    for (std::size_t i = 0; i < x.size(); ++i) {
        if constexpr (std::is_floating_point_v<T>) {
            if (std::isnan(x[i]) && std::isnan(y[i])) continue;
            if (x[i] == y[i]) continue;
            CAPTURE(i);
            const double scale = std::max(1.0, std::fabs(static_cast<double>(y[i])));
            CHECK_MESSAGE(std::fabs(static_cast<double>(x[i]) - static_cast<double>(y[i])) <= tolerance * scale,
                          x[i], " instead of ", y[i]);
        } else {
            CAPTURE(i);
            CHECK(x[i] == y[i]);
        }
    }
}

/// Runs `Kernel` on `Device` and on the reference device from the same memory; the memory of slot k holds elements of the k-th of `T`.
template <class Device, class Kernel, class... T>
void check_on(const std::vector<std::int64_t>& extents, const std::vector<slot>& slots, double tolerance = 2e-6,
           const std::vector<std::int64_t>& scalars = {}) {
    std::vector<slot> a = slots, b = slots;
    const std::vector<operand> ao = operands(a), bo = operands(b);
    Device::template run<Kernel>(extents.data(), ao.data(), scalars.data());
    croton::reference::run<Kernel>(extents.data(), bo.data(), scalars.data());
    std::size_t k = 0;
    ((check_close<T>(a[k].m, b[k].m, std::is_same_v<T, double> ? tolerance * 1e-6 : tolerance), ++k), ...);
}

}  // namespace test

#endif
