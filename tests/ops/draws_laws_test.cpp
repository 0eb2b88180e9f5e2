// SPDX-License-Identifier: MIT
// Distributions, what is composed of draws, and derivatives through them.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>
#include <vector>

#include <croton/croton.hpp>

using namespace croton;

namespace {

struct moments {
    double mean = 0, variance = 0, least = 1e300, most = -1e300;
};
template <class A> moments of(const A& x) {
    moments m;
    for (const auto v : x) {
        const auto d = static_cast<double>(v);
        m.mean += d;
        m.least = std::min(m.least, d);
        m.most = std::max(m.most, d);
    }
    m.mean /= static_cast<double>(x.size());
    for (const auto v : x) m.variance += (static_cast<double>(v) - m.mean) * (static_cast<double>(v) - m.mean);
    m.variance /= static_cast<double>(x.size());
    return m;
}

}  // namespace

TEST_CASE("distributions have their moments and their bounds") {
    constexpr extent_code n = 100000;
    const auto f = function<cpu>([](shared<random_state<symbol>> rng) {
        return outputs(normal<float, n>(rng), normal<double, n>(rng), exponential<float, n>(rng), gumbel<double, n>(rng), truncated_normal<float, n>(-1, 2, rng), cast<float>(bernoulli<n>(0.3f, rng)),
                       randint<int, n>(-3, 4, rng));
    });
    auto rng = random_state<on<cpu>::array>::seed(7);
    const auto [a, b, c, d, e, t, k] = f(rng);
    // Within five standard errors, and the same in every run.
    const auto near = [](double x, double y, double error) { return std::abs(x - y) < 5 * error / std::sqrt(1e5); };
    for (const moments& m : {of(a), of(b)}) {
        CHECK(near(m.mean, 0, 1));
        CHECK(near(m.variance, 1, std::sqrt(2.0)));
        CHECK(m.most > 3.7);
        CHECK(m.least < -3.7);
    }
    CHECK(near(of(c).mean, 1, 1));
    CHECK(near(of(c).variance, 1, 3));
    CHECK(of(c).least >= 0);
    CHECK(near(of(d).mean, 0.5772156649015329, 1.2825));
    CHECK(near(of(d).variance, 1.6449340668482264, 3.5));
    // scipy.stats.truncnorm(-1, 2).stats()
    CHECK(near(of(e).mean, 0.2296382815, 0.7204));
    CHECK(near(of(e).variance, 0.5190270887, 0.7));
    CHECK(of(e).least >= -1);
    CHECK(of(e).most <= 2);
    CHECK(near(of(t).mean, 0.3, 0.46));
    CHECK(near(of(k).mean, 0, 2));
    CHECK(of(k).least == -3);
    CHECK(of(k).most == 3);
}

TEST_CASE("classes, orders and choices") {
    const auto f = function<cpu>([](matrix<float> logits, vector<double, dim("n")> x, shared<random_state<symbol>> rng) {
        return outputs(categorical(logits, rng), permutation<100>(rng), permutation(x, rng), choice<50>(x, rng), choice<8>(x, rng, false), randint_like(cast<std::int64_t>(x), 5, 6, rng));
    });
    array<float, 2> logits(30000, 3);
    for (std::int64_t i = 0; i < logits.size(); i += 3) {
        logits.data()[i] = std::log(0.5f);
        logits.data()[i + 1] = std::log(0.2f);
        logits.data()[i + 2] = std::log(0.3f);
    }
    array<double, 1> x(10);
    for (std::int64_t i = 0; i < 10; ++i) x(i) = static_cast<double>(i * i);
    auto rng = random_state<on<cpu>::array>::seed(3);
    const auto [classes, order, turned, drawn, once, fives] = f(logits, x, rng);
    double share[3] = {};
    for (const std::int64_t c : classes) share[c] += 1 / 30000.0;
    CHECK(std::abs(share[0] - 0.5) < 0.015);
    CHECK(std::abs(share[1] - 0.2) < 0.012);
    CHECK(std::abs(share[2] - 0.3) < 0.013);
    const auto sorted = [](const auto& v) {
        std::vector<double> all(v.begin(), v.end());
        std::sort(all.begin(), all.end());
        return all;
    };
    const auto all = sorted(order);
    for (std::size_t i = 0; i < 100; ++i) CHECK(all[i] == static_cast<double>(i));
    CHECK(!std::is_sorted(order.begin(), order.end()));
    CHECK(sorted(turned) == sorted(x));
    const std::set<double> known(x.begin(), x.end());
    for (const double v : drawn) CHECK(known.contains(v));
    CHECK(std::set<double>(drawn.begin(), drawn.end()).size() > 5);
    CHECK(std::set<double>(once.begin(), once.end()).size() == 8);
    for (const std::int64_t v : fives) CHECK(v == 5);
    CHECK_THROWS_WITH_AS((void)f(logits, array<double, 1>(7), rng), doctest::Contains("choice: axis 0 of argument 2 has extent 7, of which 8 cannot be drawn without replacement"), shape_error);
    CHECK(rng.calls() == 1);
}

TEST_CASE("derivatives reach the parameters of what is drawn, and a dropout's is 0 where it is") {
    const auto f = function<cpu>([](vector<float> mean, vector<float> width, shared<random_state<symbol>> rng) {
        const auto number = normal_like(mean, rng);
        const auto y = mean + width * number;
        const auto kept = dropout(y, 0.25f, rng);
        const auto [by_mean, by_width] = grad(sum(y * y), mean, width);
        return outputs(number, y, by_mean, by_width, kept, grad(sum(kept * kept), mean), dropout(y, 0, rng), number - normal_like(mean, rng));
    });
    array<float, 1> mean(1000), width(1000);
    mean.fill(3);
    width.fill(0.5f);
    auto rng = random_state<on<cpu>::array>::seed(5);
    const auto [number, y, by_mean, by_width, kept, by_kept, all, other] = f(mean, width, rng);
    int dropped = 0, wrong = 0;
    for (std::int64_t i = 0; i < 1000; ++i) {
        wrong += y(i) != 3 + 0.5f * number(i);
        wrong += !(std::abs(by_mean(i) - 2 * y(i)) < 1e-5f);
        wrong += !(std::abs(by_width(i) - 2 * y(i) * number(i)) < 1e-4f);
        dropped += kept(i) == 0;
        wrong += kept(i) != 0 && !(std::abs(kept(i) - y(i) / 0.75f) < 1e-5f);
        wrong += !(std::abs(by_kept(i) - (kept(i) == 0 ? 0 : 2 * kept(i) / 0.75f)) < 1e-4f);
        wrong += all(i) != y(i);
        wrong += other(i) == 0;
    }
    CHECK(wrong == 0);
    CHECK(dropped > 190);
    CHECK(dropped < 310);
}

TEST_CASE("a state that is stored and loaded goes on where it was") {
    const auto f = function<cpu>([](vector<float> x, shared<random_state<symbol>> rng) { return uniform_like(x, rng); });
    const array<float, 1> x(10);
    auto rng = random_state<on<cpu>::array>::seed(11);
    (void)f(x, rng);
    const auto path = std::filesystem::temp_directory_path() / "croton_random_state.npz";
    save(rng, path.string());
    auto loaded = random_state<on<cpu>::array>::seed(0);
    load(loaded, path.string());
    std::filesystem::remove(path);
    CHECK(loaded.calls() == 1);
    const auto next = f(x, rng);
    CHECK(f(x, loaded) == next);
    CHECK(!(f(x, loaded) == next));
}
