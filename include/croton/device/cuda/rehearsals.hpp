// SPDX-License-Identifier: MIT
// Steps that only prepare: what they need is there before the first of them writes.
#ifndef CROTON_DEVICE_CUDA_REHEARSALS_HPP
#define CROTON_DEVICE_CUDA_REHEARSALS_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace croton::inline v0_1::detail::cuda_device {

/// The runs of a function's steps that were rehearsed: the steps ran and queued nothing, but made what they need. That depends on how
/// the addresses are aligned and on `state`, which says for which layouts of the arguments, and not on the addresses.
class rehearsals {
public:
    /// Another shape, of which `state` says nothing: it needs other things.
    void forget() noexcept { known_.clear(); }

    /// Calls `rehearse` unless a run like this one has been rehearsed for `owner`. What throws has changed nothing.
    template <class Rehearse> void run(const void* owner, std::int64_t state, std::span<const void* const> addresses, Rehearse&& rehearse) {
        const auto alike = [&](const rehearsed& r) {
            return r.owner == owner && r.state == state &&
                   std::equal(addresses.begin(), addresses.end(), r.low.begin(), r.low.end(), [](const void* p, std::uint8_t low) { return low_bits(p) == low; });
        };
        if (std::any_of(known_.begin(), known_.end(), alike)) return;
        rehearsed next{owner, state, {}};
        for (const void* p : addresses) next.low.push_back(low_bits(p));
        rehearse();
        if (known_.size() < most) {
            known_.push_back(std::move(next));
        } else {
            known_[turn_] = std::move(next);
            turn_ = (turn_ + 1) % most;
        }
    }

private:
    static constexpr std::size_t most = 8;
    struct rehearsed {
        const void* owner;
        std::int64_t state;
        std::vector<std::uint8_t> low;
    };
    // No kernel and no library asks for more than 256 bytes.
    static std::uint8_t low_bits(const void* p) { return static_cast<std::uint8_t>(reinterpret_cast<std::uintptr_t>(p)); }

    std::vector<rehearsed> known_;
    std::size_t turn_ = 0;
};

}  // namespace croton::inline v0_1::detail::cuda_device

#endif
