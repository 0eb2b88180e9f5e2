// SPDX-License-Identifier: MIT
// One array as a .npy file, the format of NumPy.
#ifndef CROTON_ARRAY_NPY_HPP
#define CROTON_ARRAY_NPY_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

#include <croton/array/array.hpp>
#include <croton/array/byte_source.hpp>
#include <croton/array/npy_convert.hpp>
#include <croton/array/npy_header.hpp>
#include <croton/array/posix.hpp>
#include <croton/array/replace_file.hpp>
#include <croton/array/view.hpp>
#include <croton/compiler.hpp>
#include <croton/core/element.hpp>
#include <croton/core/error.hpp>
#include <croton/core/extents.hpp>
#include <croton/core/file_path.hpp>
#include <croton/core/message.hpp>
#include <croton/core/wrong.hpp>

namespace croton::inline v0_1 {

namespace detail {

template <class T> constexpr void check_npy_element() {
    static_assert(!std::is_same_v<T, bfloat16>,
                  "croton: NumPy has no bfloat16: save and load it as float, as in array<float, 2>(...), or as half");
}

inline std::string rank_text(int rank) { return rank == 0 ? "one number" : "rank " + std::to_string(rank); }

/// What stands before the elements of a file.
struct npy_beginning {
    npy_number type;
    bool same, fortran_order;  // same: the file holds what is asked for
    std::int64_t extents[max_rank];
};

/// Reads it of an array of this rank, of which each of as many elements as follow has `bytes` bytes, or others where they may be converted.
CROTON_PLAIN npy_beginning read_npy_beginning(byte_source& from, std::string_view descr, std::size_t bytes, int rank, bool converts) {
    const npy_header header = read_npy_header(from);
    npy_beginning found{npy_number_of(header.descr), header.descr == descr, header.fortran_order, {}};
    const bool known = !found.type.name.empty();
    if (!found.same && (!converts || !known))
        refuse<file_error>({from.name(), " holds ", npy_type_text(header.descr), " where ", npy_type_text(descr), " is expected", known ? "; pass astype to convert it" : ""});
    if (header.shape.size() != static_cast<std::size_t>(rank))
        refuse<file_error>({from.name(), " has ", rank_text(static_cast<int>(header.shape.size())), " where ", rank_text(rank), " is expected"});
    std::copy(header.shape.begin(), header.shape.end(), found.extents);
    const std::size_t element = found.same ? bytes : static_cast<std::size_t>(found.type.bytes);
    std::uint64_t follow = 0;
    try {
        follow = static_cast<std::uint64_t>(checked_size(found.extents, rank, element)) * element;
    } catch (const shape_error& error) {
        refuse<file_error>({from.name(), ": ", error.what()});
    }
    if (follow != from.left()) refuse<file_error>({from.name(), follow > from.left() ? " is cut short" : " goes on after its last element"});
    return found;
}
CROTON_ONCE(read_npy_beginning<>)

/// Reads an array, and with `Convert` one of another type.
template <class T, int Rank, bool Convert> array<T, Rank, cpu> read_npy(byte_source& from) {
    const npy_beginning file = read_npy_beginning(from, npy_descr<T>, sizeof(T), Rank, Convert);
    extents_of<Rank> extents{};
    std::copy_n(file.extents, Rank, extents.begin());
    auto result = array<T, Rank, cpu>::uninitialized(file.fortran_order ? reversed<Rank>(extents) : extents);
    if (file.same) {
        from.read(result.data(), from.left());
        turn_bytes(result.data(), result.size());
        if constexpr (std::is_same_v<T, bool>) {
            // Any other byte would not be a bool.
            const auto* byte = reinterpret_cast<const unsigned char*>(result.data());
            if (std::any_of(byte, byte + result.size(), [](unsigned char b) { return b > 1; })) throw_no_bool(from.name());
        }
    } else if constexpr (Convert) {
        read_converted(from, file.type, result.data(), result.size());
    }
    if (Rank > 1 && file.fortran_order) return array<T, Rank, cpu>(result.transpose());
    return result;
}

/// The same into an array at `to`.
template <class T, int Rank, bool Convert> void read_npy_into(void* to, byte_source& from) { *static_cast<array<T, Rank, cpu>*>(to) = read_npy<T, Rank, Convert>(from); }

/// Calls `use(header, elements)` with the bytes of the .npy file of an array.
template <class T, int Rank, class Use> void as_npy(view<const T, Rank> x, Use&& use) {
    check_npy_element<T>();
    if (!x.is_contiguous()) {
        const array<T, Rank, cpu> dense(x);
        return as_npy<T, Rank>(dense.as_view(), use);
    }
    const auto write = [&](const T* elements) {
        use(npy_header_text(npy_descr<T>, x.extents().data(), Rank),
            std::string_view(reinterpret_cast<const char*>(elements), static_cast<std::size_t>(x.size()) * sizeof(T)));
    };
    if constexpr (low_byte_first) {
        write(x.data());
    } else {
        array<T, Rank, cpu> turned(x);
        turn_bytes(turned.data(), turned.size());
        write(turned.data());
    }
}

template <class T, int Rank, class Device, class Use> void as_npy(const array<T, Rank, Device>& x, Use&& use) {
    if constexpr (memory<Device>::on_host) as_npy<T, Rank>(x.as_view(), use);
    else as_npy(x.template to<cpu>(), use);
}

/// Gives `read` a file, and whatever it is to fill.
CROTON_PLAIN void read_file(const file_path& path, void (*read)(void* into, byte_source& from), void* into) {
    const input_file file(path);
    file_source from(file);
    read(into, from);
}
CROTON_ONCE(read_file<>)

template <class Array, bool Convert> Array load_npy_file(const file_path& path) {
    using element = typename Array::value_type;
    if constexpr (!Convert) check_npy_element<element>();
    array<element, Array::rank, cpu> result;
    read_file(path, read_npy_into<element, Array::rank, Convert>, &result);
    if constexpr (std::is_same_v<decltype(result), Array>) return result;
    else return result.template to<typename Array::device>();
}

/// Replaces a file by these two pieces.
CROTON_PLAIN void write_file(const file_path& path, std::string_view header, std::string_view elements) {
    replace_file(path, [&](replacement& out) {
        out.write(header);
        out.write(elements);
    });
}
CROTON_ONCE(write_file<>)

}  // namespace detail

/// Writes a view as a .npy file (format 1.0, row-major). Throws `file_error` where the file cannot be written; a file
/// that was there then stays as it was, and who reads meanwhile sees the old file or the new one, as a whole. A symbolic
/// link is followed; a file that is replaced keeps its mode (and, as far as that is allowed, its owner), but its other
/// hard links keep what they had.
template <class T, int Rank> void save_npy(const detail::file_path& path, view<T, Rank> x) {
    detail::as_npy<std::remove_const_t<T>, Rank>(x, [&](std::string_view header, std::string_view elements) { detail::write_file(path, header, elements); });
}

template <class T, int Rank, class Device>
void save_npy(const detail::file_path& path, const array<T, Rank, Device>& x) {
    if constexpr (memory<Device>::on_host) save_npy(path, x.as_view());
    else save_npy(path, x.template to<cpu>());
}
/// The values of an expression on arrays.
template <class E> requires requires { typename E::lazy_graph; }
void save_npy(const detail::file_path& path, const E& e) { save_npy(path, e.eval()); }
/// A number, as an array without axes.
template <class T> requires std::is_arithmetic_v<T>
void save_npy(const detail::file_path& path, T number) { save_npy(path, view<const T, 0>(&number, {})); }
inline void save_npy(const detail::file_path&, detail::wrong_result) {}

/// Reads a .npy file: `auto x = load_npy<array<float, 2>>("x.npy")`. Element type and rank must be those of `Array`;
/// files in row-major and in column-major order are read. Throws `file_error`.
template <class Array> Array load_npy(const detail::file_path& path) {
    return detail::load_npy_file<Array, false>(path);
}

/// The same from a file of any numbers, which are converted: see `astype`.
template <class Array> Array load_npy(const detail::file_path& path, astype_t) {
    return detail::load_npy_file<Array, true>(path);
}

/// Of an array on the host, by its element type and its rank: `load_npy<float, 2>("x.npy")`.
template <element_type T, int Rank, class... Convert> array<T, Rank> load_npy(const detail::file_path& path, Convert... convert) {
    return load_npy<array<T, Rank>>(path, convert...);
}
template <element_type T> detail::wrong_result load_npy(const detail::file_path&) {
    static_assert(sizeof(T) == 0, "croton: load_npy takes the type of an array, load_npy<array<float, 2>>(path), or its element type and its rank, load_npy<float, 2>(path)");
    return {};
}

}  // namespace croton::inline v0_1

#endif
