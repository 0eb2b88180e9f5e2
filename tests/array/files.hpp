// SPDX-License-Identifier: MIT
// Files of the tests: a folder that is removed in the end, whole files as text, and what an exception says.
#ifndef TESTS_ARRAY_FILES_HPP
#define TESTS_ARRAY_FILES_HPP

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include <croton/core/error.hpp>

namespace files {

// Written by NumPy: tests/golden/make_npy.py.
inline const std::filesystem::path golden = std::filesystem::path(__FILE__).parent_path().parent_path() / "golden" / "npy";

struct folder {
    folder() { std::filesystem::create_directories(path); }
    folder(const folder&) = delete;
    folder& operator=(const folder&) = delete;
    ~folder() { std::filesystem::remove_all(path); }

    /// The names in it, in order.
    std::vector<std::string> names() const {
        std::vector<std::string> result;
        for (const auto& entry : std::filesystem::recursive_directory_iterator(path))
            result.push_back(entry.path().lexically_relative(path).string());
        std::sort(result.begin(), result.end());
        return result;
    }

    std::filesystem::path path =
        std::filesystem::temp_directory_path() / ("croton files " + std::to_string(std::random_device()()));
};

inline std::string read_all(const std::filesystem::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

inline void write_all(const std::filesystem::path& path, const std::string& bytes) {
    std::ofstream(path, std::ios::binary) << bytes;
}

/// Changes one byte where it lies.
inline void change(const std::filesystem::path& path, std::size_t at, char byte) {
    std::fstream(path, std::ios::binary | std::ios::in | std::ios::out).seekp(static_cast<std::streamoff>(at)).put(byte);
}

/// The sentence of the `file_error` that `call` ends in.
template <class Call> std::string error_of(Call&& call) {
    try {
        call();
    } catch (const croton::file_error& error) {
        return error.what();
    }
    return "no error";
}

}  // namespace files

#endif
