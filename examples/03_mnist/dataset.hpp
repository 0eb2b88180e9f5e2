// SPDX-License-Identifier: MIT
// Images with their labels as arrays, in batches.
#ifndef MNIST_DATASET_HPP
#define MNIST_DATASET_HPP

#include "idx.hpp"

#include <croton/croton.hpp>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <string>

namespace mnist {

inline constexpr std::int64_t pixels = 28 * 28, classes = 10;

/// [n,784] brightness from 0 to 1, and [n] digits.
struct dataset {
    croton::array<float, 2> image;
    croton::array<int, 1> label;

    std::int64_t size() const { return label.size(); }

    /// Views of `count` images and their labels after each other, the last time of what is left; with a seed in a random order.
    template <class... Seed> auto batches(std::int64_t count, Seed... seed) const { return croton::minibatches(image, label, count, seed...); }
};

/// Reads the images and the labels whose files begin with `name`: `train` or `t10k`.
inline dataset read_dataset(const std::filesystem::path& folder, const std::string& name) {
    const auto images = read_idx<3>(folder, name + "-images-idx3-ubyte", "images", {28, 28});
    const auto labels = read_idx<1>(folder, name + "-labels-idx1-ubyte", "labels", {});
    if (images.extents[0] != labels.extents[0])
        throw input_error(images.name + " holds " + std::to_string(images.extents[0]) + " images, but " + labels.name +
                          " holds " + std::to_string(labels.extents[0]) + " labels");
    for (std::size_t i = 0; i < labels.bytes.size(); ++i)
        if (labels.bytes[i] >= classes)
            throw input_error("label " + std::to_string(i) + " in " + labels.name + " is " +
                              std::to_string(labels.bytes[i]) + ", which is not a digit");

    dataset result{croton::array<float, 2>(images.extents[0], pixels),
                   croton::array<int, 1>(labels.bytes.begin(), labels.bytes.end())};
    std::transform(images.bytes.begin(), images.bytes.end(), result.image.begin(),
                   [](std::uint8_t byte) { return static_cast<float>(byte) / 255; });
    return result;
}

struct experiment {
    dataset train, test;
};

/// The first images to train on and the last `test` of them to test on.
inline experiment split(const dataset& all, std::int64_t test) {
    if (all.size() <= test)
        throw input_error("there are only " + std::to_string(all.size()) + " images, where the last " +
                          std::to_string(test) + " are to be kept for the test");
    const auto part = [&all](std::int64_t first, std::int64_t last) {
        return dataset{all.image.slice(0, first, last), all.label.slice(0, first, last)};
    };
    return {part(0, all.size() - test), part(all.size() - test, all.size())};
}

/// The four files of MNIST in the folder; where none is named, the images that come with croton, of which the last 1,000 are the test.
inline experiment load(const std::filesystem::path& folder) {
    croton::region r{"load"};
    if (folder.empty()) return split(read_dataset(EXAMPLES_DATA, "t10k"), 1000);
    return {read_dataset(folder, "train"), read_dataset(folder, "t10k")};
}

}  // namespace mnist

#endif
