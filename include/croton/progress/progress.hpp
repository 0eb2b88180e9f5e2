// SPDX-License-Identifier: MIT
// How far a loop is, on the terminal.
#ifndef CROTON_PROGRESS_PROGRESS_HPP
#define CROTON_PROGRESS_PROGRESS_HPP

#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include <croton/core/clock.hpp>

namespace croton::inline v0_1 {

/// `leave`: the line stays with what it said last. Without, it is gone when the bar is done, and nothing is written where there is no terminal: for a bar
/// between the lines of a table. tqdm's `leave`.
struct progress_options {
    bool leave = true;
};

/// A line that says how far a loop of so many turns is, how fast it goes and how long it will take, with numbers beside it:
///
///     progress bar(1000, "training");
///     for (const std::int64_t i : bar) bar.note("loss", train(...));
///
/// or, where the loop is another, `bar.advance()` after each turn. On a terminal one line is drawn again and again, ten times in a second at most,
/// and stays with what it said last; elsewhere there is a line of text after each tenth of the turns. It is written to stderr unless told otherwise.
class progress {
public:
    explicit progress(std::int64_t turns, std::string name = {}, std::FILE* out = stderr, const progress_options& options = {})
        : turns_(turns), name_(std::move(name)), out_(out), terminal_(isatty(fileno(out)) == 1), leave_(options.leave) {}
    progress(const progress&) = delete;
    progress& operator=(const progress&) = delete;
    ~progress() { finish(); }

    /// A number to show beside the bar from now on, the last one that was given for its label.
    void note(const std::string& label, double value) {
        for (auto& [known, number] : notes_)
            if (known == label) {
                number = value;
                return;
            }
        notes_.emplace_back(label, value);
    }

    /// So many turns more are done.
    void advance(std::int64_t turns = 1) {
        done_ += turns;
        if (!terminal_ && !leave_) return;
        if (terminal_ ? seconds() >= next_draw_ : done_ < turns_ && tenth() > said_) draw();
    }

    std::int64_t done() const { return done_; }
    double seconds() const { return 1e-9 * static_cast<double>(detail::system_nanoseconds() - start_); }

    /// Says the last and ends the line; the end of the scope does the same.
    void finish() {
        if (finished_) return;
        finished_ = true;
        if (!leave_) {
            if (terminal_) std::fputs("\r\x1b[K", out_), std::fflush(out_);
            return;
        }
        draw();
        if (terminal_) std::fputc('\n', out_);
    }

    /// The numbers of the turns from 0 on, each done when the next is asked for.
    class iterator {
    public:
        std::int64_t operator*() const { return turn_; }
        iterator& operator++() {
            ++turn_;
            bar_->advance();
            return *this;
        }
        bool operator!=(const iterator& other) const { return turn_ < other.turn_; }

    private:
        friend progress;
        iterator(progress* bar, std::int64_t turn) : bar_(bar), turn_(turn) {}
        progress* bar_;
        std::int64_t turn_;
    };
    iterator begin() { return {this, done_}; }
    iterator end() { return {this, turns_}; }

private:
    std::int64_t tenth() const { return turns_ > 0 ? 10 * done_ / turns_ : 10; }

    static std::string clock(double seconds) {
        char text[32];
        const auto all = static_cast<long long>(seconds);
        if (all < 3600) std::snprintf(text, sizeof text, "%lld:%02lld", all / 60, all % 60);
        else std::snprintf(text, sizeof text, "%lld:%02lld:%02lld", all / 3600, all / 60 % 60, all % 60);
        return text;
    }

    void draw() {
        const double now = seconds();
        const double part = turns_ > 0 ? static_cast<double>(done_) / static_cast<double>(turns_) : 1;
        const double shown = part < 1 ? part : 1;
        std::string line = name_.empty() ? "" : name_ + "  ";
        if (terminal_) {
            constexpr int width = 24;
            const auto full = static_cast<std::size_t>(shown * width);
            line += "[" + std::string(full, '=') + std::string(width - full, ' ') + "] ";
        }
        char text[96];
        const int percent = static_cast<int>(100 * shown);
        std::snprintf(text, sizeof text, "%3d %%  %lld/%lld", percent, static_cast<long long>(done_), static_cast<long long>(turns_));
        line += text;
        if (done_ > 0 && now > 0) {
            std::snprintf(text, sizeof text, "  %.4g/s  ", static_cast<double>(done_) / now);
            line += text + clock(part < 1 ? now * (1 - part) / part : now) + (part < 1 ? " left" : "");
        }
        for (const auto& [label, number] : notes_) {
            std::snprintf(text, sizeof text, "  %.48s %.4g", label.c_str(), number);
            line += text;
        }
        if (terminal_) std::fprintf(out_, "\r%s\x1b[K", line.c_str());
        else std::fprintf(out_, "%s\n", line.c_str());
        std::fflush(out_);
        next_draw_ = now + 0.1;
        said_ = tenth();
    }

    std::int64_t turns_, done_ = 0, said_ = 0;
    std::string name_;
    std::FILE* out_;
    bool terminal_, leave_, finished_ = false;
    double next_draw_ = 0;
    std::int64_t start_ = detail::system_nanoseconds();
    std::vector<std::pair<std::string, double>> notes_;
};

}  // namespace croton::inline v0_1

#endif
