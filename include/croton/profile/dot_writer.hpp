// SPDX-License-Identifier: MIT
// Text for Graphviz.
#ifndef CROTON_PROFILE_DOT_WRITER_HPP
#define CROTON_PROFILE_DOT_WRITER_HPP

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

#include <croton/profile/characters.hpp>
#include <croton/profile/format.hpp>

namespace croton::inline v0_1::detail {

/// DOT text: nodes, edges and their labels. `Text` is a string; a template, so that only programs that draw compile it.
template <class Text = std::string> class dot_writer {
public:
    Text text;

    /// A label in quotes; its line breaks stay, as Graphviz writes them, other control characters become spaces.
    static Text quoted(std::string_view label, std::string_view line_break = "\\n") {
        Text out = "\"";
        each_character(label, [&](std::string_view c) {
            const auto byte = static_cast<unsigned char>(c[0]);
            if (c == "\"" || c == "\\") (out += '\\') += c;
            else if (c == "\n") out += line_break;
            else if (c == "&") out += "&amp;";  // Graphviz reads &lt; as a character
            else if (byte < 0x20 || byte == 0x7f) out += ' ';
            else out += c;
        });
        return out + "\"";
    }

    /// In lines of about 40 characters, broken at spaces where there are any.
    static Text wrapped(std::string_view line) {
        constexpr std::size_t most = 40;
        Text out, word;
        std::size_t width = 0, in_word = 0;
        const auto finish_word = [&] {
            if (width > 0 && width + in_word > most) {
                while (out.ends_with(' ')) out.pop_back();
                out += '\n';
                width = 0;
            }
            out += word;
            width += in_word;
            word.clear();
            in_word = 0;
        };
        each_character(line, [&](std::string_view c) {
            const bool space = c == " " || c == "\n";
            word += space ? std::string_view(" ") : c;
            ++in_word;
            if (space || in_word == most) finish_word();
        });
        finish_word();
        while (out.ends_with(' ')) out.pop_back();
        return out;
    }

    /// White for nothing, red for everything; black letters can be read on all of it.
    static Text heat(double percent) {
        const int rest = 255 - static_cast<int>(std::clamp(percent, 0.0, 100.0) * 2.55 + 0.5);
        return formatted("\"#ff%02x%02x\"", rest, rest);
    }

    void begin(std::string_view title, const char* direction) {
        text += "digraph profile {\n  graph [rankdir=" + Text(direction) +
                ", compound=true, fontname=\"Helvetica\", fontsize=14, labelloc=t, label=" + quoted(title) +
                "];\n  node [fontname=\"Helvetica\", fontsize=11, fontcolor=black, style=filled, fillcolor=white];\n"
                "  edge [fontname=\"Helvetica\", fontsize=9, color=gray30];\n";
    }
    void begin_box(const Text& id, std::string_view label, const char* colour) {
        text += "  subgraph cluster_" + id + " {\n  style=\"rounded,filled\"; color=gray50; labeljust=l; fillcolor=" + Text(colour) +
                "; label=" + quoted(Text(label) + "\n", "\\l") + ";\n";
    }
    void end_box() { text += "  }\n"; }
    void node(std::string_view id, std::string_view label, std::string_view attributes) {
        ((((text += "  ") += id) += " [label=") += quoted(label)) += attributes;
        text += "];\n";
    }
    void edge(std::string_view from, std::string_view to, std::string_view label, std::string_view attributes = "") {
        (((((text += "  ") += from) += " -> ") += to) += " [label=") += quoted(label);
        (text += attributes) += "];\n";
    }
};

}  // namespace croton::inline v0_1::detail

#endif
