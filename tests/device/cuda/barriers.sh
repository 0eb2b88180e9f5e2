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
cuda=$work/include/croton/device/cuda

try() {
    "$@" -std=c++20 -O0 -I"$work/include" -I"$root/tests" "$root/tests/device/cuda/barriers_test.cpp" "$root/tests/main.cpp" \
        -o "$work/program" >"$work/log" 2>&1 || { head -n 20 "$work/log"; exit 1; }
    # Without a barrier a thread may also wait for others for ever.
    timeout 120 "$work/program" >"$work/output" 2>&1
}

try "$@" || { echo "barriers_test fails with every barrier in place"; tail -n 3 "$work/output"; exit 1; }
missed=0
count=0
for name in body group; do
    original=$root/include/croton/device/cuda/$name.hpp
    while IFS=: read -r line text; do
        count=$((count + 1))
        sed "${line}s/[a-z_]*\.sync\(_warp\)\{0,1\}()/(void)0/" "$original" >"$cuda/$name.hpp"
        if try "$@"; then
            echo "not noticed: $name.hpp:$line:$text"
            missed=$((missed + 1))
        else
            echo "noticed:     $name.hpp:$line:$text"
        fi
    done < <(grep -nE '[a-z_]+\.sync(_warp)?\(\);' "$original")
    cp "$original" "$cuda/$name.hpp"
done
echo "$count barriers, $missed of them not noticed when missing"
[ $missed -eq 0 ] && [ $count -gt 0 ]
