// SPDX-License-Identifier: MIT
// What a table of epochs needs: times, numbers that are easy to read, and a bar for each epoch.
#ifndef MNIST_PROGRESS_HPP
#define MNIST_PROGRESS_HPP

#include <croton/progress/progress.hpp>

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

/// The bar of an epoch, which is gone when the epoch is.
inline croton::progress bar_of(std::int64_t epoch, std::int64_t epochs, std::int64_t images) {
    return croton::progress(images, "epoch " + std::to_string(epoch) + "/" + std::to_string(epochs), stderr, {.leave = false});
}

}  // namespace mnist

#endif
