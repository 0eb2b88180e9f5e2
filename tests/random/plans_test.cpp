// SPDX-License-Identifier: MIT
// Random graphs: what the rewritten, fused and scheduled plan computes is what the graph says node by node.
#include <doctest/doctest.h>

#include <cstdlib>
#include <memory>
#include <string>

#include "random/interpreter.hpp"
#include "random/drawn.hpp"

using namespace random_programs;

namespace {

std::vector<values> arguments(const arena& g, unsigned seed, std::int64_t a, std::int64_t b, std::int64_t c) {
    std::vector<values> out;
    std::uint64_t state = seed + 7;
    for (const leaf_input& l : g.leaves) {
        values v;
        std::size_t count = 1;
        for (int i = 0; i < l.shape.rank; ++i) {
            const size_ref s = g.find(l.shape[i]);
            const std::int64_t extent = s == 1 ? 1 : s == g.find(g.leaves[0].shape[0]) ? a : s == g.find(g.leaves[0].shape[1]) ? b : c;
            v.extent.push_back(extent);
            count *= static_cast<std::size_t>(extent);
        }
        for (std::size_t i = 0; i < count; ++i) {
            state = state * 6364136223846793005u + 1442695040888963407u;
            v.at.push_back(l.type == element::int32 ? static_cast<double>((state >> 40) % 3) : arena::stored_as(l.type, static_cast<double>(state >> 40) / (1 << 23) - 1));
        }
        out.push_back(v);
    }
    return out;
}

constexpr int room = 2048;

/// One more output for `epilogues`: a layer of the first matrix, its neighbour and a row, with or without relu or gelu.
void add_layer(drawn& d, unsigned seed) {
    arena& g = d.g;
    int made = g.dot(g.leaves[0].node, g.leaves[2].node);
    if (seed % 3 != 0) made = g.apply(code<op::add>, made, g.leaves[4].node);
    if (seed % 3 != 1) made = g.apply(seed % 2 == 0 ? code<op::relu> : code<op::gelu>, made);
    if (seed % 5 == 0) made = g.dot(made, g.leaves[1].node);
    // Behind the other outputs, in front of the updates.
    d.roots.push(made);
    for (int i = d.roots.size() - 1; i > d.outputs; --i) d.roots[i] = d.roots[i - 1];
    d.roots[d.outputs] = made;
    ++d.outputs;
}

int with_epilogue = 0, with_batch = 0;  // products that had one
int joined = 0;                          // launches of several loops

/// What is wrong with a seed; empty where nothing is.
std::string failure(unsigned seed, int steps, bool rewrites, unsigned abilities, bool batches) {
    const bool epilogues = (abilities & takes_epilogues) != 0;
    drawn d;
    draw(d, seed, steps, {0, 1, 2, 3}, batches);
    if (epilogues && !d.g.failed()) add_layer(d, seed);
    if (d.g.failed()) return "error: " + std::string(d.g.error.view());
    vec<int> before;
    for (int i = 0; i < d.roots.size(); ++i) before.push(d.roots[i]);
    const int made = d.g.nodes.size();
    constexpr std::int64_t sizes[][3] = {{3, 4, 2}, {1, 1, 1}, {5, 2, 3}, {0, 3, 2}, {2, 0, 1}};
    std::vector<std::vector<values>> given, expected;
    std::vector<bool> finite;
    for (const auto& e : sizes) {
        given.push_back(arguments(d.g, seed, e[0], e[1], e[2]));
        graph_evaluator oracle(d.g, given.back());
        std::vector<values> out;
        for (int i = 0; i < before.size(); ++i) out.push_back(oracle.of(before[i]));
        expected.push_back(out);
        finite.push_back(oracle.finite);
    }
    (void)made;
    // Roots are values of the parameters' shape from here on, as after tracing.
    for (int i = d.outputs; i < d.roots.size(); ++i) d.roots[i] = d.g.broadcast(d.roots[i], d.g[d.targets[i - d.outputs]].shape);
    rewrite_counts counts;
    rewrite(d.g, d.roots, rewrites, counts);
    const auto p = std::make_unique<program<room>>();
    vec<update_of> updates;
    for (int i = d.outputs; i < d.roots.size(); ++i) updates.push({d.targets[i - d.outputs], d.roots[i]});
    freeze(d.g, d.roots, d.outputs, updates, *p);
    if (!p->fits()) return "too large";
    const auto l = std::make_unique<plan<room>>(make_plan<room>(*p, abilities));
    if (!l->fits()) return "the plan is too large";
    for (const step& s : l->steps) {
        with_epilogue += s.epilogue != 0 ? 1 : 0;
        with_batch += s.batch != 0 ? 1 : 0;
        joined += s.together > 1 ? 1 : 0;
    }
    for (std::size_t k = 0; k < given.size(); ++k) {
        plan_runner runner(*l, *p, given[k]);
        try {
            runner.run();
        } catch (const std::logic_error& e) {
            return "size " + std::to_string(k) + ", step " + std::to_string(runner.ran - 1) + ": " + e.what();
        }
        if (!finite[k]) continue;  // the mean of nothing, times 0: rewriting is free to see a 0 there
        int first_output = 0;
        while (l->buffers[first_output].what != buffer_kind::output) ++first_output;
        for (int i = 0; i < d.roots.size(); ++i) {
            const int buffer = i < d.outputs ? first_output + i : static_cast<int>(d.g[d.targets[i - d.outputs]].bits);
            const std::vector<double>& got = runner.buffer(buffer);
            const values& want = expected[k][static_cast<std::size_t>(i)];
            double scale = 1;
            for (const double w : want.at)
                if (std::isfinite(w) && std::fabs(w) > scale) scale = std::fabs(w);
            // An update of fewer elements than its parameter is repeated.
            for (std::size_t j = 0; j < got.size(); ++j) {
                if (want.at.size() != got.size()) break;
                const double w = want.at[j];
                // 1 / n may move out of a sum over nothing, where n is 0.
                if (!std::isfinite(w) || (k >= 3 && std::isnan(got[j]))) continue;
                if (!(std::fabs(got[j] - w) <= 1e-8 * scale))
                    return "size " + std::to_string(k) + ", root " + std::to_string(i) + ", element " + std::to_string(j) + ": " + std::to_string(got[j]) + " is not " + std::to_string(w);
            }
        }
    }
    return "";
}

}  // namespace

TEST_CASE("random graphs give the same numbers rewritten and fused") {
    const char* from = std::getenv("CROTON_SEED");
    const char* count = std::getenv("CROTON_SEEDS");
    const unsigned first = from ? static_cast<unsigned>(std::atoi(from)) : 0, seeds = count ? static_cast<unsigned>(std::atoi(count)) : 400;
    for (unsigned seed = first; seed < first + seeds; ++seed)
        for (const int mode : {0, 1, 2, 3, 7, 8, 11, 16, 19, 31}) {
            const unsigned abilities = ((mode & 1) != 0 ? fuses_loops : 0) | ((mode & 4) != 0 ? takes_epilogues : 0) | ((mode & 16) != 0 ? joins_loops : 0);
            const std::string wrong = failure(seed, 6 + static_cast<int>(seed % 20), (mode & 2) != 0, abilities, (mode & 8) != 0);
            if (!wrong.empty()) MESSAGE("seed " << seed << ", mode " << mode << ": " << wrong);
            CHECK(wrong.empty());
        }
    // Most of the layers that were added.
    CHECK(with_epilogue > static_cast<int>(seeds) / 4);
    CHECK(with_batch > static_cast<int>(seeds) / 4);
    CHECK(joined > static_cast<int>(seeds) / 4);
}
