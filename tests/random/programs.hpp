// SPDX-License-Identifier: MIT
// Random programs as a user would compile them, for the CPU with every rewrite, against the graph evaluated node by node.
#ifndef CROTON_TESTS_RANDOM_PROGRAMS_HPP
#define CROTON_TESTS_RANDOM_PROGRAMS_HPP

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include <croton/croton.hpp>

#include "random/drawn.hpp"
#include "random/interpreter.hpp"

namespace random_programs {

/// Rewritten, fused and bound as for the CPU, but run by plain loops, which compile fast.
struct plain_loops : croton::reference {
    static constexpr bool rewrites = true;
    static constexpr bool fuses = true;
};

}  // namespace random_programs

template <> struct croton::memory<random_programs::plain_loops> : croton::memory<croton::cpu> {};

namespace random_programs {

using namespace croton;

/// Three outputs of rank 0, 1 and 2, and updates of five parameters.
template <unsigned Seed, int Steps, int Loops> constexpr auto program() {
    return [](shared<matrix<double, dim("a"), dim("b")>> m, matrix<croton::half, dim("b"), dim("a")> n,
              shared<matrix<double, dim("b"), dim("b")>> q, shared<vector<double, dim("a")>> u, vector<bfloat16, dim("b")> v,
              shared<scalar<double>> s, tensor<double, dim("a"), dim("b"), dim("c")> t, matrix<double, dim("a"), 1> k,
              vector<int, dim("a")> label, shared<vector<double>> z) {
        arena& g = *m.graph;
        random_graph r(g, Seed);
        r.parts = Seed % 2 == 1;
        r.loops = Loops;
        grow(r, g, Seed, Steps, m.id, n.id, q.id, u.id, v.id, s.id, t.id, k.id, label.id, z.id);
        const int cost = r.cost(), one = r.of_rank(1), two = r.of_rank(2);
        vec<int> values;
        r.updates(cost, values);
        r.tie_remaining();
        const auto made = [&](int i) { return croton::detail::term{&g, values[i]}; };
        return outputs(expr<double, 0>{&g, cost}, expr<double, 1>{&g, one}, expr<double, 2>{&g, two})
            .updates(croton::detail::make_update(m, made(0)), croton::detail::make_update(q, made(1)), croton::detail::make_update(u, made(2)),
                     croton::detail::make_update(s, made(3)), croton::detail::make_update(z, made(4)));
    };
}

struct numbers {
    std::uint64_t state;
    double next() {
        state = state * 6364136223846793005u + 1442695040888963407u;
        return static_cast<double>(state >> 40) / (1 << 23) - 1;
    }
};

template <class A> void fill(A& a, numbers& from) {
    for (auto& x : a) {
        if constexpr (std::is_same_v<std::remove_reference_t<decltype(x)>, int>) x = static_cast<int>((from.next() + 1) * 1.5);
        else x = from.next();
    }
}

template <class A> values values_of(const A& a) {
    values v;
    for (int i = 0; i < A::rank; ++i) v.extent.push_back(a.extent(i));
    for (const auto& x : a) v.at.push_back(static_cast<double>(x));
    return v;
}

template <class A> void compare(const A& got, const values& want, bool empty) {
    double scale = 1;
    for (const double w : want.at)
        if (std::isfinite(w) && std::fabs(w) > scale) scale = std::fabs(w);
    int wrong = 0;
    std::size_t i = 0;
    for (const double x : got) {
        const double w = want.at[i++];
        // 1 / n may move out of a sum over nothing, where n is 0.
        const bool fits = !std::isfinite(w) || (empty && std::isnan(x)) || std::fabs(x - w) <= 1e-8 * scale;
        if (!fits && wrong++ == 0) CHECK_MESSAGE(fits, x << " is not " << w);
    }
    CHECK(wrong == 0);
}

template <class Device, unsigned Seed, int Steps = 12, int Loops = 0> void check() {
    auto f = function<Device>(program<Seed, Steps, Loops>());
    drawn d;
    draw(d, Seed, Steps, {1, 2}, false, false, Seed % 2 == 1, Loops);
    for (int i = d.outputs; i < d.roots.size(); ++i) d.roots[i] = structure::broadcast::of(d.g, d.roots[i], d.g[d.targets[i - d.outputs]].shape);
    constexpr std::int64_t sizes[][3] = {{3, 4, 2}, {1, 1, 1}, {37, 19, 5}, {8, 33, 1}, {0, 3, 2}, {2, 0, 1}};
    for (const auto& e : sizes) {
        const std::int64_t a = e[0], b = e[1], c = e[2];
        if (ties_late(Seed) && !std::equal(e, e + 3, tied_sizes)) continue;
        CAPTURE(Seed);
        CAPTURE(a);
        CAPTURE(b);
        array<double, 2> m(a, b), q(b, b), k(a, 1);
        array<croton::half, 2> n(b, a);
        array<double, 1> u(a);
        array<bfloat16, 1> v(b);
        array<double, 0> s;
        array<double, 3> t(a, b, c);
        array<int, 1> label(a);
        array<double, 1> z(b);
        numbers from{Seed + 17u};
        fill(m, from);
        fill(n, from);
        fill(q, from);
        fill(u, from);
        fill(v, from);
        fill(s, from);
        fill(t, from);
        fill(k, from);
        fill(label, from);
        fill(z, from);
        for (std::int64_t i = 0; i < b; i += 3) z(i) = 0;
        const std::vector<values> leaves{values_of(m), values_of(n), values_of(q), values_of(u), values_of(v),
                                         values_of(s), values_of(t), values_of(k), values_of(label), values_of(z)};
        graph_evaluator oracle(d.g, leaves);
        std::vector<values> want;
        for (int i = 0; i < d.roots.size(); ++i) want.push_back(oracle.of(d.roots[i]));
        // What is updated lies on the device; the rest may come from the host.
        auto dm = m.to<Device>(), dq = q.to<Device>();
        auto du = u.to<Device>();
        auto ds = s.to<Device>();
        auto dz = z.to<Device>();
        const auto dn = n.to<Device>();
        try {
            const auto [zero, one, two] = f(dm, dn, dq, du, v.to<Device>(), ds, t.to<Device>(), k.to<Device>(), label.to<Device>(), dz);
            if (!oracle.finite) continue;
            const bool empty = a == 0 || b == 0;
            compare(zero.template to<cpu>(), want[0], empty);
            compare(one.template to<cpu>(), want[1], empty);
            compare(two.template to<cpu>(), want[2], empty);
            compare(dm.template to<cpu>(), want[3], empty);
            compare(dq.template to<cpu>(), want[4], empty);
            compare(du.template to<cpu>(), want[5], empty);
            compare(ds.template to<cpu>(), want[6], empty);
            compare(dz.template to<cpu>(), want[7], empty);
        } catch (const shape_error&) {
            CHECK((a == 0 || b == 0));  // the maximum of nothing
        } catch (const value_error&) {
            CHECK(!oracle.finite);  // the factors of what is no number
        }
    }
}

template <class Device, unsigned First, unsigned... I> void check_each(std::integer_sequence<unsigned, I...>) {
    (check<Device, First + I>(), ...);
}
/// Smaller programs, with a loop or two.
template <class Device, unsigned First, unsigned... I> void check_each_with_loops(std::integer_sequence<unsigned, I...>) {
    (check<Device, First + I, 5, 1 + static_cast<int>((First + I) % 2)>(), ...);
}

}  // namespace random_programs

#endif
