// SPDX-License-Identifier: MIT
// Whole models as files: a folder of .npy files, or one .npz archive, both as NumPy reads them.
#ifndef CROTON_ARRAY_NPZ_HPP
#define CROTON_ARRAY_NPZ_HPP

#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include <croton/array/array.hpp>
#include <croton/array/byte_source.hpp>
#include <croton/array/npy.hpp>
#include <croton/array/posix.hpp>
#include <croton/array/replace_file.hpp>
#include <croton/array/unzip.hpp>
#include <croton/array/zip.hpp>
#include <croton/compiler.hpp>
#include <croton/core/error.hpp>
#include <croton/core/file_path.hpp>
#include <croton/core/leaf_names.hpp>
#include <croton/core/message.hpp>
#include <croton/core/model.hpp>

namespace croton::inline v0_1 {

namespace detail {

template <class M, int I> std::string file_of_leaf() { return std::string(leaf_name<M, I>) + ".npy"; }

/// Takes the files of a model, one for each leaf.
struct leaf_writer {
    virtual void write(const std::string& name, std::string_view header, std::string_view elements) = 0;

protected:
    ~leaf_writer() = default;
};

template <class File> class archive_writer final : public leaf_writer {
public:
    explicit archive_writer(File& out) : zip_(out) {}
    void write(const std::string& name, std::string_view header, std::string_view elements) override { zip_.add(name, header, elements); }
    void finish() { zip_.finish(); }

private:
    zip_writer<File> zip_;
};

template <class File = replacement> class folder_writer final : public leaf_writer {
public:
    explicit folder_writer(const file_path& path) : folder_(path) {}
    void write(const std::string& name, std::string_view header, std::string_view elements) override {
        folder_.add(name, [&](File& out) {
            out.write(header);
            out.write(elements);
        });
    }
    void finish() { folder_.commit(); }

private:
    folder_replacement<File> folder_;
};

/// One function for each type of array, however many leaves have it.
template <class T, int Rank, class Device> void write_leaf(leaf_writer& to, const std::string& name, const array<T, Rank, Device>& x) {
    as_npy(x, [&](std::string_view header, std::string_view elements) { to.write(name, header, elements); });
}

template <class M> void write_leaves(const M& from, leaf_writer& to) {
    for_each_leaf(from, [&](const auto& leaf, auto index) { write_leaf(to, file_of_leaf<M, decltype(index)::value>(), leaf); });
}

/// What a model is saved to, an archive or a folder, gets what `write(model, to)` writes.
CROTON_PLAIN void save_leaves(const file_path& path, void (*write)(const void* model, leaf_writer& to), const void* model) {
    if (path.extension() == ".npz") {
        replace_file(path, [&](replacement& out) {
            archive_writer archive(out);
            write(model, archive);
            archive.finish();
        });
    } else {
        folder_writer folder(path);
        write(model, folder);
        folder.finish();
    }
}
CROTON_ONCE(save_leaves<>)

/// Gives the files of a model, one for each leaf.
struct leaf_reader {
    virtual void read(const std::string& name, void (*use)(void* leaf, byte_source& from), void* leaf) const = 0;

protected:
    ~leaf_reader() = default;
};

template <class File> class archive_reader final : public leaf_reader {
public:
    explicit archive_reader(const File& file) : zip_(file) {}
    void read(const std::string& name, void (*use)(void* leaf, byte_source& from), void* leaf) const override {
        zip_.read_entry(name, [&](byte_source& from) {
            use(leaf, from);
            return true;
        });
    }

private:
    zip_reader<File> zip_;
};

CROTON_PLAIN class folder_reader final : public leaf_reader {
public:
    explicit folder_reader(const file_path& path) : folder_(path), lock_(path, folder_lock::use::load) {}
    void read(const std::string& name, void (*use)(void* leaf, byte_source& from), void* leaf) const override {
        read_file(folder_ / name, use, leaf);
    }

private:
    file_path folder_;
    folder_lock lock_;
};

/// What a model is read from, an archive or a folder of this name, is given to `load`.
CROTON_PLAIN void load_leaves(const file_path& path, void (*load)(void* model, const leaf_reader& from, const std::string& name), void* model) {
    if (!is_folder(path)) {
        const input_file file(path);
        load(model, archive_reader(file), file.name());
    } else {
        load(model, folder_reader(path), path.string());
    }
}
CROTON_ONCE(load_leaves<>)

/// One function for each type of array, however many leaves have it.
template <class T, int Rank, bool Convert> array<T, Rank, cpu> read_leaf(const leaf_reader& from, const std::string& name) {
    array<T, Rank, cpu> leaf;
    from.read(name, read_npy_into<T, Rank, Convert>, &leaf);
    return leaf;
}

/// Fills a model with what is read for every leaf, once all are read and fit.
template <bool Convert, class M> void fill_model(M& into, const leaf_reader& from, const std::string& name) {
    using on_cpu = rebind_model<M, on<cpu>::template array>;
    on_cpu loaded{};
    for_each_leaf2(loaded, into, [&]<class Leaf>(Leaf& fresh, const auto& old, auto index) {
        const std::string file = file_of_leaf<M, decltype(index)::value>();
        fresh = read_leaf<typename Leaf::value_type, Leaf::rank, Convert>(from, file);
        if (old.size() > 0 && old.extents() != fresh.extents())
            refuse<file_error>({file, " in ", name, " has shape ", shape_text(fresh.extents().data(), Leaf::rank), " where the model has ",
                                shape_text(old.extents().data(), Leaf::rank)});
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

template <bool Convert, class M> void load_model(M& into, const file_path& path) {
    load_leaves(path, [](void* model, const leaf_reader& from, const std::string& name) { fill_model<Convert>(*static_cast<M*>(model), from, name); }, &into);
}

}  // namespace detail

/// Writes a model: to one .npz archive if `path` ends in .npz, otherwise to a folder with one .npy file per array.
/// The files bear the names of the fields (`hidden.weight.npy`), and `numpy.load` reads them. Throws `file_error`; a
/// model that was there then stays as it was, and what `save_npy` says of links and modes holds here too. A model is
/// saved as a whole: of several who save it at the same time the last one stays, and who loads it meanwhile gets an old
/// or a new one (a folder is locked for that). Only a power cut between the renames of a folder's files could leave some
/// of each, for which an archive gives no occasion.
template <detail::model M> void save(const M& from, const detail::file_path& path) {
    detail::save_leaves(path, [](const void* model, detail::leaf_writer& to) { detail::write_leaves(*static_cast<const M*>(model), to); }, &from);
}

/// Reads what `save`, `numpy.savez` or (with zlib) `numpy.savez_compressed` wrote. Every array is read and checked before
/// the model changes: an array that is empty takes the extents of the file, any other must have them. Throws `file_error`;
/// the model is then as it was.
template <detail::model M> void load(M& into, const detail::file_path& path) { detail::load_model<false>(into, path); }

/// The same from files of any numbers, which are converted: see `astype`.
template <detail::model M> void load(M& into, const detail::file_path& path, astype_t) { detail::load_model<true>(into, path); }

}  // namespace croton::inline v0_1

#endif
