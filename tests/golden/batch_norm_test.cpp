// SPDX-License-Identifier: MIT
#include "golden/norm_layers.hpp"

using namespace croton;

TEST_CASE("batch_norm of images") { norm_layers::check_batch_norm<cpu, 4, tensor<double, dynamic, dynamic, dynamic, dynamic>>("image"); }
TEST_CASE("batch_norm of a matrix, on the reference device") { norm_layers::check_batch_norm<reference, 2, tensor<double, dynamic, 3>>("matrix"); }
TEST_CASE("batch_norm of volumes of static extents") { norm_layers::check_batch_norm<cpu, 5, tensor<double, 2, 2, 3, 2, 2>>("volume"); }
