// SPDX-License-Identifier: MIT
// Loops of kernels that compute elements and nothing else, without rows, sums or indices: one code for all that have about as many slots.
#ifndef CROTON_DEVICE_CPU_ELEMENT_LOOP_HPP
#define CROTON_DEVICE_CPU_ELEMENT_LOOP_HPP

#include <croton/device/cpu/arrangement.hpp>
#include <croton/device/cpu/inner.hpp>
#include <croton/device/cpu/nest.hpp>
#include <croton/device/cpu/shared_loop.hpp>
#include <croton/device/cpu/shuffled_copy.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace croton::inline v0_1::detail::cpu_device {

/// Whether a kernel is one phase that computes elements: its loops differ from others in their code alone.
template <class Arranged, class Kernel> inline constexpr bool computes_elements = false;
template <class Arranged, int I, class U, class Phase>
inline constexpr bool computes_elements<Arranged, kernel::kernel<0, I, U, kernel::block<>, Phase>> =
    I > 0 && Arranged::axes == 0 && !Arranged::has_sums && !Arranged::gathers && kernel::size_of_block<typename parts<Phase>::reduces> == 0 &&
    kernel::size_of_block<typename parts<Phase>::row> == 0;

constexpr int most_slots(int slots) { return std::max(4, static_cast<int>(std::bit_ceil(static_cast<unsigned>(slots)))); }

/// `Slots`: the most that such a kernel has.
template <class Arch, int Slots> struct element_loop {
    /// What `loop_code` and `shared_phase` pass on.
    struct setup {
        nest<Slots> inner;
        const phase_code* code;
        const void* outside;  // what the loops of the phase know
        bool unit, streams;
    };

    /// The whole of a loop, of a kernel whose `loop_code` has the rows below.
    [[gnu::noinline]] static void run(const loop_code& loop, const phase_code& code, const std::int64_t* extents, const operand* slot, const void* outside) {
        setup s;
        s.code = &code;
        s.outside = outside;
        nest<1, 1> none;
        s.unit = arrange_many<Arch>(*loop.facts, none.room(), s.inner.room(), extents, slot);
        run_loop<Arch>({&loop, &s, slot, extents, 0, s.inner.rank, none.extent, s.inner.extent, s.unit, &s.streams}, nullptr);
    }

    [[gnu::noinline]] static void rows(const void* of, const operand* slot, std::int64_t, std::int64_t, total*, split how) {
        const setup& s = *static_cast<const setup*>(of);
        std::byte* base[bound<Slots>];
        for (int k = 0; k < s.code->slots; ++k) base[k] = kernel::alone(slot[k].data);
        const std::int64_t nowhere[bound<Slots>] = {}, zeros[max_rank] = {};
        std::int64_t index[1] = {};
        std::byte sums{};  // there are none
        const number_port numbers{base, nullptr, index, nullptr, nullptr, nullptr};
        if (how.parts > 1) run_shares<Arch>({&share, of, s.inner.rank, s.inner.extent, base, 0, nullptr, &numbers, 0, &sums, 0, nullptr, 0, s.streams}, how);
        else if (s.unit && s.inner.rank == 1 && !s.streams) s.code->runs(base, nowhere, 1, 0, s.inner.extent[0], s.outside, &sums);
        else part(of, base, zeros, s.inner.extent, index, nullptr, &sums, numbers);
    }

private:
    static void part(const void* of, std::byte* const* base, const std::int64_t* lo, const std::int64_t* hi, std::int64_t* index, const void*, void* sums,
                     const number_port& numbers) {
        const setup& s = *static_cast<const setup*>(of);
        if (s.code->copied != nullptr && copy_slots<Arch>(*s.code->copied, s.code->stream_bytes, s.inner.rank, s.inner.stride, base, lo, hi)) return;
        std::byte* p[bound<Slots>];
        std::int64_t innermost[bound<Slots>], apart[bound<Slots>];
        run_axes<Arch>({s.code, of, s.inner.rank, s.inner.stride, s.unit, s.streams, nullptr, index, s.outside, sums, &numbers}, base, lo, hi, p, innermost, apart);
    }
    static constexpr shared_phase share{part, nullptr, nullptr};
};

/// The loop of an `engine` whose kernel has the uniforms `U` and the one phase `Phase`.
template <class Engine, class U, class Phase> void run_elements(const std::int64_t* extents, const operand* slot, const std::int64_t* scalars) {
    const std::int64_t index[1] = {};
    typename Engine::uniform_file uniforms;
    if constexpr (kernel::size_of_block<U> > 0) {
        std::byte* base[bound<Engine::slots>];
        for (int k = 0; k < Engine::slots; ++k) base[k] = kernel::alone(slot[k].data);
        const number_port numbers{base, scalars, index, nullptr, nullptr, nullptr};
        kernel::run_uniform_block<U>(numbers, uniforms);
    }
    const typename Engine::row_file rows{};
    const typename Engine::template sweep_of<Phase>::around outside{uniforms, rows, scalars, index, nullptr};
    Engine::elements::run(Engine::loop, Engine::template code<Phase>, extents, slot, &outside);
}

}  // namespace croton::inline v0_1::detail::cpu_device

#endif
