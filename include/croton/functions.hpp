// SPDX-License-Identifier: MIT
// croton.hpp without what functions do not need: expressions on arrays, .npy and .npz files, printing, explain, profiles and nan_guard, progress bars.
#ifndef CROTON_FUNCTIONS_HPP
#define CROTON_FUNCTIONS_HPP

// A compiler prints the way by which a header was included: whose lines stand in its messages is included here, before others do it. What works
// without the functions comes before them: g++ goes through all names of a namespace whenever it instantiates something there.
#include <croton/core/fields.hpp>
#include <croton/core/leaves.hpp>
#include <croton/core/text.hpp>
#include <croton/graph/expr.hpp>
#include <croton/autodiff/grad.hpp>
#include <croton/function/function.hpp>

#include <croton/array/array.hpp>
#include <croton/array/makers.hpp>
#include <croton/array/picked.hpp>
#include <croton/array/rows.hpp>
#include <croton/array/zeros_like.hpp>
#include <croton/config.hpp>
#include <croton/core/philox.hpp>
#include <croton/device/cpu/cpu.hpp>
#include <croton/device/reference/reference.hpp>
#include <croton/function/instances.hpp>
#include <croton/function/verify_grad.hpp>
#include <croton/random/initialisers.hpp>
#include <croton/random/minibatches.hpp>

#include <croton/ops/elementwise.hpp>
#include <croton/ops/functions.hpp>
#include <croton/ops/rounding.hpp>
#include <croton/ops/activations.hpp>
#include <croton/ops/bits.hpp>
#include <croton/ops/in_place.hpp>
#include <croton/ops/closeness.hpp>
#include <croton/ops/reduce.hpp>
#include <croton/ops/shape.hpp>
#include <croton/ops/gather.hpp>
#include <croton/ops/part.hpp>
#include <croton/ops/scatter.hpp>
#include <croton/ops/linalg.hpp>
#include <croton/ops/matrices.hpp>
#include <croton/ops/solve.hpp>
#include <croton/ops/along.hpp>
#include <croton/ops/bins.hpp>
#include <croton/ops/convolution.hpp>
#include <croton/ops/convolve.hpp>
#include <croton/ops/einsum.hpp>
#include <croton/ops/norm.hpp>
#include <croton/ops/quantile.hpp>
#include <croton/ops/calculus.hpp>
#include <croton/ops/random.hpp>
#include <croton/ops/decompositions.hpp>
#include <croton/ops/nn.hpp>
#include <croton/ops/attention.hpp>
#include <croton/ops/norm_layers.hpp>
#include <croton/ops/metrics.hpp>
#include <croton/ops/pooling.hpp>
#include <croton/ops/upsample.hpp>
#include <croton/ops/refused.hpp>
#include <croton/ops/refused_axes.hpp>
#include <croton/ops/refused_arguments.hpp>
#include <croton/ops/refused_operands.hpp>
#include <croton/autodiff/conjugate_gradients.hpp>
#include <croton/autodiff/custom.hpp>
#include <croton/autodiff/directional.hpp>
#include <croton/autodiff/loops.hpp>
#include <croton/autodiff/scan.hpp>
#include <croton/autodiff/vmap.hpp>

#include <croton/optim/adagrad.hpp>
#include <croton/optim/adam.hpp>
#include <croton/optim/rmsprop.hpp>
#include <croton/optim/schedules.hpp>
#include <croton/optim/sgd.hpp>
#include <croton/optim/tree.hpp>
#include <croton/random/default_rng.hpp>

#if CROTON_HAS_CUDA
#include <croton/device/cuda/cuda.hpp>
#endif

#endif
