// SPDX-License-Identifier: MIT
// The extents of a graph: numbers, what a call brings, and what is computed from them; which are known to be equal.
#ifndef CROTON_GRAPH_SIZES_HPP
#define CROTON_GRAPH_SIZES_HPP

#include <string_view>

#include <croton/core/text.hpp>
#include <croton/core/vec.hpp>
#include <croton/graph/node.hpp>

namespace croton::inline v0_1::detail {

class size_table {
public:
    vec<size_entry> sizes;

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
            if (!same(a[i], b[i])) return false;
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

    vec<int> derived_;  // the sizes that are computed from others
};

}  // namespace croton::inline v0_1::detail

#endif
