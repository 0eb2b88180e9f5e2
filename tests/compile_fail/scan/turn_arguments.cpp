// error: croton: the lambda of a loop takes what is carried from turn to turn, if anything is, and behind it what is walked along: one argument each, of several values a tuple
// SPDX-License-Identifier: MIT
#include <croton/croton.hpp>

using namespace croton;

int main() {
#ifdef CROTON_TEST_OK
    auto f = function<cpu>([](scalar<float> s, vector<float> x) { return scan([](auto h, auto each) { return step(h + each, h); }, s, x); });
#else
    auto f = function<cpu>([](scalar<float> s, vector<float> x) { return scan([](auto h) { return step(h, h); }, s, x); });
#endif
}
