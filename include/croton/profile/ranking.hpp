// SPDX-License-Identifier: MIT
// In which order a report lists things. It is one code for all of them: each instance of std::stable_sort takes a compiler as long as a page of a report.
#ifndef CROTON_PROFILE_RANKING_HPP
#define CROTON_PROFILE_RANKING_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace croton::inline v0_1::detail {

/// Indices by what they are ranked by. A template, so that programs without reports instantiate none of it.
template <class Index> class ranking {
public:
    void add(std::int64_t by, Index index) { each_.emplace_back(by, index); }

    /// The indices, that of the least first; of equal ones the lower index.
    std::vector<Index> ascending() {
        std::sort(each_.begin(), each_.end());
        std::vector<Index> order;
        for (const auto& one : each_) order.push_back(one.second);
        return order;
    }

private:
    std::vector<std::pair<std::int64_t, Index>> each_;
};

/// The indices of a list, that of the greatest `by(element)` first; of equal ones the lower index.
template <class List, class By> std::vector<std::size_t> greatest_first(const List& list, const By& by) {
    ranking<std::size_t> order;
    for (std::size_t i = 0; i < list.size(); ++i) order.add(-by(list[i]), i);
    return order.ascending();
}

}  // namespace croton::inline v0_1::detail

#endif
