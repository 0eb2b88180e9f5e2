#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# mnist_run.sh <03_mnist> <data folder>: what it prints, with the numbers that depend on the machine masked, and what it
# leaves behind.
set -u
program=$1 data=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failures=0
fail() {
    echo "$*"
    failures=$((failures + 1))
}

# check <arguments...>: it must end well, print stdin when its numbers are masked, and be silent on stderr.
check() {
    "$program" "$@" >out 2>err || fail "$*: it fails: $(cat err)"
    sed -E -e 's/, [0-9]+ threads?$/, N threads/' -e "s|from $data\$|from DATA|" \
        -e 's/^( +[0-9]+) +[0-9]+\.[0-9]+ +[0-9.]+ % +[0-9.]+ +[0-9,]+$/\1  N  N %  N  N/' \
        -e 's/is [0-9.]+ % as well/is N % as well/' -e '/^Profile of "mnist"$/,$d' out >masked
    diff -u --label expected --label printed - masked || fail "$*: it prints something else"
    [ ! -s err ] || fail "$*: it prints on stderr, which is no terminal here: $(cat err)"
    check_profile
}

# The profile at the end: its parts are there, the functions were called as often as they must, and the shares of the
# parts of the program add up.
check_profile() {
    sed -n '/^Profile of "mnist"$/,$p' out >profile
    for line in 'Program' 'Class' 'Ops' 'Apply' 'Memory' 'Sum of all functions' 'Tips'; do
        grep -qx "$line" profile || fail "the profile has no part '$line'"
    done
    for name in mnist load epoch test save; do
        grep -qE "^ +[0-9.]+% +[0-9.]+s +[0-9]+ +$name\$" profile || fail "the profile does not name '$name'"
    done
    grep -q '^Function "train" on cpu$' profile || fail "the profile has no function \"train\""
    grep -qE 'gemm over [0-9]+ x [0-9]+ x [0-9]+ in float; reads .*arg4\.hidden1\.weight float \[784, 1000\]' profile ||
        fail "the profile does not name the weights of the network"
}

# 9,000 images are not a multiple of 128: the last batch is smaller.
check --epochs 1 --batch=128 --save "a model" <<'END'
784-1000-1000-10, 1,796,010 parameters, float32, N threads
9,000 images to train, 1,000 to test, from DATA

epoch  training loss  test accuracy  seconds  images/s
    1  N  N %  N  N

saved to a model; loaded again, its test accuracy is N % as well

END
accuracy=$(sed -n -E 's/^ +1 +[0-9.]+ +([0-9]+)\.[0-9]+ %.*/\1/p' out)
[ "${accuracy:-0}" -ge 90 ] || fail "the test accuracy is $accuracy %, and ought to be at least 90 %"
files=$(cd "a model" && echo *)
[ "$files" = "hidden1.bias.npy hidden1.weight.npy hidden2.bias.npy hidden2.weight.npy output.bias.npy output.weight.npy" ] ||
    fail "the folder of the model holds: $files"
[ "$(ls)" = "$(printf '%s\n' 'a model' err masked out profile)" ] || fail "it leaves behind: $(ls)"

# Files of one's own, not compressed: five images to train on, four to test on; a batch may be larger than all of them.
mkdir own
for name in train t10k; do
    n=$([ $name = train ] && echo 5 || echo 4)
    { printf '\0\0\x08\x03\0\0\0'"\\x$n"'\0\0\0\x1c\0\0\0\x1c' && head -c $((n * 784)) /dev/zero; } >own/$name-images-idx3-ubyte
    { printf '\0\0\x08\x01\0\0\0'"\\x$n" && head -c "$n" /dev/zero; } >own/$name-labels-idx1-ubyte
done
for batch in 2 100; do
    check --data own --epochs 2 --batch $batch --threads 1 --learning-rate 0.01 --seed 18446744073709551615 <<'END'
784-1000-1000-10, 1,796,010 parameters, float32, N threads
5 images to train, 4 to test, from own

epoch  training loss  test accuracy  seconds  images/s
    1  N  N %  N  N
    2  N  N %  N  N

saved to mnist_model; loaded again, its test accuracy is N % as well

END
done

"$program" --help >out 2>err || fail "--help fails"
[ -s out ] && [ ! -s err ] || fail "--help prints nothing, or on stderr"
for option in $(grep -oE '^  --[a-z-]+' out); do
    [ "$option" = --help ] || grep -q -- "\"$option\"" "$(dirname "$data")/03_mnist/options.hpp" || fail "--help names $option, which is not read"
done
if [ -w /dev/full ] && "$program" --help >/dev/full 2>err; then fail "a full disk behind stdout is not noticed"; fi

echo "$failures failed"
[ $failures -eq 0 ]
