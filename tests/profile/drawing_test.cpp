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
#include <vector>

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
    std::map<std::string, std::string> box;  // by node or box: the box that it stands in
    int clusters = 0;

    explicit drawing(const std::string& text) {
        std::istringstream in(text);
        std::string line;
        std::vector<std::string> open;
        while (std::getline(in, line)) {
            if (const std::string begin = "  subgraph cluster_"; line.starts_with(begin)) {
                ++clusters;
                const std::string name = line.substr(begin.size(), line.size() - begin.size() - 2);
                if (!open.empty()) box[name] = open.back();
                open.push_back(name);
            }
            if (line == "  }") open.pop_back();
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
            if (arrow == id.npos) {
                added = nodes.emplace(id, one).second;
                if (!open.empty()) box[id] = open.back();
            }
            else added = edges.emplace(std::pair(id.substr(0, arrow), id.substr(arrow + 4)), one).second;
            CHECK_MESSAGE(added, id << " twice");
        }
        CHECK(open.empty());
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

namespace {

/// made_up::data with step 2 as a loop of 10 turns, and the second step of that as a loop in each turn.
profile_data with_loops() {
    using role = buffer_profile::role;
    profile_data d = made_up::data();
    function_profile& whole = d.functions[0];
    whole.steps[1].kind = "scan";
    whole.steps[1].type = "loop";
    whole.steps[1].shape = "10 turns";
    const auto loop = [&](const char* name, int outer, int step, std::vector<const char*> arrays) {
        function_profile f;
        f.name = whole.name + ", " + name;
        f.outer = outer;
        f.outer_step = step;
        f.calls = 3;
        f.turns = 30;
        f.time = 3000;
        f.steps_time = 1500;
        for (const std::string array : arrays) {
            buffer_profile b;
            b.name = array;
            b.type = "float [4]";
            b.bytes = 16;
            b.what = array.starts_with("u") ? role::temporary : array.starts_with("next") || array.starts_with("out") ? role::result : role::argument;
            f.buffers.push_back(b);
        }
        return f;
    };
    const auto step = [](const char* formula, std::vector<int> reads, std::vector<int> writes) {
        step_profile s;
        s.formula = formula;
        s.kind = "elementwise";
        s.type = "SIMD";
        s.calls = 30;
        s.time = 600;
        s.reads = std::move(reads);
        s.writes = std::move(writes);
        return s;
    };
    // Carries state1 from t1, walks along x, reads w; its last state is t2, what it gives out output 1.
    function_profile outer = loop("loop 1", 0, 1, {"state1", "x[t]", "w", "u1", "next state1", "out1"});
    outer.given = {{2, 0}, {0, 1}, {1, 2}};
    outer.carried = {{4, 0}};
    outer.left = {{4, 3}, {5, 4}};
    outer.steps = {step("u1 = state1 + x[t]", {0, 1}, {3}), step("next state1 = last(state2)", {3, 2}, {4}), step("out1 = state1 u1", {0, 3}, {5})};
    outer.steps[1].kind = "scan";
    outer.steps[1].shape = "5 turns";
    function_profile inner = loop("loop 1, loop 2", 1, 1, {"state2", "w[t']", "next state2"});
    inner.given = {{3, 0}, {2, 1}};
    inner.carried = {{2, 0}};
    inner.left = {{2, 4}};
    inner.steps = {step("next state2 = state2 w[t']", {0, 1}, {2})};
    d.functions.push_back(outer);
    d.functions.push_back(inner);
    using kind = scope_profile::kind;
    d.tree[3].children = {4};
    d.tree.push_back({outer.name, kind::loop, 1, 3, 3000, {5}});
    d.tree.push_back({inner.name, kind::loop, 2, 30, 2000, {}});
    return d;
}

}  // namespace

TEST_CASE("a loop is a box around the steps of its turns, in the box of what it is a step of") {
    const profile_data d = with_loops();
    const std::string text = plan_of(d);
    const drawing g(text);
    CHECK(g.clusters == 3);
    CHECK(g.box.at("f1") == "f0");
    CHECK(g.box.at("f2") == "f1");
    CHECK(text.find("label=\"step 2: loop 1, 10 turns\\l1.04 us per call, 52.1%\\l100 ns per turn, 50.0% of it outside of steps\\l\"") != text.npos);
    CHECK(text.find("label=\"step 2: loop 2, 5 turns\\l20 ns per turn around it, 10.0%\\l100 ns per turn, ") != text.npos);
    CHECK(g.nodes.count("f0_s1") == 0);
    CHECK(g.nodes.count("f1_s1") == 0);
    CHECK(g.node("f1_s0").label == "step 1: elementwise (SIMD)\nu1 = state1 + x[t]\n20 ns per turn, 10.0%");
    CHECK(g.box.at("f1_s0") == "f1");
    CHECK(g.box.at("f2_s0") == "f2");
    // Of what turns have only the states are drawn; the rest comes from outside, or goes there.
    CHECK(g.nodes.size() == 5 + 3 + 2);
    CHECK(g.node("f1_b0").label == "state1 float [4]");
    CHECK(g.box.at("f1_b0") == "f1");
    CHECK(g.edge("f0_s0", "f1_b0").label == "t1 float [400]\n1.56 KB");
    CHECK(g.edge("f0_b0", "f1_s0").label == "x[t] float [4]\n16 B");
    CHECK(g.edge("f0_b1", "f2_s0").label == "w[t'] float [4]\n16 B");
    CHECK(g.edge("f1_s0", "f2_b0").label == "u1 float [4]\n16 B");
    CHECK(g.edge("f2_s0", "f2_b0").label == "next state2 float [4]\n16 B\nfor the next turn");
    CHECK(g.edge("f2_s0", "f1_b0").has("dotted"));
    CHECK(g.edge("f2_s0", "f0_s2").says("t2 float [400]"));
    CHECK(g.edge("f1_s2", "f0_b4").says("output 1"));
    CHECK(g.edges.size() == 16);
    CHECK(svg_of(text) != "");
    const drawing calls(calls_of(d));
    CHECK(calls.edges.count({"n3", "n4"}) == 1);
    CHECK(calls.edges.count({"n4_s1", "n5"}) == 1);
    CHECK(calls.edges.count({"n5", "n5_s0"}) == 1);
}

TEST_CASE("arrays between the same two are one edge") {
    profile_data d = made_up::data();
    d.functions[0].steps[0].writes = {2, 3};
    d.functions[0].steps[1].reads = {2, 3};
    d.functions[0].steps[1].writes = {4};
    CHECK(drawing(plan_of(d)).edge("f0_s0", "f0_s1").label == "t1 float [400]\nt2 float [400]\n3.12 KB");
    for (int i = 0; i < 2; ++i) {
        d.functions[0].buffers.push_back(d.functions[0].buffers[2]);
        d.functions[0].steps[0].writes.push_back(5 + i);
        d.functions[0].steps[1].reads.push_back(5 + i);
    }
    CHECK(drawing(plan_of(d)).edge("f0_s0", "f0_s1").label == "4 arrays\n6.25 KB");
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
