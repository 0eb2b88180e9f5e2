// SPDX-License-Identifier: MIT
// One training step of the variational autoencoder of examples/18_vae, 784-400-20-400-784 on 100 images: random draws inside the function, the gradient through them, and Adam.
// Beside it the products alone.
#include "common.hpp"

#include "../examples/18_vae/network.hpp"

#include <numbers>

namespace {

using bench::gemm;
using croton::array;
using vae::hidden, vae::latent, vae::pixels;

constexpr int images = 100;

struct scratch {
    array<float, 2> x{images, pixels}, y{images, pixels}, of_weight{pixels, hidden};
};

void raw_products(const vae::network& net, scratch& s) {
    for (const auto* layer : {&net.seen, &net.code, &net.imagined, &net.image}) {
        const int in = static_cast<int>(layer->weight.extent(0)), out = static_cast<int>(layer->weight.extent(1));
        gemm(CblasNoTrans, CblasNoTrans, images, out, in, s.x.data(), layer->weight.data(), 0, s.y.data());
        if (layer != &net.seen) gemm(CblasNoTrans, CblasTrans, images, in, out, s.x.data(), layer->weight.data(), 0, s.y.data());
        gemm(CblasTrans, CblasNoTrans, in, out, images, s.x.data(), s.y.data(), 0, s.of_weight.data());
    }
}

/// The mean bound with these draws, in double.
double raw_bound(const vae::network& net, const array<float, 2>& image, const array<float, 2>& draws) {
    const auto through = [](const std::vector<double>& x, const auto& layer) {
        std::vector<double> y(layer.bias.begin(), layer.bias.end());
        for (std::size_t i = 0; i < x.size(); ++i)
            for (std::size_t j = 0; j < y.size(); ++j) y[j] += x[i] * static_cast<double>(layer.weight.data()[i * y.size() + j]);
        return y;
    };
    const auto positive = [](std::vector<double> x) {
        for (double& each : x) each = std::max(each, 0.0);
        return x;
    };
    double bound = 0;
    for (int b = 0; b < images; ++b) {
        const std::vector<double> x(image.data() + b * pixels, image.data() + (b + 1) * pixels);
        const auto moments = through(positive(through(x, net.seen)), net.code);
        std::vector<double> code(latent);
        for (std::size_t i = 0; i < latent; ++i) {
            const double mean = moments[i], log_variance = moments[latent + i];
            code[i] = mean + std::exp(0.5 * log_variance) * static_cast<double>(draws(b, static_cast<std::int64_t>(i)));
            bound -= 0.5 * (mean * mean + std::exp(log_variance) - log_variance - 1) / images;
        }
        const auto logits = through(positive(through(code, net.imagined)), net.image);
        for (std::size_t i = 0; i < pixels; ++i) bound += (x[i] * logits[i] - std::max(logits[i], 0.0) - std::log1p(std::exp(-std::abs(logits[i])))) / images;
    }
    return bound;
}

}  // namespace

int main(int argc, char** argv) {
    bench::start(argc, argv);
    vae::network net = vae::random_network(1);
    auto state = vae::optimiser::zeros_like(net);
    auto rng = vae::generator::seed(1), same = vae::generator::seed(1);
    array<float, 2> image(images, pixels);
    bench::fill(image, 0, 1, 2);
    array<float, 0> bound, expected;
    auto step = vae::make_train_step();
    auto draw = croton::function<croton::cpu>("draw", [](croton::shared<croton::random_state<croton::symbol>> r) { return croton::normal<float, images, latent>(r); });
    const array<float, 0> rate = 1e-3f;
    const auto run = [&] { step.call_into(std::tie(bound), image, rate, rng, net, state); };
    scratch s;
    bench::fill(s.x, -1, 1, 3);

    bench::table table("variational autoencoder: one training step, 784-400-20-400-784, batch 100, float32");
    // The bounds after the first steps depend on all gradients; each is that of the parameters that were left.
    for (int i = 0; i < 3; ++i) {
        *expected.data() = static_cast<float>(raw_bound(net, image, draw(same)));
        run();
        table.check("bound of step " + std::to_string(i + 1) + ", by it: croton, raw", std::abs(static_cast<double>(bound() / expected()) - 1), 1e-5);
    }
    table.row("croton", 0, run);
    table.row("raw: cblas_sgemm, the products alone", 0, [&] { raw_products(net, s); });
    table.measure();
    return bench::table::finish();
}
