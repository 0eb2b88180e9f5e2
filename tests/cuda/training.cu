// SPDX-License-Identifier: MIT
// Training steps on a GPU: the logistic regression and a network with Adam, step by step as the reference device takes them.
#include "device/compare.hpp"

using namespace test;

namespace {

template <class Device> auto logistic() {
    return function<Device>("logistic", [](matrix<float, dim("sample"), dim("feature")> x, vector<float, dim("sample")> y,
                                           shared<vector<float, dim("feature")>> w, shared<scalar<float>> b) {
        auto p = 1 / (1 + exp(-dot(x, w) - b));
        auto xent = -y * log(p) - (1 - y) * log(1 - p);
        auto cost = mean(xent) + 0.01 * sum(sqr(w));
        auto [gw, gb] = grad(cost, w, b);
        return outputs(p > 0.5, xent).updates(w -= 0.1 * gw, b -= 0.1 * gb);
    });
}

template <template <class, int> class A> struct mlp {
    A<float, 2> w1;
    A<float, 1> b1;
    A<float, 2> w2;
    A<float, 1> b2;
};

template <class Device> auto network() {
    return function<Device>("network", [](matrix<float> x, vector<int> label, shared<mlp<symbol>> net, shared<adam_state<mlp<symbol>>> state) {
        auto hidden = relu(dot(x, net.w1) + net.b1);
        auto cost = mean(cross_entropy(dot(hidden, net.w2) + net.b2, label));
        return outputs(cost).updates(adam(cost, net, state, {.learning_rate = 1e-2}));
    });
}

}  // namespace

TEST_CASE("logistic regression: every size, with and without graphs") {
    for (const bool graphs : {false, true})
        for (const auto& size : {std::pair<int, int>{400, 784}, {1, 1}, {3, 5}, {257, 33}, {5000, 100}}) {
            CAPTURE(graphs);
            CAPTURE(size.first);
            cuda::use_graphs(graphs);
            const auto x = random_array<float, 2>(1, size.first, size.second);
            array<float, 1> y = random_array<float, 1>(2, size.first);
            for (float& v : y) v = v > 0 ? 1.0f : 0.0f;
            auto w = random_array<float, 1>(3, size.second);
            array<float, 0> b;
            const auto gx = x.to<cuda>();
            const auto gy = y.to<cuda>();
            auto gw = w.to<cuda>();
            auto gb = b.to<cuda>();
            auto train = logistic<cuda>();
            auto expected = logistic<reference>();
            array<float, 1, cuda> error(y.extents());
            array<bool, 1, cuda> prediction(y.extents());
            auto both = std::tie(prediction, error);
            for (int step = 0; step < 8; ++step) {
                auto [p, e] = expected(x, y, w, b);
                if (step % 2 == 0) {
                    train.call_into(both, gx, gy, gw, gb);
                    check_close(error, e);
                } else {
                    auto [q, f] = train(gx, gy, gw, gb);
                    check_close(f, e);
                }
            }
            check_close(gw, w);
            check_close(gb, b);
        }
    cuda::use_graphs(true);
}

TEST_CASE("a network with Adam") {
    mlp<on<cpu>::array> net{random_array<float, 2>(1, 20, 33), random_array<float, 1>(2, 33), random_array<float, 2>(3, 33, 10), random_array<float, 1>(4, 10)};
    auto state = adam_state<mlp<on<cpu>::array>>::zeros_like(net);
    mlp<on<cuda>::array> gnet{net.w1.to<cuda>(), net.b1.to<cuda>(), net.w2.to<cuda>(), net.b2.to<cuda>()};
    auto gstate = adam_state<mlp<on<cuda>::array>>::zeros_like(gnet);
    const auto x = random_array<float, 2>(5, 64, 20);
    array<int, 1> label(64);
    for (int i = 0; i < 64; ++i) label(i) = (i * 7) % 10;
    const auto gx = x.to<cuda>();
    const auto glabel = label.to<cuda>();
    auto train = network<cuda>();
    auto expected = network<reference>();
    for (int step = 0; step < 6; ++step) {
        const auto cost = expected(x, label, net, state);
        // Once from the host: the transfer must change nothing.
        const auto got = step == 3 ? train(x, label, gnet, gstate) : train(gx, glabel, gnet, gstate);
        check_close(got, cost, 1e-4);
    }
    check_close(gnet.w1, net.w1, 1e-3);
    check_close(gnet.b1, net.b1, 1e-3);
    check_close(gnet.w2, net.w2, 1e-3);
    check_close(gnet.b2, net.b2, 1e-3);
}
