// SPDX-License-Identifier: MIT
// A random program drawn at run time: the same graph that a compiler draws for the same seed.
#ifndef CROTON_TESTS_RANDOM_DRAWN_HPP
#define CROTON_TESTS_RANDOM_DRAWN_HPP

#include <initializer_list>
#include <tuple>

#include <croton/plan/emit.hpp>

#include "random/random_graph.hpp"

namespace random_programs {

using namespace croton::detail;

using croton::dim;
using parameters = std::tuple<croton::shared<croton::matrix<double, dim("a"), dim("b")>>, croton::matrix<croton::half, dim("b"), dim("a")>,
                              croton::shared<croton::matrix<double, dim("b"), dim("b")>>, croton::shared<croton::vector<double, dim("a")>>,
                              croton::vector<croton::bfloat16, dim("b")>, croton::shared<croton::scalar<double>>,
                              croton::tensor<double, dim("a"), dim("b"), dim("c")>, croton::matrix<double, dim("a"), 1>,
                              croton::vector<int, dim("a")>>;

struct drawn {
    arena g;
    vec<int> roots, targets;
    int cost = -1;
    int outputs = 0;
};

/// The cost, one node of each of the ranks, and the new values of four parameters.
inline void draw(drawn& d, unsigned seed, int steps, std::initializer_list<int> ranks, bool batches = false) {
    arena& g = d.g;
    parameters p;
    int argument = 0;
    std::apply([&](auto&... each) { (make_parameter(g, argument++, each), ...); }, p);
    const auto& [m, n, q, u, v, s, t, k, label] = p;
    random_graph r(g, seed);
    r.batches = batches;
    r.leaf(m.id, true);
    r.leaf(g.cast(croton::element::float64, n.id), false);
    r.leaf(q.id, true);
    r.leaf(u.id, true);
    r.leaf(g.cast(croton::element::float64, v.id), false);
    r.leaf(s.id, true);
    r.leaf(t.id, false);
    r.leaf(k.id, false);
    r.label(label.id);
    r.grow(steps);
    d.cost = r.cost();
    d.roots.push(d.cost);
    for (const int rank : ranks) d.roots.push(r.of_rank(rank));
    d.outputs = d.roots.size();
    for (const int w : {m.id, q.id, u.id, s.id}) d.targets.push(w);
    r.updates(d.cost, d.roots);
}

}  // namespace random_programs

#endif
