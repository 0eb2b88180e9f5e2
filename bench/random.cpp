// SPDX-License-Identifier: MIT
// Random numbers: an array of uniform or normal ones beside a loop by hand and the standard library, and a dropout beside the loop without it.
#include "common.hpp"

#include <random>

namespace {

using croton::array;
using bench::batch, bench::lanes;

auto croton_uniform() {
    using namespace croton;
    return function<cpu>("uniform", [](vector<float> x, shared<random_state<symbol>> rng) { return uniform_like(x, rng); });
}
auto croton_normal() {
    using namespace croton;
    return function<cpu>("normal", [](vector<float> x, shared<random_state<symbol>> rng) { return normal_like(x, rng); });
}
auto croton_dropout() {
    using namespace croton;
    return function<cpu>("dropout", [](matrix<float> x, vector<float> b, shared<random_state<symbol>> rng) { return dropout(tanh(x + b), 0.5f, rng); });
}
auto croton_without() {
    using namespace croton;
    return function<cpu>("without dropout", [](matrix<float> x, vector<float> b) { return tanh(x + b) * 2; });
}

#if defined(__AVX2__)
/// Sixteen counters at a time, in two registers.
struct words {
    __m256i w[4];
};
inline void multiply(__m256i a, __m256i by, __m256i& high, __m256i& low) {
    const __m256i even = _mm256_mul_epu32(a, by), odd = _mm256_mul_epu32(_mm256_srli_epi64(a, 32), by);
    high = _mm256_blend_epi32(_mm256_srli_epi64(even, 32), odd, 0xaa);
    low = _mm256_blend_epi32(even, _mm256_slli_epi64(odd, 32), 0xaa);
}
inline words philox(words c, std::uint32_t k0, std::uint32_t k1) {
    const __m256i m0 = _mm256_set1_epi32(static_cast<int>(0xd2511f53u)), m1 = _mm256_set1_epi32(static_cast<int>(0xcd9e8d57u));
#pragma GCC unroll 10
    for (int round = 0; round < 10; ++round) {
        __m256i high0, low0, high1, low1;
        multiply(c.w[0], m0, high0, low0);
        multiply(c.w[2], m1, high1, low1);
        c.w[0] = _mm256_xor_si256(_mm256_xor_si256(high1, c.w[1]), _mm256_set1_epi32(static_cast<int>(k0)));
        c.w[2] = _mm256_xor_si256(_mm256_xor_si256(high0, c.w[3]), _mm256_set1_epi32(static_cast<int>(k1)));
        c.w[1] = low1;
        c.w[3] = low0;
        k0 += 0x9e3779b9u;
        k1 += 0xbb67ae85u;
    }
    return c;
}
/// The numbers that croton has, for whole blocks of 64.
void hand_uniform(array<float, 1>& y, std::uint64_t key, std::uint64_t calls) {
    const __m256 scale = _mm256_set1_ps(0x1p-24f);
    for (std::int64_t from = 0; from + 64 <= y.size(); from += 64)
        for (int half = 0; half < 2; ++half) {
            const __m256i counter = _mm256_add_epi32(_mm256_set1_epi32(static_cast<int>(from / 4) + 8 * half), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7)), zero = _mm256_setzero_si256();
            const words drawn = philox({{counter, zero, zero, _mm256_set1_epi32(static_cast<int>(calls))}}, static_cast<std::uint32_t>(key), static_cast<std::uint32_t>(key >> 32));
            for (int w = 0; w < 4; ++w)
                _mm256_storeu_ps(y.data() + from + 16 * w + 8 * half, _mm256_mul_ps(_mm256_cvtepi32_ps(_mm256_srli_epi32(drawn.w[w], 8)), scale));
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
    hand_uniform(expected, 1, 0);
    first.check("croton, hand", bench::max_difference(y, expected), 0);
#endif
    first.row("croton", 0, [&] { u.call_into(std::tie(y), x, rng); });
#if defined(__AVX2__)
    first.row("Philox by hand", 1.10, [&] { hand_uniform(expected, 1, rng.calls()); });
#endif
    first.row("std::mt19937", 0.2, [&] { twister(std::uniform_real_distribution<float>()); });
    first.measure();
    auto normals = croton_normal();
    bench::table second("normal" + of);
    second.row("croton", 0, [&] { normals.call_into(std::tie(y), x, rng); });
    second.row("std::normal_distribution", 0.2, [&] { twister(std::normal_distribution<float>()); });
    second.measure();
}

void dropouts(std::int64_t rows, std::int64_t columns) {
    array<float, 2> x(rows, columns), y(rows, columns);
    array<float, 1> b(columns);
    bench::fill(x, -1, 1, 1);
    bench::fill(b, -1, 1, 2);
    auto rng = croton::random_state<croton::on<croton::cpu>::array>::seed(1);
    auto with = croton_dropout();
    auto without = croton_without();
    bench::table all("dropout(tanh(x + b)): " + std::to_string(rows) + " x " + std::to_string(columns) + " float32");
    all.row("croton", 0, [&] { with.call_into(std::tie(y), x, b, rng); });
    all.row("without dropout", 1.20, [&] { without.call_into(std::tie(y), x, b); });
    all.measure();
}

}  // namespace

int main(int argc, char** argv) {
    bench::start(argc, argv);
    uniforms(6400);
    uniforms(1'024'000);
    dropouts(128, 512);
    dropouts(128, 500);
    dropouts(1024, 4096);
    return bench::table::finish();
}
