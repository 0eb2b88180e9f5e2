// SPDX-License-Identifier: MIT
// Random programs on a GPU, against their graphs evaluated node by node.
#include "random/programs.hpp"

TEST_CASE("random programs 100 to 105") {
    random_programs::check<croton::cuda, 100>();
    random_programs::check<croton::cuda, 101>();
    random_programs::check<croton::cuda, 102>();
    random_programs::check<croton::cuda, 103>();
    random_programs::check<croton::cuda, 104>();
    random_programs::check<croton::cuda, 105>();
}
