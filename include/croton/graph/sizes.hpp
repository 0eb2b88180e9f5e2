// SPDX-License-Identifier: MIT
// The extents of a graph: numbers, what a call brings, and what is computed from them; which are known to be equal.
#ifndef CROTON_GRAPH_SIZES_HPP
#define CROTON_GRAPH_SIZES_HPP

#include <cstdint>
#include <string_view>

#include <croton/core/text.hpp>
#include <croton/core/vec.hpp>
#include <croton/graph/node.hpp>

namespace croton::inline v0_1::detail {

/// The square root, rounded up, and at least 1.
constexpr std::int64_t rounded_root(std::int64_t n) {
    std::int64_t low = 1, high = 3037000499;  // the largest whose square is a number
    while (low < high) {
        const std::int64_t between = low + (high - low) / 2;
        if (between * between >= n) high = between;
        else low = between + 1;
    }
    return low;
}

class size_table {
public:
    vec<size_entry> sizes;

    /// The representative of a size: a number, or the first of the entries known to be equal.
    constexpr size_ref find(size_ref s) const {
        while (s < 0) {
            const size_ref next = sizes.at[-1 - s].same_as;
            if (next == s) break;
            s = next;
        }
        return s;
    }
    constexpr bool same(size_ref a, size_ref b) const { return a == b || find(a) == find(b); }

    constexpr size_ref product(size_ref a, size_ref b) { return derived(size_entry::origin::product, a, b); }
    constexpr size_ref quotient(size_ref a, size_ref b) { return derived(size_entry::origin::quotient, a, b); }
    constexpr size_ref rounded_up(size_ref a, size_ref b) { return derived(size_entry::origin::rounded_up, a, b); }

    constexpr size_ref remainder(size_ref a, size_ref b) { return derived(size_entry::origin::remainder, a, b); }
    constexpr size_ref root(size_ref a) { return derived(size_entry::origin::root, a, 0); }

    constexpr size_ref sum(size_ref a, size_ref b) {
        a = find(a);
        b = find(b);
        if (a >= 0 && b < 0) return sum(b, a);
        // A number stands last, and there is one: (x + 2) + 3 is x + 5.
        if (is(a, size_entry::origin::sum) && second(a) >= 0) return b >= 0 ? sum(first(a), second(a) + b) : sum(sum(first(a), b), second(a));
        if (is(b, size_entry::origin::sum) && second(b) >= 0) return sum(sum(a, first(b)), second(b));
        return derived(size_entry::origin::sum, a, b);
    }

    /// a - b, and 0 where that is negative.
    constexpr size_ref difference(size_ref a, size_ref b) {
        a = find(a);
        b = find(b);
        if (is(b, size_entry::origin::difference) && first(b) == a) return minimum(a, second(b));
        if (is(b, size_entry::origin::minimum) && first(b) == a) return difference(a, second(b));
        if (is(b, size_entry::origin::minimum) && second(b) == a) return difference(a, first(b));
        // (x - 1) - (x - 3) and min(x, 3) - min(x, 1) are what is left of 2, beyond the smaller number.
        for (const auto what : {size_entry::origin::difference, size_entry::origin::minimum}) {
            if (!is(a, what) || !is(b, what) || first(a) != first(b) || second(a) < 0 || second(b) < 0) continue;
            const bool cuts = what == size_entry::origin::minimum;
            const size_ref low = cuts ? second(b) : second(a), high = cuts ? second(a) : second(b);
            return low < high ? minimum(difference(first(a), low), high - low) : 0;
        }
        if (b >= 0) {
            // (x + 5) - 3 is x + 2, and (x + 2) - 5 is x - 3; (x - 2) - 3 is x - 5.
            if (is(a, size_entry::origin::sum) && second(a) >= 0)
                return second(a) >= b ? sum(first(a), second(a) - b) : difference(first(a), b - second(a));
            if (is(a, size_entry::origin::difference) && second(a) >= 0) return difference(first(a), second(a) + b);
        }
        return derived(size_entry::origin::difference, a, b);
    }

    constexpr size_ref minimum(size_ref a, size_ref b) {
        a = find(a);
        b = find(b);
        if (a >= 0 && b < 0) return minimum(b, a);
        if (is(a, size_entry::origin::minimum) && b >= 0 && second(a) >= 0) return minimum(first(a), second(a) < b ? second(a) : b);
        return derived(size_entry::origin::minimum, a, b);
    }

    constexpr size_ref maximum(size_ref a, size_ref b) { return never_exceeds(a, b) ? b : never_exceeds(b, a) ? a : sum(a, difference(b, a)); }

    /// Whether a is at most b, as far as both are multiples of one size and numbers that are added.
    constexpr bool is_at_most(size_ref a, size_ref b) const {
        const multiple x = multiple_of(a, 0), y = multiple_of(b, 0);
        return x.is_like(y) && x.times <= y.times && x.plus <= y.plus;
    }
    /// The same, also by what is cut off, taken off and added.
    constexpr bool never_exceeds(size_ref a, size_ref b, int depth = 0) const {
        using origin = size_entry::origin;
        a = find(a);
        b = find(b);
        if (a == 0 || is_at_most(a, b)) return true;
        if (depth > 4) return false;
        const auto holds = [&](size_ref x, size_ref y) { return never_exceeds(x, y, depth + 1); };
        if (is(b, origin::minimum)) return holds(a, first(b)) && holds(a, second(b));
        if (is(a, origin::minimum)) return holds(first(a), b) || holds(second(a), b);
        if (is(a, origin::difference) && is(b, origin::difference) && holds(first(a), first(b)) && holds(second(b), second(a))) return true;
        if (is(a, origin::difference)) return holds(first(a), b);
        return is(b, origin::sum) && (holds(a, first(b)) || holds(a, second(b)));
    }
    /// What is left of a size without a part of it.
    constexpr size_ref rest_of(size_ref whole, size_ref part) {
        if (!is_at_most(part, whole)) return difference(whole, part);
        const multiple x = multiple_of(whole, 0), y = multiple_of(part, 0);
        return x.times == y.times ? x.plus - y.plus : sum(product(x.of, x.times - y.times), x.plus - y.plus);
    }

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

    /// Sizes that are computed from equal ones are equal, once every tie is known.
    constexpr void settle_ties() {
        for (const int i : derived_) {
            const size_entry& s = sizes.at[i];
            if (find(-1 - i) >= 0) continue;
            const size_ref equal = known(s.what, find(s.a), find(s.b), i);
            if (equal != -1 - i) unify(-1 - i, equal, s.tied_by);
        }
    }

    static constexpr int index_of(size_ref s) { return static_cast<int>(-1 - s); }

    constexpr bool same_shape(const detail::shape& a, const detail::shape& b) const {
        if (a.rank != b.rank) return false;
        for (int i = 0; i < a.rank; ++i)
            if (a.extent[i] != b.extent[i] && find(a.extent[i]) != find(b.extent[i])) return false;
        return true;
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

private:
    /// times * of + plus
    struct multiple {
        size_ref of = 0, times = 0, plus = 0;
        constexpr bool is_like(const multiple& m) const { return of == m.of || times == 0 || m.times == 0; }
    };
    constexpr multiple multiple_of(size_ref s, int depth) const {
        using origin = size_entry::origin;
        s = find(s);
        if (s >= 0) return {0, 0, s};
        const auto by = [](multiple m, size_ref number) { return multiple{m.of, m.times * number, m.plus * number}; };
        if (depth > 8) return {s, 1, 0};
        for (const int i : derived_) {
            const size_entry& e = sizes.at[i];
            const size_ref made = find(-1 - i), number = find(e.b);
            if (e.what == origin::product && made == s && number > 0) return by(multiple_of(e.a, depth + 1), number);
            if (e.what == origin::quotient && find(e.a) == s && number > 0 && made != s) return by(multiple_of(made, depth + 1), number);
        }
        if (is(s, origin::sum) || is(s, origin::difference)) {
            const multiple x = multiple_of(first(s), depth + 1), y = multiple_of(second(s), depth + 1);
            const size_ref of = x.times != 0 ? x.of : y.of;
            if (is(s, origin::sum) && x.is_like(y)) return {of, x.times + y.times, x.plus + y.plus};
            if (is(s, origin::difference) && x.is_like(y) && x.times >= y.times && x.plus >= y.plus) return {of, x.times - y.times, x.plus - y.plus};
        }
        return {s, 1, 0};
    }

    constexpr bool is(size_ref s, size_entry::origin what) const { return s < 0 && sizes.at[index_of(s)].what == what; }
    constexpr size_ref first(size_ref s) const { return find(sizes.at[index_of(s)].a); }
    constexpr size_ref second(size_ref s) const { return find(sizes.at[index_of(s)].b); }

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

    /// What a derived size is where that is a number, a part of it or one of the first `end` entries; else what entry `end` would be.
    constexpr size_ref known(size_entry::origin what, size_ref a, size_ref b, int end) const {
        using origin = size_entry::origin;
        switch (what) {
        case origin::product:
            if (a == 1 || b == 0) return b;
            if (b == 1 || a == 0) return a;
            if (a >= 0 && b >= 0) return a * b;
            // A quotient is exact.
            if (is(a, origin::quotient) && second(a) == b) return first(a);
            if (is(b, origin::quotient) && second(b) == a) return first(b);
            break;
        case origin::quotient:
            if (b == 1) return a;
            if (a == b) return 1;
            if (a >= 0 && b > 0 && a % b == 0) return a / b;
            // (x * b) / b is x
            if (is(a, origin::product) && first(a) == b) return second(a);
            if (is(a, origin::product) && second(a) == b) return first(a);
            break;
        case origin::rounded_up:
            if (b == 1) return a;
            if (a >= 0 && b > 0) return a / b + (a % b != 0 ? 1 : 0);
            if (is(a, origin::product) && first(a) == b) return second(a);
            if (is(a, origin::product) && second(a) == b) return first(a);
            break;
        case origin::sum:
            if (a == 0) return b;
            if (b == 0) return a;
            if (a >= 0 && b >= 0) return a + b;
            // min(x, y) and x - y are x
            if (is(a, origin::minimum) && is(b, origin::difference) && part(a, b)) return first(b);
            if (is(b, origin::minimum) && is(a, origin::difference) && part(b, a)) return first(a);
            // What is left of a division by x or of x, and x without it.
            if (is(a, origin::difference) && is(b, origin::remainder) && second(a) == b && (first(a) == second(b) || first(a) == first(b))) return first(a);
            if (is(b, origin::difference) && is(a, origin::remainder) && second(b) == a && (first(b) == second(a) || first(b) == first(a))) return first(b);
            break;
        case origin::remainder:
            if (a == 0 || b == 1 || b == 0 || a == b) return 0;
            if (a >= 0 && b >= 0) return a % b;
            break;
        case origin::difference:
            if (b == 0) return a;
            if (a == b || a == 0) return 0;
            if (a >= 0 && b >= 0) return a > b ? a - b : 0;
            if (is(a, origin::sum) && first(a) == b) return second(a);
            if (is(a, origin::sum) && second(a) == b) return first(a);
            if (is(a, origin::minimum) && (first(a) == b || second(a) == b)) return 0;
            if (is(a, origin::difference) && first(a) == b) return 0;
            break;
        case origin::minimum:
            if (a == b) return a;
            if (a == 0 || b == 0) return 0;
            if (a >= 0 && b >= 0) return a < b ? a : b;
            // What is taken off or cut off is not more.
            if ((is(a, origin::difference) || is(a, origin::minimum)) && first(a) == b) return a;
            if ((is(b, origin::difference) || is(b, origin::minimum)) && first(b) == a) return b;
            if (is(a, origin::remainder) && first(a) == b) return a;
            if (is(b, origin::remainder) && first(b) == a) return b;
            if (is(a, origin::minimum) && second(a) == b) return a;
            if (is(b, origin::minimum) && second(b) == a) return b;
            break;
        case origin::root:
            if (a >= 0) return rounded_root(a);
            break;
        case origin::argument: break;
        }
        const bool commutes = what == origin::product || what == origin::sum || what == origin::minimum;
        for (const int i : derived_) {
            if (i >= end) break;
            const size_entry& s = sizes.at[i];
            if (s.what == what && ((same(s.a, a) && same(s.b, b)) || (commutes && same(s.a, b) && same(s.b, a)))) return -1 - i;
        }
        return -1 - end;
    }

    /// Whether a minimum and a difference are of the same two.
    constexpr bool part(size_ref least, size_ref rest) const {
        return (first(least) == first(rest) && second(least) == second(rest)) || (first(least) == second(rest) && second(least) == first(rest));
    }

    vec<int> derived_;  // the sizes that are computed from others
};

}  // namespace croton::inline v0_1::detail

#endif
