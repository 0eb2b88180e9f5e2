// SPDX-License-Identifier: MIT
// How far each operator of one float is from its formula, over all floats there are, on this machine's lanes. Half an hour of work with AVX-512: run by hand.
//   g++ -std=c++20 -O3 -march=native -Iinclude -Itests tests/ops/every_float.cpp -o every_float && ./every_float [step] [operator...]
// With a step not every float is taken. What is compared with is the operator on lanes of double, of which every 1009th is compared with the
// formula in long double itself; what is further off than anything before is measured by that formula.
#include <croton/croton.hpp>

#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <string>
#include <type_traits>

#include "ops/oracle.hpp"

namespace {

using namespace croton;
using oracle::real;

constexpr int lanes = static_cast<int>(xsimd::batch<float>::size), block = 4096, sampled = 1009;

float of_bits(std::uint32_t bits) {
    float x;
    std::memcpy(&x, &bits, sizeof x);
    return x;
}

/// A unit in the last place of float.
double unit_of(double wanted) {
    std::uint64_t bits;
    std::memcpy(&bits, &wanted, sizeof bits);
    bits &= 0x7FF0000000000000u;
    double power;
    std::memcpy(&power, &bits, sizeof power);
    power = power < 0x1p-126 ? 0x1p-126 : power;
    return (power > 0x1p127 ? 0x1p127 : power) * 0x1p-23;
}

template <class Op> real size_of(real x) {
    if constexpr (requires { oracle::formula<Op>::size(x); }) return oracle::formula<Op>::size(x);
    else return 0;
}

template <class Op> void sweep(std::uint64_t step) {
    using narrow = simd::pack<float, lanes>;
    using wide = simd::pack<double, lanes>;
    static float x[block], got[block];
    static double wanted[block];
    double worst = 0, reference = 0;
    float at = 0, gave = 0;
    std::uint64_t count = 0;
    const auto begin = std::chrono::steady_clock::now();
    for (std::uint64_t next = 0; next < (std::uint64_t{1} << 32);) {
        for (int i = 0; i < block; ++i) x[i] = of_bits(static_cast<std::uint32_t>(next + static_cast<std::uint64_t>(i) * step));
        next += block * step;
        for (int i = 0; i < block; i += lanes) {
            narrow a;
            wide d;
            double widened[lanes];
            for (int j = 0; j < lanes; ++j) widened[j] = static_cast<double>(x[i + j]);
            for (std::size_t p = 0; p < narrow::parts; ++p) a.part[p] = narrow::batch::load_unaligned(x + i + p * narrow::width);
            for (std::size_t p = 0; p < wide::parts; ++p) d.part[p] = wide::batch::load_unaligned(widened + p * wide::width);
            const narrow y = Op::value(a);
            const wide w = Op::value(d);
            for (std::size_t p = 0; p < narrow::parts; ++p) y.part[p].store_unaligned(got + i + p * narrow::width);
            for (std::size_t p = 0; p < wide::parts; ++p) w.part[p].store_unaligned(wanted + i + p * wide::width);
        }
        // Most blocks have nothing worse, which a loop without branches says.
        int beyond = 0;
        for (int i = 0; i < block; ++i) {
            const bool same = got[i] == static_cast<float>(wanted[i]) || (got[i] != got[i] && wanted[i] != wanted[i]);
            beyond |= static_cast<int>(!same) & static_cast<int>(!(std::fabs(static_cast<double>(got[i]) - wanted[i]) <= worst * unit_of(wanted[i])));
        }
        if (beyond != 0)
            for (int i = 0; i < block; ++i) {
                if (std::fabs(static_cast<double>(got[i]) - wanted[i]) <= worst * unit_of(wanted[i])) continue;
                const double off = oracle::distance_in_ulps(got[i], oracle::formula<Op>::value(static_cast<real>(x[i])), size_of<Op>(static_cast<real>(x[i])));
                if (off > worst) {
                    worst = off;
                    at = x[i];
                    gave = got[i];
                }
            }
        for (int i = static_cast<int>(sampled - count % sampled) % sampled; i < block; i += sampled) {
            const real exact = oracle::formula<Op>::value(static_cast<real>(x[i]));
            // Beyond what a float holds all numbers are infinite.
            if (!(std::fabs(exact) < 0x1p129L) || !std::isfinite(wanted[i])) continue;
            const real size = size_of<Op>(static_cast<real>(x[i]));
            const double unit = unit_of(std::isfinite(size) && size > std::fabs(exact) ? static_cast<double>(size) : static_cast<double>(exact));
            const double off = static_cast<double>(std::fabs(static_cast<real>(wanted[i]) - exact)) / unit;
            reference = off > reference ? off : reference;
        }
        count += block;
    }
    const double taken = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    std::printf("%-10s %8.3f   %-16.9g %-16.9g %-18.12Lg %.1e %6.0f s\n", std::string(Op::name).c_str(), worst, static_cast<double>(at), static_cast<double>(gave),
                oracle::formula<Op>::value(static_cast<real>(at)), reference, taken);
    std::fflush(stdout);
}

template <class Op> void one(std::uint64_t step, int names, char** name) {
    if constexpr (Op::arity == 1 && (Op::kind == op::typing::floating || Op::kind == op::typing::numeric)) {
        bool asked = names == 0;
        for (int i = 0; i < names; ++i) asked = asked || Op::name == name[i];
        if (asked) sweep<Op>(step);
    }
}

template <class... Op> void all(detail::type_list<Op...>, std::uint64_t step, int names, char** name) {
    if (names == 0) return (one<Op>(step, 0, name), ...);
    // In the order they were asked for.
    for (int i = 0; i < names; ++i) (one<Op>(step, 1, name + i), ...);
}

}  // namespace

int main(int arguments, char** argument) {
    const std::uint64_t step = arguments > 1 ? std::strtoull(argument[1], nullptr, 10) : 1;
    std::printf("operator      ulps   of               gives            instead of         reference\n");
    all(detail::operators(), step > 0 ? step : 1, arguments > 2 ? arguments - 2 : 0, argument + 2);
}
