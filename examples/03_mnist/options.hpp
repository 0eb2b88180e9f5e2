// SPDX-License-Identifier: MIT
// The command line.
#ifndef MNIST_OPTIONS_HPP
#define MNIST_OPTIONS_HPP

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <iterator>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>

namespace mnist {

struct option_error : std::invalid_argument {
    using std::invalid_argument::invalid_argument;
};

struct options {
    std::filesystem::path data;
    std::int64_t epochs = 10;
    std::int64_t batch = 100;
    double learning_rate = 1e-3;
    std::uint64_t seed = 1;
    int threads = 0;
    std::filesystem::path save = "mnist_model";
    bool help = false;
};

template <class T> std::string printed(T number) {
    char digits[32];
    return std::string(digits, std::to_chars(digits, digits + sizeof digits, number).ptr);
}

/// What --help prints of a program: the sentence that says what it does, and the options with what they are where they are not given.
inline std::string usage(const std::string& what, const options& standard) {
    return what + R"(

  --data DIR           a folder with the four files of MNIST, gzip-compressed or not: trains on the 60,000 images of
                       train-*, tests on the 10,000 of t10k-*. Without it: the 10,000 images that come with croton,
                       the first 9,000 to train and the last 1,000 to test.
  --epochs N           how often each image is used (10)
  --batch N            images per step (100)
  --learning-rate R    Adam's step size in the first epoch; it falls by a quarter each epoch ()" + printed(standard.learning_rate) + R"()
  --seed N             of the first weights and of the order of the images (1)
  --threads N          0 means as many as the machine has (0)
  --save DIR           where the trained network goes, as .npy files ()" + standard.save.string() + R"()
  --help               prints this
)";
}

/// The whole text as a number from `least` to `most`.
template <class T> T parse_number(const std::string& name, const std::string& text, T least, T most) {
    T value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || !(value >= least && value <= most)) {
        throw option_error(name + " takes a number from " + printed(least) + " to " + printed(most) + ", not '" + text +
                           "'");
    }
    return value;
}

/// Reads `--name value` and `--name=value`; `result` is what they are where they are not given.
inline options parse_options(std::span<char* const> arguments, options result) {
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const std::string argument = arguments[i];
        const std::string name = argument.substr(0, argument.find('='));
        if (name == "--help" || name == "-h") {
            result.help = true;
            continue;
        }
        constexpr std::string_view known[] = {"--data", "--epochs",  "--batch", "--learning-rate",
                                              "--seed", "--threads", "--save"};
        if (std::find(std::begin(known), std::end(known), name) == std::end(known))
            throw option_error("there is no option '" + argument + "'; --help names them all");
        if (name.size() == argument.size() && i + 1 == arguments.size()) throw option_error(name + " needs a value");
        const std::string value = name.size() < argument.size() ? argument.substr(name.size() + 1) : arguments[++i];
        if (value.empty()) throw option_error(name + " needs a value");

        if (name == "--data") result.data = value;
        else if (name == "--epochs") result.epochs = parse_number<std::int64_t>(name, value, 1, 1'000'000);
        else if (name == "--batch") result.batch = parse_number<std::int64_t>(name, value, 1, 1'000'000);
        else if (name == "--learning-rate") result.learning_rate = parse_number(name, value, 1e-9, 10.0);
        else if (name == "--seed") result.seed = parse_number<std::uint64_t>(name, value, 0, UINT64_MAX);
        else if (name == "--threads") result.threads = parse_number(name, value, 0, 1024);
        else result.save = value;
    }
    return result;
}

// A program that cannot save what it learns says so before it learns.
inline void check_can_save(const std::filesystem::path& folder) {
    std::error_code ignored;
    std::filesystem::path existing = std::filesystem::absolute(folder).lexically_normal();
    while (!std::filesystem::exists(existing, ignored) && existing.has_relative_path())
        existing = existing.parent_path();
    if (!std::filesystem::is_directory(existing, ignored))
        throw option_error("--save: " + existing.string() + " is not a folder");
    if (access(existing.c_str(), W_OK | X_OK) != 0)
        throw option_error("--save: nothing can be written to " + existing.string());
}

}  // namespace mnist

#endif
