// SPDX-License-Identifier: MIT
// A random program drawn at run time: the same graph that a compiler draws for the same seed.
#ifndef CROTON_TESTS_RANDOM_DRAWN_HPP
#define CROTON_TESTS_RANDOM_DRAWN_HPP

#include <initializer_list>
#include <tuple>
#include <vector>

#include <croton/plan/emit.hpp>

#include "random/random_graph.hpp"

namespace random_programs {

using namespace croton::detail;

using croton::dim;
using parameters = std::tuple<croton::shared<croton::matrix<double, dim("a"), dim("b")>>, croton::matrix<croton::half, dim("b"), dim("a")>,
                              croton::shared<croton::matrix<double, dim("b"), dim("b")>>, croton::shared<croton::vector<double, dim("a")>>,
                              croton::vector<croton::bfloat16, dim("b")>, croton::shared<croton::scalar<double>>,
                              croton::tensor<double, dim("a"), dim("b"), dim("c")>, croton::matrix<double, dim("a"), 1>,
                              croton::vector<int, dim("a")>, croton::shared<croton::vector<double>>>;

/// Programs of these seeds learn late what some of their extents are, and that is what they are in `tied_sizes`.
constexpr bool ties_late(unsigned seed) { return seed % 3 == 1; }
inline constexpr std::int64_t tied_sizes[3] = {3, 4, 2};

/// Grows a program from its parameters.
constexpr void grow(random_graph& r, arena& g, unsigned seed, int steps, int m, int n, int q, int u, int v, int s, int t, int k, int label, int z) {
    r.leaf(m, true);
    r.leaf(structure::cast::of(g, croton::element::float64, n), false);
    r.leaf(q, true);
    r.leaf(u, true);
    r.leaf(structure::cast::of(g, croton::element::float64, v), false);
    r.leaf(s, true);
    r.leaf(t, false);
    r.leaf(k, false);
    r.leaf_with_zeros(z);
    r.label(label);
    // z has as many elements as m has columns, which is known only when some of them have been computed with.
    const auto after = [&](unsigned salt) { return static_cast<int>((seed * salt >> 4) % static_cast<unsigned>(2 * steps)); };
    const shape of_t = g[t].shape;
    r.tie(g[z].shape[0], of_t[1], after(2654435761u) / 4);
    if (ties_late(seed)) {
        const unsigned which = seed / 3 % 7;
        if ((which + 1) & 1u) r.tie(of_t[0], tied_sizes[0], after(40503u));
        if ((which + 1) & 2u) r.tie(of_t[1], tied_sizes[1], after(69069u));
        if ((which + 1) & 4u) r.tie(g.product(of_t[1], of_t[2]), tied_sizes[1] * tied_sizes[2], after(22695477u));
    }
    r.grow(steps);
}

struct drawn {
    arena g;
    vec<int> roots, targets, gradients;
    vec<int> reached, seconds;  // for which targets there is a second derivative, and it
    int cost = -1;
    int slope = -1;  // a number made of the gradients, of which `seconds` are the derivatives
    int outputs = 0;
};

/// Whether a number is computed from a leaf.
inline bool depends(const arena& g, int id, int leaf) {
    std::vector<char> live(static_cast<std::size_t>(g.nodes.size()), 0);
    std::vector<int> open{id};
    while (!open.empty()) {
        const int at = open.back();
        open.pop_back();
        if (at == leaf) return true;
        if (!croton::is_floating(g[at].type) || live[static_cast<std::size_t>(at)]++ != 0) continue;
        for (const int a : g[at].in)
            if (a >= 0) open.push_back(a);
    }
    return false;
}

/// A number made of derivatives, each with a weight of its own.
inline int weighted_sum(arena& g, const vec<int>& parts) {
    int total = -1;
    for (int i = 0; i < parts.size(); ++i) {
        const unsigned axes = (1u << g[parts[i]].shape.rank) - 1;
        const int sum = drop_axes(g, structure::reduce::of(g, reduction_code<croton::reduction::sum>, axes, parts[i]), axes);
        const int part = g.apply(code<croton::op::multiply>, sum, g.literal(croton::element::float64, 1 - 0.375 * i));
        total = total < 0 ? part : g.apply(code<croton::op::add>, total, part);
    }
    return total;
}

/// The cost, one node of each of the ranks, the second derivatives if asked for, and the new values of five parameters.
inline void draw(drawn& d, unsigned seed, int steps, std::initializer_list<int> ranks, bool batches = false, bool twice = false, bool parts = false, int loops = 0) {
    arena& g = d.g;
    parameters p;
    int argument = 0;
    std::apply([&](auto&... each) { (make_parameter(g, argument++, each), ...); }, p);
    random_graph r(g, seed);
    r.batches = batches;
    r.parts = parts;
    r.loops = loops;
    std::apply([&](const auto&... each) { grow(r, g, seed, steps, each.id...); }, p);
    std::apply([&](const auto& m, const auto&, const auto& q, const auto& u, const auto&, const auto& s, const auto&, const auto&, const auto&, const auto& z) {
        // By a name: in a lambda like this nvcc loses a list in braces.
        const int ids[] = {m.id, q.id, u.id, s.id, z.id};
        for (const int w : ids) d.targets.push(w);
    }, p);
    d.cost = r.cost();
    d.roots.push(d.cost);
    for (const int rank : ranks) d.roots.push(r.of_rank(rank));
    if (twice) {
        reverse_walk(g, croton::detail::rules_of_tables<void>::all).run(d.cost, d.targets, d.gradients);
        d.slope = weighted_sum(g, d.gradients);
        for (const int w : d.targets)
            if (depends(g, d.slope, w)) d.reached.push(w);
        if (!d.reached.empty()) reverse_walk(g, croton::detail::rules_of_tables<void>::all).run(d.slope, d.reached, d.seconds);
        d.roots.push(d.slope);
        for (const int s : d.seconds) d.roots.push(s);
    }
    d.outputs = d.roots.size();
    r.updates(d.cost, d.roots);
    r.tie_remaining();
}

}  // namespace random_programs

#endif
