#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# One table, and a picture of it, of every benchmark beside its peers: builds bench/*.cpp, runs each and then its peers of bench/peers/, and writes
# <date>-report.txt (what they printed), <date>-report.md (the table) and report.svg to bench/results/, or of benchmarks that are named to build/report/.
# Nothing else ought to run on the machine meanwhile.
#   report.sh [--quick] [--install] [--threads N] [--out FOLDER] [--add FILE]... [--merge] [benchmark...]
#     benchmark    w5_composite, operators, ...: all where none is named
#     --quick      few rounds: minutes instead of an hour, and less exact
#     --add        takes into the table what an earlier run has printed, a <date>-report.txt, and of both the best
#     --merge      measures nothing: the table of what --add names, where benchmarks were run one at a time
#     --install    brings the peers into build/peers by pip; without it those are measured that ${PYTHON:-python3} finds, and the table says which are missing
set -eu
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
. "$root/tests/packages.sh"
need_packages g++=g++ cmake=cmake make=make libxsimd-dev="<xsimd/xsimd.hpp>" libopenblas-dev=BLAS libeigen3-dev="<eigen3/Eigen/Core>" python3=python3
command="bench/report.sh $*" options=() names=() install= merge=
while [ $# -gt 0 ]; do
    case $1 in
    --quick) options+=("$1") ;;
    --merge) options+=("$1") && merge=1 ;;
    --install) install=1 ;;
    --threads | --out | --add) options+=("$1" "${2:?$1 needs a value}") && shift ;;
    -*) echo "report.sh: $1 is no option; it has --quick, --install, --threads N, --out FOLDER, --add FILE and --merge" >&2 && exit 2 ;;
    *) names+=("$1") ;;
    esac
    shift
done
cd "$root"
for name in "${names[@]}"; do
    [ -e "bench/$name.cpp" ] || [ -x "bench/$name.sh" ] || { echo "report.sh: there is no benchmark $name in bench/" >&2 && exit 2; }
done
python=${PYTHON:-python3}
if [ -n "$install" ] && [ ! -x build/peers/bin/python ]; then
    need_packages python3-venv=python:ensurepip
    python3 -m venv build/peers
    build/peers/bin/pip install -q numpy scipy torch jax pytensor
fi
[ -x build/peers/bin/python ] && python=$root/build/peers/bin/python
[ -z "$merge" ] || exec python3 bench/report.py --command "$command" "${options[@]}"

cmake --preset release -B build/bench -DCROTON_BUILD_TESTS=OFF -DCROTON_BUILD_EXAMPLES=OFF -DCROTON_WARNINGS_AS_ERRORS=OFF >/dev/null
targets=()
for name in "${names[@]}"; do [ ! -e "bench/$name.cpp" ] || targets+=(--target "bench_$name"); done
cmake --build build/bench -j "$(nproc)" "${targets[@]}" >/dev/null
python3 bench/report.py --python "$python" --command "$command" "${options[@]}" "${names[@]}"
