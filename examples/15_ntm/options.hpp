// SPDX-License-Identifier: MIT
// The command line.
#ifndef NTM_OPTIONS_HPP
#define NTM_OPTIONS_HPP

#include "../03_mnist/options.hpp"

#include <filesystem>

namespace ntm {

struct options {
    std::int64_t sequences = 30'000;
    int longest = 20;
    double learning_rate = 1e-4;
    std::uint64_t seed = 2;
    bool circle = false;
    std::filesystem::path save = "ntm_model", load;
    std::string picture = "ntm.svg";
    bool profile = false;
    bool help = false;
};

inline constexpr const char* usage = R"(15_ntm trains a neural Turing machine to copy sequences of random bits.

  --sequences N        how many it sees, four in a step (30000)
  --longest N          vectors of 8 bits in the longest of them (20)
  --learning-rate R    RMSProp's step size at first; it falls to a tenth along a line (0.0001)
  --seed N             of the first weights and of the sequences (2)
  --circle             heads turn by any number of slots, a convolution over all of them, and not by one at most
  --save DIR           where what it has learned goes, as .npy files (ntm_model)
  --load DIR           learns nothing, and shows what was saved there
  --picture FILE       where its heads were along a sequence, as SVG (ntm.svg)
  --profile            says where the time went
  --help               prints this
)";

/// Reads `--name value` and `--name=value`.
inline options parse_options(std::span<char* const> arguments) {
    using mnist::option_error, mnist::parse_number;
    options result;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const std::string argument = arguments[i];
        if (argument == "--help" || argument == "-h") result.help = true;
        else if (argument == "--profile") result.profile = true;
        else if (argument == "--circle") result.circle = true;
        else {
            const std::string name = argument.substr(0, argument.find('='));
            constexpr std::string_view known[] = {"--sequences", "--longest", "--learning-rate", "--seed", "--save", "--load", "--picture"};
            if (std::find(std::begin(known), std::end(known), name) == std::end(known))
                throw option_error("there is no option '" + argument + "'; --help names them all");
            if (name.size() == argument.size() && i + 1 == arguments.size()) throw option_error(name + " needs a value");
            const std::string value = name.size() < argument.size() ? argument.substr(name.size() + 1) : arguments[++i];
            if (value.empty()) throw option_error(name + " needs a value");
            if (name == "--sequences") result.sequences = parse_number<std::int64_t>(name, value, 4, 1'000'000'000);
            else if (name == "--longest") result.longest = parse_number(name, value, 1, 1000);
            else if (name == "--learning-rate") result.learning_rate = parse_number(name, value, 1e-9, 10.0);
            else if (name == "--seed") result.seed = parse_number<std::uint64_t>(name, value, 0, UINT64_MAX);
            else if (name == "--save") result.save = value;
            else if (name == "--load") result.load = value;
            else result.picture = value;
        }
    }
    return result;
}

}  // namespace ntm

#endif
