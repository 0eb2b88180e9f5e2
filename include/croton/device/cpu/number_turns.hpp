// SPDX-License-Identifier: MIT
// Turns of single numbers, which are carried in registers.
#ifndef CROTON_DEVICE_CPU_NUMBER_TURNS_HPP
#define CROTON_DEVICE_CPU_NUMBER_TURNS_HPP

#include <croton/device/cpu/numbers.hpp>
#include <croton/kernel/argument.hpp>
#include <croton/kernel/registers.hpp>
#include <croton/kernel/turns.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace croton::inline v0_1::detail::cpu_device {

/// A number for each slot.
template <const auto& Slots, class Sequence> struct slot_numbers;
template <const auto& Slots, int... S> struct slot_numbers<Slots, std::integer_sequence<int, S...>> : kernel::detail::cell<S, element_t<Slots[static_cast<std::size_t>(S)].type>>... {};

/// What the turns have, whose slots are `Slots`.
template <const auto& Slots, int Count> struct turn_state {
    slot_numbers<Slots, std::make_integer_sequence<int, Count>> held;
    std::byte* p[static_cast<std::size_t>(Count + 1)];
    const std::int64_t* scalars;
    std::int64_t number;

    template <int S> static constexpr kernel::turn_slot slot = Slots[static_cast<std::size_t>(S)];
    template <int S> CROTON_INLINE auto& cell() { return kernel::detail::at<S, element_t<slot<S>.type>>(held); }
    template <int S> CROTON_INLINE auto& memory() { return *reinterpret_cast<element_t<slot<S>.type>*>(p[S]); }
};

/// Memory as a kernel of them sees it whose slots begin with number `From`.
template <int From, class State> struct turn_port {
    State& of;

    template <class T, int S> CROTON_INLINE arithmetic_t<T> read(kernel::load<T, S>) {
        constexpr kernel::turn_slot slot = State::template slot<From + S>;
        if constexpr (slot.what == kernel::turn_slot::number) return static_cast<arithmetic_t<T>>(of.number);
        else if constexpr (slot.what == kernel::turn_slot::fixed || slot.what == kernel::turn_slot::carried) return of.template cell<From + S>();
        else if constexpr (slot.what == kernel::turn_slot::passed) return of.template cell<slot.from>();
        else return of.template memory<From + S>();
    }
    template <class T, int I> CROTON_INLINE T read(kernel::scalar<T, I>) const { return static_cast<T>(of.scalars[I]); }
    template <class T, int S, class A> CROTON_INLINE void write(kernel::store<T, S, A>, arithmetic_t<T> v) {
        constexpr auto what = State::template slot<From + S>.what;
        if constexpr (what == kernel::turn_slot::memory || what == kernel::turn_slot::kept_next) of.template memory<From + S>() = v;
        if constexpr (what != kernel::turn_slot::memory) of.template cell<From + S>() = v;
    }
};

template <class Kernels, const auto& Slots, class Arch> struct number_turns;
template <class... Kernel, const auto& Slots, class Arch> struct number_turns<kernel::turn_kernels<Kernel...>, Slots, Arch> {
    static constexpr int count = static_cast<int>(Slots.size()) - 1;
    using state = turn_state<Slots, count>;

    /// `first` and `second` are the slots of the first two turns, or of the first one twice: from turn to turn each goes on as between these. Gives the number of turns, `last` the slots of one.
    template <class Last>
    [[gnu::noinline]] static std::int64_t run(const kernel::operand* first, const kernel::operand* second, const std::int64_t* scalars, const kernel::turn_range& range, const Last& last) {
        return run(first, second, scalars, range, last, std::make_integer_sequence<int, count>());
    }

private:
    template <class Last, int... S>
    CROTON_LAYER static std::int64_t run(const kernel::operand* first, const kernel::operand* second, const std::int64_t* scalars, const kernel::turn_range& range, const Last& last,
                                         std::integer_sequence<int, S...>) {
        state at;
        at.scalars = scalars;
        at.number = range.number;
        std::int64_t step[static_cast<std::size_t>(count + 1)];
        ((at.p[S] = first[S].data, step[S] = second[S].data - first[S].data), ...);
        (begin<S>(at), ...);
        const std::int64_t turns = range.count;
        std::int64_t turn = 0;
        while (turn < turns) {
            (run_kernel(at, Kernel()), ...);
            (carry<S>(at), ...);
            ((moves<S> ? void(at.p[S] += step[S]) : void()), ...);
            at.number += range.step;
            ++turn;
            if (range.stops != nullptr && *range.stops) break;
        }
        if (turn > 0) {
            const kernel::operand* const left = last(turn - 1);
            ((at.p[S] = left[S].data), ...);
            ((slot<S>.what == kernel::turn_slot::next ? void(at.template memory<S>() = at.template cell<S>()) : void()), ...);
        }
        return turn;
    }
    template <int S> static constexpr kernel::turn_slot slot = Slots[static_cast<std::size_t>(S)];
    /// What is carried on is there from the beginning as well: compilers do not see that there is a turn.
    template <int S> CROTON_INLINE static void begin(state& at) {
        if constexpr (slot<S>.what == kernel::turn_slot::carried || slot<S>.what == kernel::turn_slot::fixed) at.template cell<S>() = at.template memory<S>();
        else if constexpr (slot<S>.what == kernel::turn_slot::next) at.template cell<S>() = {};
    }
    template <int S> static constexpr bool moves = slot<S>.what == kernel::turn_slot::memory || slot<S>.what == kernel::turn_slot::kept_next;
    template <int S> CROTON_INLINE static void carry(state& at) {
        if constexpr (slot<S>.what == kernel::turn_slot::carried) at.template cell<S>() = at.template cell<slot<S>.from>();
    }
    template <int From, class U, class Row> CROTON_LAYER static void run_kernel(state& at, kernel::kernel_from<From, kernel::kernel<0, 0, U, Row>>) {
        turn_port<From, state> port{at};
        kernel::uniform_registers<U> us;
        kernel::run_uniform_block<U>(port, us);
        kernel::row_registers<Row> rs{};
        kernel::run_row_block<0, Row>(port, us, rs);
    }
};

}  // namespace croton::inline v0_1::detail::cpu_device

#endif
