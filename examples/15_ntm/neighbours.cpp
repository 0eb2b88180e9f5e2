// SPDX-License-Identifier: MIT
// Heads that go one slot at a time.
#include "learner.hpp"

std::unique_ptr<ntm::learner> ntm::learner_by_neighbours(std::uint64_t seed) { return std::make_unique<learner_of<neighbours>>(seed); }
