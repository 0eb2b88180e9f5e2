# SPDX-License-Identifier: MIT
# Sourced by the scripts that set up everything they need: need_packages <package>=<what it brings>...
# What it brings is a command, a header in <angle brackets>, a module as python:name, or BLAS: one that is fast, whatever it is called. Nothing is
# installed where all of it is there.
packages_root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

# Whether one of the libraries that CMake takes first can be linked, and says that it is more than a name for the slow one
# (liblapack-dev brings Netlib's with a cblas.h, and programs that use it run at a hundredth of their speed).
has_blas() {
    local library work status=1
    local places=(${MKLROOT:+-L"$MKLROOT/lib" -Wl,-rpath,"$MKLROOT/lib"})
    work=$(mktemp -d)
    printf '%s\n' '#include <croton/device/cpu/blas_library.hpp>' '#include <cstdio>' \
        'int main() { std::puts(croton::blas_name().c_str()); }' >"$work/which.cpp"
    if g++ -std=c++20 -I"$packages_root/include" ${MKLROOT:+-I"$MKLROOT/include"} -c "$work/which.cpp" -o "$work/which.o" 2>/dev/null; then
        for library in openblasp openblas mkl_rt blis flexiblas; do
            g++ "$work/which.o" -o "$work/which" "${places[@]}" "-l$library" 2>/dev/null || continue
            case $("$work/which" 2>/dev/null) in
            "" | none | *"reference BLAS"* | *NETLIB*) ;;
            *) status=0 && break ;;
            esac
        done
    fi
    rm -rf "$work"
    return $status
}

has() {
    case $1 in
    BLAS) has_blas ;;
    python:*) python3 -c "import ${1#python:}" 2>/dev/null ;;
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
