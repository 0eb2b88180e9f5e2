// SPDX-License-Identifier: MIT
// What one shape of the arguments makes of a plan: sizes checked, extents and strides of every step, memory for temporaries.
#ifndef CROTON_FUNCTION_LAYOUT_HPP
#define CROTON_FUNCTION_LAYOUT_HPP

#include <string>
#include <type_traits>
#include <vector>

#include <croton/compiler.hpp>
#include <croton/core/error.hpp>
#include <croton/core/later.hpp>
#include <croton/core/message.hpp>
#include <croton/function/binding.hpp>
#include <croton/kernel/argument.hpp>
#include <croton/plan/view.hpp>

namespace croton::inline v0_1::detail {

/// What a message calls a leaf.
CROTON_PLAIN [[gnu::cold]] std::string leaf_text(const plan_view& p, int leaf) {
    text_builder text;
    describe_argument(text, p.leaves[leaf], p.nodes, p.name_ranges, p.letters);
    return std::string(text.view());
}
CROTON_ONCE(leaf_text<>)

/// Says which axes differ, and what tied them together.
[[noreturn, gnu::cold]] inline void throw_size_mismatch(const plan_view& p, const std::string& function, int entry, const std::int64_t* values) {
    const size_entry& e = p.sizes[entry];
    const auto describe = [&](const size_entry& s, std::int64_t value) {
        if (s.what == size_entry::origin::argument)
            return message({leaf_text(p, s.leaf), " has extent ", value, " along axis ", s.axis});
        if (s.what == size_entry::origin::product && e.tied_by == tie::convolution)
            return message({"kernels for ", size_value(s.a, values), " channels in ", size_value(s.b, values), " groups see ", value});
        const bool reshaped = s.what == size_entry::origin::product || s.what == size_entry::origin::quotient;
        return message({reshaped ? "a reshape gives " : s.what == size_entry::origin::sum ? "joined arrays have " : "a slice has ", value,
                        value == 1 ? " element" : " elements", reshaped ? "" : " along its axis"});
    };
    std::string text = describe(e, values[entry]);
    if (e.same_as >= 0 && e.what == size_entry::origin::argument && e.declared == e.same_as) {
        text += message({", but its declaration says ", e.same_as});
    } else {
        const size_entry* other = e.same_as < 0 ? p.sizes + (-1 - e.same_as) : nullptr;
        if (other != nullptr) text += message({", but ", describe(*other, values[-1 - e.same_as])});
        else text += message({", but ", e.same_as, " is needed"});
        const std::string_view by = e.tied_by >= 0 ? facts_of(e.tied_by, p.own_operators).name : tie::name(e.tied_by);
        const bool one = other != nullptr && (values[entry] == 1 || values[-1 - e.same_as] == 1);
        if (!by.empty()) {
            text += message({other != nullptr ? "; " : ", for ", by, other != nullptr ? " needs them equal" : "",
                             one && e.tied_by >= 0 ? ", and repeats an extent of 1 where its type says so, as of newaxis<0>(x) and keepdims" : ""});
        } else if (is_named(e.declared)) {
            char letters[name_length_limit];
            text += message({"; both are dim(\"", std::string_view(letters, static_cast<std::size_t>(unpack_name(e.declared, letters))), "\")"});
        }
    }
    refuse<shape_error>({function, ": ", text});
}

[[noreturn, gnu::cold]] inline void throw_too_large(const std::string& what, const shape& s, const std::int64_t* values) {
    std::int64_t extents[max_rank] = {};
    for (int i = 0; i < s.rank; ++i) extents[i] = size_value(s[i], values);
    refuse<shape_error>({what, " of extents ", shape_text(extents, s.rank), " is more than memory can address"});
}

/// The bytes of an array, or -1 where memory cannot have so many.
inline std::int64_t addressable_bytes(const shape& s, element type, const std::int64_t* values) {
    std::int64_t bytes = static_cast<std::int64_t>(size_of(type));
    bool empty = false;
    for (int i = 0; i < s.rank; ++i) {
        const std::int64_t extent = size_value(s[i], values);
        empty = empty || extent == 0;
        // Strides are the product of the other extents.
        if (extent > 0 && bytes > furthest_reach / extent) return -1;
        bytes *= extent > 0 ? extent : 1;
    }
    return empty ? 0 : bytes;
}

/// Checks that everything that a call makes, and every loop that it runs, is of a size that can be counted in bytes.
CROTON_PLAIN void check_volumes(const plan_view& p, const std::string& function, const std::int64_t* values) {
    std::int64_t left = furthest_reach;
    for (int i = 0; i < p.buffer_count; ++i) {
        const buffer_facts& b = p.buffers[i];
        if (b.what == buffer_kind::number || b.index < 0 || (b.what == buffer_kind::leaf && !p.contiguous_leaf[b.index])) continue;
        const std::int64_t bytes = addressable_bytes(b.shape, b.type, values);
        const std::int64_t own = b.what == buffer_kind::output ? 0 : (bytes + 63) / 64 * 64;
        if (bytes >= 0 && own <= left) {
            left -= own;
            continue;
        }
        throw_too_large(b.what == buffer_kind::leaf     ? message({function, ": a copy of ", leaf_text(p, b.index)})
                        : b.what == buffer_kind::output ? message({function, ": result ", b.index + 1})
                                                        : message({function, ": a temporary"}),
                        b.shape, values);
    }
    for (int i = 0; i < p.step_count; ++i) {
        const step& s = p.steps[i];
        if (s.what == step_kind::product) continue;
        shape loop{};
        for (loop.rank = 0; loop.rank < s.outer + s.inner; ++loop.rank) loop[loop.rank] = s.extent[static_cast<unsigned>(loop.rank)];
        if (addressable_bytes(loop, element::float64, values) < 0) throw_too_large(message({function, ": a loop over elements"}), loop, values);
    }
}
CROTON_ONCE(check_volumes<>)

/// Whether extent `entry` has the elements that indices and paddings take.
inline void check_demands(const plan_view& p, const std::string& function, int entry, std::int64_t extent) {
    for (int i = 0; i < p.demand_count; ++i) {
        const extent_demand& d = p.demands[i];
        if (d.extent != -1 - entry || extent >= d.least) continue;
        const name_range called = p.name_ranges[d.of];
        text_builder text;
        d.say(text, {p.letters + called.from, static_cast<std::size_t>(called.length)}, extent);
        refuse<shape_error>({function, ": ", text.view()});
    }
}

/// Whether the maximum that node `id` is stands in softmax and its family alone, which have values of empty axes, too: it is only made finite there.
inline bool is_taken_off(const plan_view& p, int id) {
    for (int i = 0; i < p.output_count; ++i)
        if (p.outputs[i] == id) return false;
    for (int i = 0; i < p.update_count; ++i)
        if (p.updates[i].value == id) return false;
    for (int i = 0; i < p.node_count; ++i)
        for (int k = 0; k < max_arguments; ++k)
            if (p.nodes[i].in[k] == id && !structure::is_made_finite(p.nodes, p.nodes[i])) return false;
    return true;
}

/// Fills the table of sizes from the arguments and checks that what must be equal is.
CROTON_PLAIN void resolve_sizes(const plan_view& p, const std::string& function, const bound_array* leaves, std::int64_t* values) {
    for (int i = 0; i < p.size_count; ++i) {
        const size_entry& e = p.sizes[i];
        switch (e.what) {
        case size_entry::origin::argument: values[i] = leaves[e.leaf].extent[static_cast<unsigned>(e.axis)]; break;
        case size_entry::origin::product:
        case size_entry::origin::sum: {
            const std::int64_t a = size_value(e.a, values), b = size_value(e.b, values);
            const bool sum = e.what == size_entry::origin::sum;
            if (sum ? __builtin_add_overflow(a, b, &values[i]) : __builtin_mul_overflow(a, b, &values[i]))
                refuse<shape_error>({function, ": an extent of ", a, sum ? " and " : " times ", b, " is more than memory can address"});
            break;
        }
        case size_entry::origin::difference: values[i] = plain_extents::difference(size_value(e.a, values), size_value(e.b, values)); break;
        case size_entry::origin::minimum: values[i] = plain_extents::minimum(size_value(e.a, values), size_value(e.b, values)); break;
        case size_entry::origin::rounded_up: values[i] = plain_extents::rounded_up(size_value(e.a, values), size_value(e.b, values)); break;
        case size_entry::origin::remainder: values[i] = size_value(e.b, values) == 0 ? 0 : size_value(e.a, values) % size_value(e.b, values); break;
        case size_entry::origin::root: values[i] = rounded_root(size_value(e.a, values)); break;
        case size_entry::origin::quotient: {
            const std::int64_t a = size_value(e.a, values), b = size_value(e.b, values);
            if (e.tied_by == tie::split && a % b != 0)
                refuse<shape_error>({function, ": split: an axis of extent ", a, " does not give ", b, " equal parts"});
            if (b == 0 ? a != 0 : a % b != 0)
                refuse<shape_error>({function, ": reshape: ", a, " elements do not fit extents of ", b});
            values[i] = b == 0 ? 0 : a / b;
            break;
        }
        }
        check_demands(p, function, i, values[i]);
        if (e.same_as >= 0 ? values[i] != e.same_as : values[-1 - e.same_as] != values[i]) throw_size_mismatch(p, function, i, values);
    }
    for (int i = 0; i < p.node_count; ++i) {
        const node& n = p.nodes[i];
        if (n.what != tag<structure::reduce> || (n.fn != reduction_code<reduction::max> && n.fn != reduction_code<reduction::min>)) continue;
        bool none_reduced = false, none_kept = false;
        for (int a = 0; a < n.shape.rank; ++a)
            if (size_value(p.nodes[n.in[0]].shape[a], values) == 0) (((n.bits >> a) & 1) != 0 ? none_reduced : none_kept) = true;
        if (none_reduced && !none_kept && !is_taken_off(p, i))
            refuse<shape_error>({function, ": an empty axis has no ",
                                 n.fn == reduction_code<reduction::max> ? "largest" : "smallest", " element"});
    }
    for (int i = 0; i < p.node_count; ++i) {
        const node& n = p.nodes[i];
        const bool takes = n.what == tag<structure::gather>;
        if (!takes && n.what != tag<structure::scatter>) continue;
        const int axis = takes ? structure::gather::axis_of(n) : kernel::axis_of(n.bits);
        if (size_value(p.nodes[n.in[0]].shape[axis], values) != 0 || element_count(p.nodes[n.in[1]].shape, values) == 0) continue;
        if (takes && structure::gather::is_quantile(n)) refuse<shape_error>({function, ": an empty axis has no median and no quantiles"});
        refuse<shape_error>({function, ": ", takes ? structure::gather::name_of(n) : p.routines[n.fn]->name,
                             ": the axis is empty, and no index names anything on it"});
    }
    check_volumes(p, function, values);
}
CROTON_ONCE(resolve_sizes<>)

/// What is said of a number that names no class or place: the text before the number, and behind it.
CROTON_PLAIN [[gnu::cold]] std::array<std::string, 2> out_of_bounds(const plan_view& p, const std::string& function, const bound_check& check, std::int64_t limit) {
    const bool labels = check.who == bound_of::labels;
    text_builder places;
    if (labels || limit != 0) places << ": " << (counts_from_end(check.who) ? -limit : 0) << " to " << limit - 1;
    return {message({function, ": ", leaf_text(p, check.leaf), " holds the ", noun_of(check.who), " "}),
            labels ? message({", but there are ", limit, " classes", places.view()})
                   : message({", but ", name_of(check.who), " finds ", limit, " elements along its axis", places.view()})};
}
CROTON_ONCE(out_of_bounds<>)

template <class T> constexpr bool is_outside(T number, std::int64_t lowest, std::int64_t limit) {
    if constexpr (std::is_unsigned_v<T>) return number >= static_cast<std::uint64_t>(limit);
    else return static_cast<bool>(static_cast<int>(number < lowest) | static_cast<int>(number >= limit));
}

/// Whether every number of an argument names a class or a place.
template <class T> void check_bounds(const plan_view& p, const std::string& function, const bound_check& check, const bound_array& numbers, std::int64_t limit) {
    const leaf_input& l = p.leaves[check.leaf];
    const std::int64_t lowest = counts_from_end(check.who) ? -limit : 0;
    std::array<std::int64_t, max_rank> index{};
    std::int64_t count = 1;
    for (int i = 0; i < l.shape.rank; ++i) count *= numbers.extent[static_cast<unsigned>(i)];
    const T* at = reinterpret_cast<const T*>(numbers.data);
    if (numbers.contiguous(l.shape.rank)) {
        // Most are right: of the least and the largest of so many compilers look at some at a time.
        if (count == 0) return;
        T least = *at, largest = *at;
        const auto see = [&](const T* from, int n) CROTON_INLINED {
            T low = *from, high = *from;
            for (int j = 0; j < n; ++j) {
                low = from[j] < low ? from[j] : low;
                high = from[j] > high ? from[j] : high;
            }
            least = low < least ? low : least;
            largest = high > largest ? high : largest;
        };
        std::int64_t k = 0;
        for (; k + 128 <= count; k += 128) see(at + k, 128);
        if (k < count) see(at + k, static_cast<int>(count - k));
        if (!is_outside(least, lowest, limit) && !is_outside(largest, lowest, limit)) return;
    }
    for (std::int64_t k = 0; k < count; ++k) {
        if (is_outside(*at, lowest, limit)) {
            const auto said = out_of_bounds(p, function, check, limit);
            refuse<value_error>({said[0], std::to_string(*at), said[1]});
        }
        for (int i = l.shape.rank; i-- > 0;) {
            const auto a = static_cast<unsigned>(i);
            at += numbers.stride[a];
            if (++index[a] < numbers.extent[a]) break;
            at -= numbers.stride[a] * numbers.extent[a];
            index[a] = 0;
        }
    }
}

/// The strides of every slot of every step, and the bytes at which it begins; `leaves` and `outputs` give those of memory that the caller owns.
CROTON_PLAIN void resolve_strides(const plan_view& p, const bound_array* leaves, const bound_array* outputs, const std::int64_t* values,
                            kernel::operand* operands, std::int64_t* offsets, std::int64_t* extents) {
    for (int s = 0; s < p.step_count; ++s)
        for (int i = 0; i < max_rank; ++i) extents[s * max_rank + i] = size_value(p.steps[s].extent[static_cast<unsigned>(i)], values);
    for (int i = 0; i < p.slot_count; ++i) {
        const access& a = p.slots[i];
        const buffer_facts& b = p.buffers[a.buffer];
        std::int64_t stride[max_rank] = {};
        if (a.layout >= 0) row_major(p.layouts[a.layout], values, stride);
        else if (b.what == buffer_kind::leaf) for (int k = 0; k < max_rank; ++k) stride[k] = leaves[b.index].stride[static_cast<unsigned>(k)];
        else if (b.what == buffer_kind::output) for (int k = 0; k < max_rank; ++k) stride[k] = outputs[b.index].stride[static_cast<unsigned>(k)];
        else row_major(b.shape, values, stride);
        if (p.window_count > 0)
            offsets[i] = a.window < 0 ? 0
                                      : enter_windows(p, a.window, a.layout >= 0 ? p.layouts[a.layout] : b.shape, values, stride) *
                                            static_cast<std::int64_t>(size_of(b.type));
        for (unsigned k = 0; k < max_rank; ++k) operands[i].stride[k] = a.axis.at[k] < 0 ? 0 : stride[a.axis.at[k]];
        if (a.gathered >= 0) operands[i].along = {a.along < 0 ? 0 : stride[a.along], size_value(a.limit, values)};
    }
}
CROTON_ONCE(resolve_strides<>)

/// Where a buffer lies in a call.
inline std::byte* memory_of(const buffer_facts& b, const bound_array* leaves, const bound_array* outputs, std::byte* work, const std::int64_t* work_offsets) {
    switch (b.what) {
    case buffer_kind::leaf: return leaves[b.index].data;
    case buffer_kind::output: return outputs[b.index].data;
    case buffer_kind::temporary: return work + work_offsets[b.index];
    default: return nullptr;
    }
}

/// Memory that is written to must have room for each element; `what` begins the sentence.
template <class What> void check_room(const bound_array& a, int rank, What&& what) {
    if (a.contiguous(rank) || !repeats_elements(a.elements(rank, 1))) return;
    refuse<value_error>({what(), " whose elements share memory: it has extents ", shape_text(a.extent.data(), rank), " and strides ",
                         shape_text(a.stride.data(), rank)});
}

/// A parameter that is updated must not share memory with another argument.
CROTON_PLAIN void check_overlaps(const plan_view& p, const std::string& function, const bound_array* leaves) {
    const auto elements = [&](int i) { return leaves[i].elements(p.leaves[i].shape.rank, size_of(p.leaves[i].type)); };
    for (int i = 0; i < p.leaf_count; ++i) {
        if (!p.leaves[i].shared) continue;
        check_room(leaves[i], p.leaves[i].shape.rank, [&] { return message({function, ": ", leaf_text(p, i), ", which is updated in place, is a view"}); });
        for (int j = 0; j < p.leaf_count; ++j) {
            if (i == j || (p.leaves[j].shared && j < i)) continue;
            if (share_memory(elements(i), elements(j)))
                refuse<value_error>({function, ": ", leaf_text(p, i), " is updated in place and shares memory with ", leaf_text(p, j)});
        }
    }
}
CROTON_ONCE(check_overlaps<>)

/// All numbers that steps are laid out by: with the same ones, and the same memory, they do the same.
template <class Plan> auto layout_numbers(const Plan& p, const bound_array* leaves, const bound_array* outputs, const std::int64_t* sizes) {
    std::vector<later<Plan, std::int64_t>> numbers(sizes, sizes + p.size_count);
    const auto add = [&](const bound_array& a, int rank) {
        for (std::size_t x = 0; x < static_cast<std::size_t>(rank); ++x) {
            numbers.push_back(a.extent[x]);
            numbers.push_back(a.stride[x]);
        }
    };
    for (int i = 0; i < p.leaf_count; ++i) add(leaves[i], p.leaves[i].shape.rank);
    for (int i = 0; i < p.buffer_count; ++i)
        if (p.buffers[i].what == buffer_kind::output) add(outputs[p.buffers[i].index], p.buffers[i].shape.rank);
    return numbers;
}

}  // namespace croton::inline v0_1::detail

#endif
