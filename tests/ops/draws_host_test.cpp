// SPDX-License-Identifier: MIT
// What functions draw is what the host fills arrays with, with any number of threads and whatever else is in the loop.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <croton/croton.hpp>

using namespace croton;

namespace {

constexpr extent_code count = 3000;

template <class A, class B> int differences(const A& a, const B& b, double tolerance) {
    int n = a.size() != b.size();
    for (std::int64_t i = 0; i < b.size(); ++i) {
        const auto x = static_cast<double>(a.data()[i]), y = static_cast<double>(b.data()[i]);
        n += !(std::abs(x - y) <= tolerance * std::max(1.0, std::abs(y)));
    }
    return n;
}

template <class T> void check_laws(double tolerance) {
    const auto f = function<cpu>([](shared<random_state<symbol>> rng) {
        return outputs(uniform<T, count>(rng), normal<T, count>(rng), exponential<T, count>(rng), gumbel<T, count>(rng), truncated_normal<T, count>(-1, 2, rng),
                       truncated_normal<T, count>(0.5, 1.5, rng), bernoulli<count>(0.3, rng), randint<int, count>(-5, 1000, rng),
                       randint<std::int64_t, count>(7, 3'000'000'000'007, rng));
    });
    for (const std::uint64_t call : {std::uint64_t{0}, std::uint64_t{5'000'000'000}}) {
        auto rng = random_state<on<cpu>::array>::seed(42);
        rng.calls = array<std::uint64_t, 0>(call);
        const auto [u, n, e, g, t, s, b, i, l] = f(rng);
        const auto stream = [&](std::uint32_t number) { return random::stream_of(42, number, call); };
        array<T, 1> x(count);
        random::uniform(x, stream(0));
        CHECK(u == x);
        random::normal(x, stream(1));
        CHECK(differences(n, x, tolerance) == 0);
        random::exponential(x, stream(2));
        CHECK(differences(e, x, tolerance) == 0);
        random::gumbel(x, stream(3));
        CHECK(differences(g, x, tolerance) == 0);
        random::truncated_normal(x, stream(4), 0, 1, -1, 2);
        CHECK(differences(t, x, 100 * tolerance) == 0);
        random::truncated_normal(x, stream(5), 0, 1, 0.5, 1.5);
        CHECK(differences(s, x, 100 * tolerance) == 0);
        array<bool, 1> truths(count);
        random::bernoulli(truths, stream(6), 0.3);
        CHECK(b == truths);
        array<int, 1> whole(count);
        random::randint(whole, stream(7), -5, 1000);
        CHECK(i == whole);
        array<std::int64_t, 1> large(count);
        random::randint(large, stream(8), 7, 3'000'000'000'007);
        CHECK(l == large);
    }
}

}  // namespace

TEST_CASE("functions draw what the host draws") {
    check_laws<float>(1e-6);
    check_laws<double>(1e-14);
}

TEST_CASE("threads and merged loops change no bit, and nothing is stored for a draw") {
    const auto alone = function<cpu>([](matrix<float> x, shared<random_state<symbol>> rng) { return uniform_like(x, rng); });
    const auto merged = function<cpu>([](matrix<float> x, vector<float> b, shared<random_state<symbol>> rng) {
        const auto u = uniform_like(x, rng);
        const auto n = normal_like(x, rng);
        return outputs(u, n, exp(tanh(x + b) * u) + n, sum<0>(u), sum<1>(u * u));
    });
    const auto dropped = function<cpu>([](matrix<float> x, vector<float> b, shared<random_state<symbol>> rng) { return dropout(tanh(x + b), 0.3f, rng); });
    CHECK(explain(alone).find("no temporary arrays") != std::string::npos);
    CHECK(explain(dropped).find("no temporary arrays") != std::string::npos);
    for (const auto& [rows, columns] : {std::pair{700, 500}, {3, 100'000}, {200'001, 1}}) {
        CAPTURE(rows);
        array<float, 2> x(rows, columns), expected(rows, columns), first_normal, first_dropped;
        array<float, 1> b(columns);
        x.fill(0.5f);
        random::uniform(expected, 9);
        for (const int t : {1, 2, 5}) {
            set_threads(t);
            auto rng = random_state<on<cpu>::array>::seed(9), other = random_state<on<cpu>::array>::seed(9), third = random_state<on<cpu>::array>::seed(9);
            CHECK(alone(x, rng) == expected);
            const auto [u, n, fused, columns_sum, rows_sum] = merged(x, b, other);
            CHECK(u == expected);
            const array<float, 2> kept = dropped(x, b, third);
            if (t == 1) first_normal = n, first_dropped = kept;
            CHECK(n == first_normal);
            CHECK(kept == first_dropped);
            double total = 0, mean = 0;
            for (const float v : columns_sum) total += v;
            for (const float v : expected) mean += v;
            CHECK(std::abs(total - mean) < 1e-5 * mean);
        }
    }
    set_threads(1);
}

TEST_CASE("a dropout is made of the bits of each position, and its mask is the same in the derivative") {
    const auto f = function<cpu>([](matrix<float> x, shared<random_state<symbol>> rng, scalar<float> rate, matrix<float> w, matrix<float> v) {
        const auto kept = dropout(x, rate, rng);
        const auto hidden = dropout(relu(dot(x, w)), 0.25f, rng);
        return outputs(kept, hidden, grad(sum(sqr(dot(hidden, v))), w));
    });
    array<float, 2> x(60, 70), w(70, 50), v(50, 4);
    random::uniform(x, 1, 1, 2);
    random::uniform(w, 2, -1, 1);
    random::uniform(v, 3, -1, 1);
    auto rng = random_state<on<cpu>::array>::seed(4);
    const auto [kept, hidden, by_w] = f(x, rng, 0.4f, w, v);
    const auto half_of = [](std::uint32_t stream, std::int64_t at) { return random::coarse_word({4, stream}, static_cast<std::uint64_t>(at)); };
    int wrong = 0;
    for (std::int64_t i = 0; i < x.size(); ++i) wrong += kept.data()[i] != (half_of(0, i) < 26214 ? 0 : x.data()[i] / (1 - 0.4f));
    array<double, 2> slope(70, 50);
    for (int i = 0; i < 60; ++i) {
        double out[4] = {};
        for (int j = 0; j < 50; ++j)
            for (int k = 0; k < 4; ++k) out[k] += static_cast<double>(hidden(i, j)) * v(j, k);
        for (int j = 0; j < 50; ++j) {
            double sum = 0, down = 0;
            for (int k = 0; k < 70; ++k) sum += static_cast<double>(x(i, k)) * w(k, j);
            for (int k = 0; k < 4; ++k) down += 2 * out[k] * v(j, k);
            const bool passes = half_of(1, i * 50 + j) >= 16384 && sum > 0;
            wrong += !(std::abs(hidden(i, j) - (passes ? sum / 0.75 : 0)) < 1e-4);
            for (int k = 0; k < 70; ++k) slope(k, j) += passes ? down / 0.75 * x(i, k) : 0;
        }
    }
    CHECK(wrong == 0);
    CHECK(differences(by_w, slope, 1e-4) == 0);

    // Behind a product a byte that is stored costs less than to draw again; without one nothing is stored.
    const std::string plan = explain(f).substr(explain(f).find("  plan:"));
    CHECK(plan.find("random_uniform(arange(n1) * n3") == plan.rfind("random_uniform(arange(n1) * n3"));
    CHECK(plan.find("t1   bool [n1, n3]") != std::string::npos);
    const auto fused = function<cpu>([](matrix<float> y, shared<random_state<symbol>> state) { return grad(sum(exp(dropout(y, 0.5f, state))), y); });
    CHECK(explain(fused).find("no temporary arrays") != std::string::npos);
}

TEST_CASE("dropouts leave out their share, and elements that share bits do not follow each other") {
    const auto f = function<cpu>([](vector<float> x, scalar<float> rate, shared<random_state<symbol>> rng) { return outputs(dropout(x, rate, rng), dropout(x, 0.5, rng)); });
    constexpr std::int64_t n = 1 << 21;
    array<float, 1> x(n);
    x.fill(1);
    auto rng = random_state<on<cpu>::array>::seed(17);
    for (const float rate : {0.5f, 0.3f, 0.1f, 1e-3f, 0.998f}) {
        CAPTURE(rate);
        const auto [by_rate, by_half] = f(x, rate, rng);
        const auto check = [](const array<float, 1>& y, double p) {
            std::vector<double> dropped;
            for (const float each : y) dropped.push_back(each == 0 ? 1 - p : -p);
            const auto covariance = [&](std::int64_t apart) {
                double sum = 0;
                for (std::int64_t i = 0; i + apart < n; ++i) sum += dropped[static_cast<std::size_t>(i)] * dropped[static_cast<std::size_t>(i + apart)];
                return sum / static_cast<double>(n);
            };
            double share = 0;
            for (const double each : dropped) share += each;
            const double spread = std::sqrt(p * (1 - p) / static_cast<double>(n));
            CHECK(std::abs(share) / static_cast<double>(n) < 5 * spread);
            // Those of a counter are the neighbours within four and those that are 32 and 64 apart; others are those of other counters and other runs.
            for (const std::int64_t apart : {1, 2, 3, 4, 16, 32, 33, 64, 96, 128, 512, 4096}) {
                CAPTURE(apart);
                CHECK(std::abs(covariance(apart)) < 5 * p * (1 - p) / std::sqrt(static_cast<double>(n)) + 4e-6);
            }
        };
        check(by_rate, rate);
        check(by_half, 0.5);
    }
}

TEST_CASE("truth values that are drawn alone, by a share that the call brings") {
    const auto f = function<cpu>([](matrix<float> x, scalar<float> p, shared<random_state<symbol>> rng) { return bernoulli_like(x, p, rng); });
    auto rng = random_state<on<cpu>::array>::seed(4);
    const auto drawn = f(array<float, 2>(91, 101), 0.3f, rng);
    int yes = 0;
    for (const bool each : drawn) yes += each ? 1 : 0;
    CHECK(yes > 2500);
    CHECK(yes < 3000);
}
