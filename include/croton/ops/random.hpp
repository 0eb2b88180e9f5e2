// SPDX-License-Identifier: MIT
// Random numbers: elements of a draw are functions of their position, computed in whatever loop reads them and never stored for it.
#ifndef CROTON_OPS_RANDOM_HPP
#define CROTON_OPS_RANDOM_HPP

#include <cstdint>

#include <croton/graph/draws.hpp>
#include <croton/ops/along.hpp>
#include <croton/ops/filled.hpp>
#include <croton/ops/functions.hpp>
#include <croton/ops/gather.hpp>
#include <croton/ops/rounding.hpp>

namespace croton::inline v0_1 {

/// What random numbers come from: a model, made by `default_rng(42)`, which is `random_state<on<cpu>::array>::seed(42)`, and taken as `shared<random_state<symbol>> rng`. Each
/// call of a function that draws from it counts it on, by an update that no program writes; a state that is stored and loaded goes on where it was.
/// The numbers are those of Philox4x32-10: an element depends on the key, on the number of the call, on which of the draws of the function it belongs
/// to, on the turn of the loop and on its position in the draw, and on nothing else.
template <template <class, int> class A> struct random_state {
    A<std::uint64_t, 0> key;
    A<std::uint64_t, 0> calls;

    static random_state seed(std::uint64_t number) { return {A<std::uint64_t, 0>(number), {}}; }
};

namespace detail {

template <class T> inline constexpr bool is_drawn_number = std::is_same_v<T, float> || std::is_same_v<T, double>;

/// What is wrong with a state or the place of a draw, or nothing.
constexpr void check_state(arena& g, std::string_view who, int state) {
    if (g.failed()) return;
    if (g.draws.batches > 0) {
        g.error << who << ": in the lambda of vmap each would be given the same numbers; draw for all outside of it, and give vmap what was drawn"
                       << " as an argument";
    } else if (const node& n = g[state]; n.what != tag<structure::input> || !g.leaves[static_cast<int>(n.bits)].shared) {
        g.error << who << ": ";
        g.describe(g.error, state);
        g.error << " belongs to a random state that is not shared, so that each call would draw the same numbers; declare it as "
                << "shared<random_state<symbol>>";
    }
}

/// A draw of shape `to`.
template <class T, int Rank, kernel::law L> constexpr expr<T, Rank> draw(std::string_view who, const shape& to, const random_state<symbol>& rng) {
    arena& g = *rng.key.graph;
    check_state(g, who, rng.calls.id);
    if (g.failed()) return {&g, structure::broadcast::of(g, g.literal(element_of<T>, 0), to)};
    return {&g, drawn<T, L>(g, to, rng.key.id, rng.calls.id)};
}
template <class T, kernel::law L, extent_code... Extents> constexpr auto draw_of(std::string_view who, const random_state<symbol>& rng) {
    shape to;
    to.rank = sizeof...(Extents);
    [[maybe_unused]] int i = 0;
    if (check_extents<Extents...>(rng.key)) ((to[i++] = declared_size(*rng.key.graph, Extents)), ...);
    return draw<T, sizeof...(Extents), L>(who, to, rng);
}
/// One for each element of `x`, whose shape alone is read.
template <kernel::law L, class T, traced X> constexpr auto draw_like(std::string_view who, const X& x, const random_state<symbol>& rng) {
    x.graph->unused.push(x.id);
    return draw<T, rank_of<X>, L>(who, (*x.graph)[x.id].shape, rng);
}

template <class T> constexpr void check_drawn() {
    static_assert(is_drawn_number<T>, "croton: random numbers of this distribution are float or double");
}

}  // namespace detail

/// Numbers from 0 to 1, 1 not among them, of 24 random bits for float and 53 for double: in the shape and the element type of `x`, or with extents,
/// numbers or `dim("name")`: `uniform<float, 100, dim("n")>(rng)`.
template <traced X> constexpr auto uniform_like(const X& x, const random_state<symbol>& rng) {
    detail::check_drawn<detail::number_in<X>>();
    return detail::draw_like<kernel::law::unit, detail::number_in<X>>("uniform_like", x, rng);
}
template <class T, extent_code... Extents> constexpr auto uniform(const random_state<symbol>& rng) {
    detail::check_drawn<T>();
    return detail::draw_of<T, kernel::law::unit, Extents...>("uniform", rng);
}

/// Numbers of the standard normal distribution: its inverse distribution function of 32 random bits for float, up to 6.3, and of 52 for double, up to
/// 8.1.
template <traced X> constexpr auto normal_like(const X& x, const random_state<symbol>& rng) {
    detail::check_drawn<detail::number_in<X>>();
    return detail::draw_like<kernel::law::normal, detail::number_in<X>>("normal_like", x, rng);
}
template <class T, extent_code... Extents> constexpr auto normal(const random_state<symbol>& rng) {
    detail::check_drawn<T>();
    return detail::draw_of<T, kernel::law::normal, Extents...>("normal", rng);
}

/// All 32 or 64 bits of unsigned numbers.
template <class T, extent_code... Extents> constexpr auto random_bits(const random_state<symbol>& rng) {
    constexpr bool fits = std::is_same_v<T, std::uint32_t> || std::is_same_v<T, std::uint64_t>;
    static_assert(fits, "croton: random bits are std::uint32_t or std::uint64_t");
    return detail::draw_of<std::conditional_t<fits, T, std::uint32_t>, kernel::law::bits, Extents...>("random_bits", rng);
}

namespace detail {

/// A number or an expression of rank 0 as an expression of `T`.
template <class T, operand V> constexpr auto parameter_of(arena& g, const V& v) {
    if constexpr (traced<V>) return as_number(v);
    else return expr<T, 0>{&g, argument_node<T>(g, v)};
}

/// A probability as draws are compared with it.
template <operand V> constexpr auto share_of(const V& v) {
    if constexpr (traced<V>) return cast<float>(as_number(v));
    else return v;
}
template <class T, int R> constexpr auto as_exponential(const expr<T, R>& u) { return -log(u); }
template <class T, int R> constexpr auto as_gumbel(const expr<T, R>& u) { return -log(-log(u)); }
template <class T, int R, operand L, operand H> constexpr auto as_truncated(const expr<T, R>& u, const L& low, const H& high) {
    constexpr double root = 1.4142135623730950488;
    const auto from = parameter_of<T>(*u.graph, low);
    const auto to = parameter_of<T>(*u.graph, high);
    const auto below = erf(from / root);
    const auto above = erf(to / root);
    return minimum(maximum(erfinv(below + (above - below) * u) * root, from), to);
}
template <class T, int R, operand L, operand H> constexpr auto as_integers(const expr<double, R>& u, const L& low, const H& high) {
    const auto from = parameter_of<T>(*u.graph, low);
    const auto to = parameter_of<T>(*u.graph, high);
    return from + cast<T>(cast<std::int64_t>(u * (cast<double>(to) - cast<double>(from))));
}
template <class T> constexpr void check_integers() {
    static_assert(std::is_integral_v<T> && !std::is_same_v<T, bool>, "croton: randint draws integers; for other numbers take uniform");
}

}  // namespace detail

/// Numbers of the exponential distribution with mean 1: -log(u), u neither 0 nor 1.
template <traced X> constexpr auto exponential_like(const X& x, const random_state<symbol>& rng) {
    detail::check_drawn<detail::number_in<X>>();
    return detail::as_exponential(detail::draw_like<kernel::law::inner, detail::number_in<X>>("exponential_like", x, rng));
}
template <class T, extent_code... Extents> constexpr auto exponential(const random_state<symbol>& rng) {
    detail::check_drawn<T>();
    return detail::as_exponential(detail::draw_of<T, kernel::law::inner, Extents...>("exponential", rng));
}

/// Numbers of the standard Gumbel distribution: -log(-log(u)), u neither 0 nor 1.
template <traced X> constexpr auto gumbel_like(const X& x, const random_state<symbol>& rng) {
    detail::check_drawn<detail::number_in<X>>();
    return detail::as_gumbel(detail::draw_like<kernel::law::inner, detail::number_in<X>>("gumbel_like", x, rng));
}
template <class T, extent_code... Extents> constexpr auto gumbel(const random_state<symbol>& rng) {
    detail::check_drawn<T>();
    return detail::as_gumbel(detail::draw_of<T, kernel::law::inner, Extents...>("gumbel", rng));
}

/// Numbers of the standard normal distribution between `low` and `high`, which are numbers or expressions: by the inverse distribution function, so
/// that its digits are those of erf where both lie far on one side of 0.
template <traced X, detail::operand L, detail::operand H>
constexpr auto truncated_normal_like(const X& x, const L& low, const H& high, const random_state<symbol>& rng) {
    detail::check_drawn<detail::number_in<X>>();
    return detail::as_truncated(detail::draw_like<kernel::law::inner, detail::number_in<X>>("truncated_normal_like", x, rng), low, high);
}
template <class T, extent_code... Extents, detail::operand L, detail::operand H>
constexpr auto truncated_normal(const L& low, const H& high, const random_state<symbol>& rng) {
    detail::check_drawn<T>();
    return detail::as_truncated(detail::draw_of<T, kernel::law::inner, Extents...>("truncated_normal", rng), low, high);
}

/// Truth values that hold with probability `p`, a number or an expression, to within 2^-24.
template <traced X, detail::operand P> constexpr auto bernoulli_like(const X& x, const P& p, const random_state<symbol>& rng) {
    return detail::draw_like<kernel::law::unit, float>("bernoulli_like", x, rng) < detail::share_of(p);
}
template <extent_code... Extents, detail::operand P> constexpr auto bernoulli(const P& p, const random_state<symbol>& rng) {
    return uniform<float, Extents...>(rng) < detail::share_of(p);
}

/// Whole numbers from `low` to `high`, `high` not among them, which are numbers or expressions at most 2^53 apart: of 53 random bits, so that with n
/// numbers each has its share but for n / 2^53.
template <traced X, detail::operand L, detail::operand H>
constexpr auto randint_like(const X& x, const L& low, const H& high, const random_state<symbol>& rng) {
    detail::check_integers<detail::number_in<X>>();
    return detail::as_integers<detail::number_in<X>>(detail::draw_like<kernel::law::unit, double>("randint_like", x, rng), low, high);
}
template <class T, extent_code... Extents, detail::operand L, detail::operand H>
constexpr auto randint(const L& low, const H& high, const random_state<symbol>& rng) {
    detail::check_integers<T>();
    return detail::as_integers<T>(uniform<double, Extents...>(rng), low, high);
}

/// A class for each row of `logits`, by the probabilities softmax(logits): where the logits and numbers of the Gumbel distribution are largest
/// together. [...,n] -> [...], int64.
template <traced X> constexpr auto categorical(const X& logits, const random_state<symbol>& rng) {
    return argmax<-1>(logits + gumbel_like(logits, rng));
}

/// 0, 1, ..., N - 1 in a random order, int64.
template <extent_code N> constexpr auto permutation(const random_state<symbol>& rng) { return argsort(random_bits<std::uint64_t, N>(rng)); }

namespace detail {

/// The numbers of the rows of `x` in a random order.
template <traced X> constexpr auto order_of_rows(const X& x, const random_state<symbol>& rng) {
    shape to;
    to.rank = 1;
    to[0] = (*x.graph)[x.id].shape[0];
    return argsort(draw<std::uint64_t, 1, kernel::law::bits>("permutation", to, rng));
}

}  // namespace detail

/// What lies along the first axis of `x` in a random order: NumPy's `rng.permutation(x)`.
template <traced X> constexpr auto permutation(const X& x, const random_state<symbol>& rng) {
    static_assert(detail::rank_of<X> > 0, "croton: permutation goes along the first axis, and a number has none");
    return take<0>(x, detail::order_of_rows(x, rng));
}

/// `Count` of what lies along the first axis of `x`, which is not empty: each drawn from all, or with `replace` false each at most once, of an axis that
/// has as many (an error while compiling, or a `shape_error`). NumPy's `rng.choice`.
template <extent_code Count, traced X> constexpr auto choice(const X& x, const random_state<symbol>& rng, bool replace = true) {
    static_assert(detail::rank_of<X> > 0, "croton: choice goes along the first axis, and a number has none");
    static_assert(Count >= 0, "croton: choice draws a number of elements, as in choice<10>(x, rng)");
    if (replace) return take<0>(x, randint<std::int64_t, Count>(0, x.extent(0), rng));
    detail::arena& g = *x.graph;
    if (!g.failed()) (void)g.demand(x.id, 0, g.find(g[x.id].shape[0]), Count, Count, detail::demanded::choice);
    return take<0>(x, detail::as_expr(detail::order_of_rows(x, rng)(slice(0, Count))));
}

/// `x` with each element 0 with probability `rate`, a number from 0 up to 1 or an expression, and the others divided by 1 - rate. The share of zeros is
/// the rate to within 2^-17, of 16 random bits: sixteen elements share the lower eight, so that whether two of them are 0 is correlated by less than
/// 1e-4 at rates from 0.04 to 0.96, and by less than 1 / 256 at any. At a rate of 0.5, the number, an element takes one bit. In the derivative the same
/// elements are 0. Where nothing is trained it is left out.
template <traced X, detail::operand R> constexpr auto dropout(const X& x, const R& rate, const random_state<symbol>& rng) {
    using T = detail::number_in<X>;
    detail::check_drawn<T>();
    if constexpr (!traced<R>) {
        const auto share = static_cast<double>(rate);
        const bool known = share >= 0 && share < 1;
        if (!known && !x.graph->failed()) x.graph->error << "dropout: the rate is a share of the elements, from 0 up to but not 1";
        const auto kept = share == 0.5 ? detail::draw_like<kernel::law::truth, bool>("dropout", x, rng)
                                       : detail::draw_like<kernel::law::coarse, float>("dropout", x, rng) >= rate;
        return where(kept, detail::as_number(x) * static_cast<T>(known ? 1 / (1 - share) : 1), T(0));
    } else {
        const auto kept = detail::draw_like<kernel::law::coarse, float>("dropout", x, rng) >= detail::share_of(rate);
        return where(kept, detail::as_number(x) / (1 - rate), T(0));
    }
}

}  // namespace croton::inline v0_1

#endif
