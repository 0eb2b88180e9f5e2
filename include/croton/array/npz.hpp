// SPDX-License-Identifier: MIT
// Whole models as files: a folder of .npy files, or one .npz archive, both as NumPy reads them.
#ifndef CROTON_ARRAY_NPZ_HPP
#define CROTON_ARRAY_NPZ_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <istream>
#include <list>
#include <map>
#include <ostream>
#include <sstream>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include <croton/array/array.hpp>
#include <croton/array/npy.hpp>
#include <croton/array/view.hpp>
#include <croton/core/error.hpp>
#include <croton/core/fields.hpp>

namespace croton::inline v0_1 {

namespace detail {

inline constexpr auto crc_table = [] {
    std::array<std::uint32_t, 256> table{};
    for (std::uint32_t i = 0; i < 256; ++i) {
        std::uint32_t c = i;
        for (int k = 0; k < 8; ++k) c = (c & 1U) != 0 ? 0xEDB88320U ^ (c >> 1) : c >> 1;
        table[i] = c;
    }
    return table;
}();

constexpr std::uint32_t crc32(std::string_view bytes) {
    std::uint32_t crc = 0xFFFFFFFFU;
    for (char byte : bytes) crc = crc_table[(crc ^ static_cast<unsigned char>(byte)) & 0xFFU] ^ (crc >> 8);
    return ~crc;
}

// The zip format stores all numbers with the low byte first.
inline void put_bytes(std::string& out, std::uint64_t value, int bytes) {
    for (; bytes > 0; --bytes, value >>= 8) out += static_cast<char>(value & 0xFFU);
}

inline std::uint32_t get_bytes(std::string_view from, std::size_t at, int bytes) {
    std::uint32_t value = 0;
    const std::string_view field = from.substr(at, static_cast<std::size_t>(bytes));
    for (auto byte = field.rbegin(); byte != field.rend(); ++byte)
        value = value << 8 | static_cast<unsigned char>(*byte);
    return value;
}

inline constexpr std::uint64_t zip_limit = 0xFFFFFFFEU;
inline constexpr std::string_view zip_local = "PK\x03\x04";
inline constexpr std::string_view zip_central = "PK\x01\x02";
inline constexpr std::string_view zip_end = "PK\x05\x06";

/// Writes a zip archive of stored entries.
class zip_writer {
public:
    zip_writer(std::ostream& out, std::string name) : out_(out), name_(std::move(name)) {}

    void add(const std::string& entry, std::string_view bytes) {
        std::string fields;
        put_bytes(fields, 20, 2);  // version needed
        put_bytes(fields, 0, 2);   // flags
        put_bytes(fields, 0, 2);   // stored
        put_bytes(fields, 0, 2);   // time
        put_bytes(fields, 33, 2);  // date: the first day of 1980, so that equal models give equal files
        put_bytes(fields, crc32(bytes), 4);
        put_bytes(fields, bytes.size(), 4);
        put_bytes(fields, bytes.size(), 4);
        put_bytes(fields, entry.size(), 2);
        put_bytes(fields, 0, 2);  // extra field

        directory_ += zip_central;
        put_bytes(directory_, 20, 2);  // version made by
        directory_ += fields;
        put_bytes(directory_, 0, 10);  // comment, disk, attributes
        put_bytes(directory_, offset_, 4);
        directory_ += entry;
        ++count_;

        write(zip_local);
        write(fields);
        write(entry);
        write(bytes);
    }

    void finish() {
        std::string end(zip_end);
        put_bytes(end, 0, 4);  // disks
        put_bytes(end, count_, 2);
        put_bytes(end, count_, 2);
        put_bytes(end, directory_.size(), 4);
        put_bytes(end, offset_, 4);
        put_bytes(end, 0, 2);  // comment
        write(directory_);
        write(end);
    }

private:
    void write(std::string_view bytes) {
        if (bytes.size() > zip_limit || offset_ + bytes.size() > zip_limit)
            throw file_error(name_ + " would be over 4 GiB; save the model as a folder instead");
        out_.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
        offset_ += bytes.size();
    }

    std::ostream& out_;
    std::string name_;
    std::string directory_;
    std::uint64_t offset_ = 0;
    std::uint64_t count_ = 0;
};

/// Reads a zip archive of stored entries.
class zip_reader {
public:
    zip_reader(std::istream& in, std::uint64_t size, std::string name) : in_(in), size_(size), name_(std::move(name)) {
        // The end record is the last 22 bytes, unless a comment of at most 65535 bytes follows it.
        const std::uint64_t tail = size < 22 + 65535 ? size : 22 + 65535;
        const std::string bytes = read(size - tail, tail);
        const std::size_t end = bytes.rfind(zip_end);
        if (end == bytes.npos || bytes.size() - end < 22)
            throw file_error(name_ + " is not a .npz file, or is cut short");
        const std::uint32_t count = get_bytes(bytes, end + 10, 2);
        const std::uint32_t offset = get_bytes(bytes, end + 16, 4);
        if (offset > zip_limit) throw too_large();
        const std::string directory = read(offset, get_bytes(bytes, end + 12, 4));
        std::size_t at = 0;
        for (std::uint32_t i = 0; i < count; ++i) {
            if (directory.size() - at < 46 || directory.compare(at, 4, zip_central) != 0) throw damaged();
            const entry found{get_bytes(directory, at + 8, 2),  get_bytes(directory, at + 10, 2),
                              get_bytes(directory, at + 16, 4), get_bytes(directory, at + 20, 4),
                              get_bytes(directory, at + 24, 4), get_bytes(directory, at + 42, 4)};
            const std::size_t length = get_bytes(directory, at + 28, 2);
            const std::size_t more = get_bytes(directory, at + 30, 2) + get_bytes(directory, at + 32, 2);
            if (directory.size() - at - 46 < length + more) throw damaged();
            entries_[directory.substr(at + 46, length)] = found;
            at += 46 + length + more;
        }
    }

    bool has(const std::string& name) const { return entries_.contains(name); }

    /// The bytes of an entry, checked against their sum.
    std::string operator()(const std::string& name) {
        const entry& e = entries_.at(name);
        const std::string where = name + " in " + name_;
        if ((e.flags & 1U) != 0) throw file_error(where + " is encrypted");
        if (e.method != 0)
            throw file_error(where + " is compressed; write the file with numpy.savez, not numpy.savez_compressed");
        if (e.bytes > zip_limit || e.offset > zip_limit) throw too_large();
        const std::string header = read(e.offset, 30);
        if (e.bytes != e.packed || !header.starts_with(zip_local)) throw damaged();
        const std::uint64_t skip = 30U + get_bytes(header, 26, 2) + get_bytes(header, 28, 2);
        std::string bytes = read(e.offset + skip, e.bytes);
        if (crc32(bytes) != e.crc) throw file_error(where + " is damaged: its check sum differs");
        return bytes;
    }

private:
    struct entry {
        std::uint32_t flags, method, crc, packed, bytes, offset;
    };

    file_error too_large() const { return file_error(name_ + " is over 4 GiB; save the model as a folder instead"); }
    file_error damaged() const { return file_error(name_ + " is damaged: its directory cannot be read"); }

    std::string read(std::uint64_t offset, std::uint64_t bytes) {
        if (offset > size_ || bytes > size_ - offset) throw file_error(name_ + " is cut short");
        std::string result(static_cast<std::size_t>(bytes), '\0');
        in_.seekg(static_cast<std::streamoff>(offset));
        if (bytes > 0 && !in_.read(result.data(), static_cast<std::streamsize>(bytes)))
            throw file_error(name_ + " cannot be read");
        return result;
    }

    std::istream& in_;
    std::uint64_t size_;
    std::string name_;
    std::map<std::string, entry> entries_;
};

template <class M, int I> std::string file_of_leaf() { return std::string(leaf_name<M, I>) + ".npy"; }

/// Fills a model with what `read.operator()<T, Rank>(file)` gives for every leaf, once all are read and fit.
template <class M, class Read> void load_leaves(M& into, const std::string& from, Read&& read) {
    using on_cpu = rebind_model<M, on<cpu>::template array>;
    on_cpu loaded{};
    for_each_leaf2(loaded, into, [&]<class Leaf>(Leaf& fresh, const auto& old, auto index) {
        const std::string file = file_of_leaf<M, decltype(index)::value>();
        fresh = read.template operator()<typename Leaf::value_type, Leaf::rank>(file);
        if (old.size() > 0 && old.extents() != fresh.extents())
            throw file_error(file + " in " + from + " has shape " + shape_text(fresh.extents().data(), Leaf::rank) +
                             " where the model has " + shape_text(old.extents().data(), Leaf::rank));
    });
    if constexpr (std::is_same_v<M, on_cpu>) {
        // Equal sizes reuse the memory, and the rest is moved: nothing here throws.
        for_each_leaf2(into, loaded, [](auto& to, auto& fresh) {
            if (to.size() == fresh.size()) to = fresh;
            else to = std::move(fresh);
        });
    } else {
        M copy{};
        for_each_leaf2(copy, loaded, [](auto& to, const auto& fresh) {
            to = fresh.template to<typename std::remove_reference_t<decltype(to)>::device>();
        });
        into = std::move(copy);
    }
}

}  // namespace detail

/// Writes a model: to one .npz archive if `path` ends in .npz, otherwise to a folder with one .npy file per array.
/// The files bear the names of the fields (`hidden.weight.npy`), and `numpy.load` reads them. Throws `file_error`; a
/// model that was there then stays as it was.
template <model M> void save(const M& from, const std::filesystem::path& path) {
    if (path.extension() == ".npz") {
        detail::write_file(path, [&](std::ostream& out) {
            detail::zip_writer zip(out, path.string());
            detail::for_each_leaf(from, [&](const auto& leaf, auto index) {
                std::ostringstream bytes;
                detail::write_npy(bytes, leaf);
                zip.add(detail::file_of_leaf<M, decltype(index)::value>(), bytes.view());
            });
            zip.finish();
        });
    } else {
        std::error_code failed;
        std::filesystem::create_directories(path, failed);
        if (failed) throw file_error(path.string() + " cannot be made: " + failed.message());
        // All are written before the first gets its name, so that what was there before is replaced as a whole.
        std::list<detail::pending_file> files;
        detail::for_each_leaf(from, [&](const auto& leaf, auto index) {
            files.emplace_back(path / detail::file_of_leaf<M, decltype(index)::value>())
                .write([&](std::ostream& out) { detail::write_npy(out, leaf); });
        });
        for (detail::pending_file& file : files) file.commit();
    }
}

/// Reads what `save` or `numpy.savez` wrote. Every array is read and checked before the model changes: an array that is
/// empty takes the extents of the file, any other must have them. Throws `file_error`; the model is then as it was.
template <model M> void load(M& into, const std::filesystem::path& path) {
    std::error_code ignored;
    if (!std::filesystem::is_directory(path, ignored)) {
        detail::read_file(path, [&](std::istream& in, std::uint64_t size, const std::string& name) {
            detail::zip_reader zip(in, size, name);
            detail::load_leaves(into, name, [&]<class T, int Rank>(const std::string& file) {
                if (!zip.has(file)) throw file_error(name + " has no " + file);
                std::istringstream bytes(zip(file));
                const auto left = static_cast<std::uint64_t>(bytes.view().size());
                return detail::read_npy<T, Rank>(bytes, left, file + " in " + name);
            });
        });
    } else {
        detail::load_leaves(into, path.string(), [&]<class T, int Rank>(const std::string& file) {
            return load_npy<array<T, Rank, cpu>>(path / file);
        });
    }
}

}  // namespace croton::inline v0_1

#endif
