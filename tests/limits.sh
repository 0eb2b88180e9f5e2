# SPDX-License-Identifier: MIT
# Sourced by scripts that call a compiler: limits <compiler> prints the flags with which the CMake target raises its limits.
# They stand in one place, the CMakeLists.txt of croton. nvcc takes those of g++, its host compiler here, as well.
limits_root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

limits() {
    local family=gnu
    case $("$1" --version) in
    *NVIDIA*) family=nvcc ;;
    *clang*) family=clang ;;
    esac
    limits_of "$family"
    [ "$family" != nvcc ] || echo "-Xcompiler=$(limits_of gnu | xargs | tr ' ' ',')"
}

limits_of() {
    local flags
    flags=$(tr '\n' ' ' <"$limits_root/CMakeLists.txt" | sed -n "s/.*set(limits_$1 \([^)]*\)).*/\1/p" | xargs)
    [ -n "$flags" ] || { echo "limits.sh: CMakeLists.txt sets no limits_$1" >&2; return 1; }
    echo "$flags"
}
