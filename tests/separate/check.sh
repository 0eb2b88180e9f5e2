#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# check.sh <work folder> <compiler> <options...> -- <what is linked...>: a program of two files, one of which has the code that both need. What the headers say is compiled once
# must not be in the other, must be in the one, and must be named by the linker where no file has it.
set -eu
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
work=$1 compiler=$2
shift 2
options=()
while [ "$1" != -- ]; do options+=("$1"); shift; done
shift
mkdir -p "$work"
compile() { "$compiler" "${options[@]}" -DCROTON_SEPARATE_COMPILATION=1 -c "$here/$1.cpp" -o "$work/$1.o"; }
compile main &
compile code
wait $!
"$compiler" "$work/main.o" "$work/code.o" "$@" -o "$work/program"
"$work/program"

failures=0
nm --defined-only "$work/main.o" >"$work/main.txt"
nm --defined-only "$work/code.o" >"$work/code.txt"
names=$(grep -rhoE '^ *CROTON_ONCE\([a-z_:]+' "$here/../../include/croton" | sed 's/.*(//' | sort -u)
[ "$(wc -l <<<"$names")" -gt 30 ] || { echo "the headers name less than is expected"; failures=1; }
for name in $names; do
    # As compilers write the name of an instance.
    function="[TtWw] _ZNK?6croton4v0_1(6detail)?(10cpu_device)?"
    for part in ${name//::/ }; do function+="${#part}$part"; done
    function+="(B5cxx11)?I"
    found=$(grep -E "$function" "$work/main.txt" | c++filt) || true
    [ -z "$found" ] || { echo "compiled in both files: $found"; failures=1; }
    grep -qE "$function" "$work/code.txt" || { echo "not in the file that has all: $name"; failures=1; }
done

if said=$("$compiler" "$work/main.o" "$@" -o "$work/no_program" 2>&1); then
    echo "linked without the file that has the code"
    failures=1
elif ! grep -q of_the_file_that_defines_CROTON_IMPLEMENTATION <<<"$said"; then
    echo "the linker does not say what is missing"
    failures=1
fi
exit $failures
