// SPDX-License-Identifier: MIT
// What a function keeps for each thread that calls it: one object may be called by any number of them at once.
#ifndef CROTON_FUNCTION_CALLERS_HPP
#define CROTON_FUNCTION_CALLERS_HPP

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

namespace croton::inline v0_1::detail {

/// Its address is another in every thread.
inline constinit thread_local char this_thread = 0;

/// Who calls: the thread, or what a device queues the thread's steps on.
template <class Device> const void* this_caller() {
    if constexpr (requires { Device::caller(); }) return Device::caller();
    else return &this_thread;
}

/// States of which no two calls have the same at a time. The first caller has one of its own, at the price of a comparison;
/// what the others need is made when they come and kept. A copy has none of them.
template <class Device, class State> class callers {
    /// The state of a caller that is not the first.
    struct further {
        State state;
        const void* caller;
    };

public:
    explicit callers(std::string name) : first_(std::move(name)) {}
    callers(const callers& other) : callers(other.name()) {}
    callers& operator=(const callers& other) {
        if (this != &other) first_.rename(other.name());
        return *this;
    }
    ~callers() {
        for (const auto& place : further_) delete place.load(std::memory_order_acquire);
    }

    const std::string& name() const { return first_.name(); }

    /// The right to a state until the end of a call.
    class lease {
    public:
        explicit lease(callers& all) : all_(all) {
            const void* const me = this_caller<Device>();
            // The second half is for a function that is called within its own call.
            if (all.is_first(me) && !all.called_.load(std::memory_order_acquire)) [[likely]] all.called_.store(true, std::memory_order_relaxed);
            else more_ = all.take(me);
        }
        lease(const lease&) = delete;
        lease& operator=(const lease&) = delete;
        ~lease() {
            if (more_ == nullptr) [[likely]] all_.called_.store(false, std::memory_order_release);
            else all_.give_back(more_);
        }
        State* operator->() const { return more_ == nullptr ? &all_.first_ : &more_->state; }

    private:
        callers& all_;
        further* more_ = nullptr;
    };

private:
    // Who come besides as many others allocate in each call.
    static constexpr std::size_t places = 16;

    bool is_first(const void* me) {
        const void* first = first_caller_.load(std::memory_order_relaxed);
        if (first == me) [[likely]] return true;
        return first == nullptr && first_caller_.compare_exchange_strong(first, me, std::memory_order_relaxed);
    }

    /// Callers begin to look at different places, and find what they left: shapes that are laid out.
    static std::size_t place_of(const void* caller, std::size_t tried) {
        return ((reinterpret_cast<std::uintptr_t>(caller) * std::uint64_t{0x9e3779b97f4a7c15}) >> 60) + tried;
    }

    [[gnu::noinline]] further* take(const void* me) {
        for (std::size_t tried = 0; tried < places; ++tried) {
            std::atomic<further*>& place = further_[place_of(me, tried) % places];
            if (place.load(std::memory_order_relaxed) == nullptr) continue;
            further* const found = place.exchange(nullptr, std::memory_order_acq_rel);
            if (found == nullptr) continue;
            // Where calls return before their steps have run, the memory of a state goes with the queue of the steps.
            if constexpr (requires { Device::caller(); }) {
                if (found->caller != me) {
                    give_back(found);
                    continue;
                }
            }
            return found;
        }
        return new further{State(name()), me};
    }

    [[gnu::noinline]] void give_back(further* done) noexcept {
        for (std::size_t tried = 0; tried < places; ++tried) {
            further* none = nullptr;
            if (further_[place_of(done->caller, tried) % places].compare_exchange_strong(none, done, std::memory_order_acq_rel)) return;
        }
        delete done;
    }

    State first_;
    std::atomic<const void*> first_caller_{nullptr};
    std::atomic<bool> called_{false};
    std::array<std::atomic<further*>, places> further_{};
};

}  // namespace croton::inline v0_1::detail

#endif
