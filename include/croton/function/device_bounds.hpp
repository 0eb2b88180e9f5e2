// SPDX-License-Identifier: MIT
// Labels and indices that lie in the memory of a device, which looks at them itself.
#ifndef CROTON_FUNCTION_DEVICE_BOUNDS_HPP
#define CROTON_FUNCTION_DEVICE_BOUNDS_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include <croton/device/device.hpp>
#include <croton/function/elements.hpp>
#include <croton/function/layout.hpp>
#include <croton/plan/effects.hpp>

namespace croton::inline v0_1::detail {

/// The checks of a plan; none where the host reads what is bound.
template <class Device, class Plan> class device_bounds {
    static constexpr plan_view facts = view_of(Plan::program(), Plan::value());
    static constexpr int count = Plan::program().bounds.size();
    static constexpr bool any = !memory<array_device<Device>>::on_host && count > 0 && has_bound_checks<Device>;

public:
    /// Once for a shape: the device is told what is said of a wrong number.
    void number([[maybe_unused]] const std::string& function, [[maybe_unused]] const std::int64_t* sizes) {
        if constexpr (any)
            for (int i = 0; i < count; ++i) {
                auto said = out_of_bounds(facts, function, facts.bounds[i], limit_of(i, sizes));
                numbers_[static_cast<std::size_t>(i)] = Device::bound_check(std::move(said[0]), said[1] + "; the " + std::string(plural_of(facts.bounds[i].who)));
            }
    }
    /// What lies on the host has been checked when it was bound.
    void check([[maybe_unused]] const bound_array* leaves, [[maybe_unused]] const std::int64_t* sizes) const {
        if constexpr (any)
            for (int i = 0; i < count; ++i) {
                const int leaf = facts.bounds[i].leaf;
                const bound_array& a = leaves[leaf];
                if (a.on_host) continue;
                const std::int64_t limit = limit_of(i, sizes);
                const auto look = [&]<class T>(T*) {
                    Device::template check_bounds<T>(numbers_[static_cast<std::size_t>(i)], reinterpret_cast<const T*>(a.data), facts.leaves[leaf].shape.rank, a.extent.data(),
                                                     a.stride.data(), counts_from_end(facts.bounds[i].who) ? -limit : 0, limit);
                };
                with_index<facts>(facts.leaves[leaf].type, look);
            }
    }

    /// Step `step` is next. What has been checked may be written then, where a device looks at it while other steps run.
    void settle([[maybe_unused]] int step) const {
        if constexpr (any && requires { Device::join_checks(); })
            if (step == first_effect(Plan::value())) Device::join_checks();
    }

private:
    static std::int64_t limit_of(int i, const std::int64_t* sizes) { return size_value(facts.bounds[i].limit, sizes); }

    std::array<int, static_cast<std::size_t>(any ? count : 0)> numbers_{};
};

}  // namespace croton::inline v0_1::detail

#endif
