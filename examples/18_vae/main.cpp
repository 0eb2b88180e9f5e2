// SPDX-License-Identifier: MIT
// A variational autoencoder learns what digits look like: random draws inside the function, with the gradient through them. It prints the evidence
// lower bound, saves what it has learned and a picture of digits that it imagines, and shows that the saved one is the same.
#include "../03_mnist/dataset.hpp"
#include "../03_mnist/options.hpp"
#include "../03_mnist/progress.hpp"
#include "network.hpp"

#include <croton/croton.hpp>

#include <cmath>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <new>
#include <stdexcept>

namespace {

using namespace vae;
using mnist::grouped;

// As a portable graymap, which most programs that show pictures read.
void save_picture(const std::filesystem::path& path, const croton::array<float, 2>& grey) {
    std::ofstream file(path, std::ios::binary);
    file << "P5\n" << grey.extent(1) << ' ' << grey.extent(0) << "\n255\n";
    for (const float g : grey) file.put(static_cast<char>(static_cast<unsigned char>(std::lround(255 * g))));
    if (!file.flush()) throw std::runtime_error(path.string() + " cannot be written");
}

void run(const mnist::options& o) {
    mnist::check_can_save(o.save);
    croton::set_threads(o.threads);
    const mnist::experiment data = mnist::load(o.data);

    network net = random_network(o.seed);
    auto state = optimiser::zeros_like(net);
    auto rng = generator::seed(o.seed);
    auto batches = data.train.batches(o.batch, o.seed);
    auto step = make_train_step();
    auto bound = make_bound();
    const auto mean_bound = [&](const network& of) {
        auto same_draws = generator::seed(o.seed);
        double sum = 0;
        for (auto [image, label] : data.test.batches(500)) sum += static_cast<double>(static_cast<float>(bound(image, same_draws, of)));
        return sum / static_cast<double>(data.test.size());
    };

    std::printf("variational autoencoder, float32, %d thread%s\n", croton::threads(), croton::threads() == 1 ? "" : "s");
    std::printf("%s images to train, %s to test\n\n", grouped(data.train.size()).c_str(), grouped(data.test.size()).c_str());
    std::puts("epoch  training ELBO  test ELBO  seconds  images/s");
    double test = 0;
    for (std::int64_t epoch = 1; epoch <= o.epochs; ++epoch) {
        const mnist::stopwatch watch;
        const double rate = o.learning_rate * std::pow(0.75, static_cast<double>(epoch - 1));
        double sum = 0;
        {
            croton::progress bar = mnist::bar_of(epoch, o.epochs, batches.examples());
            std::int64_t done = 0;
            for (auto [image, label] : batches) {
                const float mean = step(image, rate, rng, net, state);
                sum += static_cast<double>(mean) * static_cast<double>(label.size());
                done += label.size();
                bar.note("ELBO", sum / static_cast<double>(done));
                bar.advance(label.size());
            }
            sum /= static_cast<double>(done);
        }
        const double seconds = watch.seconds();
        test = mean_bound(net);
        const auto speed = static_cast<std::int64_t>(static_cast<double>(batches.examples()) / seconds);
        std::printf("%5lld  %13.2f  %9.2f  %7.1f  %8s\n", static_cast<long long>(epoch), sum, test, seconds, grouped(speed).c_str());
        std::fflush(stdout);
        if (!std::isfinite(sum)) throw std::runtime_error("the bound is no longer a number: try a smaller --learning-rate");
    }

    croton::save(net, o.save);
    network loaded;
    croton::load(loaded, o.save);
    if (mean_bound(loaded) != test) throw std::runtime_error("the network loaded from " + o.save.string() + " is another one");
    std::printf("\nsaved to %s; loaded again, its test ELBO is %.2f as well\n", o.save.c_str(), test);
    const std::filesystem::path picture = o.save.string() + ".pgm";
    save_picture(picture, make_imagine()(rng, loaded));
    std::printf("digits that it imagines: %s\n", picture.c_str());
}

}  // namespace

int main(int argc, char** argv) {
    try {
        mnist::options standard;
        standard.learning_rate = 2e-3;
        standard.save = "vae_model";
        const mnist::options o = mnist::parse_options({argv + 1, static_cast<std::size_t>(argc - 1)}, standard);
        if (o.help) std::fputs(mnist::usage("18_vae learns what handwritten digits look like, and imagines some.", standard).c_str(), stdout);
        else run(o);
        if (std::fflush(stdout) != 0) throw std::runtime_error("stdout cannot be written");
    } catch (const std::bad_alloc&) {
        std::fputs("18_vae: there is not enough memory\n", stderr);
        return 1;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "18_vae: %s\n", error.what());
        return 1;
    }
}
