#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# One table of every elementwise operator of float, double, int32, uint8 and bool: croton, its raw loop on xsimd, a loop by hand over the same formula, NumPy and
# PyTorch, one thread, as ratios in one run. The programs are kept in build/operators.
#   operators.sh [element type...] [operator...]      all without an argument; PYTHON and CXX choose the programs
#   operators.sh --build [element type...]            builds the programs
#   operators.sh --parts                              names the element types
set -eu
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
all="float double int32 uint8 bool"
build=
case ${1:-} in
--parts) echo "$all" && exit ;;
--build) build=1 && shift ;;
esac
flags="-std=c++20 -O3 -DNDEBUG -march=native"
elements=
while [[ " $all " == *" ${1:-none} "* ]]; do
    elements+=" $1"
    shift
done
programs=$root/build/operators
mkdir -p "$programs"
for element in ${elements:-$all}; do
    [ ! -e "$programs/$element" ] || [ -n "$(find "$root/include" "$root/bench/operators" -newer "$programs/$element" -type f -print -quit)" ] || continue
    case $element in int32 | uint8) type=std::${element}_t ;; *) type=$element ;; esac
    ${CXX:-g++} $flags -DBENCH_ELEMENT="$type" -I"$root/include" "$root/bench/operators/operators.cpp" -lopenblas -lpthread -o "$programs/$element"
done
[ -z "$build" ] || exit 0
printf '%s, croton %s; %s %s\ncommand: bench/operators.sh%s %s\n\n' "$(date -u +%F)" "$(git -C "$root" describe --always --dirty 2>/dev/null || echo '')" \
    "$(${CXX:-g++} --version | head -n 1)" "$flags" "$elements" "$*"
"${PYTHON:-python3}" "$root/bench/operators/operators.py" "$programs" "${elements:-$all}" "$@"
