#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Compares the code that nvcc makes of the kernels of W1 to W5 with code/workloads.txt: the widths of their loads and stores, spills and registers.
#   code.sh              fails where a line differs; registers count only for the nvcc that the file names
#   code.sh --write      writes the file anew
# Skipped (77) without nvcc or cuobjdump: in PATH, beside nvcc, or CROTON_CUOBJDUMP.
set -u
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$here/../..
known=$here/code/workloads.txt
export PATH=$PATH:/usr/local/cuda/bin
cuobjdump=${CROTON_CUOBJDUMP:-cuobjdump}
command -v nvcc >/dev/null || { echo "skipped: no nvcc"; exit 77; }
command -v "$cuobjdump" >/dev/null || { echo "skipped: no cuobjdump"; exit 77; }
. "$root/tests/limits.sh"
limits=$(limits nvcc) || exit 1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
found=$folder/found.txt

# rows <cubin>: a line for each kernel. Kernels of steps have numbers for names, which change with any step: they are told by their shape.
rows() {
    { "$cuobjdump" -res-usage "$1" && "$cuobjdump" -sass "$1"; } | awk '
        function called(name,    v, n_of, entries, numbers) {
            if (match(name, /(joint_step|closed_step|step)I[^J]*keyI[^E]*E[^E]*EJEEE/)) {
                entries["0"] = "numbers first"; entries["1"] = "loop"; entries["2"] = "rows held"; entries["3"] = "squares"; entries["4"] = "columns"; entries["5"] = "end of sums"
                v = substr(name, RSTART + RLENGTH)
                numbers = sub(/^N[^J]*closing_keysI.*EJEEEEEE/, "", v) ? ", and numbers" : ""
                sub(/EEv.*/, "E", v)
                gsub(/LNS[0-9]*_5entry/, "Li", v)
                gsub(/Li|E$/, "", v)
                gsub(/E/, " ", v)
                split(v, n_of, " ")
                if (name ~ /joint_step/) return "loops of " n_of[2] ", " n_of[1] " at a time: " n_of[3] "+" n_of[4] " axes, " n_of[5] " slots"
                gsub(/[^0-9]/, "", n_of[2])
                return entries[n_of[2]] numbers ", " n_of[1] " at a time: " n_of[3] "+" n_of[4] " axes, " n_of[5] " slots, " n_of[7] " sums"
            }
            match(name, /11cuda_device[0-9]+[a-z_]+/)
            v = substr(name, RSTART + 13, RLENGTH - 13)
            sub(/^[0-9]+/, "", v)
            gsub(/_/, " ", v)
            return v
        }
        # " 16" for LDG.E.128: bytes, widest first
        function widths(seen, of,    text, w) {
            text = ""
            for (w = 16; w >= 1; w /= 2) if ((of, w) in seen) text = text " " w
            return text == "" ? " none" : text
        }
        /^ *Function [^:]*:$/ { name = $2; sub(/:$/, "", name) }
        /^ *REG:/ {
            match($0, /REG:[0-9]+/); registers[name] = substr($0, RSTART + 4, RLENGTH - 4)
            match($0, /STACK:[0-9]+/); stack[name] = substr($0, RSTART + 6, RLENGTH - 6)
            names[++count] = name
        }
        /Function : / { name = $3 }
        match($0, /(LDG|STG)\.E[A-Z0-9_.]*/) {
            code = substr($0, RSTART, RLENGTH)
            width = code ~ /\.128/ ? 16 : code ~ /\.64/ ? 8 : code ~ /\.[US]8/ ? 1 : code ~ /\.[US]16/ ? 2 : 4
            seen[name "," (code ~ /^LDG/ ? "load" : "store"), width] = 1
        }
        / (LDL|STL)[. ]/ { ++spills[name] }
        END {
            for (i = 1; i <= count; ++i) {
                name = names[i]
                printf "%s; loads of%s, stores of%s bytes, %d spills; %d registers, %d bytes of stack\n", called(name), widths(seen, name ",load"), widths(seen, name ",store"),
                       spills[name], registers[name], stack[name]
            }
        }' | sort
}

version=$(nvcc --version | sed -n 's/.*release \([0-9.]*\).*/\1/p')
{
    echo "The kernels of W1 to W5 as nvcc $version makes them for sm_90; spills: loads and stores of local memory. Written by tests/cuda/code.sh --write."
    for workload in 1 2 3 4 5; do
        # shellcheck disable=SC2086
        nvcc -std=c++20 -O3 -arch=sm_90 -cubin -Werror all-warnings $limits -DCROTON_HAS_CBLAS=0 -DWORKLOAD=$workload -I"$root/include" -I"$root/bench" \
            "$here/code/workloads.cu" -o "$folder/code" >&2 || exit 1
        echo
        # What every function has, W1 has as well.
        if [ $workload = 1 ]; then
            echo "W1"
            rows "$folder/code" | tee "$folder/every.txt"
        else
            echo "W$workload besides"
            rows "$folder/code" | grep -vxFf "$folder/every.txt"
        fi
    done
} >"$found" || exit 1
grep -q ' 0 spills' "$found" || { echo "No kernels were found in what cuobjdump says."; exit 1; }
if [ "${1:-}" = --write ]; then
    cp "$found" "$known"
    exit 0
fi
# Another nvcc has other registers.
if ! grep -q "nvcc $version " "$known"; then
    echo "nvcc $version: registers are not compared"
    sed -i '1d; s/; [^;]*$//' "$found"
    sed '1d; s/; [^;]*$//' "$known" >"$folder/known.txt"
    known=$folder/known.txt
fi
diff "$known" "$found" && echo "as $(basename "$known") says"
