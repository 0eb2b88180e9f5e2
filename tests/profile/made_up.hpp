// SPDX-License-Identifier: MIT
// A profile that never ran, with names that try to break out of what they are written in.
#ifndef TESTS_PROFILE_MADE_UP_HPP
#define TESTS_PROFILE_MADE_UP_HPP

#include <string>

#include <croton/profile/record.hpp>

namespace made_up {

// Quotes, backslashes, control characters, markup, UTF-8, bytes that are none.
inline const std::string hostile =
    "a\"b\\c\n\t\x01\x7f</script>&lt;\\\"]}{ \xc3\xa9\xe2\x88\x82\xf0\x9f\x98\x80 \xff\xc3( %s \\";
/// The same when it was written as UTF-8.
inline const std::string mended =
    "a\"b\\c\n\t\x01\x7f</script>&lt;\\\"]}{ \xc3\xa9\xe2\x88\x82\xf0\x9f\x98\x80 \xef\xbf\xbd\xef\xbf\xbd( %s \\";

/// train: t1 = x w (product); t2 and p from t1 (loop); w in place from x, t2 (product); then a region with it, and alone.
inline croton::profile_data data(const std::string& name = "made up") {
    using namespace croton;
    profile_data d;
    d.name = name;
    d.time = 10000;
    d.threads = 2;
    d.blas = "BLAS of " + name;
    d.blas_threads = 3;
    d.cores = 4;

    function_profile f;
    f.name = name + " train";
    f.device = "cpu";
    f.calls = 3;
    f.failed = 1;
    f.time = 6000;
    f.least = 1500;
    f.most = 2500;
    f.steps_time = 5000;
    f.arguments_time = 400;
    f.results_time = 300;
    f.layout_time = 200;
    f.staging_time = 50;
    f.recording_time = 40;
    f.leaving_time = 10;
    f.nodes_traced = 31;
    f.nodes = 17;
    f.kernels = 1;
    f.planned_bytes = 128;
    f.peak_bytes = 127;
    f.separate_bytes = 256;
    f.in_place_bytes = 784 * 4;
    f.staged_bytes = 12;
    f.shapes_seen = 1;
    using role = buffer_profile::role;
    const auto buffer = [&](const std::string& called, const char* type, role what,
                            std::int64_t bytes) -> buffer_profile& {
        f.buffers.push_back({});
        f.buffers.back().name = called;
        f.buffers.back().type = type;
        f.buffers.back().what = what;
        f.buffers.back().bytes = bytes;
        return f.buffers.back();
    };
    buffer(name + " x", "float [400, 784]", role::argument, 400 * 784 * 4);
    buffer("w", "float [784]", role::argument, 784 * 4).in_place = true;
    buffer_profile& t1 = buffer("t1", "float [400]", role::temporary, 1600);
    t1.offset = 0;
    t1.first = 0;
    t1.last = 1;
    t1.reason = "BLAS " + name;
    buffer_profile& t2 = buffer("t2", "float [400]", role::temporary, 1600);
    t2.offset = 64;
    t2.first = 1;
    t2.last = 2;
    t2.avoidable = true;
    buffer("output 1", "bool [400]", role::result, 400);
    const auto step = [&](const std::string& formula, const char* kind, const char* type,
                          nanoseconds time) -> step_profile& {
        f.steps.push_back({});
        step_profile& s = f.steps.back();
        s.formula = formula;
        s.operation = "i0 i1";
        s.kind = kind;
        s.type = type;
        s.element = "float";
        s.shape = "400 x 784";
        s.calls = 3;
        s.time = time;
        s.least = time / 4;
        s.most = time / 2;
        s.bytes = 3 * 4000;
        s.operations = 3 * 6000;
        s.working_set = 4000;
        s.written = 1600;
        return s;
    };
    step_profile& first = step("t1 = " + name + " x w", "gemv", "BLAS", 1250);
    first.reads = {0, 1};
    first.writes = {2};
    step_profile& loop =
        step("t2 = sigmoid(t1) - y; output 1 = sigmoid(t1) > 0.5; softplus(-abs(t1)) + (relu(t1) - y * t1)",
             "elementwise", "SIMD", 3125);
    loop.reads = {2};
    loop.writes = {3, 4};
    loop.constant = true;
    step_profile& last = step("w <- 0.998 w + (-0.1 / sample) x^T t2", "gemm", "BLAS", 625);
    last.reads = {0, 3, 1};
    last.writes = {1};
    last.packs = true;
    d.functions.push_back(f);

    using kind = scope_profile::kind;
    d.tree.push_back({name, kind::scope, -1, 1, 10000, {1, 3}});
    d.tree.push_back({name + " region", kind::region, -1, 2, 5000, {2}});
    d.tree.push_back({f.name, kind::function, 0, 2, 4000, {}});
    d.tree.push_back({f.name, kind::function, 0, 1, 2000, {}});

    d.limits.levels = {{{100, 50, 40}, {200, 30, 20}, {400, 20, 10}, {800, 10, 8}, {1600, 5.5, 4}}};
    d.limits.gemm_float = 72;
    d.limits.gemm_double = 36.25;
    d.limits.arithmetic_float = 80;
    d.limits.arithmetic_double = 40.5;
    d.counters.note = name;
    d.tips.push_back({"unfused", name, "evidence " + name, "advice " + name, 777});
    return d;
}

}  // namespace made_up

#endif
