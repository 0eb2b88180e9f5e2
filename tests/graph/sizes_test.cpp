// SPDX-License-Identifier: MIT
// Extents that are computed from others: what a graph says of them while compiling is what a call finds.
#include <doctest/doctest.h>

#include <vector>

#include <croton/graph/arena.hpp>
#include <croton/core/slice.hpp>

using namespace croton::detail;
using croton::none;
using croton::slice;
using croton::slice_end;

namespace {

std::int64_t value(const size_table& t, size_ref s, std::int64_t n, std::int64_t m) {
    s = t.find(s);
    if (s >= 0) return s;
    const size_entry& e = t.sizes.at[size_table::index_of(s)];
    using origin = size_entry::origin;
    if (e.what == origin::argument) return e.leaf == 0 ? n : m;
    const std::int64_t a = value(t, e.a, n, m), b = value(t, e.b, n, m);
    switch (e.what) {
    case origin::product: return a * b;
    case origin::sum: return a + b;
    case origin::difference: return plain_extents::difference(a, b);
    case origin::minimum: return plain_extents::minimum(a, b);
    case origin::rounded_up: return plain_extents::rounded_up(a, b);
    case origin::remainder: return b == 0 ? 0 : a % b;
    case origin::root: return rounded_root(a);
    default: return b == 0 ? 0 : a / b;
    }
}

size_ref argument(size_table& t, int leaf) {
    size_entry e;
    e.leaf = leaf;
    return t.add_size(e);
}

}  // namespace

TEST_CASE("slices of an extent that only the call knows, and slices of those") {
    size_table t;
    const size_ref n = argument(t, 0);
    std::vector<slice_end> ends{none};
    for (const int i : {-4, -2, -1, 0, 1, 3}) ends.push_back(i);
    int wrong = 0;
    const auto compare = [&](const picked& known, const picked& called, std::int64_t at) {
        const std::int64_t count = value(t, known.count, at, 0);
        wrong += count != called.count || (count > 0 && value(t, known.start, at, 0) != called.start);
    };
    for (const slice_end& start : ends)
        for (const slice_end& stop : ends)
            for (const int step : {1, 2, -1, -3}) {
                const slice s(start, stop, step);
                const picked p = pick(t, s, n);
                for (std::int64_t at = 0; at <= 6; ++at) compare(p, pick(plain_extents{}, s, at), at);
                for (const slice& again : {slice(1, -1), slice(none, none, -1), slice(-2, none)}) {
                    const picked q = pick(t, again, t.find(p.count));
                    for (std::int64_t at = 0; at <= 6; ++at) compare(q, pick(plain_extents{}, again, value(t, p.count, at, 0)), at);
                }
            }
    CHECK(wrong == 0);
}

TEST_CASE("arithmetic of two extents") {
    size_table t;
    const size_ref n = argument(t, 0), m = argument(t, 1);
    std::vector<size_ref> known{n, m, 0, 1, 3};
    struct made {
        size_ref s;
        int what;
        size_ref a, b;
    };
    std::vector<made> all;
    for (int round = 0; round < 2; ++round) {
        const std::vector<size_ref> of = known;
        for (const size_ref a : of)
            for (const size_ref b : of)
                for (int what = 0; what < 5; ++what) {
                    const size_ref s = what == 0   ? t.sum(a, b)
                                       : what == 1 ? t.difference(a, b)
                                       : what == 2 ? t.minimum(a, b)
                                       : what == 3 ? t.product(a, b)
                                                   : t.remainder(a, b);
                    all.push_back({s, what, a, b});
                    if (round == 0) known.push_back(s);
                }
    }
    int wrong = 0;
    for (std::int64_t i = 0; i <= 4; ++i)
        for (std::int64_t j = 0; j <= 4; ++j)
            for (const made& x : all) {
                const std::int64_t a = value(t, x.a, i, j), b = value(t, x.b, i, j);
                const std::int64_t want = x.what == 0   ? a + b
                                          : x.what == 1 ? plain_extents::difference(a, b)
                                          : x.what == 2 ? plain_extents::minimum(a, b)
                                          : x.what == 3 ? a * b
                                          : b == 0      ? 0
                                                        : a % b;
                wrong += value(t, x.s, i, j) != want;
            }
    CHECK(wrong == 0);
}

TEST_CASE("what is put together again is the whole") {
    size_table t;
    const size_ref n = argument(t, 0), m = argument(t, 1);
    CHECK(t.same(t.sum(t.minimum(3, n), t.difference(n, 3)), n));
    CHECK(t.same(t.difference(t.sum(n, m), m), n));
    CHECK(t.same(t.difference(t.difference(n, 1), 1), t.difference(n, 2)));
    CHECK(t.same(t.sum(t.sum(n, 2), 3), t.sum(5, n)));
    CHECK(t.same(t.sum(t.remainder(2, n), t.difference(n, t.remainder(2, n))), n));
    CHECK(t.same(t.difference(n, t.difference(n, 2)), t.minimum(n, 2)));
    const size_ref shorter = t.difference(n, 2);
    CHECK(t.unify(n, 7, tie::declaration));
    t.settle_ties();
    CHECK(t.find(shorter) == 5);
}

TEST_CASE("a loop cut in chunks and what is left") {
    size_table t;
    const size_ref n = argument(t, 0), k = t.root(n);
    for (const size_ref every : {k, size_ref{3}}) {
        const size_ref rest = t.remainder(n, every), whole = t.difference(n, rest), chunks = t.quotient(whole, every);
        CHECK(t.find(t.product(chunks, every)) == t.find(whole));
        CHECK(t.find(t.sum(whole, rest)) == t.find(n));
        CHECK(t.find(t.difference(n, whole)) == t.find(rest));
    }
    for (std::int64_t at = 0; at < 1000; ++at) {
        const std::int64_t root = value(t, k, at, 0);
        CHECK(root * root >= at);
        CHECK((root == 1 || (root - 1) * (root - 1) < at));
        CHECK(t.root(at) == root);
    }
    CHECK(rounded_root(9223372030926249001) == 3037000499);
}
