// SPDX-License-Identifier: MIT
// An LSTM that learns a short text letter by letter, and writes one of its own. Learning is a scan along the text with its gradient
// backwards through all letters; writing is a scan whose state holds the letter that was written last.
#include "text.hpp"

#include <croton/croton.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <string>
#include <tuple>

using namespace croton;

namespace {

constexpr int width = 64, letters_at_once = 88;

template <template <class, int> class Array> struct lstm {
    Array<double, 2> letters;    // what each letter adds to the four gates
    Array<double, 2> recurrent;  // what the network knows adds to them
    Array<double, 1> bias;
    Array<double, 2> output;
    Array<double, 1> frequency;  // of each letter, whatever came before
};

// What the network knows after one more letter, of one text or of many at once.
constexpr auto read_letter = [](const auto& m, const auto& state, const auto& letter) {
    auto [hidden, cell] = state;
    auto gates = split<-1, 4>(letter + dot(hidden, m.recurrent) + m.bias);
    auto next = sigmoid(gates[0]) * cell + sigmoid(gates[1]) * tanh(gates[2]);
    return std::tuple(sigmoid(gates[3]) * tanh(next), next);
};

}  // namespace

int main() {
    using network = lstm<on<cpu>::array>;
    // Each column of `read` and `next` is a piece of the text: the letters, and those that follow them.
    auto train = function<cpu>("train", [](matrix<int, dim("letter"), dim("piece")> read, matrix<int, dim("letter"), dim("piece")> next,
                                           shared<lstm<symbol>> m, shared<adam_state<lstm<symbol>>> state) {
        auto x = take<0>(m.letters, read);
        auto nothing = zeros_like(dot(x(0), transpose(m.recurrent)));
        auto [last, hidden] = scan([&](auto known, auto letter) {
            auto after = read_letter(m, known, letter);
            return step(after, std::get<0>(after));
        }, std::tuple(nothing, nothing), x);
        auto cost = mean(cross_entropy(matmul(hidden, m.output) + m.frequency, next));
        return outputs(cost).updates(adam(cost, m, state, {.learning_rate = 0.008}));
    });
    // As many letters after `first` as there are numbers from 0 to 1, each of which picks one by its probability. What is
    // likely is made somewhat likelier than it was in the text.
    auto write = function<cpu>("write", [](scalar<std::int64_t> first, vector<double> chance, lstm<symbol> m) {
        auto nothing = zeros_like(m.recurrent(slice(), 0));
        auto [last, written] = scan([&](auto state, auto u) {
            auto [letter, known] = state;
            auto after = read_letter(m, known, take<0>(m.letters, letter));
            auto below = cumsum<0>(softmax(1.5 * (dot(std::get<0>(after), m.output) + m.frequency))) < u;
            auto next = minimum(sum(cast<std::int64_t>(below)), m.frequency.extent(0) - 1);
            return step(std::tuple(next, after), next);
        }, std::tuple(first, std::tuple(nothing, nothing)), chance);
        return written;
    });

    std::string alphabet(story);
    std::sort(alphabet.begin(), alphabet.end());
    alphabet.erase(std::unique(alphabet.begin(), alphabet.end()), alphabet.end());
    const int letters = static_cast<int>(alphabet.size()), pieces = static_cast<int>(story.size() - 1) / letters_at_once;
    array<int, 2> read(letters_at_once, pieces), next(letters_at_once, pieces);
    const auto number = [&](int place) { return static_cast<int>(alphabet.find(story[static_cast<std::size_t>(place)])); };
    for (int p = 0; p < pieces; ++p)
        for (int t = 0; t < letters_at_once; ++t) {
            read(t, p) = number(p * letters_at_once + t);
            next(t, p) = number(p * letters_at_once + t + 1);
        }

    network m{array<double, 2>(letters, 4 * width), array<double, 2>(width, 4 * width), array<double, 1>(4 * width),
              array<double, 2>(width, letters), array<double, 1>(letters)};
    random::initialise(m, 5, random::lecun_uniform);
    auto state = adam_state<network>::zeros_like(m);
    array<double, 0> cost;
    std::printf("%zu letters, %d different ones\n\n step   cost\n", story.size(), letters);
    constexpr int steps = 300;
    for (int step = 0; step <= steps; ++step) {
        train.call_into(std::tie(cost), read, next, m, state);
        if (step % 50 == 0) std::printf("%5d  %5.3f\n", step, cost());
    }

    // The same numbers on every machine.
    array<double, 1> chance(160);
    random::uniform(chance, 6);
    const auto written = [&](const network& by) {
        std::string sample = "t";
        for (const std::int64_t letter : write(number(0), chance, by)) sample += alphabet[static_cast<std::size_t>(letter)];
        return sample;
    };
    const std::string sample = written(m);
    std::printf("\n%s\n", sample.c_str());

    save(m, "characters.npz");
    network loaded;
    load(loaded, "characters.npz");
    std::printf("\nsaved to characters.npz; loaded again, it writes %s\n", written(loaded) == sample ? "the same" : "SOMETHING ELSE");
}
