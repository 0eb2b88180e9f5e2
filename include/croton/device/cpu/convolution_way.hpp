// SPDX-License-Identifier: MIT
// Which way the CPU takes for a convolution, and why.
#ifndef CROTON_DEVICE_CPU_CONVOLUTION_WAY_HPP
#define CROTON_DEVICE_CPU_CONVOLUTION_WAY_HPP

#include <croton/core/element.hpp>
#include <croton/device/cpu/lanes.hpp>
#include <croton/kernel/routine/convolution.hpp>

#include <string>

namespace croton::inline v0_1::detail::cpu_device {

/// The rule, measured on Zen 5 with one thread, float, against OpenBLAS 0.3.21 and PyTorch 2.15 (oneDNN):
/// - `products`, one for each image and group, where kernels have one element: of 8 to 2048 channels on 7 x 7 to 56 x 56, in all three
///   directions, they take 0.2 to 0.95 of the time of blocks.
/// - `blocks` for all other kernels, strides, dilations and groups: on 56 x 56 x 64 and 28 x 28 x 128 the result and the gradient for the
///   image take 0.5 of the time of the product by BLAS of the same count, and 0.6 to 1.05 of PyTorch's. Panels of columns packed in cache
///   lost against them everywhere, by 1.05 to 1.2 there and by more on few channels.
/// - In blocks the gradient for kernels has results side by side where they fill more than half a register of 16 lanes, and three quarters
///   of one of 8: 16 of 16 on 10 x 10 x 6 beat rows by 4, 12 of 16 by 1 to 1.5, and 6 of 8 lost by 1.6.
/// - `tiles`, Winograd's F(4x4,3x3), only where they are asked for: on 56 x 56 x 64 and 28 x 28 x 128 they take 0.6 of the time of blocks,
///   on 14 x 14 x 256 as much and on 28 x 28 x 8 1.5, and the largest error is 1e-5 of the largest result, where blocks have 1e-6.
/// - `loops` for numbers that are not float or double.
enum class convolution_choice { loops, products, blocks, tiles };

// As `convolution_way` numbers what is asked for.
inline constexpr std::int64_t asks_loops = 1, asks_blocks = 2, asks_tiles = 4;

/// Whether the gradient for kernels has results side by side.
constexpr bool sums_side_by_side(std::int64_t results, std::int64_t lanes) { return 4 * results > (lanes < 16 ? 3 : 2) * lanes; }

/// `pointwise`: kernels have one element and move by one. `tiles`: they are 3 x 3 and move by one.
constexpr convolution_choice choose_convolution(bool floating, std::int64_t asked, bool pointwise, bool tiles) {
    if (!floating || asked == asks_loops) return convolution_choice::loops;
    if (tiles && asked == asks_tiles) return convolution_choice::tiles;
    return pointwise && asked != asks_blocks ? convolution_choice::products : convolution_choice::blocks;
}

/// The choice and its reason, for explanations; empty for another routine. Of extents -1 is one that only the call knows.
template <class Arch> std::string convolution_text(const kernel::routine_facts& facts, element type, const kernel::routine_call& c) {
    const bool result = facts.type == kernel::type_of_routine<kernel::convolution>() ||
                        facts.type == kernel::type_of_routine<kernel::convolution_biased>();
    const bool image = facts.type == kernel::type_of_routine<kernel::convolution_input>();
    if (!result && !image && facts.type != kernel::type_of_routine<kernel::convolution_weight>()) return {};
    const kernel::windows w = kernel::windows_of(c.attributes, c.rank - 2, false);
    const std::int64_t* const of_kernel = result || image ? c.from[1] : c.extent;
    const bool last = (w.flags & kernel::convolution::channels_last) != 0, floating = type == element::float32 || type == element::float64;
    bool pointwise = true, tiles = w.axes == 2 && (result || image);
    for (int i = 0; i < w.axes; ++i) {
        const std::int64_t k = of_kernel[(last ? 0 : 2) + i];
        pointwise = pointwise && k == 1 && w.stride[i] == 1 && w.padding(i, 1, 1, 1) == 0;
        tiles = tiles && k == 3 && w.stride[i] == 1 && w.dilation[i] == 1;
    }
    switch (choose_convolution(floating, w.way, pointwise, tiles)) {
    case convolution_choice::loops: return floating ? "plain loops, which are asked for" : "plain loops: not float or double";
    case convolution_choice::products: return "matrix products: kernels of one element";
    case convolution_choice::tiles: return "tiles of 4 x 4 results, Winograd's, which are asked for";
    case convolution_choice::blocks: break;
    }
    if (result || image)
        return std::string("blocks of results by shifted runs of padded images") + (w.way == asks_blocks ? ", which are asked for" : "");
    const std::int64_t lanes = static_cast<std::int64_t>(register_bytes<Arch>() / (type == element::float32 ? 4 : 8));
    const std::int64_t results = of_kernel[last ? w.axes + 1 : 0];
    if (results < 0) return "blocks of sums, with results side by side where they fill a register";
    return sums_side_by_side(results, lanes) ? "blocks of sums, results side by side in registers" : "blocks of sums along rows: few results";
}

}  // namespace croton::inline v0_1::detail::cpu_device

#endif
