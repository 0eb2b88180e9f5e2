#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Test programs on machines and libraries that the other tests do not see, cross-compiled and run by qemu-user. By hand: some minutes a target.
#   portability.sh [target...]      all targets that can run here, or those that are named
#   TESTS="array/npy core/half" portability.sh s390x      other programs than those below
# What a target needs is in Debian under the names that are printed where it is missing; a target that is named must run.
set -u
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root" || exit 1
. tests/limits.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

targets=(aarch64 riscv64 i686 i686-x87 s390x libc++ libc++-23 sse2 avx2)
# Sizes and bytes, plans, lanes, files of all kinds, texts.
tests="core/half core/philox array/npy array/npz array/print array/overlap device/cpu/loop device/cpu/gemm ops/dot ops/softmax random/host"

# Sets what a target is: its compiler, flags, packages, and what runs its programs.
describe() {
    compiler=$1-linux-gnu-g++ standard=c++20 flags=(-static) runner=(qemu-"$1") packages="g++-${1/_/-}-linux-gnu qemu-user" own_tests=
    case $1 in
    aarch64 | riscv64 | s390x) ;;
    i686) flags+=(-msse2 -mfpmath=sse) runner=() packages=g++-i686-linux-gnu ;;
    # Without SSE2 numbers are computed with more digits than they have: what is compared to the last digit cannot pass.
    i686-x87) compiler=i686-linux-gnu-g++ flags+=(-mno-sse2 -ffloat-store) runner=() packages=g++-i686-linux-gnu ;;
    libc++) compiler=clang++-16 flags=(-stdlib=libc++ -static -pthread) runner=() packages="clang-16 libc++-16-dev libc++abi-16-dev" ;;
    # What C++23 has and older libraries have not: std::mdspan.
    libc++-23)
        compiler=clang++-19 standard=c++23 flags=(-stdlib=libc++ -pthread) runner=() packages="clang-19 libc++-19-dev libc++abi-19-dev"
        own_tests="interop/mdspan interop/standard interop/dlpack array/print array/npz array/ranges lazy/operators"
        ;;
    sse2) compiler=g++ flags=(-march=x86-64) runner=() packages=g++ ;;
    avx2) compiler=g++ flags=(-march=haswell) runner=() packages=g++ ;;
    *) echo "portability.sh: no target $1; there are ${targets[*]}" >&2; exit 2 ;;
    esac
}

missing() {
    local tool
    for tool in "$compiler" "${runner[@]}"; do
        command -v "$tool" >/dev/null || { echo "$tool is missing: apt-get install $packages"; return 0; }
    done
    return 1
}

# compile <output> <source>: nothing of the machine that compiles is linked.
compile() {
    local quiet=()
    [[ $compiler == clang* ]] || quiet=(-Wno-maybe-uninitialized -Wno-uninitialized)
    "$compiler" -std=$standard -O1 $(limits "$compiler") "${flags[@]}" -Wall -Wextra -Werror "${quiet[@]}" \
        -DCROTON_HAS_CBLAS=0 -DCROTON_HAS_LAPACK=0 -DCROTON_HAS_ZLIB=0 -Iinclude -Itests -idirafter "$work/include" -o "$1" "${@:2}" >"$work/log" 2>&1 ||
        { head -n 20 "$work/log"; return 1; }
}

# doctest is of the machine that compiles, but has no code of its own; xsimd too, where the target's compiler looks for it.
mkdir -p "$work/include"
for folder in doctest xsimd; do [ ! -d "/usr/include/$folder" ] || ln -s "/usr/include/$folder" "$work/include/$folder"; done

named=$#
[ $named -gt 0 ] || set -- "${targets[@]}"
failed=0
for target in "$@"; do
    describe "$target"
    if why=$(missing); then
        echo "$target: $why"
        [ $named -eq 0 ] || failed=1
        continue
    fi
    printf '#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN\n#include <doctest/doctest.h>\n' >"$work/main.cpp"
    compile "$work/main.o" -c "$work/main.cpp" || { echo "$target: FAILED doctest"; failed=1; continue; }
    for test in ${TESTS:-${own_tests:-$tests}}; do
        main=$work/main.o
        ! grep -q DOCTEST_CONFIG_IMPLEMENT "tests/${test}_test.cpp" || main=
        if ! compile "$work/program" "tests/${test}_test.cpp" ${main:+"$main"}; then
            echo "$target: FAILED to compile $test"
            failed=1
        elif ! timeout 600 "${runner[@]}" "$work/program" >"$work/log" 2>&1; then
            grep -E -A 12 'ERROR|FATAL|Signal|uncaught' "$work/log" | head -n 40
            echo "$target: FAILED $test"
            failed=1
        else
            echo "$target: $test"
        fi
    done
done
exit $failed
