#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# check.sh <way> <source> <build> <work folder> <cmake> <compiler> <options...>: builds and runs tests/consumer in one
# of the ways a project can take croton. 77 means that this machine lacks the tool.
set -eu
way=$1 source=$2 build=$3 work=$4 cmake=$5 compiler=$6
shift 6
rm -rf "$work"
mkdir -p "$work"
configure=("$cmake" -S "$source/tests/consumer" -B "$work/build" -DCMAKE_CXX_COMPILER="$compiler" -DCMAKE_BUILD_TYPE=Debug "$@")

install() {
    "$cmake" --install "$build" --prefix "$work/prefix" >"$work/install.log"
    # A prefix can be moved.
    mv "$work/prefix" "$work/moved"
}

case $way in
add_subdirectory)
    "${configure[@]}" -DCROTON_SOURCE="$source"
    "$cmake" --build "$work/build"
    "$work/build/consumer"
    "$work/build/consumer_precompiled"
    ;;
find_package)
    install
    "${configure[@]}" -DCMAKE_PREFIX_PATH="$work/moved"
    "$cmake" --build "$work/build"
    "$work/build/consumer"
    "$work/build/consumer_precompiled"
    "$work/build/consumer_separate"
    ;;
pkg_config)
    command -v pkg-config >/dev/null || exit 77
    install
    export PKG_CONFIG_PATH=$work/moved/share/pkgconfig
    # shellcheck disable=SC2046
    "$compiler" -std=c++20 "$source/tests/consumer/main.cpp" $(pkg-config --cflags --libs croton) -o "$work/consumer"
    "$work/consumer"
    ;;
esac
