// SPDX-License-Identifier: MIT
// Numbers as reports write them: times, bytes, rates, shares.
#ifndef CROTON_PROFILE_FORMAT_HPP
#define CROTON_PROFILE_FORMAT_HPP

#include <cstdint>
#include <string>

#include <croton/core/formatted.hpp>
#include <croton/profile/record.hpp>

namespace croton::inline v0_1::detail {

/// `812 ns`, `3.41 us`, `12.0 ms`, `1.63 s`.
inline std::string time_text(nanoseconds t) {
    const auto ns = static_cast<double>(t);
    if (t < 1000) return formatted("%d ns", static_cast<int>(t));
    if (ns < 1e6) return formatted("%.3g us", ns / 1e3);
    if (ns < 1e9) return formatted("%.3g ms", ns / 1e6);
    return formatted("%.3g s", ns / 1e9);
}

/// `784 B`, `3.06 KB`, `1.2 MB`: powers of 1024.
inline std::string bytes_text(std::int64_t bytes) {
    const auto b = static_cast<double>(bytes);
    if (bytes < 1024) return formatted("%d B", static_cast<int>(bytes));
    if (b < 1024.0 * 1024) return formatted("%.3g KB", b / 1024);
    if (b < 1024.0 * 1024 * 1024) return formatted("%.3g MB", b / (1024.0 * 1024));
    return formatted("%.3g GB", b / (1024.0 * 1024 * 1024));
}

inline std::string number_text(double v) { return formatted(v >= 99.95 ? "%.0f" : v >= 9.995 ? "%.1f" : "%.2f", v); }

inline double share(nanoseconds part, nanoseconds whole) {
    return whole > 0 ? 100.0 * static_cast<double>(part) / static_cast<double>(whole) : 0;
}
inline std::string percent_text(nanoseconds part, nanoseconds whole) { return formatted("%.1f%%", share(part, whole)); }

}  // namespace croton::inline v0_1::detail

#endif
