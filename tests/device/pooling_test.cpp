// SPDX-License-Identifier: MIT
// The ways in which the CPU pools against plain loops: registers of windows and of channels, what reaches beyond them, one thread and several.
#include "device/pooling.hpp"

using namespace croton;

TEST_CASE("against loops") {
    for (const int count : {1, 3}) {
        set_threads(count);
        device_pooling::check_all<cpu>({{2, 3, 9, 40}, {3, 20, 10, 10}, {2, 5, 7, 35}, {1, 4, 5, 6}, {0, 4, 5, 6}});
    }
    set_threads(0);
}

TEST_CASE("double, and many images on several threads") {
    set_threads(3);
    device_pooling::check<cpu, double, device_pooling::largest>({{2, 3, 9, 21}, {40, 6, 28, 28}});
    device_pooling::check<cpu, float, device_pooling::means>({{40, 6, 27, 28}});
    set_threads(0);
}
