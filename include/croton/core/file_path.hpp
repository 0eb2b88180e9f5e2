// SPDX-License-Identifier: MIT
// The name of a file, with the few questions that files ask of it: <filesystem> costs every program more than all of these.
#ifndef CROTON_CORE_FILE_PATH_HPP
#define CROTON_CORE_FILE_PATH_HPP

#include <concepts>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace croton::inline v0_1::detail {

/// Where a function takes a path, it takes a `std::string`, what a program writes in quotes, a `std::filesystem::path`, or an entry of its folder. The parts
/// are those of `std::filesystem::path` on POSIX.
class file_path {
public:
    file_path() = default;
    file_path(const char* name) : name_(name) {}
    file_path(std::string name) : name_(std::move(name)) {}
    template <std::same_as<std::string_view> T> file_path(T name) : name_(name) {}
    template <class Path>
        requires requires(const Path& path) { { path.native() } -> std::same_as<const std::string&>; }
    file_path(const Path& path) : name_(path.native()) {}
    template <class Entry>
        requires requires(const Entry& entry) { { entry.path().native() } -> std::same_as<const std::string&>; }
    file_path(const Entry& entry) : name_(entry.path().native()) {}

    const std::string& string() const noexcept { return name_; }
    const char* c_str() const noexcept { return name_.c_str(); }
    bool empty() const noexcept { return name_.empty(); }

    /// What stands behind the last slash.
    std::string_view filename() const noexcept { return std::string_view(name_).substr(name_.rfind('/') + 1); }
    /// `.npz` of `model.npz`; a name that begins with its only dot has none.
    std::string_view extension() const noexcept {
        const std::string_view last = filename();
        const std::size_t dot = last.rfind('.');
        return dot == last.npos || dot == 0 || last == ".." ? std::string_view() : last.substr(dot);
    }
    /// Empty for a name without a slash; of the root it is the root.
    file_path parent_path() const {
        std::size_t end = name_.rfind('/');
        if (end == name_.npos) return {};
        const std::size_t last = name_.find_last_not_of('/', end);
        return name_.substr(0, last == name_.npos ? 1 : last + 1);
    }

    /// A file in this folder, or what is named from the root.
    friend file_path operator/(const file_path& folder, const file_path& file) {
        if (folder.empty() || file.name_.starts_with('/')) return file;
        return folder.name_ + (folder.name_.ends_with('/') ? "" : "/") + file.name_;
    }

    bool operator==(const file_path&) const = default;

private:
    std::string name_;
};

}  // namespace croton::inline v0_1::detail

#endif
