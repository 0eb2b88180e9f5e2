// SPDX-License-Identifier: MIT
// Zip archives, read: with 64-bit sizes, with a comment, behind other bytes, stored or (with zlib) deflated.
#ifndef CROTON_ARRAY_UNZIP_HPP
#define CROTON_ARRAY_UNZIP_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <croton/array/byte_source.hpp>
#include <croton/array/inflate.hpp>
#include <croton/array/posix.hpp>
#include <croton/array/zip.hpp>
#include <croton/core/error.hpp>

namespace croton::inline v0_1::detail {

inline std::uint64_t get_bytes(std::string_view from, std::size_t at, std::size_t bytes) {
    std::uint64_t value = 0;
    for (std::size_t i = bytes; i > 0; --i) value = value << 8 | static_cast<unsigned char>(from[at + i - 1]);
    return value;
}

/// What the directory of an archive says of an entry; `data` is where its bytes begin.
struct zip_place {
    std::uint64_t data, packed, bytes;
    std::uint32_t crc;
    bool deflated;
};

/// An entry that is read, and compared with its check sum in the end. Units of one program may differ in their inflater.
template <class Inflater> class zip_entry final : public byte_source {
public:
    zip_entry(const input_file& file, std::string name, const zip_place& place)
        : byte_source(std::move(name), place.bytes), file_(file), place_(place) {
        if (place.deflated) inflater_.emplace(file, place.data, place.packed, this->name());
    }

    /// Reads what is left and throws if a byte differs from what was saved.
    void finish() {
        char rest[4096];
        while (left() > 0) read(rest, std::min<std::uint64_t>(left(), sizeof rest));
        if (inflater_) inflater_->finish();
        if (sum_.value() != place_.crc) throw file_error(name() + " is damaged: its check sum differs");
    }

private:
    void fill(char* to, std::uint64_t bytes) override {
        // What is summed is still in the cache.
        for (std::uint64_t done = 0; done < bytes;) {
            const std::uint64_t now = std::min<std::uint64_t>(bytes - done, 1U << 17);
            if (inflater_) inflater_->read(to + done, now);
            else file_.read(place_.data + place_.bytes - left() + done, to + done, now);
            sum_.add({to + done, static_cast<std::size_t>(now)});
            done += now;
        }
    }

    const input_file& file_;
    zip_place place_;
    std::optional<Inflater> inflater_;
    check_sum sum_;
};

/// Reads an archive. A template, so that a program without archives does not pay for it.
template <class File = input_file> class zip_reader {
public:
    explicit zip_reader(const File& file) : file_(file) {
        // The end record is the last 22 bytes, unless a comment of at most 65535 bytes follows it. A comment may look like
        // an end record, so that one which leads to a directory is preferred.
        const std::uint64_t tail = std::min<std::uint64_t>(file_.size(), 22 + 65535);
        const std::string bytes = read(file_.size() - tail, tail);
        std::size_t at = bytes.rfind(zip_end);
        bool empty = false;
        for (; at != bytes.npos; at = at == 0 ? bytes.npos : bytes.rfind(zip_end, at - 1)) {
            if (bytes.size() - at < 22 || get_bytes(bytes, at + 20, 2) > bytes.size() - at - 22) continue;
            if (read_directory(std::string_view(bytes).substr(at, 22), file_.size() - tail + at)) return;
            empty = empty || get_bytes(bytes, at + 10, 2) == 0;
        }
        if (!empty) throw file_error(file_.name() + " is not a .npz file, or is cut short");
    }

    /// Gives an entry to `use` as a `byte_source`; throws where there is none of this name, and where it is damaged.
    template <class Use> auto read_entry(const std::string& name, Use&& use) const {
        // Of entries with one name the last counts, as in Python.
        const entry* found = nullptr;
        for (const entry& e : entries_)
            if (e.name == name) found = &e;
        if (found == nullptr) throw file_error(file_.name() + " has no " + name);
        zip_entry<inflater> from(file_, name + " in " + file_.name(), place_of(*found));
        try {
            auto result = use(from);
            from.finish();
            return result;
        } catch (const file_error&) {
            from.finish();  // damage is the better reason
            throw;
        }
    }

private:
    struct entry {
        std::string name;
        std::uint64_t flags, method, crc, packed, bytes, offset;
    };

    file_error damaged() const { return file_error(file_.name() + " is damaged: its directory cannot be read"); }

    std::string read(std::uint64_t at, std::uint64_t bytes) const {
        if (at > file_.size() || bytes > file_.size() - at) throw damaged();
        std::string result(static_cast<std::size_t>(bytes), '\0');
        file_.read(at, result.data(), bytes);
        return result;
    }

    // Reads the directory that the end record at `place` names; false where there is none.
    bool read_directory(std::string_view end, std::uint64_t place) {
        std::uint64_t count = get_bytes(end, 10, 2);
        std::uint64_t size = get_bytes(end, 12, 4);
        std::uint64_t offset = get_bytes(end, 16, 4);
        std::string end64;
        if (place >= 20 && read(place - 20, 4) == zip_locator64) {
            // Where other bytes stand before the archive, the place is not the one that the locator names.
            const std::uint64_t named = get_bytes(read(place - 20, 20), 8, 8);
            for (const std::uint64_t at : {named, place - 76}) {
                if (at > place || place - at < 76 || read(at, 4) != zip_end64) continue;
                end64 = read(at, 56);
                place = at;
                break;
            }
            if (end64.empty()) throw damaged();
            count = get_bytes(end64, 32, 8);
            size = get_bytes(end64, 40, 8);
            offset = get_bytes(end64, 48, 8);
        }
        // The directory ends where its end record begins: what is missing at its offset stands before the archive.
        if (count == 0 || size > place || offset > place - size) return false;
        before_ = place - size - offset;
        start_ = place - size;
        const std::string directory = read(start_, size);
        if (!directory.starts_with(zip_central)) return false;
        std::size_t at = 0;
        for (; count > 0; --count) {
            if (directory.size() - at < 46 || directory.compare(at, 4, zip_central) != 0) throw damaged();
            const std::size_t name = get_bytes(directory, at + 28, 2);
            const std::size_t extra = get_bytes(directory, at + 30, 2);
            const std::size_t comment = get_bytes(directory, at + 32, 2);
            if (directory.size() - at - 46 < name + extra + comment) throw damaged();
            entries_.push_back({directory.substr(at + 46, name), get_bytes(directory, at + 8, 2),
                                get_bytes(directory, at + 10, 2), get_bytes(directory, at + 16, 4),
                                get_bytes(directory, at + 20, 4), get_bytes(directory, at + 24, 4),
                                get_bytes(directory, at + 42, 4)});
            read_extra(entries_.back(), std::string_view(directory).substr(at + 46 + name, extra));
            at += 46 + name + extra + comment;
        }
        if (at != directory.size()) throw damaged();
        return true;
    }

    // The numbers of 64 bits: those, in this order, whose own fields say so.
    void read_extra(entry& found, std::string_view extra) const {
        while (extra.size() >= 4) {
            const std::size_t size = get_bytes(extra, 2, 2);
            if (size > extra.size() - 4) throw damaged();
            std::string_view field = extra.substr(4, size);
            if (get_bytes(extra, 0, 2) == 1) {
                for (std::uint64_t* number : {&found.bytes, &found.packed, &found.offset}) {
                    if (*number != zip_is_64) continue;
                    if (field.size() < 8) throw damaged();
                    *number = get_bytes(field, 0, 8);
                    field.remove_prefix(8);
                }
            }
            extra.remove_prefix(4 + size);
        }
    }

    zip_place place_of(const entry& e) const {
        const std::string where = e.name + " in " + file_.name();
        if ((e.flags & 1U) != 0) throw file_error(where + " is encrypted");
        if (e.method != 0 && e.method != 8)
            throw file_error(where + " is compressed by method " + std::to_string(e.method) +
                             " of zip, which croton does not read");
        if (e.offset > start_ - before_ || start_ - before_ - e.offset < 30) throw damaged();
        const std::uint64_t at = before_ + e.offset;
        const std::string header = read(at, 30);
        const std::uint64_t length = get_bytes(header, 26, 2);
        const std::uint64_t data = at + 30 + length + get_bytes(header, 28, 2);
        const bool deflated = e.method == 8;
        // Deflating makes nothing less than a 1032nd of it: no other size asks for memory.
        if (!header.starts_with(zip_local) || get_bytes(header, 8, 2) != e.method || data > start_ ||
            read(at + 30, length) != e.name || e.packed > start_ - data ||
            (deflated ? e.bytes / 1032 > e.packed : e.bytes != e.packed))
            throw damaged();
        return {data, e.packed, e.bytes, static_cast<std::uint32_t>(e.crc), deflated};
    }

    const input_file& file_;
    std::vector<entry> entries_;
    std::uint64_t before_ = 0;  ///< bytes that stand before the archive
    std::uint64_t start_ = 0;   ///< of the directory
};

}  // namespace croton::inline v0_1::detail

#endif
