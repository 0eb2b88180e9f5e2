// SPDX-License-Identifier: MIT
// What tests of random numbers on several devices share: the word that each element must be made of.
#ifndef CROTON_TESTS_OPS_DRAWS_HPP
#define CROTON_TESTS_OPS_DRAWS_HPP

#include <doctest/doctest.h>

#include <croton/croton.hpp>

namespace test {

inline constexpr std::uint64_t seed = 0x0123456789abcdefu;

/// Functions of draws in an array of any extents, alone and in the middle of other loops.
template <class Device> auto draws() {
    using namespace croton;
    return function<Device>([](matrix<float> x, shared<random_state<symbol>> rng) {
        const auto u = uniform_like(x, rng);
        return outputs(u, 2 * uniform_like(x, rng) + x, transpose(normal_like(x, rng)) + 1, sum<1>(u), cast<float>(uniform<double, 70>(rng)), random_bits<std::uint32_t>(rng), u(slice(none, none, -1), slice(1, none, 2)) + 0,
                       uniform<float, 3, 5, 37>(rng) * 2, dropout(x, 0.5, rng), dropout(2 * x, 0.3, rng));
    });
}

/// Whether each element of the above is made of the word of its stream, call and position.
template <class Device, class F> void check_draws(const F& f, std::int64_t rows, std::int64_t columns) {
    using namespace croton;
    using random::random_word;
    using random::unit_number;
    auto state = random_state<on<cpu>::array>::seed(seed);
    random_state<on<Device>::template array> there{state.key.template to<Device>(), state.calls.template to<Device>()};
    array<float, 2> x(rows, columns);
    x.fill(0.5f);
    for (std::uint64_t call = 0; call < 3; ++call) {
        const auto [u, fused, turned, sums, doubles, word, part, deep, halved, dropped] = f(x.template to<Device>(), there);
        CHECK(there.calls.template to<cpu>()() == call + 1);
        const auto a = u.template to<cpu>(), b = fused.template to<cpu>(), c = turned.template to<cpu>(), p = part.template to<cpu>(),
                   h = halved.template to<cpu>(), r = dropped.template to<cpu>();
        const auto s = sums.template to<cpu>(), d = doubles.template to<cpu>();
        int wrong = 0;
        for (std::int64_t i = 0; i < rows; ++i) {
            double total = 0;
            for (std::int64_t j = 0; j < columns; ++j) {
                const auto at = static_cast<std::uint64_t>(i * columns + j);
                const float expected = unit_number(random_word<std::uint32_t>(seed, 0, call, 0, at));
                total += expected;
                wrong += a(i, j) != expected;
                wrong += b(i, j) != 2 * unit_number(random_word<std::uint32_t>(seed, 1, call, 0, at)) + 0.5f;
                const float number = kernel::made_of<float, kernel::law::normal>(random_word<std::uint32_t>(seed, 2, call, 0, at));
                wrong += !(std::abs(c(j, i) - 1 - number) <= 2e-6f);
                wrong += h(i, j) != (random_word<bool>(seed, 6, call, 0, at) ? 1 : 0);
                wrong += r(i, j) != (random::coarse_word({seed, 7, call}, at) < 19661 ? 0 : static_cast<float>(1 / 0.7));
                if (j % 2 == 1) wrong += p(rows - 1 - i, j / 2) != expected;
            }
            wrong += !(std::abs(s(i) - total) <= 1e-5 * static_cast<double>(columns));
        }
        for (std::int64_t i = 0; i < 70; ++i) wrong += d(i) != static_cast<float>(unit_number(random_word<std::uint64_t>(seed, 3, call, 0, static_cast<std::uint64_t>(i))));
        const auto cubes = deep.template to<cpu>();
        for (std::int64_t i = 0; i < cubes.size(); ++i) wrong += cubes.data()[i] != 2 * unit_number(random_word<std::uint32_t>(seed, 5, call, 0, static_cast<std::uint64_t>(i)));
        wrong += word.template to<cpu>()() != random_word<std::uint32_t>(seed, 4, call, 0, 0);
        CHECK(wrong == 0);
    }
}

template <class Device> void check_draws() {
    const auto f = draws<Device>();
    for (const auto& of : {std::pair{1, 1}, {3, 40}, {37, 65}, {2, 300}, {5, 1}}) {
        const std::int64_t rows = of.first, columns = of.second;
        CAPTURE(rows);
        CAPTURE(columns);
        check_draws<Device>(f, rows, columns);
    }
}

}  // namespace test

#endif
