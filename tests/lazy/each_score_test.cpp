// SPDX-License-Identifier: MIT
// Losses and scores on arrays where they stand.
#include <doctest/doctest.h>

#include "lazy/each_function.hpp"

using namespace each_function;

TEST_CASE("losses and scores") {
    const auto scored = of(numbers<float>(4, 3), labels(3, 4)), one = of(numbers<float>(1, 1), labels(1, 1)), empty = of(numbers<float>(0, 3), labels(3, 0)), beyond = of(numbers<float>(4, 3), labels(9, 4));
    check(ROW_2(cross_entropy, cross_entropy(x, y)), scored, one, empty, beyond);
    check(ROW_2(accuracy, accuracy(x, y)), scored, one, empty, beyond);
    check(ROW_2(perplexity, perplexity(x, y)), scored, one, empty, beyond);
    check(ROW_2(bits_per_character, bits_per_character(x, y)), scored, one, empty, beyond);
    check(ROW_2(top_k_accuracy, top_k_accuracy<2>(x, y)), scored, empty);
    const auto classes = of(labels(3, 5), labels(2, 5)), one_class = of(labels(1, 1), labels(1, 1)), no_class = of(labels(3, 0), labels(3, 0));
    check(ROW_2(confusion_matrix, confusion_matrix<3>(x, y)), classes, one_class, no_class);
    check(ROW_2(precision_score, precision_score<3>(x, y)), classes, one_class, no_class);
    check(ROW_2(recall_score, recall_score<3>(x, y)), classes, one_class, no_class);
    check(ROW_2(f1_score, f1_score<3>(x, y)), classes, one_class, no_class);
    const auto shares = of(eval(sigmoid(numbers<float>(4, 3))), eval(sigmoid(-numbers<float>(4, 3)))), one_share = of(eval(sigmoid(numbers<float>(1, 1))), eval(sigmoid(numbers<float>(1, 1)))), no_share = of(numbers<float>(0, 3), numbers<float>(0, 3));
    check(ROW_2(binary_cross_entropy, binary_cross_entropy(x, y)), shares, one_share, no_share);
    check(ROW_2(binary_cross_entropy_with_logits, binary_cross_entropy_with_logits(x, y)), shares, one_share, no_share);
    check(ROW_2(mean_squared_error, mean_squared_error<0>(x, y)), shares, one_share, no_share);
    check(ROW_2(mean_absolute_error, mean_absolute_error(x, y)), shares, one_share, no_share);
    check(ROW_2(r2_score, r2_score<1>(x, y)), shares, one_share, no_share);
    check(ROW_1(mean_squared_error, mean_squared_error(x, 2)), of(numbers<float>(4, 3)), of(numbers<float>(0, 3)));
}
