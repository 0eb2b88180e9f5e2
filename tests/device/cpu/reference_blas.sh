#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# reference_blas.sh <source> <work folder> <cmake> <library> <04_profile or nothing> <compiler> <flags...>: a program that is
# given the slow BLAS, whatever it was linked to, says so; so do CMake and the scripts that set up a machine. 77 where there
# is no slow BLAS beside <library> to try it with.
set -u
source=$1 work=$2 cmake=$3 library=$4
shift 4
profile=
case $1 in
*/04_profile) profile=$1 && shift ;;
esac
[ -n "$1" ] || shift
slow=$(ls -d /usr/lib/*/blas/libblas.so.3 2>/dev/null | head -n 1)
header=$(ls /usr/include/*/cblas.h /usr/include/cblas.h 2>/dev/null | head -n 1)
[ -n "$slow" ] && [ -e "${slow%.3}" ] && [ -n "$header" ] || exit 77
case $(readlink -f "$library") in
*/blas/*) exit 77 ;;
esac

rm -rf "$work"
mkdir -p "$work"
cd "$work" || exit 1
failures=0
# says <what it must say> <how it came about> <command...>
says() {
    local expected=$1 how=$2 said
    shift 2
    said=$("$@" 2>&1) || { said="it fails: $said"; }
    # shellcheck disable=SC2053
    [[ $said == $expected ]] && return
    echo "$how: expected '$expected', but: $said"
    failures=$((failures + 1))
}

cat >which.cpp <<'END'
#include <croton/device/cpu/blas_library.hpp>
#include <cstdio>
int main() { std::puts((croton::blas_name() + ", " + std::to_string(croton::detail::blas_threads()) + " threads").c_str()); }
END
"$@" -c which.cpp -o which.o || exit 1
"$@" -fno-pie -c which.cpp -o fixed.o || exit 1
compiler=$1
link() { "$compiler" "$@" || failures=$((failures + 1)); }
reference="reference BLAS (libblas.so.3*), 0 threads"

link which.o -o linked "$library"
"$compiler" -no-pie fixed.o -o fixed "$library" 2>/dev/null || cp linked fixed
fast=$(./linked)
[[ $fast != *"reference BLAS"* ]] || { echo "$library: $fast"; failures=$((failures + 1)); }
says "$fast" "at a fixed address" ./fixed
for program in ./linked ./fixed; do
    says "$reference" "$program, preloaded" env LD_PRELOAD="$slow" "$program"
done
link which.o -o slow "${slow%.3}" -Wl,-rpath,"${slow%/*}"
says "$reference" "linked to it" ./slow
"$compiler" -no-pie fixed.o -o slow_fixed "${slow%.3}" -Wl,-rpath,"${slow%/*}" 2>/dev/null || cp slow slow_fixed
says "$reference" "linked to it at a fixed address" ./slow_fixed
# What Debian's alternatives choose, by one name for all.
link which.o -o system "${slow%.3}"
says "$reference" "by the search path" env LD_LIBRARY_PATH="${slow%/*}" ./system

if [ -n "$profile" ]; then
    mkdir -p profile
    LD_PRELOAD=$slow "$profile" profile >report 2>&1 || { echo "the profile fails"; failures=$((failures + 1)); }
    grep -q '^  BLAS: reference BLAS (libblas\.so\.3[^)]*), float products ' report || { echo "the profile does not name it"; failures=$((failures + 1)); }
    grep -A1 '^  - .*: reference BLAS (.*) computes products of float at [0-9.]* GFLOP/s; this machine can do [0-9.]*\.$' report |
        grep -q '^    install OpenBLAS ' || { echo "the profile gives no tip:"; sed -n '/^Tips/,$p' report; failures=$((failures + 1)); }
fi

# CMake takes the good one, and warns where it is told to take the other.
configure() { "$cmake" -S "$source/tests/consumer" -B configured -DCMAKE_CXX_COMPILER="$compiler" -DCROTON_SOURCE="$source" "$@"; }
says "*croton *: xsimd *; BLAS ${fast%,*} in $library*" "CMake by itself" configure
says "*CMake Warning*the reference BLAS*install OpenBLAS*" "CMake, told to take it" \
    configure -DCROTON_CBLAS_LIBRARY="${slow%.3}" -DCROTON_CBLAS_INCLUDE_DIR="${header%/*}"
says "*CMake Error*no program can be linked to CROTON_CBLAS_LIBRARY*" "CMake, told to take what is none" \
    bash -c '"$@" && echo "no error" || "$@" 2>&1 || true' - "$cmake" -S "$source/tests/consumer" -B configured \
    -DCROTON_SOURCE="$source" -DCROTON_CBLAS_LIBRARY="$work/which.o.none"

# The scripts are content with what is here. A compiler that links the slow one under every name is not good enough.
says "yes" "a good one" bash -c '. "$1/tests/packages.sh" && has BLAS && echo yes' - "$source"
mkdir -p slow_machine
printf '#!/bin/sh\nfor a do shift; case $a in -lopenblas | -lmkl_rt | -lblis | -lflexiblas) a=%s ;; esac; set -- "$@" "$a"; done\nexec %s "$@" -Wl,-rpath,%s\n' \
    "${slow%.3}" "$(command -v "$compiler")" "${slow%/*}" >slow_machine/g++
chmod +x slow_machine/g++
says "no" "only the slow one" env PATH="$work/slow_machine:$PATH" bash -c '. "$1/tests/packages.sh"; has BLAS && echo yes || echo no' - "$source"

echo "$failures failed"
[ $failures -eq 0 ]
