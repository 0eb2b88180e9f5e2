// SPDX-License-Identifier: MIT
// profile and region: the scopes within which functions are recorded.
#ifndef CROTON_PROFILE_SCOPE_HPP
#define CROTON_PROFILE_SCOPE_HPP

#include <cstddef>
#include <exception>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <croton/compiler.hpp>
#include <croton/profile/collector.hpp>
#include <croton/profile/counters.hpp>
#include <croton/profile/limits.hpp>
#include <croton/profile/summary.hpp>
#include <croton/profile/text.hpp>
#include <croton/profile/tips.hpp>

namespace croton::inline v0_1 {

/// An option of `profile`: keep the last `count` calls, regions and steps one by one, at 24 bytes each, for time lines.
struct keep_events {
    std::size_t count = 65536;
};

/// What can be told of a profile when it ends: anything that is called with its data. `wants_events` in its type asks for
/// single events.
template <class S>
concept profile_sink = requires(S& sink, const profile_data& data) { sink(data); };

namespace detail {

/// A sink of any type. The header of std::function would be 4 % of what croton.hpp takes a compiler.
class any_sink {
public:
    template <class S>
    explicit any_sink(S sink)
        : sink_(std::make_shared<S>(std::move(sink))), tell_([](void* to, const profile_data& data) { (*static_cast<S*>(to))(data); }) {}
    void operator()(const profile_data& data) const { tell_(sink_.get(), data); }

private:
    std::shared_ptr<void> sink_;
    void (*tell_)(void*, const profile_data&);
};

}  // namespace detail

/// Records every function that is called on this thread from here to the end of the C++ scope, with the time of its steps
/// on whatever threads they run. When it ends it tells its sinks; without one nothing is printed.
///
///     profile scope{"training", std::cout};
///
/// A sink is a `std::ostream`, which gets the report as text, one of `json_file`, `trace_file`, `dot_file`, or any callable
/// of a `const profile_data&`. Profiles nest: an outer one contains what an inner one recorded.
/// Outside every profile a call pays one branch for the possibility.
template <class Clock> class basic_profile final : detail::recorder {
public:
    template <class... Options> explicit basic_profile(std::string_view name, Options&&... options)
        : collected_(name, most_events(options...)) {
        (add(std::forward<Options>(options)), ...);
        counters_.start();
        // What can fail is done: nobody is left with the address of a profile that never was.
        outer = detail::current_recorder;
        type = &own_type;
        parent_ = around();
        if (parent_ != nullptr) {
            parent_->inner_ = this;
            place_ = parent_->here_;
        }
        detail::record_to(this);
        detail::listens_to_transfers = &detail::tell_recorder;
        collected_.began = Clock::now();
    }

    /// Ends the profile as `finish` does; what a sink throws is lost here.
    ~basic_profile() {
        try {
            finish();
        } catch (...) {
            // A destructor has nobody to tell; whoever wants to know calls finish.
        }
    }

    static void* operator new(std::size_t) = delete;
    static void* operator new[](std::size_t) = delete;

    /// Ends the profile before its C++ scope does, with those that were opened within it, tells all sinks, and lets through
    /// what the first of them throws. It ends on the thread on which it began.
    void finish();

    /// Everything recorded so far, what open inner profiles recorded included, with the limits of this machine (measured
    /// once in a process, which takes about a third of a second) and tips.
    template <class Machine = detail::machine> profile_data data() const;

    /// The functions recorded so far.
    template <class Collector = detail::collector<Clock>> std::vector<function_profile> functions() const;

    /// The report as text.
    template <class Format = detail::text_format> std::string report() const { return Format::text(data()); }

private:
    using collector = detail::collector<Clock>;

    template <class... Options> static std::size_t most_events(const Options&... options) {
        std::size_t most = 0;
        [[maybe_unused]] const auto look = [&]<class O>(const O& option) {
            if constexpr (std::is_same_v<O, keep_events>) most = std::max(most, option.count);
            else if constexpr (requires { O::wants_events; }) most = std::max(most, keep_events{}.count);
        };
        (look(options), ...);
        // The profile around this one keeps its events too.
        return around() == nullptr ? most : std::max(most, around()->collected_.ring_size);
    }

    static constexpr char own_type = 0;
    static basic_profile* around() {
        detail::recorder* const r = detail::current_recorder;
        return r != nullptr && r->type == &own_type ? static_cast<basic_profile*>(r) : nullptr;
    }

    template <class Option> void add(Option&& option) {
        using O = std::remove_cvref_t<Option>;
        // Here and not in finish, so that a profile without sinks compiles no report.
        if constexpr (!std::is_same_v<O, keep_events>)
            tell_ = [](const basic_profile& ended) {
                const profile_data all = ended.data();
                std::exception_ptr failed;
                for (const auto& sink : ended.sinks_) {
                    try {
                        sink(all);
                    } catch (...) {
                        if (!failed) failed = std::current_exception();
                    }
                }
                if (failed) std::rethrow_exception(failed);
            };
        if constexpr (std::is_same_v<O, keep_events>) {
        } else if constexpr (profile_sink<O>) {
            sinks_.emplace_back(std::forward<Option>(option));
        } else {
            static_assert(requires { detail::text_sink(option); },
                          "croton: a sink of a profile is a std::ostream or is called with a const profile_data&");
            // By way of `add`: clang reads emplace_back of a sink that depends on nothing, and with it the whole report, in programs without profiles.
            add(detail::text_sink(option));
        }
    }

    nanoseconds now() const { return ended_ ? end_ : Clock::now(); }

    /// What was recorded until `end`, with open regions and open inner profiles, for which it is the end.
    collector merged(nanoseconds end) const {
        collector all = collected_;
        all.tree[0].time = end - collected_.began;
        if (inner_ != nullptr) all.absorb(inner_->merged(end), inner_->place_, end - inner_->collected_.began);
        for (auto r = open_.rbegin(); r != open_.rend(); ++r) {
            all.tree[static_cast<std::size_t>(r->node)].time += end - r->start;
            all.event(r->start, end, r->node, -1);
        }
        return all;
    }

    void leave_chain() {
        detail::record_to(outer);
        basic_profile* const parent = std::exchange(parent_, nullptr);
        if (parent == nullptr) return;
        parent->inner_ = nullptr;
        parent->collected_.absorb(merged(end_), place_, end_ - collected_.began);
    }

    void enter(const detail::function_facts& facts, const std::string& name) override {
        start_ = Clock::now();
        const std::size_t expected = current_ < 0 ? 0 : static_cast<std::size_t>(current_) + 1;
        current_ = collected_.function(facts, name, expected);
        node_ = collected_.child(here_, scope_profile::kind::function, name, current_);
        last_ = start_;
        inside_ = true;
        tell_others([&](detail::recorder& r) { r.enter(facts, name); });
    }
    /// Who else looks on: what is not a profile, around all that are.
    template <class F> void tell_others(F&& f) const {
        detail::recorder* r = outer;
        while (r != nullptr && r->type == &own_type) r = r->outer;
        if (r != nullptr) f(*r);
    }
    void moved(bool to_device, std::int64_t bytes, nanoseconds time) override {
        tell_others([&](detail::recorder& r) { r.moved(to_device, bytes, time); });
        const transfer_profile one{1, bytes, time};
        if (inside_) {
            auto& f = collected_.functions[static_cast<std::size_t>(current_)];
            (to_device ? f.to_device : f.to_host).add(one);
        } else {
            (to_device ? collected_.to_device : collected_.to_host).add(one);
        }
    }
    void lap(int part) override {
        until(part, Clock::now());
        tell_others([&](detail::recorder& r) { r.lap(part); });
    }
    void took(int part, nanoseconds time) override {
        until(part, last_ + time);
        tell_others([&](detail::recorder& r) { r.took(part, time); });
    }
    void until(int part, nanoseconds t) {
        auto& f = collected_.functions[static_cast<std::size_t>(current_)];
        if (part < 0) {
            f.parts[static_cast<std::size_t>(-part)] += t - last_;
        } else {
            const auto s = static_cast<std::size_t>(part);
            f.steps[s].time.add(t - last_);
            f.steps[s].bytes += f.costs[s].bytes;
            f.steps[s].operations += f.costs[s].operations;
            if (!open_loops_.empty()) open_loops_.back().ran.add(f.costs[s]);
            collected_.event(last_, t, node_, part, turn_);
        }
        last_ = t;
    }
    void begin_steps(const detail::call_layout& layout) override {
        collected_.functions[static_cast<std::size_t>(current_)].settle(layout);
        until(static_cast<int>(detail::call_part::recording), Clock::now());
        tell_others([&](detail::recorder& r) { r.begin_steps(layout); });
    }
    void enter_loop(const detail::function_facts& turns, int step, const detail::call_layout& layout) override {
        const int made = collected_.loop(turns, current_, step);
        auto& f = collected_.functions[static_cast<std::size_t>(made)];
        const int node = collected_.child(node_, scope_profile::kind::loop, f.name, made);
        f.settle(layout);
        open_loops_.push_back({current_, step, node_, start_, last_, turn_, f.turns, {}});
        current_ = made;
        node_ = node;
        tell_others([&](detail::recorder& r) { r.enter_loop(turns, step, layout); });
        start_ = last_ = Clock::now();
    }
    void begin_turn(std::int64_t turn) override {
        ++collected_.functions[static_cast<std::size_t>(current_)].turns;
        turn_ = turn;
        tell_others([&](detail::recorder& r) { r.begin_turn(turn); });
        last_ = Clock::now();
    }
    void leave_loop() noexcept override {
        const nanoseconds t = Clock::now();
        tell_others([](detail::recorder& r) { r.leave_loop(); });
        if (open_loops_.empty()) return;
        auto& f = collected_.functions[static_cast<std::size_t>(current_)];
        f.time.add(t - start_);
        // What it cost is what its turns did: it may have had fewer than it could.
        const open_loop& ended = open_loops_.back();
        auto& around = collected_.functions[static_cast<std::size_t>(ended.function)];
        around.costs[static_cast<std::size_t>(ended.step)] = ended.ran;
        around.steps[static_cast<std::size_t>(ended.step)].turns = f.turns - ended.turns_before;
        auto& n = collected_.tree[static_cast<std::size_t>(node_)];
        ++n.calls;
        n.time += t - start_;
        collected_.event(start_, t, node_, -1, f.turns - ended.turns_before);
        go_back_to(ended);
        open_loops_.pop_back();
    }
    /// What is around a loop that runs, and what it has done so far.
    struct open_loop {
        int function = -1, step = 0, node = 0;
        nanoseconds start = 0, last = 0;
        std::int64_t turn = -1, turns_before = 0;
        detail::step_cost ran;
    };
    void go_back_to(const open_loop& around) noexcept {
        current_ = around.function;
        node_ = around.node;
        start_ = around.start;
        last_ = around.last;
        turn_ = around.turn;
    }
    void leave(bool finished) noexcept override {
        tell_others([&](detail::recorder& r) { r.leave(finished); });
        // A loop that was not even entered is not left.
        if (!open_loops_.empty()) go_back_to(open_loops_.front());
        open_loops_.clear();
        until(static_cast<int>(detail::call_part::leaving), Clock::now());
        auto& f = collected_.functions[static_cast<std::size_t>(current_)];
        inside_ = false;
        f.time.add(last_ - start_);
        f.failed += finished ? 0 : 1;
        auto& n = collected_.tree[static_cast<std::size_t>(node_)];
        ++n.calls;
        n.time += last_ - start_;
        collected_.event(start_, last_, node_, -1);
    }
    void enter_region(std::string_view name) override {
        tell_others([&](detail::recorder& r) { r.enter_region(name); });
        const int node = collected_.child(here_, scope_profile::kind::region, name, -1);
        open_.push_back({node, Clock::now()});
        here_ = node;
    }
    void leave_region() noexcept override {
        tell_others([](detail::recorder& r) { r.leave_region(); });
        if (open_.empty()) return;
        const nanoseconds t = Clock::now();
        auto& n = collected_.tree[static_cast<std::size_t>(open_.back().node)];
        ++n.calls;
        n.time += t - open_.back().start;
        collected_.event(open_.back().start, t, open_.back().node, -1);
        here_ = n.parent;
        open_.pop_back();
    }

    struct open_region {
        int node = 0;
        nanoseconds start = 0;
    };

    detail::collector<Clock> collected_;
    detail::counter_group counters_;
    std::vector<detail::any_sink> sinks_;
    void (*tell_)(const basic_profile&) = nullptr;
    std::vector<open_region> open_;
    std::vector<open_loop> open_loops_;
    basic_profile* parent_ = nullptr;
    basic_profile* inner_ = nullptr;
    int place_ = 0;     // the node of the profile around this one below which it stands
    int here_ = 0;      // the innermost open region
    int current_ = -1;  // the function that is called, and its node
    int node_ = 0;
    std::int64_t turn_ = -1;  // of the loop that runs
    nanoseconds start_ = 0, last_ = 0, end_ = 0;
    bool ended_ = false;
    bool inside_ = false;  // of a call
};

template <class Clock> void basic_profile<Clock>::finish() {
    if (ended_) return;
    std::exception_ptr failed;
    const auto go_on = [&](auto&& part) {
        try {
            part();
        } catch (...) {
            if (!failed) failed = std::current_exception();
        }
    };
    if (inner_ != nullptr) go_on([&] { inner_->finish(); });
    end_ = Clock::now();
    counters_.stop();
    ended_ = true;
    go_on([&] { leave_chain(); });
    if (tell_ != nullptr) go_on([&] { tell_(*this); });
    if (failed) std::rethrow_exception(failed);
}

template <class Clock> template <class Machine> profile_data basic_profile<Clock>::data() const {
    const nanoseconds end = now();
    profile_data d = detail::summary_of(merged(end), end - collected_.began);
    d.counters = counters_.read();
    d.limits = Machine::limits();
    detail::add_tips(d);
    return d;
}

template <class Clock> template <class Collector> std::vector<function_profile> basic_profile<Clock>::functions() const {
    const nanoseconds end = now();
    return detail::summary_of(static_cast<const Collector&>(merged(end)), end - collected_.began).functions;
}

using profile = basic_profile<detail::steady_nanoseconds>;
CROTON_INSTANCE(class basic_profile<detail::steady_nanoseconds>)
CROTON_INSTANCE(profile_data basic_profile<detail::steady_nanoseconds>::data<detail::machine>() const)
CROTON_INSTANCE(std::vector<function_profile> basic_profile<detail::steady_nanoseconds>::functions<detail::collector<detail::steady_nanoseconds>>() const)

/// Names a piece of the program in the profiles that are open on this thread, so that the time outside of functions has
/// a place in the report:
///
///     region r{"load data"};
class region {
public:
    explicit region(std::string_view name) : to_(has_profiler ? detail::current_recorder : nullptr) {
        if (to_ != nullptr) to_->enter_region(name);
    }
    region(const region&) = delete;
    region& operator=(const region&) = delete;
    ~region() {
        if (to_ == nullptr) return;
        // The profile may have ended before the region.
        for (const detail::recorder* r = detail::current_recorder; r != nullptr; r = r->outer)
            if (r == to_) {
                to_->leave_region();
                return;
            }
    }

private:
    detail::recorder* to_;
};

}  // namespace croton::inline v0_1

#endif
