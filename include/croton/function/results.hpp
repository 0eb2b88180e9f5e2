// SPDX-License-Identifier: MIT
// The memory that a caller wants results in: whether it has their extents, and whether they can be written there at once.
#ifndef CROTON_FUNCTION_RESULTS_HPP
#define CROTON_FUNCTION_RESULTS_HPP

#include <cstdint>
#include <string>
#include <tuple>
#include <utility>

#include <croton/compiler.hpp>
#include <croton/function/binding.hpp>
#include <croton/function/in_place.hpp>
#include <croton/function/layout.hpp>

namespace croton::inline v0_1::detail {

/// The results of one call. Looked at only where they lie elsewhere than those of the call before, by code that all functions share.
struct call_results {
    const plan_view& facts;
    const std::string& function;
    const bound_array* out;

    const buffer_facts& buffer(int i) const { return facts.buffers[facts.first_output + i]; }
    strided_elements elements(int i) const { return out[i].elements(buffer(i).shape.rank, size_of(buffer(i).type)); }

    /// Throws `shape_error` where one has other extents than its result.
    CROTON_PLAIN [[gnu::cold]] void check(const std::int64_t* sizes) const;

    /// Whether each that the steps see in another shape is in row-major order.
    [[gnu::cold]] bool lie_as_read() const {
        for (int i = 0; i < facts.slot_count; ++i) {
            const access& a = facts.slots[i];
            const buffer_facts& b = facts.buffers[a.buffer];
            if (a.layout >= 0 && b.what == buffer_kind::output && !out[b.index].contiguous(b.shape.rank)) return false;
        }
        return true;
    }

    /// Whether one would be written over what is still to be read of an argument, or over another result.
    CROTON_PLAIN [[gnu::cold]] bool overlap(const bound_array* leaves) const;
};

template <class Unit> void call_results::check(const std::int64_t* sizes) const {
    for (int i = 0; i < facts.output_count; ++i) {
        const shape& wanted = buffer(i).shape;
        for (int a = 0; a < wanted.rank; ++a)
            if (const std::int64_t extent = size_value(wanted[a], sizes), has = out[i].extent[static_cast<unsigned>(a)]; has != extent)
                refuse<shape_error>({function, ": result ", i + 1, " has extent ", extent, " along axis ", a, ", but the array it is written into has ", has});
        check_room(out[i], wanted.rank, [&] { return message({function, ": result ", i + 1, " is written into a view"}); });
    }
}
CROTON_INSTANCE(void call_results::check<>(const std::int64_t*) const)

template <class Unit> bool call_results::overlap(const bound_array* leaves) const {
    bool found = false;
    for (int i = 0; i < facts.output_count; ++i) {
        const strided_elements mine = elements(i);
        const int rank = buffer(i).shape.rank;
        for (int j = 0; j < facts.leaf_count; ++j) {
            const leaf_input& l = facts.leaves[j];
            if (!share_memory(mine, leaves[j].elements(l.shape.rank, size_of(l.type)))) continue;
            if (l.shared) refuse<value_error>({function, ": result ", i + 1, " shares memory with ", leaf_text(facts, j), ", which is updated in place"});
            const bool alike = out[i].data == leaves[j].data && rank == l.shape.rank && l.type == buffer(i).type && out[i].same_layout(leaves[j], rank);
            found = found || !alike || !reads_before_it_writes(facts, j, i);
        }
        for (int j = 0; j < i; ++j) found = found || share_memory(mine, elements(j));
    }
    return found;
}
CROTON_INSTANCE(bool call_results::overlap<>(const bound_array*) const)

/// Copies a result that was computed elsewhere to where it is wanted.
template <class Out, class Fresh> void assign_result(Out& to, Fresh& from) {
    if constexpr (is_leaf<Fresh>) {
        // An array that does not fit matches none of these: what binds it has said so.
        if constexpr (requires { to.copy_from(from.as_view()); }) to.copy_from(from.as_view());
        else if constexpr (is_leaf<Out> && requires { requires Out::rank == Fresh::rank; to = from; }) to = from;
        else if constexpr (requires { view(to).copy_from(from.as_view()); }) view(to).copy_from(from.as_view());
    } else {
        for_each_leaf2(to, from, [](auto& t, auto& f) { assign_result(t, f); });
    }
}

/// Whether arrays take the extents of their results: where `Sizes`, and none has an element.
template <bool Sizes, class... Out> bool are_sized([[maybe_unused]] const std::tuple<Out&...>& results) {
    if constexpr (Sizes) return std::apply([](const auto&... to) { return ((to.size() == 0) && ...); }, results);
    else return false;
}
/// Hands the results of a call to arrays that it was not computed into, which are `sized` by it or have their extents.
template <bool Sizes, class... Out, class Arrays> void hand_over(std::tuple<Out&...>& results, Arrays& fresh, [[maybe_unused]] bool sized) {
    [&]<std::size_t... I>(std::index_sequence<I...>) {
        if constexpr (Sizes)
            if (sized) return ((std::get<I>(results) = std::move(std::get<I>(fresh))), ...), void();
        (assign_result(std::get<I>(results), std::get<I>(fresh)), ...);
    }(std::index_sequence_for<Out...>());
}

}  // namespace croton::inline v0_1::detail

#endif
