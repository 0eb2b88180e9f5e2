// SPDX-License-Identifier: MIT
// Text that knows its length: a view of other text counts its letters, of which g++ 12 makes 20,000 instructions each wherever it evaluates a constant.
#ifndef CROTON_CORE_LITERALS_HPP
#define CROTON_CORE_LITERALS_HPP

#include <cstddef>
#include <string_view>

namespace croton::inline v0_1 {

namespace detail {
using std::literals::string_view_literals::operator""sv;

/// The text that an array of characters ends with 0.
template <std::size_t N> constexpr std::string_view whole_text(const char (&text)[N]) { return operator""sv(text, N - 1); }
}  // namespace detail
namespace kernel {
using std::literals::string_view_literals::operator""sv;
}
namespace op {
using std::literals::string_view_literals::operator""sv;
}
namespace reduction {
using std::literals::string_view_literals::operator""sv;
}

}  // namespace croton::inline v0_1

#endif
