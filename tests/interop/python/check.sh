#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# check.sh <work folder> <compiler> <flags...> -- <link flags...>: builds extension.cpp for the first Python that has what it needs and runs check.py.
# PYTHON names another. 77 where there is none.
set -u
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
work=$1
shift
compile=()
while [ $# -gt 0 ] && [ "$1" != -- ]; do
    compile+=("$1")
    shift
done
[ $# -gt 0 ] && shift
for python in ${PYTHON:-python3 /usr/bin/python3}; do
    command -v "$python" >/dev/null 2>&1 || continue
    # Where the headers of Python are, and those of pybind11, which pip and Debian bring to different places.
    includes=$("$python" - 2>/dev/null <<'END'
import os, sysconfig
python = sysconfig.get_paths()["include"]
assert os.path.exists(os.path.join(python, "Python.h"))
folders = [python]
try:
    import pybind11
    folders.append(pybind11.get_include())
except ImportError:
    assert os.path.exists("/usr/include/pybind11/pybind11.h")
try:
    import numpy
except ImportError:
    import torch
print(" ".join("-isystem " + folder for folder in folders))
END
    ) || continue
    mkdir -p "$work"
    # shellcheck disable=SC2086
    "${compile[@]}" -fPIC -shared -fvisibility=hidden $includes "$here/extension.cpp" \
        -o "$work/croton_dlpack$("$python" -c 'import sysconfig; print(sysconfig.get_config_var("EXT_SUFFIX"))')" "$@" || exit 1
    PYTHONPATH=$work "$python" "$here/check.py"
    exit
done
echo "skipped: no python3 has Python.h, pybind11 and NumPy or PyTorch (Debian: python3-dev, pybind11-dev, python3-numpy)"
exit 77
