// SPDX-License-Identifier: MIT
// What is learned, written for this example.
#ifndef CHARACTERS_TEXT_HPP
#define CHARACTERS_TEXT_HPP

#include <string_view>

inline constexpr std::string_view story =
    "the mill stands where the river bends, and the river turns the wheel. the wheel turns the stone, and the stone grinds the corn. "
    "the miller sleeps while the water runs, for the water never sleeps. in spring the river is high, and the wheel turns fast, "
    "and the miller works by night and by day. in summer the river is low, and the wheel turns slowly, and the miller mends the roof. "
    "in autumn the corn comes down from the hills, and the carts stand in the lane, and the stone is never still. "
    "in winter the river is ice, and the wheel stands, and the stone is cold. then the miller sits by the fire, and waits for the spring.\n";

#endif
