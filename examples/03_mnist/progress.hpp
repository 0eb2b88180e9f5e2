// SPDX-License-Identifier: MIT
// A line on the terminal that says how far an epoch is.
#ifndef MNIST_PROGRESS_HPP
#define MNIST_PROGRESS_HPP

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <string>

namespace mnist {

/// 60000 as "60,000".
inline std::string grouped(std::int64_t number) {
    std::string text = std::to_string(number);
    for (std::size_t i = text.size(); i > 3; i -= 3) text.insert(i - 3, 1, ',');
    return text;
}

class stopwatch {
public:
    double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }

private:
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// Draws on stderr, and only where that is a terminal; takes the line away when it is done.
class progress {
public:
    progress(std::int64_t epoch, std::int64_t epochs, std::int64_t images)
        : epoch_(epoch), epochs_(epochs), images_(images) {}
    progress(const progress&) = delete;
    progress& operator=(const progress&) = delete;
    ~progress() {
        if (drawn_ > 0) std::fputs("\r\x1b[K", stderr);
    }

    /// After `done` images with this mean loss; at most ten times per second.
    void show(std::int64_t done, double loss) {
        const double now = watch_.seconds();
        if (!terminal_ || now < 0.1 * drawn_) return;
        drawn_ = static_cast<int>(now * 10) + 1;
        constexpr int width = 30;
        char bar[width + 1] = {};
        std::fill_n(std::fill_n(bar, width * done / images_, '='), width - width * done / images_, ' ');
        std::fprintf(stderr, "\repoch %lld/%lld [%s] %3lld %%  loss %.4f  %.0f images/s\x1b[K",
                     static_cast<long long>(epoch_), static_cast<long long>(epochs_), bar,
                     static_cast<long long>(100 * done / images_), loss, static_cast<double>(done) / now);
    }

private:
    std::int64_t epoch_, epochs_, images_;
    stopwatch watch_;
    bool terminal_ = isatty(STDERR_FILENO) == 1;
    int drawn_ = 0;
};

}  // namespace mnist

#endif
