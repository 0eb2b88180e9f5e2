// SPDX-License-Identifier: MIT
// Functions on a device with a memory of its own: residency, transfers, numbers that a step computes for the next.
#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <vector>

#include <croton/croton.hpp>

#include "device/emulated_cuda.hpp"
#include "device/factors.hpp"

using namespace croton;

namespace {

using gpu = emulated_gpu;
using device_memory = croton::memory<gpu>;

auto train_on(auto device) {
    return function<decltype(device)>("train", [](matrix<float, dim("sample"), dim("feature")> x, vector<float, dim("sample")> y,
                                                  shared<vector<float, dim("feature")>> w, shared<scalar<float>> b, scalar<float> rate) {
        auto p = 1 / (1 + exp(-dot(x, w) - b));
        auto xent = -y * log(p) - (1 - y) * log(1 - p);
        auto cost = mean(xent) + 0.01 * sum(sqr(w));
        auto [gw, gb] = grad(cost, w, b);
        return outputs(p > 0.5, xent).updates(w -= rate * gw, b -= rate * gb);
    });
}

struct data {
    array<float, 2> x;
    array<float, 1> y, w;
    array<float, 0> b;
    data(std::int64_t n, std::int64_t m) : x(n, m), y(n), w(m) {
        unsigned state = 7;
        const auto draw = [&] { return static_cast<float>((state = state * 1664525u + 1013904223u) >> 8) / 8388608.0f - 1; };
        for (float& v : x) v = draw();
        for (float& v : y) v = draw() > 0 ? 1.0f : 0.0f;
        for (float& v : w) v = draw();
    }
};

bool near(const array<float, 1>& a, const array<float, 1>& b) {
    for (std::int64_t i = 0; i < a.size(); ++i)
        if (!(std::fabs(a(i) - b(i)) <= 1e-5f * (1 + std::fabs(b(i))))) return false;
    return a.extents() == b.extents();
}

}  // namespace

TEST_CASE("arrays that stay on the device cross once") {
    for (const auto& [n, m] : {std::pair<std::int64_t, std::int64_t>{400, 30}, {1, 1}, {33, 3}, {1025, 5}}) {
        data host(n, m), other(n, m);
        auto on_gpu = train_on(gpu{});
        auto on_cpu = train_on(reference{});
        auto x = host.x.to<gpu>();
        auto y = host.y.to<gpu>(), w = host.w.to<gpu>();
        auto b = host.b.to<gpu>();
        array<float, 0> rate{0.5f};
        auto resident_rate = rate.to<gpu>();
        const auto before = device_memory::to_device;
        const auto read = device_memory::to_host;
        for (int i = 0; i < 3; ++i) {
            auto [p, e] = on_gpu(x, y, w, b, resident_rate);
            auto [q, f] = on_cpu(other.x, other.y, other.w, other.b, 0.5f);
            static_assert(std::is_same_v<decltype(p), array<bool, 1, gpu>>);
            if (i < 2) continue;
            CHECK(device_memory::to_host == read);
            CHECK(device_memory::to_device == before);
            CHECK(near(e.to<cpu>(), f));
            CHECK(p.to<cpu>() == q);
        }
        CHECK(near(w.to<cpu>(), other.w));
        CHECK(std::fabs(static_cast<float>(b) - static_cast<float>(other.b)) < 1e-5f);
    }
}

TEST_CASE("arguments on the host are transferred, views and numbers too") {
    data host(37, 6), other(37, 6);
    auto on_gpu = train_on(gpu{});
    auto on_cpu = train_on(reference{});
    auto w = host.w.to<gpu>();
    auto b = host.b.to<gpu>();
    const array<float, 2> turned = [&] {
        array<float, 2> t(6, 37);
        t.transpose().copy_from(host.x.as_view());
        return t;
    }();
    const auto before = device_memory::to_device;
    std::vector<float> labels(host.y.begin(), host.y.end());
    auto [p, e] = on_gpu(turned.transpose(), labels, w, b, 0.25f);
    CHECK(device_memory::to_device == before + 1);  // small ones together
    auto [q, f] = on_cpu(other.x, other.y, other.w, other.b, 0.25f);
    CHECK(near(e.to<cpu>(), f));
    CHECK(near(w.to<cpu>(), other.w));
    // Another rate is another transfer of four bytes, and the same graph.
    const int runs = gpu::recording::runs;
    array<bool, 1, gpu> prediction(37);
    array<float, 1, gpu> error(37);
    auto results = std::tie(prediction, error);
    for (int i = 0; i < 4; ++i) {
        on_gpu.call_into(results, turned.transpose(), labels, w, b, 0.125f * static_cast<float>(i));
        on_cpu(other.x, other.y, other.w, other.b, 0.125f * static_cast<float>(i));
    }
    CHECK(gpu::recording::runs == runs + 1);
    CHECK(near(w.to<cpu>(), other.w));
}

TEST_CASE("batches of products, with factors that a step computes on the device") {
    const auto step_on = [](auto device) {
        return function<decltype(device)>([](tensor<double, dynamic, dynamic, dynamic> x, shared<tensor<double, dynamic, dynamic, dynamic>> w, matrix<double> u, scalar<double> rate) {
            auto y = matmul(x, w);
            return outputs(matmul(y, u), rate * y + matmul(y, u)).updates(w -= rate * grad(sum(sqr(y)), w));
        });
    };
    auto on_gpu = step_on(gpu{});
    auto on_cpu = step_on(reference{});
    for (const auto& e : {std::array<std::int64_t, 3>{1, 1, 1}, {3, 4, 2}, {5, 3, 33}, {0, 2, 2}}) {
        array<double, 3> x(e[0], e[1], e[2]), w(e[0], e[2], e[1]);
        array<double, 2> u(e[1], e[1]);
        double at = 0;
        for (double& v : x) v = std::sin(at += 1.7);
        for (double& v : w) v = std::sin(at += 1.7);
        for (double& v : u) v = std::sin(at += 1.7);
        auto there = w.to<gpu>();
        for (int call = 0; call < 3; ++call) {
            const auto [y, z] = on_gpu(x, there, u, 0.25);
            const auto [p, q] = on_cpu(x, w, u, 0.25);
            const auto got_y = y.template to<cpu>(), got_z = z.template to<cpu>(), got_w = there.to<cpu>();
            for (std::int64_t i = 0; i < p.size(); ++i) CHECK(got_y.data()[i] == doctest::Approx(p.data()[i]));
            for (std::int64_t i = 0; i < q.size(); ++i) CHECK(got_z.data()[i] == doctest::Approx(q.data()[i]));
            for (std::int64_t i = 0; i < w.size(); ++i) CHECK(got_w.data()[i] == doctest::Approx(w.data()[i]));
        }
    }
}

TEST_CASE("factors that are 0 at the call keep what is no number") { test::check_zero_factors<gpu>(); }

TEST_CASE("labels: checked before anything runs where they lie on the host") {
    auto loss = function<gpu>([](matrix<float> logits, vector<int> label) { return cross_entropy(logits, label); });
    array<float, 2> logits(3, 4);
    array<int, 1> label{0, 3, 2}, wrong{0, 4, 2};
    const int launches = gpu::bound_launches;
    const array<float, 1> value = loss(logits, label).to<cpu>();
    CHECK(value(0) == doctest::Approx(std::log(4.0)));
    CHECK_THROWS_AS(loss(logits, wrong), value_error);
    CHECK(gpu::bound_launches == launches);
}

TEST_CASE("labels: checked on the device where they lie there, and said when the host waits") {
    auto loss = function<gpu>("loss", [](matrix<float> logits, matrix<std::int64_t> image, vector<int> label) {
        return outputs(cross_entropy(logits, named(label, "label")), image + 1);
    });
    auto images = function<gpu>("images", [](tensor<float, dynamic, dynamic, 4> logits, matrix<std::int64_t> label) {
        return cross_entropy(logits, label);
    });
    for (const std::int64_t n : {1, 3, 64, 1000}) {
        CAPTURE(n);
        const array<float, 2, gpu> logits(n, 4);
        const array<std::int64_t, 2, gpu> image(n, 2);
        array<int, 1> label(n);
        for (std::int64_t i = 0; i < n; ++i) label(i) = static_cast<int>(i % 4);
        auto resident = label.to<gpu>();
        auto results = loss(logits, image, resident);
        array<float, 1, gpu>& value = std::get<0>(results);
        array<std::int64_t, 2, gpu>& other = std::get<1>(results);
        CHECK(value.to<cpu>()(n - 1) == doctest::Approx(std::log(4.0)));
        for (const int bad : {-1, 4, 1 << 30})
            for (const std::int64_t at : {std::int64_t{0}, n / 2, n - 1}) {
                array<int, 1> wrong = label;
                wrong(at) = bad;
                resident = wrong.to<gpu>();
                // The call, and others behind it, return; also where a graph is replayed.
                for (int call = 0; call < 3; ++call) {
                    CAPTURE(call);
                    CHECK_NOTHROW(loss.call_into(std::tie(value, other), logits, image, resident));
                    const std::string said = [&] {
                        try {
                            if (call == 1) gpu::synchronize();
                            else (void)other.to<cpu>();
                        } catch (const value_error& e) {
                            return std::string(e.what());
                        }
                        return std::string("nothing");
                    }();
                    CAPTURE(said);
                    CHECK(said.starts_with("loss: argument 3 (label) holds the label " + std::to_string(bad) + ", but there are 4 classes: 0 to 3;"));
                    // Said once.
                    CHECK_NOTHROW((void)value.to<cpu>());
                }
                CHECK(value.to<cpu>()(at) == doctest::Approx(0));
            }
        // 64-bit labels along two axes.
        array<std::int64_t, 2> two(2, n);
        auto there = two.to<gpu>();
        const array<float, 3, gpu> many(2, n, 4);
        CHECK_NOTHROW((void)(images(many, there).to<cpu>()));
        two(1, n - 1) = std::int64_t{1} << 40;
        there = two.to<gpu>();
        const auto result = images(many, there);
        CHECK_THROWS_WITH_AS((void)(result.to<cpu>()), doctest::Contains("images: argument 2 holds the label 1099511627776, but there are 4 classes"),
                             value_error);
        // Every second one, from the end.
        std::vector<int> apart(static_cast<std::size_t>(2 * n), 9);
        for (std::size_t i = 1; i < apart.size(); i += 2) apart[i] = 3;
        const std::int64_t stride = -2;
        gpu::check_bounds<int>(1, &apart.back(), 1, &n, &stride, 0, 4);
        CHECK_NOTHROW(gpu::synchronize());
        apart[1] = 4;
        gpu::check_bounds<int>(1, &apart.back(), 1, &n, &stride, 0, 4);
        CHECK_THROWS_AS(gpu::synchronize(), value_error);
    }
    // Without labels nothing is launched.
    const int launches = gpu::bound_launches;
    auto plain = function<gpu>([](vector<int> x) { return x + 1; });
    plain(array<int, 1, gpu>(5));
    CHECK(gpu::bound_launches == launches);
    // No label, nothing wrong.
    CHECK_NOTHROW((void)std::get<0>(loss(array<float, 2, gpu>(0, 4), array<std::int64_t, 2, gpu>(0, 2), array<int, 1, gpu>(0))).to<cpu>());
}

TEST_CASE("a profile shows the times that the device has measured") {
    data host(400, 30);
    auto on_gpu = train_on(gpu{});
    auto w = host.w.to<gpu>();
    auto b = host.b.to<gpu>();
    profile scope{"training"};
    for (int i = 0; i < 3; ++i) on_gpu(host.x, host.y, w, b, 0.5f);
    const auto functions = scope.functions();
    REQUIRE(functions.size() == 1);
    CHECK(functions[0].calls == 3);
    std::int64_t steps = 0;
    for (const auto& s : functions[0].steps) {
        // The update of b is in the launch of the loop before it.
        CHECK(s.calls == (s.together == 0 ? 0 : 3));
        CHECK((s.time > 0) == (s.together != 0));
        steps += s.time;
    }
    CHECK(steps <= functions[0].time);
    // x, y and the rate crossed at each call; here a result is read between calls.
    CHECK(functions[0].to_device.count == 9);
    CHECK(functions[0].to_device.bytes == 3 * (400 * 30 + 400 + 1) * 4);
    CHECK(functions[0].to_host.count == 0);
    CHECK(std::isfinite(static_cast<float>(b)));
    const profile_data data = scope.data();
    CHECK(data.to_host.count == 1);
    CHECK(data.to_host.bytes == 4);
}

TEST_CASE("empty arrays and one element") {
    auto f = function<gpu>([](matrix<double> x) { return outputs(sum(x), sum<0>(x), exp(x)); });
    for (const auto& [n, m] : {std::pair<std::int64_t, std::int64_t>{0, 3}, {3, 0}, {1, 1}}) {
        array<double, 2> x(n, m);
        auto [all, columns, e] = f(x);
        CHECK(static_cast<double>(all) == 0);
        CHECK(columns.extent(0) == m);
        for (const double v : columns.to<cpu>()) CHECK(v == 0);
        CHECK(e.size() == n * m);
    }
}
