#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# output.sh <expected.txt> <program> <arguments...>: the program must end well and print exactly the expected text.
set -u
expected=$1
shift
if ! output=$("$@"); then
    echo "$* failed"
    exit 1
fi
diff -u --label expected --label printed "$expected" - <<<"$output"
