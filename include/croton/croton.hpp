// SPDX-License-Identifier: MIT
// croton: symbolic arrays, differentiated, rewritten and fused while the program compiles. The one header to include.
#ifndef CROTON_CROTON_HPP
#define CROTON_CROTON_HPP

#include <croton/array/array.hpp>
#include <croton/array/npy.hpp>
#include <croton/array/npz.hpp>
#include <croton/array/print.hpp>
#include <croton/autodiff/grad.hpp>
#include <croton/config.hpp>
#include <croton/device/cpu/cpu.hpp>
#include <croton/device/reference/reference.hpp>
#include <croton/function/explain.hpp>
#include <croton/function/function.hpp>
#include <croton/function/verify_grad.hpp>
#include <croton/ops/nn.hpp>
#include <croton/optim/adam.hpp>
#include <croton/optim/rmsprop.hpp>
#include <croton/optim/sgd.hpp>
#include <croton/profile/drawing.hpp>
#include <croton/profile/json.hpp>
#include <croton/profile/scope.hpp>
#include <croton/profile/trace_file.hpp>

#if CROTON_HAS_CUDA
#include <croton/device/cuda/cuda.hpp>
#endif

#endif
