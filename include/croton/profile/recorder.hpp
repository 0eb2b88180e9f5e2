// SPDX-License-Identifier: MIT
// The hook between a function that runs and the profile that records it.
#ifndef CROTON_PROFILE_RECORDER_HPP
#define CROTON_PROFILE_RECORDER_HPP

#include <cstdint>
#include <string>
#include <string_view>

#include <croton/array/transfer.hpp>
#include <croton/config.hpp>
#include <croton/kernel/argument.hpp>
#include <croton/plan/view.hpp>

namespace croton::inline v0_1::detail {

/// What does not change about a function; one object for each, which outlives every profile.
struct function_facts {
    plan_view plan;
    std::string_view device, loop_name, product_name;
    bool fuses = false;
    const function_facts* const* loops = nullptr;  // by loop of the program: what its turns do
};

/// What a call spends its time on besides its steps, which are numbered from 0.
enum class call_part : int { arguments = -1, results = -2, layout = -3, staging = -4, recording = -5, leaving = -6 };
inline constexpr int call_parts = 6;

/// What a call has settled when its first step starts.
struct call_layout {
    const std::int64_t* sizes = nullptr;  // the values of the plan's table of sizes
    const kernel::operand* operands = nullptr;
    std::int64_t work_bytes = 0;          // the memory the function holds for temporaries
    std::int64_t staged_bytes = 0;        // arguments copied before the first step
    std::int64_t carried_bytes = 0;       // of a loop: where what it carries lies
};

/// Told of every call and region on its thread. `lap` says what the time since the last word was spent on.
class recorder {
public:
    recorder* outer = nullptr;   // of the same thread, still open
    const void* type = nullptr;  // of those that can take up each other's records
    bool looks = false;          // at what each step has left, before the next one runs

    virtual void enter(const function_facts& facts, const std::string& name) = 0;
    virtual void lap(int part) = 0;
    /// Of the time since the last word, `time` was spent on `part`: a device has measured it.
    virtual void took(int part, std::int64_t time) = 0;
    /// Bytes that have crossed between the host and a device.
    virtual void moved(bool to_device, std::int64_t bytes, std::int64_t time) = 0;
    virtual void begin_steps(const call_layout& layout) = 0;
    /// A step that is a loop: until it is left, `lap` tells of the steps of its turns.
    virtual void enter_loop(const function_facts& turns, int step, const call_layout& layout) = 0;
    /// The first step of turn `turn` follows.
    virtual void begin_turn(std::int64_t turn) = 0;
    virtual void leave_loop() noexcept = 0;
    virtual void leave(bool finished) noexcept = 0;
    virtual void enter_region(std::string_view name) = 0;
    virtual void leave_region() noexcept = 0;

protected:
    recorder() = default;
    recorder(const recorder&) = delete;
    recorder& operator=(const recorder&) = delete;
    ~recorder() = default;
};

/// The recorder of this thread; null outside every profile.
inline constinit thread_local recorder* current_recorder = nullptr;

/// So many elements are few: a call of them feels each instruction in front of its loops.
inline constexpr std::int64_t few_elements = 30'000;
/// The same where nobody records this thread, else -1: one comparison asks both.
inline constinit thread_local std::int64_t few_unrecorded = few_elements;

/// From here on `r` records this thread; null: nobody does.
inline void record_to(recorder* r) {
    current_recorder = r;
    few_unrecorded = r == nullptr ? few_elements : -1;
}

/// What memory that is not the host's tells of every copy from (or to) it.
inline void tell_recorder(bool to_device, std::int64_t bytes, std::int64_t time) {
    if (current_recorder != nullptr) current_recorder->moved(to_device, bytes, time);
}

/// One call, recorded if somebody records this thread.
class recorded_call {
public:
    recorded_call(const function_facts& facts, const std::string& name) : to_(has_profiler ? current_recorder : nullptr) {
        if (to_ != nullptr) [[unlikely]] to_->enter(facts, name);
    }
    recorded_call(const recorded_call&) = delete;
    recorded_call& operator=(const recorded_call&) = delete;
    ~recorded_call() {
        if (to_ != nullptr) [[unlikely]] to_->leave(false);
    }

    explicit operator bool() const { return to_ != nullptr; }
    /// Whether somebody looks at what each step leaves: then it runs before the next one, and its results lie where nothing else does.
    bool is_watched() const {
        for (const recorder* r = to_; r != nullptr; r = r->outer)
            if (r->looks) return true;
        return false;
    }
    void lap(call_part part) {
        if (to_ != nullptr) [[unlikely]] to_->lap(static_cast<int>(part));
    }
    /// Only while recording.
    void begin_steps(const call_layout& layout) { to_->begin_steps(layout); }
    void step(int index) { to_->lap(index); }
    void step(int index, std::int64_t time) { to_->took(index, time); }
    void begin_turn(std::int64_t turn) { to_->begin_turn(turn); }
    /// The call came to its end; without this it ended in an exception.
    void done() {
        if (to_ != nullptr) [[unlikely]] {
            to_->leave(true);
            to_ = nullptr;
        }
    }

private:
    friend class recorded_loop;
    recorder* to_;
};

/// A loop of a call, recorded if the call is; null is a call that is not.
class recorded_loop {
public:
    recorded_loop(recorded_call* call, const function_facts& turns, int step, const call_layout& layout) : to_(call == nullptr ? nullptr : call->to_) {
        if (to_ != nullptr) [[unlikely]] to_->enter_loop(turns, step, layout);
    }
    recorded_loop(const recorded_loop&) = delete;
    recorded_loop& operator=(const recorded_loop&) = delete;
    ~recorded_loop() {
        if (to_ != nullptr) [[unlikely]] to_->leave_loop();
    }
    explicit operator bool() const { return to_ != nullptr; }

private:
    recorder* to_;
};

}  // namespace croton::inline v0_1::detail

#endif
