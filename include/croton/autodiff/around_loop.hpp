// SPDX-License-Identifier: MIT
// What of a loop's turns is computed for all of them at once: before the loop what elements alone decide, behind it what only leaves the loop.
#ifndef CROTON_AUTODIFF_AROUND_LOOP_HPP
#define CROTON_AUTODIFF_AROUND_LOOP_HPP

#include <croton/autodiff/vmap.hpp>

namespace croton::inline v0_1::detail {

/// Moves work out of the turns of a loop that is about to be made. What moves is a sequence more that lies in memory, or one that lies there longer, so
/// that only what gains by it moves: products with what is the same for each turn, which are one product of all turns; rows of such a table; functions that take
/// long, behind the loop those of few numbers, which fill no register in a turn; and, before the loop, what needs a pass of its own in each turn (sums and other
/// routines). Other elementwise work costs nothing where it stands.
class turn_mover {
public:
    constexpr turn_mover(arena& graph, int loop, size_ref turns) : g(graph), loop_(loop), turns_(turns), batch_(graph, turns) {}

    /// `roots`, what turns leave, and `elements` of `sequences` become those of the loop without what moves before it. `whole`: the loop has all of its turns.
    constexpr void before(vec<int>& elements, vec<int>& sequences, vec<int>& roots, bool whole) {
        find_regions(g, masks_);
        const int count = g.nodes.size();
        vec<char> stays(count, 0), movable(count, 0), seen(count, 0);
        bool any = false;
        for (int id = 0; id < count; ++id) {
            if (!is_inside(id)) continue;
            const node& n = g.nodes.at[id];
            if (is_given(n)) {
                stays.at[id] = role_of(n.bits) != turn_role::element;
                continue;
            }
            stays.at[id] = !is_of_turn(id) || !g.structure_of(n).batches || n.shape.rank == max_rank;
            for (const int a : n.in)
                if (a >= 0 && stays.at[a] != 0) stays.at[id] = 1;
            movable.at[id] = stays.at[id] == 0 && gains_before(n, whole);
            any = any || movable.at[id] != 0;
        }
        if (!any) return;
        // The outermost of what gains: the rest of it is computed on the way.
        vec<int> open, found;
        const auto visit = [&](int id) {
            if (id < 0 || seen.at[id] != 0 || !is_inside(id)) return;
            seen.at[id] = 1;
            (movable.at[id] != 0 ? found : open).push(id);
        };
        for (const int r : roots) visit(r);
        while (!open.empty()) {
            const int id = open.back();
            open.pop();
            for (const int a : g.nodes.at[id].in) visit(a);
        }
        if (found.empty()) return;
        for (int j = 0; j < elements.size(); ++j) batch_.stands_for(elements[j], sequences[j]);
        substitution moved(g);
        for (const int id : found) {
            const node n = g.nodes.at[id];
            sequences.push(batched(batch_, id));
            elements.push(structure::turn_value::of(g, loop_, turn_role::element, sequences.size() - 1, n.type, n.shape));
            batch_.stands_for(elements.back(), sequences.back());
            moved.put(id, elements.back());
            if (g.failed()) return;
        }
        for (int& r : roots) r = moved.take(r, masks_, bit_of_loop(loop_));
    }

    /// Finds which of `outs`, what a loop with all of its turns gives out, are computed behind it: nothing that it carries on, `next`, depends on those.
    /// Each is as large as the products and the functions that it is made of, so that only what these take is stored besides.
    constexpr void behind(const vec<int>& elements, const vec<int>& sequences, const vec<int>& next, const vec<int>& outs) {
        find_regions(g, masks_);
        const int count = g.nodes.size();
        needed_.assign(count, 0);
        for (const int n : next) mark(n, needed_);
        changes_.assign(count, 0);
        for (int id = 0; id < count; ++id) {
            const node& n = g.nodes.at[id];
            if (is_given(n)) changes_.at[id] = role_of(n.bits) != turn_role::element;
            for (const int a : n.in)
                if (a >= 0 && changes_.at[a] != 0) changes_.at[id] = 1;
        }
        vec<char> given_out(count, 0);
        for (const int o : outs) mark(o, given_out);
        behind_.assign(count, 0);
        const auto find = [&] {
            bool any = false;
            for (int id = 0; id < count; ++id) {
                if (given_out.at[id] == 0 || needed_.at[id] != 0 || behind_.at[id] == pinned) continue;
                const node& n = g.nodes.at[id];
                bool is = is_product_of_turns(id) || (is_of_turn(id) && takes_long(n, most_in_register));
                for (const int a : n.in) is = is || (a >= 0 && behind_.at[a] == 1);
                behind_.at[id] = is ? 1 : 0;
                any = any || is;
            }
            return any;
        };
        if (!find()) return;
        for (int id = count - 1; id >= 0; --id) {
            if (behind_.at[id] == 1 && !is_as_large(id)) behind_.at[id] = pinned;
            if (behind_.at[id] == pinned)
                for (const int a : g.nodes.at[id].in)
                    if (a >= 0 && behind_.at[a] == 1) behind_.at[a] = pinned;
        }
        if (!find()) return;
        for (int j = 0; j < elements.size(); ++j) batch_.stands_for(elements[j], sequences[j]);
        vec<char> seen(count, 0);
        vec<int> open;
        for (const int o : outs)
            if (is_behind(o)) open.push(o);
        while (!open.empty()) {
            const int id = open.back();
            open.pop();
            for (const int a : g.nodes.at[id].in) {
                if (a < 0 || seen.at[a] != 0 || !is_inside(a)) continue;
                seen.at[a] = 1;
                if (behind_.at[a] == 1) open.push(a);
                else keep(a);
            }
        }
    }
    constexpr bool is_behind(int out) const { return out < behind_.size() && behind_.at[out] == 1; }
    /// The values of turns that a loop stacks for what is computed behind it.
    constexpr const vec<int>& kept() const { return kept_; }
    /// What the turns of loop `repeat` give out as `out`, computed behind it.
    constexpr int computed_behind(int repeat, int out) {
        const int loop = loop_;
        for (const int k : kept_) {
            const node n = g.nodes.at[k];
            const bool given = n.what == tag<structure::turn_value> && loop_of(n.bits) == loop;
            if (!given) batch_.stands_for(k, structure::turn_part::stack(g, repeat, k));
            else if (role_of(n.bits) == turn_role::turn) batch_.stands_for(k, structure::arange::of(g, element::int64, turns_));
            else batch_.stands_for(k, structure::turn_part::before(g, repeat, index_of_turn(n.bits), k));
        }
        return batched(batch_, out);
    }

private:
    arena& g;
    int loop_;
    size_ref turns_;
    batching batch_;  // all turns
    vec<loop_mask> masks_;
    vec<char> needed_;  // by node: what is carried on depends on it
    vec<char> changes_;  // by node: more than elements decide it
    vec<char> behind_;  // by node: it is computed behind the loop, or `pinned`: it would be, but for what is made of it
    vec<int> kept_;
    static constexpr char pinned = 2;

    constexpr bool is_inside(int id) const { return (masks_.at[id] & bit_of_loop(loop_)) != 0; }
    /// Whether it is a value of a turn, and of no turn of a loop within.
    constexpr bool is_of_turn(int id) const { return is_inside(id) && masks_.at[id] >> loop_ == 1; }
    constexpr bool is_given(const node& n) const { return n.what == tag<structure::turn_value> && loop_of(n.bits) == loop_; }

    constexpr void mark(int root, vec<char>& on) const {
        vec<int> open;
        const auto visit = [&](int id) {
            if (id < 0 || on.at[id] != 0 || !is_inside(id)) return;
            on.at[id] = 1;
            open.push(id);
        };
        visit(root);
        while (!open.empty()) {
            const int id = open.back();
            open.pop();
            for (const int a : g.nodes.at[id].in) visit(a);
        }
    }

    constexpr bool is_product_of_turns(int id) const {
        const node& n = g.nodes.at[id];
        return n.what == tag<structure::dot> && is_of_turn(id) && is_inside(n.in[0]) != is_inside(n.in[1]);
    }
    constexpr bool is_elementwise(const node& n) const {
        return n.what == tag<structure::apply> || n.what == tag<structure::cast> || n.place == placement::alias || n.place == placement::layout || n.place == placement::window;
    }
    /// Whether a node has all that its arguments have.
    constexpr bool is_as_large(int id) const {
        const node& n = g.nodes.at[id];
        if (!is_of_turn(id) || n.shape.rank == max_rank || !g.structure_of(n).batches) return false;
        return is_elementwise(n) || is_product_of_turns(id) || n.what == tag<structure::concatenate> || n.what == tag<structure::softmax> || n.what == tag<structure::log_softmax>;
    }
    /// Notes what is stacked for `id`, which is no product: what it is made of by elementwise operators, where that is one value, or itself.
    constexpr void keep(int id) {
        vec<int> open, found;
        vec<char> seen(g.nodes.size(), 0);
        open.push(id);
        while (!open.empty()) {
            const int a = open.back();
            open.pop();
            const node& n = g.nodes.at[a];
            if (is_given(n) && role_of(n.bits) == turn_role::element) continue;
            if (is_given(n) || (needed_.at[a] != 0 && changes_.at[a] != 0) || !is_elementwise(n) || n.shape.rank == max_rank) {
                found.push(a);
                continue;
            }
            for (const int b : n.in)
                if (b >= 0 && is_inside(b) && seen.at[b] == 0) {
                    seen.at[b] = 1;
                    open.push(b);
                }
        }
        if (found.size() > 1) {
            found.clear();
            found.push(id);
        }
        for (const int f : found) {
            bool known = false;
            for (const int k : kept_) known = known || k == f;
            if (!known) kept_.push(f);
        }
    }

    static constexpr int most_elements = 4096, most_in_register = 8;  // of which a kernel of a turn makes short work, as it does of all turns; of which it does not

    /// Whether an operator takes much longer than to store what it gives and to read it again, where there are no more than so many elements of it. Unknown extents are few
    /// among many and many among few.
    constexpr bool takes_long(const node& n, std::int64_t most) const {
        if (n.what != tag<structure::apply> || g.facts(n.fn).kind != op::typing::floating) return false;
        for (const int plain : {code<op::sqrt>, code<op::floor>, code<op::ceil>, code<op::trunc>, code<op::round>, code<op::copysign>, code<op::fma>})
            if (n.fn == plain) return false;
        std::int64_t known = 1;
        for (int i = 0; i < n.shape.rank; ++i)
            if (const size_ref extent = g.find(n.shape[i]); known <= most && (extent > 0 || most < most_elements)) known *= extent > 0 ? extent : most_elements;
        return known <= most;
    }
    constexpr bool gains_before(const node& n, bool whole) const {
        if (n.what == tag<structure::dot>) return true;
        if (n.what == tag<structure::gather>) return !is_inside(n.in[0]);
        // A routine that fails would fail for turns that there are not.
        if (n.place == placement::call) return whole || g.structure_of(n).routine(n)->failure.empty();
        return n.what == tag<structure::reduce> || n.what == tag<structure::softmax> || n.what == tag<structure::log_softmax> || n.what == tag<structure::logsumexp> || takes_long(n, most_elements);
    }
};

}  // namespace croton::inline v0_1::detail

#endif
