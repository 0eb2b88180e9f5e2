// SPDX-License-Identifier: MIT
// The CUDA device on a runtime that logs and computes nothing: which launches, graphs and memory a program asks for.
#ifndef CROTON_TESTS_DEVICE_LOGGED_CUDA_HPP
#define CROTON_TESTS_DEVICE_LOGGED_CUDA_HPP

#include <croton/croton.hpp>

// In place of those of the toolkit.
#include "logged/cuda_runtime_api.h"
#include "logged/cublas_v2.h"
#include "logged/cublasLt.h"

#include <croton/device/cuda/cuda.hpp>

#endif
