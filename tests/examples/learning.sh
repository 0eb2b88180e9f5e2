# SPDX-License-Identifier: MIT
# Sourced by the tests of examples that learn a text: learns <program> <steps> <bits>: it must reach so many bits per character, be the same when it is
# loaded again, and write a text.
set -u
learns() {
    local bits
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    cd "$work" || exit 1
    "$1" "$2" model.npz >out 2>err || { echo "it fails: $(cat err)"; exit 1; }
    cat out
    bits=$(sed -n 's/^bits per character of the text that it has not seen: //p' out)
    awk -v bits="$bits" -v most="$3" 'BEGIN { exit !(bits > 0.5 && bits < most) }' ||
        { echo "$bits bits per character, and ought to be fewer than $3"; exit 1; }
    grep -qx 'saved to model.npz; loaded again, they are the same' out || { echo "it is another one when it is loaded again"; exit 1; }
    [ "$(sed '1,/^It writes:$/d' out | wc -c)" -ge 350 ] || { echo "it writes too little"; exit 1; }
    [ "$(ls)" = "$(printf '%s\n' err model.npz out)" ] || { echo "it leaves behind: $(ls)"; exit 1; }
    [ "$(grep -c '^learning  ' err)" -eq 10 ] || { echo "its progress is not ten lines"; exit 1; }
}
