// SPDX-License-Identifier: MIT
// Arrays as text, laid out as NumPy prints them.
#ifndef CROTON_ARRAY_PRINT_HPP
#define CROTON_ARRAY_PRINT_HPP

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <ostream>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <croton/array/array.hpp>
#include <croton/array/view.hpp>
#include <croton/config.hpp>

#if !CROTON_HAS_FLOAT_FROM_CHARS
#include <locale>
#include <sstream>
#endif

namespace croton::inline v0_1 {

namespace detail {

// NumPy's defaults: digits after the point, elements before an array is shortened, elements kept at each end, columns.
inline constexpr int print_precision = 8;
inline constexpr std::int64_t print_threshold = 1000;
inline constexpr std::int64_t print_edge = 3;
inline constexpr std::size_t print_columns = 75;

/// The number that a text says, which is one.
inline double read_digits(const char* text, const char* end) {
    double number = 0;
#if CROTON_HAS_FLOAT_FROM_CHARS
    std::from_chars(text, end, number);
#else
    std::istringstream in(std::string(text, end));
    in.imbue(std::locale::classic());
    in >> number;
#endif
    return number;
}

/// What is printed for an element. A half is printed with the fewest digits that tell it from its neighbours: as the number
/// of these digits.
template <class T> using printed_t = std::conditional_t<is_storage<T>, double, T>;
template <class T> printed_t<T> as_printed(T x) {
    if constexpr (is_storage<T>) {
        const float exact = x;
        char text[64];
        for (int precision = 0; std::isfinite(exact) && precision < 9; ++precision) {
            const auto end = std::to_chars(text, text + sizeof text, exact, std::chars_format::scientific, precision).ptr;
            const double digits = read_digits(text, end);
            if (static_cast<float>(T(digits)) == exact) return digits;
        }
        return exact;
    } else {
        return x;
    }
}

template <class T> std::string format_number(T value, std::chars_format format, int precision) {
    char text[512];
    // The shortest digits that read back as this number, unless that is more than `precision` of them.
    auto end = std::to_chars(text, text + sizeof text, value, format).ptr;
    const char* exponent = std::find(text, end, 'e');
    const char* point = std::find(static_cast<const char*>(text), exponent, '.');
    if (exponent - point - 1 > precision) {
        end = std::to_chars(text, text + sizeof text, value, format, precision).ptr;
        exponent = std::find(text, end, 'e');
        point = std::find(static_cast<const char*>(text), exponent, '.');
    }
    std::string mantissa(static_cast<const char*>(text), exponent);
    if (point == exponent) mantissa += '.';
    while (mantissa.back() == '0') mantissa.pop_back();
    return mantissa + std::string(exponent, static_cast<const char*>(end));
}

/// One number on its own, with all of its digits.
template <class T> std::string number_text(T x) {
    if constexpr (std::is_same_v<T, bool>) {
        return x ? "True" : "False";
    } else if constexpr (std::is_integral_v<T>) {
        return std::to_string(x);
    } else {
        if (std::isnan(x)) return "nan";
        if (std::isinf(x)) return x < 0 ? "-inf" : "inf";
        const T size = std::abs(x);
        const bool fixed = size == 0 || (size >= T(1e-4) && size < T(1e16));
        char text[64];
        const auto end = std::to_chars(text, text + sizeof text, x,
                                       fixed ? std::chars_format::fixed : std::chars_format::scientific);
        std::string result(text, end.ptr);
        return fixed && result.find('.') == result.npos ? result + ".0" : result;
    }
}

/// Gives all printed elements of an array one width, as NumPy does.
template <class T> class number_format {
public:
    explicit number_format(const std::vector<T>& values) {
        if constexpr (std::is_floating_point_v<T>) {
            T largest = 0;
            T smallest = 0;
            for (T x : values) {
                const T size = std::abs(x);
                if (!std::isfinite(x) || size == 0) continue;
                largest = std::max(largest, size);
                smallest = smallest == 0 ? size : std::min(smallest, size);
            }
            if (largest >= T(1e8) || (smallest > 0 && (smallest < T(1e-4) || largest / smallest > T(1000))))
                format_ = std::chars_format::scientific;
        }
        for (T x : values) {
            const std::string text = digits(x);
            const std::size_t point = std::min(text.find('.'), text.size());
            const std::size_t exponent = std::min(text.find('e'), text.size());
            if constexpr (std::is_floating_point_v<T>) {
                // Words such as nan do not line up with the points; they only need to fit.
                if (!std::isfinite(x)) {
                    words_ = std::max(words_, text.size());
                    continue;
                }
            }
            left_ = std::max(left_, point);
            right_ = std::max(right_, exponent - point);
            exponent_ = std::max(exponent_, text.size() - exponent);
        }
        if (words_ > left_ + right_ + exponent_) left_ = words_ - right_ - exponent_;
    }

    std::string operator()(T x) const {
        std::string text = digits(x);
        if constexpr (std::is_floating_point_v<T>) {
            if (std::isfinite(x)) {
                const std::size_t point = text.find('.');
                const std::size_t exponent = std::min(text.find('e'), text.size());
                const char fill = format_ == std::chars_format::scientific ? '0' : ' ';
                text.insert(exponent, right_ - (exponent - point), fill);
                text.insert(0, left_ - point, ' ');
                return text;
            }
        }
        const std::size_t width = left_ + right_ + exponent_;
        return text.insert(0, width - std::min(width, text.size()), ' ');
    }

private:
    std::string digits(T x) const {
        if constexpr (std::is_floating_point_v<T>) {
            if (std::isfinite(x)) return format_number(x, format_, print_precision);
        }
        if constexpr (std::is_same_v<T, bool>) return x ? " True" : "False";
        return number_text(x);
    }

    std::chars_format format_ = std::chars_format::fixed;
    std::size_t left_ = 0;
    std::size_t right_ = 0;
    std::size_t exponent_ = 0;
    std::size_t words_ = 0;
};

/// Calls `visit(i)` for the printed indices of an axis, and `skip()` where elements are left out.
template <class Visit, class Skip>
void for_each_printed(std::int64_t extent, bool shorten, Visit&& visit, Skip&& skip) {
    const bool gap = shorten && extent > 2 * print_edge;
    for (std::int64_t i = 0; i < extent; ++i) {
        if (gap && i == print_edge) {
            skip();
            i = extent - print_edge;
        }
        visit(i);
    }
}

template <class T, int Rank> void collect_printed(view<const T, Rank> x, bool shorten, std::vector<printed_t<T>>& values) {
    for_each_printed(
        x.extent(0), shorten,
        [&](std::int64_t i) {
            if constexpr (Rank == 1) values.push_back(as_printed<T>(x(i)));
            else collect_printed<T, Rank - 1>(x[i], shorten, values);
        },
        [] {});
}

template <class T, int Rank>
void print_axes(view<const T, Rank> x, bool shorten, const number_format<printed_t<T>>& format, std::size_t depth,
                std::size_t closing, std::string& out) {
    out += '[';
    if constexpr (Rank == 1) {
        // The line must also hold the brackets that close after its last element.
        std::size_t column = depth + 1;
        bool first = true;
        const auto add = [&](const std::string& word, bool last) {
            if (!first && column + 1 + word.size() > print_columns - (last ? closing + 1 : 1)) {
                while (out.back() == ' ') out.pop_back();
                out += '\n' + std::string(depth + 1, ' ');
                column = depth + 1;
            } else if (!first) {
                out += ' ';
                ++column;
            }
            out += word;
            column += word.size();
            first = false;
        };
        for_each_printed(
            x.extent(0), shorten, [&](std::int64_t i) { add(format(as_printed<T>(x(i))), i + 1 == x.extent(0)); },
            [&] { add("...", false); });
    } else {
        bool first = true;
        const auto separate = [&] {
            if (!first) out += std::string(Rank - 1, '\n') + std::string(depth + 1, ' ');
            first = false;
        };
        for_each_printed(
            x.extent(0), shorten,
            [&](std::int64_t i) {
                separate();
                print_axes<T, Rank - 1>(x[i], shorten, format, depth + 1, closing + 1, out);
            },
            [&] {
                separate();
                out += "...";
            });
    }
    out += ']';
}

}  // namespace detail

/// The elements in brackets as NumPy prints them; of an array of more than 1000 elements only the edges.
template <class T, int Rank> std::string to_string(view<T, Rank> x) {
    using value_type = std::remove_const_t<T>;
    if constexpr (!std::is_const_v<T>) {
        return to_string(view<const T, Rank>(x));
    } else if constexpr (Rank == 0) {
        return detail::number_text(detail::as_printed<value_type>(x()));
    } else {
        const bool shorten = x.size() > detail::print_threshold;
        std::vector<detail::printed_t<value_type>> values;
        detail::collect_printed<value_type, Rank>(x, shorten, values);
        const detail::number_format<detail::printed_t<value_type>> format(values);
        if (x.size() == 0) return "[]";
        std::string out;
        detail::print_axes<value_type, Rank>(x, shorten, format, 0, 1, out);
        return out;
    }
}

CROTON_INSTANCE(std::string to_string(view<const float, 1>))
CROTON_INSTANCE(std::string to_string(view<const float, 2>))
CROTON_INSTANCE(std::string to_string(view<const double, 1>))
CROTON_INSTANCE(std::string to_string(view<const double, 2>))

template <class T, int Rank, class Device> std::string to_string(const array<T, Rank, Device>& x) {
    if constexpr (memory<Device>::on_host) return to_string(x.as_view());
    else return to_string(x.template to<cpu>());
}

template <class T, int Rank> std::ostream& operator<<(std::ostream& out, const view<T, Rank>& x) {
    return out << to_string(x);
}

template <class T, int Rank, class Device>
std::ostream& operator<<(std::ostream& out, const array<T, Rank, Device>& x) {
    return out << to_string(x);
}

namespace detail {

template <class X> inline constexpr bool is_array_or_view = false;
template <class T, int Rank> inline constexpr bool is_array_or_view<view<T, Rank>> = true;
template <class T, int Rank, class Device> inline constexpr bool is_array_or_view<array<T, Rank, Device>> = true;

}  // namespace detail

/// Several results, as Python prints a tuple: `(a, b)`, matrices below each other.
template <class... X> requires (sizeof...(X) > 0 && (detail::is_array_or_view<X> && ...))
std::ostream& operator<<(std::ostream& out, const std::tuple<X...>& all) {
    std::string text;
    const auto add = [&](const auto& x, bool lines) {
        text += text.empty() ? "(" : lines ? ",\n " : ", ";
        for (const char c : to_string(x)) (text += c).append(c == '\n' ? 1 : 0, ' ');
    };
    std::apply([&](const X&... x) { (add(x, (... || (X::rank > 1))), ...); }, all);
    return out << text << ')';
}

}  // namespace croton::inline v0_1

#endif
