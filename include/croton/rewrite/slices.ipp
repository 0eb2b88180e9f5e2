// SPDX-License-Identifier: MIT
// A slice moves towards the leaves: elementwise operators, sums along other axes and products of matrices compute only what it shows.

namespace croton::inline v0_1::detail {

constexpr int builder::slice(int a, int axis, size_ref start, size_ref extent, std::int64_t step) {
    const node n = g.nodes.at[a];
    const auto stays = [&] { return structure::slice::of(g, a, axis, start, extent, step); };
    if (is_shared(a) || g.same(extent, n.shape.extent[axis])) return stays();
    // An argument along whose axes the result lies from the last one back; what it repeats it repeats still.
    const auto part = [&](int x) {
        if (x < 0) return x;
        const int own = axis - (n.shape.rank - g.nodes.at[x].shape.rank);
        return own < 0 || g.find(g.nodes.at[x].shape.extent[own]) == 1 ? x : slice(x, own, start, extent, step);
    };
    const bool deriving = g.deriving;
    int made = -1;
    if (n.what == tag<structure::apply>) {
        const int x = part(n.in[0]), y = part(n.in[1]), z = part(n.in[2]);
        g.deriving = n.derived;
        made = apply(n.fn, x, y, z);
    } else if (n.what == tag<structure::cast>) {
        const int x = part(n.in[0]);
        g.deriving = n.derived;
        made = cast(n.type, x);
    } else if (n.what == tag<structure::reduce> && ((n.bits >> axis) & 1) == 0) {
        const int x = slice(n.in[0], axis, start, extent, step);
        g.deriving = n.derived;
        made = reduce(n.fn, static_cast<unsigned>(n.bits), x);
    } else if (n.what == tag<structure::dot> && n.shape.rank <= 2) {
        // Rows of the first matrix, or columns of the second.
        const int left = axis == 0 ? slice(n.in[0], 0, start, extent, step) : n.in[0];
        const int right = axis == 1 ? slice(n.in[1], 1, start, extent, step) : n.in[1];
        g.deriving = n.derived;
        made = dot(left, right);
    } else {
        return stays();
    }
    g.deriving = deriving;
    fired.add(rule::slice);
    return made;
}

}  // namespace croton::inline v0_1::detail
