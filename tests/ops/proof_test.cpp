// SPDX-License-Identifier: MIT
// Every operator of the table has values of another library or of mpmath among the golden ones, for each element type that it takes and in a program that runs it, and random programs
// draw it. Values against long double, slopes against differences, and both modes of differentiation walk the table themselves (elementwise*, autodiff/modes*),
// and so do derivatives at special points, both ways and beside mpmath's (golden/second*).
#include <doctest/doctest.h>

#include <cctype>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>

#include "golden/operators.hpp"

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

/// The word behind the last `mark` in what the compiler writes.
std::string word_behind(std::string_view text, std::string_view mark) {
    const std::size_t at = text.rfind(mark) + mark.size();
    std::size_t end = at;
    while (end < text.size() && (std::isalnum(static_cast<unsigned char>(text[end])) != 0 || text[end] == '_')) ++end;
    return std::string(text.substr(at, end - at));
}
/// The name of the struct, and that of an element type in its enumeration.
template <class Op> std::string struct_name() { return word_behind(__PRETTY_FUNCTION__, "op::"); }
template <element E> std::string enumerator() { return word_behind(__PRETTY_FUNCTION__, "element::"); }

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

template <class Op> void check_drawn(const std::string& drawn) {
    // What only copies has no value of its own.
    if constexpr (!std::is_same_v<Op, op::copy>) CHECK_MESSAGE(has(drawn, "op::" + struct_name<Op>(), ">),;} "), std::string(Op::name), " is not drawn");
}

/// How many element types there are: they are numbered from 0 on.
template <int N = 0> constexpr int count_elements() {
    if constexpr (requires { typename detail::element_type_of<static_cast<element>(N)>::type; }) return count_elements<N + 1>();
    else return N;
}

template <element E> void check_golden(const std::map<std::string, golden::rows>& all, const std::string& programs) {
    const std::string type(name_of(E));
    CAPTURE(type);
    CHECK(has(programs, "check_operators<croton::element::" + enumerator<E>(), ">"));
    REQUIRE(all.contains(type));
    std::set<std::string> wanted{"a", "b", "c", "chooses"}, found;
    [&]<class... Op>(detail::type_list<Op...>) { ((elementwise_check::takes<Op>(E) ? void(wanted.emplace(Op::name)) : void()), ...); }(detail::operators());
    for (const auto& row : all.at(type)) {
        found.insert(row.first);
        CHECK_MESSAGE(row.second.size() == all.at(type).at("a").size(), row.first);
    }
    for (const std::string& name : wanted) CHECK_MESSAGE(found.contains(name), name, " of ", type, " has no golden values");
    for (const std::string& name : found) CHECK_MESSAGE(wanted.contains(name), name, " of ", type, " is golden, and in no table");
}

}  // namespace

TEST_CASE("every operator has golden values of each element type that it takes") {
    const std::string programs = golden_programs();
    REQUIRE(programs.size() > 10'000);
    const auto all = golden::read_operators();
    CHECK(static_cast<int>(all.size()) == count_elements());
    [&]<int... I>(std::integer_sequence<int, I...>) { (check_golden<static_cast<element>(I)>(all, programs), ...); }(std::make_integer_sequence<int, count_elements()>());
}

TEST_CASE("every operator is drawn") {
    const std::string drawn = text_of(tests / "random" / "random_graph.hpp");
    REQUIRE(drawn.size() > 10'000);
    [&]<class... Op>(detail::type_list<Op...>) { (check_drawn<Op>(drawn), ...); }(detail::operators());
}
