// SPDX-License-Identifier: MIT
// Contractions of arrays: by subscripts, by axes, as chains of matrices.
#ifndef CROTON_OPS_EINSUM_HPP
#define CROTON_OPS_EINSUM_HPP

#include <croton/ops/contraction.hpp>
#include <croton/ops/solve.hpp>

namespace croton::inline v0_1 {

namespace detail {

/// The subscripts of `einsum`, as a template value.
template <std::size_t N> struct subscripts {
    char letters[N]{};
    constexpr subscripts(const char (&text)[N]) {
        for (std::size_t i = 0; i < N; ++i) letters[i] = text[i];
    }
};

/// Subscripts read for operands of these ranks: a label for each axis. What is wrong with them, where anything is, is in `say`.
template <int Operands> struct read_subscripts {
    label_list operand[Operands]{};
    label_list result{};
    bool fits = true;
    enum class fault { none, letter, operands, rank, two_ellipses, rank_of_result, unknown, twice, ellipsis } wrong = fault::none;
    int at = 0;  // the operand
    char letter = ' ';

    template <std::size_t N> constexpr read_subscripts(const char (&text)[N], const int (&rank)[Operands]) { read(text, rank); }

private:
    template <std::size_t N> constexpr void read(const char (&text)[N], const int (&rank)[Operands]) {
        int i = 0, most = 0, times[label_limit]{};
        bool has_result = false;
        for (int k = 0; fits && k < Operands; ++k) {
            if (k > 0 && next(text, i) != ',') return stop(fault::operands, k);
            if (k > 0) ++i;
            list(text, i, operand[k], rank[k], most);
            if (fits && operand[k].count != rank[k]) return stop(fault::rank, k);
            for (int j = 0; j < operand[k].count; ++j) ++times[operand[k].label[j]];
        }
        if (!fits) return;
        if (next(text, i) == '-' && text[i + 1] == '>') {
            i += 2;
            has_result = true;
            list(text, i, result, -1, most);
        }
        if (fits && next(text, i) != '\0') return text[i] == ',' ? stop(fault::operands, Operands) : stop(fault::letter, 0, text[i]);
        if (!has_result) {
            for (int l = label_limit - max_rank; l < label_limit; ++l)
                if (times[l] > 0) result.push(l);
            // Capitals come first, as in ASCII.
            for (int l = 26; l < 52; ++l) push_once(l, times[l]);
            for (int l = 0; l < 26; ++l) push_once(l, times[l]);
        }
        if (fits) check_result(times);
    }

    constexpr void stop(fault what, int operand_at, char c = ' ') {
        fits = false;
        wrong = what;
        at = operand_at;
        letter = c;
    }
    template <std::size_t N> static constexpr char next(const char (&text)[N], int& i) {
        while (text[i] == ' ') ++i;
        return text[i];
    }
    constexpr void push_once(int label, int times) {
        if (times == 1 && result.count < 2 * max_rank) result.push(label);
    }
    static constexpr int label_of(char c) { return c >= 'a' && c <= 'z' ? c - 'a' : c >= 'A' && c <= 'Z' ? c - 'A' + 26 : -1; }

    /// The labels up to a comma, an arrow or the end. An ellipsis stands for the axes that an operand has besides, the last of which have one label in all
    /// operands; in the result for as many as the operand of the most.
    template <std::size_t N> constexpr void list(const char (&text)[N], int& i, label_list& to, int rank, int& most) {
        int letters = 0;
        for (int j = i; label_of(text[j]) >= 0 || text[j] == '.' || text[j] == ' '; ++j) letters += label_of(text[j]) >= 0 ? 1 : 0;
        bool dots = false;
        for (char c = next(text, i); c != ',' && c != '-' && c != '\0'; c = next(text, i)) {
            if (c == '.' && text[i + 1] == '.' && text[i + 2] == '.') {
                if (dots) return stop(fault::two_ellipses, 0);
                dots = true;
                const int hidden = rank < 0 ? most : rank > letters ? rank - letters : 0;
                most = hidden > most ? hidden : most;
                for (int k = hidden; k > 0 && to.count < 2 * max_rank; --k) to.push(label_limit - k);
                i += 3;
            } else if (label_of(c) >= 0 && to.count < 2 * max_rank) {
                to.push(label_of(c));
                ++i;
            } else {
                return stop(fault::letter, 0, c);
            }
        }
    }

    constexpr void check_result(const int (&times)[label_limit]) {
        label_set seen = 0;
        for (int i = 0; i < result.count; ++i) {
            const int l = result.label[i];
            if (times[l] == 0) return stop(fault::unknown, 0, letter_of(l));
            if ((seen & set_of(l)) != 0) return stop(fault::twice, 0, letter_of(l));
            seen |= set_of(l);
        }
        if (result.count > max_rank) return stop(fault::rank_of_result, 0);
        for (int l = label_limit - max_rank; l < label_limit; ++l)
            if (times[l] > 0 && (seen & set_of(l)) == 0) return stop(fault::ellipsis, 0);
    }
    static constexpr char letter_of(int label) { return static_cast<char>(label < 26 ? 'a' + label : 'A' + label - 26); }
};

template <subscripts S, int... Ranks> struct wrong_subscripts {
    static constexpr void say(text_builder& text) {
        constexpr int rank[] = {Ranks...};
        constexpr read_subscripts<sizeof...(Ranks)> read(S.letters, rank);
        using fault = typename read_subscripts<sizeof...(Ranks)>::fault;
        text << "einsum \"" << S.letters << "\": ";
        if (read.wrong == fault::letter) text << "'" << std::string_view(&read.letter, 1) << "' is neither a letter nor one of , ... ->";
        else if (read.wrong == fault::operands) text << "subscripts of " << (read.at < int(sizeof...(Ranks)) ? "fewer" : "more") << " than the " << int(sizeof...(Ranks)) << " operands that are given";
        else if (read.wrong == fault::rank) text << "operand " << 1 + read.at << " has " << rank[read.at] << (rank[read.at] == 1 ? " axis" : " axes") << " and not one for each of its letters";
        else if (read.wrong == fault::two_ellipses) text << "an ellipsis stands for the axes that are left, so that there is at most one";
        else if (read.wrong == fault::unknown) text << "the result names " << std::string_view(&read.letter, 1) << ", which no operand has";
        else if (read.wrong == fault::twice) text << "the result names " << std::string_view(&read.letter, 1) << " twice";
        else if (read.wrong == fault::ellipsis) text << "operands have an ellipsis, and the result has none";
        else text << "the result has more than 8 axes";
    }
};

template <class First, class... Rest> constexpr bool check_elements(arena& g, int tied_by, const First& first, const Rest&... rest) {
    using T = number_in<First>;
    static_assert(!std::is_same_v<T, bool>, "croton: products of arrays do not take bool; convert with cast<float>(x)");
    if constexpr (std::is_same_v<T, bool>) g.stopped = true;
    [[maybe_unused]] const auto check = [&](const auto& x) {
        if (g[read_node(x)].type != element_of<T>) element_mismatch(g, tie::name(tied_by), first.id, x.id);
    };
    (check(rest), ...);
    return !g.stopped && !g.failed();
}

/// The contraction of the operands with these labels. Where anything is wrong, the node is one that nobody reads.
template <int Tie, int Rank, traced First, class... Rest>
constexpr auto contracted(const label_list* axes, const label_list& result, const First& first, const Rest&... rest) {
    arena& g = *first.graph;
    expr<number_in<First>, Rank> made{&g, read_node(first)};
    if (!check_elements(g, Tie, first, rest...)) return made;
    contraction all(g, Tie);
    int i = 0;
    all.add(read_node(first), axes[i++]);
    (all.add(read_node(rest), axes[i++]), ...);
    if (!g.failed()) made.id = all.run(result);
    return made;
}

}  // namespace detail

/// NumPy's `einsum`: `einsum<"bij,bjk->bik">(a, b)`. Each letter is an axis; what the result does not name is summed, a letter that stands twice at one operand
/// is its diagonal, and without an arrow the result has the letters that stand once, in alphabetical order. `...` are axes that are repeated as in NumPy. Of
/// three operands or more the two are multiplied first that make the whole cost the fewest products, where an extent that only the call knows counts as 100;
/// products that sum over a letter of both are products of matrices. Extents of one letter that differ are a compile-time error where they are declared, else a
/// `shape_error`; one that is 1 in its declaration is repeated.
template <detail::subscripts S, traced First, traced... Rest> constexpr auto einsum(const First& first, const Rest&... rest) {
    constexpr int operands = 1 + sizeof...(Rest), rank[] = {detail::rank_of<First>, detail::rank_of<Rest>...};
    constexpr detail::read_subscripts<operands> read(S.letters, rank);
    if constexpr (!read.fits) {
        detail::sentence_of<detail::wrong_subscripts<S, detail::rank_of<First>, detail::rank_of<Rest>...>>();
        first.graph->stopped = true;
        return detail::as_number(first);
    } else {
        return detail::contracted<detail::tie::einsum, read.result.count>(read.operand, read.result, first, rest...);
    }
}

/// Names axes: `on_axes<1, 0>`. Negative ones count from the end.
template <int... Axes> struct on_axes_t {};
template <int... Axes> inline constexpr on_axes_t<Axes...> on_axes{};

/// The product summed over axes of both, the first named of `a` with the first named of `b`: NumPy's `tensordot(a, b, (axes, axes))`. The result has the other
/// axes of `a`, then those of `b`. Extents as for `einsum`.
template <traced A, traced B, int... OfA, int... OfB> constexpr auto tensordot(const A& a, const B& b, on_axes_t<OfA...>, on_axes_t<OfB...>) {
    constexpr int ra = detail::rank_of<A>, rb = detail::rank_of<B>, rank = ra + rb - 2 * static_cast<int>(sizeof...(OfA));
    // No axes would mean all.
    constexpr bool pairs = sizeof...(OfA) == sizeof...(OfB), named = sizeof...(OfA) == 0 || (detail::axes_fit<ra, OfA...> && detail::axes_fit<rb, OfB...>);
    static_assert(pairs, "croton: tensordot names as many axes of the one array as of the other");
    static_assert(rank <= max_rank, "croton: the rank of an expression is 0 to 8");
    if constexpr (sizeof...(OfA) > 0) {
        (void)detail::checked_mask<ra, OfA...>();
        (void)detail::checked_mask<rb, OfB...>();
    }
    if constexpr (!pairs || !named || rank > max_rank) {
        a.graph->stopped = true;
        return detail::as_number(a);
    } else {
        detail::label_list axes[2], result;
        const int of_a[] = {(OfA < 0 ? OfA + ra : OfA)..., -1}, of_b[] = {(OfB < 0 ? OfB + rb : OfB)..., -1};
        const auto summed = [](const int* named_axes, int axis) {
            for (int i = 0; i < static_cast<int>(sizeof...(OfA)); ++i)
                if (named_axes[i] == axis) return i;
            return -1;
        };
        for (int i = 0; i < ra; ++i) {
            axes[0].push(i);
            if (summed(of_a, i) < 0) result.push(i);
        }
        for (int i = 0; i < rb; ++i) {
            const int with = summed(of_b, i);
            axes[1].push(with < 0 ? ra + i : of_a[with]);
            if (with < 0) result.push(ra + i);
        }
        return detail::contracted<detail::tie::tensordot, rank>(axes, result, a, b);
    }
}

namespace detail {

template <int Axes, traced A, traced B, int... I> constexpr auto dot_last_with_first(const A& a, const B& b, std::integer_sequence<int, I...>) {
    return tensordot(a, b, on_axes<(rank_of<A> - Axes + I)...>, on_axes<I...>);
}

}  // namespace detail

/// The last `Axes` axes of `a` with the first of `b`: NumPy's `tensordot(a, b, n)`.
template <int Axes = 2, traced A, traced B> constexpr auto tensordot(const A& a, const B& b) {
    constexpr bool fits = Axes >= 0 && Axes <= detail::rank_of<A> && Axes <= detail::rank_of<B>;
    static_assert(fits, "croton: tensordot sums over more axes than its arguments have");
    if constexpr (!fits) {
        a.graph->stopped = true;
        return detail::as_number(a);
    } else {
        return detail::dot_last_with_first<Axes>(a, b, std::make_integer_sequence<int, Axes>());
    }
}

/// The products of the last axes: [m,k] and [n,k] -> [m,n]. NumPy's `inner`; a scalar multiplies.
template <traced A, traced B> constexpr auto inner(const A& a, const B& b) {
    if constexpr (detail::rank_of<A> == 0 || detail::rank_of<B> == 0) return a * b;
    else return tensordot(a, b, on_axes<-1>, on_axes<-1>);
}
template <class A, class B> requires detail::array_and_number<A, B> constexpr auto inner(const A& a, const B& b) { return a * b; }

/// The sum of the products of all elements of two arrays of as many, whatever their shapes: NumPy's `vdot`.
template <traced A, traced B> constexpr auto vdot(const A& a, const B& b) { return dot(flatten(a), flatten(b)); }

/// The product of a chain of matrices, in the order that costs least, where an extent that only the call knows counts as 100; the first and the last may be
/// vectors. NumPy's `linalg.multi_dot`.
template <traced First, traced... Rest> constexpr auto multi_dot(const First& first, const Rest&... rest) {
    constexpr int operands = 1 + sizeof...(Rest), rank[] = {detail::rank_of<First>, detail::rank_of<Rest>...};
    constexpr bool fits = [&] {
        for (int i = 0; i < operands; ++i)
            if (rank[i] != 2 && !(rank[i] == 1 && (i == 0 || i == operands - 1))) return false;
        return operands > 1 && operands < detail::label_limit;
    }();
    static_assert(fits, "croton: multi_dot takes two matrices or more; the first and the last may be vectors");
    if constexpr (!fits) {
        first.graph->stopped = true;
        return detail::as_number(first);
    } else {
        detail::label_list axes[operands], result;
        for (int i = 0; i < operands; ++i) {
            if (rank[i] == 2 || i == operands - 1) axes[i].push(i);
            if (rank[i] == 2 || i == 0) axes[i].push(i + 1);
        }
        if (rank[0] == 2) result.push(0);
        if (rank[operands - 1] == 2) result.push(operands);
        return detail::contracted<detail::tie::multi_dot, rank[0] + rank[operands - 1] - 2>(axes, result, first, rest...);
    }
}

/// A square matrix, or each of a batch, times itself: NumPy's `linalg.matrix_power(x, N)`, in about 2 log2 |N| products. Of its inverse where N is below 0:
/// then it holds float or double, and a singular matrix is a `value_error` at the call.
template <int N, traced X> constexpr auto matrix_power(const X& x) {
    constexpr int rank = detail::rank_of<X>;
    constexpr bool fits = rank >= 2 && rank < max_rank && !std::is_same_v<detail::number_in<X>, bool>;
    static_assert(fits, "croton: matrix_power takes a square matrix of numbers, or a batch of them");
    const auto base = detail::as_number(x);
    if constexpr (!fits) {
        x.graph->stopped = true;
        return base;
    } else {
        detail::arena& g = *x.graph;
        const detail::size_ref rows = g[x.id].shape[rank - 2], columns = g[x.id].shape[rank - 1];
        if (!g.unify(rows, columns, detail::tie::matmul) && !g.failed()) {
            g.error << "matrix_power: ";
            g.describe(g.error, x.id);
            g.error << " has ";
            g.describe_size(g.error, rows);
            g.error << " rows but ";
            g.describe_size(g.error, columns);
            g.error << " columns";
        }
        if constexpr (N < 0) {
            if constexpr (!std::is_floating_point_v<detail::number_in<X>>) return inv(base);  // which refuses them
            else return matrix_power<-N>(detail::inverse_for(base, kernel::lu_solve::of_power));
        } else if constexpr (N == 0) {
            const int row = detail::index_along(g, element::int64, rows, rank - 2, rank), column = detail::index_along(g, element::int64, columns, rank - 1, rank);
            const expr<bool, rank> unit{&g, g.apply(detail::code<op::equal>, row, column)};
            return where(unit, ones_like(base), 0);
        } else if constexpr (N == 1) {
            return base;
        } else if constexpr (N % 2 == 0) {
            const auto half = matrix_power<N / 2>(base);
            return matmul(half, half);
        } else {
            return matmul(matrix_power<N - 1>(base), base);
        }
    }
}

}  // namespace croton::inline v0_1

#endif
