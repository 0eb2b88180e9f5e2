// SPDX-License-Identifier: MIT
// Loops that read an array across the way they write: squares of it go through the memory of a block, so that both ways are along memory.
#ifndef CROTON_DEVICE_CUDA_TURNED_BODY_HPP
#define CROTON_DEVICE_CUDA_TURNED_BODY_HPP

#include <croton/device/cuda/sums.hpp>
#include <croton/device/cuda/sweep.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace croton::inline v0_1::detail::cuda_device {

/// What a loop by squares is made of, and whether there is one for `Kernel`.
template <class Kernel> struct turned_loops {
    static constexpr bool possible = false;
};
template <class U, int J, class Phase> struct turned_loops<kernel::kernel<0, J, U, kernel::block<>, Phase>> {
    using fp = footprint<kernel::kernel<0, J, U, kernel::block<>, Phase>>;
    using element = kernel::listed_t<typename parts<Phase>::element>;
    using loads = typename streams_of<element>::loads;
    /// Elements of a side of a square, and from row to row of it: one more, so that neither way all threads want the same bank.
    static constexpr int side = 32, pitch = side + 1;
    /// Arrays that may be read across.
    static constexpr int most = std::min(2, kernel::size_of_block<loads>);
    static constexpr int largest = []<class... S>(kernel::block<S...>) {
        int bytes = 1;
        ((bytes = std::max(bytes, static_cast<int>(sizeof(typename S::element)))), ...);
        return bytes;
    }(loads{});
    static constexpr int bytes_of_square = side * pitch * largest;
    /// Whether the loop is one that can: it stores elements, and neither sums nor ends rows.
    static constexpr bool possible = J > 1 && most > 0 && fp::elements.stores && !fp::ends_rows && fp::sum_count == 0 && !fp::uniform.stores;
    /// Whether it does nothing else: then there is code for pieces of 16 bytes, too.
    static constexpr bool copies = fp::elements.size == 2 && fp::elements.streams == 2;
};

/// The kernel over squares of the innermost axis and the one before it, along which the slots in the bits of `a.across` lie in memory. Of both the
/// extent in `a.inner` counts squares; `a.broad` and `a.tall` are their elements. A block takes one square after the other.
template <class Kernel, int Width> struct turned_body;
template <class U, int J, class Phase, int Width>
struct turned_body<kernel::kernel<0, J, U, kernel::block<>, Phase>, Width> {
    using type = kernel::kernel<0, J, U, kernel::block<>, Phase>;
    using facts = turned_loops<type>;
    using fp = footprint<type>;
    static constexpr int I = fp::inner_rank, side = facts::side, pitch = facts::pitch;
    using args = typename block_sums<type, Width>::args;
    using loops = sweep<type, typename parts<Phase>::element, Width>;
    using loads = typename loops::loads;

    template <class Threads> static CROTON_DEVICE void run(Threads& t, const args& a) {
        const auto us = compute_uniforms<U>(a);
        constexpr int in_row = side / Width;
        for (std::int64_t square = t.block(); square < a.pieces; square += a.blocks) {
            std::int64_t at[bound<I>];
            a.inner.decode(square, at);
            const std::int64_t left = at[I - 2] * side, top = at[I - 1] * side;
            for (int p = t.thread(); p < side * in_row; p += t.threads()) {
                const int y = p / in_row, x = p % in_row * Width;
                if (place(a, left + x, top + y, at)) read_across(t, a, at, y * pitch + x, loads{});
            }
            t.sync();
            for (int p = t.thread(); p < side * in_row; p += t.threads()) {
                const int x = p / in_row, y = p % in_row * Width;
                if (!place(a, left + x, top + y, at)) continue;
                pieces<loads, Width> in;
                pieces<typename loops::stores, Width> out;
                take(t, a, at, y * pitch + x, in, loads{});
                const kernel::row_registers<kernel::block<>> rs{};
                partials<kernel::block<>> state, sums;
                columns_in_memory columns{{nullptr, 0}};
                loops::template run<kernel::block<>>(a, at, in, out, us, rs, state, sums, columns);
                loops::put(typename loops::stores{}, a, at, out);
            }
            // The next square comes to where this one is.
            t.sync();
        }
    }

private:
    /// The element at `x` and `y` along the last two axes, and whether the arrays have it.
    static CROTON_DEVICE bool place(const args& a, std::int64_t x, std::int64_t y, std::int64_t* at) {
        at[I - 2] = x;
        at[I - 1] = y;
        return y < a.broad && x < a.tall;
    }
    template <int S> static CROTON_DEVICE bool across(const args& a) { return ((a.across >> S) & 1) != 0; }
    /// Where the square of a slot is.
    template <class T, int S, class Threads> static CROTON_DEVICE T* square_of(Threads& t, const args& a) {
        const bool second = (a.across & ((std::uint64_t{1} << S) - 1)) != 0;
        return reinterpret_cast<T*>(t.shared() + (second ? facts::bytes_of_square : 0));
    }
    template <class Threads, class... Stream>
    static CROTON_DEVICE void read_across(Threads& t, const args& a, const std::int64_t* at, int to, kernel::block<Stream...>) {
        (read_one<typename Stream::element, Stream::slot>(t, a, at, to), ...);
    }
    template <class T, int S, class Threads> static CROTON_DEVICE void read_one(Threads& t, const args& a, const std::int64_t* at, int to) {
        if (!across<S>(a)) return;
        T values[Width];
        move_in(values, reinterpret_cast<const T*>(a.data[S]) + loops::offset(a, S, at));
        CROTON_UNROLL
        for (int i = 0; i < Width; ++i) square_of<T, S>(t, a)[to + i] = values[i];
    }
    template <class Threads, class... Stream>
    static CROTON_DEVICE void take(Threads& t, const args& a, const std::int64_t* at, int from, pieces<loads, Width>& in, kernel::block<Stream...>) {
        (take_one<typename Stream::element, Stream::slot>(t, a, at, from, in), ...);
    }
    template <class T, int S, class Threads>
    static CROTON_DEVICE void take_one(Threads& t, const args& a, const std::int64_t* at, int from, piece<T, S, Width>& to) {
        if (!across<S>(a)) return loops::template fetch<args, T, S>(a, at, to);
        CROTON_UNROLL
        for (int i = 0; i < Width; ++i) to.value[i] = square_of<T, S>(t, a)[from + i * pitch];
    }
};

}  // namespace croton::inline v0_1::detail::cuda_device

#endif
