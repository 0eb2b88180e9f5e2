// SPDX-License-Identifier: MIT
// Labels that lie on the GPU are checked there: what a kernel finds, and what the host says of it when it next waits.
#ifndef CROTON_DEVICE_CUDA_LABELS_HPP
#define CROTON_DEVICE_CUDA_LABELS_HPP

#include <croton/core/error.hpp>
#include <croton/core/extents.hpp>
#include <croton/device/cuda/map.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace croton::inline v0_1::detail::cuda_device {

/// The first label that named no class since the host last looked. Memory that both sides see.
struct label_report {
    int check = 0;  // its number; 0: there was none
    std::int64_t label = 0;
};

/// The checks of the process by number, from 1: a kernel, and a graph that holds it, know no more of them.
class label_checks {
public:
    /// The number of the check that says `before`, the label, and `after`.
    static int number(std::string before, std::string after) {
        const std::lock_guard lock(mutex());
        auto& known = sentences();
        for (std::size_t i = 0; i < known.size(); ++i)
            if (known[i].first == before && known[i].second == after) return static_cast<int>(i) + 1;
        known.emplace_back(std::move(before), std::move(after));
        return static_cast<int>(known.size());
    }

    /// Throws `value_error` if there is something to say, and forgets it. The kernels that may write have ended.
    static void raise(label_report& found) {
        if (found.check == 0) [[likely]] return;
        const label_report said = std::exchange(found, label_report());
        const std::lock_guard lock(mutex());
        const auto& [before, after] = sentences()[static_cast<std::size_t>(said.check) - 1];
        throw value_error(before + std::to_string(said.label) + after +
                          "; the labels lie on the device, where this was found while the call ran: it may have updated parameters");
    }

private:
    static std::vector<std::pair<std::string, std::string>>& sentences() {
        static std::vector<std::pair<std::string, std::string>> all;
        return all;
    }
    static std::mutex& mutex() {
        static std::mutex m;
        return m;
    }
};

/// The argument of the kernel that looks at labels.
template <class T> struct label_arguments {
    const T* labels;
    axes<max_rank> over;
    std::int64_t stride[max_rank];
    std::int64_t count, classes, blocks;
    label_report* report;
    int check;

    /// `most` blocks of `threads` threads at most.
    static label_arguments of(int check, const T* labels, int rank, const std::int64_t* extents, const std::int64_t* strides,
                              std::int64_t classes, label_report* report, std::int64_t threads, std::int64_t most) {
        label_arguments a{};
        a.labels = labels;
        a.over.first = max_rank - std::max(rank, 1);
        a.count = 1;
        for (int i = 0; i < rank; ++i) {
            a.over.at[max_rank - rank + i] = axis::of(extents[i]);
            a.stride[max_rank - rank + i] = strides[i];
            a.count *= extents[i];
        }
        a.over.settle();
        a.classes = classes;
        a.blocks = std::min((a.count + threads - 1) / threads, most);
        a.report = report;
        a.check = check;
        return a;
    }
};

/// Reports a label that is none of 0 to `classes` - 1. Each thread takes one after the other.
template <class Threads, class T> CROTON_DEVICE void look_at_labels(Threads& t, const label_arguments<T>& a) {
    for (std::int64_t i = t.block() * t.threads() + t.thread(); i < a.count; i += a.blocks * t.threads()) {
        std::int64_t index[max_rank], at = 0;
        a.over.decode(i, index);
        CROTON_UNROLL
        for (int x = 0; x < max_rank; ++x)
            if (x >= a.over.first) at += index[x] * a.stride[x];
        const auto label = static_cast<std::int64_t>(a.labels[at]);
        if ((label < 0 || label >= a.classes) && t.claim(&a.report->check, a.check)) a.report->label = label;
    }
}

}  // namespace croton::inline v0_1::detail::cuda_device

#endif
