// SPDX-License-Identifier: MIT
// Code for an element type that is known when a function runs: made for the types that the function has, and no others.
#ifndef CROTON_FUNCTION_ELEMENTS_HPP
#define CROTON_FUNCTION_ELEMENTS_HPP

#include <croton/core/element.hpp>

namespace croton::inline v0_1::detail {

template <element...> struct elements {};
/// The integers besides int and int64.
using other_integers = elements<element::int8, element::uint8, element::int16, element::uint16, element::uint32, element::uint64>;
using other_elements = elements<element::boolean, element::int32, element::int64, element::float32, element::float64, element::float16, element::brain16>;

/// Whether an argument that a step needs in one piece holds numbers of a type.
struct reshapes_element_type {
    template <class Facts> static constexpr bool of(const Facts& facts, element type) {
        for (int i = 0; i < facts.leaf_count; ++i)
            if (facts.contiguous_leaf[i] && facts.leaves[i].type == type) return true;
        return false;
    }
};
/// Whether labels or indices are of a type.
struct indexes_by_element {
    template <class Facts> static constexpr bool of(const Facts& facts, element type) {
        for (int i = 0; i < facts.bound_count; ++i)
            if (facts.leaves[facts.bounds[i].leaf].type == type) return true;
        return false;
    }
};

/// Calls `f` with a null pointer to the type that `type` stands for, where that is one of `E`, and `Asked` says that there is one.
template <const auto& Facts, class Asked, element... E, class F> void with_element(elements<E...>, element type, const F& f) {
    const auto one = [&]<element Each>(elements<Each>) {
        if constexpr (Asked::of(Facts, Each))
            if (type == Each) f(static_cast<element_t<Each>*>(nullptr));
    };
    (one(elements<E>()), ...);
}
/// The same for the type of labels or indices.
template <const auto& Facts, class F> void with_index(element type, const F& f) {
    if constexpr (Facts.bound_count > 0) {
        with_element<Facts, indexes_by_element>(elements<element::int32, element::int64>(), type, f);
        with_element<Facts, indexes_by_element>(other_integers(), type, f);
    }
}

}  // namespace croton::inline v0_1::detail

#endif
