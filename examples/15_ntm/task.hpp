// SPDX-License-Identifier: MIT
// The copy task: some vectors of random bits between two flags, and then as many turns in which they are asked for.
#ifndef NTM_TASK_HPP
#define NTM_TASK_HPP

#include "learner.hpp"

#include <random>

namespace ntm {

struct sequences {
    array<float, 3> x, wanted;  // [2 + 2 length, batch, inputs] and [length, batch, bits]
};

template <class Random> sequences draw(int length, Random& random) {
    sequences s{array<float, 3>(2 + 2 * length, batch, inputs), array<float, 3>(length, batch, bits)};
    for (int b = 0; b < batch; ++b) {
        s.x(0, b, bits) = s.x(length + 1, b, bits + 1) = 1;
        for (int t = 0; t < length; ++t)
            for (int i = 0; i < bits; ++i) s.x(t + 1, b, i) = s.wanted(t, b, i) = static_cast<float>(random() >> 31);
    }
    return s;
}

/// How many bits are wrong in the answers to a sequence, on average.
inline double wrong_bits(const learner& of, int length, int count) {
    std::mt19937 random(static_cast<unsigned>(length));
    std::int64_t wrong = 0;
    for (int done = 0; done < count; done += batch) {
        const sequences s = draw(length, random);
        const auto [logits, written, looked] = of.watch(s.x);
        for (int t = 0; t < length; ++t)
            for (int b = 0; b < batch; ++b)
                for (int i = 0; i < bits; ++i) wrong += (logits(length + 2 + t, b, i) > 0) != (s.wanted(t, b, i) > 0.5f) ? 1 : 0;
    }
    return static_cast<double>(wrong) / count;
}

}  // namespace ntm

#endif
