// SPDX-License-Identifier: MIT
// A neural Turing machine learns to copy: it reads some vectors of bits and gives them back, by a way through its memory that it finds itself, and
// that serves for longer sequences than it has learned from. Draws where its heads are, saves it, and shows that the saved one is the same.
#include "options.hpp"
#include "picture.hpp"

#include <croton/croton.hpp>

#include <cmath>
#include <cstdio>
#include <exception>
#include <iostream>
#include <optional>

using namespace ntm;

namespace {

void learn(learner& on, const options& o) {
    std::optional<croton::profile> scope;
    if (o.profile) scope.emplace("learning", std::cout);
    std::mt19937 random(static_cast<std::mt19937::result_type>(o.seed));
    const std::int64_t steps = o.sequences / batch;
    const croton::linear_schedule rate(o.learning_rate, o.learning_rate / 10, static_cast<double>(steps));
    croton::progress bar(steps, "learning");
    double cost = 0;  // of the last sequences, a mean that forgets
    for (const std::int64_t i : bar) {
        const auto [x, wanted] = draw(1 + static_cast<int>(random() % static_cast<unsigned>(o.longest)), random);
        const auto now = static_cast<double>(on.train(x, wanted, static_cast<float>(rate(i))));
        cost += (now - cost) / static_cast<double>(i < 50 ? i + 1 : 50);
        bar.note("bits", cost);
    }
    bar.finish();
    if (!std::isfinite(cost)) throw std::runtime_error("the cost is no longer a number: try a smaller --learning-rate");
    std::printf("bits that a sequence costs at last: %.3f, after %lld of them\n", cost, static_cast<long long>(steps * batch));
}

void show(const options& o) {
    mnist::check_can_save(o.save);
    croton::set_threads(1);  // its products are too small to be shared
    const auto make = o.circle ? learner_round_the_circle : learner_by_neighbours;
    const auto it = make(o.seed);
    const auto judge = [&](const learner& of) {
        constexpr int count = 200;
        for (const int length : {o.longest / 2, o.longest, 2 * o.longest})
            std::printf("wrong bits of a sequence of %3d vectors: %.3f\n", length, wrong_bits(of, length, count));
        return wrong_bits(of, o.longest, count);
    };
    if (!o.load.empty()) {
        croton::load(it->net, o.load);
        judge(*it);
    } else {
        learn(*it, o);
        const double wrong = judge(*it);
        croton::save(it->net, o.save);
        const auto loaded = make(o.seed + 1);
        croton::load(loaded->net, o.save);
        std::printf("saved to %s; loaded again, it is %s\n", o.save.c_str(), wrong_bits(*loaded, o.longest, 200) == wrong ? "the same" : "another one");
    }
    picture(*it, o.longest).save(o.picture);
    std::printf("where its heads were stands in %s\n", o.picture.c_str());
}

}  // namespace

int main(int argc, char** argv) {
    try {
        const options o = parse_options({argv + 1, static_cast<std::size_t>(argc - 1)});
        if (o.help) std::fputs(usage, stdout);
        else show(o);
        if (std::fflush(stdout) != 0) throw std::runtime_error("stdout cannot be written");
    } catch (const std::exception& error) {
        std::fprintf(stderr, "15_ntm: %s\n", error.what());
        return 1;
    }
}
