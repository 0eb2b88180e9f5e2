#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Builds the tests that need a GPU, and where they exist the CUDA benchmarks and examples.
#   build.sh <folder> [name...]     all of them, or those named; CROTON_CUDA_ARCH chooses the GPUs (default: sm_90 and PTX)
#   build.sh --check [name...]      only lets nvcc read them, in a third of the time
# The programs go to <folder>; nothing of them runs here.
set -u
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
[ $# -ge 1 ] || { sed -n '3,6s/^# //p' "$0"; exit 2; }
folder=$1
shift
checks=
if [ "$folder" = --check ]; then
    checks=yes
    folder=$(mktemp -d)
    trap 'rm -rf "$folder"' EXIT
    CROTON_CUDA_ARCH=-arch=compute_90
fi
mkdir -p "$folder/objects"
export PATH=$PATH:/usr/local/cuda/bin
command -v nvcc >/dev/null || { echo "This needs nvcc, of the CUDA toolkit 12 or newer." >&2; exit 1; }

# For the GPUs that are named, and as PTX for newer ones.
arch=${CROTON_CUDA_ARCH:--gencode=arch=compute_90,code=[sm_90,compute_90]}
. "$root/tests/limits.sh"
limits=$(limits nvcc) || exit 1
# shellcheck disable=SC2206
flags=(-std=c++20 -O3 $arch -lineinfo -Werror all-warnings $limits
       -I"$root/include" -I"$root/tests" -I"$root/bench" ${CROTON_NVCC_FLAGS:-})
# The programs use the CPU device only as what to compare with: no BLAS, so that they need no library of it.
flags+=(-DCROTON_HAS_CBLAS=0 -cudart static)

failed=0
# build <kind> <source> [object...]
build() {
    local kind=$1 source=$2 name program start=$SECONDS
    shift 2
    name=$(basename "$source" .cu)
    program=$folder/${kind}_$name
    [ "${#wanted[@]}" -eq 0 ] || [[ " ${wanted[*]} " == *" $name "* ]] || return 0
    # What takes matrices apart needs cuSOLVER.
    local own=() libraries=(-lcublas -lcublasLt)
    if [ "$name" = linear ]; then
        own=(-DCROTON_HAS_CUSOLVER=1)
        libraries+=(-lcusolver)
    fi
    if [ -n "$checks" ]; then
        if nvcc "${flags[@]}" "${own[@]}" -Xcicc -O0 -ptx "$source" -o "$folder/check.ptx"; then echo "$source is read ($((SECONDS - start)) s)"; else echo "FAILED $source"; failed=$((failed + 1)); fi
    elif nvcc "${flags[@]}" "${own[@]}" "$source" "$@" "${libraries[@]}" -o "$program"; then
        echo "$program ($((SECONDS - start)) s)"
    else
        echo "FAILED $source"
        failed=$((failed + 1))
    fi
}

wanted=("$@")
main=$folder/objects/main.o
if [ -z "$checks" ] && { [ ! -e "$main" ] || [ "$root/tests/cuda/main.cu" -nt "$main" ]; }; then
    nvcc "${flags[@]}" -c "$root/tests/cuda/main.cu" -o "$main" || exit 1
fi
for source in "$root"/tests/cuda/*.cu; do
    [ "$(basename "$source")" = main.cu ] || build test "$source" "$main"
done
for source in "$root"/bench/cuda_*.cu; do
    [ -e "$source" ] && build bench "$source"
done
for source in "$root"/examples/[0-9][0-9]_*.cu; do
    [ -e "$source" ] && build example "$source"
done
[ $failed -eq 0 ]
