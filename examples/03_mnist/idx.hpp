// SPDX-License-Identifier: MIT
// Reads the IDX files of MNIST, gzip-compressed or not. What is wrong with one is thrown as one sentence.
#ifndef MNIST_IDX_HPP
#define MNIST_IDX_HPP

#include <zlib.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace mnist {

struct input_error : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// A file that zlib unpacks while it is read; one that is not compressed is read as it is.
class packed_file {
public:
    explicit packed_file(const std::filesystem::path& path) : name_(path.string()) {
        errno = 0;
        file_.reset(gzopen(name_.c_str(), "rb"));
        if (!file_) throw input_error(name_ + " cannot be opened: " + std::strerror(errno != 0 ? errno : ENOMEM));
        gzbuffer(file_.get(), 1U << 17U);
    }

    const std::string& name() const { return name_; }

    /// Reads up to `bytes.size()` bytes: less only at the end of the file. One that is compressed must be whole.
    std::size_t read(std::span<std::uint8_t> bytes) {
        std::size_t done = 0;
        while (done < bytes.size()) {
            const auto wanted = std::min<std::size_t>(bytes.size() - done, 1U << 20U);
            const int got = gzread(file_.get(), bytes.data() + done, static_cast<unsigned>(wanted));
            if (got <= 0) {
                check();
                break;
            }
            done += static_cast<std::size_t>(got);
        }
        return done;
    }

    bool at_end() {
        std::uint8_t more = 0;
        return read({&more, 1}) == 0;
    }

private:
    struct closes {
        void operator()(gzFile file) const { gzclose(file); }
    };

    // zlib returns what it has read before it says what is wrong with the rest.
    void check() {
        int code = Z_OK;
        const char* reason = gzerror(file_.get(), &code);
        if (code == Z_OK || code == Z_STREAM_END) return;
        if (code == Z_ERRNO) throw input_error(name_ + " cannot be read: " + std::strerror(errno));
        if (code == Z_BUF_ERROR) throw input_error(name_ + " is cut short");
        throw input_error(name_ + " is damaged: zlib says " + reason);
    }

    std::string name_;
    std::unique_ptr<gzFile_s, closes> file_;
};

/// The file in the folder, with `.gz` at the end of its name or without.
inline std::filesystem::path find_file(const std::filesystem::path& folder, const std::string& name) {
    std::error_code ignored;
    for (const std::string& one : {name, name + ".gz"})
        if (std::filesystem::exists(folder / one, ignored)) return folder / one;
    throw input_error("there is no " + name + " in " + folder.string() + ", nor " + name + ".gz");
}

/// What an IDX file of bytes holds: `Rank` extents, the first of which counts images or labels, and the elements.
template <std::size_t Rank> struct idx {
    std::string name;
    std::array<std::int64_t, Rank> extents{};
    std::vector<std::uint8_t> bytes;
};

/// Reads the file `name` of the folder. `what` it holds is for the sentences, `item` are the extents that are expected
/// of one item.
template <std::size_t Rank>
idx<Rank> read_idx(const std::filesystem::path& folder, const std::string& name, const std::string& what,
                   const std::array<std::int64_t, Rank - 1>& item) {
    packed_file file(find_file(folder, name));
    // Four bytes each, the highest first: 0, 0, the type 8 (byte) and the rank; then the extents.
    std::array<std::uint8_t, 4 + 4 * Rank> header{};
    const std::size_t got = file.read(header);
    if (got < 4 || header[0] != 0 || header[1] != 0 || header[2] != 8 || header[3] != Rank)
        throw input_error(file.name() + " is not a file of " + what + ": it does not begin with the number " +
                          std::to_string(2048 + Rank));
    if (got < header.size()) throw input_error(file.name() + " is cut short");

    idx<Rank> result{file.name(), {}, {}};
    for (std::size_t axis = 0; axis < Rank; ++axis)
        for (std::size_t i = 4 + 4 * axis; i < 8 + 4 * axis; ++i)
            result.extents[axis] = result.extents[axis] * 256 + header[i];
    std::size_t total = static_cast<std::size_t>(result.extents[0]);
    for (std::size_t axis = 1; axis < Rank; ++axis) {
        if (result.extents[axis] != item[axis - 1])
            throw input_error(file.name() + " holds " + what + " of " + std::to_string(result.extents[1]) + " x " +
                              std::to_string(result.extents[Rank - 1]) + " where " + std::to_string(item[0]) + " x " +
                              std::to_string(item[Rank - 2]) + " is expected");
        total *= static_cast<std::size_t>(item[axis - 1]);
    }
    if (total == 0) throw input_error(file.name() + " holds no " + what);

    // Memory grows with what is there: a broken header must not ask for more.
    while (result.bytes.size() < total) {
        const std::size_t begin = result.bytes.size();
        result.bytes.resize(std::min(total, std::max<std::size_t>(2 * begin, 1U << 20U)));
        const std::size_t end = begin + file.read(std::span(result.bytes).subspan(begin));
        if (end < result.bytes.size())
            throw input_error(file.name() + " is cut short: it has " + std::to_string(end) + " of " +
                              std::to_string(total) + " bytes of " + what);
    }
    if (!file.at_end())
        throw input_error(file.name() + " goes on after its last of " + std::to_string(result.extents[0]) + " " + what);
    return result;
}

}  // namespace mnist

#endif
