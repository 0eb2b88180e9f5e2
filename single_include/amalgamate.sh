#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Writes single_include/croton/croton.hpp from include/croton/croton.hpp and everything it includes.
#   amalgamate.sh            writes it, and copies include/croton/interop, whose headers include it, beside it
#   amalgamate.sh --check    fails if what is there is not what would be written
#
# A header that is included unconditionally stands before the header that includes it, once. A header that is
# included under an #if stands inside that #if, and again wherever it may otherwise be missing; the headers keep
# their include guards, so that a second copy is empty, and so is the multi-header tree beside the single header.
# A part of a header (.ipp) stands where the header includes it.
# Includes of other libraries stay where they are; one that was already read unconditionally is left out. So does one whose
# header a macro names.
set -eu
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
output=$root/single_include/croton/croton.hpp
export LC_ALL=C

amalgamate() {
    awk -v root="$root/include/" '
    function fail(text) { print "amalgamate: " text > "/dev/stderr"; failed = 1; exit 1 }

    # Reads a header into line[name, 1..count[name]]; kind[name, i] is what the preprocessor sees of that line:
    # "croton <path>", "other <spelling>", "if", "endif", "guard", "" (anything else).
    function load(name, whole, text, n, state, closing, depth, guard, path, status) {
        path = root name
        n = 0; state = ""; depth = 0; guard = 0
        while ((status = (getline text < path)) > 0) {
            line[name, ++n] = text
            kind[name, n] = ""
            if (state == "") {
                if (text ~ /^[ \t]*#[ \t]*(if|ifdef|ifndef)([^a-z]|$)/) {
                    ++depth
                    if (!guard && text ~ /^#ifndef CROTON_[A-Z0-9_]*_HPP$/) { guard = depth; kind[name, n] = "guard" }
                    else kind[name, n] = "if"
                } else if (text ~ /^[ \t]*#[ \t]*endif/) {
                    kind[name, n] = depth == guard ? "guard" : "endif"
                    --depth
                } else if (text ~ /^[ \t]*#[ \t]*include[ \t]*<croton\//) {
                    whole = text; sub(/^[^<]*</, "", whole); sub(/>.*$/, "", whole)
                    kind[name, n] = (whole ~ /\.ipp$/ ? "part " : "croton ") whole
                } else if (text ~ /^[ \t]*#[ \t]*include[ \t]*</) {
                    whole = text; sub(/^[^<]*/, "", whole); sub(/>.*$/, ">", whole)
                    kind[name, n] = "other " whole
                } else if (text ~ /^[ \t]*#[ \t]*include/ && text !~ /include CROTON_[A-Z_]*_HEADER$/) {
                    fail(name ":" n ": not <in angle brackets>: " text)
                }
            }
            state = after(text, state)
        }
        close(path)
        if (status < 0) fail("there is no include/" name)
        if (!guard && name !~ /\.ipp$/) fail(name " has no include guard")
        if (depth != 0) fail(name " has an #if without an #endif, or the reverse")
        count[name] = n
    }

    # Where the line leaves us: "" in code, "*" in a comment, or the end of the raw string that is open.
    function after(text, state, i, rest) {
        if (state == "" && text !~ /R"/ && text !~ /\/\*/) return ""
        while (text != "") {
            if (state != "") {
                rest = state == "*" ? "*/" : state
                i = index(text, rest)
                if (i == 0) return state
                text = substr(text, i + length(rest)); state = ""
            } else if (match(text, /\/\/|\/\*|R"[^(]*\(|"(\\.|[^"\\])*"|\047(\\.|[^\047\\])*\047/)) {
                rest = substr(text, RSTART, RLENGTH)
                text = substr(text, RSTART + RLENGTH)
                if (rest == "//") return ""
                if (rest == "/*") state = "*"
                else if (rest ~ /^R"/) state = ")" substr(rest, 3, length(rest) - 3) "\""
            } else return ""
        }
        return state
    }

    function known(table, thing, where, i) {   # read unconditionally, or under one of the conditions we are in
        for (i = 0; i <= where; ++i)
            if ((table, thing, i == 0 ? 0 : open[i]) in seen) return 1
        return 0
    }

    # Writes header `name`; `where` counts the #ifs around it and open[1..where] are their numbers.
    function emit(name, where, i, k, here) {
        if (known("header", name, where)) return
        if (name in active) fail("includes run in a circle through " name)
        active[name] = 1
        if (!(name in count)) load(name)
        here = 0
        for (i = 1; i <= count[name]; ++i) {   # what it includes unconditionally stands before it
            k = kind[name, i]
            if (k == "if") ++here
            else if (k == "endif") --here
            else if (here == 0 && k ~ /^croton /) emit(substr(k, 8), where)
        }
        seen["header", name, where == 0 ? 0 : open[where]] = 1
        put("")
        put("// " name)
        for (i = 1; i <= count[name]; ++i) {
            k = kind[name, i]
            if (i == 1 && line[name, i] ~ /^\/\/ SPDX/) continue
            if (k == "if") { open[++where] = ++conditions; ++here; put(line[name, i]) }
            else if (k == "endif") { --where; --here; put(line[name, i]) }
            else if (line[name, i] ~ /^[ \t]*#[ \t]*el(se|if)/) { if (here > 0) open[where] = ++conditions; put(line[name, i]) }
            else if (k ~ /^croton /) { if (here > 0) emit(substr(k, 8), where) }
            else if (k ~ /^part /) emit(substr(k, 6), where)
            else if (k ~ /^other /) {
                if (known("other", substr(k, 7), where)) continue
                seen["other", substr(k, 7), where == 0 ? 0 : open[where]] = 1
                put(line[name, i])
            } else put(line[name, i])
        }
        delete active[name]
    }

    function put(text) {
        if (text == "" && blank) return
        blank = text == ""
        print text
    }

    BEGIN {
        print "// SPDX-License-Identifier: MIT"
        print "// croton in one header. Generated by single_include/amalgamate.sh from include/croton; do not edit."
        print "// Copyright (c) The croton authors."
        emit("croton/croton.hpp", 0)
    }
    END { if (failed) exit 1 }
    ' </dev/null
}

fresh=$(mktemp)
trap 'rm -f "$fresh"' EXIT
amalgamate >"$fresh"
if [ "${1:-}" = --check ]; then
    if ! cmp -s "$fresh" "$output"; then
        echo "single_include/croton/croton.hpp is not what include/ gives: run single_include/amalgamate.sh"
        diff -u "$output" "$fresh" | head -20 || true
        exit 1
    fi
    if ! diff -r "$root/include/croton/interop" "$(dirname "$output")/interop"; then
        echo "single_include/croton/interop is not include/croton/interop: run single_include/amalgamate.sh"
        exit 1
    fi
else
    mkdir -p "$(dirname "$output")"
    cat "$fresh" >"$output"
    rm -rf "$(dirname "$output")/interop"
    cp -r "$root/include/croton/interop" "$(dirname "$output")/interop"
fi
