// SPDX-License-Identifier: MIT
// The bytes of a .npy file before its elements: a literal of a Python dictionary, written and strictly read.
#ifndef CROTON_ARRAY_NPY_HEADER_HPP
#define CROTON_ARRAY_NPY_HEADER_HPP

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include <croton/array/byte_source.hpp>
#include <croton/compiler.hpp>
#include <croton/core/element.hpp>
#include <croton/core/error.hpp>

namespace croton::inline v0_1::detail {

/// Files are written with the low byte first on every machine; on one whose memory is the other way round, elements are turned on the way.
inline constexpr bool low_byte_first = std::endian::native == std::endian::little;

template <class T> void turn_bytes([[maybe_unused]] T* elements, [[maybe_unused]] std::int64_t count) {
    if constexpr (!low_byte_first && sizeof(T) > 1) {
        auto* bytes = reinterpret_cast<unsigned char*>(elements);
        for (std::int64_t i = 0; i < count; ++i, bytes += sizeof(T)) std::reverse(bytes, bytes + sizeof(T));
    }
}

/// NumPy's name of an element type; it has none for bfloat16.
template <class T>
inline constexpr std::string_view npy_descr = element_of<T> == element::float16 ? "<f2"
                                              : element_of<T> == element::boolean ? "|b1"
                                              : element_of<T> == element::int32 ? "<i4"
                                              : element_of<T> == element::int64 ? "<i8"
                                              : element_of<T> == element::float32 ? "<f4"
                                              : element_of<T> == element::float64 ? "<f8"
                                              : element_of<T> == element::int8 ? "|i1"
                                              : element_of<T> == element::uint8 ? "|u1"
                                              : element_of<T> == element::int16 ? "<i2"
                                              : element_of<T> == element::uint16 ? "<u2"
                                              : element_of<T> == element::uint32 ? "<u4"
                                              : element_of<T> == element::uint64 ? "<u8"
                                                                                  : "bfloat16";

/// What a file says of the array in it.
struct npy_header {
    std::string descr;
    bool fortran_order = false;
    std::vector<std::int64_t> shape;
};

/// A type of numbers that a file may hold.
struct npy_number {
    char kind;  ///< b(ool), i(nt), u(nsigned) or f(loat)
    int bytes;
    bool big_endian;
    std::string_view name;  ///< empty where croton does not know the type
};

inline npy_number npy_number_of(std::string_view descr) {
    constexpr struct {
        std::string_view code, name;
    } known[] = {{"b1", "bool"},   {"i1", "int8"},   {"i2", "int16"},  {"i4", "int"},  {"i8", "int64"}, {"u1", "uint8"},
                 {"u2", "uint16"}, {"u4", "uint32"}, {"u8", "uint64"}, {"f2", "half"}, {"f4", "float"}, {"f8", "double"}};
    for (const auto& type : known) {
        const bool one_byte = type.code[1] == '1';
        if (descr.size() != 3 || descr.substr(1) != type.code) continue;
        if (one_byte ? descr[0] != '|' : descr[0] != '<' && descr[0] != '>') continue;
        return {type.code[0], type.code[1] - '0', descr[0] == '>', type.name};
    }
    return {'?', 0, false, ""};
}

/// `float (<f4)`, or just what the file says where it is no type that croton knows.
inline std::string npy_type_text(std::string_view descr) {
    const std::string_view name = npy_number_of(descr).name;
    const bool known = !name.empty();
    return std::string(name).append(known ? " (" : "'").append(descr).append(known ? ")" : "'");
}

/// Magic, version 1.0, and the dictionary, padded so that the elements are aligned to 64 bytes.
CROTON_PLAIN std::string npy_header_text(std::string_view descr, const std::int64_t* extents, int rank) {
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
CROTON_ONCE(npy_header_text<>)

/// Reads the dictionary: the three keys, each once, in any order, with a value that NumPy could have written there. What
/// Python would also take for such a dictionary (escapes, sums, comments) is no header.
template <class Header = npy_header> class npy_dictionary {
public:
    npy_dictionary(std::string_view text, const std::string& name) : text_(text), name_(name) {}

    Header read() {
        Header header;
        bool descr = false;
        bool order = false;
        bool shape = false;
        expect('{');
        while (!take('}')) {
            const std::string_view key = string();
            bool* seen = key == "descr" ? &descr : key == "fortran_order" ? &order : key == "shape" ? &shape : nullptr;
            if (seen == nullptr) fail_dictionary();
            if (*seen) throw file_error(name_ + " has '" + std::string(key) + "' twice in its header");
            *seen = true;
            expect(':');
            if (seen == &descr) header.descr = read_descr();
            else if (seen == &order) header.fortran_order = read_order();
            else header.shape = read_shape();
            if (take(',')) continue;
            expect('}');
            break;
        }
        skip_spaces();
        if (!text_.empty()) fail_dictionary();
        if (!descr || !order || !shape)
            throw file_error(name_ + " has no '" + (!descr ? "descr" : !order ? "fortran_order" : "shape") +
                             "' in its header");
        return header;
    }

private:
    [[noreturn]] void fail_dictionary() const {
        throw file_error(name_ + " has a header that is no dictionary of 'descr', 'fortran_order' and 'shape'");
    }
    [[noreturn]] void fail_shape() const { throw file_error(name_ + " has a header whose shape cannot be read"); }

    static bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
    static bool is_digit(char c) { return c >= '0' && c <= '9'; }

    void skip_spaces() {
        while (!text_.empty() && is_space(text_.front())) text_.remove_prefix(1);
    }
    bool take(char c) {
        skip_spaces();
        if (!text_.starts_with(c)) return false;
        text_.remove_prefix(1);
        return true;
    }
    void expect(char c) {
        if (!take(c)) fail_dictionary();
    }

    std::string_view string() {
        skip_spaces();
        if (text_.empty() || (text_.front() != '\'' && text_.front() != '"')) fail_dictionary();
        const std::size_t end = text_.find(text_.front(), 1);
        if (end == text_.npos) fail_dictionary();
        const std::string_view inside = text_.substr(1, end - 1);
        for (char c : inside)
            if (c < ' ' || c > '~' || c == '\\') fail_dictionary();
        text_.remove_prefix(end + 1);
        return inside;
    }

    std::string read_descr() {
        skip_spaces();
        if (text_.starts_with('[')) throw file_error(name_ + " holds records and not plain numbers");
        return std::string(string());
    }

    bool read_order() {
        skip_spaces();
        for (const bool value : {true, false}) {
            const std::string_view word = value ? "True" : "False";
            if (!text_.starts_with(word)) continue;
            text_.remove_prefix(word.size());
            return value;
        }
        throw file_error(name_ + " has a header whose 'fortran_order' is neither True nor False");
    }

    // A tuple: (), (6,), (2, 3) or (2, 3,), but not (6), which is a number in brackets.
    std::vector<std::int64_t> read_shape() {
        std::vector<std::int64_t> shape;
        bool comma = true;
        if (!take('(')) fail_shape();
        while (!take(')')) {
            if (!comma) fail_shape();
            shape.push_back(read_extent());
            comma = take(',');
        }
        if (shape.size() == 1 && !comma) fail_shape();
        return shape;
    }

    std::int64_t read_extent() {
        skip_spaces();
        std::size_t digits = 0;
        std::int64_t extent = 0;
        for (; digits < text_.size() && is_digit(text_[digits]); ++digits) {
            if (extent > (std::numeric_limits<std::int64_t>::max() - 9) / 10) fail_shape();
            extent = extent * 10 + (text_[digits] - '0');
        }
        if (digits == 0 || (digits > 1 && text_.front() == '0')) fail_shape();
        text_.remove_prefix(digits);
        // As Python 2 wrote its long numbers.
        if (text_.starts_with('L')) text_.remove_prefix(1);
        return extent;
    }

    std::string_view text_;
    const std::string& name_;
};

[[noreturn]] inline void throw_no_bool(const std::string& name) {
    throw file_error(name + " holds a byte that is neither true nor false");
}

/// Reads what stands before the elements. A template, so that a program without files does not pay for it.
template <class Source> npy_header read_npy_header(Source& from) {
    const std::string& name = from.name();
    unsigned char start[12] = {};
    if (from.left() < 10) throw file_error(name + " is not a .npy file");
    from.read(start, 10);
    if (std::string_view(reinterpret_cast<const char*>(start), 6) != "\x93NUMPY")
        throw file_error(name + " is not a .npy file");
    if (start[6] < 1 || start[6] > 3 || start[7] != 0)
        throw file_error(name + " has version " + std::to_string(start[6]) + "." + std::to_string(start[7]) +
                         " of the .npy format; 1.0, 2.0 and 3.0 are known");
    std::uint64_t bytes = start[8] + start[9] * 256U;
    if (start[6] > 1) {
        from.read(start + 10, 2);
        bytes += start[10] * 65536ULL + start[11] * 16777216ULL;
    }
    // Before memory is asked for: a broken header must not ask for more than there is to read.
    if (bytes > from.left()) throw file_error(name + " is cut short");
    if (bytes > 1U << 20) throw file_error(name + " has a header of " + std::to_string(bytes) + " bytes, which no array needs");
    std::string text(static_cast<std::size_t>(bytes), ' ');
    from.read(text.data(), bytes);
    return npy_dictionary<npy_header>(text, name).read();
}

}  // namespace croton::inline v0_1::detail

#endif
