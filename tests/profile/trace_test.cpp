// SPDX-License-Identifier: MIT
// A profile as a time line: of a program that ran, and of one that never did.
#include <croton/croton.hpp>
#include <doctest/doctest.h>
#include <profile/json_reader.hpp>
#include <profile/made_up.hpp>

#include <cstdint>
#include <map>
#include <sstream>
#include <string>
#include <vector>

using namespace croton;

namespace {

struct bar {
    std::string name, category;
    std::int64_t start = 0, end = 0;  // ns
    const json::value* arguments = nullptr;
    int parent = -1;
};

std::int64_t nanoseconds_of(const json::value& microseconds) {
    const std::string& t = microseconds.text;
    REQUIRE(t.size() > 4);
    REQUIRE(t[t.size() - 4] == '.');
    return std::stoll(t.substr(0, t.size() - 4)) * 1000 + std::stoll(t.substr(t.size() - 3));
}

/// The bars of a trace, each with the one around it. Fails where one is not within it, or stands before it.
std::vector<bar> bars_of(const json::value& trace) {
    std::vector<bar> all;
    std::vector<int> open;
    std::int64_t last = 0;
    for (const json::value& e : trace["traceEvents"].items) {
        CHECK(e["pid"].integer() == 1);
        CHECK(e["tid"].integer() == 1);
        if (e["ph"].text == "M") continue;
        REQUIRE(e["ph"].text == "X");
        bar s{e["name"].text, e["cat"].text, nanoseconds_of(e["ts"]), 0, &e["args"], -1};
        s.end = s.start + nanoseconds_of(e["dur"]);
        CHECK(s.start >= last);
        CHECK(s.end >= s.start);
        last = s.start;
        while (!open.empty() && all[static_cast<std::size_t>(open.back())].end <= s.start)
            open.pop_back();
        if (!open.empty()) {
            s.parent = open.back();
            CHECK(s.end <= all[static_cast<std::size_t>(s.parent)].end);
        }
        open.push_back(static_cast<int>(all.size()));
        all.push_back(s);
    }
    return all;
}

std::string written(const profile_data& d) {
    std::ostringstream out;
    trace_sink{out}(d);
    return out.str();
}

}  // namespace

TEST_CASE("events stand within those around them, whatever the order they were recorded in") {
    profile_data d = made_up::data(made_up::hostile);
    // As they are recorded: steps, calls, regions, each when it ends. Two begin together with what is around them.
    d.events = {{1000, 100, 2, 0},   {1100, 1500, 2, 1}, {1000, 2000, 2, -1},
                {1000, 2500, 1, -1}, {4000, 10, 3, 0},   {4000, 999, 3, -1}};
    d.events_lost = 7;
    const json::value trace = json::parse(written(d));
    CHECK(trace["otherData"]["events_lost"].integer() == 7);
    CHECK(trace["otherData"]["events_kept"].integer() == 6);
    const json::value& process = trace["traceEvents"][0];
    CHECK(process["name"].text == "process_name");
    CHECK(process["ph"].text == "M");
    CHECK(process["args"]["name"].text == made_up::mended);
    CHECK(trace["traceEvents"][1]["args"]["name"].text == "calls and regions, without the first 7 of them");

    const std::vector<bar> s = bars_of(trace);
    REQUIRE(s.size() == 7);
    const char* const category[] = {"profile", "region", "function", "step", "step", "function", "step"};
    const int parent[] = {-1, 0, 1, 2, 2, 0, 5};
    for (std::size_t i = 0; i < s.size(); ++i) {
        CHECK(s[i].category == category[i]);
        CHECK(s[i].parent == parent[i]);
    }
    CHECK(s[0].end == 10000);
    CHECK(s[1].name == made_up::mended + " region");
    CHECK(s[3].name == "t1 = " + made_up::mended + " x w");
    CHECK(s[4].start == 1100);
    CHECK(s[4].end == 2600);
    const json::value& arguments = *s[3].arguments;
    CHECK(arguments["shape"].text == "400 x 784");
    CHECK(arguments["bytes"].integer() == 4000);
    CHECK(arguments["GB/s"].number() == 40);
    CHECK(arguments["reads"].text == made_up::mended + " x float [400, 784], w float [784]");
    CHECK(arguments["writes"].text == "t1 float [400]");
}

TEST_CASE("what is known of the last call only says so") {
    profile_data d = made_up::data();
    d.functions[0].shapes_seen = 2;
    d.events = {{1000, 0, 2, 0}};
    const json::value trace = json::parse(written(d));
    const json::value& arguments = trace["traceEvents"][3]["args"];
    CHECK(arguments["bytes of the last call"].integer() == 4000);
    CHECK(arguments["GB/s of all calls"].number() == 9.6);
    CHECK_FALSE(arguments.has("GB/s"));
}

TEST_CASE("a program that ran") {
    auto train = function<cpu>("train", [](matrix<float> x, vector<float> y, shared<vector<float>> w) {
        auto cost = mean(sqr(dot(x, w) - y));
        return outputs(cost).updates(w -= 0.1f * grad(cost, w));
    });
    array<float, 2> x{{1, 2}, {3, 4}, {5, 6}};
    array<float, 1> y{1, 0, 1}, w(2);

    std::ostringstream trace_text, json_text, report;
    {
        profile outer{"outer", trace_sink{trace_text}, json_sink{json_text}, report};
        {
            region r{"epochs"};
            for (int i = 0; i < 3; ++i) train(x, y, w);
            profile inner{"inner"};
            region s{"more"};
            train(x, y, w);
        }
        region open{"open to the end"};
        train(x, y, w);
        outer.finish();
    }
    CHECK(report.str().starts_with("Profile of \"outer\""));

    const json::value trace = json::parse(trace_text.str());
    const std::vector<bar> all = bars_of(trace);
    std::map<std::string, int> count;
    for (const bar& s : all) {
        if (s.category == "step" || s.category == "function")
            ++count[s.category + " in " + all[static_cast<std::size_t>(s.parent)].name];
        else ++count[s.name + (s.parent < 0 ? "" : " in " + all[static_cast<std::size_t>(s.parent)].name)];
    }
    CHECK(count["outer"] == 1);
    CHECK(count["epochs in outer"] == 1);
    CHECK(count["inner in epochs"] == 1);
    CHECK(count["more in inner"] == 1);
    CHECK(count["open to the end in outer"] == 1);
    CHECK(count["function in epochs"] == 3);
    CHECK(count["function in more"] == 1);
    CHECK(count["function in open to the end"] == 1);

    const json::value record = json::parse(json_text.str());
    const json::value schema = json::parse(json::file_text("profile/profile.schema.json"));
    json::check(record, schema, schema);
    const json::value& f = record["functions"][0];
    CHECK(f["name"].text == "train");
    CHECK(f["calls"].integer() == 5);
    const auto steps = static_cast<int>(f["steps"].items.size());
    CHECK(steps > 0);
    CHECK(count["step in train"] == 5 * steps);
    CHECK(record["events"].items.size() + 1 == all.size());
    CHECK(record["events_lost"].integer() == 0);

    // The time line and the sums are two accounts of the same.
    std::int64_t calls = 0, in_steps = 0;
    for (const bar& s : all) {
        if (s.category == "function") calls += s.end - s.start;
        if (s.category == "step") in_steps += s.end - s.start;
    }
    CHECK(calls == f["time_ns"].integer());
    CHECK(in_steps == f["steps_time_ns"].integer());
    CHECK(all[0].end == record["time_ns"].integer());
}

TEST_CASE("loops and their derivatives stand in the steps that they are, those in turns too") {
    auto f = function<cpu>("nested", [](matrix<double> x, vector<double> w) {
        auto last = std::get<0>(scan([&](auto s, auto row) {
            return step(s * std::get<0>(scan([&](auto t, auto e) { return step(sin(t * e)); }, sum(s * w), row)));
        }, w, x));
        return outputs(sum(last), grad(sum(last), w));
    });
    array<double, 2> x(4, 3);
    array<double, 1> w(2);
    std::ostringstream out;
    {
        profile p{"loops", trace_sink{out}};
        for (int i = 0; i < 2; ++i) f(x, w);
    }
    const json::value trace = json::parse(out.str());
    const std::vector<bar> all = bars_of(trace);
    const auto around = [&](const bar& b) -> const bar& { return all.at(static_cast<std::size_t>(b.parent)); };
    std::map<std::string, int> count;
    std::map<std::string, std::string> turns;
    for (const bar& b : all) {
        if (b.category == "loop") {
            CHECK(around(b).category == "step");
            CHECK(around(b).arguments->has("shape of the last call"));
            CHECK(b.name.starts_with(around(around(b)).name + ", loop "));
            ++count[b.name];
            CHECK((*b.arguments)["turns"].integer() == (around(around(b)).category == "loop" ? 3 : 4));
        }
        if (b.category != "step") continue;
        CHECK(b.arguments->has("turn") == (around(b).category == "loop"));
        if (b.arguments->has("turn") && (*b.arguments)["step"].integer() == 1) turns[around(b).name] += (*b.arguments)["turn"].text;
    }
    CHECK(count.size() == 4);
    CHECK(count["nested, loop 1"] == 2);
    CHECK(count["nested, loop 2"] == 2);
    CHECK(count["nested, loop 1, loop 3"] == 8);
    CHECK(count["nested, loop 2, loop 4"] == 8);
    CHECK(turns["nested, loop 1"] == "01230123");
    CHECK(turns["nested, loop 2"] == "32103210");
    CHECK(turns["nested, loop 1, loop 3"] == "012012012012012012012012");
    CHECK(turns["nested, loop 2, loop 4"] == "210210210210210210210210");
}

TEST_CASE("only the last events are kept") {
    auto twice = function<cpu>("twice", [](vector<float> x) { return x + x; });
    array<float, 1> x{1, 2};
    std::ostringstream out;
    profile p{"few", trace_sink{out}, keep_events{100000}};
    for (int i = 0; i < 60000; ++i) twice(x);
    p.finish();
    const json::value trace = json::parse(out.str());
    CHECK(trace["otherData"]["events_kept"].integer() == 100000);
    CHECK(trace["otherData"]["events_lost"].integer() == 20000);
    CHECK(trace["traceEvents"].items.size() == 100003);
}
