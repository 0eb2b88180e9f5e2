#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# ntm_run.sh <15_ntm>: it learns short sequences in a few steps, by heads of either kind, saves what it has learned, draws it, and says where the
# time went.
set -u
program=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failures=0
fail() {
    echo "$*"
    failures=$((failures + 1))
}
# below <number> <most> <what>
below() { awk -v n="$1" -v most="$2" 'BEGIN { exit !(n + 0 > 0 && n + 0 < most) }' || fail "$3 is '$1', and ought to be less than $2"; }
cost() { sed -n -E 's/^bits that a sequence costs at last: ([0-9.]+),.*/\1/p' out; }

"$program" --sequences 2000 --longest 4 --save model --picture heads.svg --profile >out 2>err || fail "it fails: $(cat err)"
below "$(cost)" 17.5 "the cost of a sequence"
grep -qx 'saved to model; loaded again, it is the same' out || fail "it is another one when it is loaded again"
[ "$(grep -c '^learning  ' err)" -eq 10 ] || fail "its progress is not ten lines"
[ "$(ls model | wc -l)" -eq 10 ] || fail "the folder of the model holds: $(ls model)"
[ "$(grep -c '<text' heads.svg)" -eq 4 ] && [ "$(tail -1 heads.svg)" = "</svg>" ] || fail "the picture is not complete"
awk '/^  Time in 500 calls of 1 function:/ { gsub(/[(%)]/, "", $NF); share = $NF + 0 } END { exit !(share > 90 && share <= 100) }' out || fail "the profile has not what ran"
for loop in 1 2; do
    steps=$(sed -n "/^Scan \"train, loop $loop\"/,/^Scan\|^Function\|^Tips/p" out | sed -n '/^Apply$/,$p' | grep -cE '^ +[0-9.]+% ')
    [ "$steps" -ge 10 ] || fail "the profile has $steps steps of loop $loop"
done
grep '^wrong bits' out >before
"$program" --longest 4 --load model --picture again.svg >out 2>err || fail "what was saved is not loaded: $(cat err)"
grep '^wrong bits' out | diff before - || fail "what is loaded copies otherwise"
cmp heads.svg again.svg || fail "the picture of what is loaded is another one"

"$program" --sequences 2000 --longest 4 --circle --save circle --picture circle.svg >out 2>err || fail "--circle: it fails: $(cat err)"
below "$(cost)" 17.5 "--circle: the cost of a sequence"
grep -qx 'saved to circle; loaded again, it is the same' out || fail "--circle: it is another one when it is loaded again"
[ "$(grep -c '<text' circle.svg)" -eq 4 ] && [ "$(tail -1 circle.svg)" = "</svg>" ] || fail "--circle: the picture is not complete"
if "$program" --load circle >out 2>err; then fail "a network of heads of another kind is loaded"; fi

"$program" --help >out 2>err || fail "--help fails"
if "$program" --speed 3 >out 2>err; then fail "an unknown option is not refused"; fi
[[ $(cat err) == "15_ntm: there is no option '--speed'"* ]] || fail "of an unknown option it says: $(cat err)"

echo "$failures failed"
[ $failures -eq 0 ]
