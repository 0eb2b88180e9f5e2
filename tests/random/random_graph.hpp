// SPDX-License-Identifier: MIT
// Draws programs: the same seed gives the same graph while compiling and at run time.
#ifndef CROTON_TESTS_RANDOM_GRAPH_HPP
#define CROTON_TESTS_RANDOM_GRAPH_HPP

#include <cstdint>
#include <limits>
#include <tuple>
#include <type_traits>

#include <croton/autodiff/grad.hpp>
#include <croton/autodiff/scan.hpp>
#include <croton/graph/structure/linear.hpp>
#include <croton/ops/along.hpp>
#include <croton/ops/nn.hpp>

namespace random_programs {

using croton::max_rank;
using croton::detail::arena;
using croton::detail::code;
namespace structure = croton::detail::structure;
using croton::detail::new_axis;
using croton::detail::reduction_code;
using croton::detail::shape;
using croton::detail::size_ref;
using croton::detail::tag;
using croton::detail::vec;
namespace op = croton::op;
namespace reduction = croton::reduction;

/// Grows a graph from its leaves. Every entry of the pool carries a bound on its magnitude, so that values stay moderate, and
/// a depth: what is not smooth (abs, max, comparisons) takes leaves and what is next to them only, where rounding cannot
/// move a value over the edge.
class random_graph {
public:
    constexpr random_graph(arena& graph, unsigned seed) : g(graph), state_(seed * 0x9E3779B97F4A7C15u + 0x2545F4914F6CDD1Du) {
        for (int i = 0; i < 4; ++i) below(2);
    }

    bool parts = false;    // slices and joined arrays as well
    bool batches = false;  // products of arrays of rank 3 and more as well
    int loops = 0;         // so many loops as well, each with one less in its turns

    constexpr void leaf(int id, bool updated) {
        add(id, 1.5, 0);
        if (updated) updated_.push(id);
        leaves_.push(id);
    }
    /// A leaf that may hold zeros, which nothing takes that is not smooth at 0.
    constexpr void leaf_with_zeros(int id) {
        zeros_ = id;
        add(id, 1.5, 5);
        updated_.push(id);
    }
    constexpr void label(int id) { label_ = id; }

    /// A size that turns out to be another one, or a number, after so many steps.
    constexpr void tie(size_ref a, size_ref b, int after) { ties_.push({a, b, after}); }
    constexpr void tie_remaining() { tie_until(std::numeric_limits<int>::max()); }

    constexpr void grow(int steps) {
        for (int i = 0; i < steps; ++i) {
            tie_until(i);
            if (i == steps / 2 && loops > 0) loop();
            step();
        }
    }

    /// A scalar that depends on every leaf.
    constexpr int cost() {
        int total = -1;
        for (int i = 0; i < 3; ++i) {
            const entry e = recent();
            const int part = all(g[e.id].shape.rank == 0 ? e.id : below(3) == 0 ? unary<op::square>(e.id) : e.id);
            total = total < 0 ? part : g.apply(below(3) == 0 ? code<op::multiply> : code<op::add>, total, unary<op::tanh>(part));
        }
        vec<char> live(g.nodes.size(), 0);
        live[total] = 1;
        for (int id = total; id >= 0; --id)
            if (live[id] != 0 && croton::is_floating(g[id].type))
                for (const int a : g[id].in)
                    if (a >= 0) live[a] = 1;
        for (int i = 0; i < leaves_.size(); ++i)
            if (live[leaves_[i]] == 0)
                total = g.apply(code<op::add>, total, g.apply(code<op::multiply>, all(i % 2 == 0 ? leaves_[i] : unary<op::square>(leaves_[i])), number(0.125)));
        for (const int l : looped_)
            if (live[l] == 0) total = g.apply(code<op::add>, total, unary<op::tanh>(all(l)));
        if (zeros_ >= 0 && live[zeros_] == 0) total = g.apply(code<op::add>, total, drop(structure::reduce::of(g, reduction_code<reduction::prod>, 1, zeros_), 1));
        if (label_ >= 0 && live[label_] == 0) total = g.apply(code<op::add>, total, all(structure::cast::of(g, croton::element::float64, label_)));
        return total;
    }

    /// A node of the pool with this rank, or one made of the pool.
    constexpr int of_rank(int rank) {
        for (int i = 0; i < 12; ++i) {
            const entry e = recent();
            if (g[e.id].shape.rank == rank) return e.id;
        }
        const entry e = recent();
        int id = e.id;
        while (g[id].shape.rank < rank) id = insert_axis(id, static_cast<int>(below(static_cast<unsigned>(g[id].shape.rank) + 1)));
        if (g[id].shape.rank > rank) {
            unsigned axes = 0;
            while (count(axes) < g[id].shape.rank - rank) axes |= 1u << below(static_cast<unsigned>(g[id].shape.rank));
            id = drop(structure::reduce::of(g, reduction_code<reduction::sum>, axes, id), axes);
        }
        return id;
    }

    /// A new value for each updated leaf: a step along its gradient, or anything of the pool that fits.
    constexpr void updates(int cost_node, vec<int>& values) {
        vec<int> gradient;
        croton::detail::reverse_walk(g, croton::detail::rules_of_tables<void>::all).run(cost_node, updated_, gradient);
        for (int i = 0; i < updated_.size(); ++i) {
            const int w = updated_[i];
            int value = -1;
            switch (below(6)) {
            case 0: value = gradient[i]; break;
            case 1:
                for (int j = 0; j < 10 && value < 0; ++j)
                    if (const int id = recent().id; fits_into(id, w)) value = id;
                break;
            case 2:
                for (int j = 0; j < 10 && value < 0; ++j)
                    if (const int id = recent().id; fits_into(id, w)) value = g.apply(code<op::add>, w, id);
                break;
            case 3: value = g.apply(code<op::add>, g.apply(code<op::multiply>, w, number(0.875)), g.apply(code<op::multiply>, gradient[i], number(-0.25))); break;
            default: break;
            }
            if (value < 0) value = g.apply(code<op::subtract>, w, g.apply(code<op::multiply>, number(0.25), gradient[i]));
            values.push(value);
        }
    }

    constexpr const vec<int>& leaves() const { return leaves_; }

private:
    struct entry {
        int id = -1;
        double bound = 0;
        int depth = 0;
    };

    arena& g;
    std::uint64_t state_;
    vec<entry> pool_;
    vec<int> updated_, leaves_, looped_;
    int label_ = -1, zeros_ = -1;
    struct late_tie {
        size_ref a = 0, b = 0;
        int after = 0;
    };
    vec<late_tie> ties_;

    constexpr void tie_until(int steps) {
        for (late_tie& t : ties_)
            if (t.after <= steps && t.a != t.b) {
                g.unify(t.a, t.b, croton::detail::tie::reshape);
                t.b = t.a;
            }
    }

    constexpr unsigned below(unsigned n) {
        state_ ^= state_ << 13;
        state_ ^= state_ >> 7;
        state_ ^= state_ << 17;
        return static_cast<unsigned>((state_ >> 33) % n);
    }
    static constexpr int count(unsigned mask) {
        int n = 0;
        for (; mask != 0; mask &= mask - 1) ++n;
        return n;
    }

    constexpr int number(double v) { return g.literal(croton::element::float64, v); }
    template <class Op> constexpr int unary(int a) { return g.apply(code<Op>, a); }
    constexpr int all(int a) {
        const int rank = g[a].shape.rank;
        return drop(structure::reduce::of(g, reduction_code<reduction::sum>, (1u << rank) - 1, a), (1u << rank) - 1);
    }
    constexpr int drop(int a, unsigned axes) { return croton::detail::drop_axes(g, a, axes); }
    constexpr int insert_axis(int a, int at) {
        return croton::detail::insert_axes(g, a, 1u << at, g[a].shape.rank + 1);
    }

    constexpr void add(int id, double bound, int depth) {
        if (bound > 40) {
            id = unary<op::tanh>(g.apply(code<op::multiply>, id, number(0.125)));
            bound = 1;
        }
        pool_.push({id, bound, depth});
    }
    /// A type of integers, which the node decides. Of an unsigned one -1 becomes a large number.
    static constexpr croton::element some_integer(int id, bool is_index) {
        using croton::element;
        constexpr element types[] = {element::int64, element::int16, element::int8, element::uint32, element::uint16};
        return types[id % (is_index ? 5 : 3)];
    }
    constexpr entry any() { return pool_[static_cast<int>(below(static_cast<unsigned>(pool_.size())))]; }
    constexpr entry recent() {
        const int n = pool_.size();
        return below(3) == 0 || n < 6 ? any() : pool_[n - 1 - static_cast<int>(below(6))];
    }
    constexpr entry shallow() {
        for (int i = 0; i < 8; ++i) {
            const entry e = any();
            if (e.depth <= 1) return e;
        }
        return pool_[static_cast<int>(below(static_cast<unsigned>(leaves_.size())))];
    }

    constexpr bool fits(int a, int b) const {
        const shape &x = g[a].shape, &y = g[b].shape;
        for (int i = 1; i <= x.rank && i <= y.rank; ++i) {
            const size_ref p = g.find(x[x.rank - i]), q = g.find(y[y.rank - i]);
            if (p != q && p != 1 && q != 1) return false;
        }
        return true;
    }
    /// Whether `a` broadcasts to the shape of `to`.
    constexpr bool fits_into(int a, int to) const {
        if (g[a].type != g[to].type || g[a].shape.rank > g[to].shape.rank || !fits(a, to)) return false;
        for (int i = 1; i <= g[a].shape.rank; ++i)
            if (g.find(g[a].shape[g[a].shape.rank - i]) != 1 && g.find(g[to].shape[g[to].shape.rank - i]) == 1) return false;
        return true;
    }
    constexpr entry partner(int a) {
        for (int i = 0; i < 8; ++i)
            if (const entry e = i < 4 ? recent() : any(); fits(a, e.id)) return e;
        return {a, 1.5, 0};
    }
    constexpr entry partner_shallow(int a) {
        for (int i = 0; i < 8; ++i)
            if (const entry e = shallow(); fits(a, e.id)) return e;
        return {a, 1.5, 0};
    }

    constexpr void step() {
        const entry x = recent();
        const int a = x.id, rank = g[a].shape.rank, next = x.depth + 1;
        if (loops > 0 && below(4) == 0) return loop();
        if (parts && rank > 0 && below(4) == 0) return part_of(x);
        switch (below(26)) {
        case 24: {  // a product whose elements can be 0
            if (zeros_ < 0) {
                smooth(x);
                break;
            }
            const entry y = partner(zeros_);
            const int some = y.bound > 8 ? zeros_ : g.apply(code<op::multiply>, zeros_, y.id);
            const unsigned last = 1u << (g[some].shape.rank - 1);
            const int made = structure::reduce::of(g, reduction_code<reduction::prod>, below(3) == 0 ? 2 * last - 1 : last, some);
            add(unary<op::tanh>(made), 1, y.depth + 6);
            break;
        }
        case 25: {
            const entry y = shallow();
            if (g[y.id].shape.rank != 1 && g[y.id].shape.rank != 2) smooth(x);
            else position_in(y);
            break;
        }
        case 0:
        case 1: {
            const entry y = partner(a);
            add(g.apply(below(2) == 0 ? code<op::add> : code<op::subtract>, a, y.id), x.bound + y.bound, larger(x, y));
            break;
        }
        case 2:
        case 3: {
            const entry y = partner(a);
            add(g.apply(code<op::multiply>, a, y.id), x.bound * y.bound, larger(x, y));
            break;
        }
        case 4: {
            const entry y = partner(a);
            const int under = below(2) == 0 ? g.apply(code<op::add>, unary<op::square>(y.id), number(1))
                                            : g.apply(code<op::add>, number(1), unary<op::exp>(unary<op::tanh>(y.id)));
            add(g.apply(code<op::divide>, a, under), x.bound, larger(x, y));
            break;
        }
        case 5:
        case 6: smooth(x); break;
        case 7: stable_pattern(x); break;
        case 8: {
            constexpr double numbers[] = {2, -1, 0.5, -3, 0, 1, 0.25};
            const double c = numbers[below(7)];
            const int fn = below(3) == 0 ? code<op::multiply> : below(2) == 0 ? code<op::add> : code<op::subtract>;
            add(below(2) == 0 ? g.apply(fn, a, number(c)) : g.apply(fn, number(c), a), x.bound + 3 * x.bound + 3, next);
            break;
        }
        case 9: kink(); break;
        case 10:
        case 11:
            if (rank == 0) smooth(x);
            else reduction_of(x);
            break;
        case 12:
            if (rank == 0) smooth(x);
            else row(x);
            break;
        case 13:
        case 14: view_of(x); break;
        case 15: reshape_of(x); break;
        case 16:
        case 17:
        case 18: product(); break;
        case 19: choose(); break;
        case 20: {
            const entry y = partner(a);
            if (g[y.id].shape.rank > rank && fits_into(a, y.id)) add(structure::broadcast::of(g, a, g[y.id].shape), x.bound, next);
            else smooth(x);
            break;
        }
        case 21: {  // variance or normalisation along an axis
            if (rank == 0) {
                smooth(x);
                break;
            }
            const unsigned axes = 1u << below(static_cast<unsigned>(rank));
            const int mean = mean_of(a, axes);
            const int centred = g.apply(code<op::subtract>, a, mean);
            if (below(2) == 0) {
                add(centred, 2 * x.bound, next + 2);
            } else {
                const int spread = g.apply(code<op::add>, mean_of(unary<op::square>(centred), axes), number(0.5));
                add(g.apply(code<op::divide>, centred, unary<op::sqrt>(spread)), 3 * x.bound, next + 4);
            }
            break;
        }
        case 22: add(g.apply(code<op::negative>, a), x.bound, next); break;
        default: {
            if (label_ < 0) {
                smooth(x);
                break;
            }
            if (parts && below(3) != 0) {
                integers();
                break;
            }
            // Integers: labels doubled, moved and turned into numbers.
            int i = label_;
            if (below(2) == 0) i = g.apply(code<op::multiply>, i, g.literal(g[i].type, 2));
            if (below(2) == 0) i = g.apply(code<op::subtract>, i, g.literal(g[i].type, 1));
            if (below(2) == 0) i = structure::cast::of(g, some_integer(i, false), i);
            add(structure::cast::of(g, croton::element::float64, i), 6, 1);
            break;
        }
        }
    }

    /// A loop: one value or two are carried, it walks along no, one or two sequences, and takes more from outside.
    constexpr void loop() {
        --loops;
        switch (below(6)) {
        case 0: return turns<1, 0>();
        case 1: return turns<2, 0>();
        case 2: return turns<1, 2>();
        case 3: return turns<2, 1>();
        case 4: return turns<0, 1>();
        default: return turns<1, 1>();
        }
    }
    template <int States, int Sequences> constexpr void turns() {
        // What ranks there are is known to the graph alone.
        using value = croton::expr<double, 1>;
        const auto pack = [&]<int Count>(std::integral_constant<int, Count>, const vec<entry>& of) {
            if constexpr (Count == 0) return croton::none;
            else if constexpr (Count == 1) return value{&g, of[0].id};
            else return std::tuple{value{&g, of[0].id}, value{&g, of[1].id}};
        };
        const auto unpack = [](const auto& v, vec<int>& out) {
            if constexpr (croton::traced<std::remove_cvref_t<decltype(v)>>) out.push(v.id);
            else if constexpr (!std::is_same_v<std::remove_cvref_t<decltype(v)>, croton::none_t>) std::apply([&](const auto&... each) { (out.push(each.id), ...); }, v);
        };
        const auto along = [&](int axes_at_most) {
            for (int i = 0; i < 16; ++i)
                if (const entry e = recent(); g[e.id].shape.rank > 0 && g[e.id].shape.rank <= axes_at_most) return e;
            return entry{leaves_[0], 1.5, 0};
        };
        vec<entry> first, sequences;
        for (int k = 0; k < States; ++k) {
            entry e = recent();
            for (int i = 0; i < 8 && g[e.id].shape.rank > 2; ++i) e = any();
            if (g[e.id].shape.rank > 2) e = {all(e.id), 1, 3};
            if (below(4) == 0) e.id = structure::broadcast::of(g, number(0.5), g[e.id].shape);
            first.push({e.id, e.bound < 1 ? 1 : e.bound, 9});
        }
        for (int j = 0; j < Sequences; ++j) {
            entry e = along(3);
            for (int i = 0; j > 0 && i < 8 && !g.same(g[e.id].shape[0], g[sequences[0].id].shape[0]); ++i) e = along(3);
            if (j > 0 && !g.same(g[e.id].shape[0], g[sequences[0].id].shape[0])) e = {unary<op::tanh>(sequences[0].id), 1, sequences[0].depth + 1};
            sequences.push(e);
        }
        const unsigned seed = below(1u << 20), steps = 1 + below(3), outs = States == 0 ? 1 : below(3);
        const bool ends = States == 1 && Sequences == 0 && below(2) == 0;
        croton::scan_options options;
        options.reverse = below(3) == 0;
        if (!ends && below(4) == 0) options.checkpoint = static_cast<int>(below(4)) - 1;
        if (!ends && below(4) == 0) options.unroll = 2 + static_cast<int>(below(2));
        vec<entry> next, given;
        const auto turn = [&](const vec<int>& carried, const vec<int>& elements, int counted) {
            random_graph inner(g, seed);
            inner.parts = parts;
            inner.batches = batches;
            inner.loops = loops > 0 && below(3) == 0 ? 1 : 0;
            if (inner.loops > 0) --loops;
            inner.label_ = label_;
            inner.leaf(leaves_[static_cast<int>(below(static_cast<unsigned>(leaves_.size())))], false);
            const entry outside = recent();
            inner.add(outside.id, outside.bound, outside.depth);
            for (int j = 0; j < elements.size(); ++j) inner.add(elements[j], sequences[j].bound, sequences[j].depth);
            for (int k = 0; k < carried.size(); ++k) inner.add(carried[k], first[k].bound, first[k].depth);
            if (counted >= 0) inner.add(g.apply(code<op::multiply>, structure::cast::of(g, croton::element::float64, counted), number(0.125)), 5, 2);
            inner.grow(static_cast<int>(steps));
            if (below(4) == 0) {  // a derivative within the turn
                const entry e = inner.recent();
                vec<int> of, slope;
                of.push(e.id);
                croton::detail::reverse_walk(g, croton::detail::rules_of_tables<void>::all).run(inner.all(unary<op::tanh>(unary<op::square>(e.id))), of, slope);
                inner.add(slope[0], 2, e.depth + 3);
            }
            for (int k = 0; k < carried.size(); ++k) next.push(inner.next_of(carried[k], first[k].bound));
            for (unsigned i = 0; i < outs; ++i) {
                entry e = inner.recent();
                for (int t = 0; t < 8 && g[e.id].shape.rank > 3; ++t) e = inner.any();
                if (g[e.id].shape.rank > 3) e = {unary<op::tanh>(all(e.id)), 1, e.depth + 2};
                given.push(i == 1 && below(3) == 0 && !next.empty() ? next[0] : e);
            }
        };
        vec<int> made;
        const auto left = [&] {
            const auto state = pack(std::integral_constant<int, States>(), next);
            // One or two values that are given out are the same to the graph.
            while (given.size() < 2) {
                const entry again = given.empty() ? next[0] : given[0];
                given.push(again);
            }
            return croton::detail::turn_result<std::remove_const_t<decltype(state)>, std::tuple<value, value>, croton::none_t>{state, std::tuple{value{&g, given[0].id}, value{&g, given[1].id}}, croton::none};
        };
        const auto run = [&](const auto& f, const auto& xs) {
            const auto [last, stacks] = croton::scan(f, pack(std::integral_constant<int, States>(), first), xs, options);
            unpack(last, made);
            unpack(stacks, made);
        };
        if constexpr (Sequences == 0) {
            // A number of turns, or an extent of something.
            const bool some = below(2) == 0;
            const size_ref count = some ? static_cast<size_ref>(below(4)) : g.find(g[along(4).id].shape[0]);
            croton::detail::turn_count counted{&g, count};
            if (ends) counted.limit = g.apply(code<op::minimum>, g.size(croton::element::int64, count), g.literal(croton::element::int64, 2));
            run([&](const auto& state, const auto& number_of_turn) {
                vec<int> carried, none;
                unpack(state, carried);
                turn(carried, none, number_of_turn.id);
                return left();
            }, counted);
        } else if constexpr (States == 0) {
            run([&](const auto& x) {
                vec<int> none, elements;
                unpack(x, elements);
                turn(none, elements, -1);
                return left();
            }, pack(std::integral_constant<int, Sequences>(), sequences));
        } else {
            run([&](const auto& state, const auto& x) {
                vec<int> carried, elements;
                unpack(state, carried);
                unpack(x, elements);
                turn(carried, elements, -1);
                return left();
            }, pack(std::integral_constant<int, Sequences>(), sequences));
        }
        for (int k = 0; k < made.size(); ++k) {
            if (k < States || outs > 0) looped_.push(made[k]);
            if (k >= States && outs == 0) break;
            add(made[k], k < States ? first[k].bound : given[k - States].bound, 9);
        }
    }
    /// What is carried on in the place of `state`: of its shape, and with its bound.
    constexpr entry next_of(int state, double bound) {
        int made = -1;
        for (int i = 0; i < 10 && made < 0; ++i)
            if (const int id = recent().id; id != state && fits_into(id, state)) made = id;
        if (made < 0) made = all(recent().id);
        made = unary<op::tanh>(made);
        if (below(2) == 0) made = g.apply(code<op::add>, g.apply(code<op::multiply>, state, number(0.5)), g.apply(code<op::multiply>, made, number(0.5)));
        return {structure::broadcast::of(g, made, g[state].shape), bound, 9};
    }

    constexpr int larger(const entry& x, const entry& y) const { return (x.depth > y.depth ? x.depth : y.depth) + 1; }

    /// Where the largest or smallest element stands, as a number to count with.
    constexpr void position_in(const entry& x) {
        const croton::expr<double, 1> row{&g, x.id};
        const croton::expr<double, 2> rows{&g, x.id};
        int at = -1;
        if (g[x.id].shape.rank == 1) at = below(2) == 0 ? croton::argmax(row).id : croton::argmin(row).id;
        else at = below(3) == 0 ? croton::argmax(rows).id : below(2) == 0 ? croton::argmin<1>(rows).id : croton::argmax<0>(rows).id;
        add(g.apply(code<op::multiply>, structure::cast::of(g, croton::element::float64, at), number(0.125)), 5, 3);
    }

    constexpr int mean_of(int a, unsigned axes) {
        size_ref n = 1;
        for (int i = 0; i < g[a].shape.rank; ++i)
            if ((axes >> i) & 1u) n = g.product(n, g[a].shape[i]);
        return g.apply(code<op::divide>, structure::reduce::of(g, reduction_code<reduction::sum>, axes, a), g.size(croton::element::float64, n));
    }

    constexpr void smooth(const entry& x) {
        const int a = x.id, d = x.depth + 1;
        switch (below(18)) {
        case 15:
        case 16:
        case 17: function_of(x); break;
        case 9: add(unary<op::gelu>(a), x.bound, d); break;
        case 10: add(unary<op::gelu_tanh>(a), x.bound, d); break;
        case 11: add(below(2) == 0 ? unary<op::erf>(a) : unary<op::ndtr>(a), 1, d); break;
        case 12: add(unary<op::log1p>(unary<op::square>(a)), 8, d); break;
        case 13: {  // a base above 0 and an exponent that varies
            const int base = g.apply(code<op::add>, unary<op::square>(unary<op::tanh>(a)), number(0.5));
            const entry y = partner(a);
            add(g.apply(code<op::power>, base, unary<op::tanh>(y.id)), 2, larger(x, y) + 2);
            break;
        }
        case 14: {
            const entry y = partner(a);
            if (y.bound > 8) add(unary<op::tanh>(a), 1, d);
            else if (below(2) == 0) add(g.apply(code<op::logaddexp>, a, y.id), x.bound + y.bound + 1, larger(x, y));
            else add(g.apply(below(2) == 0 ? code<op::xlogy> : code<op::xlog1py>, y.id, g.apply(code<op::add>, unary<op::square>(a), number(0.5))), 4 * y.bound, larger(x, y));
            break;
        }
        case 0: add(unary<op::tanh>(a), 1, d); break;
        case 1: add(unary<op::sigmoid>(a), 1, d); break;
        case 2: add(unary<op::softplus>(a), x.bound + 1, d); break;
        case 3: add(unary<op::exp>(x.bound <= 2 ? a : unary<op::tanh>(a)), 8, d); break;
        case 4: add(unary<op::log>(g.apply(code<op::add>, unary<op::square>(a), number(1))), 8, d); break;
        case 5: add(unary<op::sqrt>(g.apply(code<op::add>, unary<op::square>(a), number(0.5))), x.bound + 1, d); break;
        case 6: add(unary<op::square>(a), x.bound * x.bound, d); break;
        case 7: add(g.apply(code<op::power>, a, number(below(2) == 0 ? 3 : 2)), x.bound * x.bound * x.bound, d); break;
        default: add(unary<op::expm1>(x.bound <= 2 ? a : unary<op::tanh>(a)), 8, d); break;
        }
    }

    /// The functions that no rule rewrites, on arguments where they are smooth.
    constexpr void function_of(const entry& x) {
        const int a = x.id, d = x.depth + 1, small = g.apply(code<op::multiply>, unary<op::tanh>(a), number(0.75));
        const int positive = g.apply(code<op::add>, unary<op::square>(small), number(0.5));
        const bool one = below(2) == 0;
        switch (below(17)) {
        case 0: add(unary<op::sin>(a), 1, d); break;
        case 1: add(unary<op::cos>(a), 1, d); break;
        case 2: add(unary<op::tan>(small), 1, d); break;
        case 3: add(one ? unary<op::asin>(small) : unary<op::acos>(small), 3, d); break;
        case 4: add(unary<op::atan>(a), 2, d); break;
        case 5: add(one ? unary<op::sinh>(small) : unary<op::cosh>(small), 2, d); break;
        case 6: add(unary<op::asinh>(a), x.bound, d); break;
        case 7: add(one ? unary<op::atanh>(small) : unary<op::acosh>(g.apply(code<op::add>, positive, number(1))), 2, d); break;
        case 8: add(unary<op::exp2>(small), 2, d); break;
        case 9: add(one ? unary<op::log2>(positive) : unary<op::log10>(positive), 1, d); break;
        case 10: add(unary<op::cbrt>(positive), 2, d); break;
        case 11: add(one ? unary<op::erfc>(a) : unary<op::erfinv>(small), 2, d); break;
        case 12: add(one ? unary<op::lgamma>(positive) : unary<op::digamma>(positive), 2, d); break;
        case 13: add(one ? unary<op::softsign>(a) : unary<op::logit>(unary<op::sigmoid>(small)), 1, d); break;
        case 14: add(one ? unary<op::log1mexp>(unary<op::negative>(positive)) : g.apply(code<op::polygamma>, number(1), positive), 6, d); break;
        case 15: {
            const entry y = partner(a);
            const int above = g.apply(code<op::add>, unary<op::square>(unary<op::tanh>(y.id)), number(0.5));
            add(one ? g.apply(code<op::hypot>, small, above) : g.apply(code<op::atan2>, small, above), 2, larger(x, y) + 1);
            break;
        }
        default: {
            const entry y = partner(a);
            add(g.apply(code<op::fma>, small, unary<op::tanh>(y.id), small), 2, larger(x, y) + 1);
            break;
        }
        }
    }

    constexpr void stable_pattern(const entry& x) {
        const int a = x.id, d = x.depth + 3;
        const int e = unary<op::exp>(below(2) == 0 ? a : unary<op::negative>(a));
        const int s = below(2) == 0 ? unary<op::sigmoid>(a) : g.apply(code<op::divide>, number(1), g.apply(code<op::add>, number(1), e));
        if (x.bound > 8) {
            smooth(x);
            return;
        }
        switch (below(8)) {
        case 0: add(s, 1, d); break;
        case 1: add(unary<op::log>(s), x.bound + 1, d); break;
        case 2: add(unary<op::log>(g.apply(code<op::subtract>, number(1), s)), x.bound + 1, d); break;
        case 3: add(unary<op::log>(g.apply(code<op::add>, number(1), e)), x.bound + 1, d); break;
        case 4: add(unary<op::log1p>(e), x.bound + 1, d); break;
        case 5: {
            const entry y = partner(a);
            if (y.bound > 8) {
                add(unary<op::tanh>(a), 1, d);
                break;
            }
            const int p = unary<op::log>(s), q = unary<op::log>(g.apply(code<op::subtract>, number(1), s));
            add(g.apply(code<op::subtract>, g.apply(code<op::multiply>, unary<op::negative>(y.id), p),
                        g.apply(code<op::multiply>, g.apply(code<op::subtract>, number(1), y.id), q)), 10 * x.bound + 2, d);
            break;
        }
        case 6: {
            const entry y = partner(a);
            if (y.bound > 8) {
                add(unary<op::tanh>(a), 1, d);
                break;
            }
            add(unary<op::log>(g.apply(code<op::add>, unary<op::exp>(a), unary<op::exp>(y.id))), x.bound + y.bound + 1, d);
            break;
        }
        default:
            if (g[a].shape.rank == 0) {
                add(g.apply(code<op::subtract>, unary<op::exp>(unary<op::tanh>(a)), number(1)), 3, d);
            } else {
                const int full = unary<op::exp>(a);
                const unsigned axes = 1u << below(static_cast<unsigned>(g[a].shape.rank));
                const int total = structure::reduce::of(g, reduction_code<reduction::sum>, axes, full);
                add(below(2) == 0 ? g.apply(code<op::divide>, full, total) : unary<op::log>(total), 12, d);
            }
            break;
        }
    }

    constexpr void kink() {
        const entry x = shallow();
        const int a = x.id;
        switch (below(7)) {
        case 0: add(unary<op::absolute>(a), x.bound, 3); break;
        case 1: add(unary<op::relu>(a), x.bound, 3); break;
        case 2: add(g.apply(code<op::clip>, a, number(-0.5), number(0.75)), 1, 3); break;
        case 3: {  // steps, which are not where sums that cancel lie
            constexpr int steps[] = {code<op::floor>, code<op::ceil>, code<op::trunc>, code<op::round>, code<op::sign_>, code<op::heaviside>};
            const int moved = g.apply(code<op::add>, g.apply(code<op::multiply>, a, number(1.7)), number(0.31)), fn = steps[below(6)];
            add(fn == code<op::heaviside> ? g.apply(fn, moved, number(0.5)) : g.apply(fn, moved), 1.7 * x.bound + 2, 3);
            break;
        }
        case 4: {
            const entry y = partner_shallow(a);
            const int towards = g.apply(code<op::add>, y.id, number(0.31));
            add(g.apply(below(2) == 0 ? code<op::copysign> : code<op::nextafter>, a, towards), x.bound, 3);
            break;
        }
        default: {
            const entry y = partner_shallow(a);
            add(g.apply(below(2) == 0 ? code<op::maximum> : code<op::minimum>, a, y.id), x.bound + y.bound, 3);
            break;
        }
        }
    }

    constexpr void choose() {
        const entry p = shallow(), x = partner(p.id);
        int condition = -1;
        if (label_ >= 0 && below(3) == 0) {
            // label == arange, as a matrix of bools [a, n]
            const int column = insert_axis(label_, 1);
            const int same = below(2) == 0 ? code<op::equal> : code<op::not_equal>;
            condition = g.apply(same, column, structure::arange::of(g, g[label_].type, below(2) == 0 ? g[leaves_[0]].shape[1] : 3));
        } else {
            const entry q = partner_shallow(p.id);
            constexpr int orders[] = {code<op::less>, code<op::greater_equal>, code<op::greater>, code<op::less_equal>};
            // One draw in a statement: compilers evaluate arguments in orders of their own.
            const int order = orders[below(4)];
            condition = g.apply(order, p.id, below(2) == 0 ? q.id : number(0.25));
            if (below(3) == 0) condition = g.apply(code<op::logical_not>, condition);
            constexpr int both[] = {code<op::logical_and>, code<op::logical_or>, code<op::logical_xor>};
            if (below(3) == 0) {
                const int other = g.apply(orders[below(4)], p.id, number(-0.375));
                condition = g.apply(both[below(3)], condition, other);
            }
        }
        if (const int rank = g[condition].shape.rank; rank > 0 && below(4) == 0) {
            const unsigned axes = 1u << below(static_cast<unsigned>(rank));
            const int any_or_all = structure::reduce::of(g, below(2) == 0 ? reduction_code<reduction::any> : reduction_code<reduction::all>, axes, condition);
            add(structure::cast::of(g, croton::element::float64, any_or_all), 1, 3);
            return;
        }
        const int yes = fits(condition, x.id) ? x.id : number(2);
        entry y = any();
        int no = below(3) == 0 ? number(0) : y.id;
        if (!fits(condition, no) || !fits(yes, no)) no = number(0);
        if (!fits(g.apply(code<op::add>, yes, no), condition)) no = number(0);
        add(g.apply(code<op::where>, condition, yes, no), x.bound + y.bound + 2, larger(x, y) + 1);
    }

    constexpr void reduction_of(const entry& x) {
        const int a = x.id, rank = g[a].shape.rank;
        const unsigned axes = below(4) == 0 ? (1u << rank) - 1 : 1u << below(static_cast<unsigned>(rank));
        int made = -1;
        double bound = x.bound;
        switch (below(6)) {
        case 0:
            if (x.depth <= 1) made = structure::reduce::of(g, below(2) == 0 ? reduction_code<reduction::max> : reduction_code<reduction::min>, axes, a);
            break;
        case 1: made = structure::reduce::of(g, reduction_code<reduction::prod>, axes, g.apply(code<op::add>, unary<op::tanh>(a), number(1.5))); bound = 30; break;
        case 2: made = mean_of(a, axes); break;
        default: break;
        }
        if (made < 0) {
            made = structure::reduce::of(g, reduction_code<reduction::sum>, axes, a);
            bound = 20 * x.bound;
        }
        if (below(2) == 0) made = drop(made, axes);
        add(made, bound, x.depth + 2);
    }

    constexpr void row(const entry& x) {
        const int a = x.id, rank = g[a].shape.rank;
        const unsigned axes = below(4) == 0 ? (1u << rank) - 1 : 1u << below(static_cast<unsigned>(rank));
        switch (below(3)) {
        case 0: add(structure::softmax::of(g, axes, a), 1, x.depth + 2); break;
        case 1: add(structure::log_softmax::of(g, axes, a), 2 * x.bound + 5, x.depth + 2); break;
        default: {
            const int made = structure::logsumexp::of(g, axes, a);
            add(below(2) == 0 ? drop(made, axes) : made, x.bound + 5, x.depth + 2);
            break;
        }
        }
    }

    constexpr void view_of(const entry& x) {
        const int a = x.id, rank = g[a].shape.rank;
        int made = a;
        if (rank >= 2 && below(2) == 0) {
            std::array<int, max_rank> source{};
            for (int i = 0; i < rank; ++i) source[static_cast<unsigned>(i)] = i;
            for (int i = rank - 1; i > 0; --i) {
                const unsigned j = below(static_cast<unsigned>(i) + 1);
                const int swap = source[static_cast<unsigned>(i)];
                source[static_cast<unsigned>(i)] = source[j];
                source[j] = swap;
            }
            if (rank == 2) source = {1, 0};
            made = structure::view::of(g, a, rank, source);
        } else {
            unsigned ones = 0;
            for (int i = 0; i < rank; ++i)
                if (g.find(g[a].shape[i]) == 1) ones |= 1u << i;
            if (ones != 0 && below(2) == 0) made = drop(a, ones);
            else if (rank < 4) made = insert_axis(a, static_cast<int>(below(static_cast<unsigned>(rank) + 1)));
        }
        add(made, x.bound, x.depth);
    }

    constexpr int slice(int a, int axis, const croton::slice& s) {
        const croton::detail::picked p = croton::detail::pick(g, s, g.find(g[a].shape[axis]));
        return structure::slice::of(g, a, axis, p.start, p.count, p.step);
    }

    /// What indices pick, or what is brought to where they lead; some of them lie outside, and are moved inside.
    constexpr void picked(const entry& x, int axis) {
        if (label_ < 0) return smooth(x);
        const int a = x.id, rank = g[a].shape.rank;
        int i = label_;
        if (below(2) == 0) i = g.apply(code<op::subtract>, i, g.literal(g[i].type, 1));
        if (below(3) == 0) i = structure::cast::of(g, some_integer(i, true), i);
        const bool aligned = below(3) == 0;
        if (aligned) {
            std::array<int, croton::max_rank> source{};
            for (int k = 0; k < rank; ++k) source[static_cast<unsigned>(k)] = k == axis ? 0 : croton::detail::new_axis;
            i = structure::view::of(g, i, rank, source);
        }
        const int some = structure::gather::of(g, a, i, axis, aligned);
        if (below(2) == 0) return add(some, x.bound, x.depth + 1);
        int values = g.apply(code<op::multiply>, unary<op::tanh>(some), number(0.0625));
        if (aligned) i = structure::broadcast::of(g, i, g[values].shape);
        add(structure::scatter::of(g, a, i, values, axis, below(2) == 0, aligned), x.bound + 2.5, x.depth + 2);
    }

    /// Cumulated or sorted along an axis.
    constexpr void along(const entry& x, int axis) {
        using cumulate = structure::cumulate;
        namespace cumulated = croton::kernel::cumulated;
        const auto made = [&]<class Rule>(Rule, int a, std::int64_t attributes) { return cumulate::of(g, cumulate::rule<Rule>, axis, attributes, a); };
        switch (below(5)) {
        case 0: add(unary<op::tanh>(made(cumulated::sum(), x.id, 0)), 1, x.depth + 2); break;
        case 1: add(unary<op::tanh>(made(cumulated::sum(), x.id, below(4))), 1, x.depth + 2); break;
        case 2: add(made(cumulated::product(), unary<op::tanh>(x.id), below(4)), 1, x.depth + 2); break;
        case 3: add(made(cumulated::log_sum(), x.id, below(2)), x.bound + 4, x.depth + 2); break;
        default: {  // of leaves as they are, whose order nothing changes
            const int leaf = leaves_[static_cast<int>(below(static_cast<unsigned>(leaves_.size())))], rank = g[leaf].shape.rank;
            if (g[leaf].what != tag<structure::input> || rank == 0) return smooth(x);
            const int along = static_cast<int>(below(static_cast<unsigned>(rank)));
            add(structure::sort::of(g, along, leaf), 1.5, 5);
            if (below(3) == 0) add(structure::cast::of(g, croton::element::float64, structure::argsort::of(g, along, leaf)), 40, 5);
            break;
        }
        }
    }

    /// What is asked of a matrix that has an inverse: x x^T + 1, or that and something beside the diagonal.
    constexpr void equations(const entry& x) {
        using croton::kernel::triangular;
        // One call after the other: no compiler says in which order arguments are made.
        const int a = unary<op::tanh>(x.id), square = structure::dot::of(g, a, structure::transposed(g, a));
        const int one = croton::detail::identity_like(g, square), scaled = g.apply(code<op::multiply>, square, number(0.25));
        const int whole = g.apply(code<op::add>, scaled, one), beside = croton::detail::triangle_of({&g, scaled}, true, 0).id;
        const int skew = g.apply(code<op::subtract>, whole, beside);
        int made = -1;
        switch (below(6)) {
        case 0: made = structure::cholesky::of(g, whole); break;
        case 1: made = structure::solve::of(g, skew, a, below(2)); break;
        case 2: made = structure::solve::of(g, whole, one, 0); break;
        case 3: made = structure::determinant::of(g, g.apply(code<op::multiply>, skew, number(0.5))); break;
        case 4: made = structure::log_determinant::of(g, skew); break;
        default: {  // with its factors
            const int factor = structure::cholesky::of(g, whole);
            made = structure::solve_triangular::of(g, factor, a, triangular::lower | (below(2) == 0 ? triangular::transposed : 0));
            break;
        }
        }
        add(unary<op::tanh>(made), 1, x.depth + 4);
    }

    /// Integers of one type, which wrap around, and what is done with them.
    constexpr void integers() {
        using croton::element;
        constexpr element types[] = {element::int8, element::uint8, element::int16, element::uint16, element::uint32, element::int32, element::int64};
        element type = types[below(7)];
        const auto as = [&](element to, int i) { return structure::cast::of(g, to, i); };
        const auto labels = [&](std::int64_t times, std::int64_t less) {
            const element of = g[label_].type;
            const int scaled = g.apply(code<op::multiply>, label_, g.literal(of, times));
            return as(type, g.apply(code<op::subtract>, scaled, g.literal(of, less)));
        };
        const auto either = [&](int a, int b) { return below(2) == 0 ? a : b; };
        int i = labels(either(1, 1000), 0);
        const int j = labels(3, 1), three = g.literal(type, 3), six = g.literal(type, 6);
        bool turned = false;
        for (int k = 0; k < 4 && !turned; ++k) {
            int fn = 0, with = j;
            switch (below(11)) {
            case 0: i = g.apply(code<op::add>, i, j); break;
            case 1: i = g.apply(code<op::subtract>, j, i); break;
            case 2: i = g.apply(code<op::multiply>, i, size_of(type) > 2 ? three : j); break;
            case 3: i = g.apply(either(code<op::maximum>, code<op::minimum>), i, j); break;
            case 4:
                fn = either(code<op::less>, code<op::equal>);
                with = either(six, i);
                i = g.apply(code<op::where>, g.apply(fn, i, j), j, with);
                break;
            case 5:
                fn = either(code<op::bitwise_and>, either(code<op::bitwise_or>, code<op::bitwise_xor>));
                with = either(j, six);
                i = g.apply(fn, i, with);
                break;
            case 6: i = g.apply(either(code<op::remainder>, either(code<op::floor_divide>, code<op::fmod>)), i, three); break;
            case 7: i = g.apply(either(code<op::bitwise_not>, code<op::bitwise_count>), i); break;
            case 8:
                fn = either(code<op::left_shift>, code<op::right_shift>);
                i = g.apply(fn, i, either(three, j));
                break;
            case 9: i = slice(i, 0, {croton::none, croton::none, -1}); break;
            default: i = as(types[below(7)], i); turned = true; break;
            }
        }
        if (below(3) == 0) i = drop(structure::reduce::of(g, reduction_code<reduction::sum>, 1, as(element::int64, i)), 1);
        add(unary<op::tanh>(g.apply(code<op::multiply>, as(element::float64, i), number(0x1p-6))), 1, 1);
    }

    /// A slice, or what is put together of several.
    constexpr void part_of(const entry& x) {
        using croton::none;
        const int a = x.id, rank = g[a].shape.rank, axis = static_cast<int>(below(static_cast<unsigned>(rank)));
        const auto part = [&](const croton::slice& s) { return slice(a, axis, s); };
        if (below(5) == 0) return along(x, axis);
        if (rank >= 2 && below(6) == 0) return equations(x);
        switch (below(13)) {
        case 0: {  // the differences of neighbours, and the first element
            const int step = g.apply(below(2) == 0 ? code<op::subtract> : code<op::multiply>, part({1, none}), part({none, -1}));
            add(structure::concatenate::of(g, axis, step, part({none, 1})), 2 * x.bound + x.bound * x.bound, x.depth + 1);
            break;
        }
        case 1: add(part({none, none, -1}), x.bound, x.depth); break;
        case 2: {  // moved by one, with what fits behind it
            const int moved = structure::concatenate::of(g, axis, part({-1, none}), part({none, -1}));
            add(below(2) == 0 ? moved : unary<op::tanh>(moved), x.bound, x.depth + 1);
            break;
        }
        case 3: {  // one behind the other, and a part of both
            const entry y = partner(a);
            bool same = g[y.id].shape.rank == rank;
            for (int i = 0; same && i < rank; ++i) same = i == axis || g.same(g[y.id].shape[i], g[a].shape[i]);
            const int other = same ? y.id : unary<op::tanh>(a);
            const int both = structure::concatenate::of(g, axis, a, other);
            const double bound = x.bound > y.bound ? x.bound : y.bound;
            add(both, bound, larger(x, y));
            add(slice(both, axis, {1, below(2) == 0 ? croton::slice_end(none) : croton::slice_end(-1), below(3) == 0 ? 2 : 1}), bound, larger(x, y));
            if (below(2) == 0) add(slice(both, axis, {none, croton::slice_end(2)}), bound, larger(x, y));
            break;
        }
        case 4: {  // every second one, backwards or not
            constexpr std::int64_t steps[] = {2, -2, 3, -3};
            const croton::slice_end start = below(2) == 0 ? croton::slice_end(none) : croton::slice_end(-2);
            const int some = part({start, none, steps[below(4)]});
            const bool summed = below(2) == 0;
            add(summed ? all(unary<op::square>(some)) : some, summed ? 40 : x.bound, x.depth + 2);
            break;
        }
        case 5: {  // the inner ones between zeros
            const int inner = part({1, -1});
            add(structure::slice::put(g, unary<op::tanh>(inner), axis, 1, 1, g[a].shape), 1, x.depth + 1);
            break;
        }
        case 6: {  // stacked
            if (rank == 4) return smooth(x);
            const int at = static_cast<int>(below(static_cast<unsigned>(rank) + 1));
            const int two = structure::concatenate::of(g, at, insert_axis(a, at), insert_axis(unary<op::tanh>(a), at));
            add(below(2) == 0 ? two : drop(slice(two, at, {1, 2}), 1u << at), x.bound, x.depth + 1);
            break;
        }
        case 7: add(part({1, -1}), x.bound, x.depth); break;
        case 8:
        case 9:
        case 10:
        case 11: picked(x, axis); break;
        default: add(part({-2, none}), x.bound, x.depth); break;
        }
    }

    constexpr void reshape_of(const entry& x) {
        const int a = x.id, rank = g[a].shape.rank;
        shape to;
        size_ref total = 1;
        for (int i = 0; i < rank; ++i) total = g.product(total, g[a].shape[i]);
        if (rank >= 2 && below(3) != 0) {
            to.rank = below(2) == 0 || rank == 2 ? 1 : 2;
            to[0] = total;
            if (to.rank == 2) {
                to[0] = g[a].shape[0];
                to[1] = 1;
                for (int i = 1; i < rank; ++i) to[1] = g.product(to[1], g[a].shape[i]);
            }
        } else if (rank >= 2) {
            to.rank = rank;  // the same extents in another order
            for (int i = 0; i < rank; ++i) to[i] = g[a].shape[rank - 1 - i];
        } else {
            // Back from a flat array to a matrix, where some matrix of the pool has as many elements.
            for (int i = 0; i < pool_.size(); ++i) {
                const shape& s = g[pool_[i].id].shape;
                if (s.rank == 2 && rank == 1 && g.find(g.product(s[0], s[1])) == g.find(total)) to = s;
            }
            if (to.rank == 0) {
                smooth(x);
                return;
            }
        }
        add(structure::reshape::of(g, a, to), x.bound, x.depth + 1);
    }

    constexpr bool batches_fit(const shape& x, const shape& y) const {
        for (int i = 3; i <= x.rank && i <= y.rank; ++i) {
            const size_ref p = g.find(x[x.rank - i]), q = g.find(y[y.rank - i]);
            if (p != q && p != 1 && q != 1) return false;
        }
        return true;
    }

    constexpr void product() {
        for (int i = 0; i < 24; ++i) {
            const entry x = i < 8 ? recent() : any();
            const entry y = any();
            int a = x.id, b = y.id;
            const int most = batches ? 4 : 2;
            if (g[a].shape.rank < 2 || g[a].shape.rank > most || g[b].shape.rank < 1 || g[b].shape.rank > most) continue;
            if (g[a].shape.rank > 2 && g[b].shape.rank == 1) b = insert_axis(b, 1);
            if (below(2) == 0) a = structure::transposed(g, a);
            if (g[b].shape.rank >= 2 && below(2) == 0) b = structure::transposed(g, b);
            const shape left = g[a].shape, right = g[b].shape;
            if (g.find(left[left.rank - 1]) != g.find(right[right.rank < 2 ? 0 : right.rank - 2]) || !batches_fit(left, right)) continue;
            int made = structure::dot::of(g, a, b);
            switch (below(4)) {
            case 0: made = g.apply(code<op::multiply>, made, number(below(2) == 0 ? 0.5 : -2)); break;
            case 1:
                if (const entry z = any(); fits(made, z.id)) made = g.apply(below(2) == 0 ? code<op::add> : code<op::subtract>, made, z.id);
                break;
            default: break;
            }
            add(made, 10 * x.bound * y.bound + 3, larger(x, y) + 1);
            return;
        }
        smooth(recent());
    }
};

}  // namespace random_programs

#endif
