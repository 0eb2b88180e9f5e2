// error: croton: a random state is made of its seed by default_rng, as in auto rng = default_rng(42)
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {

#ifdef CROTON_TEST_OK
    auto rng = default_rng(3);
#else
    random_state rng(3);
#endif
}
