// SPDX-License-Identifier: MIT
// Layers on arrays where they stand.
#include <doctest/doctest.h>

#include "lazy/each_function.hpp"

using namespace each_function;

TEST_CASE("layers that normalise") {
    const auto layer = of(numbers<float>(4, 3, 2), numbers<float>(3), numbers<float>(3)), one = of(numbers<float>(1, 1, 1), numbers<float>(1), numbers<float>(1)), empty = of(numbers<float>(0, 3, 2), numbers<float>(3), numbers<float>(3));
    check(ROW_3(batch_norm, batch_norm(x, y, z)), layer, one, empty);
    check(ROW_3(batch_norm_inference, batch_norm_inference(x, y, z, y, sqr(z))), layer, one, empty);
    check(ROW_3(instance_norm, instance_norm(x, y, z)), layer, one, empty);
    check(ROW_3(group_norm, group_norm<1>(x, y, z)), layer, one, empty);
    check(ROW_3(layer_norm, layer_norm<2>(x, y, z)), of(numbers<float>(4, 3, 2), numbers<float>(2), numbers<float>(2)), one, of(numbers<float>(0, 3, 2), numbers<float>(2), numbers<float>(2)));
    check(ROW_1(layer_norm, layer_norm<1>(x, set<norm_options{.epsilon = 1}>(x))), of(numbers<float>(4, 3)), of(numbers<float>(1, 1)), of(numbers<float>(0, 3)));
    check(ROW_2(rms_norm, rms_norm(x, y)), of(numbers<float>(4, 3), numbers<float>(3)), of(numbers<float>(1, 1), numbers<float>(1)), of(numbers<float>(0, 3), numbers<float>(3)));
    check(ROW_3(attention, attention(x, y, z, set<attention_options{.causal = true}>(x))), of(numbers<float>(4, 3), numbers<float>(4, 3), numbers<float>(4, 2)), of(numbers<float>(1, 1), numbers<float>(1, 1), numbers<float>(1, 1)), of(numbers<float>(0, 3), numbers<float>(0, 3), numbers<float>(0, 2)));
}
