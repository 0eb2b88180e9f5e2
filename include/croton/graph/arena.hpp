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
#include <croton/graph/node.hpp>
#include <croton/graph/table.hpp>

namespace croton::inline v0_1::detail {

/// A parameter of the traced function, or one array of a model that is a parameter.
struct leaf_input {
    int argument = 0;      // which parameter of the lambda
    int field = -1;        // which array of a model; -1 where the parameter is one array
    int path = -1;         // the name of that array in the model, `hidden.weight`: an entry of the names
    bool shared = false;
    int node = -1;
    element type = element::float32;
    detail::shape shape{};  // the size of every axis as the call sees it: an entry of the table of sizes each
};

/// A stored piece of text.
struct name_range {
    int from = 0, length = 0;
};

/// `argument 2`, or `argument 3.hidden.weight` for an array of a model.
constexpr void describe_leaf(text_builder& out, const leaf_input& l, std::string_view path) {
    out << "argument " << l.argument + 1;
    if (!path.empty()) out << "." << path;
}

/// Checked when the function is called: every element of `leaf` names one of `classes` classes.
struct label_check {
    int leaf = -1;
    size_ref classes = 0;
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

/// Which rules of the rewrites fired how often, for `explain`.
struct rewrite_counts {
    int folded = 0, sums = 0, products = 0, stable = 0, blas = 0, moved = 0;
};

class arena {
public:
    vec<node> nodes;
    vec<size_entry> sizes;
    vec<leaf_input> leaves;
    vec<label_check> labels;
    vec<update_of> traced_updates;  // all that were written; those that are returned take effect
    vec<int> unused;                // inputs that need not reach an output
    vec<derivative_of> derivatives;
    vec<const operator_facts*> own_operators;  // those that are not in the table
    vec<int> rewritten;  // by node: the node that stands for it after a rewrite, or -1
    vec<char> settled;   // by node: already in normal form
    bool as_written = false;  // neither of the two counts: the graph is read as the program wrote it
    bool deriving = false;    // what is made now belongs to a derivative
    bool free_algebra = false;  // the function lets the rewrites compute as with real numbers
    rewrite_counts fired;
    text_builder error;  // the first thing that is wrong with the program; empty while nothing is
    bool stopped = false;  // the compiler has already said what is wrong, where it is written

    constexpr const node& operator[](int id) const { return nodes.at[id]; }

    // Sizes

    /// The representative of a size: a number, or the first of the entries known to be equal.
    constexpr size_ref find(size_ref s) const {
        while (s < 0) {
            const size_ref next = sizes.at[index_of(s)].same_as;
            if (next == s) break;
            s = next;
        }
        return s;
    }
    constexpr bool same(size_ref a, size_ref b) const { return a == b || find(a) == find(b); }

    constexpr size_ref product(size_ref a, size_ref b) { return derived(size_entry::origin::product, a, b); }
    constexpr size_ref quotient(size_ref a, size_ref b) { return derived(size_entry::origin::quotient, a, b); }

    constexpr size_ref add_size(size_entry entry) {
        const size_ref s = -1 - sizes.size();
        entry.same_as = s;
        sizes.push(entry);
        return s;
    }

    /// Demands that two sizes are equal; false where that is known to be wrong.
    constexpr bool unify(size_ref a, size_ref b, int tied_by) {
        a = find(a);
        b = find(b);
        if (a == b) return true;
        if (a >= 0 && b >= 0) return false;
        if (a >= 0 || (b < 0 && index_of(b) > index_of(a))) {
            const size_ref swap = a;
            a = b;
            b = swap;
        }
        // a is the later entry: it now refers to b, which is a number or an earlier entry.
        size_entry& entry = sizes.at[index_of(a)];
        if (b < 0) {
            size_entry& other = sizes.at[index_of(b)];
            if (is_named(entry.declared) && is_named(other.declared) && entry.declared != other.declared) return false;
            if (is_named(entry.declared)) other.declared = entry.declared;
        }
        entry.same_as = b;
        entry.tied_by = tied_by;
        return true;
    }

    /// Once nothing more is traced every tie is known: a size that was tied to a number after nodes were made of it is that
    /// number in them too, and sizes that are computed from equal ones are equal.
    constexpr void settle_sizes() {
        for (const int i : derived_) {
            const size_entry& s = sizes.at[i];
            if (find(-1 - i) >= 0) continue;
            const size_ref equal = known(s.what, find(s.a), find(s.b), i);
            if (equal != -1 - i) unify(-1 - i, equal, s.tied_by);
        }
        for (node& n : nodes)
            if (n.what == kind::size && find(n.bits) >= 0) {
                n.what = kind::literal;
                n.bits = literal_bits(n.type, static_cast<double>(find(n.bits)));
                settled.clear();  // a number folds where a size did not
            }
    }

    static constexpr int index_of(size_ref s) { return static_cast<int>(-1 - s); }

    // Nodes

    constexpr int input(const leaf_input& l) {
        node n;
        n.what = kind::input;
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
        n.what = kind::literal;
        n.type = type;
        n.bits = literal_bits(type, value);
        return intern(n);
    }
    static constexpr std::int64_t literal_bits(element type, double value) {
        value = stored_as(type, value);
        return is_floating(type) ? std::bit_cast<std::int64_t>(value) : static_cast<std::int64_t>(value);
    }

    /// A literal from a whole number: all of its digits where the element is an integer, which wraps around.
    constexpr int literal(element type, std::int64_t value) {
        if (is_floating(type)) return literal(type, static_cast<double>(value));
        node n;
        n.what = kind::literal;
        n.type = type;
        n.bits = type == element::boolean ? std::int64_t{value != 0} : type == element::int32 ? std::int64_t{static_cast<std::int32_t>(value)} : value;
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

    constexpr bool is_literal(int id) const { return nodes.at[id].what == kind::literal; }
    constexpr bool is_literal(int id, double value) const { return is_literal(id) && literal_value(id) == value; }
    constexpr double literal_value(int id) const {
        const node& n = nodes.at[id];
        return is_floating(n.type) ? std::bit_cast<double>(n.bits) : static_cast<double>(n.bits);
    }

    constexpr int size(element type, size_ref s) {
        s = find(s);
        if (s >= 0) return literal(type, static_cast<double>(s));
        node n;
        n.what = kind::size;
        n.type = type;
        n.bits = s;
        return intern(n);
    }

    constexpr int arange(element type, size_ref s) {
        node n;
        n.what = kind::arange;
        n.type = type;
        n.bits = find(s);
        n.shape.rank = 1;
        n.shape[0] = n.bits;
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
    constexpr const operator_facts& facts(int fn) const { return facts_of(fn, own_operators.begin()); }

    constexpr bool is_apply(int id, int fn) const { return nodes.at[id].what == kind::apply && nodes.at[id].fn == fn; }
    template <class Op> constexpr bool is(int id) const { return is_apply(id, code<Op>); }

    constexpr int apply(int fn, int a, int b = -1, int c = -1) {
        node n;
        n.what = kind::apply;
        n.fn = static_cast<std::uint8_t>(fn);
        set_arguments(n, a, b, c);
        const op::typing typing = facts(fn).kind;
        n.type = typing == op::typing::comparison || typing == op::typing::logical ? element::boolean
                 : typing == op::typing::selection                                 ? nodes.at[b].type
                                                                                   : nodes.at[a].type;
        n.shape = nodes.at[a].shape;
        int hit = lookup(n);
        // A literal or a number stands last where the rules look for it: only arrays change places, or numbers among themselves.
        if (hit < 0 && commutes(fn) && !is_literal(a) && !is_literal(b) && (nodes.at[a].shape.rank == 0) == (nodes.at[b].shape.rank == 0)) {
            set_arguments(n, b, a, c);
            hit = lookup(n);
            set_arguments(n, a, b, c);
        }
        if (hit >= 0) return met(hit);
        for (int i = 1; i < 3; ++i)
            if (n.in[static_cast<unsigned>(i)] >= 0) broadcast_into(n, n.in[static_cast<unsigned>(i)]);
        return insert(n);
    }

    /// The operator on two arguments of one element type where the graph has it already, or -1.
    constexpr int find_apply(int fn, int a, int b) const {
        node n;
        n.what = kind::apply;
        n.fn = static_cast<std::uint8_t>(fn);
        set_arguments(n, a, b);
        n.type = nodes.at[a].type;
        return lookup(n);
    }

    static constexpr bool commutes(int fn) {
        return fn == code<op::add> || fn == code<op::multiply> || fn == code<op::maximum> || fn == code<op::minimum> ||
               fn == code<op::equal> || fn == code<op::not_equal> || fn == code<op::logical_and> || fn == code<op::logical_or>;
    }

    constexpr int cast(element type, int a) {
        if (nodes.at[a].type == type) return a;
        // What is only stored converts from and to float.
        if (is_stored_only(type) && nodes.at[a].type != element::float32) a = cast(element::float32, a);
        else if (is_stored_only(nodes.at[a].type) && type != element::float32) a = cast(element::float32, a);
        if (is_literal(a) && (is_floating(type) || !is_floating(nodes.at[a].type)))
            return is_floating(type) ? literal(type, literal_value(a)) : literal(type, nodes.at[a].bits);
        node n;
        n.what = kind::cast;
        n.type = type;
        n.in[0] = a;
        n.shape = nodes.at[a].shape;
        return intern(n);
    }

    /// Reduces the axes in the mask; they stay with extent 1. Without axes that vary it is the argument itself.
    constexpr int reduce(int fn, unsigned axes, int a) {
        node n;
        n.what = kind::reduce;
        n.type = nodes.at[a].type;
        n.fn = static_cast<std::uint8_t>(fn);
        n.in[0] = a;
        n.shape = nodes.at[a].shape;
        unsigned varying = 0;
        for (int i = 0; i < n.shape.rank; ++i)
            if (((axes >> i) & 1u) != 0 && find(n.shape[i]) != 1) {
                varying |= 1u << i;
                n.shape[i] = 1;
            }
        if (varying == 0) return a;
        n.bits = varying;
        return intern(n);
    }

    constexpr int row_operation(kind what, unsigned axes, int a) {
        node n;
        n.what = what;
        n.type = nodes.at[a].type;
        n.in[0] = a;
        n.bits = axes;
        n.shape = nodes.at[a].shape;
        if (what == kind::logsumexp)
            for (int i = 0; i < n.shape.rank; ++i)
                if ((axes >> i) & 1u) n.shape[i] = 1;
        return intern(n);
    }

    /// `source[i]` is the axis of `a` that axis i of the result shows, or `new_axis`.
    constexpr int view(int a, int rank, const std::array<int, max_rank>& source) {
        if (nodes.at[a].what == kind::view) {
            // A view of a view is one view. A new axis where the inner view dropped one is that axis again.
            const node inner = nodes.at[a];
            const int base = inner.in[0];
            std::array<int, max_rank> composed{};
            unsigned used = 0;
            for (int i = 0; i < rank; ++i) {
                const int s = source[static_cast<unsigned>(i)];
                composed[static_cast<unsigned>(i)] = s == new_axis ? new_axis : view_axis(inner.bits, s);
                if (composed[static_cast<unsigned>(i)] != new_axis) used |= 1u << composed[static_cast<unsigned>(i)];
            }
            for (int i = 0; i < rank; ++i)
                if (composed[static_cast<unsigned>(i)] == new_axis) {
                    const int after = i == 0 ? -1 : composed[static_cast<unsigned>(i - 1)];
                    const int candidate = after == new_axis ? -1 : after + 1;
                    if (candidate >= 0 && candidate < nodes.at[base].shape.rank && ((used >> candidate) & 1u) == 0) {
                        composed[static_cast<unsigned>(i)] = candidate;
                        used |= 1u << candidate;
                    }
                }
            return view(base, rank, composed);
        }
        if (nodes.at[a].shape.rank == 0 && is_literal(a) && rank == 0) return a;
        bool identity = rank == nodes.at[a].shape.rank;
        node n;
        n.what = kind::view;
        n.type = nodes.at[a].type;
        n.in[0] = a;
        n.shape.rank = rank;
        for (int i = 0; i < rank; ++i) {
            const int s = source[static_cast<unsigned>(i)];
            n.bits = with_view_axis(n.bits, i, s);
            n.shape[i] = s == new_axis ? 1 : nodes.at[a].shape[s];
            identity = identity && s == i;
        }
        return identity ? a : intern(n);
    }

    constexpr int reshape(int a, const detail::shape& to) {
        if (same_shape(nodes.at[a].shape, to)) return a;
        if (nodes.at[a].what == kind::reshape) a = nodes.at[a].in[0];
        if (same_shape(nodes.at[a].shape, to)) return a;
        node n;
        n.what = kind::reshape;
        n.type = nodes.at[a].type;
        n.in[0] = a;
        n.shape = to;
        return intern(n);
    }

    constexpr int broadcast(int a, const detail::shape& to) {
        if (same_shape(nodes.at[a].shape, to)) return a;
        if (nodes.at[a].what == kind::broadcast) a = nodes.at[a].in[0];
        node n;
        n.what = kind::broadcast;
        n.type = nodes.at[a].type;
        n.in[0] = a;
        n.shape = to;
        return intern(n);
    }

    /// [m,k] x [k,n] -> [m,n], [m,k] x [k] -> [m] and [...,m,k] x [...,k,n] -> [...,m,n]; the caller has matched the extents.
    constexpr int dot(int a, int b) {
        node n;
        n.what = kind::dot;
        n.type = nodes.at[a].type;
        set_arguments(n, a, b);
        n.shape = dot_shape(a, b);
        return intern(n);
    }

    constexpr detail::shape dot_shape(int a, int b) const {
        const detail::shape& x = nodes.at[a].shape;
        const detail::shape& y = nodes.at[b].shape;
        detail::shape out;
        out.rank = y.rank == 1 ? 1 : x.rank > y.rank ? x.rank : y.rank;
        for (int i = 0; i < out.rank - 2; ++i) {
            const int ix = i - (out.rank - x.rank), iy = i - (out.rank - y.rank);
            out[i] = ix >= 0 && (iy < 0 || find(x[ix]) != 1) ? x[ix] : y[iy];
        }
        out[out.rank == 1 ? 0 : out.rank - 2] = x[x.rank - 2];
        if (out.rank > 1) out[out.rank - 1] = y[y.rank - 1];
        return out;
    }

    /// A matrix, or each matrix of a batch, transposed.
    constexpr int transposed(int a) {
        const int rank = nodes.at[a].shape.rank;
        std::array<int, max_rank> source{};
        for (int i = 0; i < rank; ++i) source[static_cast<unsigned>(i)] = i < rank - 2 ? i : 2 * rank - 3 - i;
        return view(a, rank, source);
    }

    /// The value of `a`, whose derivative is that of `b`: what is fast to compute for what can be differentiated again. Both have
    /// the same value and shape.
    constexpr int stand_in(int a, int b) {
        node n;
        n.what = kind::stand_in;
        n.type = nodes.at[a].type;
        set_arguments(n, a, b);
        n.shape = nodes.at[a].shape;
        return intern(n);
    }

    /// Leaves the values where nothing will be differentiated any more.
    constexpr void drop_stand_ins(vec<int>& roots) {
        const auto value = [&](int id) {
            while (id >= 0 && nodes.at[id].what == kind::stand_in) id = nodes.at[id].in[0];
            return id;
        };
        bool any = false;
        for (const node& n : nodes) any = any || n.what == kind::stand_in;
        if (!any) return;
        for (node& n : nodes)
            for (int& a : n.in) a = value(a);
        for (int& id : rewritten) id = value(id);
        for (int& id : roots) id = value(id);
    }

    /// The node as it is, shared with an equal one. Its shape must be set.
    constexpr int intern(const node& n) {
        const int hit = lookup(n);
        return hit >= 0 ? met(hit) : insert(n);
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
        if (n.name >= 0) {
            out << name(n.name);
        } else if (n.what == kind::input) {
            const leaf_input& l = leaves.at[static_cast<int>(n.bits)];
            describe_leaf(out, l, l.path < 0 ? std::string_view() : name(l.path));
        } else if (n.what == kind::apply) {
            out << "the result of " << facts(n.fn).name;
        } else if (n.what == kind::reduce) {
            out << "the result of " << reduction_names[n.fn];
        } else if (n.what == kind::stand_in) {
            describe(out, n.in[0]);
        } else if (n.what == kind::view) {
            describe(out, n.in[0]);
            if (n.shape.rank == 2 && nodes.at[n.in[0]].shape.rank == 2) out << " transposed";
        } else {
            constexpr std::string_view what[] = {"", "a literal", "a size", "arange", "", "cast", "", "", "reshape",
                                                 "broadcast_to", "dot", "dot", "softmax", "log_softmax", "logsumexp"};
            out << "the result of " << (n.what == kind::dot && n.shape.rank > 2 ? tie::name(tie::matmul) : what[static_cast<int>(n.what)]);
        }
    }

    /// A size as a user would say it: a number, a name in quotes, or `a dynamic extent`.
    constexpr void describe_size(text_builder& out, size_ref s) const {
        s = find(s);
        if (s >= 0) {
            out << s;
            return;
        }
        const extent_code declared = sizes.at[index_of(s)].declared;
        if (is_named(declared)) {
            char letters[name_length_limit]{};
            const int length = unpack_name(declared, letters);
            out << "\"" << std::string_view(letters, static_cast<std::size_t>(length)) << "\"";
        } else {
            out << "a dynamic extent";
        }
    }

    /// Two extents along an axis that are not broadcast.
    constexpr void say_extents(int x, size_ref a, int y, size_ref b, int axis_from_end) {
        describe(error, x);
        error << " has extent ";
        describe_size(error, a);
        error << " but ";
        describe(error, y);
        error << " has extent ";
        describe_size(error, b);
        error << " along axis " << axis_from_end << "; only an extent that is 1 in its declaration is repeated";
    }

    constexpr bool same_shape(const detail::shape& a, const detail::shape& b) const {
        if (a.rank != b.rank) return false;
        for (int i = 0; i < a.rank; ++i)
            if (!same(a[i], b[i])) return false;
        return true;
    }

private:
    /// What a derivative made and the program writes too is the program's.
    constexpr int met(int id) {
        if (!deriving) nodes.at[id].derived = false;
        return id;
    }

    constexpr size_ref derived(size_entry::origin what, size_ref a, size_ref b) {
        a = find(a);
        b = find(b);
        if (const size_ref s = known(what, a, b, sizes.size()); s >= -sizes.size()) return s;
        size_entry entry;
        entry.what = what;
        entry.a = a;
        entry.b = b;
        derived_.push(sizes.size());
        return add_size(entry);
    }

    /// What a derived size is where that is a number or one of the first `end` entries; else what entry `end` would be.
    constexpr size_ref known(size_entry::origin what, size_ref a, size_ref b, int end) const {
        if (what == size_entry::origin::product) {
            if (a == 1 || b == 0) return b;
            if (b == 1 || a == 0) return a;
            if (a >= 0 && b >= 0) return a * b;
        } else if (what == size_entry::origin::quotient) {
            if (b == 1) return a;
            if (a == b) return 1;
            if (a >= 0 && b > 0 && a % b == 0) return a / b;
            // (x * b) / b is x
            if (a < 0 && sizes.at[index_of(a)].what == size_entry::origin::product) {
                if (same(sizes.at[index_of(a)].a, b)) return find(sizes.at[index_of(a)].b);
                if (same(sizes.at[index_of(a)].b, b)) return find(sizes.at[index_of(a)].a);
            }
        }
        for (const int i : derived_) {
            if (i >= end) break;
            const size_entry& s = sizes.at[i];
            if (s.what == what && ((same(s.a, a) && same(s.b, b)) ||
                                   (what == size_entry::origin::product && same(s.a, b) && same(s.b, a))))
                return -1 - i;
        }
        return -1 - end;
    }

    /// Widens the shape of `n` by NumPy's rule so that argument `other` fits; only a static 1 is stretched.
    constexpr void broadcast_into(node& n, int other) {
        const detail::shape& s = nodes.at[other].shape;
        detail::shape out;
        out.rank = n.shape.rank > s.rank ? n.shape.rank : s.rank;
        for (int i = 0; i < out.rank; ++i) {
            const int ia = i - (out.rank - n.shape.rank), ib = i - (out.rank - s.rank);
            const size_ref a = ia < 0 ? 1 : n.shape[ia], b = ib < 0 ? 1 : s[ib];
            const size_ref fa = find(a), fb = find(b);
            out[i] = fa == 1 ? b : a;
            if (fa == 1 || fb == 1 || fa == fb) continue;
            if (!unify(a, b, nodes.size()) && !failed()) mismatch(n, other, i - out.rank, a, b);
        }
        n.shape = out;
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

    static constexpr std::uint64_t hash(const node& n) {
        std::uint64_t h = (static_cast<std::uint64_t>(n.what) << 16) ^ (static_cast<std::uint64_t>(n.type) << 8) ^ n.fn;
        h = (h ^ static_cast<std::uint64_t>(n.bits)) * 0x9E3779B97F4A7C15u;
        h ^= h >> 29;
        const std::uint64_t arguments = static_cast<std::uint64_t>(n.in[0] + 1) | (static_cast<std::uint64_t>(n.in[1] + 1) << 20) |
                                        (static_cast<std::uint64_t>(n.in[2] + 1) << 40);
        h = (h ^ arguments) * 0xBF58476D1CE4E5B9u;
        return h ^ (h >> 32);
    }

    constexpr bool equal(const node& a, const node& b) const {
        if (a.in[0] != b.in[0] || a.what != b.what || a.fn != b.fn || a.bits != b.bits || a.type != b.type) return false;
        for (int i = 1; i < max_arguments; ++i)
            if (a.in[i] != b.in[i]) return false;
        // The axes that a view shows do not say how many they are: its last ones may show axis 0.
        if (a.what == kind::view) return a.shape.rank == b.shape.rank;
        return (a.what != kind::reshape && a.what != kind::broadcast) || same_shape(a.shape, b.shape);
    }

    constexpr int lookup(const node& n) const {
        if (table_.empty()) return -1;
        const unsigned mask = static_cast<unsigned>(table_.size()) - 1;
        for (unsigned at = static_cast<unsigned>(hash(n)) & mask;; at = (at + 1) & mask) {
            const int id = table_.at[static_cast<int>(at)];
            if (id < 0) return -1;
            if (equal(nodes.at[id], n)) return id;
        }
    }

    constexpr int insert(const node& n) {
        if (2 * (nodes.size() + 1) > table_.size()) {
            table_.assign(table_.empty() ? 256 : 4 * table_.size(), -1);
            for (int i = 0; i < nodes.size(); ++i) place(i);
        }
        nodes.push(n);
        nodes.back().derived = deriving;
        place(nodes.size() - 1);
        return nodes.size() - 1;
    }

    constexpr void place(int id) {
        const unsigned mask = static_cast<unsigned>(table_.size()) - 1;
        unsigned at = static_cast<unsigned>(hash(nodes.at[id])) & mask;
        while (table_.at[static_cast<int>(at)] >= 0) at = (at + 1) & mask;
        table_.at[static_cast<int>(at)] = id;
    }

    vec<int> table_;    // open addressing: node ids by hash
    vec<int> derived_;  // the sizes that are computed from others
    vec<name_range> names_;
    vec<char> chars_;
};

}  // namespace croton::inline v0_1::detail

#endif
