// SPDX-License-Identifier: MIT
// Random numbers: elements of a draw are functions of their position, computed in whatever loop reads them and never stored for it.
#ifndef CROTON_OPS_RANDOM_HPP
#define CROTON_OPS_RANDOM_HPP

#include <cstdint>

#include <croton/graph/draws.hpp>
#include <croton/ops/filled.hpp>

namespace croton::inline v0_1 {

/// What random numbers come from: a model, made by `random_state<on<cpu>::array>::seed(42)` and taken as `shared<random_state<symbol>> rng`. Each call of a
/// function that draws from it counts it on, by an update that no program writes; a state that is stored and loaded goes on where it was. The numbers are
/// those of Philox4x32-10: an element depends on the key, on the number of the call, on which of the draws of the function it belongs to, on the
/// turn of the loop and on its position in the draw, and on nothing else.
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
        g.error << who << ": in the lambda of vmap each would be given the same numbers; draw for all outside of it, and give vmap what was drawn as an argument";
    } else if (const node& n = g[state]; n.what != tag<structure::input> || !g.leaves[static_cast<int>(n.bits)].shared) {
        g.error << who << ": ";
        g.describe(g.error, state);
        g.error << " belongs to a random state that is not shared, so that each call would draw the same numbers; declare it as shared<random_state<symbol>>";
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

/// Numbers from 0 to 1, 1 not among them, of 24 random bits for float and 53 for double: in the shape and the element type of `x`, or with extents, numbers or
/// `dim("name")`: `uniform<float, 100, dim("n")>(rng)`.
template <traced X> constexpr auto uniform_like(const X& x, const random_state<symbol>& rng) {
    detail::check_drawn<detail::number_in<X>>();
    return detail::draw_like<kernel::law::unit, detail::number_in<X>>("uniform_like", x, rng);
}
template <class T, extent_code... Extents> constexpr auto uniform(const random_state<symbol>& rng) {
    detail::check_drawn<T>();
    return detail::draw_of<T, kernel::law::unit, Extents...>("uniform", rng);
}

/// Numbers of the standard normal distribution: its inverse distribution function of 32 random bits for float, up to 6.3, and of 52 for double, up to 8.1.
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

}  // namespace croton::inline v0_1

#endif
