// SPDX-License-Identifier: MIT
// A strict reader of JSON, and of so much of JSON Schema as profile.schema.json uses. Both throw where something is wrong.
#ifndef TESTS_PROFILE_JSON_READER_HPP
#define TESTS_PROFILE_JSON_READER_HPP

#include <cctype>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace json {

struct member;

struct value {
    std::string type;  // as JSON Schema calls it; "number" where it is no integer
    std::string text;  // a string, read; anything else, as it stands in the file
    std::vector<value> items;
    std::vector<member> members;

    bool has(std::string_view key) const;
    const value& operator[](std::string_view key) const;
    const value& operator[](std::size_t i) const { return items.at(i); }
    std::int64_t integer() const {
        return type == "integer" ? std::stoll(text) : throw std::runtime_error(text + " is no integer");
    }
    double number() const {
        return type == "integer" || type == "number" ? std::stod(text)
                                                     : throw std::runtime_error(text + " is no number");
    }
};

struct member {
    std::string key;
    value is;
};

inline bool value::has(std::string_view key) const {
    for (const member& m : members)
        if (m.key == key) return true;
    return false;
}
inline const value& value::operator[](std::string_view key) const {
    for (const member& m : members)
        if (m.key == key) return m.is;
    throw std::runtime_error("there is no \"" + std::string(key) + "\"");
}

class reader {
public:
    explicit reader(std::string_view text) : text_(text) {}

    value read() {
        value v = any();
        skip();
        if (at_ != text_.size()) fail("something follows");
        return v;
    }

private:
    std::string_view text_;
    std::size_t at_ = 0;

    [[noreturn]] void fail(const std::string& what) const {
        throw std::runtime_error(what + " at \"" + std::string(text_.substr(at_, 30)) + "\"");
    }
    char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
    void skip() {
        while (peek() == ' ' || peek() == '\n') ++at_;
    }
    bool take(char c) {
        skip();
        if (peek() != c) return false;
        ++at_;
        return true;
    }
    void need(char c) {
        if (!take(c)) fail(std::string("no ") + c);
    }

    value any() {
        skip();
        const std::size_t from = at_;
        value v;
        if (take('{')) {
            v.type = "object";
            if (take('}')) return v;
            do {
                skip();
                std::string key = string();
                if (v.has(key)) fail("\"" + key + "\" twice");
                need(':');
                v.members.push_back({std::move(key), any()});
            } while (take(','));
            need('}');
        } else if (take('[')) {
            v.type = "array";
            if (take(']')) return v;
            do v.items.push_back(any());
            while (take(','));
            need(']');
        } else if (peek() == '"') {
            v.type = "string";
            v.text = string();
            return v;
        } else if (std::isalpha(static_cast<unsigned char>(peek())) != 0) {
            while (std::isalpha(static_cast<unsigned char>(peek())) != 0) ++at_;
            const std::string_view word = text_.substr(from, at_ - from);
            if (word != "true" && word != "false" && word != "null") fail("the word " + std::string(word));
            v.type = word == "null" ? "null" : "boolean";
        } else number(v);
        v.text = text_.substr(from, at_ - from);
        return v;
    }

    void digits() {
        if (std::isdigit(static_cast<unsigned char>(peek())) == 0) fail("no digit");
        while (std::isdigit(static_cast<unsigned char>(peek())) != 0) ++at_;
    }
    void number(value& v) {
        v.type = "integer";
        if (peek() == '-') ++at_;
        if (peek() == '0') ++at_;
        else digits();
        if (peek() == '.') {
            v.type = "number";
            ++at_;
            digits();
        }
        if (peek() == 'e' || peek() == 'E') {
            v.type = "number";
            ++at_;
            if (peek() == '+' || peek() == '-') ++at_;
            digits();
        }
    }

    std::string string() {
        if (peek() != '"') fail("no string");
        ++at_;
        std::string s;
        for (;; ++at_) {
            const char c = peek();
            if (static_cast<unsigned char>(c) < 0x20) fail("a control character, or the end, in a string");
            if (c == '"') break;
            if (c != '\\') {
                s += c;
                continue;
            }
            ++at_;
            constexpr std::string_view escapes = "\"\\/bfnrt", meant = "\"\\/\b\f\n\r\t";
            if (peek() == 'u') {
                const int code = std::stoi(std::string(text_.substr(at_ + 1, 4)), nullptr, 16);
                if (code >= 0x80) fail("this reader knows no escapes beyond ASCII");
                s += static_cast<char>(code);
                at_ += 4;
            } else if (const std::size_t i = escapes.find(peek()); i != escapes.npos) s += meant[i];
            else fail("an unknown escape");
        }
        ++at_;
        return s;
    }
};

inline value parse(std::string_view text) { return reader(text).read(); }

inline std::string file_text(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    if (!in) throw std::runtime_error(path + " cannot be opened");
    return (std::ostringstream() << in.rdbuf()).str();
}

/// Throws where `v` is not what `schema` says; so does a word of JSON Schema that is not known here.
inline void check(const value& v, const value& schema, const value& root, const std::string& where = "") {
    const auto fail = [&](const std::string& what) { throw std::runtime_error(where + ": " + what); };
    for (const auto& [word, rule] : schema.members) {
        if (word == "$schema" || word == "$defs" || word == "title") continue;
        if (word == "$ref") {
            check(v, root["$defs"][std::string_view(rule.text).substr(std::string_view("#/$defs/").size())], root,
                  where);
        } else if (word == "type") {
            bool fits = false;
            for (const value& t : rule.type == "array" ? rule.items : std::vector<value>{rule})
                fits = fits || t.text == v.type || (t.text == "number" && v.type == "integer");
            if (!fits) fail(v.type + " " + v.text);
        } else if (word == "enum") {
            bool fits = false;
            for (const value& one : rule.items) fits = fits || (one.type == v.type && one.text == v.text);
            if (!fits) fail(v.text + " is none of those");
        } else if (word == "minimum") {
            if (v.type != "null" && v.number() < rule.number()) fail(v.text + " is too small");
        } else if (word == "required") {
            for (const value& key : rule.items)
                if (v.type == "object" && !v.has(key.text)) fail("there is no " + key.text);
        } else if (word == "properties") {
            for (const auto& [key, sub] : rule.members)
                if (v.has(key)) check(v[key], sub, root, where + "/" + key);
        } else if (word == "additionalProperties") {
            for (const auto& m : v.members)
                if (!schema["properties"].has(m.key)) fail("nothing is said of " + m.key);
        } else if (word == "items") {
            for (std::size_t i = 0; i < v.items.size(); ++i) check(v[i], rule, root, where + "/" + std::to_string(i));
        } else fail("the schema says " + word);
    }
}

}  // namespace json

#endif
