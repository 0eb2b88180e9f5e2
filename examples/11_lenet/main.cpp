// SPDX-License-Identifier: MIT
// Trains LeNet-5 to read handwritten digits: convolutions, pooling, dropout, and minibatches in another order in each epoch. Saves it, and shows
// that the saved one is the same.
#include "../03_mnist/dataset.hpp"
#include "../03_mnist/options.hpp"
#include "../03_mnist/progress.hpp"
#include "network.hpp"

#include <croton/croton.hpp>

#include <cmath>
#include <cstdio>
#include <exception>
#include <new>
#include <stdexcept>

namespace {

using namespace lenet;
using mnist::grouped;

void run(const mnist::options& o) {
    mnist::check_can_save(o.save);
    croton::set_threads(o.threads);
    const mnist::experiment data = mnist::load(o.data);
    const double tests = static_cast<double>(data.test.size());

    network net = random_network(o.seed);
    auto state = optimiser::zeros_like(net);
    auto rng = generator::seed(o.seed);
    auto batches = data.train.batches(o.batch, o.seed);
    auto step = make_train_step();
    auto count = make_count_right();
    const auto count_right = [&](const network& of) {
        std::int64_t right = 0;
        for (auto [image, label] : data.test.batches(500)) right += count(image, label, of);
        return right;
    };

    std::printf("LeNet-5, float32, %d thread%s\n", croton::threads(), croton::threads() == 1 ? "" : "s");
    std::printf("%s images to train, %s to test\n\n", grouped(data.train.size()).c_str(), grouped(data.test.size()).c_str());
    std::puts("epoch  training loss  test accuracy  seconds  images/s");
    std::int64_t right = 0;
    for (std::int64_t epoch = 1; epoch <= o.epochs; ++epoch) {
        const mnist::stopwatch watch;
        const double rate = o.learning_rate * std::pow(0.75, static_cast<double>(epoch - 1));
        double loss = 0;
        {
            croton::progress bar = mnist::bar_of(epoch, o.epochs, batches.examples());
            std::int64_t done = 0;
            for (auto [image, label] : batches) {
                const float cost = step(image, label, rate, rng, net, state);
                loss += static_cast<double>(cost) * static_cast<double>(label.size());
                done += label.size();
                bar.note("loss", loss / static_cast<double>(done));
                bar.advance(label.size());
            }
            loss /= static_cast<double>(done);
        }
        const double seconds = watch.seconds();
        right = count_right(net);
        const auto speed = static_cast<std::int64_t>(static_cast<double>(batches.examples()) / seconds);
        std::printf("%5lld  %13.4f  %11.2f %%  %7.1f  %8s\n", static_cast<long long>(epoch), loss, 100 * static_cast<double>(right) / tests, seconds,
                    grouped(speed).c_str());
        std::fflush(stdout);
        if (!std::isfinite(loss)) throw std::runtime_error("the loss is no longer a number: try a smaller --learning-rate");
    }

    croton::save(net, o.save);
    network loaded;
    croton::load(loaded, o.save);
    const std::int64_t again = count_right(loaded);
    if (again != right) throw std::runtime_error("the network loaded from " + o.save.string() + " is another one");
    std::printf("\nsaved to %s; loaded again, its test accuracy is %.2f %% as well\n", o.save.c_str(), 100 * static_cast<double>(again) / tests);
}

}  // namespace

int main(int argc, char** argv) {
    try {
        mnist::options standard;
        standard.learning_rate = 2e-3;
        standard.save = "lenet_model";
        const mnist::options o = mnist::parse_options({argv + 1, static_cast<std::size_t>(argc - 1)}, standard);
        if (o.help) std::fputs(mnist::usage("11_lenet trains LeNet-5, of convolutions, to read handwritten digits.", standard).c_str(), stdout);
        else run(o);
        if (std::fflush(stdout) != 0) throw std::runtime_error("stdout cannot be written");
    } catch (const std::bad_alloc&) {
        std::fputs("11_lenet: there is not enough memory\n", stderr);
        return 1;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "11_lenet: %s\n", error.what());
        return 1;
    }
}
