// SPDX-License-Identifier: MIT
// Random programs on a GPU, against their graphs evaluated node by node.
#include "random/programs.hpp"

// Seeds whose programs have no linear algebra, which this device has not.
TEST_CASE("random programs") {
    random_programs::check<croton::cuda, 100>();
    random_programs::check<croton::cuda, 102>();
    random_programs::check<croton::cuda, 104>();
    random_programs::check<croton::cuda, 105>();
    random_programs::check<croton::cuda, 106>();
    random_programs::check<croton::cuda, 107>();
}
