// SPDX-License-Identifier: MIT
// Random numbers on the host: arrays and views filled by a seed.
#ifndef CROTON_RANDOM_DISTRIBUTIONS_HPP
#define CROTON_RANDOM_DISTRIBUTIONS_HPP

#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>
#include <type_traits>

#include <croton/core/error.hpp>
#include <croton/core/message.hpp>
#include <croton/kernel/normal.hpp>
#include <croton/random/fill.hpp>

namespace croton::inline v0_1 {

namespace detail {

template <class To> using drawn_element = typename std::remove_cvref_t<To>::value_type;

/// What random numbers can be written into: an array on any device, a view of any strides.
template <class To>
concept fillable = element_type<drawn_element<To>> && requires(To& to) {
    std::remove_cvref_t<To>::rank;
    to.data();
    to.extents();
};

template <class T> constexpr void check_has_fractions() {
    constexpr bool floating = std::is_floating_point_v<T> || is_storage<T>;
    static_assert(floating, "croton: random numbers of this distribution are float, double, half or bfloat16; whole numbers are drawn by "
                            "random::randint");
}

/// The next number of the type below `x`.
template <class T> T next_below(T x) {
    if constexpr (!is_storage<T>) return std::nextafter(x, -std::numeric_limits<T>::infinity());
    else if (x == 0) return T::from_bits(0x8001);
    else return T::from_bits(static_cast<std::uint16_t>(x > 0 ? x.bits - 1 : x.bits + 1));
}

inline void check_rising(const char* who, bool fits) {
    if (!fits) refuse<value_error>({who, ": the lower bound is not below the upper one"});
}
inline void check_probability(const char* who, double p) {
    if (!(p >= 0 && p <= 1)) refuse<value_error>({who, ": a probability is from 0 to 1"});
}

/// The upper half of a product.
constexpr std::uint64_t upper_product(std::uint64_t x, std::uint64_t y) {
    constexpr std::uint64_t low = 0xffffffffu;
    const std::uint64_t a = x >> 32, b = x & low, c = y >> 32, d = y & low;
    const std::uint64_t middle = (b * d >> 32) + (a * d & low) + (b * c & low);
    return a * c + (a * d >> 32) + (b * c >> 32) + (middle >> 32);
}

}  // namespace detail

/// Fills arrays, on any device, and views by a seed: `random::normal(x, 42)`. An element depends on the seed and on its row-major position, and on
/// nothing else. The seed is a number, or a `stream_of` of a key, a stream and a call: 42 alone draws what the first draw of the first call of a
/// function gets from `random_state::seed(42)`, bit for bit for `bits`, `uniform`, `bernoulli` and `randint`, up to roundings else. Numbers of half
/// and bfloat16 are those of float, rounded. What lies on a GPU is made on the host and copied.
namespace random {

/// All bits of unsigned numbers of 32 or 64 bits.
template <detail::fillable To> void bits(To&& to, const stream_of& seed) {
    using T = detail::drawn_element<To>;
    constexpr bool fits = std::is_same_v<T, std::uint32_t> || std::is_same_v<T, std::uint64_t>;
    static_assert(fits, "croton: random bits are std::uint32_t or std::uint64_t");
    if constexpr (fits) detail::draw_into<T, kernel::law::bits>(to, seed);
}

/// Numbers from `low` to `high`, `high` not among them; 24 random bits for float, 53 for double. Throws `value_error` where low is not below high.
template <detail::fillable To> void uniform(To&& to, const stream_of& seed, double low, double high) {
    using T = detail::drawn_element<To>;
    using U = detail::drawn_as<T>;
    detail::check_has_fractions<T>();
    detail::check_rising("random::uniform", static_cast<arithmetic_t<T>>(T(low)) < static_cast<arithmetic_t<T>>(T(high)));
    const U begin = static_cast<U>(low), width = static_cast<U>(high - low), end = static_cast<U>(T(high));
    const U last = static_cast<U>(detail::next_below(T(high)));
    detail::draw_into<U, kernel::law::unit>(to, seed, detail::as_drawn(), [=](U u) {
        const U x = static_cast<U>(T(begin + width * u));
        return x < end ? x : last;
    });
}
/// Numbers from 0 to 1, 1 not among them.
template <detail::fillable To> void uniform(To&& to, const stream_of& seed) {
    if constexpr (is_storage<detail::drawn_element<To>>) {
        uniform(to, seed, 0, 1);
    } else {
        detail::check_has_fractions<detail::drawn_element<To>>();
        detail::draw_into<detail::drawn_as<detail::drawn_element<To>>, kernel::law::unit>(to, seed);
    }
}

/// Numbers of the normal distribution, by its inverse distribution function: up to 6.3 standard deviations for float, 8.1 for double.
template <detail::fillable To> void normal(To&& to, const stream_of& seed, double mean = 0, double stddev = 1) {
    using T = detail::drawn_element<To>;
    using U = detail::drawn_as<T>;
    detail::check_has_fractions<T>();
    const U at = static_cast<U>(mean), by = static_cast<U>(stddev);
    if (mean == 0 && stddev == 1) detail::draw_into<U, kernel::law::normal>(to, seed);
    else detail::draw_into<U, kernel::law::normal>(to, seed, detail::as_drawn(), [=](U z) { return at + by * z; });
}

/// Numbers of the normal distribution of this mean and deviation, of which only those from `low` to `high` are drawn, which count deviations from the
/// mean.
template <detail::fillable To>
void truncated_normal(To&& to, const stream_of& seed, double mean = 0, double stddev = 1, double low = -2, double high = 2) {
    using T = detail::drawn_element<To>;
    using U = detail::drawn_as<T>;
    detail::check_has_fractions<T>();
    detail::check_rising("random::truncated_normal", low < high);
    // The tail that is nearer to both bounds has their digits.
    const double side = low + high > 0 ? -1 : 1, near = side > 0 ? low : -high, far = side > 0 ? high : -low;
    const double first = kernel::normal_cdf(near), share = kernel::normal_cdf(far) - first;
    const auto between = [=](const auto& u) CROTON_INLINED {
        using V = std::remove_cvref_t<decltype(u)>;
        using kernel::constant;
        // 1.41 times the inverse of erf at 2 p - 1. What grows with u does so on either side.
        const V along = side > 0 ? u : constant<V>(1) - u;
        return constant<V>(side * 1.4142135623730950488) * kernel::inverse_erf(constant<V>(2 * share) * along + constant<V>(2 * first - 1));
    };
    const U at = static_cast<U>(mean), by = static_cast<U>(stddev), least = static_cast<U>(low), most = static_cast<U>(high);
    detail::draw_into<U, kernel::law::inner>(to, seed, between, [=](U z) { return at + by * (z < least ? least : z > most ? most : z); });
}

/// Waiting times between events of which `rate` happen in a unit of time.
template <detail::fillable To> void exponential(To&& to, const stream_of& seed, double rate = 1) {
    using T = detail::drawn_element<To>;
    detail::check_has_fractions<T>();
    if (!(rate > 0)) detail::refuse<value_error>({"random::exponential: the rate is not positive"});
    detail::draw_into<detail::drawn_as<T>, kernel::law::inner>(to, seed, [=](const auto& u) CROTON_INLINED {
        using V = std::remove_cvref_t<decltype(u)>;
        using std::log;
        return log(u) * kernel::constant<V>(-1 / rate);
    });
}

/// The standard Gumbel distribution: what the largest of many waiting times tends to.
template <detail::fillable To> void gumbel(To&& to, const stream_of& seed) {
    using T = detail::drawn_element<To>;
    detail::check_has_fractions<T>();
    detail::draw_into<detail::drawn_as<T>, kernel::law::inner>(to, seed, [](const auto& u) CROTON_INLINED {
        using std::log;
        return -log(-log(u));
    });
}

/// True, or 1, with probability `p`, to within 2^-24, in elements of any type. Throws `value_error` where p is no probability.
template <detail::fillable To> void bernoulli(To&& to, const stream_of& seed, double p = 0.5) {
    detail::check_probability("random::bernoulli", p);
    detail::draw_into<float, kernel::law::unit>(to, seed, detail::as_drawn(), [below = static_cast<float>(p)](float u) { return u < below ? 1 : 0; });
}

/// Whole numbers from `low` to `high`, `high` not among them, in elements of any integer type: of 53 random bits, so that with n numbers each has its
/// share but for n / 2^53, or of 64 where there are more than 2^53. Throws `value_error` where low is not below high.
template <detail::fillable To>
void randint(To&& to, const stream_of& seed, std::type_identity_t<detail::drawn_element<To>> low,
             std::type_identity_t<detail::drawn_element<To>> high) {
    using T = detail::drawn_element<To>;
    constexpr bool whole = std::is_integral_v<T> && !std::is_same_v<T, bool>;
    static_assert(whole, "croton: random::randint draws integers; numbers with fractions are drawn by random::uniform, truth values by "
                         "random::bernoulli");
    if constexpr (whole) {
        detail::check_rising("random::randint", low < high);
        const auto from = static_cast<std::uint64_t>(low), count = static_cast<std::uint64_t>(high) - from;
        if (count <= std::uint64_t{1} << 53)
            detail::draw_into<double, kernel::law::unit>(to, seed, detail::as_drawn(), [=, n = static_cast<double>(count)](double u) {
                return static_cast<T>(from + static_cast<std::uint64_t>(static_cast<std::int64_t>(u * n)));
            });
        else
            detail::draw_into<std::uint64_t, kernel::law::bits>(to, seed, detail::as_drawn(), [=](std::uint64_t word) {
                return static_cast<T>(from + detail::upper_product(word, count));
            });
    }
}

}  // namespace random

}  // namespace croton::inline v0_1

#endif
