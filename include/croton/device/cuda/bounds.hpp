// SPDX-License-Identifier: MIT
// Labels and indices that lie on the GPU are checked there: what a kernel finds, and what the host says of it when it next waits.
#ifndef CROTON_DEVICE_CUDA_BOUNDS_HPP
#define CROTON_DEVICE_CUDA_BOUNDS_HPP

#include <croton/core/error.hpp>
#include <croton/core/extents.hpp>
#include <croton/device/cuda/map.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace croton::inline v0_1::detail::cuda_device {

/// The first number that named no class or place since the host last looked. Memory that both sides see.
struct bound_report {
    int check = 0;  // its number; 0: there was none
    std::int64_t number = 0;
};

/// The checks of the process by number, from 1: a kernel, and a graph that holds it, know no more of them.
class bound_checks {
public:
    /// The number of the check that says `before`, what was found, and `after`, which ends in what was looked at.
    static int number(std::string before, std::string after) {
        const std::lock_guard lock(mutex());
        auto& known = sentences();
        for (std::size_t i = 0; i < known.size(); ++i)
            if (known[i].first == before && known[i].second == after) return static_cast<int>(i) + 1;
        known.emplace_back(std::move(before), std::move(after));
        return static_cast<int>(known.size());
    }

    /// Throws `value_error` if there is something to say, and forgets it. The kernels that may write have ended.
    static void raise(bound_report& found) {
        if (found.check == 0) [[likely]] return;
        const bound_report said = std::exchange(found, bound_report());
        const std::lock_guard lock(mutex());
        const auto& [before, after] = sentences()[static_cast<std::size_t>(said.check) - 1];
        throw value_error(before + std::to_string(said.number) + after +
                          " lie on the device, where this was found while the call ran: it may have updated parameters");
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

/// The argument of the kernel that looks at them.
template <class T> struct bound_arguments {
    const T* numbers;
    axes<max_rank> over;
    std::int64_t stride[max_rank];
    std::int64_t count, lowest, limit, blocks;
    bound_report* report;
    int check;

    /// `most` blocks of `threads` threads at most.
    static bound_arguments of(int check, const T* numbers, int rank, const std::int64_t* extents, const std::int64_t* strides,
                              std::int64_t lowest, std::int64_t limit, bound_report* report, std::int64_t threads,
                              std::int64_t most) {
        bound_arguments a{};
        a.numbers = numbers;
        a.over.first = max_rank - std::max(rank, 1);
        a.count = 1;
        for (int i = 0; i < rank; ++i) {
            a.over.at[max_rank - rank + i] = axis::of(extents[i]);
            a.stride[max_rank - rank + i] = strides[i];
            a.count *= extents[i];
        }
        a.over.settle();
        a.lowest = std::is_unsigned_v<T> ? 0 : lowest;
        a.limit = limit;
        a.blocks = std::min((a.count + threads - 1) / threads, most);
        a.report = report;
        a.check = check;
        return a;
    }
};

/// Reports a number that is none of `lowest` to `limit` - 1. Each thread takes one after the other.
template <class Threads, class T> CROTON_DEVICE void look_at_bounds(Threads& t, const bound_arguments<T>& a) {
    for (std::int64_t i = t.block() * t.threads() + t.thread(); i < a.count; i += a.blocks * t.threads()) {
        std::int64_t index[max_rank], at = 0;
        a.over.decode(i, index);
        CROTON_UNROLL
        for (int x = 0; x < max_rank; ++x)
            if (x >= a.over.first) at += index[x] * a.stride[x];
        const auto number = static_cast<std::int64_t>(a.numbers[at]);
        if ((number < a.lowest || number >= a.limit) && t.claim(&a.report->check, a.check)) a.report->number = number;
    }
}

}  // namespace croton::inline v0_1::detail::cuda_device

#endif
