// SPDX-License-Identifier: MIT
// Compressed bytes, as zlib reads them; a sentence where the program is built without it.
#ifndef CROTON_ARRAY_INFLATE_HPP
#define CROTON_ARRAY_INFLATE_HPP

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <new>
#include <string>

#include <croton/array/posix.hpp>
#include <croton/config.hpp>
#include <croton/core/error.hpp>

#if CROTON_HAS_ZLIB
#include <zlib.h>
#endif

namespace croton::inline v0_1::detail {

#if CROTON_HAS_ZLIB

/// Reads a deflated piece of a file.
class zlib_inflater {
public:
    zlib_inflater(const input_file& file, std::uint64_t at, std::uint64_t packed, const std::string& name)
        : file_(file), at_(at), left_(packed), name_(name) {
        // A negative number of bits: without the header of zlib.
        if (::inflateInit2(&stream_, -MAX_WBITS) != Z_OK) throw std::bad_alloc();
    }
    zlib_inflater(const zlib_inflater&) = delete;
    zlib_inflater& operator=(const zlib_inflater&) = delete;
    ~zlib_inflater() { ::inflateEnd(&stream_); }

    void read(char* to, std::uint64_t bytes) {
        while (bytes > 0) {
            const std::uint64_t got = step(to, bytes);
            if (got == 0 && ended_) fail();
            to += got;
            bytes -= got;
        }
    }

    /// Throws unless just all of it has been read.
    void finish() {
        char more = 0;
        while (!ended_)
            if (step(&more, 1) != 0) fail();
        if (left_ != 0 || stream_.avail_in != 0) fail();
    }

private:
    [[noreturn]] void fail() const { throw file_error(name_ + " is damaged: it cannot be decompressed"); }

    // Reads at most `bytes`; returns how many.
    std::uint64_t step(char* to, std::uint64_t bytes) {
        if (ended_) return 0;
        if (stream_.avail_in == 0 && left_ > 0) {
            const std::uint64_t now = std::min<std::uint64_t>(left_, input_.size());
            file_.read(at_, input_.data(), now);
            at_ += now;
            left_ -= now;
            stream_.next_in = input_.data();
            stream_.avail_in = static_cast<uInt>(now);
        }
        const auto most = static_cast<uInt>(std::min<std::uint64_t>(bytes, 1U << 30));
        stream_.next_out = reinterpret_cast<Bytef*>(to);
        stream_.avail_out = most;
        const int result = ::inflate(&stream_, Z_NO_FLUSH);
        if (result == Z_MEM_ERROR) throw std::bad_alloc();
        ended_ = result == Z_STREAM_END;
        if (!ended_ && (result != Z_OK)) fail();
        return most - stream_.avail_out;
    }

    const input_file& file_;
    std::uint64_t at_, left_;
    const std::string& name_;
    z_stream stream_{};
    std::array<unsigned char, 16384> input_;
    bool ended_ = false;
};

using inflater = zlib_inflater;

#else

class no_inflater {
public:
    no_inflater(const input_file&, std::uint64_t, std::uint64_t, const std::string& name) {
        throw file_error(name + " is compressed, which croton reads where it is compiled with -DCROTON_HAS_ZLIB=1 and linked with "
                                "-lz; numpy.savez does not compress");
    }
    void read(char*, std::uint64_t) {}
    void finish() {}
};

using inflater = no_inflater;

#endif

}  // namespace croton::inline v0_1::detail

#endif
