// SPDX-License-Identifier: MIT
// The normal form of a lambda as text, for tests that look at what the rewrites made of it.
#ifndef CROTON_TESTS_REWRITE_NORMAL_HPP
#define CROTON_TESTS_REWRITE_NORMAL_HPP

#include <sstream>
#include <string>

#include <croton/croton.hpp>

namespace rewrite_tests {

using namespace croton::detail;

template <class Nodes, class Find> void write(std::ostream& out, const Nodes& nodes, int id, const Find& find) {
    const node& n = nodes[id];
    std::string name;
    switch (n.what) {
    case tag<structure::input>: out << static_cast<char>('a' + n.bits); return;
    case tag<structure::literal>: out << (croton::is_floating(n.type) ? std::bit_cast<double>(n.bits) : static_cast<double>(n.bits)); return;
    case tag<structure::size>: out << "size"; return;
    case tag<structure::arange>: out << "arange"; return;
    case tag<structure::apply>: name = operator_table.at[n.fn].name; break;
    case tag<structure::cast>: name = "cast"; break;
    case tag<structure::reduce>: name = reduction_names[n.fn]; break;
    case tag<structure::view>: name = n.shape.rank == 2 && view_axis(n.bits, 0) == 1 && view_axis(n.bits, 1) == 0 ? "T" : "view"; break;
    case tag<structure::reshape>: name = "reshape"; break;
    case tag<structure::broadcast>: name = "broadcast"; break;
    case tag<structure::dot>: name = "dot"; break;
    case tag<structure::gemm>: name = "gemm"; break;
    case tag<structure::softmax>: name = "softmax"; break;
    case tag<structure::log_softmax>: name = "log_softmax"; break;
    case tag<structure::logsumexp>: name = "logsumexp"; break;
    default: name = "other"; break;
    }
    out << name << '(';
    bool first = true;
    for (const int a : n.in) {
        if (a < 0) continue;
        if (!first) out << ", ";
        first = false;
        write(out, nodes, a, find);
    }
    out << ')';
}

struct normal_form {
    arena* g;
    vec<int> roots;
};

inline std::string text_of(const arena& g, const vec<int>& roots) {
    std::ostringstream out;
    for (int i = 0; i < roots.size(); ++i) {
        if (i > 0) out << "; ";
        write(out, g.nodes, roots[i], 0);
    }
    return out.str();
}

inline int live_nodes(const arena& g, const vec<int>& roots) {
    const liveness live(g, roots);
    int count = 0;
    for (const int u : live.uses) count += u > 0 ? 1 : 0;
    return count;
}

/// What the rules make of a lambda, before anything is expanded or cut into steps: `negative(softplus(negative(a)))`, with
/// the parameters called a, b, c. Says so where a second sweep would change it again.
template <class F> std::string normal(F, bool free_algebra = false) {
    traced_program p;
    if (free_algebra) trace<with_free_algebra<F>>(p);
    else trace<F>(p);
    if (p.g.failed()) return std::string(p.g.error.view());
    vec<int> roots, no_barrier;
    for (const int o : p.outputs) roots.push(o);
    for (const update_of& u : p.updates) roots.push(u.value);
    fired_rules counts;
    normalise(p.g, roots, no_barrier, counts);
    const std::string once = text_of(p.g, roots);
    const int nodes = live_nodes(p.g, roots);
    normalise(p.g, roots, no_barrier, counts);
    const std::string twice = text_of(p.g, roots);
    if (once != twice || live_nodes(p.g, roots) != nodes) return once + " and then " + twice;
    return once;
}

/// The same with algebra::free.
template <class F> std::string normal_free(F f) { return normal(f, true); }

}  // namespace rewrite_tests

#endif
