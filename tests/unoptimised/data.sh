#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What a function stores beside its code, compiled without the optimiser, is what it holds and not the room that it was tried in.
#   data.sh <folder for the object> <compiler and its flags...>
set -eu
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
most=100000
object=$1/unoptimised_data.o
shift
"$@" -O0 -c "$here/data.cpp" -o "$object"
nm --print-size --size-sort --radix=d "$object" | awk -v most=$most '
    $3 ~ /^[bBdDrRuvV]$/ { seen++; if ($2 + 0 > most) { print "data.sh: " $2 + 0 " bytes: " $4; wrong = 1 } }
    END { if (!seen) { print "data.sh: the object has no data"; wrong = 1 } exit wrong }'
