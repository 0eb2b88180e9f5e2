// SPDX-License-Identifier: MIT
// The lengths of vectors and matrices.
#ifndef CROTON_OPS_NORM_HPP
#define CROTON_OPS_NORM_HPP

#include <croton/ops/decompositions.hpp>

namespace croton::inline v0_1 {

namespace detail {

/// (sum |x|^p)^(1/p) over the axes, for every p that NumPy takes of vectors.
template <int... Axes, traced X> constexpr auto vector_norm(const X& x, double p) {
    if (p == INFINITY) return max<Axes...>(abs(x), keepdims);
    if (p == -INFINITY) return min<Axes...>(abs(x), keepdims);
    if (p == 0) return cast<number_in<X>>(count_nonzero<Axes...>(x, keepdims));
    if (p == 1) return sum<Axes...>(abs(x), keepdims);
    if (p == 2) return root_of_squares(sum<Axes...>(sqr(x), keepdims));
    return pow(sum<Axes...>(pow(abs(x), p), keepdims), 1 / p);
}

/// The matrices over the axes of the mask, rows in front of columns, as a batch.
template <unsigned Mask, traced X> constexpr auto as_matrices(const X& x) {
    constexpr int rank = rank_of<X>;
    std::array<int, max_rank> source{};
    for (int i = 0, front = 0, back = rank - 2; i < rank; ++i) source[static_cast<unsigned>((Mask >> i & 1u) != 0 ? back++ : front++)] = i;
    return expr<number_in<X>, rank>{x.graph, structure::view::of(*x.graph, read_node(x), rank, source)};
}

/// The largest or smallest of the sums of magnitudes, of columns where p is 1 or -1, of rows where it is infinite; or of the singular values.
template <int Rows, int Columns, traced X> constexpr auto matrix_norm(const X& x, double p) {
    constexpr unsigned mask = checked_mask<rank_of<X>, Rows, Columns>();
    if (p == 2 || p == -2) {
        const auto s = svd(as_matrices<mask>(x)).s;
        const int found = p > 0 ? max<-1>(s).id : min<-1>(s).id;
        return expr<number_in<X>, rank_of<X>>{x.graph, insert_axes(*x.graph, found, mask, rank_of<X>)};
    }
    if (p == 1) return max<Columns>(sum<Rows>(abs(x), keepdims), keepdims);
    if (p == -1) return min<Columns>(sum<Rows>(abs(x), keepdims), keepdims);
    if (p == INFINITY) return max<Rows>(sum<Columns>(abs(x), keepdims), keepdims);
    if (p == -INFINITY) return min<Rows>(sum<Columns>(abs(x), keepdims), keepdims);
    if (!x.graph->failed()) x.graph->error << "norm: of a matrix it is that of order 1, -1, 2, -2, INFINITY or -INFINITY, or, without an order, the root of all squares";
    return sum<Rows, Columns>(x, keepdims);
}

}  // namespace detail

/// The root of the sum of squares over the named axes, or over all: the length of a vector, the Frobenius norm of a matrix. Where it is 0 its
/// derivative is 0. NumPy's `linalg.norm` without an order.
template <int... Axes, traced X> constexpr auto norm(const X& given, keepdims_t) {
    const auto x = detail::as_real(given);
    return detail::root_of_squares(sum<Axes...>(sqr(x), keepdims));
}
template <int... Axes, traced X> constexpr auto norm(const X& x) { return detail::without_axes<Axes...>(norm<Axes...>(x, keepdims)); }

/// NumPy's `linalg.norm(x, order, axis)`. Over one axis (sum |x|^p)^(1/p) for any p, the largest or smallest magnitude for p = INFINITY or -INFINITY,
/// the number of elements that are not 0 for p = 0. Over two, rows and columns, the largest sum of magnitudes of a column for p = 1, of a row for
/// p = INFINITY, the largest singular value for p = 2, the smallest for the negative ones.
template <int... Axes, traced X> constexpr auto norm(const X& given, double p, keepdims_t) {
    const auto x = detail::as_real(given);
    constexpr int rank = detail::rank_of<X>, axes = sizeof...(Axes) == 0 ? rank : sizeof...(Axes);
    static_assert(axes == 1 || axes == 2, "croton: a norm of an order is taken over one axis or over two, as in norm<0>(x, 1)");
    if constexpr (axes != 1 && axes != 2) {
        x.graph->stopped = true;
        return sum<Axes...>(x, keepdims);
    } else if constexpr (axes == 1) {
        return detail::vector_norm<Axes...>(x, p);
    } else if constexpr (sizeof...(Axes) == 0) {
        return detail::matrix_norm<0, 1>(x, p);
    } else {
        return detail::matrix_norm<Axes...>(x, p);
    }
}
template <int... Axes, traced X> constexpr auto norm(const X& x, double p) { return detail::without_axes<Axes...>(norm<Axes...>(x, p, keepdims)); }

}  // namespace croton::inline v0_1

#endif
