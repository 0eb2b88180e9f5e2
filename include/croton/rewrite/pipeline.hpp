// SPDX-License-Identifier: MIT
// The order of the passes.
#ifndef CROTON_REWRITE_PIPELINE_HPP
#define CROTON_REWRITE_PIPELINE_HPP

#include <croton/rewrite/blas.hpp>
#include <croton/rewrite/expand.hpp>
#include <croton/rewrite/losses.hpp>
#include <croton/rewrite/merged_loops.hpp>
#include <croton/rewrite/picked.hpp>
#include <croton/rewrite/roots.hpp>
#include <croton/rewrite/scattered.hpp>
#include <croton/rewrite/shifted.hpp>
#include <croton/rewrite/sorted.hpp>

namespace croton::inline v0_1::detail {

/// Rewrites what the roots need. `full` is off on the reference device: then only what has no loop of its own is expanded.
constexpr void rewrite(arena& g, vec<int>& roots, bool full, fired_rules& counts) {
    g.settle_sizes();
    structure::stand_in::drop(g, roots);
    if (full) {
        vec<int> no_barrier;
        normalise(g, roots, no_barrier, counts);
    } else {
        for (int i = 0; i < roots.size(); ++i) roots.at[i] = current(g, roots.at[i]);
    }
    // From here on every node speaks for itself.
    g.rewritten.clear();
    if (full) {
        loop_merger(g, counts).run(roots);
        keep_small_losses(g, roots);
        free_roots(g, roots, counts);
        scattered_pass(g, counts).run(roots);
        shifted_pass(g, counts).run(roots);
        picked_pass(g, counts).run(roots);
        sort_once(g, roots, counts);
        sort_where_read(g, roots, counts);
        blas_pass(g, counts).run(roots);
    }
    expand(g, roots);
}

}  // namespace croton::inline v0_1::detail

#endif
