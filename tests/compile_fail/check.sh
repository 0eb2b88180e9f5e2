#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# check.sh alone|together <program.cpp> <compiler> <flags...>: the program must not compile, and the compiler must print
# every sentence of the `// error: <sentence>` lines that it begins with: the first one in the first line that says `error:`,
# and everything in fewer than 30 lines. With CROTON_TEST_OK defined the program is right: `alone` compiles it so, others are
# compiled together by the test compile_fail/right.
set -u
alone=$1
program=$2
shift 2
export LC_ALL=C

# What the compiler printed, with a text carried in template arguments put together again:
#   g++        error<text<30>{"dot(x, w): "}, text<19>{"x has 784 columns"}>
#   clang >=15 error<{"dot(x, w): "}, {"x has 784 columns"}>, or with text<30> as above
#   clang 14   error<words<'d', 'o', 't'>>: it prints the codes of the first ten letters of anything else
normalised() {
    tr '\n' ' ' | sed -E -e "s/', '//g" \
        -e 's/"\}+, ([A-Za-z0-9_:]*(<[0-9]+u?l*>)?\{)?\{*"//g' \
        -e "s/\\\\(['\"\\\\])/\\1/g" -e 's/ +/ /g'
}

mapfile -t sentences < <(sed -n -E '/^\/\/ error: /!q; s/^\/\/ error: *//p' "$program")
if [ ${#sentences[@]} -eq 0 ]; then
    echo "$program: its first line must be '// error: <sentence>'"
    exit 1
fi

if ! grep -q CROTON_TEST_OK "$program"; then
    echo "$program: it has no right half, under CROTON_TEST_OK"
    exit 1
fi
if [ "$alone" = alone ] && ! output=$("$@" -fsyntax-only -DCROTON_TEST_OK "$program" 2>&1); then
    echo "$program: does not compile with CROTON_TEST_OK, where it must:"
    echo "$output"
    exit 1
fi
if output=$("$@" -fsyntax-only "$program" 2>&1); then
    echo "$program: compiles, but must not"
    exit 1
fi
text=$(normalised <<<"$output")
first=$(grep -m 1 'error: ' <<<"$output" | normalised)
status=0
if [[ $first != *"$(sed -E 's/ +/ /g' <<<"${sentences[0]}")"* ]]; then
    echo "$program: the first error is not: ${sentences[0]}"
    status=1
fi
lines=$(wc -l <<<"$output")
if [ "$lines" -ge 30 ]; then
    echo "$program: the compiler printed $lines lines; a reader has 30"
    status=1
fi
for sentence in "${sentences[@]}"; do
    wanted=$(sed -E 's/ +/ /g' <<<"$sentence")
    if [[ $text != *"$wanted"* ]]; then
        echo "$program: the compiler did not print: $sentence"
        status=1
    fi
done
if [ $status -ne 0 ]; then
    echo "It printed:"
    echo "$output"
fi
exit $status
