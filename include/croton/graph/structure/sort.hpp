// SPDX-License-Identifier: MIT
// Elements in order along an axis, where they lie, and where others belong among them.
#ifndef CROTON_GRAPH_STRUCTURE_SORT_HPP
#define CROTON_GRAPH_STRUCTURE_SORT_HPP

#include <croton/core/literals.hpp>
#include <croton/graph/structures.hpp>
#include <croton/kernel/routine/sort.hpp>

namespace croton::inline v0_1::detail::structure {

/// The places along an axis of its elements in order.
struct argsort {  // bits: the axis
    static constexpr std::string_view name = "argsort"sv;
    static constexpr placement place = placement::call;
    static constexpr std::string_view no_derivative = "places are whole numbers"sv;
    static constexpr bool is_lasting = true;

    template <class B> static constexpr int batch(B& b, const node& n) { return b.along(n); }

    template <class G> static constexpr int of(G& g, int axis, int a) {
        node n = g.like(g.own_structure(structure_facts_of<later<G, argsort>>), a);
        n.type = element::int64;
        n.bits = kernel::along_axis(axis);
        return g.intern(n);
    }
    template <class G> static constexpr int again(G& g, const node& n) { return of(g, kernel::axis_of(n.bits), n.in[0]); }
    template <class N> static constexpr const kernel::routine_facts* routine(const N&) { return &kernel::routine_of<later<N, kernel::argsort>>::facts; }
};

/// The places along an axis of the `count` largest elements, the largest first.
struct topk {  // bits: the axis
    static constexpr std::string_view name = "topk"sv;
    static constexpr placement place = placement::call;
    static constexpr std::string_view no_derivative = "places are whole numbers"sv;
    static constexpr bool is_lasting = true;

    template <class B> static constexpr int batch(B& b, const node& n) { return b.along(n); }

    template <class G> static constexpr int of(G& g, int axis, size_ref count, int a) {
        node n = g.like(g.own_structure(structure_facts_of<later<G, topk>>), a);
        n.type = element::int64;
        n.bits = kernel::along_axis(axis);
        n.shape.extent[axis] = count;
        return g.intern(n);
    }
    template <class G> static constexpr int again(G& g, const node& n) { return of(g, kernel::axis_of(n.bits), n.shape.extent[kernel::axis_of(n.bits)], n.in[0]); }
    template <class N> static constexpr const kernel::routine_facts* routine(const N&) { return &kernel::routine_of<later<N, kernel::topk>>::facts; }
};

/// The second argument in the order of the places in the first, or back. Both have the shape of the result.
struct permute {  // bits: the axis, and whether it leads back
    static constexpr std::string_view name = "permute"sv;
    static constexpr placement place = placement::call;
    static constexpr bool is_lasting = true;

    template <class C> static constexpr void pull(C& c, int id) {
        const node n = c.g[id];
        c.add(n.in[1], of(c.g, kernel::axis_of(n.bits), kernel::attributes_of(n.bits) ^ kernel::permute::back, n.in[0], c.full(c.of[id], id)));
    }

    template <class B> static constexpr int batch(B& b, const node& n) { return b.along(n); }

    template <class G> static constexpr int of(G& g, int axis, std::int64_t back, int places, int a) {
        node n = g.like(g.own_structure(structure_facts_of<later<G, permute>>), a);
        n.bits = kernel::along_axis(axis, back);
        set_arguments(n, places, a);
        return g.intern(n);
    }
    template <class G> static constexpr int again(G& g, const node& n) { return of(g, kernel::axis_of(n.bits), kernel::attributes_of(n.bits), n.in[0], n.in[1]); }
    template <class N> static constexpr const kernel::routine_facts* routine(const N&) { return &kernel::routine_of<later<N, kernel::permute>>::facts; }
};

struct sort {  // bits: the axis
    static constexpr std::string_view name = "sort"sv;
    static constexpr placement place = placement::call;
    static constexpr bool is_lasting = true;

    /// Each cotangent goes back to where its element was.
    template <class C> static constexpr void pull(C& c, int id) {
        const node n = c.g[id];
        const int axis = kernel::axis_of(n.bits), places = argsort::of(c.g, axis, n.in[0]);
        c.add(n.in[0], permute::of(c.g, axis, kernel::permute::back, places, c.full(c.of[id], id)));
    }

    template <class B> static constexpr int batch(B& b, const node& n) { return b.along(n); }

    template <class G> static constexpr int of(G& g, int axis, int a) {
        node n = g.like(g.own_structure(structure_facts_of<later<G, sort>>), a);
        n.bits = kernel::along_axis(axis);
        return g.intern(n);
    }
    template <class G> static constexpr int again(G& g, const node& n) { return of(g, kernel::axis_of(n.bits), n.in[0]); }
    template <class N> static constexpr const kernel::routine_facts* routine(const N&) { return &kernel::routine_of<later<N, kernel::sort>>::facts; }
};

/// The first argument, sorted at the places in the second. A rewrite makes it of `sort`, behind all derivatives.
struct partition {  // bits: the axis
    static constexpr std::string_view name = "partition"sv;
    static constexpr placement place = placement::call;
    static constexpr std::string_view no_derivative = "most of its elements are in no order"sv;
    static constexpr bool is_lasting = true;

    template <class B> static constexpr int batch(B& b, const node& n) { return sort::of(b.g, kernel::axis_of(n.bits) + 1, b.at(n.in[0])); }

    template <class G> static constexpr int of(G& g, int axis, int a, int places) {
        node n = g.like(g.own_structure(structure_facts_of<later<G, partition>>), a);
        n.bits = kernel::along_axis(axis);
        set_arguments(n, a, places);
        return g.intern(n);
    }
    template <class G> static constexpr int again(G& g, const node& n) { return of(g, kernel::axis_of(n.bits), n.in[0], n.in[1]); }
    template <class N> static constexpr const kernel::routine_facts* routine(const N&) { return &kernel::routine_of<later<N, kernel::partition>>::facts; }
};

/// Where each element of the second argument belongs in the first, which is sorted, or whether it is there.
struct searchsorted {  // bits: no axis, and the side or `among`
    static constexpr std::string_view name = "searchsorted"sv;
    static constexpr placement place = placement::call;
    static constexpr std::string_view no_derivative = "places are whole numbers"sv;
    static constexpr bool is_lasting = true;

    template <class B> static constexpr int batch(B& b, const node& n) {
        if (b.varies(n.in[0]) && !b.g.failed()) b.g.error << "vmap: searchsorted looks in one array that is sorted, not in another for each";
        return of(b.g, kernel::attributes_of(n.bits), b.at(n.in[0]), b.whole(n.in[1]));
    }

    template <class G> static constexpr int of(G& g, std::int64_t side, int sorted, int a) {
        node n = g.like(g.own_structure(structure_facts_of<later<G, searchsorted>>), a);
        n.type = side == kernel::search::among ? element::boolean : element::int64;
        n.bits = kernel::along_axis(kernel::no_axis, side);
        set_arguments(n, sorted, a);
        return g.intern(n);
    }
    template <class G> static constexpr int again(G& g, const node& n) { return of(g, kernel::attributes_of(n.bits), n.in[0], n.in[1]); }
    template <class N> static constexpr const kernel::routine_facts* routine(const N&) { return &kernel::routine_of<later<N, kernel::search>>::facts; }
};

}  // namespace croton::inline v0_1::detail::structure

#endif
