// SPDX-License-Identifier: MIT
// A row that is read once: what its threads hold of it in registers while several phases go over it.
#ifndef CROTON_DEVICE_CUDA_HELD_ROW_HPP
#define CROTON_DEVICE_CUDA_HELD_ROW_HPP

#include <croton/device/cuda/group.hpp>
#include <croton/device/cuda/sweep.hpp>

#include <algorithm>
#include <cstdint>

namespace croton::inline v0_1::detail::cuda_device {

/// The bytes of a piece of every stream of a list.
template <class Streams, int Width> inline constexpr int bytes_of_piece = 0;
template <class... S, int Width>
inline constexpr int bytes_of_piece<kernel::block<S...>, Width> = (0 + ... + (Width * static_cast<int>(sizeof(typename S::element))));

template <class Kernel, int Width> struct held_row;
template <int O, int J, class U, class Row, class... Phases, int Width>
struct held_row<kernel::kernel<O, J, U, Row, Phases...>, Width> {
    using type = kernel::kernel<O, J, U, Row, Phases...>;
    using fp = footprint<type>;
    static constexpr int I = fp::inner_rank;
    /// What any phase reads.
    using loads = typename streams_of<typename kernel::detail::joined<kernel::listed_t<typename parts<Phases>::element>...>::type>::loads;

    /// Pieces of a row that a thread can hold: half of the registers that eight warps of four blocks have.
    static constexpr int most = [] {
        constexpr int bytes = bytes_of_piece<loads, Width>;
        if constexpr (bytes == 0) return 0;
        else return std::min(8, 128 / bytes);
    }();
    /// Whether a row can be read before anything is written: only the last phase writes, and nothing of it is read by a phase that follows.
    static constexpr bool possible = [] {
        if (sizeof...(Phases) < 2 || most == 0) return false;
        int left = sizeof...(Phases);
        bool writes = facts_of_blocks<Row>().stores;
        ((--left, writes = writes || (left > 0 && facts_of_blocks<typename parts<Phases>::element, typename parts<Phases>::row>().stores)), ...);
        return !writes;
    }();

    struct file {
        pieces<loads, Width> at[most > 0 ? most : 1];
    };

    /// Reads what this thread takes of the row: every `g.size()`-th piece. All are on the way at once.
    template <class Threads, class Args> static CROTON_DEVICE void fetch(const group<Threads>& g, const Args& a, const std::int64_t* index, file& to) {
        each(g, a, index, [&](int k, const std::int64_t* at) { sweep<type, kernel::block<>, Width>::fetch(loads{}, a, at, to.at[k]); });
    }
    /// Runs a phase over what it holds.
    template <class Phase, class Threads, class Args, class Us, class Rs, class State, class Totals>
    static CROTON_DEVICE void run(const group<Threads>& g, const Args& a, const std::int64_t* index, const file& from, const Us& us, const Rs& rs,
                                  State& state, Totals& sums, const group_copies& copies) {
        using loops = sweep<type, typename parts<Phase>::element, Width>;
        each(g, a, index, [&](int k, const std::int64_t* at) {
            pieces<typename loops::stores, Width> out;
            columns_in_memory columns{copies};
            loops::template run<typename parts<Phase>::reduces>(a, at, from.at[k], out, us, rs, state, sums, columns);
            loops::put(typename loops::stores{}, a, at, out);
        });
    }

private:
    // `most` is a constant, so that what is held has no address.
    template <class Threads, class Args, class F> static CROTON_DEVICE void each(const group<Threads>& g, const Args& a, const std::int64_t* index, F f) {
        CROTON_UNROLL
        for (int k = 0; k < most; ++k) {
            const std::int64_t piece = g.lane() + static_cast<std::int64_t>(k) * g.size();
            if (piece >= a.pieces) continue;
            std::int64_t at[bound<O + I>];
            CROTON_UNROLL
            for (int x = 0; x < O; ++x) at[x] = index[x];
            a.inner.decode(piece, at + O);
            at[O + I - 1] *= Width;
            f(k, at);
        }
    }
};

}  // namespace croton::inline v0_1::detail::cuda_device

#endif
