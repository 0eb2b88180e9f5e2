// SPDX-License-Identifier: MIT
// A slice moves towards the leaves: elementwise operators, sums along other axes and products of matrices compute only what it shows. Its
// derivative stands among zeros, and what stands side by side there is joined.

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
    } else if (n.what == tag<structure::dot>) {
        // Of more axes the last two are those of the matrices, and each in front is one of both.
        const int left = axis == n.shape.rank - 1 ? n.in[0] : part(n.in[0]);
        const int right = axis == n.shape.rank - 2 ? n.in[1] : part(n.in[1]);
        g.deriving = n.derived;
        made = dot(left, right);
    } else {
        return stays();
    }
    g.deriving = deriving;
    fired.add(rule::slice);
    return made;
}

/// What is joined along an axis, one behind the other.
constexpr void builder::list_pieces(vec<int>& pieces, int id, int axis) const {
    const node& n = g.nodes.at[id];
    if (n.what != tag<structure::concatenate> || n.bits != axis || is_shared(id)) return pieces.push(id);
    list_pieces(pieces, n.in[0], axis);
    list_pieces(pieces, n.in[1], axis);
}

/// The sum of two arrays that have zeros where the other has something, as its pieces; -1 where it is none.
constexpr int builder::sum_of_padded(int a, int b) {
    const int axis = static_cast<int>(g.nodes.at[a].bits);
    if (!g.same_shape(g.nodes.at[a].shape, g.nodes.at[b].shape)) return -1;
    vec<int> left, right;
    list_pieces(left, a, axis);
    list_pieces(right, b, axis);
    const auto extent = [&](const vec<int>& pieces, int i) { return i < pieces.size() ? g.find(g.nodes.at[pieces.at[i]].shape.extent[axis]) : 0; };
    size_ref x = extent(left, 0), y = extent(right, 0);  // what is left of the pieces, of which only zeros are divided
    int made = -1;
    for (int i = 0, j = 0; i < left.size() || j < right.size();) {
        if (i == left.size() || j == right.size()) return -1;
        const int p = left.at[i], q = right.at[j];
        const bool fits = is_zeros(g, q) && g.is_at_most(x, y);
        if (!fits && !(is_zeros(g, p) && g.is_at_most(y, x))) return -1;
        const size_ref taken = fits ? x : y;
        int piece = fits ? p : q;
        if (is_zeros(g, piece)) {
            detail::shape s = g.nodes.at[a].shape;
            s[axis] = taken;
            piece = structure::broadcast::of(g, g.literal(g.nodes.at[a].type, 0), s);
        }
        made = made < 0 ? piece : structure::concatenate::of(g, axis, made, piece);
        x = g.rest_of(x, taken);
        y = g.rest_of(y, taken);
        if (x == 0) x = extent(left, ++i);
        if (y == 0) y = extent(right, ++j);
    }
    (void)g.unify(g.nodes.at[made].shape.extent[axis], g.nodes.at[a].shape.extent[axis], tie::declaration);
    return made;
}

/// Pieces among zeros, which the derivatives of slices are, are joined where their sum would add zeros.
constexpr void builder::join_padded(sum_list& list) {
    const auto is_padded = [&](const sum_term& t) {
        if (t.coefficient != 1 || g.nodes.at[t.body].what != tag<structure::concatenate> || is_shared(t.body)) return false;
        vec<int> pieces;
        list_pieces(pieces, t.body, static_cast<int>(g.nodes.at[t.body].bits));
        for (const int p : pieces)
            if (is_zeros(g, p)) return true;
        return false;
    };
    for (int i = 0; i < list.terms.size(); ++i)
        for (int j = 0; is_padded(list.terms.at[i]) && j < list.terms.size(); ++j) {
            if (i == j || !is_padded(list.terms.at[j]) || g.nodes.at[list.terms.at[i].body].bits != g.nodes.at[list.terms.at[j].body].bits) continue;
            const int made = sum_of_padded(list.terms.at[i].body, list.terms.at[j].body);
            if (made < 0) continue;
            list.terms.at[i].body = made;
            remove(list, j);
            if (j < i) --i;
            fired.add(rule::padded_joined);
            j = -1;
        }
}

}  // namespace croton::inline v0_1::detail
