// SPDX-License-Identifier: MIT
// Copies that only lay out an array in another way: which are left out, and the numbers beside those of plain loops.
#include <croton/croton.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

using namespace croton;

namespace {

/// The numbers of the steps that are left out of a function for the sizes of its table.
template <class F> std::vector<int> left_out(const F& f, const std::vector<std::int64_t>& sizes = {}) {
    const detail::plan_view p = detail::view_of(f.program(), f.plan());
    std::vector<detail::needless_copies::place> places(static_cast<std::size_t>(p.buffer_count));
    std::vector<detail::needless_copies::span> spans(places.size());
    bool out[256];
    detail::needless_copies::find(p, sizes.data(), true, places.data(), spans.data(), out);
    std::vector<int> found;
    for (int i = 0; i < p.step_count; ++i)
        if (out[i]) found.push_back(i + 1);
    return found;
}

template <class A> A drawn(A a, unsigned seed) {
    random::uniform(a, seed, -1.0, 1.0);
    return a;
}

template <class A> double difference(const A& a, const A& b) {
    if (a.extents() != b.extents()) return 1;
    double worst = 0;
    for (std::int64_t i = 0; i < a.size(); ++i) worst = std::max(worst, std::abs(a.data()[i] - b.data()[i]));
    return worst;
}

constexpr auto by_head = [](const auto& part) { return transpose<0, 2, 1, 3>(reshape<dynamic, 8, 2, 16>(part)); };
constexpr auto heads = [](const auto& x, const auto& w) {
    auto [asked, keys, values] = split<-1, 3>(matmul(x, w));
    return reshape<dynamic, 8, 32>(transpose<0, 2, 1, 3>(attention(by_head(asked), by_head(keys), by_head(values))));
};
// Three windows that are read through a reshape, and a result that is turned.
constexpr auto forwards = [](tensor<double, 3, 8, dynamic> x, matrix<double> w, matrix<double, 32, dynamic> v) { return matmul(heads(x, w), v); };
// Backwards three products, turned, become the windows of one array.
constexpr auto backwards = [](tensor<double, 3, 8, dynamic> x, matrix<double> w, matrix<double, 32, dynamic> v) { return grad(sum(sqr(matmul(heads(x, w), v))), w); };

}  // namespace

TEST_CASE("attention by heads copies nothing where the heads are the columns of a part") {
    auto f = function<cpu>(forwards);
    auto g = function<cpu>(backwards);
    auto f_plain = function<reference>(forwards);
    auto g_plain = function<reference>(backwards);
    // Of 96 columns the parts are 2 heads of 16; of 192 they are two rows of heads, and no strides say so.
    for (const int columns : {96, 192, 96}) {
        const auto x = drawn(array<double, 3>(3, 8, 20), 1);
        const auto w = drawn(array<double, 2>(20, columns), 2), v = drawn(array<double, 2>(32, 5), 3);
        CHECK(difference(array<double, 3>(f(x, w, v)), array<double, 3>(f_plain(x, w, v))) < 1e-12);
        CHECK(difference(array<double, 2>(g(x, w, v)), array<double, 2>(g_plain(x, w, v))) < 1e-12);
        // Looked at step by step they all run.
        const nan_guard guard;
        CHECK(difference(array<double, 2>(g(x, w, v)), array<double, 2>(g_plain(x, w, v))) < 1e-12);
    }
    const std::string text = explain(f);
    CHECK(text.find("can be read in place in") != text.npos);
    CHECK(text.find("can be computed in place of") != text.npos);
    CHECK(explain(f_plain).find("in place of") == std::string::npos);
}

namespace {

using square = tensor<double, 24, 24>;

/// The kernel steps of a function that are left out; all extents are known.
template <class F> std::size_t count(const F& f) { return left_out(f).size(); }

// A product of a part of a product, which is read through a reshape.
constexpr auto part = [](square a, square b, tensor<double, 2, 6, 3> c) { auto product = dot(a, b); return matmul(reshape<2, 24, 6>(product(slice(none, none), slice(4, 16))), c) * sum(product); };
// The same of every second column: no run of memory.
constexpr auto strided = [](square a, square b, tensor<double, 2, 6, 3> c) { auto product = dot(a, b); return matmul(reshape<2, 24, 6>(product(slice(none, none), slice(0, 24, 2))), c) * sum(product); };

}  // namespace

TEST_CASE("what takes a copy and what does not") {
    auto f = function<cpu>(part);
    auto g = function<cpu>(strided);
    const auto a = drawn(array<double, 2>(24, 24), 1), b = drawn(array<double, 2>(24, 24), 2);
    const auto c = drawn(array<double, 3>(2, 6, 3), 3);
    CHECK(difference(array<double, 3>(f(a, b, c)), array<double, 3>(function<reference>(part)(a, b, c))) < 1e-12);
    CHECK(difference(array<double, 3>(g(a, b, c)), array<double, 3>(function<reference>(strided)(a, b, c))) < 1e-12);
    // Rows of 12 columns are 2 of 6, of which each half of the rows is 24: they lie apart by turns.
    CHECK(count(f) == 0);
    CHECK(count(g) == 0);
    constexpr auto by_rows = [](square x, square y, tensor<double, 24, 6, 3> z) {
        auto product = dot(x, y);
        return matmul(reshape<24, 2, 6>(product(slice(none, none), slice(4, 16))), z) * sum(product);
    };
    auto h = function<cpu>(by_rows);
    const auto d = drawn(array<double, 3>(24, 6, 3), 4);
    CHECK(count(h) == 1);
    CHECK(difference(array<double, 3>(h(a, b, d)), array<double, 3>(function<reference>(by_rows)(a, b, d))) < 1e-12);
}
