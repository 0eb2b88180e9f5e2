// SPDX-License-Identifier: MIT
// Random numbers: an array of uniform or normal ones beside a loop by hand and the standard library, and a dropout beside the loop without it.
#include "common.hpp"

#include <random>

namespace {

using croton::array;
using bench::batch;

auto croton_uniform() {
    using namespace croton;
    return function<cpu>("uniform", [](vector<float> x, shared<random_state<symbol>> rng) { return uniform_like(x, rng); });
}
auto croton_normal() {
    using namespace croton;
    return function<cpu>("normal", [](vector<float> x, shared<random_state<symbol>> rng) { return normal_like(x, rng); });
}
/// A rate of one half takes a bit of each element, another one more.
template <int Percent> auto croton_dropout() {
    using namespace croton;
    return function<cpu>("dropout", [](matrix<float> x, vector<float> b, shared<random_state<symbol>> rng) { return dropout(tanh(x + b), Percent / 100.0, rng); });
}
template <int Percent> auto croton_without() {
    using namespace croton;
    return function<cpu>("without dropout", [](matrix<float> x, vector<float> b) { return tanh(x + b) * (100.0 / (100 - Percent)); });
}

#if defined(__AVX2__)
using word_batch = xsimd::batch<std::uint64_t>;
/// The products of the lower halves.
inline word_batch product(word_batch a, word_batch b) {
#if defined(__AVX512F__)
    return _mm512_mul_epu32(a, b);
#else
    return _mm256_mul_epu32(a, b);
#endif
}
inline batch as_floats(word_batch words) {
#if defined(__AVX512F__)
    return _mm512_mul_ps(_mm512_cvtepi32_ps(_mm512_srli_epi32(words, 8)), _mm512_set1_ps(0x1p-24f));
#else
    return _mm256_mul_ps(_mm256_cvtepi32_ps(_mm256_srli_epi32(words, 8)), _mm256_set1_ps(0x1p-24f));
#endif
}
/// The numbers that croton has, for whole blocks of 128: a counter in each 64-bit lane, `Count` registers of them at a time.
template <int Count> void hand_uniform(array<float, 1>& y, std::uint64_t key, std::uint64_t calls) {
    constexpr std::int64_t width = static_cast<std::int64_t>(word_batch::size);
    alignas(64) static constexpr std::uint64_t steps[8] = {0, 1, 2, 3, 4, 5, 6, 7};
    const word_batch m0(0xd2511f53u), m1(0xcd9e8d57u), step = word_batch::load_aligned(steps);
    for (std::int64_t counter = 0; counter * 4 < y.size(); counter += Count * width) {
        word_batch c0[Count], c1[Count], c2[Count], c3[Count];
        for (int i = 0; i < Count; ++i) {
            c0[i] = step + word_batch(static_cast<std::uint64_t>(counter + i * width));
            c1[i] = c2[i] = word_batch(std::uint64_t{0});
            c3[i] = word_batch(calls);
        }
        std::uint32_t k0 = static_cast<std::uint32_t>(key), k1 = static_cast<std::uint32_t>(key >> 32);
#pragma GCC unroll 10
        for (int round = 0; round < 10; ++round) {
            const word_batch x0(std::uint64_t{k0}), x1(std::uint64_t{k1});
#pragma GCC unroll 4
            for (int i = 0; i < Count; ++i) {
                const word_batch a = product(m0, c0[i]), b = product(m1, c2[i]);
                if (round < 9) {
                    c0[i] = (b >> 32) ^ c1[i] ^ x0;
                    c2[i] = (a >> 32) ^ c3[i] ^ x1;
                    c1[i] = b;
                    c3[i] = a;
                } else {
                    c0[i] = b ^ ((c1[i] ^ x0) << 32);
                    c2[i] = a ^ ((c3[i] ^ x1) << 32);
                }
            }
            k0 += 0x9e3779b9u;
            k1 += 0xbb67ae85u;
        }
        for (int i = 0; i < Count; ++i) {
            const std::int64_t at = counter + i * width;
            float* const to = y.data() + at / 8 * 32 + at % 8 * 2;
            as_floats(c0[i]).store_unaligned(to);
            as_floats(c2[i]).store_unaligned(to + 16);
        }
    }
}
#endif

void uniforms(std::int64_t n) {
    const array<float, 1> x(n);
    array<float, 1> y(n), expected(n);
    const std::string of = ": " + std::to_string(n) + " float32";
    auto u = croton_uniform();
    auto rng = croton::random_state<croton::on<croton::cpu>::array>::seed(1);
    std::mt19937 engine(1);
    const auto twister = [&](auto law) {
        for (float& v : expected) v = law(engine);
    };
    bench::table first("uniform" + of);
#if defined(__AVX2__)
    u.call_into(std::tie(y), x, rng);
    hand_uniform<1>(expected, 1, 0);
    first.check("croton, hand", bench::max_difference(y, expected), 0);
#endif
    first.row("croton", 0, [&] { u.call_into(std::tie(y), x, rng); });
#if defined(__AVX2__)
    first.row("raw: Philox by hand", 1.10, [&] { hand_uniform<1>(expected, 1, rng.calls()); });
    first.row("raw: Philox by hand, four registers at a time", 0, [&] { hand_uniform<4>(expected, 1, rng.calls()); });
#endif
    first.row("random::uniform", 0, [&] { croton::random::uniform(y, {1, 0, rng.calls()}); });
    first.row("raw: std::mt19937", 0.2, [&] { twister(std::uniform_real_distribution<float>()); });
    first.measure();
    auto normals = croton_normal();
    bench::table second("normal" + of);
    second.row("croton", 0, [&] { normals.call_into(std::tie(y), x, rng); });
    second.row("raw: std::normal_distribution", 0.2, [&] { twister(std::normal_distribution<float>()); });
    second.measure();
}

template <int Percent> void dropouts(std::int64_t rows, std::int64_t columns) {
    array<float, 2> x(rows, columns), y(rows, columns);
    array<float, 1> b(columns);
    bench::fill(x, -1, 1, 1);
    bench::fill(b, -1, 1, 2);
    auto rng = croton::random_state<croton::on<croton::cpu>::array>::seed(1);
    auto with = croton_dropout<Percent>();
    auto without = croton_without<Percent>();
    bench::table all("dropout(tanh(x + b)), rate 0." + std::to_string(Percent) + ": " + std::to_string(rows) + " x " + std::to_string(columns) + " float32");
    all.row("croton", 0, [&] { with.call_into(std::tie(y), x, b, rng); });
    all.row("croton, without dropout", 1.20, [&] { without.call_into(std::tie(y), x, b); });
    all.measure();
}

}  // namespace

int main(int argc, char** argv) {
    bench::start(argc, argv);
    uniforms(6400);
    uniforms(1'024'000);
    dropouts<50>(128, 512);
    dropouts<50>(128, 500);
    dropouts<50>(1024, 4096);
    dropouts<30>(128, 512);
    dropouts<30>(1024, 4096);
    return bench::table::finish();
}
