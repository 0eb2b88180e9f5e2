// SPDX-License-Identifier: MIT
// Zip archives with entries that are stored as they are, written to a file.
#ifndef CROTON_ARRAY_ZIP_HPP
#define CROTON_ARRAY_ZIP_HPP

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <croton/array/replace_file.hpp>

namespace croton::inline v0_1::detail {

using crc_table = std::array<std::array<std::uint32_t, 256>, 8>;

// No lambda, which would be constexpr: a compiler computes what it can, and for these tables that takes it a sixth of reading croton.hpp.
inline crc_table make_crc_tables() {
    crc_table tables{};
    for (std::uint32_t i = 0; i < 256; ++i) {
        std::uint32_t c = i;
        for (int k = 0; k < 8; ++k) c = (c & 1U) != 0 ? 0xEDB88320U ^ (c >> 1) : c >> 1;
        tables[0][i] = c;
    }
    for (std::size_t table = 1; table < 8; ++table)
        for (std::size_t i = 0; i < 256; ++i)
            tables[table][i] = tables[table - 1][i] >> 8 ^ tables[0][tables[table - 1][i] & 0xFFU];
    return tables;
}
inline const crc_table& crc_tables() {
    static const crc_table made = make_crc_tables();
    return made;
}

/// The check sum of zip archives, CRC-32.
class check_sum {
public:
    void add(std::string_view bytes) {
        const auto& t = crc_tables();
        const auto byte = [](char c) { return static_cast<std::uint32_t>(static_cast<unsigned char>(c)); };
        std::uint32_t crc = crc_;
        // Eight bytes at a time: their tables do not wait for each other.
        for (; bytes.size() >= 8; bytes.remove_prefix(8)) {
            crc ^= byte(bytes[0]) | byte(bytes[1]) << 8 | byte(bytes[2]) << 16 | byte(bytes[3]) << 24;
            crc = t[7][crc & 0xFFU] ^ t[6][crc >> 8 & 0xFFU] ^ t[5][crc >> 16 & 0xFFU] ^ t[4][crc >> 24] ^
                  t[3][byte(bytes[4])] ^ t[2][byte(bytes[5])] ^ t[1][byte(bytes[6])] ^ t[0][byte(bytes[7])];
        }
        for (char c : bytes) crc = t[0][(crc ^ byte(c)) & 0xFFU] ^ crc >> 8;
        crc_ = crc;
    }
    std::uint32_t value() const { return ~crc_; }

private:
    std::uint32_t crc_ = 0xFFFFFFFFU;
};

// The zip format stores all numbers with the low byte first.
inline void put_bytes(std::string& out, std::uint64_t value, int bytes) {
    for (; bytes > 0; --bytes, value >>= 8) out += static_cast<char>(value & 0xFFU);
}

inline constexpr std::string_view zip_local = "PK\x03\x04";
inline constexpr std::string_view zip_central = "PK\x01\x02";
inline constexpr std::string_view zip_end = "PK\x05\x06";
inline constexpr std::string_view zip_end64 = "PK\x06\x06";
inline constexpr std::string_view zip_locator64 = "PK\x06\x07";
/// What a field of 32 or 16 bits holds where the number stands in a field of 64.
inline constexpr std::uint64_t zip_is_64 = 0xFFFFFFFFU;
inline constexpr std::uint64_t zip_many = 0xFFFFU;
inline constexpr std::uint64_t zip_utf8 = 0x800U;

/// Writes an archive. Sizes and places from `limit` on take 64 bits; all that is below is as in the first zip archives. A template, as the reader, so that
/// a program without archives does not pay for it.
template <class File = replacement> class zip_writer {
public:
    explicit zip_writer(File& out, std::uint64_t limit = zip_is_64) : out_(out), limit_(limit) {}

    /// Adds an entry that consists of two pieces.
    void add(std::string_view entry, std::string_view header, std::string_view elements) {
        const std::uint64_t bytes = header.size() + elements.size();
        const bool large = bytes >= limit_;
        const bool far = offset_ >= limit_;
        check_sum sum;
        sum.add(header);
        sum.add(elements);
        const bool ascii = std::all_of(entry.begin(), entry.end(), [](char c) { return static_cast<signed char>(c) >= 0; });

        std::string fields;
        put_bytes(fields, large || far ? 45 : 20, 2);  // version needed
        put_bytes(fields, ascii ? 0 : zip_utf8, 2);
        put_bytes(fields, 0, 2);   // stored
        put_bytes(fields, 0, 2);   // time
        put_bytes(fields, 33, 2);  // date: the first day of 1980, so that equal models give equal files
        put_bytes(fields, sum.value(), 4);
        put_bytes(fields, large ? zip_is_64 : bytes, 4);
        put_bytes(fields, large ? zip_is_64 : bytes, 4);
        put_bytes(fields, entry.size(), 2);

        std::string sizes;
        if (large) {
            put_bytes(sizes, bytes, 8);
            put_bytes(sizes, bytes, 8);
        }
        std::string places = sizes;
        if (far) put_bytes(places, offset_, 8);
        const std::string local = extra(sizes);
        const std::string central = extra(places);

        directory_ += zip_central;
        put_bytes(directory_, 45, 2);  // version made by
        directory_ += fields;
        put_bytes(directory_, central.size(), 2);
        put_bytes(directory_, 0, 10);  // comment, disk, attributes
        put_bytes(directory_, far ? zip_is_64 : offset_, 4);
        directory_ += entry;
        directory_ += central;
        ++count_;

        std::string start(zip_local);
        start += fields;
        put_bytes(start, local.size(), 2);
        start += entry;
        start += local;
        start += header;
        write(start);
        write(elements);
    }

    void finish() {
        const std::uint64_t start = offset_;
        const std::uint64_t size = directory_.size();
        std::string end;
        if (count_ >= zip_many || size >= limit_ || start >= limit_) {
            end += zip_end64;
            put_bytes(end, 44, 8);  // the size of what follows
            put_bytes(end, 45, 2);  // version made by
            put_bytes(end, 45, 2);  // version needed
            put_bytes(end, 0, 8);   // disks
            put_bytes(end, count_, 8);
            put_bytes(end, count_, 8);
            put_bytes(end, size, 8);
            put_bytes(end, start, 8);
            end += zip_locator64;
            put_bytes(end, 0, 4);  // disk
            put_bytes(end, start + size, 8);
            put_bytes(end, 1, 4);  // disks
        }
        end += zip_end;
        put_bytes(end, 0, 4);  // disks
        put_bytes(end, std::min(count_, zip_many), 2);
        put_bytes(end, std::min(count_, zip_many), 2);
        put_bytes(end, size >= limit_ ? zip_is_64 : size, 4);
        put_bytes(end, start >= limit_ ? zip_is_64 : start, 4);
        put_bytes(end, 0, 2);  // comment
        write(directory_);
        write(end);
    }

private:
    // The field of an entry that holds its numbers of 64 bits.
    static std::string extra(const std::string& numbers) {
        std::string field;
        if (numbers.empty()) return field;
        put_bytes(field, 1, 2);
        put_bytes(field, numbers.size(), 2);
        return field + numbers;
    }

    void write(std::string_view bytes) {
        out_.write(bytes);
        offset_ += bytes.size();
    }

    replacement& out_;
    std::uint64_t limit_;
    std::string directory_;
    std::uint64_t offset_ = 0;
    std::uint64_t count_ = 0;
};

}  // namespace croton::inline v0_1::detail

#endif
