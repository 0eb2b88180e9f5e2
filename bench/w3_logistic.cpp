// SPDX-License-Identifier: MIT
// W3: one training step of logistic regression that returns prediction and cross-entropy and updates w and b.
#include "common.hpp"

namespace {

using croton::array;

constexpr int features = 784;
constexpr float rate = 0.1f;
constexpr float decay = 1 - rate * 2 * 0.01f;  // the l2 term of the cost, 0.01 sum(sqr(w)), as a factor on w

struct problem {
    explicit problem(int samples) : n(samples), x(samples, features), y(samples), w(features) {
        bench::fill(x, -1, 1, 1);
        bench::fill(y, 0, 1, 2);
        for (float& label : bench::values(y)) label = label < 0.5f ? 0.0f : 1.0f;
        bench::fill(w, -0.1f, 0.1f, 3);
    }

    int n;
    array<float, 2> x;
    array<float, 1> y;
    array<float, 1> w;
};

// What one contender owns: the parameters it trains, its outputs and room for the residuals.
struct state {
    explicit state(const problem& p) : w(p.w), prediction(p.n), error(p.n), residual(p.n) {}

    array<float, 1> w;
    array<float, 0> b;
    array<bool, 1> prediction;
    array<float, 1> error;
    array<float, 1> residual;
};

auto croton_step() {
    using namespace croton;
    return function<cpu>("logistic", [](matrix<float, dim("sample"), dim("feature")> x, vector<float, dim("sample")> y,
                                        shared<vector<float, dim("feature")>> w, shared<scalar<float>> b) {
        auto p = 1 / (1 + exp(-dot(x, w) - b));
        auto xent = -y * log(p) - (1 - y) * log(1 - p);
        auto cost = mean(xent) + 0.01 * sum(sqr(w));
        auto [gw, gb] = grad(cost, w, b);
        return outputs(p > 0.5, xent).updates(w -= 0.1 * gw, b -= 0.1 * gb);
    });
}

// The stable form by hand: from the logits and labels of one batch to cross-entropy, prediction and residual.
template <class Simd, class V> V finish_batch(Simd simd, V z, V y, float* error, bool* prediction) {
    using xsimd::abs, xsimd::exp, xsimd::log1p, xsimd::max;
    const V one = simd.all(1), zero = simd.all(0);
    const V e = exp(-abs(z));
    simd.store(error, max(z, zero) - y * z + log1p(e));
    float logit[Simd::width];
    simd.store(logit, z);
    for (int lane = 0; lane < Simd::width; ++lane) prediction[lane] = logit[lane] > 0;
    return simd.select(z > zero, one, e) / (one + e) - y;
}

void raw_step(const problem& p, state& s) {
    float* residual = s.residual.data();
    const float* y = p.y.data();
    float* error = s.error.data();
    bool* prediction = s.prediction.data();
    const float b = *s.b.data();
    cblas_sgemv(CblasRowMajor, CblasNoTrans, p.n, features, 1, p.x.data(), features, s.w.data(), 1, 0, residual, 1);
    bench::parallel_batches(p.n, [=](auto simd, std::int64_t i) {
        const auto z = simd.load(residual + i) + b;
        simd.store(residual + i, finish_batch(simd, z, simd.load(y + i), error + i, prediction + i));
    });
    bench::batch sums(0.0f);
    float sum = 0;
    bench::for_batches(0, p.n, [&](auto simd, std::int64_t i) {
        if constexpr (std::is_same_v<decltype(simd), bench::wide>)
            sums += simd.load(residual + i);
        else
            sum += simd.load(residual + i);
    });
    sum += xsimd::hadd(sums);
    const float scale = rate / static_cast<float>(p.n);
    cblas_sgemv(CblasRowMajor, CblasTrans, p.n, features, -scale, p.x.data(), features, residual, 1, decay, s.w.data(),
                1);
    *s.b.data() -= scale * sum;
}

// One pass over x: while a block of rows is in the inner cache it serves the product and the gradient.
// gradient: `features` sums of residual * row; returns the sum of the residuals.
float one_pass_rows(const problem& p, state& s, std::int64_t first, std::int64_t last, float* gradient) {
    constexpr std::int64_t block = bench::lanes;
    constexpr std::int64_t group = 8;
    static_assert(features % bench::lanes == 0);
    const float* w = s.w.data();
    const float b = *s.b.data();
    float sum = 0;
    for (std::int64_t row = first; row < last; row += block) {
        const std::int64_t rows = std::min(block, last - row);
        const float* x = p.x.data() + row * features;
        float z[block] = {};
        std::int64_t r = 0;
        for (; r + group <= rows; r += group) {
            bench::batch partial[group];
            for (auto& v : partial) v = bench::batch(0.0f);
            for (std::int64_t j = 0; j < features; j += bench::lanes) {
                const auto wj = bench::batch::load_unaligned(w + j);
                for (std::int64_t k = 0; k < group; ++k)
                    partial[k] = xsimd::fma(bench::batch::load_unaligned(x + (r + k) * features + j), wj, partial[k]);
            }
            for (std::int64_t k = 0; k < group; ++k) z[r + k] = xsimd::hadd(partial[k]) + b;
        }
        for (; r < rows; ++r) {
            bench::batch partial(0.0f);
            for (std::int64_t j = 0; j < features; j += bench::lanes)
                partial = xsimd::fma(bench::batch::load_unaligned(x + r * features + j),
                                     bench::batch::load_unaligned(w + j), partial);
            z[r] = xsimd::hadd(partial) + b;
        }
        bench::for_batches(0, rows, [&](auto simd, std::int64_t i) {
            simd.store(z + i, finish_batch(simd, simd.load(z + i), simd.load(p.y.data() + row + i),
                                           s.error.data() + row + i, s.prediction.data() + row + i));
        });
        for (std::int64_t i = 0; i < rows; ++i) sum += z[i];
        for (r = 0; r + group <= rows; r += group)
            for (std::int64_t j = 0; j < features; j += bench::lanes) {
                auto g = bench::batch::load_unaligned(gradient + j);
                for (std::int64_t k = 0; k < group; ++k)
                    g = xsimd::fma(bench::batch::load_unaligned(x + (r + k) * features + j), bench::batch(z[r + k]), g);
                g.store_unaligned(gradient + j);
            }
        for (; r < rows; ++r)
            for (std::int64_t j = 0; j < features; j += bench::lanes)
                xsimd::fma(bench::batch::load_unaligned(x + r * features + j), bench::batch(z[r]),
                           bench::batch::load_unaligned(gradient + j))
                    .store_unaligned(gradient + j);
    }
    return sum;
}

struct alignas(64) part_of_gradient {
    float w[features];
    float b;
};

void one_pass_step(const problem& p, state& s, std::vector<part_of_gradient>& parts) {
    const std::int64_t blocks = (p.n + bench::lanes - 1) / bench::lanes;
    const auto count = static_cast<std::int64_t>(parts.size());
    for (auto& part : parts) part = {};
    bench::parallel_for(count, std::int64_t{p.n} * features, [&](std::int64_t first, std::int64_t last) {
        for (std::int64_t i = first; i < last; ++i) {
            auto& part = parts[static_cast<std::size_t>(i)];
            part.b = one_pass_rows(p, s, blocks * i / count * bench::lanes,
                                   std::min<std::int64_t>(p.n, blocks * (i + 1) / count * bench::lanes), part.w);
        }
    });
    const float scale = rate / static_cast<float>(p.n);
    float* w = s.w.data();
    bench::for_batches(0, features, [&](auto simd, std::int64_t j) {
        auto g = simd.load(parts[0].w + j);
        for (std::size_t i = 1; i < parts.size(); ++i) g += simd.load(parts[i].w + j);
        simd.store(w + j, decay * simd.load(w + j) - scale * g);
    });
    for (const auto& part : parts) *s.b.data() -= scale * part.b;
}

#if BENCH_HAS_EIGEN
void eigen_step(const problem& p, state& s) {
    const auto x = bench::eigen(p.x);
    const auto y = bench::eigen(p.y).array();
    auto w = bench::eigen(s.w);
    auto z = bench::eigen(s.residual);
    float& b = *s.b.data();
    z.noalias() = x * w;
    z.array() += b;
    Eigen::Map<Eigen::Array<bool, Eigen::Dynamic, 1>>(s.prediction.data(), p.n) = z.array() > 0;
    bench::eigen(s.error).array() = z.array().max(0) - y * z.array() + (-z.array().abs()).exp().log1p();
    z.array() = (1 + (-z.array()).exp()).inverse() - y;
    const float scale = rate / static_cast<float>(p.n);
    w *= decay;
    w.noalias() -= scale * (x.transpose() * z);
    b -= scale * z.sum();
}
#endif

// The largest difference of parameters and cross-entropy, or the share of samples with another prediction if that is
// more: a logit that is almost 0 may round to either side.
double difference(const state& a, const state& b) {
    const std::int64_t n = a.prediction.size();
    std::int64_t others = 0;
    for (std::int64_t i = 0; i < n; ++i) others += a.prediction.data()[i] != b.prediction.data()[i];
    return std::max({bench::max_difference(a.w, b.w), bench::max_difference(a.b, b.b),
                     bench::max_difference(a.error, b.error), static_cast<double>(others) / static_cast<double>(n)});
}

void compare(int samples, double raw_target) {
    const problem p(samples);
    state of_croton(p), of_raw(p), of_one_pass(p);
    std::vector<part_of_gradient> parts(static_cast<std::size_t>(bench::thread_count));
    auto train = croton_step();
    const auto croton_call = [&] {
        train.call_into(std::tie(of_croton.prediction, of_croton.error), p.x, p.y, of_croton.w, of_croton.b);
    };
    const auto raw_call = [&] { raw_step(p, of_raw); };
    const auto one_pass_call = [&] { one_pass_step(p, of_one_pass, parts); };
    const auto three_times = [](const auto& call) { for (int i = 0; i < 3; ++i) call(); };

    bench::table table("W3 logistic: one training step, " + std::to_string(samples) + " x 784 float32");
    three_times(raw_call);
    three_times(croton_call);
    three_times(one_pass_call);
    table.check("croton, raw after 3 steps", difference(of_croton, of_raw), 1e-4);
    table.check("one pass, raw after 3 steps", difference(of_one_pass, of_raw), 1e-4);
    table.row("croton", 0, croton_call);
    table.row("raw: cblas_sgemv and xsimd loop", raw_target, raw_call);
    table.row("raw: one pass over x by hand", 0, one_pass_call);
#if BENCH_HAS_EIGEN
    state of_eigen(p);
    const auto eigen_call = [&] { eigen_step(p, of_eigen); };
    three_times(eigen_call);
    table.check("Eigen, raw after 3 steps", difference(of_eigen, of_raw), 1e-4);
    table.row("Eigen by hand (one thread)", 0, eigen_call);
#endif
    table.measure();
}

}  // namespace

int main(int argc, char** argv) {
    bench::start(argc, argv);
    compare(400, 1.10);
    compare(4'000, 1.10);
    compare(40'000, 0);
    return bench::table::finish();
}
