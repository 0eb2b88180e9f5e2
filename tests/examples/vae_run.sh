#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# vae_run.sh <18_vae>: what it prints, with the numbers that depend on the machine masked, what it learns and what it leaves behind.
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

"$program" --epochs 3 --threads 1 --save model >out 2>err || fail "it fails: $(cat err)"
[ ! -s err ] || fail "it prints on stderr, which is no terminal here: $(cat err)"
sed -E -e 's/^( +[0-9]+) +-[0-9]+\.[0-9]+ +-[0-9]+\.[0-9]+ +[0-9.]+ +[0-9,]+$/\1  N  N  N  N/' -e 's/is -[0-9.]+ as well/is N as well/' out >masked
diff -u --label expected --label printed - masked <<'END' || fail "it prints something else"
variational autoencoder, float32, 1 thread
9,000 images to train, 1,000 to test

epoch  training ELBO  test ELBO  seconds  images/s
    1  N  N  N  N
    2  N  N  N  N
    3  N  N  N  N

saved to model; loaded again, its test ELBO is N as well
digits that it imagines: model.pgm
END
bound=$(sed -n -E 's/^saved .* is (-[0-9]+)\.[0-9]+ as well$/\1/p' out)
[ "${bound:--999}" -ge -145 ] || fail "the test ELBO is $bound, and ought to be at least -145"
[ "$(head -c 15 model.pgm)" = "$(printf 'P5\n448 224\n255\n')" ] && [ "$(wc -c <model.pgm)" -eq $((448 * 224 + 15)) ] || fail "the picture is none"
[ "$(tail -c +16 model.pgm | od -An -v -tu1 -w1 | awk '$1 > 128' | wc -l)" -ge 3000 ] || fail "there is no ink in the picture"
[ "$(ls)" = "$(printf '%s\n' err masked model model.pgm out)" ] || fail "it leaves behind: $(ls)"

echo "$failures failed"
[ $failures -eq 0 ]
