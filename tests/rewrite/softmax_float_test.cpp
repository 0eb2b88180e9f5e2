// SPDX-License-Identifier: MIT
// The softmax and log family in float: finite at logits of +-1e4, in value and gradient.
#include "rewrite/stable_values.hpp"

using namespace stable_values;

namespace {

using T = float;
using M = matrix<T, dim("n"), dim("c")>;

constexpr T inf = std::numeric_limits<T>::infinity();

const std::vector<std::vector<T>> rows{{0, 0, 0}, {T(1e4), T(-1e4), 0}, {T(-1e4), T(-1e4), T(-1e4)}, {T(1e4), T(1e4), T(1e4)},
                                       {100, 99, -100}, {1, 2, 3}, {-inf, 0, 1}, {-inf, -inf, 5}};

real logsumexp_of(const std::vector<T>& row) {
    real m = -std::numeric_limits<real>::infinity(), s = 0;
    for (const T x : row) m = std::max(m, static_cast<real>(x));
    for (const T x : row) s += std::exp(static_cast<real>(x) - m);
    return m + std::log(s);
}

array<T, 2> logits() {
    array<T, 2> x(static_cast<std::int64_t>(rows.size()), 3);
    for (std::size_t i = 0; i < rows.size(); ++i)
        for (std::size_t j = 0; j < 3; ++j) x(static_cast<std::int64_t>(i), static_cast<std::int64_t>(j)) = rows[i][j];
    return x;
}

constexpr T eps = std::numeric_limits<T>::epsilon();

}  // namespace

TEST_CASE("softmax, log_softmax and logsumexp written out") {
    auto f = function<cpu>([](M x) {
        auto e = exp(x);
        auto s = sum<1>(e, keepdims);
        return std::tuple(e / s, log(e / s), log(sum<1>(e)), transpose(log(transpose(softmax(x)))), grad(sum(log(sum<1>(exp(x)))), x));
    });
    const auto [p, log_p, lse, through, g] = f(logits());
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const real l = logsumexp_of(rows[i]);
        const auto r = static_cast<std::int64_t>(i);
        CAPTURE(i);
        CHECK(close(lse(r), l, 16, 4 * eps));
        for (std::size_t j = 0; j < 3; ++j) {
            const auto k = static_cast<std::int64_t>(j);
            const real x = static_cast<real>(rows[i][j]);
            const real scale = std::isinf(x) ? 1 : 1 + std::fabs(x);
            CAPTURE(j);
            CHECK(close(p(r, k), std::exp(x - l), 16, 4 * eps));
            CHECK(close(log_p(r, k), x - l, 16, 4 * eps * scale));
            CHECK(close(through(r, k), x - l, 16, 4 * eps * scale));
            CHECK(close(g(r, k), std::exp(x - l), 16, 4 * eps));
        }
    }
}

TEST_CASE("cross-entropy with labels and with dense targets") {
    auto f = function<cpu>([](M x, croton::vector<int, dim("n")> label, M target) {
        auto hard = cross_entropy(x, label);
        auto soft = -sum<1>(target * log(softmax(x)));
        return std::tuple(hard, soft, grad(sum(hard), x), grad(sum(soft), x));
    });
    auto x = logits();
    array<int, 1> label(x.extent(0));
    array<T, 2> target(x.extent(0), 3);
    for (std::int64_t i = 0; i < x.extent(0); ++i) {
        label(i) = 2;
        for (std::int64_t j = 0; j < 3; ++j) {
            if (std::isinf(x(i, j))) x(i, j) = T(-1e4);
            target(i, j) = j == 2 ? T(0.5) : T(0.25);
        }
    }
    const auto [hard, soft, gh, gs] = f(x, label, target);
    for (std::int64_t i = 0; i < x.extent(0); ++i) {
        const std::vector<T> row{x(i, 0), x(i, 1), x(i, 2)};
        const real l = logsumexp_of(row);
        CAPTURE(i);
        real want = 0;
        for (std::int64_t j = 0; j < 3; ++j) want += (l - x(i, j)) * target(i, j);
        CHECK(close(hard(i), l - x(i, 2), 16, 4 * eps));
        CHECK(close(soft(i), want, 16, 4 * eps));
        for (std::int64_t j = 0; j < 3; ++j) {
            CAPTURE(j);
            CHECK(close(gh(i, j), std::exp(x(i, j) - l) - (j == 2 ? 1 : 0), 16, 4 * eps));
            CHECK(close(gs(i, j), std::exp(x(i, j) - l) - static_cast<real>(target(i, j)), 16, 4 * eps));
        }
    }
}

TEST_CASE("logarithms of sums and differences of two exponentials") {
    using V = croton::vector<T, dim("n")>;
    auto f = function<cpu>([](V x, V y) {
        auto both = log(exp(x) + exp(y));
        auto difference = log(exp(x) - exp(y));
        auto [gx, gy] = grad(sum(both), x, y);
        return std::tuple(both, difference, gx, gy, exp(x) / (exp(x) + exp(y)), grad(sum(difference), x));
    });
    const std::vector<T> xs{0, 1, T(1e4), T(1e4), 100, -100, T(-1e4), 5, inf, 3, -inf}, ys{0, -1, T(1e4), T(-1e4), 99, -200, T(-1e4) - 10, T(4.5), 0, -inf, -inf};
    const auto [both, difference, gx, gy, quotient, gd] = f(to_array(xs), to_array(ys));
    for (std::size_t i = 0; i < xs.size(); ++i) {
        const real x = xs[i], y = ys[i];
        const auto k = static_cast<std::int64_t>(i);
        CAPTURE(i);
        CHECK(close(both(k), logaddexp_at(x, y), 16, 4 * eps));
        if (x != y && !std::isinf(x)) {
            CHECK(close(difference(k), x + log1mexp_at(y - x), 16, 4 * eps));
            CHECK(close(gd(k), -1 / std::expm1(y - x), 64, 4 * eps));
        }
        if (std::isinf(x) && std::isinf(y)) continue;
        CHECK(close(gx(k), sigmoid_at(x - y), 16));
        CHECK(close(gy(k), sigmoid_at(y - x), 16));
        CHECK(close(quotient(k), sigmoid_at(x - y), 16));
    }
}
