#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# One table, and a picture of it, of every benchmark beside its peers: brings the peers into build/peers, builds bench/*.cpp, runs each and then its peers of
# bench/peers/, and writes <date>-report.txt (what they printed), <date>-report.md (the table) and report.svg to bench/results/, or of benchmarks that are
# named to build/report/. What was measured is kept in build/report/pieces: a run that was broken off, or in which something failed, goes on with what is left.
# Nothing else ought to run on the machine meanwhile.
#   report.sh [--quick] [--fresh] [--threads N] [--out FOLDER] [--under COMMAND] [--add FILE]... [--merge] [benchmark...]
#     benchmark    w5_composite, operators, ...: all where none is named
#     --quick      few rounds: minutes instead of an hour, and less exact
#     --fresh      forgets what was measured before
#     --under      runs each piece by a command, as "taskset -c 1" or "nice -n -10"
#     --add        takes into the table what an earlier run has printed, a <date>-report.txt, and of both the best
#     --merge      measures nothing: the table of what there is
#   PYTHON=... takes the peers that this python3 has; those that it lacks the table names
set -eu
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
. "$root/tests/packages.sh"
need_packages g++=g++ cmake=cmake make=make libxsimd-dev="<xsimd/xsimd.hpp>" libopenblas-dev=BLAS libeigen3-dev="<eigen3/Eigen/Core>" python3=python3
need_packages libxtensor-dev="<xtensor/xadapt.hpp>" || echo "expressions: without xtensor" >&2
command="bench/report.sh${*:+ $*}" options=() names=() merge=
while [ $# -gt 0 ]; do
    case $1 in
    --quick) options+=("$1") ;;
    --fresh) rm -rf "$root/build/report/pieces" ;;
    --merge) options+=("$1") && merge=1 ;;
    --threads | --out | --under | --add) options+=("$1" "${2:?$1 needs a value}") && shift ;;
    -*) echo "report.sh: $1 is no option; it has --quick, --fresh, --threads N, --out FOLDER, --under COMMAND, --add FILE and --merge" >&2 && exit 2 ;;
    *) names+=("$1") ;;
    esac
    shift
done
cd "$root"
for name in "${names[@]}"; do
    [ -e "bench/$name.cpp" ] || [ -d "bench/$name" ] || { echo "report.sh: there is no benchmark $name in bench/" >&2 && exit 2; }
done
[ -z "$merge" ] || exec python3 bench/report.py --command "$command" "${options[@]}" "${names[@]}"

python=${PYTHON:-$root/build/peers/bin/python}
if [ -z "${PYTHON:-}" ] && [ ! -e build/peers/complete ]; then
    need_packages python3-venv=python:ensurepip
    python3 -m venv build/peers
    if build/peers/bin/pip install -q numpy scipy torch jax pytensor; then
        touch build/peers/complete
    else
        echo "report.sh: pip does not bring all peers; those that are missing the table names" >&2
    fi
fi
cmake --preset release -B build/bench -DCROTON_BUILD_TESTS=OFF -DCROTON_BUILD_EXAMPLES=OFF -DCROTON_WARNINGS_AS_ERRORS=OFF >/dev/null
targets=()
for name in "${names[@]}"; do [ ! -e "bench/$name.cpp" ] || targets+=(--target "bench_$name"); done
cmake --build build/bench -j "$(nproc)" "${targets[@]}" >/dev/null
if [ ${#names[@]} -eq 0 ] || [[ " ${names[*]} " == *" operators "* ]]; then bash bench/operators.sh --build; fi
python3 bench/report.py --python "$python" --command "$command" "${options[@]}" "${names[@]}"
