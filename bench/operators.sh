#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# One table of every elementwise operator of float, double, int32, uint8 and bool: croton, its raw loop on xsimd, a loop by hand over the same formula, NumPy and
# PyTorch, one thread, as ratios in one run.
#   operators.sh [element type...] [operator...]      all without an argument; PYTHON and CXX choose the programs
set -eu
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
flags="-std=c++20 -O3 -DNDEBUG -march=native"
elements=
while [[ " float double int32 uint8 bool " == *" ${1:-none} "* ]]; do
    elements+=" $1"
    shift
done
for element in ${elements:-float double int32 uint8 bool}; do
    case $element in int32 | uint8) type=std::${element}_t ;; *) type=$element ;; esac
    ${CXX:-g++} $flags -DBENCH_ELEMENT="$type" -I"$root/include" "$root/bench/operators/operators.cpp" -lopenblas -lpthread -o "$work/$element"
done
printf '%s, croton %s; %s %s\ncommand: bench/operators.sh%s %s\n\n' "$(date -u +%F)" "$(git -C "$root" describe --always --dirty 2>/dev/null || echo '')" \
    "$(${CXX:-g++} --version | head -n 1)" "$flags" "$elements" "$*"
"${PYTHON:-python3}" "$root/bench/operators/operators.py" "$work" "$@"
