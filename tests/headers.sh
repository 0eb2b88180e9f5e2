#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# headers.sh <part> <parts> <compiler> <flags...>: every header includes what it needs, and may be read twice.
# A header that another includes in any case may be read before it without lending it anything: one program reads a row of such
# headers, each included by the next. Of all programs this compiles those of one part; with 0 parts it prints the rows.
set -u
part=$1
parts=$2
shift 2
cd "$(dirname "${BASH_SOURCE[0]}")/../include" || exit 1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export LC_ALL=C

# Includes within a condition lend nothing: depth 1 is the guard. Those of CUDA are read by nvcc, that of Eigen by its own test.
# The rows are as few as can be.
find croton -name '*.hpp' -o -name '*.ipp' | sort | xargs awk '
    function close_over(header,    n, i, list, j) {
        if (header in closed) return
        closed[header] = 1
        n = split(includes[header], list, " ")
        for (i = 1; i <= n; i++) {
            close_over(list[i])
            reads[header, list[i]] = 1
            for (j = 1; j <= files; j++) if ((list[i], name[j]) in reads) reads[header, name[j]] = 1
        }
    }
    FNR == 1 { depth = 0; name[++files] = FILENAME; guarded = FILENAME ~ /hpp$/ }
    /^[ \t]*#[ \t]*if/ { depth++ }
    /^[ \t]*#[ \t]*endif/ { depth-- }
    /^[ \t]*#[ \t]*include <croton\// && depth == guarded {
        sub(/.*</, ""); sub(/>.*/, "")
        includes[FILENAME] = includes[FILENAME] " " $0
    }
    # lends <header> to one that reads it, moving what is lent already where that lets more be lent.
    function lend(header,    i) {
        for (i = 1; i <= count; i++) {
            if (!((asked[i], header) in reads) || asked[i] in seen) continue
            seen[asked[i]] = 1
            if (!(asked[i] in before) || lend(before[asked[i]])) {
                before[asked[i]] = header
                return 1
            }
        }
        return 0
    }
    END {
        for (f = 1; f <= files; f++) {
            close_over(name[f])
            if (name[f] !~ /\.ipp$|\/cuda[.\/]|\/interop\/eigen/) asked[++count] = name[f]
        }
        for (i = 1; i <= count; i++) {
            split("", seen)
            lend(asked[i])
        }
        for (i = 1; i <= count; i++) if (asked[i] in before) after[before[asked[i]]] = asked[i]
        for (i = 1; i <= count; i++) {
            if (asked[i] in before) continue
            row = ""
            for (header = asked[i]; header != ""; header = after[header]) { row = row " " header; rows++ }
            print substr(row, 2)
        }
        if (rows != count) { print "headers.sh: headers include each other in a circle" >"/dev/stderr"; exit 1 }
    }' >"$work/rows" || exit 1
if [ "$parts" -eq 0 ]; then
    cat "$work/rows"
    exit
fi

number=0
read_headers=0
failures=0
while read -r row; do
    number=$((number + 1))
    [ $((number % parts)) -eq "$part" ] || continue
    for header in $row; do
        printf '#include <%s>\n#include <%s>\n' "$header" "$header"
        read_headers=$((read_headers + 1))
    done >"$work/program.cpp"
    echo 'int main() {}' >>"$work/program.cpp"
    "$@" -fsyntax-only "$work/program.cpp" && continue
    echo "one of these headers cannot be read, or not twice: $row"
    failures=$((failures + 1))
done <"$work/rows"
echo "$read_headers headers; $failures of their programs failed"
[ $failures -eq 0 ] && [ $read_headers -gt 0 ]
