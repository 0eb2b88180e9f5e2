// SPDX-License-Identifier: MIT
// Where an expression stands in the program: what `explain` says of it, and under which profiles show its calls.
#ifndef CROTON_LAZY_SOURCE_LINE_HPP
#define CROTON_LAZY_SOURCE_LINE_HPP

#include <string>
#include <string_view>

#include <croton/profile/recorder.hpp>

namespace croton::inline v0_1 {

/// A line of the program: as a last parameter that is left out, that of the call. `std::source_location`, which not every compiler has.
struct source_line {
    const char* file = "";
    unsigned number = 0;

    static constexpr source_line here(const char* file = __builtin_FILE(), unsigned number = __builtin_LINE()) { return {file, number}; }

    /// `main.cpp:42`, without the folders.
    std::string text() const {
        const std::string_view path = file;
        return std::string(path.substr(path.find_last_of("/\\") + 1)) + ":" + std::to_string(number);
    }
};

namespace detail {

/// While a profile runs, what is evaluated within its life stands under the line.
class evaluated_at {
public:
    explicit evaluated_at(const source_line& where) : to_(has_profiler ? current_recorder : nullptr) {
        if (to_ != nullptr) [[unlikely]] to_->enter_region(where.text());
    }
    evaluated_at(const evaluated_at&) = delete;
    evaluated_at& operator=(const evaluated_at&) = delete;
    ~evaluated_at() {
        if (to_ != nullptr) [[unlikely]] to_->leave_region();
    }

private:
    recorder* to_;
};

}  // namespace detail

}  // namespace croton::inline v0_1

#endif
