// SPDX-License-Identifier: MIT
// The sums of one phase: as numbers, and in the registers of a run.
#ifndef CROTON_DEVICE_CPU_RUNNING_HPP
#define CROTON_DEVICE_CPU_RUNNING_HPP

#include <croton/device/cpu/analysis.hpp>
#include <croton/device/cpu/fold.hpp>

namespace croton::inline v0_1::detail::cpu_device {

/// Register steps after which partial sums go on into `wide`.
inline constexpr std::int64_t steps_per_flush = 128;

/// Rows whose column sums stay in registers before they are added to memory; of a pass that has two sums of each column, whose variances of 10000 x 1000 floats take half the
/// time by 16 (Zen 3).
inline constexpr std::int64_t rows_per_panel = 128, rows_of_two_sums = 16;
/// So many at most where columns are few: several of them are one run.
inline constexpr std::int64_t rows_in_groups = 64 * rows_per_panel;

/// The partial results of a phase as numbers: one `wide` per reduce and per accumulate_inner.
template <class Sinks, class Sequence = kernel::detail::sequence_of<Sinks>> struct partials;
template <class... Sink, int... K>
struct partials<kernel::block<Sink...>, std::integer_sequence<int, K...>>
    : kernel::detail::cell<K, kernel::partial_t<Sink>>... {
    template <class S> using number = kernel::partial_t<S>;

    CROTON_INLINE void reset() {
        ((kernel::detail::at<K, kernel::partial_t<Sink>>(*this) =
              Sink::reduction::template identity<kernel::partial_t<Sink>>()), ...);
    }
};

/// The same of few elements, all of which one set of registers has added up: a sum that goes to a wider type and back takes as long as they do.
template <class Sinks, class Sequence = kernel::detail::sequence_of<Sinks>> struct few_partials;
template <class... Sink, int... K>
struct few_partials<kernel::block<Sink...>, std::integer_sequence<int, K...>> : kernel::detail::cell<K, arithmetic_t<typename Sink::element>>... {
    template <class S> using number = arithmetic_t<typename S::element>;
};

template <class Lanes, class R, class V> CROTON_INLINE auto fold_lanes(const V& v) {
    if constexpr (Lanes::size == 1) return v;
    else return fold<R>(v);
}

/// The same in registers of the element types, for the loops.
template <class Lanes, class Sinks, class Sequence = kernel::detail::sequence_of<Sinks>> struct running;
template <class Lanes, class... Sink, int... K>
struct running<Lanes, kernel::block<Sink...>, std::integer_sequence<int, K...>>
    : kernel::detail::cell<K, typename Lanes::template value<typename Sink::element>>... {
    template <class S> using held = typename Lanes::template value<typename S::element>;

    CROTON_INLINE void reset() {
        ((kernel::detail::at<K, held<Sink>>(*this) =
              Lanes::broadcast(Sink::reduction::template identity<typename Sink::element>())), ...);
    }
    CROTON_LAYER void combine(const running& other) {
        ((kernel::detail::at<K, held<Sink>>(*this) =
              Sink::reduction::combine(kernel::detail::at<K, held<Sink>>(*this), kernel::detail::at<K, held<Sink>>(other))), ...);
    }
    template <class U, class R, class E> CROTON_LAYER void feed(const U& us, const R& rs, const E& es) {
        ((kernel::detail::at<K, held<Sink>>(*this) = Sink::reduction::combine(
              kernel::detail::at<K, held<Sink>>(*this), Lanes::template convert<typename Sink::element>(
                                                kernel::fetch<Lanes>(typename Sink::argument{}, us, rs, es)))), ...);
    }
    template <class U, class R, class E> CROTON_LAYER void feed(const U& us, const R& rs, const E& es, int count) {
        const running before = *this;
        feed(us, rs, es);
        if constexpr (Lanes::size > 1)
            ((kernel::detail::at<K, held<Sink>>(*this) = select(Lanes::template first<typename Sink::element>(count),
                                                    kernel::detail::at<K, held<Sink>>(*this), kernel::detail::at<K, held<Sink>>(before))), ...);
    }
    /// Where there is one sum, of one number.
    CROTON_LAYER void feed_number(auto number) {
        ((kernel::detail::at<K, held<Sink>>(*this) =
              Sink::reduction::combine(kernel::detail::at<K, held<Sink>>(*this), Lanes::broadcast(static_cast<typename Sink::element>(number)))), ...);
    }
    CROTON_LAYER void flush(partials<kernel::block<Sink...>>& to) const {
        ((kernel::detail::at<K, kernel::partial_t<Sink>>(to) = Sink::reduction::combine(
              kernel::detail::at<K, kernel::partial_t<Sink>>(to), static_cast<kernel::partial_t<Sink>>(
                                             fold_lanes<Lanes, typename Sink::reduction>(
                                                 kernel::detail::at<K, held<Sink>>(*this))))), ...);
    }
    CROTON_LAYER void flush(few_partials<kernel::block<Sink...>>& to) const {
        if constexpr (requires { flush_two(kernel::block<Sink...>{}, to); }) flush_two(kernel::block<Sink...>{}, to);
        else
            ((kernel::detail::at<K, arithmetic_t<typename Sink::element>>(to) =
                  static_cast<arithmetic_t<typename Sink::element>>(fold_lanes<Lanes, typename Sink::reduction>(kernel::detail::at<K, held<Sink>>(*this)))), ...);
    }
    /// Two sums of one kind, as those of numbers and of their squares.
    template <class First, class Second>
        requires(std::is_same_v<typename First::reduction, typename Second::reduction> && std::is_same_v<typename First::element, typename Second::element> &&
                 requires(held<First> v) { fold_two<typename First::reduction>(v, v); })
    CROTON_LAYER void flush_two(kernel::block<First, Second>, few_partials<kernel::block<First, Second>>& to) const {
        using number = arithmetic_t<typename First::element>;
        const auto [a, b] = fold_two<typename First::reduction>(kernel::detail::at<0, held<First>>(*this), kernel::detail::at<1, held<First>>(*this));
        kernel::detail::at<0, number>(to) = static_cast<number>(a);
        kernel::detail::at<1, number>(to) = static_cast<number>(b);
    }
    // Adds each register to the memory of its slot, or writes it there, where that is `fresh`.
    template <class Port> CROTON_LAYER void settle(const Port& port, bool fresh) const {
        if (fresh) (port.template put<typename Sink::element, Sink::slot>(kernel::detail::at<K, held<Sink>>(*this)), ...);
        else (port.template settle<typename Sink::reduction, typename Sink::element, Sink::slot>(kernel::detail::at<K, held<Sink>>(*this)), ...);
    }
};

template <int N> CROTON_LAYER void clear(auto* sums) {
    CROTON_UNROLLED
    for (int k = 0; k < N; ++k) sums[k].reset();
}
/// All `N`, a power of two, in the first of them, in pairs: each waits for no more than it must.
template <int N> CROTON_LAYER void join(auto* sums) {
    CROTON_UNROLLED
    for (int k = 0; k < N / 2; ++k) sums[k].combine(sums[k + N / 2]);
    if constexpr (N > 3) join<N / 2>(sums);
}

}  // namespace croton::inline v0_1::detail::cpu_device

#endif
