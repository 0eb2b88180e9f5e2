#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# SmallCrush of TestU01 (L'Ecuyer, Simard 2007) over the numbers that random::bits and random::uniform fill arrays with. By hand, some minutes.
#   random_quality.sh [file for the result]
# TestU01 is in Debian's non-free: where libtestu01-0-dev is not installed, its packages are unpacked into a folder that goes when the script ends.
# Fails where a p-value is outside of 0.001 to 0.999.
set -eu
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
result=${1:-/dev/stdout}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tree=
if [ ! -e /usr/include/testu01/bbattery.h ]; then
    tree=$work/tree
    mkdir -p "$work/lists/partial"
    echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] http://deb.debian.org/debian $(. /etc/os-release && echo "$VERSION_CODENAME") main non-free" >"$work/list"
    from=(-o "Dir::Etc::sourcelist=$work/list" -o Dir::Etc::sourceparts=/dev/null -o "Dir::State::lists=$work/lists" -o APT::Sandbox::User=root)
    apt-get "${from[@]}" update -qq
    (cd "$work" && apt-get "${from[@]}" download -qq libtestu01-0 libtestu01-0-dev libtestu01-0-dev-common)
    for package in "$work"/*.deb; do dpkg -x "$package" "$tree"; done
fi
libraries=$tree/usr/lib/$(uname -m)-linux-gnu
cat >"$work/quality.cpp" <<'PROGRAM'
#include <cstdint>
#include <cstring>

#include <croton/array/array.hpp>
#include <croton/random/distributions.hpp>
extern "C" {
#include <testu01/bbattery.h>
#include <testu01/swrite.h>
#include <testu01/unif01.h>
}

using namespace croton;

// One array of each call number after the other.
template <class T, class Fill> T next(Fill fill) {
    static array<T, 1> numbers(1 << 16);
    static std::int64_t at = numbers.size();
    static std::uint64_t calls = 0;
    if (at == numbers.size()) {
        fill(numbers, random::stream_of(2026, 1, calls++));
        at = 0;
    }
    return numbers(at++);
}
unsigned word() {
    return next<std::uint32_t>([](auto& x, const auto& s) { random::bits(x, s); });
}
double number() {
    return next<float>([](auto& x, const auto& s) { random::uniform(x, s); });
}
double fine_number() {
    return next<double>([](auto& x, const auto& s) { random::uniform(x, s); });
}

int main(int, char** argv) {
    swrite_Basic = FALSE;
    char bits[] = "bits of uint32", floats[] = "uniform numbers of float, two by two", doubles[] = "uniform numbers of double";
    if (std::strcmp(argv[1], "bits") == 0) {
        bbattery_SmallCrush(unif01_CreateExternGenBits(bits, word));
    } else if (std::strcmp(argv[1], "float") == 0) {
        // The battery looks at 30 bits, and a float has 24: two make one of its numbers.
        bbattery_SmallCrush(unif01_CreateDoubleGen2(unif01_CreateExternGen01(floats, number), 0x1p-24));
    } else {
        bbattery_SmallCrush(unif01_CreateExternGen01(doubles, fine_number));
    }
}
PROGRAM
. "$root/tests/limits.sh"
g++ -std=c++20 -O2 -march=native $(limits g++) -I"$root/include" -I"$tree/usr/include" -I"$tree/usr/include/$(uname -m)-linux-gnu" "$work/quality.cpp" -o "$work/quality" \
    -L"$libraries" -Wl,--disable-new-dtags,-rpath,"$libraries" -ltestu01 -ltestu01probdist -ltestu01mylib -lgmp -lm
for stream in bits float double; do "$work/quality" "$stream"; done | grep -v '^$' >"$work/result"
cat "$work/result" >"$result"
[ "$(grep -c 'All tests were passed' "$work/result")" -eq 3 ]
