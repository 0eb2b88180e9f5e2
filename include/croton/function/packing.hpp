// SPDX-License-Identifier: MIT
// How much room the products of a plan need for matrices that their library does not take as they lie.
#ifndef CROTON_FUNCTION_PACKING_HPP
#define CROTON_FUNCTION_PACKING_HPP

#include <algorithm>
#include <cstdint>
#include <string>

#include <croton/array/overlap.hpp>
#include <croton/core/error.hpp>
#include <croton/device/device.hpp>
#include <croton/kernel/batch.hpp>
#include <croton/plan/view.hpp>

namespace croton::inline v0_1::detail {

/// The bytes of the largest, because products run one after the other. `ended` says of which steps a loop follows each block.
template <class Device>
std::int64_t packing_bytes([[maybe_unused]] const plan_view& p, [[maybe_unused]] const std::string& function,
                           [[maybe_unused]] const kernel::operand* operands, [[maybe_unused]] const std::int64_t* extents, [[maybe_unused]] const bool* ended) {
    std::uint64_t most = 0;
    if constexpr (packs_products<Device> || packs_operands<Device>) {
        for (int i = 0; i < p.step_count; ++i) {
            const step& s = p.steps[i];
            if (s.what != step_kind::product || (s.vector && !packs_operands<Device>) || s.type == element::boolean) continue;
            const kernel::operand* const o = operands + s.slot_from;
            const std::int64_t* const extent = extents + i * max_rank;
            const std::int64_t m = extent[0], k = extent[1], n = s.vector ? 1 : extent[2];
            kernel::matrix<const void> a{nullptr, m, k, o[0].stride[0], o[0].stride[1]}, b{nullptr, k, n, o[1].stride[0], s.vector ? 1 : o[1].stride[1]};
            kernel::matrix<void> c{nullptr, m, n, o[2].stride[0], s.vector ? 1 : o[2].stride[1]};
            kernel::batch_axes axes;
            if (s.batch > 0) axes = kernel::merge_batches(s.batch, extent + matrix_extents, o, a, b, c);
            std::uint64_t units = 0, bytes = 1;
            if constexpr (packs_operands<Device>) {
                units = axes.empty ? 0 : Device::packed_operands(a, b, kernel::take_longest(axes), size_of(p.buffers[p.slots[s.slot_from].buffer].type));
            } else {
                bytes = size_of(s.type);
                if constexpr (ends_products<Device>) units = Device::packing(a, b, c, s.type, ended[i]);
                else units = Device::packing(a, b, c, s.type);
            }
            if (units > static_cast<std::uint64_t>(furthest_reach) / bytes)
                throw shape_error(function + ": a copy of a matrix for step " + std::to_string(i + 1) + " is more than memory can address");
            most = std::max(most, units * bytes);
        }
    }
    return static_cast<std::int64_t>(most);
}

}  // namespace croton::inline v0_1::detail

#endif
