// SPDX-License-Identifier: MIT
// Functions of three axes over arrays of one size and many shapes: nanoseconds a number, and how many times as long that is as in the best shape. What is slow in one of them stands out.
// Not in the report: it compares shapes with each other; the programs of each kind of function have their peers.
#include "common.hpp"

#include <cstdio>
#include <map>
#include <string>
#include <vector>

using namespace croton;

namespace {

using cube = tensor<float, dynamic, dynamic, dynamic>;

struct line {
    std::string function, shape;
    double each;
};

/// The time of the best of some calls, for each number.
template <class F> void measure(std::vector<line>& to, const char* name, const std::string& shape, const F& f, const array<float, 3>& x) {
    auto result = f(x);
    double best = std::numeric_limits<double>::max();
    for (double end = bench::seconds() + 0.02; bench::seconds() < end;) {
        const double start = bench::seconds();
        f.call_into(result, x);
        best = std::min(best, bench::seconds() - start);
    }
    to.push_back({name, shape, best * 1e9 / static_cast<double>(x.size())});
}

}  // namespace

int main(int argc, char** argv) {
    bench::start(argc, argv);
    const auto scaled = function<cpu>([](cube x) { return x * 2.f + 1.f; });
    const auto sum_0 = function<cpu>([](cube x) { return sum<0>(x); });
    const auto sum_1 = function<cpu>([](cube x) { return sum<1>(x); });
    const auto sum_2 = function<cpu>([](cube x) { return sum<2>(x); });
    const auto sum_02 = function<cpu>([](cube x) { return sum<0, 2>(x); });
    const auto var_0 = function<cpu>([](cube x) { return var<0>(x); });
    const auto var_1 = function<cpu>([](cube x) { return var<1>(x); });
    const auto var_2 = function<cpu>([](cube x) { return var<2>(x); });
    const auto softmax_0 = function<cpu>([](cube x) { return softmax<0>(x); });
    const auto softmax_1 = function<cpu>([](cube x) { return softmax<1>(x); });
    const auto softmax_2 = function<cpu>([](cube x) { return softmax<2>(x); });
    const auto argmax_0 = function<cpu>([](cube x) { return argmax<0>(x); });
    const auto argmax_1 = function<cpu>([](cube x) { return argmax<1>(x); });
    const auto argmax_2 = function<cpu>([](cube x) { return argmax<2>(x); });
    const auto centred = function<cpu>([](cube x) { return x - mean<1>(x, keepdims); });
    const auto turned = function<cpu>([](cube x) { return transpose<0, 2, 1>(x); });
    const auto reversed = function<cpu>([](cube x) { return transpose<2, 1, 0>(x); });
    const auto cumulated = function<cpu>([](cube x) { return cumsum<1>(x); });
    std::vector<line> lines;
    const std::int64_t shapes[][3] = {{100, 60, 10},  {60000, 1, 1},  {30000, 2, 1}, {30000, 1, 2}, {20000, 3, 1},  {10000, 2, 3},  {10000, 3, 2}, {2, 10000, 3}, {2, 3, 10000}, {300, 4, 50},
                                      {50, 4, 300},   {1000, 20, 3},  {20, 1000, 3}, {3, 1000, 20}, {1000, 3, 20},  {150, 20, 20},  {15, 4000, 1}, {4000, 15, 1}, {4000, 5, 3},  {600, 10, 10},
                                      {200, 300, 1},  {200, 1, 300},  {1, 200, 300}, {1, 20000, 3}, {1, 1, 60000},  {8571, 7, 1},   {17, 3529, 1}, {3529, 1, 17}};
    for (const auto& [a, b, c] : shapes) {
        array<float, 3> x(a, b, c);
        bench::fill(x, -1, 1, 1);
        const std::string shape = std::to_string(a) + " x " + std::to_string(b) + " x " + std::to_string(c);
        measure(lines, "x * 2 + 1", shape, scaled, x);
        measure(lines, "sum<0>", shape, sum_0, x);
        measure(lines, "sum<1>", shape, sum_1, x);
        measure(lines, "sum<2>", shape, sum_2, x);
        measure(lines, "sum<0, 2>", shape, sum_02, x);
        measure(lines, "var<0>", shape, var_0, x);
        measure(lines, "var<1>", shape, var_1, x);
        measure(lines, "var<2>", shape, var_2, x);
        measure(lines, "softmax<0>", shape, softmax_0, x);
        measure(lines, "softmax<1>", shape, softmax_1, x);
        measure(lines, "softmax<2>", shape, softmax_2, x);
        measure(lines, "argmax<0>", shape, argmax_0, x);
        measure(lines, "argmax<1>", shape, argmax_1, x);
        measure(lines, "argmax<2>", shape, argmax_2, x);
        measure(lines, "x - mean<1>", shape, centred, x);
        measure(lines, "transpose<0, 2, 1>", shape, turned, x);
        measure(lines, "transpose<2, 1, 0>", shape, reversed, x);
        measure(lines, "cumsum<1>", shape, cumulated, x);
    }
    std::map<std::string, double> best;
    for (const line& l : lines)
        if (const auto [at, fresh] = best.try_emplace(l.function, l.each); !fresh) at->second = std::min(at->second, l.each);
    for (const line& l : lines) std::printf("%-20s %-18s %8.3f ns %8.1f\n", l.function.c_str(), l.shape.c_str(), l.each, l.each / best[l.function]);
    return 0;
}
