// SPDX-License-Identifier: MIT
// Values brought to where indices lead along an axis, one after the other: joined with what is there, or put in its place.
#ifndef CROTON_KERNEL_ROUTINE_SCATTER_HPP
#define CROTON_KERNEL_ROUTINE_SCATTER_HPP

#include <type_traits>

#include <croton/core/literals.hpp>
#include <croton/kernel/kernel.hpp>
#include <croton/kernel/routine.hpp>

namespace croton::inline v0_1::kernel {

/// What becomes of a value where its index leads.
enum class brought { added, put, larger, smaller, multiplied };

/// Arguments: what is changed, the indices and the values. `Aligned`: every row has indices of its own; otherwise all have the same.
/// The result may lie where its first argument does: then only what the indices lead to is touched.
template <brought How, bool Aligned> struct scatter {
    static constexpr std::string_view name = How == brought::larger       ? "segment_max"sv
                                             : How == brought::smaller    ? "segment_min"sv
                                             : How == brought::multiplied ? "segment_prod"sv
                                             : Aligned                    ? (How == brought::added ? "add_along_axis"sv : "set_along_axis"sv)
                                                                          : (How == brought::added ? "add_at"sv : "set_at"sv);
    static constexpr int arguments = 3, in_place = 0, measured = 2;
    static constexpr unsigned whole = Aligned ? 0u : 2u;
    static std::int64_t operations(std::int64_t count, std::int64_t) { return How == brought::put ? 0 : count; }

    template <class T, class V> CROTON_HD static void put(T& to, V v) {
        const auto a = static_cast<arithmetic_t<T>>(to), b = static_cast<arithmetic_t<T>>(v);
        if constexpr (How == brought::put) to = static_cast<T>(v);
        else if constexpr (std::is_same_v<T, bool>) to = How == brought::added || How == brought::larger ? to || v : to && v;
        else if constexpr (How == brought::added) to = static_cast<T>(plus(a, b));
        else if constexpr (How == brought::multiplied) to = static_cast<T>(times(a, b));
        else to = static_cast<T>(How == brought::larger ? maximum(a, b) : minimum(a, b));
    }

    template <class T, class B, class I, class V>
    CROTON_HD static void row(std::int64_t, vector<T> y, vector<const B> base, vector<const I> indices, vector<const V> values) {
        if (static_cast<const void*>(y.data) != static_cast<const void*>(base.data))
            for (std::int64_t i = 0; i < y.size; ++i) y.data[i * y.stride] = static_cast<T>(base.data[i * base.stride]);
        const index_axis axis{y.stride, y.size};
        const std::int64_t count = Aligned ? values.size : indices.size;
        for (std::int64_t q = 0; q < count; ++q) put(y.data[axis.offset(indices.data[q * indices.stride])], values.data[q * values.stride]);
    }
};

}  // namespace croton::inline v0_1::kernel

#endif
