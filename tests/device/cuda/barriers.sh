#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Takes away the barriers of the CUDA kernel bodies, one by one, and fails if barriers_test.cpp does not notice.
#   barriers.sh <compiler> [flags...]
set -u
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../.." && pwd)
[ $# -ge 1 ] || { sed -n '4s/^# *//p' "$0"; exit 2; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/include"
cp -r "$root/include/croton" "$work/include"

# One program in which each barrier has a number, and is left out where the environment names it.
cat >"$work/missing.hpp" <<'CPP'
#pragma once
#include <cstdlib>
inline const int missing_barrier = std::getenv("MISSING_BARRIER") != nullptr ? std::atoi(std::getenv("MISSING_BARRIER")) : -1;
CPP
sites=()
for name in body group sums engine turned_body tile_product; do
    file=$work/include/croton/device/cuda/$name.hpp
    while IFS=: read -r line text; do
        sed -i -E "${line}s/([a-z_]+\.sync(_warp)?\([a-z_]*\));/(missing_barrier != ${#sites[@]} ? \1 : void());/" "$file"
        sites+=("$name.hpp:$line:$text")
    done < <(grep -nE '[a-z_]+\.sync(_warp)?\([a-z_]*\);' "$root/include/croton/device/cuda/$name.hpp")
done
"$@" -std=c++20 -O0 -include "$work/missing.hpp" -I"$work/include" -I"$root/tests" "$root/tests/device/cuda/barriers_test.cpp" \
    "$root/tests/main.cpp" -o "$work/program" >"$work/log" 2>&1 || { head -n 20 "$work/log"; exit 1; }

# Without a barrier a thread may also wait for others for ever.
passes_without() { MISSING_BARRIER=$1 timeout 120 "$work/program" --abort-after=1 >"$work/output" 2>&1; }

passes_without -1 || { echo "barriers_test fails with every barrier in place"; tail -n 3 "$work/output"; exit 1; }
missed=0
for site in "${!sites[@]}"; do
    if passes_without "$site"; then
        echo "not noticed: ${sites[site]}"
        missed=$((missed + 1))
    else
        echo "noticed:     ${sites[site]}"
    fi
done
echo "${#sites[@]} barriers, $missed of them not noticed when missing"
[ $missed -eq 0 ] && [ ${#sites[@]} -gt 0 ]
