// SPDX-License-Identifier: MIT
// The version of croton: the only place it is written; the build reads it from here.
#ifndef CROTON_VERSION_HPP
#define CROTON_VERSION_HPP

#define CROTON_VERSION_MAJOR 0
#define CROTON_VERSION_MINOR 1
#define CROTON_VERSION_PATCH 0
#define CROTON_VERSION (CROTON_VERSION_MAJOR * 10000 + CROTON_VERSION_MINOR * 100 + CROTON_VERSION_PATCH)

#endif
