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

/// States that wait for the next caller, whatever they are: one copy of the code serves all functions.
class waiting_states {
public:
    struct entry {
        const void* caller;

        explicit entry(const void* who) : caller(who) {}
        entry(const entry&) = delete;
        entry& operator=(const entry&) = delete;
        virtual ~entry() = default;
    };

    waiting_states() = default;
    waiting_states(const waiting_states&) = delete;
    waiting_states& operator=(const waiting_states&) = delete;
    [[gnu::noinline]] ~waiting_states() {
        for (const auto& place : places_) delete place.load(std::memory_order_acquire);
    }

    /// One that waits, or null. Where calls return before their steps have run, the memory of a state goes with the queue of the steps: then it must be that
    /// of this caller.
    [[gnu::noinline]] entry* take(const void* me, bool own) noexcept {
        for (std::size_t tried = 0; tried < places_.size(); ++tried) {
            std::atomic<entry*>& place = places_[place_of(me, tried)];
            if (place.load(std::memory_order_relaxed) == nullptr) continue;
            entry* const found = place.exchange(nullptr, std::memory_order_acq_rel);
            if (found == nullptr) continue;
            if (!own || found->caller == me) return found;
            give_back(found);
        }
        return nullptr;
    }

    [[gnu::noinline]] void give_back(entry* done) noexcept {
        for (std::size_t tried = 0; tried < places_.size(); ++tried) {
            entry* none = nullptr;
            if (places_[place_of(done->caller, tried)].compare_exchange_strong(none, done, std::memory_order_acq_rel)) return;
        }
        delete done;
    }

private:
    // Who come besides as many others allocate in each call.
    std::array<std::atomic<entry*>, 16> places_{};

    /// Callers begin to look at different places, and find what they left: shapes that are laid out.
    static std::size_t place_of(const void* caller, std::size_t tried) {
        return (((reinterpret_cast<std::uintptr_t>(caller) * std::uint64_t{0x9e3779b97f4a7c15}) >> 60) + tried) % 16;
    }
};

/// States of which no two calls have the same at a time. The first caller has one of its own, at the price of a comparison;
/// what the others need is made when they come and kept. A copy has none of them.
template <class Device, class State> class callers {
    /// The state of a caller that is not the first.
    struct further : waiting_states::entry {
        State state;

        further(std::string name, const void* me) : entry(me), state(std::move(name)) {}
    };

public:
    // A copy of these would stand wherever a function is made.
    [[gnu::noinline]] explicit callers(std::string name) : first_(std::move(name)) {}
    [[gnu::noinline]] ~callers() = default;
    callers(const callers& other) : callers(other.name()) {}
    callers& operator=(const callers& other) {
        if (this != &other) first_.rename(other.name());
        return *this;
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
            else all_.further_.give_back(more_);
        }
        State* operator->() const { return more_ == nullptr ? &all_.first_ : &more_->state; }

    private:
        callers& all_;
        further* more_ = nullptr;
    };

private:
    bool is_first(const void* me) {
        const void* first = first_caller_.load(std::memory_order_relaxed);
        if (first == me) [[likely]] return true;
        return first == nullptr && first_caller_.compare_exchange_strong(first, me, std::memory_order_relaxed);
    }

    [[gnu::noinline]] further* take(const void* me) {
        if (auto* const found = further_.take(me, requires { Device::caller(); })) return static_cast<further*>(found);
        return new further(name(), me);
    }

    State first_;
    std::atomic<const void*> first_caller_{nullptr};
    std::atomic<bool> called_{false};
    waiting_states further_;
};

}  // namespace croton::inline v0_1::detail

#endif
