// SPDX-License-Identifier: MIT
// JSON text, written from front to back.
#ifndef CROTON_PROFILE_JSON_WRITER_HPP
#define CROTON_PROFILE_JSON_WRITER_HPP

#include <charconv>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <croton/profile/characters.hpp>

namespace croton::inline v0_1::detail {

/// Puts in commas, line breaks and escapes. `Text` is a string; a template, so that only programs that use it compile it.
template <class Text = std::string> class json_writer {
public:
    /// What stands between the brackets has lines of its own, or all of it has one.
    enum class layout { lines, line };

    template <class Inside> void object(layout how, Inside&& inside) { nested('{', '}', how, inside); }
    template <class Inside> void array(layout how, Inside&& inside) { nested('[', ']', how, inside); }
    template <class Inside> void object(std::string_view key, layout how, Inside&& inside) {
        member(key);
        nested('{', '}', how, inside);
    }
    template <class Inside> void array(std::string_view key, layout how, Inside&& inside) {
        member(key);
        nested('[', ']', how, inside);
    }
    template <class Value> void put(std::string_view key, const Value& v) {
        member(key);
        value(v);
    }

    /// A number is written so that reading it gives the same number; there is none for nan and infinity but `null`.
    template <class Value> void value(const Value& v) {
        separate();
        if constexpr (std::same_as<Value, bool>) text_ += v ? "true" : "false";
        else if constexpr (std::same_as<Value, std::nullptr_t>) text_ += "null";
        else if constexpr (std::integral<Value>) number(v);
        else if constexpr (std::floating_point<Value>) {
            if (std::isfinite(v)) number(v);
            else text_ += "null";
        } else string(v);
    }

    /// A number that is already text.
    void literal(std::string_view key, std::string_view number) {
        member(key);
        separate();
        text_ += number;
    }

    Text take() {
        text_ += '\n';
        return std::move(text_);
    }

private:
    struct level {
        layout how = layout::lines;
        bool empty = true;
    };

    Text text_;
    std::vector<level> open_;
    bool after_key_ = false;

    void separate() {
        if (!after_key_ && !open_.empty()) {
            if (!open_.back().empty) text_ += open_.back().how == layout::line ? ", " : ",";
            open_.back().empty = false;
            if (open_.back().how == layout::lines) start_line();
        }
        after_key_ = false;
    }
    void start_line() {
        text_ += '\n';
        text_.append(2 * open_.size(), ' ');
    }
    void member(std::string_view key) {
        separate();
        string(key);
        text_ += ": ";
        after_key_ = true;
    }
    template <class Inside> void nested(char first, char last, layout how, Inside& inside) {
        separate();
        text_ += first;
        open_.push_back({how, true});
        inside();
        const level closed = open_.back();
        open_.pop_back();
        if (closed.how == layout::lines && !closed.empty) start_line();
        text_ += last;
    }
    template <class Number> void number(Number v) {
        char digits[64];
        text_.append(digits, std::to_chars(digits, digits + sizeof digits, v).ptr);
    }
    void string(std::string_view v) {
        text_ += '"';
        each_character(v, [&](std::string_view c) {
            constexpr char hex[] = "0123456789abcdef";
            const auto byte = static_cast<unsigned char>(c[0]);
            if (c == "\"" || c == "\\") (text_ += '\\') += c;
            else if (c == "\n") text_ += "\\n";
            else if (c == "\t") text_ += "\\t";
            else if (byte < 0x20 || byte == 0x7f) ((text_ += "\\u00") += hex[byte >> 4]) += hex[byte & 15];
            else text_ += c;
        });
        text_ += '"';
    }
};

}  // namespace croton::inline v0_1::detail

#endif
