// SPDX-License-Identifier: MIT
// Runs the loop behind a product on each block of its result, while that is in cache.
#ifndef CROTON_FUNCTION_ENDED_PRODUCTS_HPP
#define CROTON_FUNCTION_ENDED_PRODUCTS_HPP

#include <croton/core/clock.hpp>
#include <croton/device/device.hpp>
#include <croton/function/part_of_step.hpp>
#include <croton/kernel/batch.hpp>
#include <croton/plan/forms.hpp>
#include <croton/plan/product_end.hpp>
#include <croton/profile/recorder.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace croton::inline v0_1::detail {

/// Which products of a plan may have an end.
template <class Device, class Plan> struct product_ends {
    static constexpr plan_view facts = view_of(Plan::program(), Plan::value());
    using list = std::array<product_end, static_cast<std::size_t>(facts.step_count + 1)>;

    static constexpr list all = [] {
        list ends;
        for (int i = 0; ends_products<Device> && i < facts.step_count; ++i) ends[static_cast<std::size_t>(i)] = end_of_product(facts, i);
        return ends;
    }();
    static constexpr const product_end& of(int step) { return all[static_cast<std::size_t>(step)]; }
    static constexpr bool any = [] {
        for (const product_end& e : all)
            if (e.loop >= 0) return true;
        return false;
    }();
    /// Whether the loop `step` is the end of a product.
    static constexpr bool is_end(int step) { return step > 0 && of(step - 1).loop == step; }
};

/// A block of the rows of a product that is repeated: `rows` of each of `matrices` matrices, which follow each other along the last axis of the batch.
struct rows_of_batch {
    std::int64_t from = 0, rows = 0, matrices = 1;
    std::int64_t matrix[max_rank] = {};  // the first one, along each axis of the batch
};

/// Calls `f(rows_of_batch)` for the rows from `row` on of all matrices of a product, one below the other, of which the loop has `extents`.
template <class F> void each_block(const product_end& end, const std::int64_t* extents, std::int64_t row, std::int64_t rows, F&& f) {
    const std::int64_t each = extents[end.rows];
    while (rows > 0) {
        rows_of_batch block;
        block.from = row % each;
        block.rows = std::min(rows, each - block.from);
        std::int64_t matrix = row / each;
        for (int k = end.batch - 1; k >= 0; --k) {
            const std::int64_t count = extents[end.along[k]];
            block.matrix[k] = matrix % count;
            matrix /= count;
            if (k == end.batch - 1 && block.rows == each) block.matrices = std::min(rows / each, count - block.matrix[k]);
        }
        f(block);
        row += block.rows * block.matrices;
        rows -= block.rows * block.matrices;
    }
}

/// The slots, `Slots` of them, and the extents of the loop that is the end of a product, for a part of the product's result.
template <int Slots> struct part_of_loop {
    std::array<kernel::operand, static_cast<std::size_t>(Slots)> slots;
    std::array<std::int64_t, max_rank> extents;

    part_of_loop(const plan_view& p, const product_end& end, const kernel::operand* operands, const std::int64_t* all, const rows_of_batch& block, std::int64_t column,
                 std::int64_t columns) {
        const int from = p.steps[end.loop].slot_from;
        std::copy_n(all + end.loop * max_rank, max_rank, extents.begin());
        for (int k = 0; k < Slots; ++k) {
            kernel::operand& slot = slots[static_cast<std::size_t>(k)];
            slot = moved(p, from + k, moved(p, from + k, operands[from + k], end.rows, block.from), end.columns, column);
            for (int i = 0; i < end.batch; ++i) slot = moved(p, from + k, slot, end.along[i], block.matrix[i]);
        }
        for (int i = 0; i < end.batch; ++i) extents[static_cast<std::size_t>(end.along[i])] = i == end.batch - 1 ? block.matrices : 1;
        extents[static_cast<std::size_t>(end.rows)] = block.rows;
        extents[static_cast<std::size_t>(end.columns)] = columns;
    }
};

/// What follows a product while it runs: `run_part(row, rows, column, columns)` is the loop for a part of the result.
template <class Device, class RunPart> class following_loop {
    const RunPart& run_part_;
    const bool whole_rows_, timed_;
    std::int64_t time_ = 0;

    // A part of a block is worth a thread sooner than a loop from memory.
    static constexpr std::int64_t most_parts = 8, operations = 64;

    void run(std::int64_t row, std::int64_t rows, std::int64_t column, std::int64_t columns) {
        const std::int64_t began = timed_ ? system_nanoseconds() : 0;
        const int parts = static_cast<int>(std::min(rows, most_parts));
        Device::each_part(parts, operations * rows * columns, [&](int part) {
            const std::int64_t from = rows * part / parts;
            run_part_(row + from, rows * (part + 1) / parts - from, column, columns);
        });
        if (timed_) time_ += system_nanoseconds() - began;
    }

public:
    following_loop(const product_end& end, const RunPart& run_part, bool timed) : run_part_(run_part), whole_rows_(!end.by_columns), timed_(timed) {}

    kernel::block_end end() {
        return {[](void* context, std::int64_t row, std::int64_t rows, std::int64_t column, std::int64_t columns) {
                    static_cast<following_loop*>(context)->run(row, rows, column, columns);
                },
                this, whole_rows_};
    }
    /// The nanoseconds that the loop took, where it is timed.
    std::int64_t time() const { return time_; }
};

/// Which of them have one for the shapes of a call, and which are computed in the memory of what the loop behind them stores.
template <class Device, class Plan> class ended_products {
    using ends = product_ends<Device, Plan>;
    using flags = std::array<bool, static_cast<std::size_t>(ends::facts.step_count + 1)>;
    flags ended_{}, placed_{}, joined_{};
    bool apart_ = false;
    const kernel::block_end* behind_ = nullptr;  // of the product that runs
    std::array<std::array<std::int64_t, 2>, static_cast<std::size_t>(ends::facts.step_count + 1)> across_{};  // of placed ones: the rows in their own memory, and in the other

    template <class F> static void each_end(F&& f) {
        for (int i = 0; i < ends::facts.step_count; ++i)
            if (ends::of(i).loop >= 0) f(static_cast<std::size_t>(i), ends::facts.steps[i], ends::of(i));
    }
    /// Calls f(slot, rows, columns) for each slot of the plan that sees the product, with its axes.
    template <class F> static void each_view(const step& product, const product_end& end, F&& f) {
        const int c = product.slot_from + 2;
        f(c, std::size_t{0}, std::size_t{1});
        const step& loop = ends::facts.steps[end.loop];
        for (int k = loop.slot_from; k < loop.slot_from + loop.slot_count; ++k)
            if (ends::facts.slots[k].buffer == ends::facts.slots[c].buffer) f(k, static_cast<std::size_t>(end.rows), static_cast<std::size_t>(end.columns));
    }
    static constexpr const auto& launches = launches_of<Plan>::value;
    static constexpr std::size_t form_of(int step) {
        for (int i = 0; i < launches.count; ++i)
            if (launches.step[i] == step) return static_cast<std::size_t>(launches.form[i]);
        return static_cast<std::size_t>(launches.forms);
    }
    /// The code that runs a part of a loop of each form that is the end of a product.
    template <class RunOne>
    using code = void (*)(const RunOne&, const product_end&, const kernel::operand*, const std::int64_t*, std::int64_t row, std::int64_t rows, std::int64_t column, std::int64_t columns);
    template <int Form, class RunOne>
    static void run_form(const RunOne& run_one, const product_end& end, const kernel::operand* operands, const std::int64_t* extents, std::int64_t row, std::int64_t rows,
                         std::int64_t column, std::int64_t columns) {
        each_block(end, extents + end.loop * max_rank, row, rows, [&](const rows_of_batch& block) {
            part_of_loop<ends::facts.steps[Form].slot_count> part(ends::facts, end, operands, extents, block, column, columns);
            run_one.template operator()<Form, Device>(part.slots.data(), part.extents.data(), nullptr);
        });
    }
    static constexpr bool ends_a_product(int form) {
        for (int i = 0; i < launches.count; ++i)
            if (launches.form[i] == form && ends::is_end(launches.step[i])) return true;
        return false;
    }
    template <int Form, class RunOne> static constexpr code<RunOne> code_of() {
        if constexpr (ends_a_product(Form)) return &run_form<launches.first[Form], RunOne>;
        else return nullptr;
    }
    template <class RunOne, int... I> static constexpr auto table_of_codes(std::integer_sequence<int, I...>) {
        return std::array<code<RunOne>, sizeof...(I) + 1>{code_of<I, RunOne>()..., nullptr};
    }
    template <class RunOne> static constexpr auto codes = table_of_codes<RunOne>(std::make_integer_sequence<int, launches.forms>());

    /// The rows of a product, of all matrices of a batch where they lie as one; else 0.
    static std::int64_t rows_of(const step& s, const kernel::operand* operands, const std::int64_t* e) {
        if (s.batch == 0) return e[0];
        const kernel::operand* const o = operands + s.slot_from;
        kernel::matrix<const void> a{nullptr, e[0], e[1], o[0].stride[0], o[0].stride[1]}, b{nullptr, e[1], e[2], o[1].stride[0], o[1].stride[1]};
        kernel::matrix<void> c{nullptr, e[0], e[2], o[2].stride[0], o[2].stride[1]};
        const kernel::batch_axes left = kernel::merge_batches(s.batch, e + matrix_extents, o, a, b, c);
        return left.count == 0 && !left.empty && c.cols == e[2] ? c.rows : 0;
    }
    /// Whether the matrices of a batch lie in other memory as they do in their own.
    static bool lie_alike(const product_end& end, const kernel::operand& own, const kernel::operand& other) {
        bool alike = true;
        for (int k = 0; k < end.batch; ++k)
            alike = alike && own.stride[static_cast<std::size_t>(2 + k)] == other.stride[static_cast<std::size_t>(end.along[k])];
        return alike && (end.batch == 0 || own.stride[0] == other.stride[static_cast<std::size_t>(end.rows)]);
    }

    static int place(const product_end& end) { return ends::facts.steps[end.loop].slot_from + end.place; }
    /// The strides of what is placed, in its own memory or in the other.
    void take_strides(kernel::operand* operands, std::size_t i, bool other) const {
        each_view(ends::facts.steps[i], ends::of(static_cast<int>(i)), [&](int slot, std::size_t rows, std::size_t columns) {
            operands[slot].stride[rows] = across_[i][other ? 1 : 0];
            operands[slot].stride[columns] = 1;
        });
    }

public:
    /// `passes`: some of the steps are run in another order. `copies` are those that are left out. Of what is placed the operands have the strides of the other memory then, which may ask for more copies.
    void lay_out([[maybe_unused]] kernel::operand* operands, [[maybe_unused]] const std::int64_t* extents, [[maybe_unused]] bool passes, [[maybe_unused]] const auto& copies) {
        if constexpr (ends::any)
            each_end([&](std::size_t i, const step& s, const product_end& end) {
                const std::int64_t* const e = extents + i * max_rank;
                const std::int64_t rows = rows_of(s, operands, e);
                // Behind what is computed where a copy would take it there is no loop.
                const bool alone = passes || copies.has(end.loop);
                ended_[i] = !alone && rows > 0 && Device::ends_product(rows, e[1], e[2], s.type, end.turned);
                placed_[i] = joined_[i] = false;
                if (!alone && end.is_placed(rows * e[2], s.type)) {
                    const kernel::operand to = operands[place(end)];
                    const std::int64_t across = to.stride[static_cast<std::size_t>(end.rows)];
                    placed_[i] = to.stride[static_cast<std::size_t>(end.columns)] == 1 && across >= e[2] && lie_alike(end, operands[s.slot_from + 2], to);
                    across_[i] = {e[2], across};
                    if (placed_[i]) take_strides(operands, i, true);
                }
                joined_[i] = ended_[i] || placed_[i];
            });
    }
    /// What is computed in other memory than it was given. A result may lie where the loop reads an argument: that is read first.
    void bind([[maybe_unused]] kernel::operand* operands) const {
        if constexpr (ends::any)
            each_end([&](std::size_t i, const step& s, const product_end& end) {
                if (!placed_[i]) return;
                std::byte* const there = operands[place(end)].data;
                const step& loop = ends::facts.steps[end.loop];
                bool free = !apart_;
                for (int k = loop.slot_from; k < loop.slot_from + loop.slot_count; ++k)
                    free = free && !(ends::facts.buffers[ends::facts.slots[k].buffer].what == buffer_kind::leaf && operands[k].data == there);
                each_view(s, end, [&](int slot, std::size_t, std::size_t) {
                    if (free) operands[slot].data = there;
                });
                take_strides(operands, i, free);
            });
    }

    /// Where they are kept `apart`, steps run one after the other, and products have their own memory. Whether that changes.
    bool keep_apart([[maybe_unused]] bool apart) {
        if constexpr (ends::any) return std::exchange(apart_, apart) != apart;
        else return false;
    }
    /// What follows the product that runs, or null.
    const kernel::block_end* behind() const { return behind_; }

    /// Runs a product, by `run_product()`, with the loop behind it, by `run_one` as a `row_pass` has it. `call`, where it is recorded, hears what the product took.
    template <class RunOne, class RunProduct>
    void run(int step, const kernel::operand* operands, const std::int64_t* extents, const RunOne& run_one, const RunProduct& run_product, recorded_call* call) {
        const product_end& end = ends::of(step);
        const auto run_part = [&](std::int64_t row, std::int64_t rows, std::int64_t column, std::int64_t columns) {
            codes<RunOne>[form_of(end.loop)](run_one, end, operands, extents, row, rows, column, columns);
        };
        const std::int64_t began = call != nullptr ? system_nanoseconds() : 0;
        following_loop<Device, decltype(run_part)> loop(end, run_part, call != nullptr);
        const kernel::block_end behind = loop.end();
        struct until_here {
            const kernel::block_end*& behind;
            ~until_here() { behind = nullptr; }
        };
        behind_ = &behind;
        const until_here forgotten{behind_};
        run_product();
        if (call != nullptr) call->step(step, system_nanoseconds() - began - loop.time());
    }

    const bool* data() const { return ended_.data(); }
    /// Of which products the steps and those behind them use memory at the same time.
    const bool* joined() const { return joined_.data(); }
    // By the pointer: of an index of the array g++ 12 says at -O3 that it may be beyond its end.
    bool has_end(int step) const { return !apart_ && data()[step]; }
    /// Whether a step runs within the product before it.
    bool within(int step) const { return step > 0 && has_end(step - 1); }
};

}  // namespace croton::inline v0_1::detail

#endif
