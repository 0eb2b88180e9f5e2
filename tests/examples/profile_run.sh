#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# profile_run.sh <04_profile> <profile.txt>: the report it prints, with what depends on the machine masked, and that the
# files it writes are what they say they are.
set -u
program=$1 expected=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0
fail() {
    echo "$*"
    failures=$((failures + 1))
}

# Times, rates and shares become N; the rows of a table, which stand in the order of their times, are sorted; the tree is
# left as it is; what follows the heading of the tips is left out.
mask() {
    sed -E -e 's/^[0-9]+ of 400 /N of 400 /' -e 's/^  Hardware counters.*/  Hardware counters/' -e 's/^  BLAS: .*/  BLAS/' -e 's/ on [0-9]+ threads?$/ on N threads/' \
        -e 's/^( +[0-9.]+% .* )(BLAS|SIMD|loop) /\1TYPE /' \
        -e 's/(TYPE +[0-9]+ +[0-9]+) +[0-9.]+ +[0-9.]+ +([0-9.]+%|-)  /\1 N N N  /' \
        -e 's/ +[0-9]+\.[0-9]+%/ N%/g' -e 's/\([0-9.]+%\)/(N%)/g' -e 's/ +[0-9]+\.[0-9]+(e[-+][0-9]+)?s/ Ns/g' \
        -e 's/\([0-9]\.[0-9]+e[-+][0-9]+s\)/(Ns)/' \
        -e 's/[0-9]+(\.[0-9]+)?(e[-+][0-9]+)? (ns|us|ms|s)\b/N/g' -e 's/[0-9.]+ (GB|GFLOP)\/s/N/g' |
        LC_ALL=C awk '
            function flush(i, j, t) {
                for (i = 2; i <= n; ++i) {
                    t = row[i]
                    for (j = i - 1; j > 0 && row[j] > t; --j) row[j + 1] = row[j]
                    row[j + 1] = t
                }
                for (i = 1; i <= n; ++i) print row[i]
                n = 0
            }
            /^(Program|Class|Ops|Apply)$/ { table = $0 }
            table != "Program" && /^ +N% .*TYPE/ { row[++n] = $0; next }
            n > 0 && /^            / { row[n] = row[n] "\n" $0; next }
            { flush(); print }
            /^Tips$/ { exit }
            END { flush() }'
}

"$program" "$work" >"$work/printed" 2>"$work/err" || fail "it fails: $(cat "$work/err")"
[ ! -s "$work/err" ] || fail "it prints on stderr: $(cat "$work/err")"
mask <"$work/printed" | diff -u --label expected --label printed "$expected" - || fail "it prints something else"

if command -v python3 >/dev/null 2>&1; then
    python3 - "$work" <<'END' || fail "the files do not hold what ran"
import json, sys
profile = json.load(open(sys.argv[1] + "/profile.json", encoding="utf-8"))
train, predict = profile["functions"]
assert (train["name"], train["calls"], predict["name"], predict["calls"]) == ("train", 200, "predict", 1)
steps = sum(s["time_ns"] for s in train["steps"])
assert steps == train["steps_time_ns"] and abs(steps + train["overhead_ns"] - train["time_ns"]) <= 0.02 * train["time_ns"]
assert [n["name"] for n in profile["tree"]] == ["logistic regression", "load data", "train", "train", "evaluate", "predict"]
slices = [e for e in json.load(open(sys.argv[1] + "/trace.json", encoding="utf-8"))["traceEvents"] if e["ph"] == "X"]
assert len(slices) == 1 + 2 + 1 + 200 * (1 + len(train["steps"])) + 1 + len(predict["steps"]), len(slices)
assert len(profile["events"]) + 1 == len(slices)
END
else
    echo "no python3: the JSON is not read"
fi
if command -v dot >/dev/null 2>&1; then
    for drawing in plan calls; do
        complaint=$(dot -Tsvg "$work/$drawing.dot" 2>&1 >"$work/$drawing.svg") && [ -z "$complaint" ] || fail "$drawing.dot: $complaint"
    done
    grep -q 't1 = x w' "$work/plan.svg" || fail "plan.svg does not show the product"
    grep -q 'load data' "$work/calls.svg" || fail "calls.svg does not show the regions"
else
    echo "no graphviz: nothing is drawn"
fi

# A folder that is not there: an error before anything has run.
"$program" "$work/missing" >"$work/printed" 2>"$work/err" && fail "a folder that is not there is no error"
grep -qx ".*/missing/profile.json cannot be written: No such file or directory" "$work/err" || fail "it says: $(cat "$work/err")"
[ ! -s "$work/printed" ] || fail "it runs although it cannot write: $(cat "$work/printed")"

echo "$failures failed"
[ $failures -eq 0 ]
