// SPDX-License-Identifier: MIT
// Trains a network to read handwritten digits, saves it, shows that the saved one is the same, and where the time went.
#include "dataset.hpp"
#include "network.hpp"
#include "options.hpp"
#include "progress.hpp"

#include <croton/croton.hpp>

#include <cmath>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <new>
#include <stdexcept>
#include <utility>

namespace {

using namespace mnist;

class trainer {
public:
    /// The images must live as long.
    trainer(const options& o, const dataset& train)
        : options_(o), batches_(train.batches(o.batch, o.seed)), net_(random_network(o.seed)), state_(optimiser::zeros_like(net_)) {}

    const network& net() const { return net_; }

    /// Trains on every image once; returns the mean loss. After the first batches nothing is allocated.
    double run_epoch(std::int64_t epoch) {
        croton::region r{"epoch"};
        croton::progress bar = bar_of(epoch, options_.epochs, batches_.examples());
        const auto rate = options_.learning_rate * std::pow(0.75, static_cast<double>(epoch - 1));
        double loss = 0;
        std::int64_t done = 0;
        for (auto [image, label] : batches_) {
            step_.call_into(cost_, image, label, rate, net_, state_);
            loss += static_cast<double>(cost_) * static_cast<double>(label.size());
            done += label.size();
            bar.note("loss", loss / static_cast<double>(done));
            bar.advance(label.size());
        }
        return loss / static_cast<double>(done);
    }

    /// How many images of the data a network tells right.
    std::int64_t count_right(const dataset& data, const network& net) {
        croton::region r{"test"};
        std::int64_t right = 0;
        for (auto [image, label] : data.batches(500)) {
            count_right_.call_into(right_, image, label, net);
            right += right_;
        }
        return right;
    }

private:
    const options& options_;
    decltype(std::declval<dataset>().batches(0, std::uint64_t{0})) batches_;
    network net_;
    optimiser state_;
    decltype(make_train_step()) step_ = make_train_step();
    decltype(make_count_right()) count_right_ = make_count_right();
    croton::array<float, 0> cost_;
    croton::array<std::int64_t, 0> right_;
};

/// Saves the network and loads it again.
network save_and_load(const network& net, const std::filesystem::path& to) {
    croton::region r{"save"};
    croton::save(net, to);
    network loaded;
    croton::load(loaded, to);
    return loaded;
}

void run(const options& o) {
    check_can_save(o.save);
    croton::set_threads(o.threads);
    croton::profile scope{"mnist"};
    const experiment data = load(o.data);
    const dataset& train = data.train;
    const dataset& test = data.test;
    trainer work(o, train);
    std::int64_t parameters = 0;
    for (const auto* layer : {&work.net().hidden1, &work.net().hidden2, &work.net().output})
        parameters += layer->weight.size() + layer->bias.size();
    std::printf("784-1000-1000-10, %s parameters, float32, %d thread%s\n", grouped(parameters).c_str(),
                croton::threads(), croton::threads() == 1 ? "" : "s");
    std::printf("%s images to train, %s to test, from %s\n\n", grouped(train.size()).c_str(),
                grouped(test.size()).c_str(), (o.data.empty() ? EXAMPLES_DATA : o.data).c_str());
    std::puts("epoch  training loss  test accuracy  seconds  images/s");

    const auto percent = [&test](std::int64_t right) {
        return 100 * static_cast<double>(right) / static_cast<double>(test.size());
    };
    std::int64_t right = 0;
    for (std::int64_t epoch = 1; epoch <= o.epochs; ++epoch) {
        const stopwatch watch;
        const double loss = work.run_epoch(epoch);
        const double seconds = watch.seconds();
        right = work.count_right(test, work.net());
        const auto speed = static_cast<std::int64_t>(static_cast<double>(train.size()) / seconds);
        std::printf("%5lld  %13.4f  %11.2f %%  %7.1f  %8s\n", static_cast<long long>(epoch), loss, percent(right),
                    seconds, grouped(speed).c_str());
        std::fflush(stdout);
        if (!std::isfinite(loss))
            throw std::runtime_error("the loss is no longer a number: try a smaller --learning-rate");
    }

    const std::int64_t again = work.count_right(test, save_and_load(work.net(), o.save));
    if (again != right) throw std::runtime_error("the network loaded from " + o.save.string() + " is another one");
    std::printf("\nsaved to %s; loaded again, its test accuracy is %.2f %% as well\n\n%s", o.save.c_str(), percent(again),
                scope.report().c_str());
}

}  // namespace

int main(int argc, char** argv) {
    try {
        const options standard, o = parse_options({argv + 1, static_cast<std::size_t>(argc - 1)}, standard);
        if (o.help) std::fputs(usage("03_mnist trains a network, 784-1000-1000-10, to read handwritten digits.", standard).c_str(), stdout);
        else run(o);
        // A full disk behind stdout is an error too.
        if (std::fflush(stdout) != 0) throw std::runtime_error("stdout cannot be written");
    } catch (const std::bad_alloc&) {
        std::fputs("03_mnist: there is not enough memory\n", stderr);
        return 1;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "03_mnist: %s\n", error.what());
        return 1;
    }
}
