// SPDX-License-Identifier: MIT
// The drawings of a profile: what is drawn, in which colour, and that Graphviz takes it.
#include <croton/profile/drawing.hpp>
#include <doctest/doctest.h>
#include <profile/made_up.hpp>

#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>

using namespace croton;

namespace {

/// The nodes and edges of a drawing. Reads the lines that croton writes, of quoted strings all that DOT allows.
struct drawing {
    struct item {
        std::string label, attributes;
        bool has(std::string_view attribute) const { return attributes.find(attribute) != attributes.npos; }
        bool says(std::string_view words) const { return label.find(words) != label.npos; }
    };
    std::map<std::string, item> nodes;
    std::map<std::pair<std::string, std::string>, item> edges;
    int clusters = 0;

    explicit drawing(const std::string& text) {
        std::istringstream in(text);
        std::string line;
        while (std::getline(in, line)) {
            clusters += line.find("subgraph cluster_") != line.npos ? 1 : 0;
            const std::size_t bracket = line.find(" [label=\"");
            if (bracket == line.npos) continue;
            const std::string id = line.substr(2, bracket - 2);
            item one;
            std::size_t i = bracket + std::string_view(" [label=\"").size();
            for (; line.at(i) != '"'; ++i) {
                if (line[i] == '\\') {
                    ++i;
                    const bool known = line.at(i) == 'n' || line[i] == '"' || line[i] == '\\';
                    REQUIRE(known);
                    one.label += line[i] == 'n' ? '\n' : line[i];
                } else one.label += line[i];
            }
            one.attributes = line.substr(i + 1);
            REQUIRE(one.attributes.ends_with("];"));
            const std::size_t arrow = id.find(" -> ");
            bool added = false;
            if (arrow == id.npos) added = nodes.emplace(id, one).second;
            else added = edges.emplace(std::pair(id.substr(0, arrow), id.substr(arrow + 4)), one).second;
            CHECK_MESSAGE(added, id << " twice");
        }
        for (const auto& e : edges) {
            CHECK_MESSAGE(nodes.count(e.first.first) == 1, e.first.first);
            CHECK_MESSAGE(nodes.count(e.first.second) == 1, e.first.second);
        }
    }
    const item& node(const std::string& id) const { return nodes.at(id); }
    const item& edge(const std::string& from, const std::string& to) const { return edges.at({from, to}); }
};

std::string plan_of(const profile_data& d) {
    std::ostringstream out;
    dot_sink{out}(d);
    return out.str();
}

std::string calls_of(const profile_data& d) {
    std::ostringstream out;
    call_graph_sink{out}(d);
    return out.str();
}

/// What Graphviz draws; "no dot" where it is not installed, "" where it complains.
std::string svg_of(const std::string& text) {
    const std::filesystem::path folder = std::filesystem::temp_directory_path();
    const std::string from = (folder / "croton_drawing_test.dot").string(),
                      to = (folder / "croton_drawing_test.svg").string();
    std::ofstream(from) << text;
    if (std::system("dot -V >/dev/null 2>&1") != 0) return "no dot";
    // A warning is a complaint too.
    const std::string command = "complaint=$(dot -Tsvg -o '" + to + "' '" + from + "' 2>&1) && test -z \"$complaint\"";
    std::string svg;
    if (std::system(command.c_str()) == 0) {
        std::ifstream in(to);
        svg = (std::ostringstream() << in.rdbuf()).str();
    }
    std::filesystem::remove(from);
    std::filesystem::remove(to);
    return svg;
}

}  // namespace

TEST_CASE("the steps of a function, its arguments and results, and what runs between them") {
    const drawing g(plan_of(made_up::data()));
    CHECK(g.clusters == 1);
    CHECK(g.nodes.size() == 3 + 3);  // three steps; x, w and the output
    CHECK(g.node("f0_s0").label == "step 1: gemv (BLAS)\nt1 = made up x w\n416 ns per call, 20.8%");
    CHECK(g.node("f0_s0").has("shape=box"));
    CHECK(g.node("f0_b0").label == "made up x float [400, 784]");
    CHECK(g.node("f0_b0").has("shape=ellipse"));
    CHECK(g.node("f0_b4").has("penwidth=2"));

    CHECK(g.edges.size() == 7);
    CHECK(g.edge("f0_b0", "f0_s0").label == "made up x float [400, 784]\n1.2 MB");
    CHECK(g.edge("f0_b1", "f0_s0").label == "w float [784]\n3.06 KB");
    CHECK_FALSE(g.edge("f0_b1", "f0_s0").has("dashed"));
    CHECK(g.edge("f0_s0", "f0_s1").label == "t1 float [400]\n1.56 KB");
    CHECK(g.edge("f0_s1", "f0_s2").label == "t2 float [400]\n1.56 KB");
    CHECK(g.edge("f0_s1", "f0_b4").label == "output 1 bool [400]\n400 B");
    CHECK(g.edge("f0_b0", "f0_s2").label == "made up x float [400, 784]\n1.2 MB");
    CHECK(g.edge("f0_b1", "f0_s2").says("in place"));
    CHECK(g.edge("f0_b1", "f0_s2").has("style=dashed, dir=both"));
    for (const auto& e : g.edges) CHECK_FALSE(e.second.has("red"));
}

TEST_CASE("long formulas are wrapped at spaces, words of any length are broken") {
    const drawing g(plan_of(made_up::data()));
    CHECK(g.node("f0_s1").label ==
          "step 2: elementwise (SIMD)\n"
          "t2 = sigmoid(t1) - y; output 1 =\nsigmoid(t1) > 0.5; softplus(-abs(t1)) +\n(relu(t1) - y * t1)\n"
          "1.04 us per call, 52.1%");
    CHECK(detail::dot_writer<>::wrapped(std::string(100, 'x')) ==
          std::string(40, 'x') + "\n" + std::string(40, 'x') + "\n" + std::string(20, 'x'));
    CHECK(detail::dot_writer<>::wrapped("") == "");
    // 40 characters of two bytes
    std::string greek;
    for (int i = 0; i < 40; ++i) greek += "\xce\xb1";
    CHECK(detail::dot_writer<>::wrapped(greek) == greek);
}

TEST_CASE("the colour is the share of time") {
    CHECK(detail::dot_writer<>::heat(0) == "\"#ffffff\"");
    CHECK(detail::dot_writer<>::heat(50) == "\"#ff8080\"");
    CHECK(detail::dot_writer<>::heat(100) == "\"#ff0000\"");
    CHECK(detail::dot_writer<>::heat(1e9) == "\"#ff0000\"");
    const drawing g(plan_of(made_up::data()));
    CHECK(g.node("f0_s1").has("fillcolor=" + detail::dot_writer<>::heat(52.083)));  // 3125 of 6000
    CHECK(g.node("f0_s2").has("fillcolor=" + detail::dot_writer<>::heat(10.417)));
}

TEST_CASE("a later step takes what an earlier one has updated") {
    profile_data d = made_up::data();
    auto& steps = d.functions[0].steps;
    steps[0].writes = {2, 1};  // updates w as well
    steps[2].reads = {0, 1};
    steps[2].writes = {1, 4};  // and the last completes the output
    const drawing g(plan_of(d));
    CHECK(g.edge("f0_b1", "f0_s0").has("dir=both"));
    CHECK(g.edge("f0_s0", "f0_s2").has("style=dashed"));
    CHECK(g.edge("f0_s2", "f0_b1").has("constraint=false"));
    CHECK(g.edges.count({"f0_b1", "f0_s2"}) == 0);
    CHECK(g.edge("f0_s1", "f0_s2").says("output 1 bool [400]\n400 B\nin place"));
    CHECK(g.edge("f0_s2", "f0_b4").says("output 1"));
    CHECK(g.edges.count({"f0_s1", "f0_b4"}) == 0);
}

TEST_CASE("transfers are red") {
    profile_data d = made_up::data();
    d.functions[0].to_device = {3, 4096, 600};
    d.functions[0].to_host = {1, 100, 60};
    d.to_host = {2, 2048, 100};
    const std::string text = plan_of(d);
    const drawing g(text);
    CHECK(g.edge("f0_in", "f0_s0").label == "host to device\n3 transfers, 4 KB\n600 ns, 10.0%");
    CHECK(g.edge("f0_in", "f0_s0").has("color=red"));
    CHECK(g.edge("f0_in", "f0_s0").has("lhead=cluster_f0"));
    CHECK(g.edge("f0_s2", "f0_out").has("color=red"));
    CHECK(g.edge("device", "host").label == "between calls\n2 transfers, 2 KB\n100 ns, 1.0%");
    CHECK(g.edges.count({"host", "device"}) == 0);
    CHECK(svg_of(text) != "");
}

TEST_CASE("the tree of a program") {
    profile_data d = made_up::data();
    {
        const drawing g(calls_of(d));
        CHECK(g.node("n0").label == "made up\nprofile\n1 time, 10 us, 100.0%\nthe rest of it 3 us, 30.0%");
        CHECK(g.node("n0").has("#ff0000"));
        CHECK(g.node("n1").label == "made up region\nregion\n2 times, 5 us, 50.0%\nthe rest of it 1 us, 10.0%");
        CHECK(g.node("n1").has("rounded"));
        CHECK(g.node("n2").label == "made up train\nfunction\n2 times, 4 us, 40.0%");
        // From two places: its steps are drawn once.
        CHECK(g.node("f0").label == "made up train\nfunction, in 2 places\n3 times, 6 us, 60.0%");
        CHECK(g.edge("n2", "f0").has("dashed"));
        CHECK(g.edge("n3", "f0").has("dashed"));
        CHECK(g.edges.count({"n0", "n1"}) == 1);
        CHECK(g.edges.count({"n1", "n2"}) == 1);
        CHECK(g.edges.count({"n0", "n3"}) == 1);
        CHECK(g.edges.count({"f0", "f0_s2"}) == 1);
        CHECK(g.node("f0_s2").says("625 ns, 6.2%"));
        CHECK(g.edges.size() == 3 + 2 + 3);
    }
    d.tree[0].children = {1};
    d.tree.pop_back();
    const drawing g(calls_of(d));
    CHECK(g.nodes.count("f0") == 0);
    CHECK(g.edges.count({"n2", "n2_s0"}) == 1);
}

TEST_CASE("Graphviz draws names as they are") {
    for (const auto& name :
         {made_up::hostile, std::string("\\"), std::string("\\\\\""), std::string("\\N \\G \\l &amp; <b>")}) {
        const profile_data d = made_up::data(name);
        CHECK(svg_of(plan_of(d)) != "");
        CHECK(svg_of(calls_of(d)) != "");
        const drawing both(plan_of(d));
        CHECK(both.nodes.size() == 6);
    }
    const std::string svg = svg_of(calls_of(made_up::data("\\N \"&lt;\" <b>")));
    if (svg != "no dot") {
        // Read as XML: \N "&lt;" <b>
        const bool there = svg.find(">\\N &quot;&amp;lt;&quot; &lt;b&gt;</text>") != svg.npos;
        CHECK(there);
    }
    if (svg != "no dot") CHECK(svg_of("digraph { a [label=\"]; }") == "");
    CHECK(svg_of(plan_of(profile_data{})) != "");
    CHECK(svg_of(calls_of(profile_data{})) != "");
}

TEST_CASE("a wrong path is an error at once") {
    CHECK_THROWS_AS(dot_file{"no/such/folder/plan.dot"}, file_error);
    CHECK_THROWS_AS(call_graph_file{"no/such/folder/calls.dot"}, file_error);
}
