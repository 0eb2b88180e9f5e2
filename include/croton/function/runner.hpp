// SPDX-License-Identifier: MIT
// Runs the steps of a plan: lays out their memory once for a shape, and gives each to the device.
#ifndef CROTON_FUNCTION_RUNNER_HPP
#define CROTON_FUNCTION_RUNNER_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <croton/device/device.hpp>
#include <croton/function/layout.hpp>
#include <croton/function/packing.hpp>
#include <croton/kernel/batch.hpp>
#include <croton/plan/formula.hpp>
#include <croton/plan/lower.hpp>
#include <croton/plan/memory.hpp>
#include <croton/profile/recorder.hpp>

namespace croton::inline v0_1::detail {

/// The program and the plan of a lambda on a device.
template <class Device, class F> struct plan_holder {
    static constexpr unsigned abilities = (Device::fuses ? fuses_loops : 0u) | (multiplies_storage<Device> ? multiplies_narrow : 0u) |
                                          (has_epilogues<Device> ? takes_epilogues : 0u) | (has_joint_launches<Device> ? joins_loops : 0u);
    static constexpr const auto& program() { return program_of<F, Device::rewrites>::get(); }
    static constexpr const auto& value() { return plan_of<F, Device::rewrites, abilities>::get(); }
};

/// The memory for the temporaries of a function, grown on demand and never shrunk. A copy of a function has its own.
template <class Device> class work_memory {
public:
    work_memory() = default;
    work_memory(const work_memory&) {}
    work_memory& operator=(const work_memory&) {
        settled = false;
        return *this;
    }
    ~work_memory() { Device::deallocate(data_, size_); }

    /// Whether the memory and everything that is computed from the layouts of the arguments fit the next run.
    bool settled = false;

    std::byte* data() const { return static_cast<std::byte*>(data_); }
    void reserve(std::int64_t bytes) {
        const auto wanted = static_cast<std::size_t>(bytes);
        if (wanted > size_) {
            void* made = Device::allocate(wanted);
            Device::deallocate(data_, size_);
            data_ = made;
            size_ = wanted;
        }
    }

private:
    void* data_ = nullptr;
    std::size_t size_ = 0;
};

/// The steps of `Plan`, a `plan_holder`. Whoever runs them binds `leaves`, `outputs` and `sizes` first.
template <class Device, class Plan> class runner {
public:
    static constexpr plan_view facts = view_of(Plan::program(), Plan::value());
    static constexpr int leaf_count = facts.leaf_count;
    static constexpr int output_count = [] {
        int n = 0;
        for (const auto& b : Plan::value().buffers) n += b.what == buffer_kind::output ? 1 : 0;
        return n;
    }();
    /// Whether arguments on the host are copied to the device.
    static constexpr bool transfers = !memory<array_device<Device>>::on_host;

    explicit runner(std::string function) : name(std::move(function)) {}

    std::string name;
    std::array<bound_array, static_cast<std::size_t>(leaf_count + 1)> leaves{};
    std::array<bound_array, static_cast<std::size_t>(output_count + 1)> outputs{};
    std::array<std::int64_t, static_cast<std::size_t>(facts.size_count + 1)> sizes{};

    /// Other shapes or strides are bound: what was computed from them does not hold.
    void change_layout() { memory_.settled = false; }

    void run(recorded_call& call) {
        // Replayed as a whole, the steps have no ranges of their own.
        [[maybe_unused]] const range_t<Device> named(name.c_str());
        if (!memory_.settled) lay_out();
        call.lap(call_part::layout);
        if constexpr (requires { recording_.forget(); }) {
            // Recorded, each step runs by itself, so that it can be measured.
            if (!call) return recording_.run(name, addresses(), [this] { prepare_steps(), run_steps(); });
        }
        prepare_steps();
        if (call) [[unlikely]] return run_recorded(call);
        run_steps();
    }

private:
    static constexpr int step_count = facts.step_count;
    static constexpr int slot_count = facts.slot_count;
    static constexpr int temporary_count = facts.temporaries;

    static constexpr std::size_t at(int i) { return static_cast<std::size_t>(i); }

    // Once for a shape: apart from the call, which is short.
    [[gnu::noinline]] void lay_out() {
        resolve_strides(facts, leaves.data(), outputs.data(), sizes.data(), operands_.data(), extents_.data());
        lifetime scratch[temporary_count + 1];
        work_bytes_ = place_temporaries(facts, sizes.data(), scratch, work_offsets_.data());
        staged_bytes_ = stage_arguments(work_bytes_);
        // All that the steps need is there before the first of them writes.
        memory_.reserve(work_bytes_ + staged_bytes_ + packing_bytes<Device>(facts, name, operands_.data(), extents_.data()));
        if constexpr (checks_labels) number_label_checks();
        memory_.settled = true;
        if constexpr (requires { recording_.forget(); }) recording_.forget();
    }

    void prepare_steps() {
        if constexpr (checks_labels) check_labels();
        copy_staged();
        for (int i = 0; i < slot_count; ++i) operands_[at(i)].data = base(facts.slots[i].buffer);
    }
    void run_steps() {
        [&]<int... S>(std::integer_sequence<int, S...>) { (run_named_step<S>(), ...); }(std::make_integer_sequence<int, step_count>());
    }

    /// The memory that the steps use: with the same, and the same shapes, they do the same.
    std::array<const void*, static_cast<std::size_t>(leaf_count + output_count + 1)> addresses() const {
        std::array<const void*, static_cast<std::size_t>(leaf_count + output_count + 1)> all;
        for (int i = 0; i < leaf_count; ++i) all[at(i)] = leaves[at(i)].data;
        for (int i = 0; i < output_count; ++i) all[at(leaf_count + i)] = outputs[at(i)].data;
        all.back() = memory_.data();
        return all;
    }

    /// A device that fails says in which step. Steps before it have run, and may have updated their parameters.
    template <int S> void run_named_step() {
        if constexpr (Plan::value().steps[S].together == 0) {
            // A step before it has run this one too.
        } else if constexpr (is_asynchronous<Device>) {
            [[maybe_unused]] const range_t<Device> named(range_t<Device>::heard() ? step_names()[S].c_str() : "");
            try {
                run_step<S>();
            } catch (const device_error& e) {
                throw device_error(name + ", step " + std::to_string(S + 1) + " of " + std::to_string(step_count) + ": " + e.what() +
                                   (S == 0 ? "; nothing has been updated" : "; steps before it may have updated parameters"));
            }
        } else {
            run_step<S>();
        }
    }

    // Labels that lie on the device

    static constexpr int label_count = Plan::program().labels.size();
    static constexpr bool checks_labels = transfers && label_count > 0 && has_label_checks<Device>;

    std::int64_t label_classes(int i) const { return size_value(facts.labels[i].classes, sizes.data()); }

    void number_label_checks() {
        for (int i = 0; i < label_count; ++i) {
            auto said = wrong_label(facts, name, facts.labels[i], label_classes(i));
            label_numbers_[at(i)] = Device::label_check(std::move(said[0]), std::move(said[1]));
        }
    }
    /// What lies on the host has been checked when it was bound.
    void check_labels() {
        for (int i = 0; i < label_count; ++i) {
            const int leaf = facts.labels[i].leaf;
            const bound_array& a = leaves[at(leaf)];
            if (a.on_host) continue;
            const auto look = [&]<class T>(T*) {
                Device::template check_labels<T>(label_numbers_[at(i)], reinterpret_cast<const T*>(a.data), facts.leaves[leaf].shape.rank,
                                                 a.extent.data(), a.stride.data(), label_classes(i));
            };
            if (facts.leaves[leaf].type == element::int32) look(static_cast<std::int32_t*>(nullptr));
            else look(static_cast<std::int64_t*>(nullptr));
        }
    }

    /// What the steps are called where a tool shows them; made when one first asks.
    static const std::vector<std::string>& step_names() {
        static const std::vector<std::string> names = detail::step_names(plan_facts(facts));
        return names;
    }

    /// The steps through a table: the code that the profile sees is the code that runs without it.
    void run_recorded(recorded_call& call) {
        call.lap(call_part::staging);
        call.begin_steps({sizes.data(), operands_.data(), work_bytes_, staged_bytes_});
        static constexpr auto steps = []<int... S>(std::integer_sequence<int, S...>) {
            return std::array<void (runner::*)(), sizeof...(S) + 1>{&runner::run_named_step<S>..., nullptr};
        }(std::make_integer_sequence<int, step_count>());
        if constexpr (is_asynchronous<Device>) {
            // The device measures itself, and only the end of the last step is waited for.
            using event = typename Device::event;
            const auto marks = std::make_unique<std::array<event, static_cast<std::size_t>(step_count + 1)>>();
            (*marks)[0].record();
            int before = 0;
            for (int i = 0; i < step_count; ++i) {
                if (facts.steps[i].together == 0) continue;
                (this->*steps[at(i)])();
                (*marks)[at(i + 1)].record();
            }
            for (int i = 0; i < step_count; ++i) {
                if (facts.steps[i].together == 0) continue;
                call.step(i, (*marks)[at(i + 1)].since((*marks)[at(before)]));
                before = i + 1;
            }
        } else {
            for (int i = 0; i < step_count; ++i) {
                if (facts.steps[i].together == 0) continue;
                (this->*steps[at(i)])();
                call.step(i);
            }
        }
    }

    /// Where products copy what their library does not take: behind the temporaries and the staged arguments.
    std::byte* packing_room() const { return memory_.data() + work_bytes_ + staged_bytes_; }

    /// A strided argument that a reshape reads is copied behind the temporaries first, in row-major order. Returns the
    /// bytes of these copies.
    std::int64_t stage_arguments(const std::int64_t work) {
        std::int64_t bytes = work;
        for (int i = 0; i < leaf_count; ++i) {
            staged_[at(i)] = -1;
            const int rank = facts.leaves[i].shape.rank;
            if (!facts.contiguous_leaf[i] || leaves[at(i)].contiguous(rank)) continue;
            std::int64_t count = 1;
            for (int a = 0; a < rank; ++a) count *= leaves[at(i)].extent[at(a)];
            staged_[at(i)] = bytes;
            bytes += (count * static_cast<std::int64_t>(size_of(facts.leaves[i].type)) + 63) / 64 * 64;
        }
        return bytes - work;
    }

    /// Whether a reshape reads an argument, so that a strided one is copied first.
    static constexpr bool may_stage = [] {
        for (const bool b : Plan::value().contiguous_leaf)
            if (b) return true;
        return false;
    }();

    void copy_staged() {
        if constexpr (may_stage) copy_strided_arguments();
    }

    void copy_strided_arguments() {
        for (int i = 0; i < leaf_count; ++i) {
            if (!facts.contiguous_leaf[i] || staged_[at(i)] < 0) continue;
            const int rank = facts.leaves[i].shape.rank;
            kernel::operand from{leaves[at(i)].data, leaves[at(i)].stride}, to{memory_.data() + staged_[at(i)], {}};
            std::int64_t step = 1;
            for (int a = rank; a-- > 0; step *= leaves[at(i)].extent[at(a)]) to.stride[at(a)] = step;
            copy_elements(facts.leaves[i].type, rank, leaves[at(i)].extent.data(), from, to);
        }
    }

    static void copy_elements(element type, int rank, const std::int64_t* extents, const kernel::operand& from, const kernel::operand& to) {
        switch (type) {
        case element::boolean: Device::template copy<bool>(rank, extents, from, to); break;
        case element::int32: Device::template copy<std::int32_t>(rank, extents, from, to); break;
        case element::int64: Device::template copy<std::int64_t>(rank, extents, from, to); break;
        case element::float32: Device::template copy<float>(rank, extents, from, to); break;
        case element::float64: Device::template copy<double>(rank, extents, from, to); break;
        case element::float16: Device::template copy<half>(rank, extents, from, to); break;
        case element::brain16: Device::template copy<bfloat16>(rank, extents, from, to); break;
        }
    }

    std::byte* base(int buffer) const {
        const buffer_facts& b = facts.buffers[buffer];
        switch (b.what) {
        case buffer_kind::leaf: return leaves[at(b.index)].data;
        case buffer_kind::output: return outputs[at(b.index)].data;
        case buffer_kind::temporary: return memory_.data() + work_offsets_[at(b.index)];
        default: return nullptr;
        }
    }

    template <int S> void run_step() {
        constexpr step s = Plan::value().steps[S];
        kernel::operand* operands = operands_.data() + s.slot_from;
        std::int64_t* extents = extents_.data() + S * max_rank;
        [&]<int... K>(std::integer_sequence<int, K...>) {
            (reshaped_slots<S + K>(operands + K * s.slot_count), ...);
        }(std::make_integer_sequence<int, s.together>());
        if constexpr (s.together > 1) {
            Device::template run_joined<kernel_type<Plan, S>, s.together>(extents, operands, s.slot_count, sizes.data());
        } else if constexpr (s.what == step_kind::kernel) {
            Device::template run<kernel_type<Plan, S>>(extents, operands, sizes.data());
        } else if constexpr (s.what == step_kind::copy) {
            Device::template copy<element_t<s.type>>(s.outer, extents, operands[0], operands[1]);
        } else {
            run_product<S>(extents, operands);
        }
    }

    /// Slots with a layout of their own read the staged copy where there is one.
    template <int S> void reshaped_slots(kernel::operand* operands) {
        constexpr step s = Plan::value().steps[S];
        for (int i = 0; i < s.slot_count; ++i) {
            const access& a = facts.slots[s.slot_from + i];
            if (a.layout < 0 || facts.buffers[a.buffer].what != buffer_kind::leaf) continue;
            const int leaf = facts.buffers[a.buffer].index;
            if (staged_[at(leaf)] >= 0) operands[i].data = memory_.data() + staged_[at(leaf)];
        }
    }

    template <int S> void run_product(std::int64_t* extents, kernel::operand* operands) {
        constexpr step s = Plan::value().steps[S];
        using T = element_t<s.type>;
        using In = element_t<Plan::value().buffers[Plan::value().slots[s.slot_from].buffer].type>;
        T factors[2] = {static_cast<T>(s.alpha), s.accumulates ? static_cast<T>(s.beta) : T(0)};
        if constexpr (s.alpha_computed || s.beta_computed) {
            constexpr int first = s.accumulates ? 4 : 3;
            if constexpr (s.alpha_computed) operands[first].data = reinterpret_cast<std::byte*>(&factors[0]);
            if constexpr (s.beta_computed) operands[first + (s.alpha_computed ? 1 : 0)].data = reinterpret_cast<std::byte*>(&factors[1]);
            if constexpr (!is_asynchronous<Device>) Device::template run<kernel_type<Plan, S>>(extents, operands, sizes.data());
        }
        // Where the host cannot read them, the factors stay on the device and the product takes them there.
        [[maybe_unused]] T* computed = nullptr;
        if constexpr (is_asynchronous<Device> && (s.alpha_computed || s.beta_computed)) {
            constexpr int first = s.accumulates ? 4 : 3;
            computed = Device::template factors<T>(factors[0], factors[1]);
            if constexpr (s.alpha_computed) operands[first].data = reinterpret_cast<std::byte*>(computed);
            if constexpr (s.beta_computed) operands[first + (s.alpha_computed ? 1 : 0)].data = reinterpret_cast<std::byte*>(computed + 1);
            Device::template run<kernel_type<Plan, S>>(extents, operands, sizes.data());
        }
        const std::int64_t m = extents[0], k = extents[1], n = extents[2];
        if constexpr (s.copies) {
            if constexpr (s.batch > 0) {
                copy_addend<T>(s.batch, extents, operands);
            } else {
                const std::int64_t shape[2] = {m, n};
                Device::template copy<T>(s.vector ? 1 : 2, shape, operands[3], operands[2]);
            }
        }
        const auto read = [](const kernel::operand& o) { return reinterpret_cast<const In*>(o.data); };
        T* c = reinterpret_cast<T*>(operands[2].data);
        // A factor of 0 tells a product not to look at the addend, where the program multiplies a NaN by it.
        if constexpr (s.beta_computed && !is_asynchronous<Device>)
            if (factors[1] == T(0)) {
                scale_by_zero(c, extents, operands[2].stride, s.vector, s.batch);
                factors[1] = T(1);
            }
        const kernel::matrix<const In> a{read(operands[0]), m, k, operands[0].stride[0], operands[0].stride[1]};
        if constexpr (s.batch > 0) {
            // Told apart out here: nvcc reads no member of the step inside a lambda.
            constexpr bool on_device = is_asynchronous<Device> && (s.alpha_computed || s.beta_computed), accumulates = s.accumulates;
            kernel::for_each_batch<T>(s.batch, extents + matrix_extents, operands, a,
                                       {read(operands[1]), k, n, operands[1].stride[0], operands[1].stride[1]},
                                       {c, m, n, operands[2].stride[0], operands[2].stride[1]},
                                       [&](const auto& x, const auto& y, const auto& z, const auto& over) {
                if constexpr (on_device) Device::template gemm_batched<T>(static_cast<const T*>(computed), accumulates, x, y, z, over);
                else if constexpr (packs_products<Device>) Device::template gemm_batched<T>(factors[0], x, y, factors[1], z, over, packing_room());
                else Device::template gemm_batched<T>(factors[0], x, y, factors[1], z, over);
            });
        } else if constexpr (s.epilogue != 0) {
            constexpr bool has_relu = (s.epilogue & epilogue_relu) != 0, has_gelu = (s.epilogue & epilogue_gelu) != 0;
            kernel::epilogue<T, std::conditional_t<has_relu, op::relu, std::conditional_t<has_gelu, op::gelu_tanh, void>>> then;
            if constexpr ((s.epilogue & epilogue_bias) != 0) then.bias = {read(operands[3]), n, operands[3].stride[1]};
            Device::template gemm<T>(factors[0], a, kernel::matrix<const T>{read(operands[1]), k, n, operands[1].stride[0], operands[1].stride[1]}, then,
                                     kernel::matrix<T>{c, m, n, operands[2].stride[0], operands[2].stride[1]});
        } else if constexpr (is_asynchronous<Device> && (s.alpha_computed || s.beta_computed)) {
            if constexpr (s.vector)
                Device::template gemv<T>(static_cast<const T*>(computed), s.accumulates, a,
                                         kernel::vector<const In>{read(operands[1]), k, operands[1].stride[0]}, kernel::vector<T>{c, m, operands[2].stride[0]});
            else
                Device::template gemm<T>(static_cast<const T*>(computed), s.accumulates, a,
                                         kernel::matrix<const In>{read(operands[1]), k, n, operands[1].stride[0], operands[1].stride[1]},
                                         kernel::matrix<T>{c, m, n, operands[2].stride[0], operands[2].stride[1]});
        } else if constexpr (s.vector) {
            Device::template gemv<T>(factors[0], a, kernel::vector<const In>{read(operands[1]), k, operands[1].stride[0]}, factors[1],
                                     kernel::vector<T>{c, m, operands[2].stride[0]});
        } else {
            const kernel::matrix<const In> b{read(operands[1]), k, n, operands[1].stride[0], operands[1].stride[1]};
            const kernel::matrix<T> result{c, m, n, operands[2].stride[0], operands[2].stride[1]};
            if constexpr (packs_products<Device>) Device::template gemm<T>(factors[0], a, b, factors[1], result, packing_room());
            else Device::template gemm<T>(factors[0], a, b, factors[1], result);
        }
    }

    template <class T, class Strides> static void scale_by_zero(T* c, const std::int64_t* extents, const Strides& stride, bool vector, int batch) {
        std::int64_t count = extents[0] * (vector ? 1 : extents[2]);
        for (int i = 0; i < batch; ++i) count *= extents[matrix_extents + i];
        for (std::int64_t i = 0; i < count; ++i) {
            std::int64_t rest = i, offset = 0;
            const auto take = [&](std::int64_t extent, std::size_t axis) {
                offset += rest % extent * stride[axis];
                rest /= extent;
            };
            if (!vector) take(extents[2], 1);
            take(extents[0], 0);
            for (int k = 0; k < batch; ++k) take(extents[matrix_extents + k], at(k + 2));
            c[offset] *= T(0);
        }
    }

    /// Copies the addend of a batched product to where the product goes: the axes of the batch first, as they lie in memory.
    template <class T> static void copy_addend(int batch, const std::int64_t* extents, const kernel::operand* operands) {
        std::int64_t shape[max_rank] = {};
        kernel::operand from{operands[3].data, {}}, to{operands[2].data, {}};
        for (int i = 0; i < batch + 2; ++i) {
            const auto slot = at(i < batch ? i + 2 : i - batch);
            shape[i] = extents[i < batch ? matrix_extents + i : i == batch ? 0 : 2];
            from.stride[at(i)] = operands[3].stride[slot];
            to.stride[at(i)] = operands[2].stride[slot];
        }
        Device::template copy<T>(batch + 2, shape, from, to);
    }

    std::array<kernel::operand, static_cast<std::size_t>(slot_count + 1)> operands_{};
    std::array<std::int64_t, static_cast<std::size_t>(step_count * max_rank + 1)> extents_{};
    std::array<std::int64_t, static_cast<std::size_t>(temporary_count + 1)> work_offsets_{};
    std::array<std::int64_t, static_cast<std::size_t>(leaf_count + 1)> staged_{};
    std::array<int, static_cast<std::size_t>(label_count + 1)> label_numbers_{};
    std::int64_t work_bytes_ = 0, staged_bytes_ = 0;
    work_memory<Device> memory_;
    [[no_unique_address]] recording_t<Device> recording_;
};

}  // namespace croton::inline v0_1::detail

#endif
