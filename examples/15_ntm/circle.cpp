// SPDX-License-Identifier: MIT
// Heads that turn by any number of slots.
#include "learner.hpp"

std::unique_ptr<ntm::learner> ntm::learner_round_the_circle(std::uint64_t seed) { return std::make_unique<learner_of<whole_circle>>(seed); }
