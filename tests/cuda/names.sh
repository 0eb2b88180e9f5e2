#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# names.sh <program>: fails if a kernel of the program has a name of 4 KiB or more. Tools and drivers stop there.
set -u
command -v strings >/dev/null || { echo "skipped: no strings"; exit 77; }
# The host registers every kernel by name: the names are data of the program, as is the code for the GPU with its own.
strings -d -n 8 "$1" | grep -E '^_Z[A-Za-z0-9_$]+$' | sort -u | awk '
    { if (length($0) > longest) longest = length($0) }
    END {
        printf "%d names of kernels and what they call, the longest has %d characters\n", NR, longest
        exit NR == 0 || longest >= 4096
    }'
