// SPDX-License-Identifier: MIT
// A profile as JSON: every number and name of it, by its schema.
#include <croton/profile/json.hpp>
#include <croton/profile/scope.hpp>
#include <croton/profile/text.hpp>
#include <doctest/doctest.h>
#include <profile/json_reader.hpp>
#include <profile/made_up.hpp>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>
#include <stdexcept>
#include <string>

using namespace croton;

namespace {

std::string written(const profile_data& d) {
    std::ostringstream out;
    json_sink{out}(d);
    return out.str();
}

json::value checked(const profile_data& d) {
    const json::value schema = json::parse(json::file_text("profile/profile.schema.json"));
    json::value v = json::parse(written(d));
    json::check(v, schema, schema);
    return v;
}

}  // namespace

TEST_CASE("the schema and the reader refuse what is wrong") {
    const json::value schema = json::parse(json::file_text("profile/profile.schema.json"));
    std::string text = written(made_up::data());
    const auto with = [&](const std::string& from, const std::string& to) {
        std::string other = text;
        other.replace(other.find(from), from.size(), to);
        const json::value v = json::parse(other);
        json::check(v, schema, schema);
    };
    CHECK_NOTHROW(with("\"threads\"", "\"threads\""));
    CHECK_THROWS_AS(with("\"threads\"", "\"thread\""), std::runtime_error);
    CHECK_THROWS_AS(with("\"threads\": 2", "\"threads\": \"2\""), std::runtime_error);
    CHECK_THROWS_AS(with("\"threads\": 2", "\"threads\": 2.5"), std::runtime_error);
    CHECK_THROWS_AS(with("\"threads\": 2", "\"threads\": -2"), std::runtime_error);
    CHECK_THROWS_AS(with("\"kind\": \"gemv\"", "\"kind\": \"spmv\""), std::runtime_error);
    CHECK_THROWS_AS(json::parse("{\"a\": nan}"), std::runtime_error);
    CHECK_THROWS_AS(json::parse("{\"a\": 01}"), std::runtime_error);
    CHECK_THROWS_AS(json::parse("[1,]"), std::runtime_error);
    CHECK_THROWS_AS(json::parse("[\"\n\"]"), std::runtime_error);
}

TEST_CASE("everything in a profile is in its JSON") {
    profile_data d = made_up::data();
    const json::value v = checked(d);
    CHECK(v["name"].text == "made up");
    CHECK(v["time_ns"].integer() == 10000);
    CHECK(v["functions_time_ns"].integer() == 6000);
    CHECK(v["threads"].integer() == 2);
    CHECK(v["blas"].text == "BLAS of made up");
    CHECK(v["blas_threads"].integer() == 3);
    CHECK(v["cores"].integer() == 4);
    CHECK(v["limits"]["levels"].items.size() == 5);
    CHECK(v["limits"]["levels"][4]["read_gb_per_s"].number() == 5.5);
    CHECK(v["limits"]["gemm_double_gflop_per_s"].number() == 36.25);
    CHECK(v["limits"]["arithmetic_float_gflop_per_s"].number() == 80);
    CHECK(v["limits"]["arithmetic_double_gflop_per_s"].number() == 40.5);
    CHECK(v["counters"]["available"].text == "false");
    CHECK(v["tips"][0]["gain_ns"].integer() == 777);
    CHECK_FALSE(v.has("events"));

    REQUIRE(v["tree"].items.size() == 4);
    CHECK(v["tree"][0]["children"][1].integer() == 3);
    CHECK(v["tree"][1]["kind"].text == "region");
    CHECK(v["tree"][2]["function"].integer() == 0);
    CHECK(v["tree"][2]["time_ns"].integer() == 4000);

    const json::value& f = v["functions"][0];
    const std::int64_t parts[] = {5000, 400, 300, 200, 50, 40, 10};
    std::int64_t sum = 0;
    int i = 0;
    for (const char* part : {"steps", "arguments", "results", "layout", "staging", "recording", "leaving"}) {
        const std::int64_t t = f[std::string(part) + "_time_ns"].integer();
        CHECK(t == parts[i++]);
        sum += t;
    }
    CHECK(sum == f["time_ns"].integer());
    CHECK(f["overhead_ns"].integer() == 1000);
    CHECK(f["failed"].integer() == 1);
    CHECK(f["least_ns"].integer() == 1500);
    CHECK(f["nodes_traced"].integer() == 31);
    CHECK(f["nodes"].integer() == 17);
    CHECK(f["planned_bytes"].integer() == 128);
    CHECK(f["peak_bytes"].integer() == 127);
    CHECK(f["in_place_bytes"].integer() == 3136);

    REQUIRE(f["steps"].items.size() == 3);
    const json::value& s = f["steps"][0];
    CHECK(s["time_ns"].integer() == 1250);
    CHECK(s["gb_per_s"].number() == 9.6);
    CHECK(s["gflop_per_s"].number() == 14.4);
    CHECK(s["limit_unit"].text == "GB/s");
    CHECK(s["limit"].number() == d.functions[0].steps[0].limit(d.limits));
    CHECK(s["limit_percent"].number() == d.functions[0].steps[0].limit_share(d.limits));
    CHECK(s["reads"].items.size() == 2);
    CHECK(s["writes"][0].integer() == 2);
    CHECK(f["steps"][1]["constant"].text == "true");
    // 28.8 of 72 GFLOP/s
    CHECK(f["steps"][2]["limit_unit"].text == "GFLOP/s");
    CHECK(f["steps"][2]["limit"].number() == 80);
    CHECK(f["steps"][2]["limit_percent"].number() == doctest::Approx(36));
    CHECK(f["steps"][2]["packs"].text == "true");

    CHECK(f["buffers"][0]["role"].text == "argument");
    CHECK(f["buffers"][1]["in_place"].text == "true");
    CHECK(f["buffers"][2]["last_step"].integer() == 1);
    CHECK(f["buffers"][3]["offset"].integer() == 64);
    CHECK(f["buffers"][4]["role"].text == "result");
}

TEST_CASE("single events are there where they are kept") {
    profile_data d = made_up::data();
    d.events = {{100, 50, 2, 0}, {90, 80, 2, -1}};
    d.events_lost = 7;
    const json::value v = checked(d);
    CHECK(v["events_lost"].integer() == 7);
    CHECK(v["events"][0]["start_ns"].integer() == 100);
    CHECK(v["events"][0]["step"].integer() == 0);
    CHECK(v["events"][1]["time_ns"].integer() == 80);
    CHECK(v["events"][1]["step"].integer() == -1);
}

TEST_CASE("names come back as they are") {
    const json::value v = checked(made_up::data(made_up::hostile));
    CHECK(v["name"].text == made_up::mended);
    CHECK(v["counters"]["note"].text == made_up::mended);
    CHECK(v["functions"][0]["name"].text == made_up::mended + " train");
    CHECK(v["functions"][0]["steps"][0]["formula"].text == "t1 = " + made_up::mended + " x w");
    CHECK(v["functions"][0]["buffers"][0]["name"].text == made_up::mended + " x");
    CHECK(v["tips"][0]["advice"].text == "advice " + made_up::mended);
}

TEST_CASE("only well-formed UTF-8 passes") {
    for (const char* good : {"a", "\x7f", "\xc2\x80", "\xdf\xbf", "\xe0\xa0\x80", "\xed\x9f\xbf", "\xee\x80\x80",
                             "\xf0\x90\x80\x80", "\xf4\x8f\xbf\xbf"})
        CHECK(detail::utf8_length(std::string(good) + "x") == std::string(good).size());
    // Cut short, too long a form, half of a pair, above U+10FFFF, a byte from the middle.
    for (const char* bad : {"\xc3", "\xc0\x80", "\xc1\xbf", "\xe0\x9f\xbf", "\xe2\x82", "\xed\xa0\x80",
                            "\xf0\x8f\xbf\xbf", "\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "\x80", "\xff"}) {
        CHECK(detail::utf8_length(bad) == 0);
        CHECK(detail::utf8_length(std::string(bad) + "x") == 0);
    }
}

TEST_CASE("numbers are exact, and what is not known is null") {
    profile_data d = made_up::data();
    d.time = std::numeric_limits<nanoseconds>::max();
    d.limits.gemm_float = 0.1 + 0.2;
    json::value v = checked(d);
    CHECK(v["time_ns"].text == "9223372036854775807");
    CHECK(v["limits"]["gemm_float_gflop_per_s"].number() == 0.1 + 0.2);

    d.limits = {};
    d.functions[0].steps[0].time = 0;
    v = checked(d);
    CHECK(v["limits"].type == "null");
    CHECK(v["functions"][0]["steps"][0]["limit"].type == "null");
    CHECK(v["functions"][0]["steps"][0]["gb_per_s"].number() == 0);

    detail::json_writer<> w;
    w.array(detail::json_writer<>::layout::line, [&] {
        w.value(std::numeric_limits<double>::quiet_NaN());
        w.value(-std::numeric_limits<double>::infinity());
        w.value(-2.5e-300);
    });
    CHECK(w.take() == "[null, null, -2.5e-300]\n");

    checked(profile_data{});  // nothing at all
}

TEST_CASE("a file is opened at once, and an error names it") {
    CHECK_THROWS_WITH_AS(json_file{"no/such/folder/profile.json"},
                         "no/such/folder/profile.json cannot be written: No such file or directory", file_error);
    const std::filesystem::path path = std::filesystem::temp_directory_path() / "croton_json_test.json";
    {
        const json_file file{path};
        CHECK(std::filesystem::file_size(path) == 0);
        const json_file copy = file;
        copy(made_up::data("the first, which has by far the longer name of the two"));
        file(made_up::data("second"));
        CHECK(json::file_text(path.string()) == written(made_up::data("second")));
    }
    text_file{path}(made_up::data("as text"));
    CHECK(json::file_text(path.string()).starts_with("Profile of \"as text\"\n"));
    std::filesystem::remove(path);
    if (std::filesystem::exists("/dev/full")) {
        const json_file full{"/dev/full"};
        CHECK_THROWS_WITH_AS(full(made_up::data()), "/dev/full cannot be written: No space left on device", file_error);
        // What is shorter than the buffer of a stream is not written before the stream is asked to.
        std::ofstream stream("/dev/full");
        const auto sentence = "the report of the profile \"short\" cannot be written: No space left on device";
        const json_sink sink(stream);
        CHECK_THROWS_WITH_AS(sink(made_up::data("short")), sentence, file_error);
        CHECK_THROWS_WITH_AS(sink(made_up::data("short")), "the report of the profile \"short\" cannot be written", file_error);
        stream.clear();
        profile scope{"short", stream};
        CHECK_THROWS_WITH_AS(scope.finish(), sentence, file_error);
    }
}
