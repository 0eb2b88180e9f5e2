// SPDX-License-Identifier: MIT
// What the tests of operators share: numbers in a range, and the same elements in every layout a view can have.
#ifndef CROTON_TESTS_OPS_SUPPORT_HPP
#define CROTON_TESTS_OPS_SUPPORT_HPP

#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include <croton/croton.hpp>

namespace support {

using namespace croton;

/// Numbers between low and high, the same in every run.
class numbers {
public:
    explicit numbers(std::uint64_t seed = 1) : state_(seed * 2862933555777941757u + 3037000493u) {}

    double next(double low, double high) {
        state_ = state_ * 6364136223846793005u + 1442695040888963407u;
        return low + (high - low) * static_cast<double>(state_ >> 11) / 9007199254740992.0;
    }

    template <class T> T next_as(double low, double high) {
        if constexpr (std::is_same_v<T, bool>) {
            return next(0, 1) > 0.5;
        } else if constexpr (std::is_integral_v<T>) {
            // Never 0, so that integers can be divided.
            const double x = next(-9, 9);
            return static_cast<T>(x < 0 ? x - 1 : x + 1);
        } else {
            return static_cast<T>(next(low, high));
        }
    }

    template <class T, int Rank>
    array<T, Rank> fill(const extents_of<Rank>& extents, double low = -2, double high = 2) {
        array<T, Rank> x(extents);
        for (T& e : x) e = next_as<T>(low, high);
        return x;
    }

private:
    std::uint64_t state_;
};

/// The ways elements can lie in memory.
enum class layout { dense, transposed, reversed, stepped, window, count };

inline std::string name_of(layout l) {
    const char* names[] = {"dense", "transposed", "reversed", "stepped", "window"};
    return names[static_cast<int>(l)];
}

/// A copy of an array whose elements lie as `how` says, with memory around them that must not be read as elements.
template <class T, int Rank> class placed {
public:
    placed(const array<T, Rank>& x, layout how) : view_(view<T, Rank>(nullptr, extents_of<Rank>{})) {
        extents_of<Rank> extents = x.extents(), strides{};
        std::int64_t stride = 1, offset = 0;
        for (int k = 0; k < Rank; ++k) {
            const auto axis = static_cast<std::size_t>(how == layout::transposed ? k : Rank - 1 - k);
            std::int64_t step = stride;
            if (how == layout::stepped) step = stride * (2 + k);
            strides[axis] = how == layout::reversed ? -step : step;
            if (how == layout::reversed) offset += (extents[axis] > 0 ? extents[axis] - 1 : 0) * step;
            stride = step * (extents[axis] > 0 ? extents[axis] : 1) + (how == layout::window ? 3 : 0);
        }
        memory_ = array<T, 1>(stride + 8);
        for (T& e : memory_) e = static_cast<T>(77);
        view_ = view<T, Rank>(memory_.data() + offset + (how == layout::window ? 5 : 0), extents, strides);
        view_.copy_from(x.as_view());
    }
    placed(const placed&) = delete;
    placed& operator=(const placed&) = delete;

    view<T, Rank> get() const { return view_; }

private:
    array<T, 1> memory_;
    view<T, Rank> view_;
};

template <class Device> std::string device_name() { return std::is_same_v<Device, cpu> ? "cpu" : "reference"; }

/// Calls f.operator()<Op>() for every operator of the table that `Keep` keeps.
template <template <class> class Keep, class F> void for_each_operator(F&& f) {
    [&]<class... Op>(detail::type_list<Op...>) {
        const auto one = [&]<class O>(std::type_identity<O>) {
            if constexpr (Keep<O>::value) f.template operator()<O>();
        };
        (one(std::type_identity<Op>()), ...);
    }(detail::operators());
}

}  // namespace support

#endif
