// SPDX-License-Identifier: MIT
// One piece of the inner loops: loaded in words of up to 16 bytes, run element by element, stored the same way.
#ifndef CROTON_DEVICE_CUDA_SWEEP_HPP
#define CROTON_DEVICE_CUDA_SWEEP_HPP

#include <croton/device/cuda/arguments.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace croton::inline v0_1::detail::cuda_device {

/// `Width` neighbours of a slot in registers.
template <class T, int Slot, int Width> struct piece {
    T value[Width];
};
template <class Streams, int Width> struct pieces;
template <class... S, int Width>
struct pieces<kernel::block<S...>, Width> : piece<typename S::element, S::slot, Width>... {};

/// As many neighbours as one memory instruction moves.
template <class T, int Count> struct alignas(sizeof(T) * Count) word {
    T value[Count];
};
template <class T, int Width> inline constexpr int per_word = Width * static_cast<int>(sizeof(T)) > 16 ? 16 / static_cast<int>(sizeof(T)) : Width;

template <class T, int Width> CROTON_DEVICE void move_in(T (&to)[Width], const T* from) {
    using unit = word<T, per_word<T, Width>>;
    CROTON_UNROLL
    for (int i = 0; i < Width; i += per_word<T, Width>) {
        const unit w = *reinterpret_cast<const unit*>(from + i);
        CROTON_UNROLL
        for (int k = 0; k < per_word<T, Width>; ++k) to[i + k] = w.value[k];
    }
}
template <class T, int Width> CROTON_DEVICE void move_out(T* to, const T (&from)[Width]) {
    using unit = word<T, per_word<T, Width>>;
    CROTON_UNROLL
    for (int i = 0; i < Width; i += per_word<T, Width>) {
        unit w;
        CROTON_UNROLL
        for (int k = 0; k < per_word<T, Width>; ++k) w.value[k] = from[i + k];
        *reinterpret_cast<unit*>(to + i) = w;
    }
}

/// The same for what is only copied, as one instruction of 16 bytes: of such values nvcc makes stores of 4, whatever the word is.
template <class T, int Width> CROTON_DEVICE void copy_out(T* to, const T (&from)[Width]) {
#if CROTON_HAS_GPU_CODE
    if constexpr (per_word<T, Width> * sizeof(T) == 16) {
        CROTON_UNROLL
        for (int i = 0; i < Width; i += per_word<T, Width>) {
            unsigned part[4];
            __builtin_memcpy(part, from + i, 16);
            asm volatile("st.global.v4.b32 [%0], {%1, %2, %3, %4};" ::"l"(__cvta_generic_to_global(to + i)), "r"(part[0]), "r"(part[1]), "r"(part[2]), "r"(part[3]) : "memory");
        }
        return;
    }
#endif
    move_out(to, from);
}

/// The partial results of sums or reductions, in the registers of a thread.
template <class Sequence, class Sums> struct partial_cells;
template <int... K, class... S>
struct partial_cells<std::integer_sequence<int, K...>, kernel::block<S...>>
    : kernel::detail::cell<K, kernel::partial_t<S>>... {
    CROTON_DEVICE void clear() {
        ((kernel::detail::at<K, kernel::partial_t<S>>(*this) = S::reduction::template identity<kernel::partial_t<S>>()), ...);
    }
};
template <class Sums>
using partials = partial_cells<std::make_integer_sequence<int, kernel::size_of_block<Sums>>, Sums>;

/// Sums along the innermost axis in memory: a thread adds to its own elements in the copy of its group.
struct columns_in_memory {
    static constexpr bool in_registers = false;
    group_copies copies;
};

/// The same in registers, for `Width` neighbours of every sum.
template <class Sequence, class Sums, int Width> struct column_cells;
template <int K, class W, int Width> struct column_cell {
    W value[Width];
};
template <int K, class W, int Width> CROTON_DEVICE W (&column(column_cell<K, W, Width>& c))[Width] {
    return c.value;
}
template <int... K, class... S, int Width>
struct column_cells<std::integer_sequence<int, K...>, kernel::block<S...>, Width>
    : column_cell<K, kernel::partial_t<S>, Width>... {
    static constexpr bool in_registers = true;
    CROTON_DEVICE void clear() { (clear_one<typename S::reduction>(column<K>(*this)), ...); }
    template <class R, class W> static CROTON_DEVICE void clear_one(W (&cell)[Width]) {
        CROTON_UNROLL
        for (int i = 0; i < Width; ++i) cell[i] = R::template identity<W>();
    }
};
template <class Sums, int Width>
using columns_in_registers = column_cells<std::make_integer_sequence<int, kernel::size_of_block<Sums>>, Sums, Width>;

/// The element block `Element` of a kernel over pieces of `Width` elements.
template <class Kernel, class Element, int Width> struct sweep {
    using fp = footprint<Kernel>;
    using loads = typename streams_of<kernel::listed_t<Element>>::loads;
    using stores = typename streams_of<kernel::listed_t<Element>>::stores;
    using totals = partials<typename fp::sums>;
    static constexpr int O = fp::outer_rank, I = fp::inner_rank;

    /// Where the element block finds its memory: element `lane` of a piece.
    template <class Args, class Columns, class In> struct port {
        const Args& a;
        const std::int64_t* index;  // per loop axis, of the first element of the piece
        const In& in;  // these pieces, or more
        pieces<stores, Width>& out;
        totals& sums;
        Columns& columns;
        int lane;

        template <class T, int S> static CROTON_DEVICE const T& at(const piece<T, S, Width>& p, int lane) { return p.value[lane]; }
        template <class T, int S> static CROTON_DEVICE T& at(piece<T, S, Width>& p, int lane) { return p.value[lane]; }

        template <class T, int S> CROTON_DEVICE arithmetic_t<T> read(kernel::load<T, S>) const { return at<T, S>(in, lane); }
        template <class T, int S> CROTON_DEVICE arithmetic_t<T> read(kernel::load_fixed<T, S>) const { return at<T, S>(in, lane); }
        template <class T, int S, class A, class Index> CROTON_DEVICE arithmetic_t<T> read(kernel::gather<T, S, A>, Index i) const {
            return reinterpret_cast<const T*>(a.data[S])[offset(a, S, index) + lane * a.stride[S][O + I - 1] + a.along[S].offset(i)];
        }
        template <class T, int S, class A, class Index> CROTON_DEVICE arithmetic_t<T> read(kernel::load_at<T, S, A>, Index i) const {
            return read(kernel::gather<T, S, A>{}, i);
        }
        template <class T, int K> CROTON_DEVICE T read(kernel::scalar<T, K>) const { return static_cast<T>(a.scalar[K]); }
        template <class T, int Axis> CROTON_DEVICE T read(kernel::iota<T, Axis>) const {
            return static_cast<T>(index[Axis] + (Axis == O + I - 1 ? lane : 0));
        }
        template <class T, int S, class A> CROTON_DEVICE void write(kernel::store<T, S, A>, arithmetic_t<T> v) const {
            at<T, S>(out, lane) = v;
        }
        template <class R, class T, int S, class A> CROTON_DEVICE void write(kernel::accumulate<R, T, S, A>, T v) const {
            using W = wide<R, T>;
            constexpr int k = fp::template sum_of_slot<S>;
            const auto& place = a.sum[k];
            if (place.kind == sum_kind::column) {
                if constexpr (Columns::in_registers) {
                    W& mine = column<k>(columns)[lane];
                    mine = R::combine(mine, static_cast<W>(v));
                } else {
                    std::int64_t at = lane * place.stride[O + I - 1];
                    CROTON_UNROLL
                    for (int x = 0; x < O + I; ++x) at += index[x] * place.stride[x];
                    W& memory = columns.copies.template at<W>(place)[at];
                    memory = R::combine(memory, static_cast<W>(v));
                }
            } else {
                W& partial = kernel::detail::at<k, W>(sums);
                partial = R::combine(partial, static_cast<W>(v));
            }
        }
        template <class R, class T, int S, class A>
        CROTON_DEVICE void write(kernel::accumulate_inner<R, T, S, A>, T v) const {
            write(kernel::accumulate<R, T, S, A>{}, v);
        }
    };

    template <class Args> static CROTON_DEVICE std::int64_t offset(const Args& a, int slot, const std::int64_t* index) {
        std::int64_t n = 0;
        CROTON_UNROLL
        for (int x = 0; x < O + I; ++x) n += index[x] * a.stride[slot][x];
        return n;
    }

    template <class Args, class T, int S>
    static CROTON_DEVICE void fetch(const Args& a, const std::int64_t* index, piece<T, S, Width>& to) {
        const T* from = reinterpret_cast<const T*>(a.data[S]) + offset(a, S, index);
        if constexpr (Width == 1) {
            to.value[0] = *from;
        } else if ((a.fixed >> S) & 1) {
            const T v = *from;
            CROTON_UNROLL
            for (int i = 0; i < Width; ++i) to.value[i] = v;
        } else {
            move_in(to.value, from);
        }
    }
    template <class Args, class In, class... Stream>
    static CROTON_DEVICE void fetch(kernel::block<Stream...>, const Args& a, [[maybe_unused]] const std::int64_t* index, [[maybe_unused]] In& in) {
        (fetch<Args, typename Stream::element, Stream::slot>(a, index, in), ...);
    }

    template <class Args, class T, int S>
    static CROTON_DEVICE void put(const Args& a, const std::int64_t* index, const piece<T, S, Width>& from) {
        T* to = reinterpret_cast<T*>(a.data[S]) + offset(a, S, index);
        constexpr bool only_copies = kernel::size_of_block<kernel::listed_t<Element>> == kernel::size_of_block<loads> + kernel::size_of_block<stores>;
        if constexpr (Width == 1) *to = from.value[0];
        else if constexpr (only_copies) copy_out(to, from.value);
        else move_out(to, from.value);
    }
    template <class Args, class... Stream>
    static CROTON_DEVICE void put(kernel::block<Stream...>, const Args& a, [[maybe_unused]] const std::int64_t* index, [[maybe_unused]] const pieces<stores, Width>& out) {
        (put<Args, typename Stream::element, Stream::slot>(a, index, out), ...);
    }

    // Combines the values of one element with the reductions of the phase.
    template <class... Reduce, int... K, class State, class Us, class Rs, class Es>
    static CROTON_DEVICE void feed(kernel::block<Reduce...>, std::integer_sequence<int, K...>, State& state, const Us& us, const Rs& rs, const Es& es) {
        ((kernel::detail::at<K, kernel::partial_t<Reduce>>(state) = Reduce::reduction::combine(
              kernel::detail::at<K, kernel::partial_t<Reduce>>(state), static_cast<kernel::partial_t<Reduce>>(
                                                kernel::fetch<kernel::one_lane>(typename Reduce::argument{}, us, rs, es)))),
         ...);
    }

    template <class Reduces, class Args, class In, class Us, class Rs, class State, class Columns>
    static CROTON_DEVICE void run(const Args& a, const std::int64_t* index, const In& in, pieces<stores, Width>& out,
                                  const Us& us, const Rs& rs, State& state, totals& sums, Columns& columns) {
        CROTON_UNROLL
        for (int lane = 0; lane < Width; ++lane) {
            const port<Args, Columns, In> memory{a, index, in, out, sums, columns, lane};
            kernel::registers<kernel::one_lane, Element> es;
            kernel::run_element_block<kernel::one_lane>(kernel::numbered_t<Element>{}, memory, us, rs, es);
            feed(Reduces{}, std::make_integer_sequence<int, kernel::size_of_block<Reduces>>{}, state, us, rs, es);
        }
    }
};

}  // namespace croton::inline v0_1::detail::cuda_device

#endif
