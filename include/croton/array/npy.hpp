// SPDX-License-Identifier: MIT
// One array as a .npy file, the format of NumPy.
#ifndef CROTON_ARRAY_NPY_HPP
#define CROTON_ARRAY_NPY_HPP

#include <bit>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <ios>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include <croton/array/array.hpp>
#include <croton/array/view.hpp>
#include <croton/core/element.hpp>
#include <croton/core/error.hpp>

namespace croton::inline v0_1 {

namespace detail {

static_assert(std::endian::native == std::endian::little, "croton: .npy files are written on little-endian machines");

/// NumPy's name of an element type.
template <class T>
inline constexpr std::string_view npy_descr = element_of<T> == element::float16 ? "<f2"
                                              : element_of<T> == element::boolean ? "|b1"
                                              : element_of<T> == element::int32 ? "<i4"
                                              : element_of<T> == element::int64 ? "<i8"
                                              : element_of<T> == element::float32 ? "<f4"
                                                                                  : "<f8";

/// The bytes before the elements: magic, version 1.0, and a dictionary padded so that the elements are aligned to 64.
inline std::string npy_header(std::string_view descr, const std::int64_t* extents, int rank) {
    std::string shape;
    for (int i = 0; i < rank; ++i) {
        if (i > 0) shape += ", ";
        shape += std::to_string(extents[i]);
    }
    if (rank == 1) shape += ',';
    std::string header =
        "{'descr': '" + std::string(descr) + "', 'fortran_order': False, 'shape': (" + shape + "), }";
    header.append(63 - (10 + header.size()) % 64, ' ');
    header += '\n';
    const auto low = static_cast<char>(header.size() & 0xff);
    const auto high = static_cast<char>(header.size() >> 8);
    return std::string("\x93NUMPY\x01\x00", 8) + low + high + header;
}

/// Reads the dictionary of a header. The name of what is read begins each sentence that is thrown.
class npy_dictionary {
public:
    npy_dictionary(std::string_view text, const std::string& name) : text_(text), name_(name) {}

    /// The text after `'key':`.
    std::string_view after(std::string_view key) const {
        for (char quote : {'\'', '"'}) {
            const std::size_t at = text_.find(quote + std::string(key) + quote);
            if (at == text_.npos) continue;
            std::string_view rest = text_.substr(at + key.size() + 2);
            skip_spaces(rest);
            if (!rest.starts_with(':')) break;
            rest.remove_prefix(1);
            skip_spaces(rest);
            return rest;
        }
        throw file_error(name_ + " has no '" + std::string(key) + "' in its header");
    }

    std::string_view descr() const {
        const std::string_view rest = after("descr");
        const std::size_t end = rest.empty() ? rest.npos : rest.find(rest.front(), 1);
        if (rest.empty() || (rest.front() != '\'' && rest.front() != '"') || end == rest.npos)
            throw file_error(name_ + " holds records and not plain numbers");
        return rest.substr(1, end - 1);
    }

    bool fortran_order() const { return after("fortran_order").starts_with("True"); }

    /// Writes at most `rank` extents; returns how many the file has.
    int shape(std::int64_t* extents, int rank) const {
        std::string_view rest = after("shape");
        int count = 0;
        const auto malformed = [this] { return file_error(name_ + " has a header whose shape cannot be read"); };
        if (!rest.starts_with('(')) throw malformed();
        rest.remove_prefix(1);
        for (;;) {
            skip_spaces(rest);
            if (rest.starts_with(')')) return count;
            std::int64_t extent = 0;
            std::size_t digits = 0;
            for (; digits < rest.size() && rest[digits] >= '0' && rest[digits] <= '9'; ++digits) {
                if (extent > (std::numeric_limits<std::int64_t>::max() - 9) / 10) throw malformed();
                extent = extent * 10 + (rest[digits] - '0');
            }
            if (digits == 0) throw malformed();
            if (count < rank) extents[count] = extent;
            ++count;
            rest.remove_prefix(digits);
            skip_spaces(rest);
            if (rest.starts_with(',')) rest.remove_prefix(1);
            else if (!rest.starts_with(')')) throw malformed();
        }
    }

private:
    static void skip_spaces(std::string_view& text) {
        while (text.starts_with(' ') || text.starts_with('\n')) text.remove_prefix(1);
    }

    std::string_view text_;
    const std::string& name_;
};

inline std::string rank_text(int rank) { return rank == 0 ? "one number" : "rank " + std::to_string(rank); }

/// Fills `bytes` from a stream at most `left` long, or says that `name` is cut short.
inline void read_exactly(std::istream& in, void* to, std::uint64_t bytes, std::uint64_t& left,
                         const std::string& name) {
    if (bytes > left) throw file_error(name + " is cut short");
    if (bytes > 0 && !in.read(static_cast<char*>(to), static_cast<std::streamsize>(bytes)))
        throw file_error(name + " cannot be read");
    left -= bytes;
}

/// Reads an array from the next `left` bytes of a stream.
template <class T> constexpr void check_npy_element() {
    static_assert(!std::is_same_v<T, bfloat16>, "croton: NumPy has no bfloat16: save and load it as float, as in array<float, 2>(...), or as half");
}

template <class T, int Rank>
array<T, Rank, cpu> read_npy(std::istream& in, std::uint64_t left, const std::string& name) {
    check_npy_element<T>();
    unsigned char start[12] = {};
    if (left < 10) throw file_error(name + " is not a .npy file");
    read_exactly(in, start, 10, left, name);
    if (std::string_view(reinterpret_cast<const char*>(start), 6) != "\x93NUMPY")
        throw file_error(name + " is not a .npy file");
    if (start[6] < 1 || start[6] > 3)
        throw file_error(name + " has version " + std::to_string(start[6]) + " of the .npy format; 1 to 3 are known");
    std::uint64_t header_bytes = start[8] + start[9] * 256U;
    if (start[6] > 1) {
        read_exactly(in, start + 10, 2, left, name);
        header_bytes += start[10] * 65536ULL + start[11] * 16777216ULL;
    }
    if (header_bytes > left) throw file_error(name + " is cut short");
    std::string header(static_cast<std::size_t>(header_bytes), ' ');
    read_exactly(in, header.data(), header_bytes, left, name);

    const npy_dictionary dictionary(header, name);
    if (dictionary.descr() != npy_descr<T>)
        throw file_error(name + " holds " + std::string(dictionary.descr()) + " where " + std::string(npy_descr<T>) +
                         " (" + std::string(name_of(element_of<T>)) + ") is expected");
    extents_of<Rank> extents{};
    const int rank = dictionary.shape(extents.data(), Rank);
    if (rank != Rank)
        throw file_error(name + " has " + rank_text(rank) + " where " + rank_text(Rank) + " is expected");
    std::uint64_t bytes = 0;
    try {
        bytes = static_cast<std::uint64_t>(checked_size(extents.data(), Rank, sizeof(T))) * sizeof(T);
    } catch (const shape_error& error) {
        throw file_error(name + ": " + error.what());
    }
    // Before memory is asked for: a broken header must not ask for more than there is to read.
    if (bytes > left) throw file_error(name + " is cut short");
    if (bytes < left) throw file_error(name + " goes on after its last element");

    const bool column_major = Rank > 1 && dictionary.fortran_order();
    auto result = array<T, Rank, cpu>::uninitialized(column_major ? reversed<Rank>(extents) : extents);
    read_exactly(in, result.data(), bytes, left, name);
    if constexpr (std::is_same_v<T, bool>) {
        // Any other byte would not be a bool.
        const auto* byte = reinterpret_cast<const unsigned char*>(result.data());
        for (std::uint64_t i = 0; i < bytes; ++i) {
            if (byte[i] > 1) throw file_error(name + " holds a byte that is neither true nor false");
        }
    }
    if (column_major) return array<T, Rank, cpu>(result.transpose());
    return result;
}

template <class T, int Rank> void write_npy(std::ostream& out, view<const T, Rank> x) {
    check_npy_element<T>();
    const std::string header = npy_header(npy_descr<T>, x.extents().data(), Rank);
    out.write(header.data(), static_cast<std::streamsize>(header.size()));
    if (!x.is_contiguous()) {
        const array<T, Rank, cpu> dense(x);
        out.write(reinterpret_cast<const char*>(dense.data()), dense.size() * static_cast<std::streamsize>(sizeof(T)));
    } else if (x.size() > 0) {
        out.write(reinterpret_cast<const char*>(x.data()), x.size() * static_cast<std::streamsize>(sizeof(T)));
    }
}

template <class T, int Rank, class Device> void write_npy(std::ostream& out, const array<T, Rank, Device>& x) {
    if constexpr (memory<Device>::on_host) write_npy<T, Rank>(out, x.as_view());
    else write_npy(out, x.template to<cpu>());
}

/// A file that is written under another name, so that a failure leaves what was there before.
class pending_file {
public:
    explicit pending_file(std::filesystem::path path) : path_(std::move(path)), part_(path_) { part_ += ".part"; }
    pending_file(const pending_file&) = delete;
    pending_file& operator=(const pending_file&) = delete;
    ~pending_file() {
        std::error_code ignored;
        if (written_) std::filesystem::remove(part_, ignored);
    }

    template <class Write> void write(Write&& write) {
        std::ofstream out(part_, std::ios::binary | std::ios::trunc);
        if (!out) throw file_error(path_.string() + " cannot be written");
        written_ = true;
        write(out);
        out.close();
        if (!out) throw file_error(path_.string() + " cannot be written");
    }

    /// Gives the file its name.
    void commit() {
        std::error_code failed;
        std::filesystem::rename(part_, path_, failed);
        if (failed) throw file_error(path_.string() + " cannot be written: " + failed.message());
        written_ = false;
    }

private:
    std::filesystem::path path_, part_;
    bool written_ = false;
};

template <class Write> void write_file(const std::filesystem::path& path, Write&& write) {
    pending_file file(path);
    file.write(write);
    file.commit();
}

/// Opens a file and gives its stream and size to `read`.
template <class Read> auto read_file(const std::filesystem::path& path, Read&& read) {
    std::error_code failed;
    const std::uintmax_t bytes = std::filesystem::file_size(path, failed);
    if (failed) throw file_error(path.string() + " cannot be opened: " + failed.message());
    std::ifstream in(path, std::ios::binary);
    if (!in) throw file_error(path.string() + " cannot be opened");
    return read(in, static_cast<std::uint64_t>(bytes), path.string());
}

}  // namespace detail

/// Writes a view as a .npy file (format 1.0, row-major). Throws `file_error` where the file cannot be written; a file
/// that was there then stays as it was.
template <class T, int Rank> void save_npy(const std::filesystem::path& path, view<T, Rank> x) {
    detail::write_file(path,
                       [&](std::ostream& out) { detail::write_npy<std::remove_const_t<T>, Rank>(out, x); });
}

template <class T, int Rank, class Device>
void save_npy(const std::filesystem::path& path, const array<T, Rank, Device>& x) {
    detail::write_file(path, [&](std::ostream& out) { detail::write_npy(out, x); });
}

/// Reads a .npy file: `auto x = load_npy<array<float, 2>>("x.npy")`. Element type and rank must be those of `Array`;
/// files in row-major and in column-major order are read. Throws `file_error`.
template <class Array> Array load_npy(const std::filesystem::path& path) {
    auto result = detail::read_file(path, [](std::istream& in, std::uint64_t bytes, const std::string& name) {
        return detail::read_npy<typename Array::value_type, Array::rank>(in, bytes, name);
    });
    if constexpr (std::is_same_v<decltype(result), Array>) return result;
    else return result.template to<typename Array::device>();
}

}  // namespace croton::inline v0_1

#endif
