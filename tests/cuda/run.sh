#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Runs the GPU tests and benchmarks that stand beside it: a machine with an NVIDIA driver and the libraries of the CUDA toolkit is enough.
#   run.sh               tests and benchmarks; the last lines count what passed, failed and was skipped, and which targets were reached
#   run.sh tests         the tests, what to try first in front
#   run.sh sanitize      the tests under compute-sanitizer: memcheck, racecheck, initcheck, synccheck
#   run.sh bench         the benchmarks and examples, and PyTorch and JAX where they are installed; also in results/<GPU>-<date>.txt
# A wrong result is a failure, also of a benchmark. A target that a benchmark falls short of is none.
set -u
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cd "$here" || exit 1
export LD_LIBRARY_PATH=${LD_LIBRARY_PATH:-}:/usr/local/cuda/lib64
export PATH=$PATH:/usr/local/cuda/bin
passed=0
failed=0
skipped=0

# count <name> <command...>: what it prints also goes to the file "out", where there is one.
out=/dev/null
count() {
    local name=$1 status=0
    shift
    echo "== $name" | tee -a "$out"
    "$@" 2>&1 | tee -a "$out"
    status=${PIPESTATUS[0]}
    case $status in
    0) passed=$((passed + 1)) ;;
    77) skipped=$((skipped + 1)) ;;
    *) failed=$((failed + 1)); echo "FAILED $name (status $status)" | tee -a "$out" ;;
    esac
}

run_tests() {
    local program
    [ ! -x test_first_run ] || count test_first_run ./test_first_run
    for program in test_*; do
        [ "$program" = test_first_run ] || count "$program" "./$program"
    done
}

run_sanitizer() {
    local program tool
    command -v compute-sanitizer >/dev/null || { echo "compute-sanitizer is not installed." >&2; exit 1; }
    for program in test_*; do
        for tool in memcheck racecheck initcheck synccheck; do
            # The large sizes and numbers of calls are left to the plain run: every access costs a hundred times more here.
            count "$tool $program" compute-sanitizer --tool "$tool" --error-exitcode 1 "./$program" --test-case-exclude='more than 2*,float sums*,a hundred thousand*'
        done
    done
}

run_benchmarks() {
    local gpu program
    mkdir -p results
    gpu=$(nvidia-smi --query-gpu=name --format=csv,noheader 2>/dev/null | head -n 1 | tr -c 'A-Za-z0-9\n' '-')
    out=results/${gpu:-no-GPU}-$(date +%Y-%m-%d).txt
    : >"$out"
    for program in bench_* example_*; do
        [ ! -x "$program" ] || count "$program" "./$program"
    done
    # PyTorch and JAX, in the same run and the same units.
    if command -v python3 >/dev/null; then count cuda_peers.py python3 ./cuda_peers.py
    else echo "PyTorch, JAX: python3 is not installed" | tee -a "$out"
    fi
    {
        echo "targets: $(grep -c '^  target: .*: pass$' "$out") passed, $(grep -c '^  target: .*: falls short$' "$out") fall short"
        grep '^  target: .*: falls short$' "$out"
    } | tee -a "$out"
    echo "in $out"
}

case ${1:-all} in
all)
    run_tests
    run_benchmarks
    ;;
tests) run_tests ;;
sanitize) run_sanitizer ;;
bench) run_benchmarks ;;
*)
    sed -n '4,7s/^# *//p' "$0"
    exit 2
    ;;
esac
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ] || exit 1
[ $passed -gt 0 ] || exit 77
