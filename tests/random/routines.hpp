// SPDX-License-Identifier: MIT
// What routines along an axis do with one row, by their definitions and in double.
#ifndef CROTON_TESTS_RANDOM_ROUTINES_HPP
#define CROTON_TESTS_RANDOM_ROUTINES_HPP

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <stdexcept>
#include <string_view>
#include <vector>

namespace random_programs {

using row_of_numbers = std::vector<double>;

/// The row that the routine `name` makes of the rows `in`; all have one length.
inline row_of_numbers row_by_routine(std::string_view name, std::int64_t attributes, const std::vector<row_of_numbers>& in) {
    const std::size_t n = in[0].size();
    row_of_numbers out(n);
    if (name == "sort" || name == "argsort") {
        std::vector<std::size_t> places(n);
        std::iota(places.begin(), places.end(), std::size_t{0});
        std::stable_sort(places.begin(), places.end(), [&](std::size_t a, std::size_t b) { return in[0][a] < in[0][b] || (in[0][b] != in[0][b] && in[0][a] == in[0][a]); });
        for (std::size_t i = 0; i < n; ++i) out[i] = name == "sort" ? in[0][places[i]] : static_cast<double>(places[i]);
        return out;
    }
    if (name == "permute") {
        for (std::size_t i = 0; i < n; ++i) {
            const auto place = static_cast<std::size_t>(in[0][i]);
            if (place >= n) throw std::logic_error("routine: a place outside of its row");
            if ((attributes & 1) != 0) out[place] = in[1][i];
            else out[i] = in[1][place];
        }
        return out;
    }
    const bool reversed = (attributes & 1) != 0, exclusive = (attributes & 2) != 0;
    for (std::size_t k = 0; k < n; ++k) {
        // Each from the beginning: nothing is kept from one to the next.
        const auto at = [&](std::size_t i) { return reversed ? n - 1 - i : i; };
        long double state = name == "cumprod" ? 1 : 0, high = -HUGE_VAL;
        const std::size_t end = exclusive ? k : k + 1;
        for (std::size_t i = 0; i < end; ++i) high = std::max<long double>(high, in[0][at(i)]);
        for (std::size_t i = 0; i < end; ++i) {
            const double x = in[0][at(i)];
            if (name == "cumsum") state += x;
            else if (name == "cumprod") state *= x;
            else if (name == "logcumsumexp") state += std::exp(x - high);
            else if (name == "weighted_cumsum") state = x * state + in[1][at(i)];
            else throw std::logic_error("routine: one that no user names");
        }
        out[at(k)] = static_cast<double>(name == "logcumsumexp" ? high + std::log(state) : state);
    }
    return out;
}

}  // namespace random_programs

#endif
