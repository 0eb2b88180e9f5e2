// SPDX-License-Identifier: MIT
// Rows of which phases compute again what one before them has summed: where that takes long, as exp does, it is kept.
#ifndef CROTON_DEVICE_CPU_KEPT_ROWS_HPP
#define CROTON_DEVICE_CPU_KEPT_ROWS_HPP

#include <croton/core/pages.hpp>
#include <croton/device/cpu/analysis.hpp>
#include <croton/device/cpu/brief.hpp>
#include <croton/device/cpu/spread.hpp>
#include <croton/kernel/blocks.hpp>
#include <croton/kernel/rebuilt.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace croton::inline v0_1::detail::cpu_device {

/// Whether instructions of the blocks `A` and `B` compute the same value.
template <class A, class B> struct same_values {
    template <class X, class Y> static constexpr bool operands(X, Y) { return std::is_same_v<X, Y>; }
    template <int I, int J, class T> static constexpr bool operands(kernel::e<I, T>, kernel::e<J, T>) { return instructions(kernel::instruction_t<A, I>(), kernel::instruction_t<B, J>()); }
    template <class X, class Y> static constexpr bool instructions(X, Y) {
        return std::is_same_v<X, Y> && kernel::element_arguments<X> == 0 && (X::does == kernel::role_none || X::does == role_load || X::does == role_fixed);
    }
    template <class Op, class... X, class... Y>
        requires(sizeof...(X) == sizeof...(Y))
    static constexpr bool instructions(kernel::apply<Op, X...>, kernel::apply<Op, Y...>) {
        return (true && ... && operands(X(), Y()));
    }
    template <class T, class X, class Y> static constexpr bool instructions(kernel::convert<T, X>, kernel::convert<T, Y>) { return operands(X(), Y()); }
};

/// The instructions of a block are bits of a word, and so are the slots of a kernel.
inline constexpr int most_kept_among = 63;

/// Where the block `B` has value `At` of block `A`, which is not brief, or -1.
template <class A, int At, class B> inline constexpr int place_of_value = -1;
template <class A, int At, class... I> inline constexpr int place_of_value<A, At, kernel::block<I...>> = [] {
    if (sizeof...(I) >= most_kept_among) return -1;
    int at = 0, found = -1;
    [[maybe_unused]] const auto look = [&](auto instruction) {
        if constexpr (!is_brief<decltype(instruction)>)
            if (found < 0 && same_values<A, kernel::block<I...>>::instructions(kernel::instruction_t<A, At>(), instruction)) found = at;
        ++at;
    };
    (look(I()), ...);
    return found;
}();

template <class Phase> using elements_of_phase = kernel::listed_t<typename parts<Phase>::element>;
template <class Block, int At> using value_type_of = typename kernel::detail::result<kernel::one_lane, kernel::instruction_t<Block, At>>::type;

/// The last value of a block that takes long and that a later phase has as well, or -1.
template <class Block, class... Rest> inline constexpr int value_to_keep = -1;
template <class... I, class... Rest> inline constexpr int value_to_keep<kernel::block<I...>, Rest...> = []<int... K>(std::integer_sequence<int, K...>) {
    int found = -1;
    [[maybe_unused]] const auto look = [&]<int At>(auto instruction, std::integral_constant<int, At>) {
        if constexpr (!is_brief<decltype(instruction)>)
            if constexpr ((false || ... || (place_of_value<kernel::block<I...>, At, elements_of_phase<Rest>> >= 0)) && std::is_floating_point_v<value_type_of<kernel::block<I...>, At>>) found = At;
    };
    (look(I(), std::integral_constant<int, K>()), ...);
    return found;
}(std::make_integer_sequence<int, static_cast<int>(sizeof...(I))>());

/// The instructions that a block needs, as bits, where value `At` is read from memory.
template <int At, class... I, class... Reduce> constexpr std::uint64_t needed_around(kernel::block<I...>, kernel::block<Reduce...>) {
    constexpr std::uint64_t takes[] = {kernel::element_arguments<I>...};
    constexpr bool writes[] = {(I::does & kernel::role_write) != 0 ...};
    std::uint64_t needed = (std::uint64_t{0} | ... | kernel::element_arguments<Reduce>);
    for (int i = sizeof...(I); i-- > 0;) {
        const std::uint64_t bit = std::uint64_t{1} << i;
        if (writes[i]) needed |= bit;
        if ((needed & bit) != 0 && i != At) needed |= takes[i];
    }
    return needed;
}
/// Operands where only the values `Left` are left of a block.
template <std::uint64_t Left> struct closed_up {
    template <class A> struct made : std::type_identity<A> {};
    template <int I, class T> struct made<kernel::e<I, T>> : std::type_identity<kernel::e<std::popcount(Left & ((std::uint64_t{1} << I) - 1)), T>> {};
    template <class A> using of = typename made<A>::type;
};
template <std::uint64_t Left, int At, class Load, class Numbered> struct block_around;
template <std::uint64_t Left, int At, class Load, int... K, class... I> struct block_around<Left, At, Load, kernel::numbered<std::integer_sequence<int, K...>, kernel::block<I...>>> {
    using type = typename kernel::detail::joined<
        kernel::block<>, std::conditional_t<(Left >> K & 1) == 0, kernel::block<>,
                                            kernel::block<std::conditional_t<K == At, Load, typename kernel::rebuilt<closed_up<Left>, I>::type>>>...>::type;
};
template <class Map, class Block> struct rebuilt_block;
template <class Map, class... I> struct rebuilt_block<Map, kernel::block<I...>> : std::type_identity<kernel::block<typename kernel::rebuilt<Map, I>::type...>> {};

/// A phase that reads from slot `Slot` what is value `At` of the block `A`.
template <class A, int At, int Slot, class Phase> struct phase_that_reads;
template <class A, int At, int Slot, class E, class F, class R> struct phase_that_reads<A, At, Slot, kernel::phase<E, F, R>> {
    using block = kernel::listed_t<E>;
    static constexpr int place = place_of_value<A, At, block>;
    static constexpr std::uint64_t left = place < 0 ? 0 : needed_around<place>(block(), kernel::listed_t<F>());

    template <class Phase> static auto made() {
        if constexpr (place < 0) {
            return std::type_identity<Phase>();
        } else {
            using load = kernel::load<value_type_of<A, At>, Slot>;
            return std::type_identity<kernel::phase<typename block_around<left, place, load, kernel::numbered_t<block>>::type,
                                                    typename rebuilt_block<closed_up<left>, kernel::listed_t<F>>::type, R>>();
        }
    }
    using type = typename decltype(made<kernel::phase<E, F, R>>())::type;

    /// The slot of the one result of the kept type, where the block reads nothing else of memory; else -1.
    template <class... I, int... K> static constexpr int result_of(kernel::numbered<std::integer_sequence<int, K...>, kernel::block<I...>>) {
        int stores = 0, slot = -1;
        bool others = false;
        [[maybe_unused]] const auto look = [&](auto instruction, int k) {
            using i = decltype(instruction);
            if ((left >> k & 1) == 0 || k == place) return;
            if (i::does == role_store) ++stores, slot = std::is_same_v<typename i::element, value_type_of<A, At>> ? i::slot : -1;
            else others = others || i::does != kernel::role_none;
        };
        (look(I(), K), ...);
        return stores == 1 && !others ? slot : -1;
    }
    static constexpr int result = place < 0 ? -1 : result_of(kernel::numbered_t<block>());
};

/// The same kernel, or the one that keeps such a value: in the row of its result, where nothing is read any more that may lie there, else in a slot of its own.
template <class Kernel> struct keeping_rows {
    using type = Kernel;
};
/// The phases from the first one on of which a value is kept. `Slots`: of all, or -1 where there may be no more.
template <int Slots, class... Phase> struct keeping_phases {
    static constexpr bool found = false;
};
template <int Slots, class E, class F, class R, class Next, class... Rest> struct keeping_phases<Slots, kernel::phase<E, F, R>, Next, Rest...> {
    using block = kernel::listed_t<E>;
    using later = keeping_phases<Slots, Next, Rest...>;
    static constexpr int at = value_to_keep<block, Next, Rest...>;
    template <class List> struct kept;
    template <class... I> struct kept<kernel::block<I...>> {
        static constexpr int in_result = [] {
            if constexpr (sizeof...(Rest) == 0) return phase_that_reads<block, at, 0, Next>::result;
            else return -1;
        }();
        static constexpr int slot = in_result >= 0 ? in_result : Slots;
        static constexpr bool found = slot >= 0 && sizeof...(I) < most_kept_among;
        template <class... Done> using type = kernel::block<Done..., kernel::phase<kernel::block<I..., kernel::store<value_type_of<block, at>, slot, kernel::e<at, value_type_of<block, at>>>>, F, R>,
                                                            typename phase_that_reads<block, at, slot, Next>::type, typename phase_that_reads<block, at, slot, Rest>::type...>;
    };
    static constexpr bool here = [] {
        if constexpr (at >= 0) return kept<block>::found;
        else return false;
    }();
    static constexpr bool found = here || later::found;
    template <class... Done> static auto made() {
        if constexpr (here) return std::type_identity<typename kept<block>::template type<Done...>>();
        else return later::template made<Done..., kernel::phase<E, F, R>>();
    }
};
template <int O, int I, class U, class Row, class Phases> struct kernel_of_phases;
template <int O, int I, class U, class Row, class... Phase> struct kernel_of_phases<O, I, U, Row, kernel::block<Phase...>> : std::type_identity<kernel::kernel<O, I, U, Row, Phase...>> {};

template <int O, int I, class U, class Row, class First, class Second, class... Rest>
    requires(!any_spread<First, Second, Rest...>)
struct keeping_rows<kernel::kernel<O, I, U, Row, First, Second, Rest...>> {
private:
    using rows = kernel::row_program<Row, First, Second, Rest...>;
    static constexpr int slots = slot_count<U, rows, typename parts<First>::element, typename parts<Second>::element, typename parts<Rest>::element...>();
    using search = keeping_phases<(O == 0 || slots > most_kept_among) ? -1 : slots, First, Second, Rest...>;
    template <class Search> static auto made() {
        if constexpr (Search::found) return kernel_of_phases<O, I, U, Row, typename decltype(Search::template made<>())::type>();
        else return std::type_identity<kernel::kernel<O, I, U, Row, First, Second, Rest...>>();
    }

public:
    using type = typename decltype(made<search>())::type;
};

/// The slot that a kernel writes in one phase and reads in a later one, which is nobody's but its own; -1 where there is none.
template <class... Phase> constexpr int own_slot() {
    if constexpr (sizeof...(Phase) < 2) {
        return -1;
    } else {
        std::uint64_t written = 0, own = 0;
        [[maybe_unused]] const auto look = [&]<class... I>(kernel::block<I...>) {
            std::uint64_t loads = 0, stores = 0;
            [[maybe_unused]] constexpr auto bit = [](int slot, bool wanted) { return wanted && slot >= 0 && slot < 64 ? std::uint64_t{1} << slot : std::uint64_t{0}; };
            stores = (std::uint64_t{0} | ... | bit(I::slot, (I::does & role_store) != 0));
            loads = (std::uint64_t{0} | ... | bit(I::slot, (I::does & role_store) == 0));
            own = (own | (loads & written)) & ~stores;
            written |= stores;
        };
        (look(elements_of_phase<Phase>()), ...);
        return own == 0 ? -1 : std::countr_zero(own);
    }
}

/// Memory of this thread for so many bytes, which stays its own: for what is too large for the stack.
inline std::byte* thread_room(std::size_t bytes) {
    struct block {
        std::byte* data = nullptr;
        std::size_t size = 0;

        block() = default;
        block(const block&) = delete;
        ~block() { resize(0); }
        void resize(std::size_t wanted) {
            if (size > 0) deallocate_on_host(data, std::exchange(size, 0));
            if (wanted > 0) data = static_cast<std::byte*>(allocate_on_host(wanted));
            size = wanted;
        }
    };
    static thread_local block own;
    if (own.size < bytes) own.resize(bytes);
    return own.data;
}

/// Rows of the slot `Own` of a kernel, of which a loop runs some at a time.
template <int Slots, int Own> struct own_rows {
    static constexpr int slot = Own;
    /// More of them would leave the first cache.
    static constexpr std::int64_t bytes_at_once = 16 * 1024;

    /// What a row of so many bytes takes.
    static std::int64_t bytes_of(std::int64_t row) { return std::max<std::int64_t>(64, (row + 63) & -64); }

    /// Calls `run` with slots of which that one is dense along the inner axes; where it lies shows later.
    template <int O, int I, class Run> static void with_slot(const std::int64_t* extents, const kernel::operand* given, const Run& run) {
        [[maybe_unused]] std::byte nowhere{};
        kernel::operand all[Slots];
        std::copy_n(given, Own, all);
        all[Own] = {&nowhere, {}};
        std::int64_t count = 1;
        for (int a = O + I; a-- > O; count *= extents[a]) all[Own].stride[static_cast<std::size_t>(a)] = count;
        run(all);
    }

    /// Calls `run` with slots for the outer indices `begin` .. `end`, as many as have room.
    template <class Nest, class Run> static void each(const Nest& outer, const kernel::operand* given, std::int64_t row_bytes, std::int64_t begin, std::int64_t end, const Run& run) {
        const std::int64_t rows = outer.rank > 0 ? outer.extent[outer.rank - 1] : 1, most = std::max<std::int64_t>(1, bytes_at_once / row_bytes);
        kernel::operand all[Slots];
        std::copy_n(given, Slots, all);
        alignas(64) std::byte on_stack[bytes_at_once];
        std::byte* const room = row_bytes > bytes_at_once ? thread_room(static_cast<std::size_t>(row_bytes)) : on_stack;
        for (std::int64_t count; begin < end; begin += count) {
            const std::int64_t at = begin % rows;
            count = std::min({most, end - begin, rows - at});
            all[Own].data = room - at * row_bytes;
            run(all, begin, begin + count);
        }
    }
};

}  // namespace croton::inline v0_1::detail::cpu_device

#endif
