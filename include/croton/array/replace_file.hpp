// SPDX-License-Identifier: MIT
// Files that are replaced as a whole or not at all: one, or several of a folder.
#ifndef CROTON_ARRAY_REPLACE_FILE_HPP
#define CROTON_ARRAY_REPLACE_FILE_HPP

#include <cerrno>
#include <memory>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <croton/array/posix.hpp>
#include <croton/core/error.hpp>
#include <croton/core/file_path.hpp>

namespace croton::inline v0_1::detail {

/// A file that is written under a name of its own beside the one that it replaces, and takes its name when it is complete
/// on the disk. Until then everybody sees the old file, and so they do if anything fails.
class replacement {
public:
    explicit replacement(const file_path& path) : path_(path), old_(path) {
        const int reason = name_.make_file(folder(), old_.first_mode(), file_);
        if (reason == EACCES || reason == EPERM || reason == EROFS)
            throw file_error(path.string() + " cannot be written: its folder takes no new file: " +
                             std::generic_category().message(reason));
        check(reason);
        if (!file_.leave_standard_streams()) check(errno);
    }

    void write(std::string_view bytes) { check(write_all(file_, bytes)); }

    /// Everything is written: it goes to the disk, where a full one says so at the latest.
    void finish() {
        check(old_.give_attributes(file_));
        check(synchronize(file_));
        check(file_.close());
    }

    /// Makes a second name for the old file, so that `undo` can bring it back.
    void keep_old() {
        if (!old_.is_there()) return;
        can_link_ = old_name_.make_link(folder(), old_.path()) == 0;
        // Without hard links the old file moves away just before the new one comes; its second name is taken now.
        descriptor empty;
        if (!can_link_) check(old_name_.make_file(folder(), old_.first_mode(), empty));
    }

    /// The file takes its name.
    void commit() {
        const bool moves = old_name_.is_made() && !can_link_;
        if (moves) check(rename_file(old_.path(), old_name_.path()));
        const int reason = name_.rename_to(old_.path());
        if (reason != 0 && moves) undo();
        check(reason);
    }

    /// Takes a `commit` back.
    void undo() noexcept {
        if (!old_.is_there()) remove_file(old_.path());
        // What cannot be brought back stays at least.
        else if (old_name_.rename_to(old_.path()) != 0) old_name_.keep();
    }

    const file_path& folder() const { return old_.folder(); }

    /// Brings the new name to the disk.
    void synchronize_name() const {
        if (const int reason = synchronize_folder(folder()))
            throw file_error(path_.string() + " is written, but its name may not survive a power cut: " +
                             std::generic_category().message(reason));
    }

private:
    void check(int reason) const {
        if (reason != 0) throw_cannot("written", path_, reason);
    }

    file_path path_;
    old_file old_;
    temporary_name name_, old_name_;
    descriptor file_;
    bool can_link_ = false;
};

/// Replaces a file by what `write(out)` writes.
template <class Write> void replace_file(const file_path& path, Write&& write) {
    replacement file(path);
    write(file);
    file.finish();
    file.commit();
    file.synchronize_name();
}

/// Folders that are made where they are missing, and taken away again unless they are kept.
class new_folders {
public:
    // Once the other constructor is done, the destructor takes care of what an exception leaves.
    explicit new_folders(const file_path& folder) : new_folders() {
        int failed = 0;
        std::vector<file_path> missing;
        for (file_path p = folder; !p.empty() && !exists(p, failed); p = p.parent_path()) missing.push_back(p);
        made_.reserve(missing.size());
        for (; !missing.empty() && failed == 0; missing.pop_back()) {
            if (!make_folder(missing.back(), failed)) continue;
            made_.push_back(std::move(missing.back()));
            synchronize_folder(folder_of(made_.back()));
        }
        if (failed != 0) throw_cannot("made", folder, failed);
        if (!is_folder(folder)) throw_not(folder, "is not a folder");
    }
    new_folders(const new_folders&) = delete;
    new_folders& operator=(const new_folders&) = delete;
    ~new_folders() {
        for (; !made_.empty(); made_.pop_back()) remove_folder(made_.back());
    }

    void keep() noexcept { made_.clear(); }

private:
    new_folders() = default;

    std::vector<file_path> made_;
};

/// Files of one folder that are replaced together. Those who load meanwhile, and other savers, wait. A template, so that a program which saves none does not
/// pay for it.
template <class File = replacement> class folder_replacement {
public:
    explicit folder_replacement(const file_path& folder)
        : folder_(folder), made_(folder), lock_(folder, folder_lock::use::save) {}

    template <class Write> void add(const std::string& name, Write&& write) {
        File& file = *files_.emplace_back(std::make_unique<File>(folder_ / name));
        write(file);
        file.finish();
    }

    void commit() {
        for (const auto& file : files_) file->keep_old();
        auto next = files_.begin();
        try {
            for (; next != files_.end(); ++next) (*next)->commit();
            // A link may lead a file into another folder.
            const File* last = nullptr;
            for (const auto& file : files_)
                if (last == nullptr || last->folder() != file->folder()) (last = file.get())->synchronize_name();
        } catch (...) {
            while (next != files_.begin()) (*--next)->undo();
            throw;
        }
        made_.keep();
    }

private:
    file_path folder_;
    new_folders made_;
    folder_lock lock_;
    std::vector<std::unique_ptr<File>> files_;
};

}  // namespace croton::inline v0_1::detail

#endif
