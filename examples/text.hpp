// SPDX-License-Identifier: MIT
// A text as numbers of its letters, in pieces that are read side by side.
#ifndef EXAMPLES_TEXT_HPP
#define EXAMPLES_TEXT_HPP

#include <croton/array/array.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>

namespace text {

inline std::string read_file(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    std::string all{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    if (!file || all.empty()) throw std::runtime_error(path.string() + " cannot be read");
    return all;
}

/// The different letters of a text, in order, and the number of each.
class alphabet {
public:
    explicit alphabet(std::string of) : letters_(std::move(of)) {
        std::sort(letters_.begin(), letters_.end());
        letters_.erase(std::unique(letters_.begin(), letters_.end()), letters_.end());
    }

    int size() const { return static_cast<int>(letters_.size()); }
    char operator[](std::int64_t number) const { return letters_.at(static_cast<std::size_t>(number)); }
    int number(char letter) const { return static_cast<int>(letters_.find(letter)); }

private:
    std::string letters_;
};

/// A text cut into pieces of one length that lie side by side as columns; a batch has the next rows of all of them, and those that follow.
class pieces {
public:
    pieces(const std::string& all, const alphabet& letters, std::int64_t count)
        : numbers_(static_cast<std::int64_t>(all.size()) / count, count) {
        for (std::int64_t p = 0; p < count; ++p)
            for (std::int64_t i = 0; i < numbers_.extent(0); ++i)
                numbers_(i, p) = letters.number(all[static_cast<std::size_t>(p * numbers_.extent(0) + i)]);
    }

    /// How many batches of so many letters the pieces have.
    std::int64_t batches(std::int64_t length) const { return (numbers_.extent(0) - 1) / length; }
    croton::view<const int, 2> read(std::int64_t batch, std::int64_t length) const { return rows(batch * length, length); }
    croton::view<const int, 2> next(std::int64_t batch, std::int64_t length) const { return rows(batch * length + 1, length); }

private:
    croton::view<const int, 2> rows(std::int64_t from, std::int64_t count) const { return numbers_.slice(0, from, from + count, 1); }

    croton::array<int, 2> numbers_;
};

}  // namespace text

#endif
