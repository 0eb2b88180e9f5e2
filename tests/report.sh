#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What bench/report.py makes of the tables that benchmarks print: one line for each title, the quickest row of each column, a picture, and what is missing.
set -u
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
command -v python3 >/dev/null || { echo "no python3 here, so no report is tried"; exit 0; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat >"$work/bench_fast" <<'END'
#!/bin/sh
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
printf '#!/bin/sh\nexit 1\n' >"$work/bench_broken"
chmod +x "$work"/bench_*
cat >"$work/earlier.txt" <<'END'
benchmark fast
W0 fast: y = x, 3 float32, threads 1
                                                median        best   first/this
  NumPy                                      500.00 ns   500.00 ns         1.00
  PyTorch: x                                   3.00 us     3.00 us         1.00
  PyTorch, compiled                            7.00 us     6.00 us         1.00
  JAX, jit                                    60.00 us    40.00 us         1.00
END
failures=0
expect() {
    grep -qF -- "$2" "$1" || { echo "${1##*/} has no: $2"; failures=$((failures + 1)); }
}
python3 "$root/bench/report.py" --programs "$work" --out "$work/out" --add "$work/earlier.txt" fast broken absent >"$work/log" 2>&1
[ $? -eq 1 ] || { echo "it ends well though a benchmark failed"; failures=$((failures + 1)); }
expect "$work"/out/*-report.md "| W0 fast: y = x, 3 float32 | 2 us | 4 us (0.50) | 1 ms (0.00) | 500 ns (4.00) | 3 us (0.67) | 6 us (0.33) | 40 us (0.05) |  |"
expect "$work"/out/*-report.md "not installed, or without any row: PyTensor"
expect "$work"/out/*-report.md "missing: broken (failed: bench_broken), absent (not built)"
expect "$work"/out/*-report.md "- g++ 12; flags -O3; a processor"
expect "$work"/out/*-report.txt "benchmark fast"
python3 -c "import sys, xml.dom.minidom; xml.dom.minidom.parse(sys.argv[1])" "$work/out/report.svg" || failures=$((failures + 1))
expect "$work/out/report.svg" "JAX: 40 us, 20.00 times croton"
python3 "$root/bench/report.py" --merge --out "$work/merged" --add "$work"/out/*-report.txt >"$work/log" 2>&1 || { echo "tables are not put together"; failures=$((failures + 1)); }
expect "$work"/merged/*-report.md "| W0 fast: y = x, 3 float32 | 2 us | 4 us (0.50) | 1 ms (0.00) | 500 ns (4.00) | 3 us (0.67) | 6 us (0.33) | 40 us (0.05) |  |"
expect "$work"/merged/*-report.md "not measured: "
[ $failures -eq 0 ] || { cat "$work"/out/*-report.md; exit 1; }
