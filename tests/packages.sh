# SPDX-License-Identifier: MIT
# Sourced by the scripts that set up everything they need: need_packages <package>=<what it brings>...
# What it brings is a command, or a header in <angle brackets>. Nothing is installed where all of it is there.

has() {
    case $1 in
    "<"*) echo "#include $1" | g++ -std=c++20 -E -x c++ - >/dev/null 2>&1 ;;
    *) command -v "$1" >/dev/null 2>&1 ;;
    esac
}

need_packages() {
    local entry missing=()
    for entry in "$@"; do
        has "${entry#*=}" || missing+=("${entry%%=*}")
    done
    [ ${#missing[@]} -eq 0 ] && return 0
    if ! command -v apt-get >/dev/null 2>&1; then
        echo "This needs what Debian calls: ${missing[*]}. There is no apt-get here: install them by hand and start again." >&2
        return 1
    fi
    if [ "$(id -u)" -ne 0 ]; then
        echo "This needs: ${missing[*]}. Start it as root, or let an administrator run: apt-get install ${missing[*]}" >&2
        return 1
    fi
    echo "Installing ${missing[*]}"
    local install=(env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}")
    # The lists of a fresh machine are empty, those of an old one may name files that are gone.
    if ! "${install[@]}" >/dev/null 2>&1; then
        apt-get update -qq && "${install[@]}" >/dev/null
    fi
    for entry in "$@"; do
        if ! has "${entry#*=}"; then
            echo "${entry%%=*} is installed, but ${entry#*=} is not there." >&2
            return 1
        fi
    done
}
