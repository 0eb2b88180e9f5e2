// SPDX-License-Identifier: MIT
// A transformer learns a text letter by letter: blocks of attention with a causal mask, layer norms and gelu, by AdamW with a warm-up. It then writes on
// where a text that it has not seen breaks off, and is the same when it is loaded again.
//   17_transformer [steps] [file to save to] [share that drops out]
#include "../text.hpp"
#include "network.hpp"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>

using namespace transformer;

namespace {

double bits_of(const text::pieces& text, const network_arrays& net) {
    static const auto test = make_test();
    double bits = 0;
    for (std::int64_t i = 0; i < text.batches(at_once); ++i)
        bits += static_cast<double>(static_cast<float>(test(text.read(i, at_once), text.next(i, at_once), net)));
    return bits / static_cast<double>(text.batches(at_once));
}

void run(std::int64_t steps, const char* file, float dropped) {
    const std::string all = text::read_file(std::string(EXAMPLES_DATA) + "/genesis_exodus.txt");
    const text::alphabet letters(all);
    const std::size_t learned = all.size() / 20 * 19;
    const text::pieces learn(all.substr(0, learned), letters, side_by_side), unseen(all.substr(learned), letters, side_by_side);

    network_arrays net = random_network(letters.size(), 1);
    auto state = adam_state<network_arrays>::zeros_like(net);
    auto rng = random_arrays::seed(1);
    std::printf("%zu letters, %d different ones; %zu to learn\n", all.size(), letters.size(), learned);

    const auto train = make_train();
    const warmup_cosine_decay rate(0, 3e-3, 100, static_cast<double>(steps), 1e-4);
    array<float, 0> cost;
    progress bar(steps, "learning");
    for (const std::int64_t i : bar) {
        const std::int64_t batch = i % learn.batches(at_once);
        train.call_into(std::tie(cost), learn.read(batch, at_once), learn.next(batch, at_once), static_cast<float>(rate(i)), dropped, net, state, rng);
        bar.note("bits", static_cast<double>(cost()) / std::log(2.0));
    }
    bar.finish();

    const double bits = bits_of(unseen, net);
    std::printf("bits per character of the text that it has not seen: %.2f\n", bits);
    save(net, file);
    network_arrays loaded;
    load(loaded, file);
    std::printf("saved to %s; loaded again, they are %s\n", file, bits_of(unseen, loaded) == bits ? "the same" : "others");

    const array<int, 1> begin = unseen.read(0, at_once)(slice(), 0);
    std::string sample = "\n";
    for (const std::int64_t letter : begin) sample += letters[letter];
    sample += "|";
    for (const std::int64_t letter : make_write()(begin, 0.7f, loaded, rng)) sample += letters[letter];
    std::printf("\nIt writes:\n%s\n", sample.c_str());
}

}  // namespace

int main(int argc, char** argv) {
    try {
        run(argc > 1 ? std::atoll(argv[1]) : 3000, argc > 2 ? argv[2] : "transformer.npz", argc > 3 ? std::strtof(argv[3], nullptr) : 0.1f);
    } catch (const std::exception& e) {
        std::fprintf(stderr, "%s\n", e.what());
        return 1;
    }
}
