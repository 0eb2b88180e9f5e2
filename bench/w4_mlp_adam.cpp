// SPDX-License-Identifier: MIT
// W4: one training step of a 784-1000-1000-10 network on 100 samples: forward, backward and Adam on all parameters.
#include "common.hpp"

#include <array>

namespace {

using croton::array;

constexpr int samples = 100;
constexpr std::size_t layers = 3;
constexpr std::array<int, layers + 1> width{784, 1000, 1000, 10};
constexpr int classes = width[layers];
constexpr float rate = 1e-3f, beta1 = 0.9f, beta2 = 0.999f, epsilon = 1e-8f;

template <template <class, int> class A> struct dense {
    A<float, 2> weight;
    A<float, 1> bias;
};

template <template <class, int> class A> struct mlp {
    dense<A> hidden1, hidden2, output;
};

using layer = dense<croton::on<croton::cpu>::array>;
using network = mlp<croton::on<croton::cpu>::array>;

network zeros() {
    const auto one = [](std::size_t l) {
        return layer{array<float, 2>(width[l], width[l + 1]), array<float, 1>(width[l + 1])};
    };
    return {one(0), one(1), one(2)};
}

std::array<layer*, layers> layers_of(network& net) { return {&net.hidden1, &net.hidden2, &net.output}; }

struct problem {
    problem() : x(samples, width[0]), label(samples), net(zeros()) {
        bench::fill(x, 0, 1, 1);
        unsigned seed = 2;
        for (auto* l : layers_of(net)) bench::fill(l->weight, -0.05f, 0.05f, seed++);
        for (int i = 0; i < samples; ++i) label.data()[i] = i * 7 % classes;
    }

    array<float, 2> x;
    array<int, 1> label;
    network net;
};

auto croton_step() {
    using namespace croton;
    return function<cpu>("mlp_adam", [](matrix<float> x, vector<int> label, shared<mlp<symbol>> net,
                                        shared<adam_state<mlp<symbol>>> state) {
        auto hidden1 = relu(dot(x, net.hidden1.weight) + net.hidden1.bias);
        auto hidden2 = relu(dot(hidden1, net.hidden2.weight) + net.hidden2.bias);
        auto logits = dot(hidden2, net.output.weight) + net.output.bias;
        auto cost = mean(cross_entropy(logits, label));
        return outputs(cost).updates(adam(cost, net, state, {.learning_rate = 1e-3}));
    });
}

// What a version by hand owns: the parameters it trains, Adam's two moments, and room for what a step computes.
struct state {
    explicit state(const problem& p) : net(p.net) {
        for (std::size_t l = 0; l < layers; ++l) {
            result[l] = array<float, 2>(samples, width[l + 1]);
            delta[l] = array<float, 2>(samples, width[l + 1]);
        }
    }

    network net;
    network gradient = zeros(), first_moment = zeros(), second_moment = zeros();
    std::array<array<float, 2>, layers> result, delta;
    int step = 0;
};

// Adam's step size and the factor on the second moment that correct the bias of step `step`.
struct correction {
    explicit correction(int step)
        : step_size(rate / (1 - std::pow(beta1, static_cast<float>(step)))),
          second(1 / (1 - std::pow(beta2, static_cast<float>(step)))) {}

    float step_size, second;
};

// result += bias, negative numbers to zero.
void bias_relu(array<float, 2>& result, const array<float, 1>& bias) {
    float* r = result.data();
    const float* b = bias.data();
    const std::int64_t columns = bias.size();
    bench::parallel_for(samples, result.size(), [=](std::int64_t first, std::int64_t last) {
        for (std::int64_t i = first; i < last; ++i)
            bench::for_batches(0, columns, [=, row = r + i * columns](auto simd, std::int64_t j) {
                using xsimd::max;
                simd.store(row + j, max(simd.load(row + j) + simd.load(b + j), simd.all(0)));
            });
    });
}

// delta = 0 where the unit was off; bias_gradient = column sums of delta.
void relu_backward(const array<float, 2>& result, array<float, 2>& delta, array<float, 1>& bias_gradient) {
    const float* r = result.data();
    float* d = delta.data();
    float* g = bias_gradient.data();
    const std::int64_t columns = bias_gradient.size();
    bench::parallel_for(columns, delta.size(), [=](std::int64_t first, std::int64_t last) {
        std::fill(g + first, g + last, 0.0f);
        for (std::int64_t i = 0; i < samples; ++i)
            bench::for_batches(first, last, [=, row = i * columns](auto simd, std::int64_t j) {
                const auto zero = simd.all(0);
                const auto masked = simd.select(simd.load(r + row + j) > zero, simd.load(d + row + j), zero);
                simd.store(d + row + j, masked);
                simd.store(g + j, simd.load(g + j) + masked);
            });
    });
}

// delta = (softmax(logits + bias) - onehot) / samples; bias_gradient = its column sums; returns the mean cross-entropy.
float softmax_cross_entropy(const array<float, 2>& logits, const array<float, 1>& bias, const array<int, 1>& label,
                            array<float, 2>& delta, array<float, 1>& bias_gradient) {
    float* g = bias_gradient.data();
    const float* b = bias.data();
    std::fill(g, g + classes, 0.0f);
    float cost = 0;
    for (int i = 0; i < samples; ++i) {
        const float* z = logits.data() + i * classes;
        float* d = delta.data() + i * classes;
        float largest = z[0] + b[0], sum = 0;
        for (int j = 1; j < classes; ++j) largest = std::max(largest, z[j] + b[j]);
        for (int j = 0; j < classes; ++j) sum += d[j] = std::exp(z[j] + b[j] - largest);
        const int right = label.data()[i];
        cost += std::log(sum) + largest - z[right] - b[right];
        for (int j = 0; j < classes; ++j) {
            d[j] = (d[j] / sum - (j == right ? 1.0f : 0.0f)) / samples;
            g[j] += d[j];
        }
    }
    return cost / samples;
}

template <class Array> void raw_adam(Array& parameter, Array& gradient, Array& first, Array& second, correction c) {
    float *p = parameter.data(), *m = first.data(), *v = second.data();
    const float* g = gradient.data();
    bench::parallel_batches(parameter.size(), [=](auto simd, std::int64_t i) {
        using xsimd::sqrt;
        const auto gi = simd.load(g + i);
        const auto mi = beta1 * simd.load(m + i) + (1 - beta1) * gi;
        const auto vi = beta2 * simd.load(v + i) + (1 - beta2) * (gi * gi);
        simd.store(m + i, mi);
        simd.store(v + i, vi);
        simd.store(p + i, simd.load(p + i) - c.step_size * mi / (sqrt(c.second * vi) + epsilon));
    });
}

float raw_step(const problem& p, state& s) {
    const auto net = layers_of(s.net), gradient = layers_of(s.gradient);
    const auto input = [&](std::size_t l) { return l == 0 ? p.x.data() : s.result[l - 1].data(); };
    for (std::size_t l = 0; l < layers; ++l) {
        cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, samples, width[l + 1], width[l], 1, input(l), width[l],
                    net[l]->weight.data(), width[l + 1], 0, s.result[l].data(), width[l + 1]);
        if (l + 1 < layers) bias_relu(s.result[l], net[l]->bias);
    }
    const float cost =
        softmax_cross_entropy(s.result.back(), net.back()->bias, p.label, s.delta.back(), gradient.back()->bias);
    for (std::size_t l = layers; l-- > 0;) {
        cblas_sgemm(CblasRowMajor, CblasTrans, CblasNoTrans, width[l], width[l + 1], samples, 1, input(l), width[l],
                    s.delta[l].data(), width[l + 1], 0, gradient[l]->weight.data(), width[l + 1]);
        if (l == 0) break;
        cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, samples, width[l], width[l + 1], 1, s.delta[l].data(),
                    width[l + 1], net[l]->weight.data(), width[l + 1], 0, s.delta[l - 1].data(), width[l]);
        relu_backward(s.result[l - 1], s.delta[l - 1], gradient[l - 1]->bias);
    }
    const auto first = layers_of(s.first_moment), second = layers_of(s.second_moment);
    const correction c(++s.step);
    for (std::size_t l = 0; l < layers; ++l) {
        raw_adam(net[l]->weight, gradient[l]->weight, first[l]->weight, second[l]->weight, c);
        raw_adam(net[l]->bias, gradient[l]->bias, first[l]->bias, second[l]->bias, c);
    }
    return cost;
}

#if BENCH_HAS_EIGEN
template <class Array> void eigen_adam(Array& parameter, Array& gradient, Array& first, Array& second, correction c) {
    auto m = bench::eigen(first).array();
    auto v = bench::eigen(second).array();
    const auto g = bench::eigen(gradient).array();
    m = beta1 * m + (1 - beta1) * g;
    v = beta2 * v + (1 - beta2) * g.square();
    bench::eigen(parameter).array() -= c.step_size * m / ((c.second * v).sqrt() + epsilon);
}

float eigen_step(const problem& p, state& s) {
    const auto net = layers_of(s.net), gradient = layers_of(s.gradient);
    const auto input = [&](std::size_t l) { return bench::eigen(l == 0 ? p.x : std::as_const(s.result[l - 1])); };
    for (std::size_t l = 0; l < layers; ++l) {
        auto z = bench::eigen(s.result[l]);
        z.noalias() = input(l) * bench::eigen(net[l]->weight);
        z.rowwise() += bench::eigen(net[l]->bias).transpose();
        if (l + 1 < layers) z = z.cwiseMax(0);
    }
    auto z = bench::eigen(s.result.back()).array();
    auto softmax = bench::eigen(s.delta.back()).array();
    z.colwise() -= z.rowwise().maxCoeff().eval();
    softmax = z.exp();
    const Eigen::ArrayXf sums = softmax.rowwise().sum();
    softmax.colwise() /= sums;
    float cost = sums.log().sum();
    for (int i = 0; i < samples; ++i) {
        const int right = p.label.data()[i];
        cost -= z(i, right);
        softmax(i, right) -= 1;
    }
    softmax /= samples;
    for (std::size_t l = layers; l-- > 0;) {
        const auto delta = bench::eigen(s.delta[l]);
        bench::eigen(gradient[l]->weight).noalias() = input(l).transpose() * delta;
        bench::eigen(gradient[l]->bias) = delta.colwise().sum().transpose();
        if (l == 0) break;
        auto before = bench::eigen(s.delta[l - 1]);
        before.noalias() = delta * bench::eigen(net[l]->weight).transpose();
        before.array() = (bench::eigen(s.result[l - 1]).array() > 0).select(before.array(), 0);
    }
    const auto first = layers_of(s.first_moment), second = layers_of(s.second_moment);
    const correction c(++s.step);
    for (std::size_t l = 0; l < layers; ++l) {
        eigen_adam(net[l]->weight, gradient[l]->weight, first[l]->weight, second[l]->weight, c);
        eigen_adam(net[l]->bias, gradient[l]->bias, first[l]->bias, second[l]->bias, c);
    }
    return cost / samples;
}
#endif

double difference(network& a, network& b) {
    double worst = 0;
    for (std::size_t l = 0; l < layers; ++l)
        worst = std::max({worst, bench::max_difference(layers_of(a)[l]->weight, layers_of(b)[l]->weight),
                          bench::max_difference(layers_of(a)[l]->bias, layers_of(b)[l]->bias)});
    return worst;
}

}  // namespace

int main(int argc, char** argv) {
    bench::start(argc, argv);
    problem p;
    state of_raw(p);
    network net = p.net;
    auto moments = croton::adam_state<network>::zeros_like(net);
    array<float, 0> cost, expected;
    auto step = croton_step();
    const auto croton_call = [&] { step.call_into(std::tie(cost), p.x, p.label, net, moments); };
    const auto raw_call = [&] { *expected.data() = raw_step(p, of_raw); };
    const auto three_times = [](const auto& call) { for (int i = 0; i < 3; ++i) call(); };
    // Adam divides by the size of a gradient, so where that is nothing but rounding the step is not small.
    constexpr double parameter_tolerance = rate / 3;

    bench::table table("W4 mlp_adam: one training step, 784-1000-1000-10, batch 100, float32");
    three_times(raw_call);
    three_times(croton_call);
    table.check("cost of step 3: croton, raw", bench::max_difference(cost, expected), 1e-5);
    table.check("parameters after it: croton, raw", difference(net, of_raw.net), parameter_tolerance);
    table.row("croton", 0, croton_call);
    table.row("raw: cblas_sgemm and xsimd loops", 1.25, raw_call);
#if BENCH_HAS_EIGEN
    state of_eigen(p);
    array<float, 0> eigen_cost;
    const auto eigen_call = [&] { *eigen_cost.data() = eigen_step(p, of_eigen); };
    three_times(eigen_call);
    table.check("cost of step 3: Eigen, raw", bench::max_difference(eigen_cost, expected), 1e-5);
    table.check("parameters after it: Eigen, raw", difference(of_eigen.net, of_raw.net), parameter_tolerance);
    table.row("Eigen by hand", 0, eigen_call);
#endif
    table.measure();
    return table.finish();
}
