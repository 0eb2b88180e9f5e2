// SPDX-License-Identifier: MIT
// The arrays that a function's call before this one had, and what of them still holds: one code for all plans.
#ifndef CROTON_FUNCTION_BOUND_CALL_HPP
#define CROTON_FUNCTION_BOUND_CALL_HPP

#include <cstddef>
#include <cstdint>
#include <string>

#include <croton/function/binding.hpp>
#include <croton/function/layout.hpp>
#include <croton/function/results.hpp>

namespace croton::inline v0_1::detail {

/// Where a function keeps what a call has bound.
struct kept_arrays {
    const plan_view& plan;
    const std::string& name;
    bound_array *leaves, *outputs;
    std::int64_t* sizes;

    const shape& shape_of_output(int i) const { return plan.buffers[plan.first_output + i].shape; }
    int rank_of_output(int i) const { return shape_of_output(i).rank; }
    /// The extents that a result has in this call.
    template <int Rank> extents_of<Rank> output_extents(int output) const {
        extents_of<Rank> e{};
        for (int i = 0; i < Rank; ++i) e[static_cast<std::size_t>(i)] = size_value(shape_of_output(output)[i], sizes);
        return e;
    }
};

/// What of a call is other than in the one before.
struct changes {
    bool layout, memory;
};

class bound_call {
public:
    /// Takes the arguments of a call. Sizes are resolved where extents are others than before. Throws where they do not fit: nothing is kept of the call then.
    CROTON_INLINE changes take_arguments(const kept_arrays& kept, const bound_array* given) {
        const plan_view& p = kept.plan;
        changes found{!ready_, false};
        for (int i = 0; i < p.leaf_count; ++i) {
            found.layout = found.layout || !given[i].same_layout(kept.leaves[i], p.leaves[i].shape.rank);
            found.memory = found.memory || given[i].data != kept.leaves[i].data || given[i].on_host != kept.leaves[i].on_host;
        }
        if (found.layout || found.memory) [[unlikely]] keep_arguments(kept, given, found.layout);
        return found;
    }

    /// Whether results may be computed where `out` lies, which they are from now on then. Throws where one has other extents than its result.
    CROTON_INLINE bool may_write(const kept_arrays& kept, const bound_array* out, changes& found) {
        // Most calls write where the one before wrote.
        bool again = disjoint_;
        for (int i = 0; i < kept.plan.output_count; ++i)
            again = again && out[i].data == kept.outputs[i].data && out[i].same_layout(kept.outputs[i], kept.rank_of_output(i));
        return again || look_at_results(kept, out, found);
    }

    /// The same, of results that are computed elsewhere in any case.
    static bool fits_as_it_lies(const kept_arrays& kept, const bound_array* out) {
        const call_results all{kept.plan, kept.name, out};
        all.check(kept.sizes);
        return all.lie_as_read() && !all.overlap(kept.leaves);
    }

    /// Results are computed there from now on.
    static changes take_results(const kept_arrays& kept, const bound_array* out) {
        changes found{};
        for (int i = 0; i < kept.plan.output_count; ++i) {
            const int rank = kept.rank_of_output(i);
            found.layout = found.layout || !out[i].same_layout(kept.outputs[i], rank);
            found.memory = found.memory || out[i].data != kept.outputs[i].data;
            kept.outputs[i].take(out[i], rank);
        }
        return found;
    }

private:
    [[gnu::noinline]] void keep_arguments(const kept_arrays& kept, const bound_array* given, bool resolves) {
        const plan_view& p = kept.plan;
        ready_ = disjoint_ = false;
        if (resolves) resolve_sizes(p, kept.name, given, kept.sizes);
        check_overlaps(p, kept.name, given);
        for (int i = 0; i < p.leaf_count; ++i) kept.leaves[i].take(given[i], p.leaves[i].shape.rank);
        ready_ = true;
    }
    [[gnu::noinline]] bool look_at_results(const kept_arrays& kept, const bound_array* out, changes& found) {
        disjoint_ = fits_as_it_lies(kept, out);
        if (disjoint_) found = take_results(kept, out);
        return disjoint_;
    }

    bool ready_ = false;     // what is kept of arguments and sizes belongs to a checked call
    bool disjoint_ = false;  // none of the results lies in these arguments or in another result
};

}  // namespace croton::inline v0_1::detail

#endif
