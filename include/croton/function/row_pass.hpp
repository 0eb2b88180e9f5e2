// SPDX-License-Identifier: MIT
// Runs the steps of a `one_pass` block of rows by block of rows, so that the matrix which the first and the last multiply stays in cache between them.
#ifndef CROTON_FUNCTION_ROW_PASS_HPP
#define CROTON_FUNCTION_ROW_PASS_HPP

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <utility>

#include <croton/core/clock.hpp>
#include <croton/device/device.hpp>
#include <croton/function/part_of_step.hpp>
#include <croton/plan/lower.hpp>
#include <croton/plan/one_pass.hpp>
#include <croton/profile/recorder.hpp>

namespace croton::inline v0_1::detail {

/// Tells a recorder, where one listens, how long each of the steps of a pass took: they run in turns, on several threads. Who does not listen runs the same code.
class pass_times {
public:
    explicit pass_times(recorded_call* call) : call_(call), began_(now()) {}

    std::int64_t now() const { return call_ ? system_nanoseconds() : 0; }
    /// Gives the time.
    std::int64_t took(int step, std::int64_t began) {
        if (!call_) return 0;
        const std::int64_t ended = now();
        time_[static_cast<std::size_t>(step)].fetch_add(ended - began, std::memory_order_relaxed);
        return ended;
    }
    void step(int index) {
        if (!call_) return;
        // What the last product has taken of the pass is told with what it takes to be stored: the recorder has not heard of that time yet.
        if (waits_) call_->step(index, now() - began_);
        else call_->step(index);
        began_ = now();
    }
    /// All blocks are done: what passed is shared out as the threads have spent it.
    void pass(const one_pass& steps) {
        if (!call_) return;
        double sum = 0;
        for (const auto& t : time_) sum += static_cast<double>(t.load());
        const double each = static_cast<double>(now() - began_) / std::max(sum, 1.0);
        for (int i = 0; i < steps.count; ++i) {
            const auto share = static_cast<std::int64_t>(static_cast<double>(time_[static_cast<std::size_t>(i)].load()) * each);
            if (i + 1 < steps.count) call_->step(steps.step[i], share);
            else of_last_ = share;
        }
        waits_ = true;
        began_ = now();
    }
    void last(const one_pass& steps) {
        if (call_) call_->step(steps.last(), of_last_ + now() - began_);
        waits_ = false;
    }

private:
    recorded_call* const call_;
    std::array<std::atomic<std::int64_t>, one_pass::most> time_{};
    std::int64_t began_, of_last_ = 0;
    bool waits_ = false;  // the pass is done, and the last product not stored
};

/// Of the plan `Plan`, for one shape. Rows are cut into the same parts for any number of threads, so that no rounding depends on it.
template <class Device, class Plan> class row_pass {
    static constexpr plan_view facts = view_of(Plan::program(), Plan::value());

public:
    static constexpr one_pass steps = streams_rows<Device> ? find_one_pass(facts) : one_pass();
    static constexpr bool possible = steps.count > 0;

    /// Whether the matrix is so large that the pass is worth it.
    bool chosen() const { return parts_ > 0; }
    /// The bytes that it works in.
    std::int64_t bytes() const { return parts_ * part_bytes_; }

    void lay_out(const kernel::operand* operands, const std::int64_t* extents) {
        parts_ = 0;
        by_lines_ = false;
        if constexpr (possible) {
            constexpr step first = facts.steps[steps.first()];
            rows_ = extents[steps.first() * max_rank];
            columns_ = extents[steps.first() * max_rank + 1];
            results_ = first.vector ? 1 : extents[steps.first() * max_rank + 2];
            const std::int64_t row_bytes = columns_ * number_bytes;
            if (operands[first.slot_from].stride[1] != 1 || results_ > most_results || results_ == 0) return;
            if constexpr (of_lines)
                by_lines_ = fit_lines(operands) && row_bytes * least_lines <= Device::near_bytes && rows_ * row_bytes >= Device::near_streamed_bytes;
            // A block has at least so many rows, and is no larger than the cache.
            const std::int64_t least = by_lines_ ? row_bytes * most_lines <= Device::near_bytes ? most_lines : least_lines : 16;
            const std::int64_t bytes = by_lines_ ? Device::near_bytes : Device::block_bytes;
            if (!by_lines_ && (row_bytes * least > bytes || rows_ * row_bytes < Device::streamed_bytes)) return;
            block_ = std::max(least, bytes / std::max<std::int64_t>(1, row_bytes) / least * least);
            blocks_ = (rows_ + block_ - 1) / block_;
            // Of few blocks the sums of the parts would be felt.
            parts_ = std::clamp<std::int64_t>(by_lines_ ? blocks_ / 24 : blocks_, std::min<std::int64_t>(1, blocks_), most_parts);
            part_bytes_ = rounded(columns_ * results_ * number_bytes);
            for_each_sum([&](int, int, int index, const sum_slot& at) {
                sum_count_[static_cast<std::size_t>(index)] = dense(at, extents).count;
                part_bytes_ += 2 * rounded(sum_count_[static_cast<std::size_t>(index)] * at.bytes);
            });
            packed_at_ = part_bytes_;
            if (by_lines_) part_bytes_ += rows_apart() * local_count;
            if constexpr (!first.vector) part_bytes_ += rounded(std::max(packing(operands, block_), packing(operands, rows_ % block_)) * number_bytes);
        }
    }

    /// Calls run_step.template operator()<Step, Device>(operands, extents, room) for each block and each step but the last, then `wait` for the steps that do so, and
    /// stores the last product. `timed` hears how long each took. `room` has `bytes()` bytes.
    template <class RunStep, class Wait>
    void run(const kernel::operand* operands, const std::int64_t* extents, const std::int64_t* sizes, std::byte* room, const RunStep& run_step, pass_times& timed, const Wait& wait) {
        Device::each_part(static_cast<int>(parts_), 4 * rows_ * columns_ * results_, [&](int part) {
            const std::int64_t from = blocks_ * part / parts_ * block_, to = std::min(rows_, blocks_ * (part + 1) / parts_ * block_);
            if constexpr (of_lines)
                if (by_lines_) return run_lines(operands, sizes, room + part * part_bytes_, from, to, timed, std::make_integer_sequence<int, steps.count - 2>());
            run_part(operands, extents, room + part * part_bytes_, from, to, run_step, timed);
        });
        number* const product = at_product(room);
        for (std::int64_t part = 1; part < parts_; ++part) add(at_product(room + part * part_bytes_), product, columns_ * results_);
        for_each_sum([&](int step, int slot, int index, const sum_slot& at) {
            at.visit([&]<class T>(T*) {
                T* const sums = reinterpret_cast<T*>(at_sum(room, index, false));
                const std::int64_t count = sum_count_[static_cast<std::size_t>(index)];
                for (std::int64_t part = 1; part < parts_; ++part) add(reinterpret_cast<T*>(at_sum(room + part * part_bytes_, index, false)), sums, count);
                scatter(sums, at, extents + step * max_rank, operands[facts.steps[step].slot_from + slot]);
            });
        });
        wait();
        store(operands, extents, product, run_step);
    }

    /// All launches of the plan, which `run_launch(i)` runs, and those of the pass block by block.
    template <class Launches, class RunLaunch, class RunStep>
    void run_program(const Launches& launches, const kernel::operand* operands, const std::int64_t* extents, const std::int64_t* sizes, std::byte* room, const RunLaunch& run_launch,
                     const RunStep& run_step, pass_times& times) {
        const auto each = [&](auto&& wanted) {
            for (int i = 0; i < launches.count; ++i)
                if (wanted(launches.step[i])) {
                    run_launch(i);
                    times.step(launches.step[i]);
                }
        };
        each([&](int s) { return s < steps.first(); });
        run(operands, extents, sizes, room, run_step, times, [&] {
            times.pass(steps);
            each([&](int s) { return steps.waits(s); });
        });
        times.last(steps);
        each([&](int s) { return s > steps.last(); });
    }

private:
    using number = element_t<possible ? facts.steps[steps.first()].type : element::float32>;
    // With more columns of results computing takes longer than memory.
    static constexpr std::int64_t number_bytes = sizeof(number), most_parts = 8, most_results = 32;

    struct dense_layout {
        std::int64_t count = 1;
        std::array<std::int64_t, max_rank> stride{};
    };
    static constexpr int sum_slots = [] {
        int n = 0;
        each_row_sum(facts, steps, [&](int, int, int, const sum_slot&) { ++n; });
        return n;
    }();

    // Of a pass of lines: so many rows at a time fill the registers of the products, or, where they are long, half of them.
    static constexpr bool of_lines = possible && is_of_lines(facts, steps);
    static constexpr std::int64_t most_lines = 8, least_lines = 4;

    /// Of each slot: where what no other step reads lies, for which the rows of a block are enough; -1 of all others.
    static constexpr auto local = [] {
        std::array<int, static_cast<std::size_t>(facts.slot_count + 1)> at{};
        at.fill(-1);
        if constexpr (of_lines) number_locals(facts, steps, at.data());
        return at;
    }();
    static constexpr int local_count = *std::max_element(local.begin(), local.end()) + 1;

    bool by_lines_ = false;
    std::int64_t rows_ = 0, columns_ = 0, results_ = 1, block_ = 0, blocks_ = 0, parts_ = 0, part_bytes_ = 0, packed_at_ = 0;
    std::array<std::int64_t, static_cast<std::size_t>(sum_slots + 1)> sum_count_{};

    static constexpr std::int64_t rounded(std::int64_t bytes) { return (bytes + 63) / 64 * 64; }

    template <class F> static constexpr void for_each_sum(F&& f) { each_row_sum(facts, steps, f); }
    static dense_layout dense(const sum_slot& at, const std::int64_t* extents) {
        dense_layout out;
        for (int i = at.axes; i-- > 0;) {
            if (!at.moves[i]) continue;
            out.stride[static_cast<std::size_t>(i)] = out.count;
            out.count *= extents[i];
        }
        return out;
    }

    static number* at_product(std::byte* part) { return reinterpret_cast<number*>(part); }
    std::int64_t rows_apart() const { return rounded(block_ * 8); }
    std::byte* at_local(std::byte* part, int index) const { return part + packed_at_ + index * rows_apart(); }
    /// The sums of all blocks of a part, or of one.
    std::byte* at_sum(std::byte* part, int index, bool of_block) const {
        std::byte* at = part + rounded(columns_ * results_ * number_bytes);
        std::byte* out = at;
        for_each_sum([&](int, int, int i, const sum_slot& s) {
            const std::int64_t bytes = rounded(sum_count_[static_cast<std::size_t>(i)] * s.bytes);
            if (i < index) at += 2 * bytes;
            if (i == index) out = at + (of_block ? bytes : 0);
        });
        return out;
    }
    template <class T> static void add(const T* from, T* to, std::int64_t count) {
        for (std::int64_t i = 0; i < count; ++i) to[i] += from[i];
    }
    template <class T> static void scatter(const T* from, const sum_slot& at, const std::int64_t* extents, const kernel::operand& to) {
        T* const data = reinterpret_cast<T*>(to.data);
        const std::int64_t count = dense(at, extents).count;
        for (std::int64_t i = 0; i < count; ++i) {
            std::int64_t rest = i, offset = 0;
            for (int a = at.axes; a-- > 0;) {
                if (!at.moves[a]) continue;
                offset += rest % extents[a] * to.stride[static_cast<std::size_t>(a)];
                rest /= extents[a];
            }
            data[offset] = from[i];
        }
    }

    /// The numbers that the products of `count` rows copy.
    std::int64_t packing(const kernel::operand* operands, std::int64_t count) const {
        const auto seen = [&]<class M>(M*, const kernel::operand& o, std::int64_t rows, std::int64_t columns) { return M{nullptr, rows, columns, o.stride[0], o.stride[1]}; };
        constexpr kernel::matrix<const void>* in = nullptr;
        const kernel::operand *const y = operands + facts.steps[steps.first()].slot_from, *const z = operands + facts.steps[steps.last()].slot_from;
        const auto on_the_way = Device::part::packing(seen(in, y[0], count, columns_), seen(in, y[1], columns_, results_),
                                                      seen(static_cast<kernel::matrix<void>*>(nullptr), y[2], count, results_));
        const auto back = Device::part::packing(seen(in, z[0], columns_, count), seen(in, z[1], count, results_), kernel::matrix<void>{nullptr, columns_, results_, 1, columns_});
        return static_cast<std::int64_t>(std::max(on_the_way, back));
    }

    /// What was summed is a matrix of one column, or several, times 1.
    template <class RunStep> void store(const kernel::operand* operands, const std::int64_t* extents, number* product, const RunStep& run_step) const {
        constexpr step last = facts.steps[steps.last()];
        std::array<std::int64_t, max_rank> extent;
        std::copy_n(extents + steps.last() * max_rank, max_rank, extent.begin());
        extent[1] = 1;
        if constexpr (!last.vector) extent[2] = 1;
        for (std::int64_t column = 0; column < results_; ++column) {
            std::array<kernel::operand, static_cast<std::size_t>(last.slot_count)> own;
            std::copy_n(operands + last.slot_from, last.slot_count, own.begin());
            number one{1};
            own[0].data = reinterpret_cast<std::byte*>(product + column * columns_);
            own[1].data = reinterpret_cast<std::byte*>(&one);
            own[0].stride[0] = own[0].stride[1] = own[1].stride[0] = own[1].stride[1] = 1;
            for (std::size_t k = 2; !last.vector && k < (last.accumulates ? 4 : 3); ++k) own[k].data += column * own[k].stride[1] * number_bytes;
            run_step.template operator()<steps.last(), Device>(own.data(), extent.data(), nullptr);
        }
    }

    template <int J, class D = Device> using loop_of = typename D::part::template row_loop<kernel_type<Plan, steps.step[J + 1]>>;
    template <int J> static const kernel::operand* slots_of(const kernel::operand* operands) { return operands + facts.steps[steps.step[J + 1]].slot_from; }

    static bool fit_lines(const kernel::operand* operands) {
        return [&]<int... J>(std::integer_sequence<int, J...>) { return (true && ... && loop_of<J>::fits(slots_of<J>(operands))); }(
            std::make_integer_sequence<int, steps.count - 2>());
    }
    /// The rows of a part, as many at a time as the first cache holds: while these are added up, the next ones are on their way there.
    template <int... J>
    void run_lines(const kernel::operand* operands, [[maybe_unused]] const std::int64_t* sizes, std::byte* room, std::int64_t from, std::int64_t to, pass_times& timed, std::integer_sequence<int, J...>) const {
        const kernel::operand* const y = operands + facts.steps[steps.first()].slot_from;
        const auto numbers = [](const kernel::operand& o, std::int64_t row) { return reinterpret_cast<number*>(o.data) + row * o.stride[0]; };
        const kernel::vector<const number> x{numbers(y[1], 0), columns_, y[1].stride[0]};
        constexpr step first = facts.steps[steps.first()];
        constexpr auto alpha = static_cast<number>(first.alpha), beta = static_cast<number>(first.accumulates ? first.beta : 0);
        std::tuple<loop_of<J>...> loops{begun<J>(operands, sizes, room, from)...};
        // A few rows take not much longer than a look at the clock: of some, which stand for all.
        std::int64_t block = 0;
        for (std::int64_t row = from; row < to; row += block_, ++block) {
            const bool looks = block % 8 == 0;
            const std::int64_t count = std::min(block_, to - row), ahead = row + 2 * count <= rows_ ? count * y[0].stride[0] : 0;
            const kernel::matrix<const number> a{numbers(y[0], row), count, columns_, y[0].stride[0], 1};
            const auto vector_at = [&]<int Slot>(std::integral_constant<int, Slot>) {
                if constexpr (local[Slot] >= 0) return kernel::vector<number>{reinterpret_cast<number*>(at_local(room, local[Slot])), count, 1};
                else return kernel::vector<number>{numbers(operands[Slot], row), count, operands[Slot].stride[0]};
            };
            std::int64_t began = looks ? timed.now() : 0;
            const auto took = [&](int step) {
                if (looks) began = timed.took(step, began);
            };
            const auto products = vector_at(std::integral_constant<int, first.slot_from + 2>());
            if constexpr (first.copies)
                for (std::int64_t i = 0; i < count; ++i) products.data[i * products.stride] = numbers(y[3], row)[i * y[3].stride[0]];
            if constexpr (alpha != number{}) Device::part::template multiply_rows<number>(alpha, a, x, beta, products);
            else Device::part::template gemv<number>(alpha, a, x, beta, products);
            took(0);
            ((std::get<J>(loops).run(count), took(J + 1)), ...);
            const auto factors = vector_at(std::integral_constant<int, facts.steps[steps.last()].slot_from + 1>());
            Device::part::template add_rows<number>(a, {factors.data, count, factors.stride}, at_product(room), row == from, ahead);
            took(steps.count - 1);
        }
        (settle<J>(std::get<J>(loops), room), ...);
    }
    template <int J> auto begun(const kernel::operand* operands, const std::int64_t* sizes, std::byte* room, std::int64_t from) const {
        constexpr step s = facts.steps[steps.step[J + 1]];
        std::array<kernel::operand, static_cast<std::size_t>(s.slot_count + 1)> own{};
        bool stays[static_cast<std::size_t>(s.slot_count + 1)] = {};
        for (int k = 0; k < s.slot_count; ++k) {
            const int at = local[static_cast<std::size_t>(s.slot_from + k)];
            own[static_cast<std::size_t>(k)] = operands[s.slot_from + k];
            if (at >= 0) own[static_cast<std::size_t>(k)].data = at_local(room, at);
            stays[k] = at >= 0;
        }
        return loop_of<J>(own.data(), stays, from, sizes);
    }
    template <int J, class Loop> void settle(const Loop& loop, std::byte* room) const {
        std::byte* to[static_cast<std::size_t>(facts.steps[steps.step[J + 1]].slot_count + 1)] = {};
        for_each_sum([&](int step, int slot, int index, const sum_slot&) {
            if (step == steps.step[J + 1]) to[slot] = at_sum(room, index, false);
        });
        loop.settle(to);
    }

    template <class RunStep>
    void run_part(const kernel::operand* operands, const std::int64_t* extents, std::byte* room, std::int64_t from, std::int64_t to, const RunStep& run_step, pass_times& timed) {
        for (std::int64_t row = from; row < to; row += block_) {
            const std::int64_t count = std::min(block_, to - row);
            [&]<int... J>(std::integer_sequence<int, J...>) {
                (run_block<J>(operands, extents, room, row, count, row == from, run_step, timed), ...);
            }(std::make_integer_sequence<int, steps.count - 1>());
            add_product(operands, room, row, count, row == from, timed);
        }
    }
    template <int J, class RunStep>
    void run_block(const kernel::operand* operands, const std::int64_t* extents, std::byte* room, std::int64_t row, std::int64_t count, bool first, const RunStep& run_step,
                   pass_times& timed) {
        constexpr int which = steps.step[J];
        constexpr auto axis = static_cast<std::size_t>(steps.rows[J]);
        constexpr step s = facts.steps[which];
        std::array<kernel::operand, static_cast<std::size_t>(s.slot_count)> own;
        for (int k = 0; k < s.slot_count; ++k) {
            const kernel::operand& whole = operands[s.slot_from + k];
            // The second factor of a product has no rows.
            own[static_cast<std::size_t>(k)] = s.what == step_kind::product && k == 1 ? whole : moved(facts, s.slot_from + k, whole, steps.rows[J], row);
        }
        std::array<std::int64_t, max_rank> extent;
        std::copy_n(extents + which * max_rank, max_rank, extent.begin());
        extent[axis] = count;
        for_each_sum([&](int step, int slot, int index, const sum_slot& at) {
            if (step != which) return;
            kernel::operand& o = own[static_cast<std::size_t>(slot)];
            o.data = at_sum(room, index, !first);
            o.stride = dense(at, extent.data()).stride;
        });
        const auto began = timed.now();
        run_step.template operator()<which, typename Device::part>(own.data(), extent.data(), room + packed_at_);
        if (!first)
            for_each_sum([&](int step, int, int index, const sum_slot& at) {
                if (step != which) return;
                at.visit([&]<class T>(T*) {
                    add(reinterpret_cast<const T*>(at_sum(room, index, true)), reinterpret_cast<T*>(at_sum(room, index, false)), sum_count_[static_cast<std::size_t>(index)]);
                });
            });
        timed.took(J, began);
    }
    void add_product(const kernel::operand* operands, std::byte* room, std::int64_t row, std::int64_t count, bool first, pass_times& timed) {
        const auto began = timed.now();
        const kernel::operand* const o = operands + facts.steps[steps.last()].slot_from;
        const kernel::matrix<const number> a{reinterpret_cast<const number*>(o[0].data) + row * o[0].stride[1], columns_, count, o[0].stride[0], o[0].stride[1]};
        const number* const right = reinterpret_cast<const number*>(o[1].data) + row * o[1].stride[0];
        const number beta = first ? number{0} : number{1};
        if constexpr (facts.steps[steps.last()].vector)
            Device::part::template gemv<number>(number{1}, a, {right, count, o[1].stride[0]}, beta, {at_product(room), columns_, 1});
        else
            Device::part::template gemm<number>(number{1}, a, {right, count, results_, o[1].stride[0], o[1].stride[1]}, beta, {at_product(room), columns_, results_, 1, columns_},
                                                room + packed_at_);
        timed.took(steps.count - 1, began);
    }
};

}  // namespace croton::inline v0_1::detail

#endif
