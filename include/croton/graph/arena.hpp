// SPDX-License-Identifier: MIT
// The graph while it is built: one flat, hash-consed array of nodes that owns everything handles point into.
#ifndef CROTON_GRAPH_ARENA_HPP
#define CROTON_GRAPH_ARENA_HPP

#include <array>
#include <bit>
#include <cstdint>
#include <limits>
#include <string_view>

#include <croton/core/text.hpp>
#include <croton/core/vec.hpp>
#include <croton/graph/bounds.hpp>
#include <croton/graph/drawing.hpp>
#include <croton/graph/leaf.hpp>
#include <croton/graph/node.hpp>
#include <croton/graph/rules.hpp>
#include <croton/graph/sizes.hpp>
#include <croton/graph/table.hpp>

namespace croton::inline v0_1::detail {

/// A stored piece of text.
struct name_range {
    int from = 0, length = 0;
};

/// A new value for a shared parameter.
struct update_of {
    int target = -1;
    int value = -1;
};

/// What a derivative was taken of, and for what: a program that uses it uses them, also where the derivative is a constant.
struct derivative_of {
    int derivative = -1, cost = -1, wrt = -1;
};

class arena : public size_table {
public:
    vec<node> nodes;
    vec<leaf_input> leaves;
    vec<bound_check> bounds;
    vec<extent_demand> demands;
    vec<update_of> traced_updates;  // all that were written; those that are returned take effect
    vec<int> unused;                // inputs that need not reach an output
    vec<derivative_of> derivatives;
    vec<const operator_facts*> own_operators;  // those that are not in the table
    vec<loop_facts> loops;  // by number
    vec<walked_sequence> walked;
    drawing draws;
    vec<const structure_facts*> structures;    // by number: those of the list, then those that a function brings along
    vec<int> rewritten;  // by node: the node that stands for it after a rewrite, or -1
    vec<char> settled;   // by node: already in normal form
    bool as_written = false;  // neither of the two counts: the graph is read as the program wrote it
    bool deriving = false;    // what is made now belongs to a derivative
    bool free_algebra = false;  // the function lets the rewrites compute as with real numbers
    bool edited = false;  // nodes were changed where they stand, so that the look-up may miss equal ones
    fired_rules fired;
    text_builder error;  // the first thing that is wrong with the program; empty while nothing is
    bool stopped = false;  // the compiler has already said what is wrong, where it is written

    constexpr arena();
    constexpr const node& operator[](int id) const { return nodes.at[id]; }
    constexpr const structure_facts& structure_of(const node& n) const { return *structures.at[n.what]; }

    /// Once nothing more is traced every tie is known, and what was made of a size that is a number after all is that number.
    constexpr void settle_sizes() {
        settle_ties();
        for (node& n : nodes)
            if (n.what == tag<structure::size> && find(n.bits) >= 0) {
                n.what = tag<structure::literal>;
                n.bits = literal_bits(n.type, static_cast<double>(find(n.bits)));
                edited = true;
                settled.clear();  // a number folds where a size did not
            }
    }

    // Nodes

    constexpr int input(const leaf_input& l) {
        node n;
        n.what = tag<structure::input>;
        n.type = arithmetic_of(l.type);  // what is only stored is read as float
        n.bits = leaves.size();
        n.shape = l.shape;
        const int id = intern(n);
        leaves.push(l);
        leaves.back().node = id;
        return id;
    }

    constexpr int literal(element type, double value) {
        node n;
        n.what = tag<structure::literal>;
        n.type = type;
        n.bits = literal_bits(type, value);
        return intern(n);
    }
    static constexpr std::int64_t literal_bits(element type, double value) {
        value = stored_as(type, value);
        return is_floating(type) ? std::bit_cast<std::int64_t>(value) : wrapped(type, static_cast<std::int64_t>(value));
    }

    /// A literal from a whole number: all of its digits where the element is an integer, which wraps around.
    constexpr int literal(element type, std::int64_t value) {
        if (is_floating(type)) return literal(type, static_cast<double>(value));
        node n;
        n.what = tag<structure::literal>;
        n.type = type;
        n.bits = wrapped(type, value);
        return intern(n);
    }
    constexpr int literal(element type, int value) { return literal(type, std::int64_t{value}); }

    /// The literal that is left where `type` is only stored, or where a float cannot hold it.
    static constexpr double stored_as(element type, double value) {
        constexpr double beyond_float = 0x1.ffffffp127, infinity = std::numeric_limits<double>::infinity();
        if (type == element::float32 && value >= beyond_float) return infinity;
        if (type == element::float32 && value <= -beyond_float) return -infinity;
        if (type == element::float16) return half(value);
        if (type == element::brain16) return bfloat16(value);
        return value;
    }

    constexpr bool is_literal(int id) const { return nodes.at[id].what == tag<structure::literal>; }
    constexpr bool is_literal(int id, double value) const { return nodes.at[id].what == tag<structure::literal> && literal_value(id) == value; }
    constexpr double literal_value(int id) const {
        const node& n = nodes.at[id];
        return is_floating(n.type) ? std::bit_cast<double>(n.bits)
               : n.type == element::uint64 ? static_cast<double>(static_cast<std::uint64_t>(n.bits)) : static_cast<double>(n.bits);
    }

    constexpr int size(element type, size_ref s) {
        s = find(s);
        if (s >= 0) return literal(type, static_cast<double>(s));
        node n;
        n.what = tag<structure::size>;
        n.type = type;
        n.bits = s;
        return intern(n);
    }

    /// The number of an operator that is not in the table.
    constexpr int own_operator(const operator_facts* facts) {
        const auto same = [&](const operator_facts& known) {
            return known.type == facts->type && known.arity == facts->arity && known.kind == facts->kind;
        };
        int i = 0;
        while (i < own_operators.size() && !same(*own_operators.at[i])) ++i;
        if (i == own_operators.size()) own_operators.push(facts);
        constexpr int most = std::numeric_limits<decltype(node::fn)>::max() - operators::size;
        if (i > most && !failed()) error << "elementwise: a function can use " << most + 1 << " operators of its own";
        return operators::size + (i > most ? 0 : i);
    }
    /// The number of a structure that a function brings along.
    constexpr std::uint8_t own_structure(const structure_facts& facts) {
        int i = detail::structures::size;
        while (i < structures.size() && structures.at[i]->type != facts.type) ++i;
        if (i == structures.size()) structures.push(&facts);
        return static_cast<std::uint8_t>(i);
    }
    /// Demands that axis `axis` of node `of`, whose extent is `extent`, has `least` elements; false where it is known that it has not.
    constexpr bool demand(int of, int axis, size_ref extent, std::int64_t least, std::int64_t index, demanded by) {
        extent = find(extent);
        extent_demand d{extent, least, index, axis, -1, by};
        if (extent >= least) return true;
        if (extent >= 0 && failed()) return false;
        text_builder called;
        describe(called, of);
        if (extent >= 0) {
            d.say(error, called.view(), extent);
            return false;
        }
        for (const extent_demand& known : demands)
            if (same(known.extent, extent) && known.least >= least) return true;
        d.of = add_name(called.view());
        demands.push(d);
        return true;
    }

    constexpr const operator_facts& facts(int fn) const { return facts_of(fn, own_operators.begin()); }

    constexpr bool is_apply(int id, int fn) const { return nodes.at[id].what == tag<structure::apply> && nodes.at[id].fn == fn; }
    template <class Op> constexpr bool is(int id) const { return nodes.at[id].what == tag<structure::apply> && nodes.at[id].fn == code<Op>; }

    constexpr int apply(int fn, int a, int b = -1, int c = -1) {
        const operator_facts& about = fn < operators::size ? operator_table.at[fn] : *own_operators.at[fn - operators::size];
        const unsigned hashed = hash_apply(fn, a, b, c);
        if (const int hit = lookup_apply(fn, a, b, c, about.commutes, hashed); hit >= 0) return met(hit);
        node n;
        n.what = tag<structure::apply>;
        n.fn = static_cast<std::uint8_t>(fn);
        set_arguments(n, a, b, c);
        n.type = element_given(about, nodes.at[about.kind == op::typing::selection ? b : a].type);
        n.shape = nodes.at[a].shape;
        if (b >= 0) broadcast_into(n, b);
        if (c >= 0) broadcast_into(n, c);
        return insert(n, hashed);
    }

    /// Operator node `id` on other arguments of the same shapes.
    constexpr int apply_again(int id, int a, int b, int c) {
        const int fn = nodes.at[id].fn;
        const operator_facts& about = fn < operators::size ? operator_table.at[fn] : *own_operators.at[fn - operators::size];
        const unsigned hashed = hash_apply(fn, a, b, c);
        if (const int hit = lookup_apply(fn, a, b, c, about.commutes, hashed); hit >= 0) return met(hit);
        node n = nodes.at[id];
        n.name = -1;
        set_arguments(n, a, b, c);
        return insert(n, hashed);
    }

    /// The operator on two arguments where the graph has it already, or -1.
    constexpr int find_apply(int fn, int a, int b) const { return lookup_apply(fn, a, b, -1, false, hash_apply(fn, a, b, -1)); }

    /// A node of structure number `what` on `a`, with its type and shape.
    constexpr node like(std::uint8_t what, int a) const {
        node n;
        n.what = what;
        n.type = nodes.at[a].type;
        n.in[0] = a;
        n.shape = nodes.at[a].shape;
        return n;
    }

    /// Whether there is a node that is equal.
    constexpr bool knows(const node& n) const { return lookup(n, hash(n)) >= 0; }
    /// The node as it is, shared with an equal one. Its shape must be set.
    constexpr int intern(const node& n) {
        const unsigned hashed = hash(n);
        const int hit = lookup(n, hashed);
        return hit >= 0 ? met(hit) : insert(n, hashed);
    }

    // Names and messages

    constexpr int add_name(std::string_view name) {
        names_.push({chars_.size(), static_cast<int>(name.size())});
        for (const char c : name) chars_.push(c);
        return names_.size() - 1;
    }
    constexpr std::string_view name(int index) const {
        return {chars_.begin() + names_[index].from, static_cast<std::size_t>(names_[index].length)};
    }
    constexpr int name_count() const { return names_.size(); }

    constexpr bool failed() const { return stopped || !error.empty(); }

    /// What a user would call the node: its name, `argument 2`, or the operation that made it.
    constexpr void describe(text_builder& out, int id) const {
        const node& n = nodes.at[id];
        if (n.name >= 0) out << name(n.name);
        else structure_of(n).describe(*this, out, n);
    }

    /// Two extents along an axis that differ, where they may not, or may only where one of them `repeats`.
    constexpr void say_extents(int x, size_ref a, int y, size_ref b, int axis, bool repeats = true) {
        describe(error, x);
        error << " has extent ";
        describe_size(error, a);
        error << " but ";
        describe(error, y);
        error << " has extent ";
        describe_size(error, b);
        error << " along axis " << axis;
        if (repeats) error << "; only an extent that is 1 in its declaration is repeated";
    }

private:
    /// What a derivative made and the program writes too is the program's.
    constexpr int met(int id) {
        if (!deriving) nodes.at[id].derived = false;
        return id;
    }

    /// Widens the shape of `n` by NumPy's rule so that argument `other` fits; only a static 1 is stretched.
    constexpr void broadcast_into(node& n, int other) {
        const detail::shape& s = nodes.at[other].shape;
        if (n.shape.rank < s.rank) {
            const int added = s.rank - n.shape.rank;
            for (int i = s.rank - 1; i >= 0; --i) n.shape.extent[i] = i < added ? 1 : n.shape.extent[i - added];
            n.shape.rank = s.rank;
        }
        const int rank = n.shape.rank, shift = rank - s.rank;
        for (int i = 0; i < rank; ++i) {
            const size_ref a = n.shape.extent[i], b = i < shift ? 1 : s.extent[i - shift];
            if (a == b) continue;
            const size_ref fa = find(a);
            if (fa == 1) n.shape.extent[i] = b;
            if (fa == 1 || b == 1) continue;
            const size_ref fb = find(b);
            if (fb == 1 || fa == fb) continue;
            if (!unify(a, b, nodes.size()) && !failed()) mismatch(n, other, i - rank, a, b);
        }
    }

    constexpr void mismatch(const node& n, int other, int axis_from_end, size_ref a, size_ref b) {
        const int first = n.in[0] == other ? n.in[1] : n.in[0];
        error << facts(n.fn).name << "(";
        describe(error, n.in[0]);
        for (int i = 1; i < 3; ++i)
            if (n.in[static_cast<unsigned>(i)] >= 0) {
                error << ", ";
                describe(error, n.in[static_cast<unsigned>(i)]);
            }
        error << "): ";
        say_extents(first, a, other, b, axis_from_end);
    }

    static constexpr unsigned hash(const node& n) {
        // Sums of products, of which the high bits depend on every part.
        return static_cast<unsigned>((static_cast<std::uint64_t>(n.in[0]) * 0x9E3779B97F4A7C15u + static_cast<std::uint64_t>(n.in[1]) * 0xBF58476D1CE4E5B9u +
                                      static_cast<std::uint64_t>(n.in[2]) * 0x94D049BB133111EBu + static_cast<std::uint64_t>(n.bits) * 0xD6E8FEB86659FD93u +
                                      static_cast<std::uint64_t>(n.what * 256 + n.fn) * 0xA0761D6478BD642Fu) >> 32);
    }

    constexpr bool equal(const node& a, const node& b) const {
        if (a.in[0] != b.in[0] || a.what != b.what || a.fn != b.fn || a.bits != b.bits || a.type != b.type) return false;
        static_assert(max_arguments == 5);
        if (a.in[1] != b.in[1] || a.in[2] != b.in[2] || a.in[3] != b.in[3] || a.in[4] != b.in[4]) return false;
        return same_shape(a.shape, b.shape);
    }

    /// A literal or a number stands last where the rules look for it: only arrays change places, or numbers among themselves.
    constexpr bool may_change_places(int a, int b) const {
        return nodes.at[a].what != tag<structure::literal> && nodes.at[b].what != tag<structure::literal> &&
               (nodes.at[a].shape.rank == 0) == (nodes.at[b].shape.rank == 0);
    }

    /// Operators have a hash of their own, the same for their first two arguments in either order.
    static constexpr unsigned hash_apply(int fn, int a, int b, int c) {
        const auto x = static_cast<std::uint64_t>(a), y = static_cast<std::uint64_t>(b);
        return static_cast<unsigned>(((x + y) * 0x9E3779B97F4A7C15u + x * y * 0xBF58476D1CE4E5B9u + static_cast<std::uint64_t>(c) * 0x94D049BB133111EBu +
                                      static_cast<std::uint64_t>(fn) * 0xA0761D6478BD642Fu) >> 32);
    }

    constexpr int lookup_apply(int fn, int a, int b, int c, bool commutes, unsigned hashed) const {
        if (heads_.at == nullptr) return -1;
        for (int id = heads_.at[hashed & mask_]; id >= 0; id = chain_.at[id]) {
            const node& known = nodes.at[id];
            if (known.fn != fn || known.what != tag<structure::apply> || known.in[2] != c) continue;
            if (known.in[0] == a && known.in[1] == b) return id;
            if (commutes && known.in[0] == b && known.in[1] == a && may_change_places(a, b)) return id;
        }
        return -1;
    }

    constexpr int lookup(const node& n, unsigned hashed) const {
        if (heads_.at == nullptr) return -1;
        for (int id = heads_.at[hashed & mask_]; id >= 0; id = chain_.at[id])
            if (equal(nodes.at[id], n)) return id;
        return -1;
    }

    constexpr int insert(const node& n, unsigned hashed) {
        const int id = nodes.size();
        if (id >= room_) {
            heads_.assign(id == 0 ? 512 : 8 * id, -1);
            room_ = 2 * heads_.size();
            chain_.resize_unset(room_);
            hashes_.resize_unset(room_);
            mask_ = static_cast<unsigned>(heads_.size()) - 1;
            for (int i = 0; i < id; ++i) {
                chain_.at[i] = -1;
                place(i, hashes_.at[i]);
            }
        }
        nodes.push(n);
        node& made = nodes.at[id];
        made.derived = deriving;
        made.place = structures.at[n.what]->place;
        chain_.at[id] = -1;
        hashes_.at[id] = hashed;
        int& head = heads_.at[hashed & mask_];
        if (head < 0) head = id;
        else place(id, hashed);
        return id;
    }

    /// The oldest stands first: of nodes that have become equal since, it is found.
    constexpr void place(int id, unsigned hashed) {
        int* at = &heads_.at[hashed & mask_];
        while (*at >= 0) at = &chain_.at[*at];
        *at = id;
    }

    vec<int> heads_;        // by what the hash leaves: the oldest node, and
    vec<int> chain_;        // by node: the next one, or -1
    vec<unsigned> hashes_;  // by node
    unsigned mask_ = 0;
    int room_ = 0;  // nodes for which there are heads enough
    vec<name_range> names_;
    vec<char> chars_;
};

}  // namespace croton::inline v0_1::detail

#endif
