// SPDX-License-Identifier: MIT
// Eigen's matrices, arrays, vectors, maps and blocks as arrays, and arrays as maps of Eigen: a header for those who use both.
#ifndef CROTON_INTEROP_EIGEN_HPP
#define CROTON_INTEROP_EIGEN_HPP

#include <concepts>
#include <cstdint>
#include <type_traits>
#include <utility>

#include <Eigen/Core>

#include <croton/croton.hpp>

namespace croton::inline v0_1 {

namespace detail {

template <class X>
concept of_eigen = std::derived_from<X, Eigen::DenseBase<X>>;
/// Whether the elements lie in memory, a stride apart.
template <class X> inline constexpr bool lies_in_memory = (static_cast<unsigned>(X::Flags) & static_cast<unsigned>(Eigen::DirectAccessBit)) != 0;

// A Ref of const elements may hold a copy of them.
template <class X> inline constexpr bool is_ref_to_const = false;
template <class M, int Options, class Stride> inline constexpr bool is_ref_to_const<Eigen::Ref<const M, Options, Stride>> = true;

}  // namespace detail

/// Of either storage order. A vector of Eigen, whose rows or columns are known to be 1, has one axis.
template <detail::of_eigen X> struct other_array<X> {
    static constexpr bool owns_elements = std::derived_from<X, Eigen::PlainObjectBase<X>> || detail::is_ref_to_const<X>;

    template <class M> static auto of(M& x) {
        if constexpr (!detail::lies_in_memory<X>) {
            static_assert(detail::lies_in_memory<X>, "croton: an expression of Eigen has no elements yet; evaluate it first, as in (a + b).eval()");
            return view<typename X::Scalar, 2>();
        } else {
            using T = std::remove_pointer_t<decltype(x.data())>;
            if constexpr (X::IsVectorAtCompileTime) return view<T, 1>(x.data(), {std::int64_t{x.size()}}, {std::int64_t{x.innerStride()}});
            else return view<T, 2>(x.data(), {std::int64_t{x.rows()}, std::int64_t{x.cols()}}, {std::int64_t{x.rowStride()}, std::int64_t{x.colStride()}});
        }
    }
};

namespace detail {

template <class T> using eigen_vector = Eigen::Matrix<T, Eigen::Dynamic, 1>;
template <class T> using eigen_matrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
/// The map of elements `T`, which are const where they are only read.
template <class T, template <class> class Matrix, class Stride>
using eigen_map = Eigen::Map<std::conditional_t<std::is_const_v<T>, const Matrix<std::remove_const_t<T>>, Matrix<T>>, Eigen::Unaligned, Stride>;

template <int Rank> constexpr void check_eigen_rank() {
    static_assert(Rank == 1 || Rank == 2, "croton: Eigen has vectors and matrices: arrays with one or two axes; take a part of it, as in x(0)");
}

}  // namespace detail

/// The elements of a view as a map of Eigen, which borrows them as the view does: of one axis a column, of two a row-major matrix.
template <class T, int Rank> auto as_eigen(const view<T, Rank>& x) {
    detail::check_eigen_rank<Rank>();
    if constexpr (Rank == 1) {
        using stride = Eigen::InnerStride<Eigen::Dynamic>;
        return detail::eigen_map<T, detail::eigen_vector, stride>(x.data(), Eigen::Index(x.extent(0)), stride(Eigen::Index(x.stride(0))));
    } else if constexpr (Rank == 2) {
        using stride = Eigen::Stride<Eigen::Dynamic, Eigen::Dynamic>;
        return detail::eigen_map<T, detail::eigen_matrix, stride>(x.data(), Eigen::Index(x.extent(0)), Eigen::Index(x.extent(1)),
                                                                  stride(Eigen::Index(x.stride(0)), Eigen::Index(x.stride(1))));
    }
}

/// The elements of an array, which lie densely, as a map of Eigen. Those of one that is about to go are copied to a matrix of Eigen.
template <class X> requires detail::array_like<std::remove_cvref_t<X>> && requires(X& x) { x.as_view(); }
auto as_eigen(X&& x) {
    constexpr int rank = std::remove_cvref_t<X>::rank;
    detail::check_eigen_rank<rank>();
    using T = std::remove_pointer_t<decltype(x.data())>;
    if constexpr (rank == 1) {
        const detail::eigen_map<T, detail::eigen_vector, Eigen::Stride<0, 0>> map(x.data(), Eigen::Index(x.extent(0)));
        if constexpr (std::is_lvalue_reference_v<X>) return map;
        else return detail::eigen_vector<std::remove_const_t<T>>(map);
    } else if constexpr (rank == 2) {
        const detail::eigen_map<T, detail::eigen_matrix, Eigen::Stride<0, 0>> map(x.data(), Eigen::Index(x.extent(0)), Eigen::Index(x.extent(1)));
        if constexpr (std::is_lvalue_reference_v<X>) return map;
        else return detail::eigen_matrix<std::remove_const_t<T>>(map);
    }
}

/// The values of an expression as a matrix or a vector of Eigen.
template <detail::lazy_expression E> auto as_eigen(const E& e) { return as_eigen(eval(e)); }

}  // namespace croton::inline v0_1

#endif
