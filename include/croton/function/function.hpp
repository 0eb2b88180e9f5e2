// SPDX-License-Identifier: MIT
// A compiled function: the plan of a lambda with its types, run on a device.
#ifndef CROTON_FUNCTION_FUNCTION_HPP
#define CROTON_FUNCTION_FUNCTION_HPP

#include <atomic>
#include <memory>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <croton/device/device.hpp>
#include <croton/function/layout.hpp>
#include <croton/function/transfer.hpp>
#include <croton/kernel/batch.hpp>
#include <croton/plan/formula.hpp>
#include <croton/plan/lower.hpp>
#include <croton/plan/memory.hpp>
#include <croton/profile/recorder.hpp>

namespace croton::inline v0_1 {

namespace detail {

template <class Device, class F> struct plan_holder {
    static constexpr unsigned abilities = (Device::fuses ? fuses_loops : 0u) | (multiplies_storage<Device> ? multiplies_narrow : 0u) |
                                          (has_epilogues<Device> ? takes_epilogues : 0u) | (has_joint_launches<Device> ? joins_loops : 0u);
    static constexpr const auto& program() { return program_of<F, Device::rewrites>::get(); }
    static constexpr const auto& value() {
        return plan_of<F, Device::rewrites, abilities>::get();
    }
};

template <class Device, class F> struct program_text {
    static constexpr std::string_view view() {
        const auto& e = plan_holder<Device, F>::program().error;
        return {e.entry.data(), e.fits() ? static_cast<std::size_t>(e.count) : e.entry.size()};
    }
};

enum class count_of { arguments, results };

template <count_of What, std::size_t Wanted, std::size_t Given> struct wrong_count {
    static constexpr void say(text_builder& text) {
        const char* what = What == count_of::arguments ? " argument" : " result";
        text << "the function has " << static_cast<int>(Wanted) << what << (Wanted == 1 ? "" : "s") << ", but the call "
             << (What == count_of::arguments ? "passes " : "has arrays for ") << static_cast<int>(Given);
    }
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

template <class Device, class Out> struct concrete;
template <class Device, class T, int R> struct concrete<Device, expr<T, R>> {
    using type = array<T, R, array_device<Device>>;
};
template <class Device, traced Out> struct concrete<Device, Out> : concrete<Device, expr_of<Out>> {};
template <class Device, class M>
    requires(!traced<M>)
struct concrete<Device, M> {
    using type = rebind_model<symbol_of<M>, on<array_device<Device>>::template array>;
};

template <class Device, class Tuple> struct concrete_tuple;
template <class Device, class... Out> struct concrete_tuple<Device, std::tuple<Out...>> {
    using type = std::tuple<typename concrete<Device, std::remove_cvref_t<Out>>::type...>;
};

}  // namespace detail

/// What `function<Device>(lambda)` gives: call it like the lambda, with arrays.
///
/// Sizes are resolved when the shapes of the arguments change, and then only; a call with `call_into` allocates nothing
/// after the first. One object is used by one thread at a time; copies are independent.
template <class Device, class F> class compiled {
    using holder = detail::plan_holder<Device, F>;
    using parameters = detail::parameters_of<F>;
    using outputs_type = detail::outputs_tuple<F>;
    using arrays = typename detail::concrete_tuple<Device, outputs_type>::type;
    static constexpr int parameter_count = std::tuple_size_v<parameters>;
    static constexpr int leaf_count = detail::arrays_of<parameters>::count;
    static constexpr int output_count = holder::value().buffers.size() == 0 ? 0 : [] {
        int n = 0;
        for (const auto& b : holder::value().buffers) n += b.what == detail::buffer_kind::output ? 1 : 0;
        return n;
    }();
    /// The first leaf of parameter `I`.
    template <std::size_t I> static constexpr int first_leaf = []<std::size_t... K>(std::index_sequence<K...>) {
        return (0 + ... + detail::arrays_in<std::tuple_element_t<K, parameters>>);
    }(std::make_index_sequence<I>());
    static constexpr int step_count = holder::value().steps.size();
    static constexpr int slot_count = holder::value().slots.size();
    static constexpr int temporary_count = holder::value().temporaries;
    /// Whether arguments on the host are copied to the device.
    static constexpr bool transfers = !memory<array_device<Device>>::on_host;

public:
    using device = Device;

    explicit compiled(std::string name) : name_(std::move(name)) {}

    const std::string& name() const { return name_; }

    /// Calls the function. Arguments are arrays, views, spans (rank 1), numbers (rank 0) or models of arrays; a shared one
    /// is updated in place. Returns an array, a tuple of arrays, or nothing. Throws `shape_error` or `value_error` before
    /// anything has changed.
    template <class... A> auto operator()(A&&... arguments) {
        if constexpr (sizeof...(A) != parameter_count) {
            detail::stop_with<detail::wrong_count<detail::count_of::arguments, parameter_count, sizeof...(A)>>();
            return wrong_program();
        } else {
            detail::recorded_call call(recorded_, name_);
            bind(arguments...);
            call.lap(detail::call_part::arguments);
            arrays results = make_outputs();
            bind_outputs(results);
            call.lap(detail::call_part::results);
            run(call);
            call.done();
            if constexpr (std::tuple_size_v<arrays> == 0) return;
            else if constexpr (std::tuple_size_v<arrays> == 1 && !detail::returns_tuple<detail::result_of<F>>) return std::get<0>(std::move(results));
            else return results;
        }
    }

    /// The same, with the results written into existing arrays: `f.call_into(std::tie(p, e), x, y)`. Their extents must be
    /// those of the results. They may be arguments too: then the result goes through a temporary.
    template <class... Out, class... A> void call_into(std::tuple<Out&...> results, A&&... arguments) {
        if constexpr (sizeof...(Out) != std::tuple_size_v<arrays>)
            detail::stop_with<detail::wrong_count<detail::count_of::results, std::tuple_size_v<arrays>, sizeof...(Out)>>();
        else if constexpr (sizeof...(A) != parameter_count)
            detail::stop_with<detail::wrong_count<detail::count_of::arguments, parameter_count, sizeof...(A)>>();
        else write_into(results, arguments...);
    }
    template <class Out, class... A>
        requires(!requires { std::tuple_size<std::remove_cvref_t<Out>>::value; })
    void call_into(Out&& result, A&&... arguments) {
        call_into(std::tuple<Out&>(result), std::forward<A>(arguments)...);
    }

    /// The plan as data, for `explain` and the profiler.
    static constexpr const auto& plan() { return holder::value(); }
    static constexpr const auto& program() { return holder::program(); }

private:
    template <class... Out, class... A> void write_into(std::tuple<Out&...>& results, A&... arguments) {
        detail::recorded_call call(recorded_, name_);
        bind(arguments...);
        call.lap(detail::call_part::arguments);
        detail::bound_array out[output_count + 1];
        detail::bound_array* to = out;
        detail::number_store unused[output_count + 1];
        detail::number_store* numbers = unused;
        [&]<std::size_t... I>(std::index_sequence<I...>) {
            (bind_output<static_cast<int>(I)>(std::get<I>(results), to, numbers), ...);
        }(std::make_index_sequence<sizeof...(Out)>());
        check_outputs(out);
        if (overlaps(out)) {
            arrays fresh = make_outputs();
            bind_outputs(fresh);
            call.lap(detail::call_part::results);
            run(call);
            [&]<std::size_t... I>(std::index_sequence<I...>) {
                (assign(std::get<I>(results), std::get<I>(fresh)), ...);
            }(std::make_index_sequence<sizeof...(Out)>());
        } else {
            set_outputs(out);
            call.lap(detail::call_part::results);
            run(call);
        }
        call.done();
    }

    static constexpr detail::plan_view facts_ = detail::view_of(holder::program(), holder::value());
    static constexpr detail::function_facts recorded_{facts_, detail::device_name<Device>, Device::loop_name,
                                                      Device::product_name, Device::fuses};

    template <class... A> void bind(A&... arguments) {
        detail::bound_array leaves[leaf_count + 1];
        detail::bound_array* to = leaves;
        detail::number_store* numbers = numbers_.data();
        [&]<std::size_t... I>(std::index_sequence<I...>) {
            (detail::bind_arrays<detail::symbol_of<std::tuple_element_t<I, parameters>>, detail::is_shared_parameter<std::tuple_element_t<I, parameters>>,
                                 Device, detail::argument_places<holder, first_leaf<I>>::template place>(arguments, to, numbers), ...);
        }(std::make_index_sequence<sizeof...(A)>());
        if constexpr (transfers) transfer_.place(facts_, leaves);
        bool same_layout = ready_, same_memory = true;
        for (int i = 0; i < leaf_count; ++i) {
            same_layout = same_layout && leaves[i].same_layout(leaves_[at(i)], facts_.leaves[i].shape.rank);
            same_memory = same_memory && leaves[i].data == leaves_[at(i)].data;
        }
        if (!same_layout) {
            ready_ = false;
            detail::resolve_sizes(facts_, name_, leaves, sizes_.data());
        }
        for (int i = 0; i < facts_.label_count; ++i) {
            const detail::label_check& check = facts_.labels[i];
            const std::int64_t classes = detail::size_value(check.classes, sizes_.data());
            const detail::bound_array* labels = &leaves[check.leaf];
            if constexpr (transfers) {
                // Labels that lie on the device are not fetched for this: it looks at them itself, in front of the steps.
                if (!labels->on_host) continue;
                labels = &transfer_.host(check.leaf);
            }
            if (facts_.leaves[check.leaf].type == element::int32) detail::check_labels<std::int32_t>(facts_, name_, check, *labels, classes);
            else detail::check_labels<std::int64_t>(facts_, name_, check, *labels, classes);
        }
        if (!same_layout || !same_memory) {
            ready_ = false;
            detail::check_overlaps(facts_, name_, leaves);
        }
        for (int i = 0; i < leaf_count; ++i) leaves_[at(i)] = leaves[i];
        if (!same_layout) memory_.settled = false;
        if constexpr (transfers) transfer_.send(facts_);
        ready_ = true;
    }

    static constexpr std::size_t at(int i) { return static_cast<std::size_t>(i); }

    // Outputs

    static constexpr int first_output = [] {
        int i = 0;
        while (i < holder::value().buffers.size() && holder::value().buffers[i].what != detail::buffer_kind::output) ++i;
        return i;
    }();

    std::int64_t output_extent(int output, int axis) const {
        return detail::size_value(facts_.buffers[first_output + output].shape[axis], sizes_.data());
    }

    template <int Rank> extents_of<Rank> output_extents(int output) const {
        extents_of<Rank> e{};
        for (int i = 0; i < Rank; ++i) e[at(i)] = output_extent(output, i);
        return e;
    }

    arrays make_outputs() {
        int output = 0;
        return [&]<std::size_t... I>(std::index_sequence<I...>) {
            return arrays{make_output<std::tuple_element_t<I, arrays>>(output)...};
        }(std::make_index_sequence<std::tuple_size_v<arrays>>());
    }
    template <class Out> Out make_output(int& output) {
        if constexpr (detail::is_leaf<Out>) {
            return Out::uninitialized(output_extents<Out::rank>(output++));
        } else {
            Out out{};
            detail::for_each_leaf(out, [&](auto& a) { a = std::remove_cvref_t<decltype(a)>::uninitialized(output_extents<std::remove_cvref_t<decltype(a)>::rank>(output++)); });
            return out;
        }
    }

    template <int I, class Out> static void bind_output(Out& out, detail::bound_array*& to, detail::number_store*& numbers) {
        using S = detail::symbol_of<std::remove_cvref_t<std::tuple_element_t<static_cast<std::size_t>(I), outputs_type>>>;
        detail::bind_arrays<S, true, Device, detail::result_places<I>::template place>(out, to, numbers);
    }

    void bind_outputs(arrays& results) {
        detail::bound_array out[output_count + 1];
        detail::bound_array* to = out;
        detail::number_store unused[output_count + 1];
        detail::number_store* numbers = unused;
        [&]<std::size_t... I>(std::index_sequence<I...>) {
            (bind_output<static_cast<int>(I)>(std::get<I>(results), to, numbers), ...);
        }(std::make_index_sequence<std::tuple_size_v<arrays>>());
        set_outputs(out);
    }

    void set_outputs(const detail::bound_array* out) {
        for (int i = 0; i < output_count; ++i) {
            if (!out[i].same_layout(outputs_[at(i)], facts_.buffers[first_output + i].shape.rank)) memory_.settled = false;
            outputs_[at(i)] = out[i];
        }
    }

    void check_outputs(const detail::bound_array* out) const {
        for (int i = 0; i < output_count; ++i)
            for (int a = 0; a < facts_.buffers[first_output + i].shape.rank; ++a)
                if (out[i].extent[at(a)] != output_extent(i, a))
                    throw shape_error(name_ + ": result " + std::to_string(i + 1) + " has extent " + std::to_string(output_extent(i, a)) +
                                      " along axis " + std::to_string(a) + ", but the array it is written into has " + std::to_string(out[i].extent[at(a)]));
    }

    /// Whether a result would be written over an argument, or over another result.
    bool overlaps(const detail::bound_array* out) const {
        bool found = false;
        for (int i = 0; i < output_count; ++i) {
            const detail::buffer_facts& b = facts_.buffers[first_output + i];
            const auto mine = out[i].reach(b.shape.rank, size_of(b.type));
            const auto meets = [&](const std::array<std::uintptr_t, 2>& other) { return mine[0] < other[1] && other[0] < mine[1]; };
            for (int j = 0; j < leaf_count; ++j)
                if (meets(leaves_[at(j)].reach(facts_.leaves[j].shape.rank, size_of(facts_.leaves[j].type)))) {
                    if (facts_.leaves[j].shared)
                        throw value_error(name_ + ": result " + std::to_string(i + 1) + " shares memory with " +
                                          detail::leaf_text(facts_, j) + ", which is updated in place");
                    found = true;
                }
            for (int j = 0; j < i; ++j) {
                const detail::buffer_facts& o = facts_.buffers[first_output + j];
                found = found || meets(out[j].reach(o.shape.rank, size_of(o.type)));
            }
        }
        return found;
    }

    template <class Out, class Fresh> static void assign(Out& to, Fresh& from) {
        if constexpr (detail::is_leaf<Fresh>) {
            // An array that does not fit matches none of these: what binds it has said so.
            if constexpr (requires { to.copy_from(from.as_view()); }) to.copy_from(from.as_view());
            else if constexpr (detail::is_leaf<Out> && requires { to = from; }) to = from;
            else if constexpr (requires { view(std::span(to)).copy_from(from.as_view()); }) view(std::span(to)).copy_from(from.as_view());
        } else {
            detail::for_each_leaf2(to, from, [](auto& t, auto& f) { assign(t, f); });
        }
    }

    // Running

    void run(detail::recorded_call& call) {
        // Replayed as a whole, the steps have no ranges of their own.
        [[maybe_unused]] const range_t<Device> named(name_.c_str());
        if (!memory_.settled) {
            detail::resolve_strides(facts_, leaves_.data(), outputs_.data(), sizes_.data(), operands_.data(), extents_.data());
            detail::lifetime scratch[temporary_count + 1];
            work_bytes_ = detail::place_temporaries(facts_, sizes_.data(), scratch, work_offsets_.data());
            staged_bytes_ = stage_arguments(work_bytes_);
            if constexpr (checks_labels) number_label_checks();
            memory_.settled = true;
            if constexpr (requires { recording_.forget(); }) recording_.forget();
        }
        call.lap(detail::call_part::layout);
        if constexpr (requires { recording_.forget(); }) {
            // Recorded, each step runs by itself, so that it can be measured.
            if (!call) return recording_.run(name_, addresses(), [this] { prepare_steps(), run_steps(); });
        }
        prepare_steps();
        if (call) [[unlikely]] return run_recorded(call);
        run_steps();
    }

    void prepare_steps() {
        if constexpr (checks_labels) check_labels();
        copy_staged();
        for (int i = 0; i < slot_count; ++i) operands_[at(i)].data = base(facts_.slots[i].buffer);
    }
    void run_steps() {
        [&]<int... S>(std::integer_sequence<int, S...>) { (run_named_step<S>(), ...); }(std::make_integer_sequence<int, step_count>());
    }

    /// The memory that the steps use: with the same, and the same shapes, they do the same.
    std::vector<const void*> addresses() const {
        std::vector<const void*> all;
        all.reserve(static_cast<std::size_t>(leaf_count + output_count) + 3);
        for (int i = 0; i < leaf_count; ++i) all.push_back(leaves_[at(i)].data);
        for (int i = 0; i < output_count; ++i) all.push_back(outputs_[at(i)].data);
        all.push_back(memory_.data());
        return all;
    }

    /// A device that fails says in which step. Steps before it have run, and may have updated their parameters.
    template <int S> void run_named_step() {
        if constexpr (holder::value().steps[S].together == 0) {
            // A step before it has run this one too.
        } else if constexpr (is_asynchronous<Device>) {
            [[maybe_unused]] const range_t<Device> named(range_t<Device>::heard() ? step_names()[S].c_str() : "");
            try {
                run_step<S>();
            } catch (const device_error& e) {
                throw device_error(name_ + ", step " + std::to_string(S + 1) + " of " + std::to_string(step_count) + ": " + e.what() +
                                   (S == 0 ? "; nothing has been updated" : "; steps before it may have updated parameters"));
            }
        } else {
            run_step<S>();
        }
    }

    // Labels that lie on the device

    static constexpr int label_count = holder::program().labels.size();
    static constexpr bool checks_labels = transfers && label_count > 0 && has_label_checks<Device>;

    std::int64_t label_classes(int i) const { return detail::size_value(facts_.labels[i].classes, sizes_.data()); }

    void number_label_checks() {
        for (int i = 0; i < label_count; ++i) {
            auto said = detail::wrong_label(facts_, name_, facts_.labels[i], label_classes(i));
            label_numbers_[at(i)] = Device::label_check(std::move(said[0]), std::move(said[1]));
        }
    }
    /// What lies on the host has been checked when it was bound.
    void check_labels() {
        for (int i = 0; i < label_count; ++i) {
            const int leaf = facts_.labels[i].leaf;
            const detail::bound_array& a = leaves_[at(leaf)];
            if (a.on_host) continue;
            const auto look = [&]<class T>(T*) {
                Device::template check_labels<T>(label_numbers_[at(i)], reinterpret_cast<const T*>(a.data), facts_.leaves[leaf].shape.rank,
                                                 a.extent.data(), a.stride.data(), label_classes(i));
            };
            if (facts_.leaves[leaf].type == element::int32) look(static_cast<std::int32_t*>(nullptr));
            else look(static_cast<std::int64_t*>(nullptr));
        }
    }

    /// What the steps are called where a tool shows them; made when one first asks.
    static const std::vector<std::string>& step_names() {
        static const std::vector<std::string> names = detail::step_names(detail::plan_facts(facts_));
        return names;
    }

    /// The steps through a table: the code that the profile sees is the code that runs without it.
    void run_recorded(detail::recorded_call& call) {
        call.lap(detail::call_part::staging);
        call.begin_steps({sizes_.data(), operands_.data(), work_bytes_, staged_bytes_});
        static constexpr auto steps = []<int... S>(std::integer_sequence<int, S...>) {
            return std::array<void (compiled::*)(), sizeof...(S) + 1>{&compiled::run_named_step<S>..., nullptr};
        }(std::make_integer_sequence<int, step_count>());
        if constexpr (is_asynchronous<Device>) {
            // The device measures itself, and only the end of the last step is waited for.
            using event = typename Device::event;
            const auto marks = std::make_unique<std::array<event, static_cast<std::size_t>(step_count + 1)>>();
            (*marks)[0].record();
            int before = 0;
            for (int i = 0; i < step_count; ++i) {
                if (facts_.steps[i].together == 0) continue;
                (this->*steps[at(i)])();
                (*marks)[at(i + 1)].record();
            }
            for (int i = 0; i < step_count; ++i) {
                if (facts_.steps[i].together == 0) continue;
                call.step(i, (*marks)[at(i + 1)].since((*marks)[at(before)]));
                before = i + 1;
            }
        } else {
            for (int i = 0; i < step_count; ++i) {
                if (facts_.steps[i].together == 0) continue;
                (this->*steps[at(i)])();
                call.step(i);
            }
        }
    }

    /// A strided argument that a reshape reads is copied behind the temporaries first, in row-major order. Returns the
    /// bytes of these copies.
    std::int64_t stage_arguments(const std::int64_t work) {
        std::int64_t bytes = work;
        for (int i = 0; i < leaf_count; ++i) {
            staged_[at(i)] = -1;
            const int rank = facts_.leaves[i].shape.rank;
            if (!facts_.contiguous_leaf[i] || leaves_[at(i)].contiguous(rank)) continue;
            std::int64_t count = 1;
            for (int a = 0; a < rank; ++a) count *= leaves_[at(i)].extent[at(a)];
            staged_[at(i)] = bytes;
            bytes += (count * static_cast<std::int64_t>(size_of(facts_.leaves[i].type)) + 63) / 64 * 64;
        }
        memory_.reserve(bytes);
        return bytes - work;
    }

    /// Whether a reshape reads an argument, so that a strided one is copied first.
    static constexpr bool may_stage = [] {
        for (const bool b : holder::value().contiguous_leaf)
            if (b) return true;
        return false;
    }();

    void copy_staged() {
        if constexpr (may_stage) copy_strided_arguments();
    }

    void copy_strided_arguments() {
        for (int i = 0; i < leaf_count; ++i) {
            if (!facts_.contiguous_leaf[i] || staged_[at(i)] < 0) continue;
            const int rank = facts_.leaves[i].shape.rank;
            kernel::operand from{leaves_[at(i)].data, leaves_[at(i)].stride}, to{memory_.data() + staged_[at(i)], {}};
            std::int64_t step = 1;
            for (int a = rank; a-- > 0; step *= leaves_[at(i)].extent[at(a)]) to.stride[at(a)] = step;
            copy_elements(facts_.leaves[i].type, rank, leaves_[at(i)].extent.data(), from, to);
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
        const detail::buffer_facts& b = facts_.buffers[buffer];
        switch (b.what) {
        case detail::buffer_kind::leaf: return leaves_[at(b.index)].data;
        case detail::buffer_kind::output: return outputs_[at(b.index)].data;
        case detail::buffer_kind::temporary: return memory_.data() + work_offsets_[at(b.index)];
        default: return nullptr;
        }
    }

    template <int S> void run_step() {
        constexpr detail::step s = holder::value().steps[S];
        kernel::operand* operands = operands_.data() + s.slot_from;
        std::int64_t* extents = extents_.data() + S * max_rank;
        [&]<int... K>(std::integer_sequence<int, K...>) {
            (reshaped_slots<S + K>(operands + K * s.slot_count), ...);
        }(std::make_integer_sequence<int, s.together>());
        if constexpr (s.together > 1) {
            Device::template run_joined<detail::kernel_type<holder, S>, s.together>(extents, operands, s.slot_count, sizes_.data());
        } else if constexpr (s.what == detail::step_kind::kernel) {
            Device::template run<detail::kernel_type<holder, S>>(extents, operands, sizes_.data());
        } else if constexpr (s.what == detail::step_kind::copy) {
            Device::template copy<element_t<s.type>>(s.outer, extents, operands[0], operands[1]);
        } else {
            run_product<S>(extents, operands);
        }
    }

    /// Slots with a layout of their own read the staged copy where there is one.
    template <int S> void reshaped_slots(kernel::operand* operands) {
        constexpr detail::step s = holder::value().steps[S];
        for (int i = 0; i < s.slot_count; ++i) {
            const detail::access& a = facts_.slots[s.slot_from + i];
            if (a.layout < 0 || facts_.buffers[a.buffer].what != detail::buffer_kind::leaf) continue;
            const int leaf = facts_.buffers[a.buffer].index;
            if (staged_[at(leaf)] >= 0) operands[i].data = memory_.data() + staged_[at(leaf)];
        }
    }

    template <int S> void run_product(std::int64_t* extents, kernel::operand* operands) {
        constexpr detail::step s = holder::value().steps[S];
        using T = element_t<s.type>;
        using In = element_t<holder::value().buffers[holder::value().slots[s.slot_from].buffer].type>;
        T factors[2] = {static_cast<T>(s.alpha), s.accumulates ? static_cast<T>(s.beta) : T(0)};
        if constexpr (s.alpha_computed || s.beta_computed) {
            constexpr int first = s.accumulates ? 4 : 3;
            if constexpr (s.alpha_computed) operands[first].data = reinterpret_cast<std::byte*>(&factors[0]);
            if constexpr (s.beta_computed) operands[first + (s.alpha_computed ? 1 : 0)].data = reinterpret_cast<std::byte*>(&factors[1]);
            if constexpr (!is_asynchronous<Device>) Device::template run<detail::kernel_type<holder, S>>(extents, operands, sizes_.data());
        }
        // Where the host cannot read them, the factors stay on the device and the product takes them there.
        [[maybe_unused]] T* computed = nullptr;
        if constexpr (is_asynchronous<Device> && (s.alpha_computed || s.beta_computed)) {
            constexpr int first = s.accumulates ? 4 : 3;
            computed = Device::template factors<T>(factors[0], factors[1]);
            if constexpr (s.alpha_computed) operands[first].data = reinterpret_cast<std::byte*>(computed);
            if constexpr (s.beta_computed) operands[first + (s.alpha_computed ? 1 : 0)].data = reinterpret_cast<std::byte*>(computed + 1);
            Device::template run<detail::kernel_type<holder, S>>(extents, operands, sizes_.data());
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
        const kernel::matrix<const In> a{read(operands[0]), m, k, operands[0].stride[0], operands[0].stride[1]};
        if constexpr (s.batch > 0) {
            // Told apart out here: nvcc reads no member of the step inside a lambda.
            constexpr bool on_device = is_asynchronous<Device> && (s.alpha_computed || s.beta_computed), accumulates = s.accumulates;
            kernel::for_each_batch<T>(s.batch, extents + detail::matrix_extents, operands, a,
                                       {read(operands[1]), k, n, operands[1].stride[0], operands[1].stride[1]},
                                       {c, m, n, operands[2].stride[0], operands[2].stride[1]},
                                       [&](const auto& x, const auto& y, const auto& z, const auto& over) {
                if constexpr (on_device) Device::template gemm_batched<T>(static_cast<const T*>(computed), accumulates, x, y, z, over);
                else Device::template gemm_batched<T>(factors[0], x, y, factors[1], z, over);
            });
        } else if constexpr (s.epilogue != 0) {
            constexpr bool has_relu = (s.epilogue & detail::epilogue_relu) != 0, has_gelu = (s.epilogue & detail::epilogue_gelu) != 0;
            kernel::epilogue<T, std::conditional_t<has_relu, op::relu, std::conditional_t<has_gelu, op::gelu, void>>> then;
            if constexpr ((s.epilogue & detail::epilogue_bias) != 0) then.bias = {read(operands[3]), n, operands[3].stride[1]};
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
            Device::template gemm<T>(factors[0], a, kernel::matrix<const In>{read(operands[1]), k, n, operands[1].stride[0], operands[1].stride[1]},
                                     factors[1], kernel::matrix<T>{c, m, n, operands[2].stride[0], operands[2].stride[1]});
        }
    }

    /// Copies the addend of a batched product to where the product goes: the axes of the batch first, as they lie in memory.
    template <class T> static void copy_addend(int batch, const std::int64_t* extents, const kernel::operand* operands) {
        std::int64_t shape[max_rank] = {};
        kernel::operand from{operands[3].data, {}}, to{operands[2].data, {}};
        for (int i = 0; i < batch + 2; ++i) {
            const auto slot = at(i < batch ? i + 2 : i - batch);
            shape[i] = extents[i < batch ? detail::matrix_extents + i : i == batch ? 0 : 2];
            from.stride[at(i)] = operands[3].stride[slot];
            to.stride[at(i)] = operands[2].stride[slot];
        }
        Device::template copy<T>(batch + 2, shape, from, to);
    }

    std::string name_;
    bool ready_ = false;     // leaves_ and sizes_ belong to a checked call
    std::array<detail::bound_array, static_cast<std::size_t>(leaf_count + 1)> leaves_{};
    std::array<detail::bound_array, static_cast<std::size_t>(output_count + 1)> outputs_{};
    std::array<detail::number_store, static_cast<std::size_t>(leaf_count + 1)> numbers_{};
    std::array<std::int64_t, static_cast<std::size_t>(holder::program().sizes.size() + 1)> sizes_{};
    std::array<kernel::operand, static_cast<std::size_t>(slot_count + 1)> operands_{};
    std::array<std::int64_t, static_cast<std::size_t>(step_count * max_rank + 1)> extents_{};
    std::array<std::int64_t, static_cast<std::size_t>(temporary_count + 1)> work_offsets_{};
    std::array<std::int64_t, static_cast<std::size_t>(leaf_count + 1)> staged_{};
    std::array<int, static_cast<std::size_t>(label_count + 1)> label_numbers_{};
    std::int64_t work_bytes_ = 0, staged_bytes_ = 0;
    detail::work_memory<Device> memory_;
    [[no_unique_address]] std::conditional_t<transfers, detail::host_arguments<Device, leaf_count>, detail::nothing_recorded> transfer_;
    [[no_unique_address]] recording_t<Device> recording_;
};

namespace detail {

/// Functions without a name are numbered in the order in which the program first makes them.
inline int next_function_number() {
    static std::atomic<int> count{0};
    return ++count;
}
template <class F> std::string default_name() {
    static const int number = next_function_number();
    return "function " + std::to_string(number);
}

template <int Argument> struct unsymbolic_parameter {
    static constexpr void say(text_builder& text) {
        text << "parameter " << Argument + 1 << " of the lambda is not symbolic; a parameter is a scalar, vector, matrix or tensor, "
             << "shared<...> of one, or a model struct of them, such as mlp<symbol>";
    }
};

/// The lambda as a function of a device, or the sentence that says what is wrong with it.
template <class Device, class F> auto make_function(std::string name) {
    if constexpr (!std::is_class_v<F>) {
        static_assert(std::is_class_v<F>, "croton: a function is made from a lambda; wrap other callables, as in [](matrix<float> x) { return f(x); }");
        return wrong_program();
    } else if constexpr (!std::is_empty_v<F>) {
        static_assert(std::is_empty_v<F>, "croton: the lambda of a function captures nothing; pass what it needs as a parameter");
        return wrong_program();
    } else if constexpr (!plain_callable<F>) {
        static_assert(plain_callable<F>, "croton: the parameters of the lambda are declared types, such as matrix<float>, and not auto");
        return wrong_program();
    } else if constexpr (!std::is_default_constructible_v<F>) {
        static_assert(std::is_default_constructible_v<F>, "croton: a function is made from a lambda without captures");
        return wrong_program();
    } else if constexpr (!ranks_fit<parameters_of<F>>) {
        return wrong_program();
    } else if constexpr (first_unsymbolic<parameters_of<F>>::value >= 0) {
        stop_with<unsymbolic_parameter<first_unsymbolic<parameters_of<F>>::value>>();
        return wrong_program();
    } else if constexpr (!is_result<result_of<F>>()) {
        static_assert(is_result<result_of<F>>(), "croton: a lambda returns expressions, models of them, a tuple of those, or outputs(...).updates(...)");
        return wrong_program();
    } else if constexpr (plan_holder<Device, F>::program().wrong) {
        if constexpr (program_text<Device, F>::view().size() > 0) (void)sizeof(report_error<program_text<Device, F>>);
        return wrong_program();
    } else {
        return compiled<Device, F>(std::move(name));
    }
}

}  // namespace detail

/// Traces a lambda on symbols, differentiates, rewrites and fuses it while it compiles, and gives the function for arrays on
/// `Device`. The lambda captures nothing and returns an expression, a model of expressions, a tuple of those, or
/// `outputs(...).updates(...)`.
template <class Device = default_device, class F> auto function(F) {
    return detail::make_function<Device, F>(detail::default_name<F>());
}

/// The same under a name, for profiles and messages.
template <class Device = default_device, class F> auto function(std::string name, F) {
    return detail::make_function<Device, F>(std::move(name));
}

}  // namespace croton::inline v0_1

#endif
