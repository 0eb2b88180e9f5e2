// SPDX-License-Identifier: MIT
// Whole models as files: a folder of .npy files, or one .npz archive, both as NumPy reads them.
#ifndef CROTON_ARRAY_NPZ_HPP
#define CROTON_ARRAY_NPZ_HPP

#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>
#include <type_traits>
#include <utility>

#include <croton/array/array.hpp>
#include <croton/array/byte_source.hpp>
#include <croton/array/npy.hpp>
#include <croton/array/posix.hpp>
#include <croton/array/replace_file.hpp>
#include <croton/array/unzip.hpp>
#include <croton/array/zip.hpp>
#include <croton/core/error.hpp>
#include <croton/core/leaf_names.hpp>

namespace croton::inline v0_1 {

namespace detail {

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

template <bool Convert, class M> void load_model(M& into, const std::filesystem::path& path) {
    std::error_code ignored;
    if (!std::filesystem::is_directory(path, ignored)) {
        const input_file file(path);
        const zip_reader zip(file);
        load_leaves(into, file.name(), [&]<class T, int Rank>(const std::string& name) {
            return zip.read_entry(name, [](byte_source& from) { return read_npy<T, Rank, Convert>(from); });
        });
    } else {
        const folder_lock lock(path, folder_lock::use::load);
        load_leaves(into, path.string(), [&]<class T, int Rank>(const std::string& name) {
            return load_npy_file<array<T, Rank, cpu>, Convert>(path / name);
        });
    }
}

}  // namespace detail

/// Writes a model: to one .npz archive if `path` ends in .npz, otherwise to a folder with one .npy file per array.
/// The files bear the names of the fields (`hidden.weight.npy`), and `numpy.load` reads them. Throws `file_error`; a
/// model that was there then stays as it was, and what `save_npy` says of links and modes holds here too. A model is
/// saved as a whole: of several who save it at the same time the last one stays, and who loads it meanwhile gets an old
/// or a new one (a folder is locked for that). Only a power cut between the renames of a folder's files could leave some
/// of each, for which an archive gives no occasion.
template <detail::model M> void save(const M& from, const std::filesystem::path& path) {
    const auto for_each_file = [&](auto&& write) {
        detail::for_each_leaf(from, [&](const auto& leaf, auto index) {
            detail::as_npy(leaf, [&](std::string_view header, std::string_view elements) {
                write(detail::file_of_leaf<M, decltype(index)::value>(), header, elements);
            });
        });
    };
    if (path.extension() == ".npz") {
        detail::replace_file(path, [&](detail::replacement& out) {
            detail::zip_writer zip(out);
            for_each_file([&](const std::string& name, std::string_view header, std::string_view elements) {
                zip.add(name, header, elements);
            });
            zip.finish();
        });
    } else {
        detail::folder_replacement folder(path);
        for_each_file([&](const std::string& name, std::string_view header, std::string_view elements) {
            folder.add(name, [&](detail::replacement& out) {
                out.write(header);
                out.write(elements);
            });
        });
        folder.commit();
    }
}

/// Reads what `save`, `numpy.savez` or (with zlib) `numpy.savez_compressed` wrote. Every array is read and checked before
/// the model changes: an array that is empty takes the extents of the file, any other must have them. Throws `file_error`;
/// the model is then as it was.
template <detail::model M> void load(M& into, const std::filesystem::path& path) { detail::load_model<false>(into, path); }

/// The same from files of any numbers, which are converted: see `astype`.
template <detail::model M> void load(M& into, const std::filesystem::path& path, astype_t) { detail::load_model<true>(into, path); }

}  // namespace croton::inline v0_1

#endif
