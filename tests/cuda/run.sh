#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Runs the GPU tests that stand beside it: a machine with an NVIDIA driver and the libraries of the CUDA toolkit is enough.
#   run.sh               the tests; the last line counts what passed, failed and was skipped
#   run.sh sanitize      the tests under compute-sanitizer: memcheck, racecheck, initcheck, synccheck
#   run.sh bench         the benchmarks and examples, and PyTorch and JAX where they are installed; also in results/<GPU>-<date>.txt
set -u
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cd "$here" || exit 1
export LD_LIBRARY_PATH=${LD_LIBRARY_PATH:-}:/usr/local/cuda/lib64
export PATH=$PATH:/usr/local/cuda/bin
passed=0
failed=0
skipped=0

# count <name> <command...>
count() {
    local name=$1 status=0
    shift
    echo "== $name"
    "$@" || status=$?
    case $status in
    0) passed=$((passed + 1)) ;;
    77) skipped=$((skipped + 1)) ;;
    *) failed=$((failed + 1)); echo "FAILED $name (status $status)" ;;
    esac
}

case ${1:-tests} in
tests)
    for program in test_*; do count "$program" "./$program"; done
    ;;
sanitize)
    command -v compute-sanitizer >/dev/null || { echo "compute-sanitizer is not installed." >&2; exit 1; }
    for program in test_*; do
        for tool in memcheck racecheck initcheck synccheck; do
            # The large sizes are left to the plain run: every access costs a hundred times more here.
            count "$tool $program" compute-sanitizer --tool "$tool" --error-exitcode 1 "./$program" --test-case-exclude='more than 2*,float sums*,a hundred thousand*'
        done
    done
    ;;
bench)
    mkdir -p results
    gpu=$(nvidia-smi --query-gpu=name --format=csv,noheader 2>/dev/null | head -n 1 | tr -c 'A-Za-z0-9\n' '-')
    out=results/${gpu:-no-GPU}-$(date +%Y-%m-%d).txt
    : >"$out"
    for program in bench_* example_*; do
        [ -x "$program" ] && count "$program" "./$program" | tee -a "$out"
    done
    # PyTorch and JAX, in the same run and the same units.
    if ! command -v python3 >/dev/null; then echo "PyTorch, JAX: python3 is not installed" | tee -a "$out"
    else count cuda_peers.py python3 ./cuda_peers.py | tee -a "$out"
    fi
    echo "in $out"
    exit 0
    ;;
*)
    sed -n '4,6s/^# *//p' "$0"
    exit 2
    ;;
esac
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ] || exit 1
[ $passed -gt 0 ] || exit 77
