// SPDX-License-Identifier: MIT
// Where the reports of a profile go: to a stream of the program, or to a file of their own.
#ifndef CROTON_PROFILE_SINK_HPP
#define CROTON_PROFILE_SINK_HPP

#include <cerrno>
#include <cstdio>
#include <memory>
#include <ostream>
#include <string>
#include <system_error>
#include <utility>

#include <croton/core/error.hpp>
#include <croton/core/file_path.hpp>
#include <croton/profile/record.hpp>

namespace croton::inline v0_1::detail {

/// Says of what could not be written why, which the system has left in errno.
[[noreturn]] inline void fail_to_write(const std::string& what) {
    const int reason = errno;
    throw file_error(what + " cannot be written" + (reason == 0 ? "" : ": " + std::generic_category().message(reason)));
}

/// Writes what `Format` makes of a profile to a stream, which must outlive the profile. If the stream does not take all of it,
/// `finish` of the profile throws `file_error`.
template <class Format> class stream_sink {
public:
    explicit stream_sink(std::ostream& to) : to_(&to) {}
    void operator()(const profile_data& data) const {
        const std::string text = Format::text(data);
        errno = 0;
        // A full disk is noticed no earlier than when the stream passes on what it has gathered.
        if (!(*to_ << text).flush()) fail_to_write("the report of the profile \"" + data.name + "\"");
    }

private:
    std::ostream* to_;
};

/// Writes what `Format` makes of a profile to a file. It is opened, and what it held is gone, when the sink is made:
/// `file_error` comes before the profile has begun. If the file cannot be written to its end, `finish` of the profile
/// throws `file_error`. A sink that several profiles tell holds the report of the last one.
template <class Format> class file_sink {
public:
    explicit file_sink(const file_path& path) : to_(std::make_shared<file>()) {
        to_->path = path;
        to_->open();
    }

    void operator()(const profile_data& data) const {
        const std::string text = Format::text(data);
        if (to_->written) to_->open();
        to_->written = true;
        errno = 0;
        const bool taken = std::fwrite(text.data(), 1, text.size(), to_->stream) == text.size();
        if (!to_->close() || !taken) fail_to_write(to_->path.string());
    }

private:
    struct file {
        file_path path;
        std::FILE* stream = nullptr;
        bool written = false;

        file() = default;
        file(const file&) = delete;
        ~file() { close(); }

        void open() {
            errno = 0;
            stream = std::fopen(path.string().c_str(), "wb");
            if (stream == nullptr) fail_to_write(path.string());
        }
        bool close() {
            std::FILE* const open = std::exchange(stream, nullptr);
            return open == nullptr || std::fclose(open) == 0;
        }
    };

    std::shared_ptr<file> to_;  // profiles copy their sinks
};

}  // namespace croton::inline v0_1::detail

#endif
