// SPDX-License-Identifier: MIT
// What files need of the operating system, each failure a `file_error`; no other header of arrays calls POSIX.
#ifndef CROTON_ARRAY_POSIX_HPP
#define CROTON_ARRAY_POSIX_HPP

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include <croton/core/clock.hpp>
#include <croton/core/error.hpp>
#include <croton/core/file_path.hpp>

namespace croton::inline v0_1::detail {

/// `model.npz cannot be written: No space left on device`.
[[noreturn]] inline void throw_cannot(std::string_view done, const file_path& path, int reason) {
    throw file_error(path.string() + " cannot be " + std::string(done) + ": " +
                     std::generic_category().message(reason));
}

/// `'model' is not a folder`.
[[noreturn]] inline void throw_not(const file_path& path, std::string_view what) {
    throw file_error(std::string("'").append(path.string()).append("' ").append(what));
}

/// Owns a file descriptor.
class descriptor {
public:
    descriptor() = default;
    /// Not open where the system refuses; `errno` says why.
    descriptor(const file_path& path, int flags, mode_t mode = 0) {
        do fd_ = ::open(path.c_str(), flags | O_CLOEXEC, mode);
        while (fd_ < 0 && errno == EINTR);
    }
    descriptor(descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
    descriptor& operator=(descriptor&& other) noexcept {
        std::swap(fd_, other.fd_);
        return *this;
    }
    ~descriptor() { close(); }

    bool is_open() const { return fd_ >= 0; }
    int get() const { return fd_; }

    /// Where stdin, stdout or stderr is closed, the next file that is opened takes its number, and what the program prints
    /// would go into it: this takes a number above. False where there is none.
    bool leave_standard_streams() {
        if (fd_ < 0 || fd_ > STDERR_FILENO) return true;
        descriptor above;
        above.fd_ = ::fcntl(fd_, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
        if (!above.is_open()) return false;
        std::swap(fd_, above.fd_);
        return true;
    }

    /// 0, or why the last bytes were lost.
    int close() noexcept {
        const int fd = std::exchange(fd_, -1);
        // After EINTR the descriptor is closed as well.
        return fd < 0 || ::close(fd) == 0 || errno == EINTR ? 0 : errno;
    }

private:
    int fd_ = -1;
};

/// What stands at a path that is no regular file.
constexpr std::string_view kind_of_file(mode_t mode) {
    return S_ISDIR(mode) ? "a folder" : S_ISFIFO(mode) ? "a FIFO" : S_ISSOCK(mode) ? "a socket" : "a device";
}

/// A regular file that is read, at any place. It stays the file that it was when another one takes its name.
class input_file {
public:
    explicit input_file(const file_path& path) : name_(path.string()) {
        struct stat state = {};
        if (name_.empty()) throw_not(path, "names no file");
        // Opening a device may do something, and opening a FIFO waits for somebody who writes: it is looked at first.
        if (::stat(path.c_str(), &state) != 0) throw_cannot("opened", path, errno);
        check_regular(state.st_mode);
        file_ = descriptor(path, O_RDONLY | O_NONBLOCK);
        if (!file_.is_open() || !file_.leave_standard_streams() || ::fstat(file_.get(), &state) != 0)
            throw_cannot("opened", path, errno);
        check_regular(state.st_mode);
        size_ = static_cast<std::uint64_t>(state.st_size);
    }

    const std::string& name() const { return name_; }
    std::uint64_t size() const { return size_; }

    void read(std::uint64_t at, void* to, std::uint64_t bytes) const {
        if (at > size_ || bytes > size_ - at) throw file_error(name_ + " is cut short");
        for (char* next = static_cast<char*>(to); bytes > 0;) {
            const auto most = static_cast<std::size_t>(std::min<std::uint64_t>(bytes, 1U << 30));
            const ssize_t got = ::pread(file_.get(), next, most, static_cast<off_t>(at));
            if (got < 0 && errno == EINTR) continue;
            if (got < 0) throw_cannot("read", name_, errno);
            if (got == 0) throw file_error(name_ + " is cut short");
            next += got;
            at += static_cast<std::uint64_t>(got);
            bytes -= static_cast<std::uint64_t>(got);
        }
    }

private:
    void check_regular(mode_t mode) const {
        if (!S_ISREG(mode))
            throw file_error(name_ + " is " + std::string(kind_of_file(mode)) + ": only a regular file can be loaded");
    }

    std::string name_;
    descriptor file_;
    std::uint64_t size_ = 0;
};

/// The folder that a file lies in.
inline file_path folder_of(const file_path& path) {
    file_path folder = path.parent_path();
    return folder.empty() ? "." : folder;
}

/// Whether there is something at a path, whose links are followed; `reason` is 0, or why nobody knows.
inline bool exists(const file_path& path, int& reason) noexcept {
    struct stat state = {};
    const bool there = ::stat(path.c_str(), &state) == 0;
    reason = there || errno == ENOENT || errno == ENOTDIR ? 0 : errno;
    return there;
}

inline bool is_folder(const file_path& path) noexcept {
    struct stat state = {};
    return ::stat(path.c_str(), &state) == 0 && S_ISDIR(state.st_mode);
}

/// Makes a folder in one that is there; true where it was missing. `reason` is 0, or why there is none.
inline bool make_folder(const file_path& path, int& reason) noexcept {
    if (::mkdir(path.c_str(), 0777) == 0) return true;
    // Another saver may be quicker.
    reason = errno;
    if (reason == EEXIST && is_folder(path)) reason = 0;
    return false;
}

/// Removes a folder in which nothing is left.
inline void remove_folder(const file_path& path) noexcept { ::rmdir(path.c_str()); }

/// Where a symbolic link leads; empty where it is none.
inline file_path read_link(const file_path& path) {
    for (std::string target(256, '\0');; target.resize(2 * target.size())) {
        const ssize_t length = ::readlink(path.c_str(), target.data(), target.size());
        if (length < 0) return {};
        if (static_cast<std::size_t>(length) < target.size()) return target.substr(0, static_cast<std::size_t>(length));
    }
}

/// Brings what is written to the disk; 0, or why that failed. Not every file system can, and that is no failure.
inline int synchronize(const descriptor& file) {
    while (::fsync(file.get()) != 0)
        if (errno != EINTR) return errno == EINVAL || errno == ENOSYS || errno == ENOTSUP ? 0 : errno;
    return 0;
}

/// The same for the names in a folder. A folder that may be written to and not be read is left out.
inline int synchronize_folder(const file_path& folder) {
    const descriptor open(folder, O_RDONLY | O_DIRECTORY);
    return open.is_open() ? synchronize(open) : errno == EACCES ? 0 : errno;
}

/// One file takes the name of another; 0, or why it cannot.
inline int rename_file(const file_path& from, const file_path& to) noexcept {
    return ::rename(from.c_str(), to.c_str()) == 0 ? 0 : errno;
}

inline void remove_file(const file_path& path) noexcept { ::unlink(path.c_str()); }

/// A name of our own in a folder, short enough for every file system. What bears it is removed in the end.
class temporary_name {
public:
    temporary_name() = default;
    temporary_name(const temporary_name&) = delete;
    temporary_name& operator=(const temporary_name&) = delete;
    ~temporary_name() {
        if (made_) remove_file(path_);
    }

    /// Makes an empty file that is open for writing; 0, or why not.
    int make_file(const file_path& folder, mode_t mode, descriptor& file) {
        return make(folder, [&] {
            file = descriptor(path_, O_WRONLY | O_CREAT | O_EXCL, mode);
            return file.is_open() ? 0 : errno;
        });
    }

    /// Makes a second name of a file; 0, or why not.
    int make_link(const file_path& folder, const file_path& file) {
        return make(folder, [&] { return ::link(file.c_str(), path_.c_str()) == 0 ? 0 : errno; });
    }

    bool is_made() const { return made_; }
    /// What bears the name takes that of `target`; 0, or why it cannot.
    int rename_to(const file_path& target) noexcept {
        const int reason = rename_file(path_, target);
        made_ = made_ && reason != 0;
        return reason;
    }
    /// The name stays, whatever bears it.
    void keep() noexcept { made_ = false; }

    const file_path& path() const { return path_; }

private:
    // Tries names until there is one that nothing else has.
    template <class Make> int make(const file_path& folder, Make&& make) {
        static std::atomic<std::uint64_t> count{0};
        int reason = EEXIST;
        for (int tries = 0; reason == EEXIST && tries < 1000; ++tries) {
            auto seed = static_cast<std::uint64_t>(system_nanoseconds());
            seed = (seed << 20 ^ static_cast<std::uint64_t>(::getpid())) + 0x9e3779b97f4a7c15U * ++count;
            seed = (seed ^ seed >> 30) * 0xbf58476d1ce4e5b9U;
            seed ^= seed >> 31;
            char name[32];
            std::snprintf(name, sizeof name, ".croton-%016llx", static_cast<unsigned long long>(seed));
            path_ = folder / name;
            reason = make();
        }
        made_ = reason == 0;
        return reason;
    }

    file_path path_;
    bool made_ = false;
};

/// The file that is to be replaced: what stands at a path whose symbolic links are followed.
class old_file {
public:
    /// Throws where there can be no such file, and where there is one that may not be written to.
    explicit old_file(const file_path& path) : path_(path) {
        there_ = ::stat(path.c_str(), &state_) == 0;
        if (!there_ && errno != ENOENT) throw_cannot("written", path, errno);
        if (there_ && !S_ISREG(state_.st_mode))
            throw file_error(path.string() + " is " + std::string(kind_of_file(state_.st_mode)) +
                             ": only a regular file can be replaced");
        if (path.filename().empty()) throw_not(path, "names no file");
        // A link may lead to a file that is still to be made, and such links may form a chain.
        for (int links = 0;; ++links) {
            const file_path next = read_link(path_);
            if (next.empty()) break;
            if (links == 40) throw_cannot("written", path, ELOOP);
            path_ = path_.parent_path() / next;
        }
        folder_ = folder_of(path_);
        if (there_ && ::faccessat(AT_FDCWD, path_.c_str(), W_OK, AT_EACCESS) != 0) throw_cannot("written", path, errno);
    }

    bool is_there() const { return there_; }
    const file_path& path() const { return path_; }
    const file_path& folder() const { return folder_; }

    /// The mode that a file is made with: not even for a moment may it be read by those who may not read the old one.
    mode_t first_mode() const { return there_ ? 0600 : 0666; }

    /// Gives a file the mode of the old one, and its owner and group as far as the system allows; 0, or why not.
    int give_attributes(const descriptor& to) const {
        struct stat fresh = {};
        if (!there_) return 0;
        if (::fstat(to.get(), &fresh) != 0) return errno;
        mode_t mode = state_.st_mode & 07777U;
        const bool same_owner =
            fresh.st_uid == state_.st_uid || ::fchown(to.get(), state_.st_uid, static_cast<gid_t>(-1)) == 0;
        const bool same_group =
            fresh.st_gid == state_.st_gid || ::fchown(to.get(), static_cast<uid_t>(-1), state_.st_gid) == 0;
        if (!same_owner || !same_group) mode &= ~static_cast<mode_t>(S_ISUID | S_ISGID);
        // Another group gets no more than everybody has.
        if (!same_group) mode &= ~static_cast<mode_t>(S_IRWXG) | (mode & S_IRWXO) << 3;
        if (::fstat(to.get(), &fresh) != 0) return errno;
        return (fresh.st_mode & 07777U) == mode || ::fchmod(to.get(), mode) == 0 ? 0 : errno;
    }

private:
    file_path path_, folder_;
    struct stat state_ = {};
    bool there_ = false;
};

/// Writes all of `bytes`; 0, or why that failed.
inline int write_all(const descriptor& file, std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t written = ::write(file.get(), bytes.data(), std::min<std::size_t>(bytes.size(), 1U << 30));
        if (written >= 0) bytes.remove_prefix(static_cast<std::size_t>(written));
        else if (errno != EINTR) return errno;
    }
    return 0;
}

/// Keeps a folder for one saver, or for those who load; the others wait. Where the file system has no locks, or the folder
/// must not be read, nobody waits.
class folder_lock {
public:
    enum class use { load, save };

    folder_lock(const file_path& folder, use what) : folder_(folder, O_RDONLY | O_DIRECTORY) {
        if (!folder_.is_open() || !folder_.leave_standard_streams()) return;
        while (::flock(folder_.get(), what == use::save ? LOCK_EX : LOCK_SH) != 0 && errno == EINTR) {}
    }
    folder_lock(const folder_lock&) = delete;
    folder_lock& operator=(const folder_lock&) = delete;
    // A process that was forked meanwhile has the descriptor too, and would keep the lock.
    ~folder_lock() {
        if (folder_.is_open()) ::flock(folder_.get(), LOCK_UN);
    }

private:
    descriptor folder_;
};

}  // namespace croton::inline v0_1::detail

#endif
