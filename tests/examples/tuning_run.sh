#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# tuning_run.sh <05_tuning>: it finds the costly steps of the first function and none of them in the second.
set -u
program=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0
fail() {
    echo "$*"
    failures=$((failures + 1))
}
"$program" >"$work/out" || fail "it fails"
sed '/^second: /,$d' "$work/out" >"$work/first"
sed -n '/^second: /,$p' "$work/out" >"$work/second"
grep -qE '^first: [0-9.]+ ms a step$' "$work/first" || fail "it does not time the first function"
grep -qE '^ +[0-9]+% +49006\.[0-9] KB +elementwise +double +t[0-9]+ = t[0-9]+ - t[0-9]+$' "$work/first" ||
    fail "the centred samples are not among the costly steps"
grep -qE '^  float64: first, step [0-9]+, computes in double, but every number that comes in is a float$' "$work/first" ||
    fail "no tip says that double is not needed"
grep -qE '^ +[0-9]+% +[0-9.]+ KB +gemv +float +t[0-9]+ = x w$' "$work/second" || fail "the product is not among the costly steps"
grep -q double "$work/second" && fail "the second function computes in double"
grep -qE '^the cost differs by less than 1e-4, and a step is [0-9.]+ times as fast$' "$work/second" || fail "the two do not agree"
[ $failures -eq 0 ] || cat "$work/out"
echo "$failures failed"
[ $failures -eq 0 ]
