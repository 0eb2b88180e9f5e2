// SPDX-License-Identifier: MIT
// Every structure and every routine that the headers define, on emulated blocks beside the reference, linear algebra by LAPACK in the place of cuSOLVER: whatever stands
// there and in no function here fails the test.
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <string_view>
#include <tuple>

#include "device/compare.hpp"
#include "device/emulated_cuda.hpp"

#if CROTON_HAS_LAPACK
#include "device/emulated_solver.hpp"

using namespace croton;

namespace {

/// The names of what the live nodes of a function are, as it was written and as it is planned, and of the routines that compute them.
template <class F> constexpr auto names_of() {
    detail::fixed_list<std::string_view, 128> names;
    detail::traced_program p;
    detail::trace<F>(p);
    detail::vec<int> roots;
    for (const int o : p.outputs) roots.push(o);
    const auto add = [&](std::string_view name) {
        for (const std::string_view n : names)
            if (n == name) return;
        names.push(name);
    };
    const auto look = [&] {
        const detail::liveness live(p.g, roots);
        for (int id = 0; id < p.g.nodes.size(); ++id) {
            if (live.uses.at[id] == 0) continue;
            const detail::node& n = p.g.nodes.at[id];
            const detail::structure_facts& facts = *p.g.structures.at[n.what];
            add(facts.name);
            if (facts.is_routine) add(facts.routine(n)->name);
        }
    };
    look();
    detail::fired_rules fired;
    detail::rewrite(p.g, roots, true, fired);
    look();
    return names;
}

std::set<std::string> ran;

/// The results of a function on emulated blocks and on the reference are the same.
template <class F, class... X> void check(const std::string& which, F f, const X&... x) {
    CAPTURE(which);
    static constexpr auto names = names_of<F>();
    static_assert(names.fits());
    for (const std::string_view name : names) ran.emplace(name);
    auto on_device = function<emulated_linear_gpu>(f);
    auto expected = function<reference>(f);
    const auto got = on_device(x...);
    const auto want = expected(x...);
    [&]<std::size_t... I>(std::index_sequence<I...>) { (test::check_close(std::get<I>(got).template to<cpu>(), std::get<I>(want), 1e-4), ...); }(
        std::make_index_sequence<std::tuple_size_v<std::remove_cvref_t<decltype(want)>>>());
}

/// The names in the headers of a folder.
std::set<std::string> defined_in(const std::string& folder) {
    std::set<std::string> names;
    const std::string_view marks = "string_view name = ", ends = "failure =";
    for (const auto& file : std::filesystem::directory_iterator(std::filesystem::path(__FILE__).parent_path() / "../../../include/croton" / folder)) {
        std::ifstream in(file.path());
        for (std::string line; std::getline(in, line);) {
            const std::size_t at = line.find(marks);
            if (at == std::string::npos) continue;
            line = line.substr(at, line.find(ends, at) - at);
            for (std::size_t open = line.find('"'); open != std::string::npos; open = line.find('"', open + 1)) {
                const std::size_t close = line.find('"', open + 1);
                names.insert(line.substr(open + 1, close - open - 1));
                open = close;
            }
        }
    }
    return names;
}

array<float, 3> regular(int n) {
    auto a = test::random_array<float, 3>(1, 2, n, n);
    for (int b = 0; b < 2; ++b)
        for (int i = 0; i < n; ++i) a(b, i, i) += static_cast<float>(n + 1 + i);
    return a;
}

}  // namespace

TEST_CASE("every structure and every routine runs on emulated blocks") {
    const auto x = test::random_array<float, 2>(1, 6, 7), y = test::random_array<float, 2>(2, 6, 7);
    const array<std::int64_t, 1> rows{3, 0, -1, 5};
    check("views", [](matrix<float> a, matrix<float> b) {
        return std::tuple(transpose(a) * 2, reshape<3, 14>(a + b), flatten(a * b), newaxis<1>(a) * newaxis<0>(b), diagonal(a), broadcast_to<2, 6, 7>(a) + 1, rot90(a), swapaxes<0, 1>(a) - 1);
    }, x, y);
    check("parts", [](matrix<float> a, matrix<float> b) {
        return std::tuple(a(slice(1, none, 2), slice(none, none, -1)), flip<0>(a), concatenate<1>(a, exp(b)), stack<0>(a, b, a + b), tile<2, 1>(a), repeat<1, 3>(a), roll<1>(a, 2),
                          pad(a, {{1, 2}, {0, 3}}, pad_mode::reflect), pad(a * b, 1, 0.5f), diff(a));
    }, x, y);
    check("triangles and what is filled", [](matrix<float> a, matrix<int> k) {
        return std::tuple(tril(a), triu<1>(a), eye<4>(a) * 2, arange<5>(a) + 1, one_hot<7>(k), cast<double>(a), cast<int>(a * 10), linspace<9>(min(a), 2));
    }, x, test::random_array<int, 2>(3, 2, 3));
    check("what is taken", [](matrix<float> a, vector<std::int64_t> k) {
        auto order = argsort<1>(a);
        auto taken = take_along_axis<1>(a, order);
        return std::tuple(take<0>(a, k), taken, order, grad(sum(sqr(take<0>(a, k))) + sum(sqr(taken) * a), a));
    }, x, rows);
    check("what is put", [](matrix<float> a, vector<std::int64_t> k, matrix<float> v, vector<int> segments) {
        return std::tuple(set_at<0>(a, k, v), add_at<0>(a, k, v), segment_sum<6>(v, segments), segment_max<6>(v, segments), bincount<6>(segments));
    }, x, rows, test::random_array<float, 2>(4, 4, 7), array<int, 1>{3, 0, 3, 5});
    check("what is ordered", [](matrix<float> a, vector<float> edges) {
        auto [largest, places] = topk<3, 1>(a);
        return std::tuple(sort<0>(a), argsort<1>(a), largest, places, searchsorted(edges, a), argmax<1>(a), argmin<0>(a), median<1>(a), grad(sum(sqr(sort<1>(a)) * a) + sum(sqr(largest)), a));
    }, x, array<float, 1>{-0.5f, 0, 0.25f, 0.5f});
    check("order where it is read", [](matrix<float> a) { return std::tuple(median<0>(a), quantile<1>(a, 0.3)); }, x);
    check("what is cumulated", [](matrix<float> a) {
        auto s = cumsum<0>(a), p = cumprod<1>(a + 2), l = logcumsumexp<1>(a);
        auto high = cummax<1>(a), low = cummin<0>(a);
        return std::tuple(s, p, l, high, low, grad(sum(sqr(s)) + sum(p) + sum(sqr(l)) + sum(high * a) + sum(sqr(low)), a));
    }, x);
    check("rows that share", [](matrix<float> a) {
        return std::tuple(softmax<1>(a), log_softmax<0>(a), logsumexp<1>(a), sum<0>(a), max<1>(a), var<1>(a), grad(sum(sqr(softmax<1>(a))), a));
    }, x);
    check("products", [](matrix<float> a, matrix<float> b) {
        return std::tuple(dot(a, transpose(b)), einsum<"ij,kj->ik">(a, b), outer(sum<0>(a), sum<1>(b)), dot(a, transpose(b)) * 0.5f + 1);
    }, x, y);
    check("equations", [](tensor<float, dim("b"), dim("n"), dim("n")> a, tensor<float, dim("b"), dim("n"), dynamic> r) {
        auto spd = matmul(a, swapaxes<1, 2>(a));
        auto l = cholesky(spd);
        auto [sign, logarithm] = slogdet(a);
        return std::tuple(l, solve_triangular(l, r, {.lower = true}), solve(a, r), inv(a), det(a), sign, logarithm, grad(sum(sqr(solve(a, r))) + sum(logarithm) + sum(l), a));
    }, regular(4), test::random_array<float, 3>(5, 2, 4, 3));
    check("decompositions", [](tensor<float, dim("b"), dim("n"), dim("n")> a, tensor<float, dim("b"), dim("n"), dynamic> r) {
        auto [q, triangle] = qr(a);
        auto [w, v] = eigh(a + swapaxes<1, 2>(a));
        auto [u, s, vt] = svd(a);
        auto [best, residuals, rank, singular] = lstsq(a, r);
        return std::tuple(matmul(q, triangle), abs(triangle), w, abs(v), s, abs(u), abs(vt), best, residuals, rank, singular, grad(sum(sqr(triangle)) + sum(sqr(w)) + sum(s), a));
    }, regular(4), test::random_array<float, 3>(5, 2, 4, 3));
    using images = tensor<float, dynamic, dynamic, dynamic, dynamic>;
    check("convolutions", [](images a, images w, vector<float> b) {
        auto y_ = conv2d(a, w, b, {.padding = 1});
        return std::tuple_cat(std::tuple(y_, conv2d(a, w, {.stride = 2})), grad(sum(sqr(y_)), a, w, b));
    }, test::random_array<float, 4>(1, 2, 3, 5, 6), test::random_array<float, 4>(2, 4, 3, 3, 3), test::random_array<float, 1>(3, 4));
    check("pools", [](images a) {
        auto [m, at] = max_pool2d_with_indices(a, {.kernel = 2});
        auto mean_ = avg_pool2d(a, {.kernel = 2, .padding = 1});
        return std::tuple(m, at, mean_, max_unpool2d(m, at, a), grad(sum(sqr(m)) + sum(sqr(mean_)), a));
    }, test::random_array<float, 4>(1, 2, 3, 6, 6));
    check("loops", [](matrix<float> a, vector<float> h) {
        auto [last, all] = scan([&](auto s, auto row) {
            auto next = tanh(s + row);
            return step(next, next);
        }, h, a);
        return std::tuple_cat(std::tuple(last, all), grad(sum(sqr(last)), a, h));
    }, x, test::random_array<float, 1>(6, 7));

    // What names no computation: arguments and numbers, what a loop is given and gives, and values that stand for a node whose derivative is another's. A plan ends a convolution
    // with its bias, which is in no graph: convolution_test.cpp looks at that.
    const std::set<std::string> given{"an argument", "a literal", "a size", "a value of a loop", "arguments of a loop", "stand_in", "convolution_biased"};
    for (const std::string folder : {"graph/structure", "kernel/routine"})
        for (const std::string& name : defined_in(folder))
            if (!given.contains(name)) CHECK_MESSAGE(ran.contains(name), folder, " defines ", name, ", which no function of this test computes");
}
#endif
