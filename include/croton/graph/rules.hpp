// SPDX-License-Identifier: MIT
// The rules of the rewrites as named rows, and how often each has fired: for `explain`.
#ifndef CROTON_GRAPH_RULES_HPP
#define CROTON_GRAPH_RULES_HPP

#include <cstdint>

namespace croton::inline v0_1::detail {

/// What a rule is for.
enum class rule_aim : std::uint8_t { literals, sums, products, stable, moved, blas };

enum class rule : std::uint8_t {
    literals, known_choice, like_terms, multiplied_out, factors_joined, like_factors, power, guarded_root, exponents_added,
    exponent_turned, expm1, exp_of_expm1, sigmoid_complement, softplus_turned, softplus_paired, log_softmax, logistic, sigmoid_by_exp,
    sigmoid_quotient, softmax, sigmoid_of_two, softmax_shifted, logarithm, logarithm_plus_one, undone, reductions_joined,
    scale_out_of_sum, sum_of_copies, sum_of_one_hot, scale_out_of_product, product_transposed, common_factor, slice, padded_joined, shifted,
    scattered_sum, picked_rows, loops_merged, sorted_once, sorted_in_part, gemm,
};

/// `name` is no string_view: the compiler would count the letters of each.
struct rule_row {
    rule what;
    rule_aim aim;
    const char* name;
};

inline constexpr rule_row rule_rows[] = {
    {rule::literals, rule_aim::literals, "an operator on numbers"},
    {rule::known_choice, rule_aim::literals, "where(true, x, y) is x"},
    {rule::like_terms, rule_aim::sums, "a x + b x is (a + b) x"},
    {rule::multiplied_out, rule_aim::sums, "c (x + y) is c x + c y"},
    {rule::factors_joined, rule_aim::products, "(a x) b is (a b) x"},
    {rule::like_factors, rule_aim::products, "x x is sqr(x)"},
    {rule::power, rule_aim::products, "pow(x, n) by products and roots"},
    {rule::guarded_root, rule_aim::products, "where(x == 0, 0, sqrt(where(x == 0, 1, x))) is sqrt(x)"},
    {rule::exponents_added, rule_aim::products, "exp(x) exp(y) is exp(x + y)"},
    {rule::exponent_turned, rule_aim::products, "x / exp(y) is x exp(-y)"},
    {rule::expm1, rule_aim::stable, "exp(x) - 1 is expm1(x)"},
    {rule::exp_of_expm1, rule_aim::stable, "expm1(x) + 1 is exp(x)"},
    {rule::sigmoid_complement, rule_aim::stable, "1 - sigmoid(x) is sigmoid(-x)"},
    {rule::softplus_turned, rule_aim::stable, "softplus(x) - x is softplus(-x)"},
    {rule::softplus_paired, rule_aim::stable, "a softplus(-x) + b softplus(x) is (a + b) softplus(x) - a x"},
    {rule::log_softmax, rule_aim::stable, "x - logsumexp(x) is log_softmax(x)"},
    {rule::logistic, rule_aim::stable, "1 / (1 + exp(x)) is sigmoid(-x)"},
    {rule::sigmoid_by_exp, rule_aim::stable, "sigmoid(x) exp(-x) is sigmoid(-x)"},
    {rule::sigmoid_quotient, rule_aim::stable, "sigmoid(x) / sigmoid(-x) is exp(x)"},
    {rule::softmax, rule_aim::stable, "exp(x) / sum(exp(x)) is softmax(x)"},
    {rule::sigmoid_of_two, rule_aim::stable, "exp(x) / (exp(x) + exp(y)) is sigmoid(x - y)"},
    {rule::softmax_shifted, rule_aim::stable, "softmax(x + c) is softmax(x)"},
    {rule::logarithm, rule_aim::stable, "log(x) where x is a sigmoid, a softmax, a sum or a product"},
    {rule::logarithm_plus_one, rule_aim::stable, "log1p(x) where x is exp(y) or -sigmoid(y)"},
    {rule::undone, rule_aim::stable, "what changes nothing, or undoes itself"},
    {rule::reductions_joined, rule_aim::moved, "a reduction of a reduction is one"},
    {rule::scale_out_of_sum, rule_aim::moved, "sum(c x) is c sum(x)"},
    {rule::sum_of_copies, rule_aim::moved, "the sum of n copies of x is n x"},
    {rule::sum_of_one_hot, rule_aim::moved, "the sum of the one that a label picks"},
    {rule::scale_out_of_product, rule_aim::moved, "dot(c x, y) is c dot(x, y)"},
    {rule::product_transposed, rule_aim::moved, "dot(x, y)^T is dot(y^T, x^T)"},
    {rule::common_factor, rule_aim::moved, "c x - c y is c (x - y)"},
    {rule::slice, rule_aim::moved, "a slice of what is computed is computed of slices"},
    {rule::padded_joined, rule_aim::moved, "pieces among zeros are joined, not added"},
    {rule::shifted, rule_aim::moved, "an array among zeros at several places is stored once"},
    {rule::scattered_sum, rule_aim::moved, "x + a scatter of y adds y to rows of x"},
    {rule::picked_rows, rule_aim::moved, "a product of rows that a gather picks is one of the table's"},
    {rule::loops_merged, rule_aim::moved, "loops over the same turns are one"},
    {rule::sorted_once, rule_aim::moved, "sort(x) picks from x by argsort(x)"},
    {rule::sorted_in_part, rule_aim::moved, "sort(x) is sorted only where it is read"},
    {rule::gemm, rule_aim::blas, "a dot(x, y) + b z as one product"},
};
inline constexpr int rule_count = static_cast<int>(sizeof(rule_rows) / sizeof(rule_rows[0]));
static_assert(
    [] {
        for (int i = 0; i < rule_count; ++i)
            if (static_cast<int>(rule_rows[i].what) != i) return false;
        return true;
    }(),
    "a rule stands in its row");

/// How often each rule has fired.
struct fired_rules {
    std::uint16_t times[rule_count]{};
    int stable = 0;  // those that make something stable, together

    constexpr void add(rule r) {
        ++times[static_cast<int>(r)];
        stable += rule_rows[static_cast<int>(r)].aim == rule_aim::stable ? 1 : 0;
    }
};

}  // namespace croton::inline v0_1::detail

#endif
