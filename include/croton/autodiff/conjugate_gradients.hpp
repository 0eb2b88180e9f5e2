// SPDX-License-Identifier: MIT
// Linear systems whose matrix is never there: only its products with vectors are, as those of a Hessian.
#ifndef CROTON_AUTODIFF_CONJUGATE_GRADIENTS_HPP
#define CROTON_AUTODIFF_CONJUGATE_GRADIENTS_HPP

#include <cstdint>
#include <tuple>
#include <type_traits>

#include <croton/autodiff/loops.hpp>
#include <croton/ops/elementwise.hpp>
#include <croton/ops/filled.hpp>
#include <croton/ops/reduce.hpp>

namespace croton::inline v0_1 {

/// When `conjugate_gradients` ends: where what is left of `b` is at most `tolerance` times as long as `b`, and after `most` turns.
struct conjugate_gradients_options {
    double tolerance = 1e-5;
    std::int64_t most = 1000;
};

namespace detail {

template <class P, class B> constexpr bool is_product_like() {
    if constexpr (std::is_invocable_v<const P&, const B&>) {
        using image = std::remove_cvref_t<std::invoke_result_t<const P&, const B&>>;
        if constexpr (traced<image>) return rank_of<image> == rank_of<B> && std::is_same_v<number_in<image>, number_in<B>>;
    }
    return false;
}

}  // namespace detail

/// The x for which `product(x)` is `b`, where `product` is the product with a symmetric, positive definite matrix, as in `[&](auto v) { return hvp(cost, w, v); }`; `b` and x are
/// of float or double and of any shape, which counts as one vector. It is a `while_loop` from 0 on, whose derivatives go back through its turns. SciPy's and JAX's `cg`;
/// Hestenes and Stiefel, "Methods of conjugate gradients for solving linear systems", 1952.
template <class P, traced B> constexpr auto conjugate_gradients(const P& product, const B& b, conjugate_gradients_options options = {}) {
    using number = detail::number_in<B>;
    constexpr bool numbers = std::is_floating_point_v<number>;
    static_assert(numbers, "croton: conjugate_gradients(product, b) takes float or double; cast integers first, cast<double>(b)");
    if constexpr (numbers) {
        const expr<number, detail::rank_of<B>> right = b;
        constexpr bool fits = detail::is_product_like<P, std::remove_const_t<decltype(right)>>();
        static_assert(fits, "croton: the product of conjugate_gradients(product, b) takes an expression like b and gives one of its rank and element type");
        if constexpr (fits) {
            const auto size_of_b = sum(sqr(right));
            const auto goes_on = [&](const auto& state) { return std::get<3>(state) > options.tolerance * options.tolerance * size_of_b; };
            const auto turn = [&](const auto& state) {
                const auto& [x, left, direction, size] = state;
                const auto image = product(direction);
                const auto length = size / sum(direction * image);
                const auto next = left - length * image;
                const auto next_size = sum(sqr(next));
                return std::tuple(x + length * direction, next, next + next_size / size * direction, next_size);
            };
            return std::get<0>(while_loop(goes_on, turn, std::tuple(zeros_like(right), right, right, size_of_b), options.most));
        } else {
            return right;
        }
    } else {
        return b;
    }
}

}  // namespace croton::inline v0_1

#endif
