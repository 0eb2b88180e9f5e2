#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Reads include/croton and fails if a header includes what stands above it, or breaks a rule every header keeps.
set -u
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root/include" || exit 1
export LC_ALL=C
failures=0
fail() {
    echo "$*"
    failures=$((failures + 1))
}

# What each layer may include besides itself and the two headers that read macros. One way only: no layer stands on
# its own right-hand side, directly or through others.
declare -A below=(
    [core]=""
    [array]="core"
    [kernel]="core"
    [graph]="core kernel"
    [ops]="core kernel graph"
    [rewrite]="core kernel graph ops"
    [autodiff]="core kernel graph ops rewrite"
    [plan]="core kernel graph ops autodiff rewrite"
    [explain]="core kernel graph plan"
    [device]="core array kernel"
    [random]="core array kernel graph ops device"
    [progress]="core"
    [profile]="core array kernel graph plan explain device"
    [function]="core array kernel graph ops autodiff rewrite plan explain device profile"
    [lazy]="core kernel array graph ops autodiff rewrite plan explain device profile function"
    [optim]="core array kernel graph ops autodiff rewrite plan device function"
    [interop]=""
)
roots=" compiler.hpp config.hpp version.hpp "

# header layer -> fails for every include of croton that the layer may not have
check_arrows() {
    local header=$1 layer=$2 included target line
    while IFS=: read -r line included; do
        included=${included#*<croton/}
        included=${included%%>*}
        [ -e "croton/$included" ] || fail "$header:$line: <croton/$included> does not exist"
        if [[ $included != */* ]]; then
            # What stands between croton and another library stands on all of it, beside the single header as well.
            [[ $roots == *" $included "* || $layer/$included == interop/croton.hpp ]] || fail "$header:$line: only a user includes <croton/$included>"
            continue
        fi
        target=${included%%/*}
        [ "$target" = "$layer" ] && continue
        [[ " ${below[$layer]} " == *" $target "* ]] || fail "$header:$line: $layer must not include <croton/$included>"
    done < <(grep -nE '^[[:space:]]*#[[:space:]]*include[[:space:]]*<croton/' "$header")
}

while read -r header; do
    path=${header#croton/}
    layer=${path%%/*}
    if [[ $path == */* ]]; then
        if [ -z "${below[$layer]+known}" ]; then
            fail "$header: $layer is not a layer; tests/house.sh has the list"
        else
            check_arrows "$header" "$layer"
        fi
    elif [[ $roots == *" $path "* ]]; then
        if grep -nE '#[[:space:]]*include <croton/' "$header" | grep -qv -e '<croton/compiler.hpp>' -e '<croton/version.hpp>'; then
            fail "$header: stands below everything and includes nothing of croton but its compiler and its version"
        fi
    fi

    guard=CROTON_$(tr 'a-z/.' 'A-Z__' <<<"$path")
    [[ $header == *.ipp ]] || { grep -qx "#ifndef $guard" "$header" && grep -qx "#define $guard" "$header"; } ||
        fail "$header: its include guard must be $guard"
    [ "$(head -n 1 "$header")" = "// SPDX-License-Identifier: MIT" ] || fail "$header: line 1 must be the licence"
    [[ $(sed -n 2p "$header") == "// "* ]] || fail "$header: line 2 must say what the header owns"
    lines=$(wc -l <"$header")
    [ "$lines" -le 400 ] || fail "$header: $lines lines; one of more than 400 holds more than one concept: split it along its seams"
    found=$(grep -nE '#[[:space:]]*pragma[[:space:]]+once|#[[:space:]]*include[[:space:]]*"|[^ -~]' "$header") &&
        fail "$header: no pragma once, no include in quotes, printable ASCII only:"$'\n'"$found"
    if [[ $path != compiler.hpp && $path != config.hpp && $path != version.hpp ]]; then
        found=$(grep -nE '^[[:space:]]*#[[:space:]]*(el)?if' "$header" | grep -vE "#ifndef $guard\$|CROTON_HAS_|__CUDACC__") &&
            fail "$header: only config.hpp and compiler.hpp read macros:"$'\n'"$found"
    fi
done < <(find croton -name '*.[hi]pp' | sort)

# What OPERATORS.md lists by name arrays take where they stand. A copy is no operator of programs, and that of gelu is one by its setting.
listed=$(awk -F'|' '/^\| `/ { gsub(/[` ]/, "", $2); gsub(/ /, "", $3); if ($3 == "") print $2 }' ../OPERATORS.md | grep -vxE 'copy|gelu_tanh' | sort)
taken=$(sed -nE 's/^CROTON_ON_ARRAYS\(([a-z_0-9]+),.*/\1/p' croton/lazy/functions.hpp | sort)
missing=$(comm -23 <(echo "$listed") <(echo "$taken"))
[ -n "$listed" ] && [ -z "$missing" ] || fail "croton/lazy/functions.hpp: no line for the operators"$'\n'"$missing"

# Arrays take every function of ops/ by its name, and a test has it; but for what makes arrays of none, for which arrays have makers of their own.
functions=$(awk '/namespace (croton::inline v0_1::)?detail/ { within = 1 } !within && /^(template.*>|    requires.*)? *constexpr auto [a-z_0-9]+\(/ { sub(/.*constexpr auto /, ""); sub(/\(.*/, ""); print } /^}  \/\/ namespace/ { within = 0 }' \
    $(ls croton/ops/*.hpp | grep -v refused) | grep -vxE 'elementwise|zeros_like|zeros|ones|full|arange|linspace|logspace|geomspace|eye' | sort -u)
drawn=$(sed -nE 's/^CROTON_DRAWN\(([a-z_]+),.*/\1/p' croton/lazy/draws.hpp)
also=$(printf '%s\n' "$taken" $drawn allclose array_equal cast einsum | sort)
missing=$(comm -23 <(echo "$functions") <(echo "$also"))
[ -n "$functions" ] && [ -z "$missing" ] || fail "croton/lazy/functions.hpp: no line for the functions"$'\n'"$missing"
missing=$(for name in $also; do grep -qE "\b$name(<[^;]*>)?\(" ../tests/lazy/*.cpp || echo "$name"; done)
[ -z "$missing" ] || fail "tests/lazy: no test of these on arrays:"$'\n'"$missing"
# Those of the table of operators are taken from it by tests/lazy/each_operator*; each of the others has a row there, of every form that an array can have.
operators=$(sed -nE 's/.*std::string_view name = "([a-z_0-9]+)".*/\1/p' croton/graph/*.hpp | sort -u)
rows=$(grep -ohE 'ROW_(1|2|3|OF)\([a-z_0-9]+,' ../tests/lazy/*.cpp | sed -E 's/.*\(//; s/,//' | sort -u)
missing=$(comm -23 <(printf '%s\n' $also elementwise zeros_like | sort -u) <(printf '%s\n' $operators $rows | sort -u))
[ -n "$operators" ] && [ -n "$rows" ] && [ -z "$missing" ] || fail "tests/lazy: no row for the functions"$'\n'"$missing"

# Where numbers stand in angle brackets, whoever writes them as arguments is told so; layers have parameters there, which are no numbers.
bracketed=$(awk '/namespace (croton::inline v0_1::)?detail/ { within = 1 } !within && /^template <(int|extent_code)[^;{]*constexpr auto [a-z_0-9]+\(/ { sub(/.*constexpr auto /, ""); sub(/\(.*/, ""); print } /^}  \/\/ namespace/ { within = 0 }' \
    $(ls croton/ops/*.hpp | grep -vE 'refused|random') | grep -vxE 'full|batch_norm|batch_norm_inference|layer_norm|instance_norm' | sort -u)
told=$(sed -nE 's/^    form_\(([a-z_0-9]+),.*/\1/p' croton/ops/refused_axes.hpp | sort)
missing=$(comm -23 <(echo "$bracketed") <(echo "$told"))
[ -n "$bracketed" ] && [ -z "$missing" ] || fail "croton/ops/refused_axes.hpp: no line for the functions"$'\n'"$missing"

# functions.hpp is croton.hpp without what its second line says.
left_out='<croton/(lazy/|profile/|progress/|array/(npy|npz|print)\.hpp|function/explain\.hpp)'
difference=$(diff <(grep -E '^#include <croton/' croton/croton.hpp | grep -vE "$left_out") <(grep -E '^#include <croton/' croton/functions.hpp)) ||
    fail "croton/functions.hpp: not the headers of croton.hpp that functions need:"$'\n'"$difference"

# Nothing stands twice: two headers with one text, two examples with one number.
find croton -name '*.[hi]pp' -exec md5sum {} + | sort | awk 'seen[$1]++ { print $2 ": the same text as another header"; bad = 1 } END { exit bad }' ||
    failures=$((failures + 1))
numbers=$(cd ../examples && ls -d [0-9][0-9]_* 2>/dev/null | grep -v '\.txt$' | cut -c1-2 | sort | uniq -d)
[ -z "$numbers" ] || fail "examples: these numbers stand twice: $numbers"

# What a program leaves behind where it was started is no part of the project.
known='bench|examples|include|single_include|tests|\.[a-z-]+|CHANGELOG\.md|CMakeLists\.txt|CMakePresets\.json|HACKING\.md|LICENSE|OPERATORS\.md|README\.md'
unknown=$(git -C .. ls-tree --name-only HEAD 2>/dev/null | grep -vxE "$known")
[ -z "$unknown" ] || fail "this has no place beside README.md: $unknown"

[ $failures -eq 0 ] && echo "$(find croton -name '*.[hi]pp' | wc -l) headers: every include runs down, every rule is kept"
[ $failures -eq 0 ]
