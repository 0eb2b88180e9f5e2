// SPDX-License-Identifier: MIT
// A phase of one outer index on several threads, which share an inner axis.
#ifndef CROTON_DEVICE_CPU_SPLIT_PHASE_HPP
#define CROTON_DEVICE_CPU_SPLIT_PHASE_HPP

#include <croton/device/cpu/arrangement.hpp>
#include <croton/device/cpu/own_columns.hpp>
#include <croton/device/cpu/row_sums.hpp>
#include <croton/device/cpu/shared_loop.hpp>

#include <cstddef>
#include <utility>

namespace croton::inline v0_1::detail::cpu_device {

template <class Engine, class Phase> struct split_phase;
template <template <class, class> class Engine, class Kernel, class Arch, class Phase> struct split_phase<Engine<Kernel, Arch>, Phase> {
    using engine = Engine<Kernel, Arch>;
    using setup = typename engine::setup;
    using row_file = typename engine::row_file;
    using loops = typename engine::template sweep_of<Phase>;
    using own = own_columns<Arch, engine::slots, typename loops::columns>;
    /// Whether threads may have sums of columns of their own along an inner axis. Those beside sums of rows go to memory row by row, and lose more where there are more of them.
    static bool owns(const setup& s, int axis) {
        if constexpr (loops::column_count == 0) return true;
        else return loops::sink_count == 0 && own::fit(s.inner, axis);
    }

    static constexpr int slots = engine::slots;
    static constexpr bool sums_within = engine::template sums_within<Phase>;

    static void begin(void* sums, [[maybe_unused]] total* totals) {
        static_cast<typename loops::state*>(sums)->reset();
        if constexpr (sums_within) engine::fill_sums(nullptr, nullptr, totals);
    }
    static void end(const void* s, std::byte* const* base, void* sums, const number_port& numbers) {
        engine::template settle_lines<Phase, true>(*static_cast<const setup*>(s), base, *static_cast<typename loops::state*>(sums), numbers);
    }
    static constexpr shared_phase code_of() {
        shared_phase code{engine::template run_inner<Phase>, nullptr, nullptr};
        if constexpr (loops::sink_count > 0) code.begin = begin;
        if constexpr (sums_within) code.end = end;
        return code;
    }
    static constexpr shared_phase shared = code_of();

    /// What is summed goes to the row values from number `First` on.
    template <int First> [[gnu::noinline, gnu::cold]] static void run(const setup& s, std::byte* const* base, row_file& rs, const number_port& numbers, split how) {
        using collector = reducer<typename loops::state, row_file, kernel::listed_t<typename parts<Phase>::reduces>>;
        constexpr std::make_integer_sequence<int, loops::reduce_count> sequence{};
        struct alignas(64) partial {
            typename loops::state sums;
        };
        partial each[loops::sink_count > 0 ? most_threads : 1];
        total totals[sums_within ? most_threads : 1][bound<slots>];
        const auto run_all = [&](std::byte* const* bases, int step) {
            run_shares<Arch>({&shared, &s, s.inner.rank, s.inner.extent, bases, step, &rs, &numbers, engine::indices, reinterpret_cast<std::byte*>(each),
                              loops::sink_count > 0 ? sizeof(partial) : 0, totals[0], sums_within ? slots : 0, s.streams}, how);
        };
        if constexpr (loops::column_count == 0) run_all(base, 0);
        else if (engine::splits(s, s.inner, how.axis, false)) run_all(base, 0);
        else own::share(base, s.inner.extent[s.inner.rank - 1], how.parts, run_all);
        if constexpr (loops::reduce_count > 0) {
            for (int part = 1; part < how.parts; ++part) collector::combine(sequence, each[part].sums, each[0].sums);
            collector::template direct<First>(sequence, each[0].sums, rs);
        }
        if constexpr (sums_within) {
            const auto join = [&](auto effect) {
                using e = decltype(effect);
                if constexpr (e::does == role_inner)
                    if (s.whole[e::slot])
                        for (int part = 0; part < how.parts; ++part)
                            numbers.template add<typename e::reduction, typename e::element, e::slot>(totals[part][e::slot].template get<kernel::partial_t<e>>());
            };
            visit_sums<typename parts<Phase>::element>(join);
        }
    }
};

}  // namespace croton::inline v0_1::detail::cpu_device

#endif
