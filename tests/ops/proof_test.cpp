// SPDX-License-Identifier: MIT
// Every operator of the table has values of another library or of mpmath among the golden ones, and random programs draw it. Values against long double, slopes against differences,
// and both modes of differentiation walk the table themselves (elementwise*, autodiff/modes*).
#include <doctest/doctest.h>

#include <cctype>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>

#include <croton/croton.hpp>

using namespace croton;

namespace {

std::string text_of(const std::filesystem::path& path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
}
const std::filesystem::path tests = std::filesystem::path(__FILE__).parent_path().parent_path();

std::string golden_programs() {
    std::string all;
    for (const auto& file : std::filesystem::directory_iterator(tests / "golden"))
        if (file.path().extension() == ".hpp" || file.path().extension() == ".cpp") all += text_of(file.path());
    return all;
}

/// The name of the struct, as the compiler writes it.
template <class Op> std::string struct_name() {
    const std::string_view text = __PRETTY_FUNCTION__;
    const std::size_t at = text.rfind("op::") + 4;
    std::size_t end = at;
    while (end < text.size() && (std::isalnum(static_cast<unsigned char>(text[end])) != 0 || text[end] == '_')) ++end;
    return std::string(text.substr(at, end - at));
}

/// Whether `word` stands alone, and `next` behind it.
bool has(const std::string& text, const std::string& word, std::string_view next) {
    const auto part_of_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
    for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
        const std::size_t end = at + word.size();
        if (at > 0 && part_of_word(text[at - 1])) continue;
        if (end < text.size() && next.find(text[end]) != std::string_view::npos) return true;
    }
    return false;
}

template <class Op> void check(const std::string& golden, const std::string& drawn) {
    // What only copies has no value of its own.
    if constexpr (!std::is_same_v<Op, op::copy>) {
        const std::string name(Op::name), sign(Op::sign), made = struct_name<Op>();
        CAPTURE(name);
        const bool by_sign = !sign.empty() && (golden.find("x " + sign + " y") != std::string::npos || golden.find(sign + "x") != std::string::npos);
        CHECK((by_sign || has(golden, name, "(<\"")));
        CHECK(has(drawn, "op::" + made, ">),;} "));
    }
}

}  // namespace

TEST_CASE("every operator has golden values, and is drawn") {
    const std::string golden = golden_programs(), drawn = text_of(tests / "random" / "random_graph.hpp");
    REQUIRE(golden.size() > 10'000);
    REQUIRE(drawn.size() > 10'000);
    [&]<class... Op>(detail::type_list<Op...>) { (check<Op>(golden, drawn), ...); }(detail::operators());
}
