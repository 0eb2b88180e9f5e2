#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What bench/report.py makes of the tables that benchmarks print: one line for each title, the quickest row of each column, a picture, and what is missing.
# What was measured is not measured again, and the newest report of bench/results has every benchmark of bench/.
set -u
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
command -v python3 >/dev/null || { echo "no python3 here, so no report is tried"; exit 0; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat >"$work/bench_fast" <<'END'
#!/bin/sh
echo run >>"${0%/*}/runs"
echo "W0 fast: y = x, 3 float32, threads $1"
echo "  check croton, raw                        max difference 0.0e+00 (at most 0e+00)  ok"
echo "                                                median        best  croton/this    of bests   target"
echo "  croton                                       4.00 us     2.00 us         1.00        1.00         "
echo "  croton, another way                          1.00 us     1.00 us         1.00        1.00         "
echo "  raw: loop                                    5.00 us     4.00 us         0.50        0.50     1.05"
echo "  raw: a slower one                            9.00 us     8.00 us         0.25        0.25         "
echo "  Eigen (one thread)                           1.00 ms     1.00 ms         0.00        0.00         "
echo "g++ 12; flags -O3; a processor"
END
cat >"$work/bench_alone" <<'END'
#!/bin/sh
echo "W0 alone, threads $1"
echo "  croton                                       4.00 us     2.00 us         1.00        1.00         "
echo "  JAX, jit: left out, RuntimeError: no luck"
echo "without NumPy: it cannot"
echo "without PyTorch: it will not"
echo "without Eigen: it cannot"
END
cat >"$work/bench_broken" <<'END'
#!/bin/sh
echo run >>"${0%/*}/broken_runs"
exit 1
END
chmod +x "$work"/bench_*
cat >"$work/earlier.txt" <<'END'
benchmark fast
W0 fast: y = x, 3 float32, threads 1
                                                median        best   first/this
  NumPy                                      500.00 ns   500.00 ns         1.00
  PyTorch: x                                   3.00 us     3.00 us         1.00
  PyTorch, compiled                            7.00 us     6.00 us         1.00
  JAX, jit                                    60.00 us    40.00 us         1.00
Python 3; NumPy 2; PyTorch 2; JAX 1; PyTensor not installed; a processor
END
failures=0
fail() {
    echo "$*"
    failures=$((failures + 1))
}
expect() {
    grep -qF -- "$2" "$1" || fail "${1##*/} has no: $2"
}
report() {
    python3 "$root/bench/report.py" --quick --programs "$work" --pieces "$work/pieces" "$@" >"$work/log" 2>&1
}
fast="| fast | W0 fast: y = x, 3 float32 | 2 us | 4 us (0.50) | 1 ms (0.00) | 500 ns (4.00) | 3 us (0.67) | 6 us (0.33) | 40 us (0.05) | [1] |"
report --out "$work/out" --add "$work/earlier.txt" fast alone broken absent && fail "it ends well though a benchmark failed"
expect "$work"/out/*-report.md "$fast"
expect "$work"/out/*-report.md "1. not installed"
expect "$work"/out/*-report.md "| alone | W0 alone | 2 us |  | [2] | [2] | [3] | [3] | [4] | [1] |"
expect "$work"/out/*-report.md "2. it cannot"
expect "$work"/out/*-report.md "4. RuntimeError: no luck"
expect "$work"/out/*-report.md "missing: broken.croton.0 (failed), absent (not built), why nothing is there (alone: W0 alone: raw)"
expect "$work"/out/*-report.md "- g++ 12; flags -O3; a processor"
expect "$work"/out/*-report.md "- without compile_time: it counts seconds"
expect "$work"/out/*-report.txt "benchmark fast"
python3 -c "import sys, xml.dom.minidom; xml.dom.minidom.parse(sys.argv[1])" "$work/out/report.svg" || failures=$((failures + 1))
expect "$work/out/report.svg" "JAX: 40 us, 20.00 times croton"

# A second run has what the first one measured, and tries again what failed.
report --out "$work/out" --add "$work/earlier.txt" fast broken && fail "it ends well though a benchmark failed again"
[ "$(wc -l <"$work/runs") $(wc -l <"$work/broken_runs")" = "1 2" ] || fail "runs: $(wc -l <"$work/runs") of fast, $(wc -l <"$work/broken_runs") of broken"
report --under "env --" --out "$work/under" --pieces "$work/others" --add "$work/earlier.txt" fast || fail "no measurement by another command"
expect "$work"/under/*-report.md "$fast"
report --merge --out "$work/merged" --pieces "$work/none" --add "$work"/under/*-report.txt || fail "tables are not put together"
expect "$work"/merged/*-report.md "$fast"
expect "$work"/merged/*-report.md "without w2_exp: not measured"

newest=$(ls "$root"/bench/results/*-report.md | tail -n 1)
for path in "$root"/bench/*.cpp "$root"/bench/*.cu "$root"/bench/*.sh; do
    name=$(basename "${path%.*}")
    [ "$name" = report ] || grep -qE "^(\| $name \||- without $name: )" "$newest" || fail "${newest##*/} has no $name: run bench/report.sh --out bench/results --add ${newest%.md}.txt $name"
done
grep -q -- "^- missing: \|: not measured$" "$newest" && fail "${newest##*/}: $(grep -- "^- missing: \|: not measured$" "$newest")"
[ $failures -eq 0 ] || { cat "$work"/out/*-report.md; exit 1; }
