// SPDX-License-Identifier: MIT
// Two layers of LSTM learn a text letter by letter: the text lies side by side in pieces that are read on and on, so that the network knows what
// came before the letters through which the gradient goes. It then writes a text of its own, and is the same when it is loaded again.
//   16_language_model [steps] [file to save to]
#include "../text.hpp"
#include "network.hpp"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>

using namespace language_model;

namespace {

memory_arrays nothing_known() {
    const array<float, 2> zero(side_by_side, width);
    return {{zero, zero}, {zero, zero}};
}

double bits_of(const text::pieces& text, const network_arrays& net) {
    static const auto test = make_test();
    memory_arrays known = nothing_known();
    double bits = 0;
    for (std::int64_t i = 0; i < text.batches(at_once); ++i)
        bits += static_cast<double>(static_cast<float>(test(text.read(i, at_once), text.next(i, at_once), net, known)));
    return bits / static_cast<double>(text.batches(at_once));
}

void run(std::int64_t steps, const char* file) {
    const std::string all = text::read_file(std::string(EXAMPLES_DATA) + "/genesis_exodus.txt");
    const text::alphabet letters(all);
    const std::size_t learned = all.size() / 20 * 19;
    const text::pieces learn(all.substr(0, learned), letters, side_by_side), unseen(all.substr(learned), letters, side_by_side);

    const int n = letters.size();
    const array<float, 2> weights(width, 4 * width);
    const lstm_layer<on<cpu>::array> layer{weights, weights, array<float, 1>(4 * width)};
    network_arrays net{array<float, 2>(n, width), layer, layer, array<float, 2>(width, n), array<float, 1>(n)};
    random::initialise(net, 1, random::glorot_uniform);
    for (auto* bias : {&net.first.bias, &net.second.bias}) bias->slice(0, 0, width, 1).fill(1);  // at first nothing is forgotten
    auto state = adam_state<network_arrays>::zeros_like(net);
    auto rng = random_arrays::seed(1);
    std::printf("%zu letters, %d different ones; %zu to learn\n", all.size(), n, learned);

    const auto train = make_train();
    const warmup_cosine_decay rate(0, 4e-3, 50, static_cast<double>(steps), 1e-4);
    memory_arrays known = nothing_known();
    array<float, 0> cost;
    progress bar(steps, "learning");
    for (const std::int64_t i : bar) {
        const std::int64_t batch = i % learn.batches(at_once);
        if (batch == 0) known = nothing_known();
        const auto rate_now = static_cast<float>(rate(i));
        train.call_into(std::tie(cost), learn.read(batch, at_once), learn.next(batch, at_once), rate_now, net, state, known, rng);
        bar.note("bits", static_cast<double>(cost()) / std::log(2.0));
    }
    bar.finish();

    const double bits = bits_of(unseen, net);
    std::printf("bits per character of the text that it has not seen: %.2f\n", bits);
    save(net, file);
    network_arrays loaded;
    load(loaded, file);
    std::printf("saved to %s; loaded again, they are %s\n", file, bits_of(unseen, loaded) == bits ? "the same" : "others");

    std::string sample = "\n";
    for (const std::int64_t letter : make_write()(letters.number('\n'), 0.7f, loaded, rng)) sample += letters[letter];
    std::printf("\nIt writes:\n%s\n", sample.c_str());
}

}  // namespace

int main(int argc, char** argv) {
    try {
        run(argc > 1 ? std::atoll(argv[1]) : 1500, argc > 2 ? argv[2] : "language_model.npz");
    } catch (const std::exception& e) {
        std::fprintf(stderr, "%s\n", e.what());
        return 1;
    }
}
