#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# readme.sh <page> <compiler> <flags...> -- <link flags...>: what the README, or the manual, shows is true.
#   ```cpp with `int main`      is a program: it is compiled and run; where a ```text block is the next block, it must
#                               be exactly what the program prints
#   ```cpp without `int main`   is a piece: it is compiled, after `#include <croton/croton.hpp>` and `using namespace
#                               croton;`, at namespace scope if it starts with template, struct, #include or namespace,
#                               and inside a function otherwise
#   any other kind of block     is not read (```c++ for a sketch that does not stand alone)
set -u
readme=$1
shift
compile=()
while [ $# -gt 0 ] && [ "$1" != -- ]; do
    compile+=("$1")
    shift
done
[ $# -gt 0 ] && shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# block-<number>.cpp, with its first line in block-<number>.line and its output in block-<number>.txt
awk -v work="$work" '
    /^```/ && !inside {
        inside = 1; file = ""
        if ($0 == "```cpp") { file = sprintf("%s/block-%02d.cpp", work, ++n); print NR + 1 > (work "/" sprintf("block-%02d.line", n)); last = "cpp" }
        else { if ($0 == "```text" && last == "cpp") { file = sprintf("%s/block-%02d.txt", work, n); printf "" > file } last = "" }
        next
    }
    /^```/ { inside = 0; if (file != "") close(file); next }
    inside && file != "" { print > file }
' "$readme"

failures=0
programs=0
pieces=0
for block in "$work"/block-*.cpp; do
    [ -e "$block" ] || break
    name="$readme:$(cat "${block%.cpp}.line")"
    program=$work/program.cpp
    if grep -q 'int main' "$block"; then
        programs=$((programs + 1))
        # A precompiled header is taken only where it comes first.
        header=()
        grep -q '^#include <croton/croton.hpp>' "$block" && header=(-include croton/croton.hpp)
        if ! "${compile[@]}" "${header[@]}" "$block" -o "$work/program" "$@" 2>"$work/errors"; then
            echo "$name: does not compile:"
            cat "$work/errors"
            failures=$((failures + 1))
            continue
        fi
        if ! (cd "$work" && ./program) >"$work/printed"; then
            echo "$name: compiles, but fails when it runs"
            failures=$((failures + 1))
        elif [ -e "${block%.cpp}.txt" ] && ! diff -u --label "$readme" --label printed "${block%.cpp}.txt" "$work/printed"; then
            echo "$name: prints something else"
            failures=$((failures + 1))
        fi
    else
        pieces=$((pieces + 1))
        {
            echo '#include <croton/croton.hpp>'
            grep -E '^#include' "$block"
            echo 'using namespace croton;'
            if grep -vE '^(//|$)' "$block" | head -n 1 | grep -qE '^(template|struct|namespace|#include)'; then
                grep -vE '^#include' "$block"
            else
                echo 'void piece() {'
                cat "$block"
                echo '}'
            fi
        } >"$program"
        if ! "${compile[@]}" -Wno-unused -fsyntax-only "$program" 2>"$work/errors"; then
            echo "$name: does not compile:"
            cat "$work/errors"
            failures=$((failures + 1))
        fi
    fi
done
echo "$programs programs and $pieces pieces of ${readme##*/}; $failures failed"
[ $failures -eq 0 ]
