#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# lenet_run.sh <11_lenet>: what it prints, with the numbers that depend on the machine masked, what it learns and what it leaves behind.
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

"$program" --epochs 6 --threads 1 --save model >out 2>err || fail "it fails: $(cat err)"
[ ! -s err ] || fail "it prints on stderr, which is no terminal here: $(cat err)"
sed -E -e 's/^( +[0-9]+) +[0-9]+\.[0-9]+ +[0-9.]+ % +[0-9.]+ +[0-9,]+$/\1  N  N %  N  N/' -e 's/is [0-9.]+ % as well/is N % as well/' out >masked
diff -u --label expected --label printed - masked <<'END' || fail "it prints something else"
LeNet-5, float32, 1 thread
9,000 images to train, 1,000 to test

epoch  training loss  test accuracy  seconds  images/s
    1  N  N %  N  N
    2  N  N %  N  N
    3  N  N %  N  N
    4  N  N %  N  N
    5  N  N %  N  N
    6  N  N %  N  N

saved to model; loaded again, its test accuracy is N % as well
END
accuracy=$(sed -n -E 's/^saved .* is ([0-9]+)\.[0-9]+ %.*/\1/p' out)
[ "${accuracy:-0}" -ge 96 ] || fail "the test accuracy is $accuracy %, and ought to be at least 96 %"
files=$(cd model && echo *)
expected=$(for layer in conv1.:kernel conv2.:kernel hidden1.:weight hidden2.:weight output.:weight; do
    echo "${layer%:*}bias.npy ${layer%:*}${layer#*:}.npy"
done | xargs)
[ "$files" = "$expected" ] || fail "the folder of the model holds: $files"

"$program" --help >out 2>err || fail "--help fails"
[ -s out ] && [ ! -s err ] || fail "--help prints nothing, or on stderr"
if "$program" --speed 3 >out 2>err; then fail "an unknown option is not refused"; fi
[[ $(cat err) == "11_lenet: there is no option '--speed'"* ]] || fail "of an unknown option it says: $(cat err)"

echo "$failures failed"
[ $failures -eq 0 ]
