// SPDX-License-Identifier: MIT
// The rewritten form against the written one at every kind of number: NaN, infinities, both zeros, subnormal, huge.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <string>

#include "random/interpreter.hpp"
#include "rewrite/normal.hpp"

using namespace croton;
using namespace croton::detail;
using random_programs::graph_evaluator;
using random_programs::values;

namespace {

using V = croton::vector<double, dim("n")>;

constexpr double inf = std::numeric_limits<double>::infinity();

std::vector<double> points() {
    return {0.0, -0.0, 1, -1, 2, -4, 0.3, inf, -inf, std::nan(""), 1e-300, -1e-300, 1e300, -1e300, 5e-324, 2e-308, 36, 700, 720, 750, -720, -750, 1e4, -1e4,
            1.7976931348623157e308, 9007199254740992, 12582912.4};
}

/// The values of the first output before and after all rewrites, at the points.
struct pair {
    std::vector<double> written, rewritten;
};
template <class F> pair both(F) {
    traced_program p;
    trace<F>(p);
    REQUIRE(!p.g.failed());
    vec<int> roots, before;
    roots.push(p.outputs[0]);
    before.push(p.outputs[0]);
    const std::vector<values> leaves{{{static_cast<std::int64_t>(points().size())}, points()}};
    fired_rules counts;
    rewrite(p.g, roots, true, counts);
    graph_evaluator oracle(p.g, leaves);
    return {oracle.of(before[0]).at, oracle.of(roots[0]).at};
}

bool same(double got, double want, double slack) {
    if (std::isnan(want)) return std::isnan(got);
    if (want == 0 || std::isinf(want)) return got == want && std::signbit(got) == std::signbit(want);
    return std::fabs(got - want) <= slack * std::fabs(want) + 1e-323;
}

template <class F> void as_written(const std::string& what, F f) {
    const pair p = both(f);
    for (std::size_t i = 0; i < p.written.size(); ++i)
        CHECK_MESSAGE(same(p.rewritten[i], p.written[i], 1e-14), what << " at " << points()[i] << " is " << p.rewritten[i] << ", as written " << p.written[i]);
}

/// A form that is better than the written one: it is the limit where that has one, and NaN where the argument is.
template <class F, class G> void as_limit(const std::string& what, F f, G limit) {
    const pair p = both(f);
    for (std::size_t i = 0; i < p.written.size(); ++i) {
        const double x = points()[i], want = static_cast<double>(limit(static_cast<long double>(x)));
        const bool fits = std::isnan(want) ? std::isnan(p.rewritten[i]) : p.rewritten[i] == want || std::fabs(p.rewritten[i] - want) <= 4e-15 * std::fabs(want) + 1e-307;
        CHECK_MESSAGE(fits, what << " at " << x << " is " << p.rewritten[i] << ", not " << want);
    }
}

#define AS_WRITTEN(e) as_written(#e, [](V x) { return e; })
#define AS_LIMIT(e, l) as_limit(#e, [](V x) { return e; }, [](long double x) -> long double { return l; })

}  // namespace

TEST_CASE("sums, products and powers have the NaN and the infinities of the written order") {
    AS_WRITTEN(x * 0);
    AS_WRITTEN(x / x);
    AS_WRITTEN(x - x);
    AS_WRITTEN(where(x - x == 0, x, -1.0));
    AS_WRITTEN(where(isnan(x), x * 0, x));
    AS_WRITTEN((x + 1e8) - 1e8);
    AS_WRITTEN((x + 6755399441055744.0) - 6755399441055744.0);
    AS_WRITTEN((x + x) - x);
    AS_WRITTEN(x * 2 - x * 2);
    AS_WRITTEN(x * 1e300 * 1e300);
    AS_WRITTEN(x * 1e-300 * 1e-300);
    AS_WRITTEN(x * 1e200 * 1e100);
    AS_WRITTEN(x * 1e300 * 1e-300);
    AS_WRITTEN(x / 1e-300 / 1e-300);
    AS_WRITTEN(x / 1e300 * 1e300 * 1e300);
    AS_WRITTEN(x * 3 / 3);
    AS_WRITTEN(x * x / x);
    AS_WRITTEN(pow(x, 2) / x);
    AS_WRITTEN(1 / (1 / x));
    AS_WRITTEN(1 / -(x - x));
    AS_WRITTEN(1 / (x + 0));
    AS_WRITTEN(1 / (0 - x));
    AS_WRITTEN(1 / (-x - 0.3));
    AS_WRITTEN(-(-x));
    AS_WRITTEN(2 * x + 3 * x);
    AS_WRITTEN(x + x + x);
    AS_WRITTEN(3 * x - 2 * x);
    AS_WRITTEN(x * x * x * x);
    AS_WRITTEN(pow(x, 0));
    AS_WRITTEN(pow(x, 1));
    AS_WRITTEN(pow(x, 2));
    AS_WRITTEN(pow(x, 3));
    AS_WRITTEN(pow(x, 7));
    AS_WRITTEN(pow(x, 0.5));
    AS_WRITTEN(pow(x, -0.5));
    AS_WRITTEN(pow(x, -1));
    AS_WRITTEN(pow(x, -2));
    AS_WRITTEN(pow(x, -3));
    AS_WRITTEN(1 / pow(x, 0.5));
    AS_WRITTEN(pow(pow(x, 0.5), 2));
    AS_WRITTEN(pow(pow(x, 2), 0.5));
    AS_WRITTEN(pow(pow(x, 2), 3));
    AS_WRITTEN(pow(-x, 3));
}

TEST_CASE("functions are not undone where they lose something") {
    AS_WRITTEN(log(exp(x)));
    AS_WRITTEN(exp(log(x)));
    AS_WRITTEN(sqrt(sqr(x)));
    AS_WRITTEN(sqrt(x * x));
    AS_WRITTEN(sqr(sqrt(x)));
    AS_WRITTEN(sqrt(x) * sqrt(x));
    AS_WRITTEN(exp(x) * exp(-x));
    AS_WRITTEN(exp(x) / exp(x));
    AS_WRITTEN(2 / exp(x));
    AS_WRITTEN(log(x * x));
    AS_WRITTEN(log(x / x));
    AS_WRITTEN(log(1 / x));
    AS_WRITTEN(log(x / (1 - x)));
    AS_WRITTEN(sigmoid(log(x / (1 - x))));
    AS_WRITTEN(sigmoid(log(x) - log(1 - x)));
    AS_WRITTEN(sigmoid(log(x)));
    AS_WRITTEN(1 / abs(sqrt(x)));
    AS_WRITTEN(1 / abs(relu(x)));
    AS_WRITTEN(abs(-x));
    AS_WRITTEN(relu(relu(x)));
    AS_WRITTEN(maximum(x, x));
    AS_WRITTEN(where(x > 0, x, x));
    AS_WRITTEN(where(x > 0, log(x), 0.0));
    AS_WRITTEN(clip(x, -1, 1));
    AS_WRITTEN(softmax(x * 0 + 1));
    AS_WRITTEN(sum(x * 2) + x);
    AS_WRITTEN(mean(x) * 1e-200 * 1e-200 * 1e300 + x);
}

TEST_CASE("stable forms have the limit of the written one") {
    AS_LIMIT(log(1 + exp(x)), std::isnan(x) ? x : std::max(x, 0.0L) + std::log1p(std::exp(-std::fabs(x))));
    AS_LIMIT(log(exp(x) + 1) - x, std::isnan(x) ? x : std::max(-x, 0.0L) + std::log1p(std::exp(-std::fabs(x))));
    AS_LIMIT(log(sigmoid(x)), std::isnan(x) ? x : -(std::max(-x, 0.0L) + std::log1p(std::exp(-std::fabs(x)))));
    AS_LIMIT(log(1 - sigmoid(x)), std::isnan(x) ? x : -(std::max(x, 0.0L) + std::log1p(std::exp(-std::fabs(x)))));
    AS_LIMIT(exp(x) / (1 + exp(x)), x > 0 ? 1 / (1 + std::exp(-x)) : std::exp(x) / (1 + std::exp(x)));
    AS_LIMIT(3 / (1 + exp(x)), x < 0 ? 3 / (1 + std::exp(x)) : 3 * std::exp(-x) / (1 + std::exp(-x)));
    AS_LIMIT(1 - sigmoid(x), x < 0 ? 1 / (1 + std::exp(x)) : std::exp(-x) / (1 + std::exp(-x)));
    AS_LIMIT(exp(x) - 1, std::expm1(x));
    AS_LIMIT(log(1 + x), std::log1p(x));
    AS_LIMIT(log(1 - x), std::log1p(-x));
    AS_LIMIT(log(1 - exp(x)), x > -0.6L ? std::log(-std::expm1(x)) : std::log1p(-std::exp(x)));
    AS_LIMIT(log(exp(x) + exp(0.5 * x)), std::isinf(x) ? x : x > 0 ? x + std::log1p(std::exp(-x / 2)) : x / 2 + std::log1p(std::exp(x / 2)));
    AS_LIMIT(where(abs(x) < 1e-300, x, log(exp(x) - exp(0.5 * x))), std::fabs(x) < 1e-300L ? x : std::isinf(x) ? (x > 0 ? std::numeric_limits<long double>::quiet_NaN() : x) : x + std::log(-std::expm1(-x / 2)));
    AS_LIMIT(log(3 * exp(x)), x + std::log(3.0L));
    AS_LIMIT(0.5 * softplus(-x) + 0.5 * softplus(x), std::fabs(x) / 2 + std::log1p(std::exp(-std::fabs(x))));
    AS_LIMIT(softplus(x) - softplus(-x), x);
    AS_LIMIT(sigmoid(x) / (1 - sigmoid(x)), std::exp(x));
    AS_LIMIT(exp(x) / (exp(x) + exp(-x)), x > 0 ? 1 / (1 + std::exp(-2 * x)) : std::exp(2 * x) / (1 + std::exp(2 * x)));
}

TEST_CASE("rows with infinities") {
    // e^x / sum(e^x) and x - log(sum(e^x)) have a 0 and a -inf beside an infinity.
    const auto rows = [](auto f, double a, double b) {
        using F = decltype(f);
        traced_program p;
        trace<F>(p);
        vec<int> roots;
        roots.push(p.outputs[0]);
        fired_rules counts;
        const int written = p.outputs[0];
        rewrite(p.g, roots, true, counts);
        const std::vector<values> leaves{{{2}, {a, b}}};
        graph_evaluator oracle(p.g, leaves);
        for (std::size_t i = 0; i < 2; ++i) CHECK_MESSAGE(same(oracle.of(roots[0]).at[i], oracle.of(written).at[i], 1e-14), a << ", " << b);
    };
    for (const double a : {1.0, inf, -inf, std::nan("")})
        for (const double b : {-2.0, inf, -inf, std::nan("")}) {
            rows([](V x) { return exp(x) / sum(exp(x)); }, a, b);
            rows([](V x) { return x - logsumexp(x); }, a, b);
            rows([](V x) { return exp(x - logsumexp(x)); }, a, b);
            rows([](V x) { return log(sum(exp(x))) + 0 * x; }, a, b);
        }
}
