// SPDX-License-Identifier: MIT
// Bytes that are read from front to back, of which it is known how many there are: a file, or an entry of an archive.
#ifndef CROTON_ARRAY_BYTE_SOURCE_HPP
#define CROTON_ARRAY_BYTE_SOURCE_HPP

#include <cstdint>
#include <string>
#include <utility>

#include <croton/array/posix.hpp>
#include <croton/core/error.hpp>

namespace croton::inline v0_1::detail {

class byte_source {
public:
    byte_source(const byte_source&) = delete;
    byte_source& operator=(const byte_source&) = delete;

    /// What sentences about it begin with.
    const std::string& name() const { return name_; }
    /// How many bytes are still to be read.
    std::uint64_t left() const { return left_; }

    void read(void* to, std::uint64_t bytes) {
        if (bytes > left_) throw file_error(name_ + " is cut short");
        if (bytes == 0) return;
        fill(static_cast<char*>(to), bytes);
        left_ -= bytes;
    }

protected:
    byte_source(std::string name, std::uint64_t bytes) : name_(std::move(name)), left_(bytes) {}
    ~byte_source() = default;

private:
    virtual void fill(char* to, std::uint64_t bytes) = 0;

    std::string name_;
    std::uint64_t left_;
};

/// A whole file.
class file_source final : public byte_source {
public:
    explicit file_source(const input_file& file) : byte_source(file.name(), file.size()), file_(file) {}

private:
    void fill(char* to, std::uint64_t bytes) override { file_.read(file_.size() - left(), to, bytes); }

    const input_file& file_;
};

}  // namespace croton::inline v0_1::detail

#endif
