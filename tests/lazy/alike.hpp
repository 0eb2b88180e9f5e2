// SPDX-License-Identifier: MIT
// Whether a function on arrays gives what it gives of symbols.
#ifndef CROTON_TESTS_LAZY_ALIKE_HPP
#define CROTON_TESTS_LAZY_ALIKE_HPP

#include <tuple>
#include <type_traits>
#include <utility>

#include <croton/croton.hpp>

namespace support {

using namespace croton;

/// Calls of one function, with arrays or with symbols.
template <class Call, class... Symbol, class... Array> constexpr bool alike(std::type_identity<std::tuple<Symbol...>>, std::type_identity<std::tuple<Array...>>) {
    using of_symbols = decltype(std::declval<Call>()(std::declval<Symbol>()...));
    using of_arrays = decltype(std::declval<Call>()(std::declval<const Array&>()...));
    return std::is_same_v<typename of_arrays::value_type, detail::element_in<of_symbols>> && of_arrays::rank == detail::rank_of<of_symbols>;
}

}  // namespace support

#endif
